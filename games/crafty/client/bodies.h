/*
 * Where players and drops were in the last two ticks, so that frames can show them in between. A
 * frame may have several ticks, or none: the positions are noted in every tick.
 *
 *     CraftyBodies *bodies = crafty_bodies_create(&error);
 *     crafty_bodies_add(world, bodies, &error); // systems ShowPlayers and ShowDrops
 *     for (uint32_t i = 0; i < crafty_bodies_count(bodies); i++)
 *         draw(crafty_bodies_at(bodies, i, cn_engine_alpha(engine)));
 */
#ifndef CRAFTY_CLIENT_BODIES_H
#define CRAFTY_CLIENT_BODIES_H

#include "crafty/sim/player.h"

typedef struct CraftyBodies CraftyBodies;

typedef struct CraftyShownBody {
    CnEntity entity;
    CnVec3 position;
    CnQuat rotation;
    bool is_drop;
    /* Of a drop. */
    CraftyItem item;
    uint32_t count;
    float age; /* seconds */
} CraftyShownBody;

CraftyBodies *crafty_bodies_create(CnError *error);
/* After the world whose systems use it. NULL is ignored. */
void crafty_bodies_destroy(CraftyBodies *bodies);
/* Adds the systems that note positions; they only read the world. */
bool crafty_bodies_add(CnWorld *world, CraftyBodies *bodies, CnError *error);

uint32_t crafty_bodies_count(const CraftyBodies *bodies);
/* Returns a body between the last two ticks; one that is new where it is. */
CraftyShownBody crafty_bodies_at(const CraftyBodies *bodies, uint32_t index, float alpha);
/* Finds the body of an entity. Returns false if it was not there in the last tick. */
bool crafty_bodies_find(const CraftyBodies *bodies, CnEntity entity, float alpha,
                        CraftyShownBody *body);
/* Returns how many ticks were noted. */
uint64_t crafty_bodies_ticks(const CraftyBodies *bodies);

#endif

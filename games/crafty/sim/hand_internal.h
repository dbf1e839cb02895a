/* What the parts of the hand share: the hand of one player in one tick. */
#ifndef CRAFTY_SIM_HAND_INTERNAL_H
#define CRAFTY_SIM_HAND_INTERNAL_H

#include "hand.h"
#include "player.h"

typedef struct CraftyHandUse {
    CnWorld *world;
    CnEntity player;
    uint32_t number; /* of the player */
    CnVoxels *voxels;
    const CraftyItems *items;
    CnInteractInput input;
    const struct CraftyPlayerGrid *grid; /* the bodies of players */
    bool is_survival;                    /* stacks are consumed, blocks drop, tools wear */
    bool sneaks;
    bool is_first; /* the button was pressed in this tick, and is not repeated */
    bool touches;  /* set when a creature was used instead of a block */
    bool acts;     /* set when the hand did something: the arm swings */
} CraftyHandUse;

/* Sends an event of the hand; surface and color are those of its block. */
void crafty_hand_send(CnWorld *world, CnEntity player, CnInteractEvent event);

/* The functions of CnInteractRules; `user` is a CraftyHandUse. */
float crafty_hand_break_ms(void *user, const CnVoxelHit *target);
void crafty_hand_break(void *user, const CnVoxelHit *target);
void crafty_hand_place(void *user, const CnVoxelHit *target);

/* Returns the stack in the hand, for changes. */
CraftyStack *crafty_hand_slot(const CraftyHandUse *use);
/* In survival, takes one item out of the hand. */
void crafty_hand_consume(const CraftyHandUse *use);
/* In survival, wears the tool in the hand. */
void crafty_hand_wear(const CraftyHandUse *use);

/* Fills a bucket with the water that the player aims at, or empties it. Returns false if the held
 * item is not a bucket. */
bool crafty_hand_use_bucket(CraftyHandUse *use, const CnVoxelHit *target);

/* Makes farmland of the soil that the player aims at, if nothing is above it. Returns false if the
 * held item is not a hoe. */
bool crafty_hand_use_hoe(CraftyHandUse *use, const CnVoxelHit *target);

/* Plants the held seeds on the farmland that the player aims at. Returns false if the held item is
 * not planted, or not here: carrots are also eaten. */
bool crafty_hand_use_seeds(CraftyHandUse *use, const CnVoxelHit *target);
/* Lights a fire before the face that the player aims at. Returns false if the held item is not
 * flint and steel. */
bool crafty_hand_use_lighter(CraftyHandUse *use, const CnVoxelHit *target);

/* Selects the targeted block for the hand: in creative mode any, in survival one that the player
 * has. Returns false if nothing changes. */
bool crafty_hand_pick(const CraftyHandUse *use, CnBlock block);
/* Throws one item of the held stack, or all. */
void crafty_hand_drop(const CraftyHandUse *use, bool all);

#endif

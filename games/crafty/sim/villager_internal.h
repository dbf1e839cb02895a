/* What the parts of the villagers share. */
#ifndef CRAFTY_SIM_VILLAGER_INTERNAL_H
#define CRAFTY_SIM_VILLAGER_INTERNAL_H

#include "path_find.h"
#include "villager.h"

/* The plan of a village, as far as villagers need it. */
typedef struct CraftyVillagePlan {
    int32_t region[2];
    uint64_t used; /* tick */
    bool exists;
    CnCell middle;
    uint32_t house_count, field_count, stall_count, lamp_count;
    CnVillagePiece houses[CN_VILLAGE_MAX_PIECES];
    CnVillagePiece fields[CN_VILLAGE_MAX_PIECES];
    CnVillagePiece stalls[CN_VILLAGE_MAX_PIECES];
    CnVillagePiece lamps[CN_VILLAGE_MAX_PIECES];
    CnVillagePiece well;
    bool has_well;
} CraftyVillagePlan;

#define CRAFTY_KEPT_PLANS 4u
#define CRAFTY_MAX_CUSTOMERS 256u /* at whom villagers look in a tick */

/* Transient. */
typedef struct CraftyVillagerWork {
    CnAllocator *allocator;
    CnQuery *villagers, *players, *creatures;
    CraftyPathTraits *traits;
    CraftyPathScratch *scratch;
    CraftyPath path;
    CraftyVillagePlan plans[CRAFTY_KEPT_PLANS];
    CnEntity entities[CRAFTY_MAX_VILLAGERS];
    uint32_t searches;                       /* in this tick */
    CnEntity partners[CRAFTY_MAX_CUSTOMERS]; /* villagers with whom players trade in this tick */
    CnVec3 customers[CRAFTY_MAX_CUSTOMERS];  /* where these players are */
    uint32_t trade_count;
    CnBlock lantern, unlit;
} CraftyVillagerWork;
typedef struct CraftyVillagerState {
    CraftyVillagerWork *work;
} CraftyVillagerState;
CN_OPAQUE(CraftyVillagerState);

/* One villager in one tick. */
typedef struct CraftyVillagerTick {
    CnWorld *world;
    CraftyVillagerWork *work;
    CnEntity entity;
    CraftyVillager *villager;
    CnTransform *transform;
    const CraftyVillagePlan *plan;
    const CraftyBlocks *blocks;
    uint64_t tick;
    float dt;
} CraftyVillagerTick;

/* ---- villager_plan.c ---- */

/* Returns the plan of a region; NULL without a village. */
const CraftyVillagePlan *crafty_village_plan(CnWorld *world, CraftyVillagerWork *work,
                                             int32_t region_x, int32_t region_z, uint64_t tick);
/* Returns where a villager does something: a cell of its feet, and how near is near enough. */
CnCell crafty_villager_place(const CraftyVillagePlan *plan, const CraftyVillager *villager,
                             CraftyVillagerActivity activity, uint32_t *near);
/* Spawns the villagers of villages near the players. */
void crafty_villages_settle(CnWorld *world, CraftyVillagerWork *work, const CnVec3 *players,
                            uint32_t count);

/* ---- villager_walk.c ---- */

/* Walks to a cell; returns whether the villager is there. */
bool crafty_villager_walk(CraftyVillagerTick *villager, CnCell goal, uint32_t near);
/* Closes the door that it opened, once it is through. */
void crafty_villager_close_door(CraftyVillagerTick *villager, bool at_once);
void crafty_villager_stop(CraftyVillager *villager);
CnCell crafty_villager_feet(const CnTransform *transform);

/* ---- villager_look.c ---- */

/* Turns the head to a player beside a villager that stands, or back. */
void crafty_villager_look(const CraftyVillagerTick *villager, const CnVec3 *players,
                          uint32_t count);

#endif

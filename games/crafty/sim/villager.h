/*
 * Villagers: creatures with a house, a profession and a daily round.
 *
 *     crafty_villagers_add(world, &error); // components and the system CraftyVillagers
 *     const CraftyVillager *villager = cn_get(world, entity, CraftyVillager);
 *     draw(villager->profession, villager->activity);
 *
 * The first time that a player comes near a village, one villager appears in each of its houses.
 * They sleep at home, work in the morning and in the afternoon, meet at the well at noon and in the
 * evening, light the lamps at dusk, and go home at night, in rain, and when a zombie is near. They
 * walk by path_find.h, open doors and close them behind them. Where they go follows from the time,
 * the weather and the plan of the village; the plan is a function of the seed and is not saved.
 *
 * A villager with whom a player trades (trade.h) stands still and faces the player.
 *
 * Villagers further than CRAFTY_VILLAGER_ACTIVE from every player rest. They have a CraftyCreature,
 * but neither the mind nor the body of animals: the systems of creatures leave them alone.
 */
#ifndef CRAFTY_SIM_VILLAGER_H
#define CRAFTY_SIM_VILLAGER_H

#include "crafty/world/professions.h"
#include "player.h"

#define CRAFTY_VILLAGER "villager" /* the kind of creature */
#define CRAFTY_MAX_VILLAGERS 1024u
#define CRAFTY_MAX_VILLAGES 128u
#define CRAFTY_VILLAGER_ACTIVE 96.0f /* blocks */
#define CRAFTY_VILLAGER_SPEED 2.2f   /* blocks per second */
#define CRAFTY_VILLAGER_PATHS 2u     /* searches per tick */
#define CRAFTY_VILLAGER_CELLS 48u    /* of a path that are kept */

typedef enum CraftyVillagerActivity {
    CRAFTY_VILLAGER_SLEEPS,
    CRAFTY_VILLAGER_HOME, /* awake, because of rain or danger, or in the evening */
    CRAFTY_VILLAGER_WORKS,
    CRAFTY_VILLAGER_MEETS, /* at the well */
    CRAFTY_VILLAGER_LAMPS,
    CRAFTY_VILLAGER_ACTIVITY_COUNT
} CraftyVillagerActivity;

/*
 * Fields:
 *     region       of the village
 *     house        index among the houses of the plan
 *     profession, activity
 *     arrived      is where the activity takes place
 *     walks        follows its path now
 *     index, count the next cell of the path, and their number
 *     wait         ticks until it looks for a path again
 *     cells        of the path, from `origin`
 *     has_door     opened the door in the cell `door`
 *     did          bits of activities that it completed since the last morning
 *     day          whose activities `did` counts
 */
CN_COMPONENT(CraftyVillager, (i32, region, 2), (u8, house), (u8, profession), (u8, activity),
             (bool, arrived), (bool, walks), (u8, index), (u8, count), (u16, wait),
             (i32, origin, 3), (i8, cells, 144), (bool, has_door), (i32, door, 3), (u8, did),
             (u32, day));

/* A resource, part of the state: villages that got their villagers, as keys of their regions;
 * totals. */
CN_COMPONENT(CraftyVillages, (u64, regions, CRAFTY_MAX_VILLAGES), (u32, count), (u64, spawned),
             (u64, searches));

/* Adds components, the resource and the system. Calling it again is harmless. */
bool crafty_villagers_add(CnWorld *world, CnError *error);
/* Gives a restored state of an older version the resource that it lacks. */
bool crafty_villages_complete(CnWorld *world, CnError *error);
/* Frees work memory, before the world is destroyed. */
void crafty_villagers_remove(CnWorld *world);

/* Returns whether a monster is so near to a place that villagers flee. */
bool crafty_villager_is_in_danger(const CnWorld *world, CnVec3 place);
/* Returns the villager that a player has in sight within reach; the null entity if there is none.
 * It changes nothing. */
CnEntity crafty_villager_aimed(CnWorld *world, CnEntity player);
/* Returns how many villagers there are. */
uint32_t crafty_villager_count(CnWorld *world);
/* Returns what villagers do at this time under an open sky. */
CraftyVillagerActivity crafty_villager_round(float hours);

#endif

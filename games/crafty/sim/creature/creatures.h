/*
 * Adds creatures to a simulation.
 *
 *     crafty_creatures_add(world, &(CraftyCreaturesDesc){.kinds = kinds, .seed = 42,
 *                                                        .difficulty = CRAFTY_NORMAL}, &error);
 *     crafty_creatures_remove(world); // before the voxel world is destroyed
 *
 * The system CraftyCreatures of Update moves the creatures near players. Natural ones appear and
 * vanish as creatures.json says; those that are tame or have a name stay forever.
 */
#ifndef CRAFTY_SIM_CREATURE_CREATURES_H
#define CRAFTY_SIM_CREATURE_CREATURES_H

#include "creature.h"
#include "difficulty.h"

typedef struct CraftyCreaturesDesc {
    const CraftyCreatureKinds *kinds; /* must outlive the world; NULL: only the components */
    uint64_t seed;
    CraftyDifficulty difficulty; /* of a new world */
} CraftyCreaturesDesc;

/* The resources CraftyBlocks and CraftyItemList must exist. Calling it again is harmless. */
bool crafty_creatures_add(CnWorld *world, const CraftyCreaturesDesc *desc, CnError *error);
/* Frees the work memory. Harmless without creatures. */
void crafty_creatures_remove(CnWorld *world);
/* Removes all creatures that are neither tame nor named. Returns how many. */
uint32_t crafty_creatures_clear(CnWorld *world);
/* Gives a restored state of an older version what it lacks. */
bool crafty_creatures_complete(CnWorld *world, CnError *error);

#endif

/*
 * The surroundings of the eye: CraftyPlace (weather.h), computed in every tick from the position of
 * the active camera and the blocks around it.
 *
 *     crafty_place_add(world, &error); // adds the system CraftyPlaces of PreUpdate
 *
 * Chunks are generated on demand, so the result does not depend on which chunks are loaded.
 */
#ifndef CRAFTY_SIM_PLACE_H
#define CRAFTY_SIM_PLACE_H

#include "player.h"
#include "weather.h"

/* Adds the system; the resources CraftyPlace and CraftyBlocks must exist. */
bool crafty_place_add(CnWorld *world, CnError *error);
/* Updates CraftyPlace; called by the system. Without an active camera nothing changes; without
 * CraftyBlocks.biomes the biome stays. */
void crafty_place_update(CnWorld *world);

/* Returns the depth of the eye below the water surface in metres; 0 if it is not under water. The
 * result is capped at a depth that no light reaches. */
float crafty_water_above(CnVoxels *voxels, CnVec3 eye);
/* Returns how much of the sky is hidden at an eye with the given depth of water above it: 0 in the
 * open or under trees, 1 where no sky light arrives. Light absorbed by water is not counted. */
float crafty_shelter(CnVoxels *voxels, CnVec3 eye, float water_above);

#endif

/*
 * The surroundings of each player: CraftyPlace, computed in every tick from the position of the
 * player and the blocks around it. The camera of a tour has one too.
 *
 *     crafty_place_add(world, &error); // adds the system CraftyPlaces of PreUpdate
 *     const CraftyPlace *place = cn_get(world, player, CraftyPlace);
 *
 * The weather is that of the whole world. It follows the biome of the player with the lowest
 * number, which the system writes into CraftyWeather.
 *
 * Chunks are generated on demand, so the result does not depend on which chunks are loaded.
 */
#ifndef CRAFTY_SIM_PLACE_H
#define CRAFTY_SIM_PLACE_H

#include "player.h"
#include "weather.h"

/* A component of players: biome, meters of water above the eye, and how much of the sky is
 * hidden. is_known: `biome` is that of the column of blocks x, z: it takes long to compute, so it
 * is kept until the player is in another one. */
CN_COMPONENT(CraftyPlace, (u8, biome), (f32, water_above), (f32, shelter), (bool, is_known),
             (i32, column, 2));

/* Adds the component and the system; the resources CraftyWeather and CraftyBlocks must exist. */
bool crafty_place_add(CnWorld *world, CnError *error);
/* Updates all places before the first tick, as the system does. Without CraftyBlocks.biomes the
 * biomes stay. Returns false and an error when out of memory. */
bool crafty_place_update(CnWorld *world, CnError *error);

/* Returns the depth of the eye below the water surface in meters; 0 if it is not under water. The
 * result is capped at a depth that no light reaches. */
float crafty_water_above(CnVoxels *voxels, CnVec3 eye);
/* Returns how much of the sky is hidden at an eye with the given depth of water above it: 0 in the
 * open or under trees, 1 where no sky light arrives. Light absorbed by water is not counted. */
float crafty_shelter(CnVoxels *voxels, CnVec3 eye, float water_above);

#endif

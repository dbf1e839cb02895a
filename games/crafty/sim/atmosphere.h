/*
 * The atmosphere for the renderer: combines day and weather and extracts them every tick.
 *
 *     crafty_atmosphere_add(world, &error); // adds day.h, weather.h and the system ShowAir
 */
#ifndef CRAFTY_SIM_ATMOSPHERE_H
#define CRAFTY_SIM_ATMOSPHERE_H

#include "day.h"
#include "weather.h"

#include <cairn/voxel/voxels.h>

bool crafty_atmosphere_add(CnWorld *world, CnError *error);

/* Returns the depth of the eye below the water surface in metres; 0 if it is not under water. The
 * result is capped at a depth that no light reaches. */
float crafty_water_above(CnVoxels *voxels, CnVec3 eye);

/* Returns how much of the sky is hidden at an eye with the given depth of water above it: 0 in the
 * open or under trees, 1 where no sky light arrives. Light absorbed by water is not counted. */
float crafty_shelter(CnVoxels *voxels, CnVec3 eye, float water_above);

#endif

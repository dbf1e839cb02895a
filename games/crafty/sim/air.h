/*
 * The air as the renderer sees it: day and weather in one, shown with each tick.
 *
 *     crafty_air_add(world, &error);        // day.h and weather.h, and the system ShowAir of PreExtract
 */
#ifndef CRAFTY_SIM_AIR_H
#define CRAFTY_SIM_AIR_H

#include "day.h"
#include "weather.h"

#include <cairn/voxel/voxels.h>

bool crafty_air_add(CnWorld *world, CnError *error);

/* Metres from the eye to the surface of the water that it is in, wherever that lies: 0 when it is in none. Of very deep
 * water what a light does not come through anyway. */
float crafty_water_above(CnVoxels *voxels, CnVec3 eye);

/* How much hides the sky from an eye with so much water above it: 0 where it lies open or under trees, 1 where none of its
 * light comes. What water takes does not count. */
float crafty_shelter(CnVoxels *voxels, CnVec3 eye, float water_above);

#endif

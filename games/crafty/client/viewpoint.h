/* Where there is something to see: places on dry ground with an open view. The same for the same seed. */
#ifndef CRAFTY_CLIENT_VIEWPOINT_H
#define CRAFTY_CLIENT_VIEWPOINT_H

#include "land.h"
#include "options.h"

/* A place near the origin to begin at: spawn.c. */
CraftyPose crafty_find_spawn(CraftyLand *land);
/* An eye `above` blocks over the ground at (x, z), or over the crowns there. */
CnVec3 crafty_eye_at(CraftyLand *land, int32_t x, int32_t z, float above);
/* The nearest place from there where one stands on the ground, neither in water nor on a crown; without one that place. */
CnVec3 crafty_ground_near(CraftyLand *land, CnVec3 eye);
/* How far one sees from there, in blocks, in the mean of a few rays; 72 at most. */
float crafty_openness(CraftyLand *land, CnVec3 eye, float yaw);
/* Such an eye that looks where the view is widest. */
CraftyPose crafty_viewpoint(CraftyLand *land, int32_t x, int32_t z, float above);
/* The nearest dry place to (x, z) that is well inside of a biome. False: none within `radius` blocks. */
bool crafty_find_biome(CraftyLand *land, CnBiome biome, int32_t x, int32_t z, int32_t radius,
                       CnCell *found);

#endif

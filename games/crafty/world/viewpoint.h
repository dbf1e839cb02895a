/* Viewpoints: positions on dry ground with an open view. They depend only on the seed. */
#ifndef CRAFTY_WORLD_VIEWPOINT_H
#define CRAFTY_WORLD_VIEWPOINT_H

#include "pose.h"
#include "world.h"

/* Returns the start position near the origin (spawn.c). */
CraftyPose crafty_find_spawn(CraftyWorld *world);
/* Returns the position `above` blocks over the ground, or over the tree crowns, at (x, z). */
CnVec3 crafty_eye_at(CraftyWorld *world, int32_t x, int32_t z, float above);
/* Returns the nearest position at which a player can stand on the ground, neither in water nor on a
 * tree; the given position if there is none. */
CnVec3 crafty_ground_near(CraftyWorld *world, CnVec3 eye);
/* Returns the mean length of a few rays from the camera, in blocks; at most 72. */
float crafty_openness(CraftyWorld *world, CnVec3 eye, float yaw);
/* Returns such a position, looking in the direction of the widest view. */
CraftyPose crafty_viewpoint(CraftyWorld *world, int32_t x, int32_t z, float above);
/* Finds the dry position nearest to (x, z) that is well inside a biome. Returns false if there is
 * none within `radius` blocks. */
bool crafty_find_biome(CraftyWorld *world, CnBiome biome, int32_t x, int32_t z, int32_t radius,
                       CnCell *found);

#endif

/*
 * Torches for screenshots of caves, which have none of their own. `--torches N` places them on the
 * floor beside walls, in cells reachable from the camera and hidden from the sky, some blocks
 * apart. The result depends only on the world and the camera.
 */
#ifndef CRAFTY_WORLD_TORCHES_H
#define CRAFTY_WORLD_TORCHES_H

#include <cairn/voxel.h>

#define CRAFTY_MAX_TORCHES 256u

/* Returns the number of torches placed. */
uint32_t crafty_torches_place(CnVoxels *voxels, CnVec3 eye, uint32_t count);

#endif

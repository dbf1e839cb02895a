/*
 * Torches for a picture: caves have none of their own. Those of `--torches N` stand on the floor beside walls, where the
 * way through the air from the eye comes to them and the sky does not, some blocks from each other; the same for the
 * same world and eye.
 */
#ifndef CRAFTY_CLIENT_TORCHES_H
#define CRAFTY_CLIENT_TORCHES_H

#include <cairn/voxel.h>

#define CRAFTY_MAX_TORCHES 256u

/* How many there was room for. */
uint32_t crafty_torches_place(CnVoxels *voxels, CnVec3 eye, uint32_t count);

#endif

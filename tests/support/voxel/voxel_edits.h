/* Random edits with frames in between, and the expected world. */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_EDITS_H
#define CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_EDITS_H

#include "voxel_world.h"

typedef struct VoxelEdits {
    uint32_t count;
    uint32_t workers;
    uint64_t seed;
    uint32_t compared_every; /* edits; 0: only at the end */
    CnChunkPos middle;
} VoxelEdits;

/* Makes edits in the view around the center, some in clusters, some that dig and build along the
 * sky, with frames after 1 to 30 of them. Compares the result with a world that is rebuilt from its
 * edits. */
void check_voxel_edits(const VoxelEdits *edits);

#endif

/* Random edits, with frames in between, and the world that they should come to. */
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

/* Edits in the view around the middle, some of them in clusters, some that dig and build along the
 * sky; frames after 1 to 30 of them. Compares with a world that is made anew from its edits. */
void check_voxel_edits(const VoxelEdits *edits);

#endif

/* Voxel worlds for tests: small views, one-line edits, comparison of two worlds. */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_WORLD_H
#define CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_WORLD_H

#include "cmocka_tests.h"

#include <cairn/base/job.h>
#include <cairn/voxel/voxels.h>

typedef struct VoxelWorld {
    CnGenerator *generator;
    CnJobPool *jobs;
    CnVoxels *world;
} VoxelWorld;

/* 0 workers: no pool. */
VoxelWorld voxel_world_create(CnAllocator *allocator, uint32_t workers, const CnVoxelsHooks *hooks);
void voxel_world_destroy(VoxelWorld *made);

/* A view of radius 1 and height 1 around the chunk. */
CnVoxelsView voxel_view(CnChunkPos middle);
/* Streams it until no work is left. */
void voxel_show(CnVoxels *world, CnChunkPos middle);
bool voxel_set(CnVoxels *world, CnCell cell, CnBlock block);

/* Meshes and light of the chunks of the view that voxel_show gives. */
void assert_same_view(CnVoxels *a, CnVoxels *b, CnChunkPos middle);
/* The chunk of the ground at the origin, and a cell directly above the ground. */
CnChunkPos voxel_ground_chunk(CnVoxels *world);
CnCell voxel_above_ground(CnVoxels *world, int32_t x, int32_t z);

#endif

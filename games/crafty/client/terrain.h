/*
 * The voxel terrain and its path to the screen: generator, voxel world, worker threads and the
 * block view that the renderer draws.
 *
 *     CraftyLand *land = crafty_land_create(&(CraftyLandDesc){.seed = 42}, &error);
 *     CraftyEye eye = {.position = position, .forward = forward, .radius = 8, .height = 4};
 *     crafty_land_stream(land, &eye); // every frame
 *     crafty_land_wait(land, &eye);   // or block until everything around the camera is loaded
 *
 * Use from the simulation thread only. Jobs generate, light and mesh chunks; results go to the
 * block view, from which the render thread takes them. A system that reads or changes blocks
 * declares cn_writes(CraftyBlocks).
 */
#ifndef CRAFTY_CLIENT_TERRAIN_H
#define CRAFTY_CLIENT_TERRAIN_H

#include "climate.h"
#include "frame_times.h"
#include "lamps.h"

#include <cairn/render/blocks.h>
#include <cairn/voxel.h>

typedef struct CraftyLand CraftyLand;

typedef struct CraftyLandDesc {
    CnAllocator *allocator; /* thread-safe; NULL: system allocator */
    uint64_t seed;
    uint32_t workers;                 /* see CnJobPoolDesc */
    uint32_t upload_bytes, max_quads; /* see CnBlockViewDesc */
} CraftyLandDesc;
CraftyLand *crafty_land_create(const CraftyLandDesc *desc, CnError *error);
/* Call after destroying the engine that draws it. */
void crafty_land_destroy(CraftyLand *land);

CnVoxels *crafty_land_voxels(CraftyLand *land);
CnBlockView *crafty_land_view(CraftyLand *land);
CnGenerator *crafty_land_generator(CraftyLand *land);
CraftyLamps *crafty_land_lamps(CraftyLand *land);
/* Returns biome queries for use during frames: unlike the generator, they never wait for jobs. */
CraftyBiomes crafty_land_biomes(CraftyLand *land);
/* Returns work memory for generator queries on the owner's thread, outside of frames or where
 * latency does not matter. */
CnGenerateScratch *crafty_land_scratch(CraftyLand *land);

typedef struct CraftyEye {
    CnVec3 position, forward;
    uint32_t radius, height; /* chunks */
    float far_edge;          /* blocks; 0: no far terrain */
    CnLodDetail far_detail;
    float seconds;           /* since the last frame; scales the budgets */
    CraftyFrameTimes *times; /* receives the times of phases; may be NULL */
} CraftyEye;
/* Starts jobs and applies results. Does not allocate from the heap when nothing changes. */
void crafty_land_stream(CraftyLand *land, const CraftyEye *eye);
/* Does the same with as many jobs as possible, for use while the caller does other long work. */
void crafty_land_load(CraftyLand *land, const CraftyEye *eye);
/* Blocks until all chunks and far tiles are built; they may not have been uploaded yet. */
void crafty_land_wait(CraftyLand *land, const CraftyEye *eye);

typedef struct CraftyLandStats {
    CnVoxelsStats voxels;
    CnBlockViewStats view;
    uint32_t far_tiles, far_missing;
} CraftyLandStats;
CraftyLandStats crafty_land_stats(const CraftyLand *land);
/* Returns whether everything requested by the last crafty_land_stream is loaded. */
bool crafty_land_is_whole(const CraftyLand *land);

#endif

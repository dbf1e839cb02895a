/*
 * The world of blocks and its way onto the screen: generator, blocks, threads of their own, the view that the renderer
 * draws.
 *
 *     CraftyLand *land = crafty_land_create(&(CraftyLandDesc){.seed = 42}, &error);
 *     crafty_land_stream(land, &(CraftyEye){.position = eye, .forward = forward, .radius = 8, .height = 4});   // each frame
 *     crafty_land_wait(land, &eye);                 // or: until everything around the eye is there
 *
 * One thread owns it: that of the ticks. What is generated, lit and meshed comes from jobs and is handed to the view,
 * which the thread that draws empties. A system that reads or changes blocks declares cn_writes(CraftyBlocks).
 */
#ifndef CRAFTY_CLIENT_LAND_H
#define CRAFTY_CLIENT_LAND_H

#include "climate.h"
#include "frame_times.h"
#include "lamps.h"

#include <cairn/render/blocks.h>
#include <cairn/voxel.h>

typedef struct CraftyLand CraftyLand;

typedef struct CraftyLandDesc {
    CnAllocator *allocator; /* thread-safe; NULL: the system's */
    uint64_t seed;
    uint32_t workers;                 /* as of CnJobPoolDesc */
    uint32_t upload_bytes, max_quads; /* as of CnBlockViewDesc */
} CraftyLandDesc;
CraftyLand *crafty_land_create(const CraftyLandDesc *desc, CnError *error);
/* After the engine that draws it. */
void crafty_land_destroy(CraftyLand *land);

CnVoxels *crafty_land_voxels(CraftyLand *land);
CnBlockView *crafty_land_view(CraftyLand *land);
CnGenerator *crafty_land_generator(CraftyLand *land);
CraftyLamps *crafty_land_lamps(CraftyLand *land);
/* For questions about biomes in frames: unlike the generator it never waits for jobs. */
CraftyBiomes crafty_land_biomes(CraftyLand *land);
/* Work memory for questions to the generator on the owner's thread: before frames, or where one may be late. */
CnGenerateScratch *crafty_land_scratch(CraftyLand *land);

typedef struct CraftyEye {
    CnVec3 position, forward;
    uint32_t radius, height; /* chunks */
    float far_edge;          /* blocks; 0: nothing beyond the chunks */
    CnLodDetail far_detail;
    float seconds;           /* since the last frame: after a long one more is begun and taken in */
    CraftyFrameTimes *times; /* where phases of the frame are noted; NULL: nowhere */
} CraftyEye;
/* Begins jobs and takes in what others have done. Makes no heap call where nothing changes. */
void crafty_land_stream(CraftyLand *land, const CraftyEye *eye);
/* The same with as many jobs as there can be, for who does something else meanwhile that takes long. */
void crafty_land_load(CraftyLand *land, const CraftyEye *eye);
/* Until all chunks and far tiles are there (though perhaps not yet on the GPU). */
void crafty_land_wait(CraftyLand *land, const CraftyEye *eye);

typedef struct CraftyLandStats {
    CnVoxelsStats voxels;
    CnBlockViewStats view;
    uint32_t far_tiles, far_missing;
} CraftyLandStats;
CraftyLandStats crafty_land_stats(const CraftyLand *land);
/* Nothing is missing that the last stream asked for. */
bool crafty_land_is_whole(const CraftyLand *land);

#endif

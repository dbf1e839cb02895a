/*
 * Windows of erosion: squares of coarse cells in which droplets run, blended where they overlap.
 */
#ifndef CAIRN_SRC_VOXEL_EROSION_H
#define CAIRN_SRC_VOXEL_EROSION_H

#include "voxel/generator.h"

#define CNI_EROSION_CELL 4 /* blocks */
#define CNI_EROSION_SIZE 128
/* Every place lies in four windows, in each with the more weight the nearer it is to the middle. */
#define CNI_EROSION_STRIDE 64
#define CNI_EROSION_CELLS (CNI_EROSION_SIZE * CNI_EROSION_SIZE)
#define CNI_EROSION_UNIT (1.0f / 512) /* of what a window keeps, in blocks */

typedef struct CniWindowPos {
    int32_t x, z; /* of a window: its first cell is this times the stride */
} CniWindowPos;

/* What droplets of a window add to its heights, in units: a function of the seed, the position and
 * the heights before (which become those after). */
void cni_erosion_run(uint64_t seed, CniWindowPos position, float heights[CNI_EROSION_CELLS],
                     int16_t change[CNI_EROSION_CELLS]);

#endif

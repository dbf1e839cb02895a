/*
 * Erosion windows: squares of coarse cells in which droplets are simulated, blended where they
 * overlap.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_EROSION_H
#define CAIRN_SRC_VOXEL_GENERATE_EROSION_H

#include "voxel/generate/generator.h"

#define CNI_VOXEL_EROSION_CELL 4 /* blocks */
#define CNI_VOXEL_EROSION_SIZE 128
/* Every position lies in four windows; the weight of a window grows towards its center. */
#define CNI_VOXEL_EROSION_STRIDE 64
#define CNI_VOXEL_EROSION_CELLS (CNI_VOXEL_EROSION_SIZE * CNI_VOXEL_EROSION_SIZE)
#define CNI_VOXEL_EROSION_UNIT (1.0f / 512) /* unit of the stored changes, in blocks */

typedef struct CniVoxelWindowPos {
    int32_t x, z; /* window coordinates; the first cell is at this times the stride */
} CniVoxelWindowPos;

/* Computes the change of heights by the droplets of a window, in units: a pure function of the
 * seed, the position and the initial heights, which are replaced by the eroded ones. */
void cni_voxel_erosion_run(uint64_t seed, CniVoxelWindowPos position,
                           float heights[CNI_VOXEL_EROSION_CELLS],
                           int16_t change[CNI_VOXEL_EROSION_CELLS]);

#endif

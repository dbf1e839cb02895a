/*
 * Memory of a GPU that somebody else has: of the null backend, whose size is fixed.
 *
 *     GpuMemoryHog hog = {.gpu = gpu};
 *     gpu_memory_hog_take_all(&hog);
 *     ...                                   // whatever is made now finds no memory
 *     gpu_memory_hog_give_back(&hog, 3);           // the smallest parts
 *     gpu_memory_hog_give_back(&hog, UINT32_MAX);  // all of it: before the GPU goes
 */
#ifndef CAIRN_TESTS_SUPPORT_GPU_GPU_MEMORY_HOG_H
#define CAIRN_TESTS_SUPPORT_GPU_GPU_MEMORY_HOG_H

#include "gpu_device.h"

#define GPU_HOG_MOST_PARTS 64u

typedef struct GpuMemoryHog {
    CnGpu *gpu;
    CnGpuBuffer parts[GPU_HOG_MOST_PARTS];
    uint32_t count;
} GpuMemoryHog;

void gpu_memory_hog_take_all(GpuMemoryHog *hog);
void gpu_memory_hog_give_back(GpuMemoryHog *hog, uint32_t parts);

#endif

/*
 * Memory of a GPU that somebody else has: of the null backend, whose size is fixed.
 *
 *     GpuMemoryFiller filler = {.gpu = gpu};
 *     gpu_memory_filler_take_all(&filler);
 *     ...                                   // whatever is made now finds no memory
 *     gpu_memory_filler_give_back(&filler, 3);           // the smallest parts
 *     gpu_memory_filler_give_back(&filler, UINT32_MAX);  // all of it: before the GPU goes
 */
#ifndef CAIRN_TESTS_SUPPORT_GPU_GPU_MEMORY_FILLER_H
#define CAIRN_TESTS_SUPPORT_GPU_GPU_MEMORY_FILLER_H

#include "gpu_device.h"

#define GPU_FILLER_MAX_PARTS 64u

typedef struct GpuMemoryFiller {
    CnGpu *gpu;
    CnGpuBuffer parts[GPU_FILLER_MAX_PARTS];
    uint32_t count;
} GpuMemoryFiller;

void gpu_memory_filler_take_all(GpuMemoryFiller *filler);
void gpu_memory_filler_give_back(GpuMemoryFiller *filler, uint32_t parts);

#endif

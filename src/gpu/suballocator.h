/*
 * Ranges of one memory block: a list of segments in order of their offsets, used or free; adjacent
 * free segments are merged. Allocation takes the smallest free segment that fits. Independent of
 * what the memory is used for.
 */
#ifndef CAIRN_SRC_GPU_SUBALLOCATOR_H
#define CAIRN_SRC_GPU_SUBALLOCATOR_H

#include <cairn/base/array.h>

#define CNI_GPU_NO_SEGMENT UINT32_MAX

typedef struct CniGpuSegment {
    uint64_t offset, size;
    uint32_t before, after; /* by offset */
    uint32_t free_before,
        free_after; /* among the free ones; of unused entries, free_after is the list */
    bool is_free;
} CniGpuSegment;

typedef struct CniGpuSuballocator {
    CN_ARRAY(CniGpuSegment) items;
    uint32_t first_free;  /* segment */
    uint32_t first_spare; /* entry of `items` that is no segment */
    uint32_t used;        /* segments */
} CniGpuSuballocator;

/* Returns false when out of memory. */
bool cni_gpu_suballocator_init(CniGpuSuballocator *segments, CnAllocator *allocator, uint64_t size);
void cni_gpu_suballocator_fini(CniGpuSuballocator *segments);
/* Returns a segment, or CNI_GPU_NO_SEGMENT when nothing fits or memory runs out. `alignment` is a
 * power of two. */
uint32_t cni_gpu_suballocator_alloc(CniGpuSuballocator *segments, uint64_t size,
                                    uint64_t alignment);
void cni_gpu_suballocator_free(CniGpuSuballocator *segments, uint32_t segment);

#endif

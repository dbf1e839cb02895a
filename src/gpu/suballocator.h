/*
 * Ranges of one memory block: a list of segments in order of their offsets, used or free; adjacent
 * free segments are merged. Allocation takes the smallest free segment that fits. Independent of
 * what the memory is used for.
 */
#ifndef CAIRN_SRC_GPU_SUBALLOCATOR_H
#define CAIRN_SRC_GPU_SUBALLOCATOR_H

#include <cairn/base/array.h>

#define CNI_NO_SEGMENT UINT32_MAX

typedef struct CniSegment {
    uint64_t offset, size;
    uint32_t before, after; /* by offset */
    uint32_t free_before,
        free_after; /* among the free ones; of unused entries, free_after is the list */
    bool is_free;
} CniSegment;

typedef struct CniSegments {
    CN_ARRAY(CniSegment) items;
    uint32_t first_free;  /* segment */
    uint32_t first_spare; /* entry of `items` that is no segment */
    uint32_t used;        /* segments */
} CniSegments;

/* Returns false when out of memory. */
bool cni_segments_init(CniSegments *segments, CnAllocator *allocator, uint64_t size);
void cni_segments_fini(CniSegments *segments);
/* Returns a segment, or CNI_NO_SEGMENT when nothing fits or memory runs out. `alignment` is a power
 * of two. */
uint32_t cni_segments_take(CniSegments *segments, uint64_t size, uint64_t alignment);
void cni_segments_give(CniSegments *segments, uint32_t segment);

#endif

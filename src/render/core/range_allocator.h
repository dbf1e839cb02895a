/* A first-fit range allocator for one large buffer, which may grow; adjacent free ranges are
 * merged. */
#ifndef CAIRN_SRC_RENDER_CORE_RANGE_ALLOCATOR_H
#define CAIRN_SRC_RENDER_CORE_RANGE_ALLOCATOR_H

#include <cairn/base/array.h>

#define CNI_RENDER_NO_RANGE UINT32_MAX

typedef struct CniRenderRange {
    uint32_t first, count;
} CniRenderRange;

typedef struct CniRenderRangeAllocator {
    CN_ARRAY(CniRenderRange) free; /* sorted by offset, never adjacent */
    uint32_t allocated; /* allocated ranges; memory for freeing all of them is reserved */
    uint64_t used;
} CniRenderRangeAllocator;

/* `count` may be 0, which allocates nothing. Returns false if out of memory. */
bool cni_render_ranges_init(CniRenderRangeAllocator *ranges, CnAllocator *allocator,
                            uint32_t count);
void cni_render_ranges_fini(CniRenderRangeAllocator *ranges);
/* Adds a free range behind all others, for a buffer that has grown. Returns false if out of
 * memory. */
bool cni_render_ranges_append(CniRenderRangeAllocator *ranges, uint32_t first, uint32_t count);
/* Reserves memory so that the next cni_render_ranges_append and cni_render_ranges_alloc cannot run
 * out of it. */
bool cni_render_ranges_reserve(CniRenderRangeAllocator *ranges);
/* Returns CNI_RENDER_NO_RANGE if there is no free range of this length or no memory. */
uint32_t cni_render_ranges_alloc(CniRenderRangeAllocator *ranges, uint32_t count);
void cni_render_ranges_free(CniRenderRangeAllocator *ranges, uint32_t first, uint32_t count);

#endif

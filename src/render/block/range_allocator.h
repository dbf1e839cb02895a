/* A first-fit range allocator for one large buffer; adjacent free ranges are merged. */
#ifndef CAIRN_SRC_RENDER_BLOCK_RANGE_ALLOCATOR_H
#define CAIRN_SRC_RENDER_BLOCK_RANGE_ALLOCATOR_H

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

/* Returns false if out of memory. */
bool cni_render_ranges_init(CniRenderRangeAllocator *ranges, CnAllocator *allocator,
                            uint32_t count);
void cni_render_ranges_fini(CniRenderRangeAllocator *ranges);
/* Returns CNI_RENDER_NO_RANGE if there is no free range of this length. */
uint32_t cni_render_ranges_alloc(CniRenderRangeAllocator *ranges, uint32_t count);
void cni_render_ranges_free(CniRenderRangeAllocator *ranges, uint32_t first, uint32_t count);

#endif

/* A first-fit range allocator for one large buffer; adjacent free ranges are merged. */
#ifndef CAIRN_SRC_RENDER_BLOCK_RANGE_ALLOCATOR_H
#define CAIRN_SRC_RENDER_BLOCK_RANGE_ALLOCATOR_H

#include <cairn/base/array.h>

#define CNI_NO_RANGE UINT32_MAX

typedef struct CniBlockRange {
    uint32_t first, count;
} CniBlockRange;

typedef struct CniBlockRanges {
    CN_ARRAY(CniBlockRange) free; /* sorted by offset, never adjacent */
    uint32_t taken;               /* allocated ranges; memory for freeing all of them is reserved */
    uint64_t used;
} CniBlockRanges;

/* Returns false if out of memory. */
bool cni_block_ranges_init(CniBlockRanges *ranges, CnAllocator *allocator, uint32_t count);
void cni_block_ranges_fini(CniBlockRanges *ranges);
/* Returns CNI_NO_RANGE if there is no free range of this length. */
uint32_t cni_block_ranges_take(CniBlockRanges *ranges, uint32_t count);
void cni_block_ranges_give_back(CniBlockRanges *ranges, uint32_t first, uint32_t count);

#endif

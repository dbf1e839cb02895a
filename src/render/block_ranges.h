/* Parts of one large buffer, given out and taken back: the first that fits, neighbours joined. */
#ifndef CAIRN_SRC_RENDER_BLOCK_RANGES_H
#define CAIRN_SRC_RENDER_BLOCK_RANGES_H

#include <cairn/base/array.h>

#define CNI_NO_RANGE UINT32_MAX

typedef struct CniBlockRange {
    uint32_t first, count;
} CniBlockRange;

typedef struct CniBlockRanges {
    CN_ARRAY(CniBlockRange) free; /* by place, never adjacent */
    uint32_t taken;               /* parts given out: giving them back needs no memory */
    uint64_t used;
} CniBlockRanges;

/* False: out of memory. */
bool cni_block_ranges_init(CniBlockRanges *ranges, CnAllocator *allocator, uint32_t count);
void cni_block_ranges_fini(CniBlockRanges *ranges);
/* CNI_NO_RANGE: there is none of this length. */
uint32_t cni_block_ranges_take(CniBlockRanges *ranges, uint32_t count);
void cni_block_ranges_give_back(CniBlockRanges *ranges, uint32_t first, uint32_t count);

#endif

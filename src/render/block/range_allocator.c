#include "render/block/range_allocator.h"

#include <cairn/base/assert.h>

#include <string.h>

bool cni_block_ranges_init(CniBlockRanges *ranges, CnAllocator *allocator, uint32_t count)
{
    *ranges = (CniBlockRanges){0};
    cn_array_init(&ranges->free, allocator);
    CniBlockRange all = {0, count};
    return cn_array_push(&ranges->free, all);
}

void cni_block_ranges_fini(CniBlockRanges *ranges)
{
    cn_array_fini(&ranges->free);
}

static void remove_at(CniBlockRanges *ranges, uint32_t at)
{
    CniBlockRange *items = ranges->free.items;
    memmove(items + at, items + at + 1, (ranges->free.count - at - 1) * sizeof *items);
    ranges->free.count--;
}

uint32_t cni_block_ranges_take(CniBlockRanges *ranges, uint32_t count)
{
    /* Every allocated range may add one free range when it is released. */
    if (!cn_array_reserve(&ranges->free, (uint64_t)ranges->taken + 2))
        return CNI_NO_RANGE;
    for (uint32_t i = 0; i < ranges->free.count; i++) {
        CniBlockRange *range = &ranges->free.items[i];
        if (range->count < count)
            continue;
        uint32_t first = range->first;
        range->first += count;
        range->count -= count;
        if (!range->count)
            remove_at(ranges, i);
        ranges->taken++;
        ranges->used += count;
        return first;
    }
    return CNI_NO_RANGE;
}

/* Finds the first free range after `place`. */
static uint32_t find_behind(const CniBlockRanges *ranges, uint32_t place)
{
    uint32_t low = 0, high = ranges->free.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (ranges->free.items[middle].first < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cni_block_ranges_give_back(CniBlockRanges *ranges, uint32_t first, uint32_t count)
{
    uint32_t at = find_behind(ranges, first);
    CniBlockRange *items = ranges->free.items;
    CniBlockRange *before = at > 0 ? &items[at - 1] : NULL;
    CniBlockRange *after = at < ranges->free.count ? &items[at] : NULL;
    bool joins_before = before && before->first + before->count == first;
    bool joins_after = after && first + count == after->first;
    ranges->taken--;
    ranges->used -= count;
    if (joins_before) {
        before->count += count + (joins_after ? after->count : 0);
        if (joins_after)
            remove_at(ranges, at);
    } else if (joins_after) {
        after->first = first;
        after->count += count;
    } else {
        CN_ASSERT(ranges->free.count < ranges->free.capacity, "the list of ranges is full");
        memmove(items + at + 1, items + at, (ranges->free.count - at) * sizeof *items);
        items[at] = (CniBlockRange){first, count};
        ranges->free.count++;
    }
}

#include "render/core/range_allocator.h"

#include <cairn/base/assert.h>

#include <string.h>

bool cni_render_ranges_init(CniRenderRangeAllocator *ranges, CnAllocator *allocator, uint32_t count)
{
    *ranges = (CniRenderRangeAllocator){0};
    cn_array_init(&ranges->free, allocator);
    return cni_render_ranges_append(ranges, 0, count);
}

void cni_render_ranges_fini(CniRenderRangeAllocator *ranges)
{
    cn_array_fini(&ranges->free);
}

static void remove_at(CniRenderRangeAllocator *ranges, uint32_t at)
{
    CniRenderRange *items = ranges->free.items;
    memmove(items + at, items + at + 1, (ranges->free.count - at - 1) * sizeof *items);
    ranges->free.count--;
}

/* Every allocated range may add one free range when it is released. */
bool cni_render_ranges_reserve(CniRenderRangeAllocator *ranges)
{
    return cn_array_reserve(&ranges->free, (uint64_t)ranges->allocated + 2);
}

bool cni_render_ranges_append(CniRenderRangeAllocator *ranges, uint32_t first, uint32_t count)
{
    CniRenderRange *last = ranges->free.count ? &ranges->free.items[ranges->free.count - 1] : NULL;
    CniRenderRange range = {first, count};
    if (!last || last->first + last->count != first)
        return !count || cn_array_push(&ranges->free, range);
    last->count += count;
    return true;
}

uint32_t cni_render_ranges_alloc(CniRenderRangeAllocator *ranges, uint32_t count)
{
    CN_ASSERT(count, "an empty range is allocated");
    if (!cni_render_ranges_reserve(ranges))
        return CNI_RENDER_NO_RANGE;
    for (uint32_t i = 0; i < ranges->free.count; i++) {
        CniRenderRange *range = &ranges->free.items[i];
        if (range->count < count)
            continue;
        uint32_t first = range->first;
        range->first += count;
        range->count -= count;
        if (!range->count)
            remove_at(ranges, i);
        ranges->allocated++;
        ranges->used += count;
        return first;
    }
    return CNI_RENDER_NO_RANGE;
}

/* Finds the first free range after `offset`. */
static uint32_t find_behind(const CniRenderRangeAllocator *ranges, uint32_t offset)
{
    uint32_t low = 0, high = ranges->free.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (ranges->free.items[middle].first < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cni_render_ranges_free(CniRenderRangeAllocator *ranges, uint32_t first, uint32_t count)
{
    CN_ASSERT(count && ranges->allocated && ranges->used >= count,
              "%u items from %u are not in use", count, first);
    uint32_t at = find_behind(ranges, first);
    CniRenderRange *items = ranges->free.items;
    CniRenderRange *before = at > 0 ? &items[at - 1] : NULL;
    CniRenderRange *after = at < ranges->free.count ? &items[at] : NULL;
    CN_ASSERT(!before || before->first + before->count <= first, "range %u is freed twice", first);
    CN_ASSERT(!after || first + count <= after->first, "range %u is freed twice", first);
    bool joins_before = before && before->first + before->count == first;
    bool joins_after = after && first + count == after->first;
    ranges->allocated--;
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
        items[at] = (CniRenderRange){first, count};
        ranges->free.count++;
    }
}

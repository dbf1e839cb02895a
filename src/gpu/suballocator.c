#include "gpu/suballocator.h"

#include <cairn/base/assert.h>

#define NONE CNI_GPU_NO_SEGMENT

static void link_free(CniGpuSuballocator *segments, uint32_t index)
{
    CniGpuSegment *segment = &segments->items.items[index];
    CN_ASSERT(index < segments->items.count && !segment->is_free, "segment %u is free", index);
    segment->is_free = true;
    segment->free_before = NONE;
    segment->free_after = segments->first_free;
    if (segments->first_free != NONE)
        segments->items.items[segments->first_free].free_before = index;
    segments->first_free = index;
}

static void unlink_free(CniGpuSuballocator *segments, uint32_t index)
{
    CniGpuSegment *all = segments->items.items, *segment = &all[index];
    CN_ASSERT(segment->is_free, "segment %u is in use", index);
    CN_ASSERT(segment->free_before == NONE ? segments->first_free == index
                                           : all[segment->free_before].free_after == index,
              "the list of free segments is damaged at %u", index);
    if (segment->free_before != NONE)
        all[segment->free_before].free_after = segment->free_after;
    else
        segments->first_free = segment->free_after;
    if (segment->free_after != NONE)
        all[segment->free_after].free_before = segment->free_before;
    segment->is_free = false;
}

/* The caller has reserved room. */
static uint32_t new_segment(CniGpuSuballocator *segments)
{
    CN_ASSERT(segments->first_spare != NONE || segments->items.count < segments->items.capacity,
              "no room was reserved for a segment");
    if (segments->first_spare == NONE)
        return segments->items.count++;
    uint32_t index = segments->first_spare;
    segments->first_spare = segments->items.items[index].free_after;
    return index;
}

bool cni_gpu_suballocator_init(CniGpuSuballocator *segments, CnAllocator *allocator, uint64_t size)
{
    cn_array_init(&segments->items, allocator);
    segments->first_free = segments->first_spare = NONE;
    segments->used = 0;
    if (!cn_array_reserve(&segments->items, 16))
        return false;
    uint32_t whole = new_segment(segments);
    segments->items.items[whole] = (CniGpuSegment){.size = size, .before = NONE, .after = NONE};
    link_free(segments, whole);
    return true;
}

void cni_gpu_suballocator_fini(CniGpuSuballocator *segments)
{
    cn_array_fini(&segments->items);
}

/* Turns the rest of `index` from `size` on into a free segment behind it. */
static void split(CniGpuSuballocator *segments, uint32_t index, uint64_t size)
{
    uint32_t rest = new_segment(segments);
    CniGpuSegment *all = segments->items.items, *segment = &all[index];
    CN_ASSERT(size && size < segment->size, "a segment of %llu bytes is split at %llu",
              (unsigned long long)segment->size, (unsigned long long)size);
    all[rest] = (CniGpuSegment){.offset = segment->offset + size,
                                .size = segment->size - size,
                                .before = index,
                                .after = segment->after};
    if (segment->after != NONE)
        all[segment->after].before = rest;
    segment->after = rest;
    segment->size = size;
    link_free(segments, rest);
}

static uint64_t padding(uint64_t offset, uint64_t alignment)
{
    return (alignment - (offset & (alignment - 1))) & (alignment - 1);
}

uint32_t cni_gpu_suballocator_alloc(CniGpuSuballocator *segments, uint64_t size, uint64_t alignment)
{
    CN_ASSERT(size && alignment && !(alignment & (alignment - 1)),
              "the size must not be 0, and the alignment must be a power of two");
    if (!cn_array_reserve(&segments->items, (uint64_t)segments->items.count + 2))
        return NONE;
    CniGpuSegment *all = segments->items.items;
    uint32_t best = NONE;
    for (uint32_t i = segments->first_free; i != NONE; i = all[i].free_after) {
        bool fits = all[i].size >= size && all[i].size - size >= padding(all[i].offset, alignment);
        if (fits && (best == NONE || all[i].size < all[best].size))
            best = i;
    }
    if (best == NONE)
        return NONE;
    uint64_t gap = padding(all[best].offset, alignment);
    if (gap) {
        split(segments, best, gap);
        best = all[best].after;
    }
    unlink_free(segments, best);
    if (all[best].size > size)
        split(segments, best, size);
    segments->used++;
    CN_ASSERT(all[best].size == size && !(all[best].offset & (alignment - 1)) && !all[best].is_free,
              "segment %u does not fit its request", best);
    return best;
}

/* Merges `index` with the free segment behind it. */
static void merge_next(CniGpuSuballocator *segments, uint32_t index)
{
    CniGpuSegment *all = segments->items.items;
    uint32_t next = all[index].after;
    if (next == NONE || !all[next].is_free)
        return;
    CN_ASSERT(all[next].before == index && all[next].offset == all[index].offset + all[index].size,
              "segments %u and %u are not neighbors", index, next);
    unlink_free(segments, next);
    all[index].size += all[next].size;
    all[index].after = all[next].after;
    if (all[next].after != NONE)
        all[all[next].after].before = index;
    all[next].free_after = segments->first_spare;
    segments->first_spare = next;
}

void cni_gpu_suballocator_free(CniGpuSuballocator *segments, uint32_t index)
{
    CniGpuSegment *all = segments->items.items;
    CN_ASSERT(index < segments->items.count && !all[index].is_free, "the segment is not in use");
    CN_ASSERT(segments->used, "more segments are freed than allocated");
    segments->used--;
    merge_next(segments, index);
    link_free(segments, index);
    uint32_t before = all[index].before;
    if (before != NONE && all[before].is_free)
        merge_next(segments, before);
}

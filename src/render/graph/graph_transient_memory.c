/* Memory of transient resources: their placement in heaps, and the textures and buffers created
 * there. */
#include "render/graph/graph_internal.h"

#include <assert.h>
#include <string.h>

#define HEAP_STEP (1ull << 20)
#define BIG_HEAP (64ull << 20)
#define BIG_HEAP_PART 16u /* a heap may have this fraction of a frame's memory, if that is more */
#define MAX_CACHED_NEEDS 4096u

/* ---- Occupied ranges of the heap ---- */

uint32_t cni_render_graph_heap_ranges_find(const CniRenderGraphHeapRanges *heap_ranges,
                                           uint64_t offset, uint64_t end)
{
    uint32_t accesses = CNI_RENDER_GRAPH_ACCESS_BIT(
        CN_GPU_ACCESS_NONE); /* no access, as opposed to an unknown one */
    for (uint32_t i = 0; i < heap_ranges->count && heap_ranges->items[i].offset < end; i++) {
        if (heap_ranges->items[i].end > offset)
            accesses |= heap_ranges->items[i].accesses | heap_ranges->items[i].before;
    }
    return accesses;
}

void cni_tenants_remove(CniRenderGraphHeapRanges *heap_ranges, uint64_t offset, uint64_t end)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < heap_ranges->count; i++) {
        if (heap_ranges->items[i].offset < offset || heap_ranges->items[i].offset >= end)
            heap_ranges->items[count++] = heap_ranges->items[i];
    }
    heap_ranges->count = count;
}

bool cni_render_graph_heap_ranges_set(CniRenderGraphHeapRanges *heap_ranges,
                                      const CniRenderGraphHeapRange *heap_range)
{
    if (!cn_array_reserve(heap_ranges, heap_ranges->count + 2u))
        return false;
    CniRenderGraphHeapRange *items = heap_ranges->items;
    uint32_t first = 0, after;
    while (first < heap_ranges->count && items[first].end <= heap_range->offset)
        first++;
    for (after = first; after < heap_ranges->count && items[after].offset < heap_range->end;)
        after++;
    /* Ranges from `first` to `after` are replaced; parts of the outer two may remain. */
    CniRenderGraphHeapRange left[3];
    uint32_t count = 0;
    if (after > first && items[first].offset < heap_range->offset) {
        left[count] = items[first];
        left[count++].end = heap_range->offset;
    }
    left[count++] = *heap_range;
    if (after > first && items[after - 1].end > heap_range->end) {
        left[count] = items[after - 1];
        left[count++].offset = heap_range->end;
    }
    memmove(&items[first + count], &items[after], (heap_ranges->count - after) * sizeof *items);
    memcpy(&items[first], left, count * sizeof *items);
    heap_ranges->count += count - (after - first);
    return true;
}

/* ---- Memory requirements ---- */

static uint64_t key_of(const CniRenderGraphResource *resource)
{
    return resource->is_texture ? cni_render_graph_texture_key(&resource->texture_desc)
                                : cni_render_graph_buffer_key(&resource->buffer_desc);
}

/* Finds the memory requirements of a transient with the usages of its passes. Cached, because
 * querying the device is slow. */
static bool find_need(CnGraph *graph, CniRenderGraphResource *resource, CnError *error)
{
    resource->texture_desc.usage |= resource->is_texture ? resource->usage : 0;
    resource->buffer_desc.usage |= resource->is_texture ? 0 : resource->usage;
    resource->key = key_of(resource);
    const CnGpuMemoryRequirements *known = cn_hash_map_get(&graph->needs, resource->key);
    if (known) {
        resource->need = *known;
        return true;
    }
    CnGpuMemoryRequirements need =
        resource->is_texture
            ? cn_gpu_texture_memory_requirements(graph->gpu, &resource->texture_desc)
            : cn_gpu_buffer_memory_requirements(graph->gpu, &resource->buffer_desc);
    if (!need.size)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the device does not support the %s %s",
                            resource->is_texture ? "texture" : "buffer", resource->name);
    if (graph->needs.count == MAX_CACHED_NEEDS)
        cn_hash_map_clear(&graph->needs);
    if (!cn_hash_map_set(&graph->needs, resource->key, &need))
        return cn_error_memory(error, "%s", resource->name);
    resource->need = need;
    return true;
}

/* ---- Placement ---- */

/* Collects live transients in graph->stack, the largest first; among equal ones, the first
 * declared. */
static bool sort_by_size(CnGraph *graph, CnError *error)
{
    CnU32Array *sorted = &graph->stack;
    cn_array_clear(sorted);
    if (!cn_array_reserve(sorted, graph->resources.count) ||
        !cn_array_reserve(&graph->placed, graph->resources.count))
        return cn_error_memory(error, "placing %u resources", graph->resources.count);
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        CniRenderGraphResource *resource = &graph->resources.items[i];
        if (!resource->is_live || resource->origin != CN_GRAPH_TRANSIENT)
            continue;
        if (!find_need(graph, resource, error))
            return false;
        uint32_t at = sorted->count++;
        for (; at > 0; at--) {
            if (graph->resources.items[sorted->items[at - 1]].need.size >= resource->need.size)
                break;
            sorted->items[at] = sorted->items[at - 1];
        }
        sorted->items[at] = i;
    }
    return true;
}

static uint64_t align_up(uint64_t value, uint64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static uint64_t heaps_end(const CnGraph *graph)
{
    return graph->heap_count ? graph->heaps[graph->heap_count - 1].end : 0;
}

/* Returns the lowest offset from `offset` on at which one heap has room, or an offset behind all
 * heaps. */
static uint64_t inside_one_heap(const CnGraph *graph, uint64_t offset, uint64_t size)
{
    for (uint32_t i = 0; i < graph->heap_count; i++) {
        const CniRenderGraphHeap *heap = &graph->heaps[i];
        offset = offset < heap->begin ? heap->begin : offset;
        if (offset + size <= heap->end)
            return offset;
    }
    return offset < heaps_end(graph) ? heaps_end(graph) : offset;
}

/* Returns the lowest offset that does not overlap with resources that are alive at the same
 * time. */
static uint64_t find_place(const CnGraph *graph, const CniRenderGraphResource *resource)
{
    uint64_t offset = inside_one_heap(graph, 0, resource->need.size);
    for (uint32_t i = 0; i < graph->placed.count; i++) {
        const CniRenderGraphResource *other = &graph->resources.items[graph->placed.items[i]];
        if (!graph->no_aliasing && (other->last < resource->first || resource->last < other->first))
            continue;
        if (other->offset >= offset + resource->need.size)
            break;
        uint64_t end = other->offset + other->need.size;
        if (end > offset)
            offset = inside_one_heap(graph, align_up(end, resource->need.alignment),
                                     resource->need.size);
    }
    return offset;
}

/* Places all transients and sorts graph->placed by offset. Returns the number of bytes needed. */
static uint64_t place_all(CnGraph *graph)
{
    uint64_t bytes = 0;
    cn_array_clear(&graph->placed);
    graph->stats.transient_bytes = 0;
    for (uint32_t i = 0; i < graph->stack.count; i++) {
        uint32_t index = graph->stack.items[i], at = graph->placed.count++;
        CniRenderGraphResource *resource = &graph->resources.items[index];
        graph->placed.count--;
        resource->offset = find_place(graph, resource);
        graph->placed.count++;
        for (; at > 0; at--) {
            if (graph->resources.items[graph->placed.items[at - 1]].offset <= resource->offset)
                break;
            graph->placed.items[at] = graph->placed.items[at - 1];
        }
        graph->placed.items[at] = index;
        uint64_t end = resource->offset + resource->need.size;
        bytes = end > bytes ? end : bytes;
        graph->stats.transient_bytes += resource->need.size;
    }
    return bytes;
}

/* ---- Heaps and their resources ---- */

static void destroy_physical(CnGraph *graph, const CniRenderGraphPhysical *physical)
{
    if (physical->texture.id)
        cn_gpu_texture_destroy(graph->gpu, physical->texture);
    else
        cn_gpu_buffer_destroy(graph->gpu, physical->buffer);
    graph->stats.freed++;
}

static void destroy_heap(CnGraph *graph, uint32_t index)
{
    CniRenderGraphHeap *heap = &graph->heaps[index];
    cni_tenants_remove(&graph->heap_ranges, heap->begin, heap->end);
    cn_gpu_heap_destroy(graph->gpu, heap->heap);
    graph->heap_bytes -= heap->end - heap->begin;
    graph->heap_count--;
    memmove(heap, heap + 1, (graph->heap_count - index) * sizeof *heap);
    graph->stats.freed++;
}

static void destroy_heaps(CnGraph *graph)
{
    for (uint32_t i = 0; i < graph->physicals.count; i++)
        destroy_physical(graph, &graph->physicals.items[i]);
    cn_array_clear(&graph->physicals);
    while (graph->heap_count)
        destroy_heap(graph, graph->heap_count - 1);
}

/* Returns the size of a new heap if the placed transients end at `top` and the largest one behind
 * all heaps has `largest` bytes. The size is half of the existing memory, which limits the number
 * of heaps, but at most BIG_HEAP, because drivers take about a millisecond to allocate or free 64
 * MiB. The last heap that can be added has room for everything. */
static uint64_t size_of_heap(const CnGraph *graph, uint64_t top, uint64_t largest)
{
    uint64_t missing = top - heaps_end(graph), size = graph->heap_bytes / 2;
    uint64_t limit = top / BIG_HEAP_PART > BIG_HEAP ? top / BIG_HEAP_PART : BIG_HEAP;
    size = missing > size ? missing : size;
    if (graph->heap_count + 1 < CNI_RENDER_GRAPH_MAX_HEAPS)
        size = size > limit ? limit : size;
    size = largest > size ? largest : size;
    return align_up(size, HEAP_STEP);
}

/* Adds a heap behind the others. If it is large enough, everything that was placed behind all heaps
 * fits into it: placing again yields the same offsets. */
static bool add_heap(CnGraph *graph, uint64_t size, CnError *error)
{
    uint64_t begin = heaps_end(graph);
    CniRenderGraphHeap added = {.begin = begin, .end = begin + size, .frame = graph->frame};
    added.heap =
        cn_gpu_heap_create(graph->gpu, &(CnGpuHeapDesc){.size = size, .name = "transients"}, error);
    if (!added.heap.id)
        return false;
    graph->heaps[graph->heap_count++] = added;
    graph->heap_bytes += size;
    graph->stats.created++;
    return true;
}

/* Returns the size of the largest transient behind all heaps. */
static uint64_t find_largest_missing(const CnGraph *graph)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < graph->placed.count; i++) {
        const CniRenderGraphResource *resource = &graph->resources.items[graph->placed.items[i]];
        if (resource->offset >= heaps_end(graph) && resource->need.size > largest)
            largest = resource->need.size;
    }
    return largest;
}

/* Places all transients and adds the heaps that they need. If there are too many heaps, all are
 * recreated. */
static bool place_in_heaps(CnGraph *graph, CnError *error)
{
    uint64_t top = place_all(graph);
    while (top > heaps_end(graph)) {
        if (graph->heap_count == CNI_RENDER_GRAPH_MAX_HEAPS) {
            destroy_heaps(graph);
            top = place_all(graph);
        }
        uint64_t size = size_of_heap(graph, top, find_largest_missing(graph));
        if (!add_heap(graph, size, error))
            return false;
        top = place_all(graph);
    }
    graph->stats.placed_bytes = top;
    return true;
}

static CniRenderGraphHeap *heap_at(CnGraph *graph, uint64_t offset)
{
    uint32_t i = 0;
    while (offset >= graph->heaps[i].end)
        i++;
    return &graph->heaps[i];
}

static CniRenderGraphPhysical *find_physical(CnGraph *graph, uint64_t key)
{
    /* An unchanged graph requests resources in the same order, and one resource several times in a
     * row. */
    for (uint32_t i = 0; i < graph->physicals.count; i++) {
        uint32_t at = graph->physical_hint + i;
        at = at < graph->physicals.count ? at : at - graph->physicals.count;
        if (graph->physicals.items[at].key != key)
            continue;
        graph->physical_hint = at;
        return &graph->physicals.items[at];
    }
    return NULL;
}

static bool make_physical(CnGraph *graph, CniRenderGraphResource *resource, CnError *error)
{
    const uint64_t parts[] = {resource->key, resource->offset,
                              cn_hash_bytes(resource->name, strlen(resource->name), 0)};
    uint64_t key = cn_hash_bytes(parts, sizeof parts, 0);
    CniRenderGraphPhysical *physical = find_physical(graph, key);
    CniRenderGraphHeap *heap = heap_at(graph, resource->offset);
    if (!physical) {
        CniRenderGraphPhysical made = {.key = key};
        if (!cn_array_reserve(&graph->physicals, graph->physicals.count + 1u))
            return cn_error_memory(error, "%s", resource->name);
        uint64_t offset = resource->offset - heap->begin;
        if (resource->is_texture)
            made.texture = cn_gpu_texture_create_in(graph->gpu, &resource->texture_desc, heap->heap,
                                                    offset, error);
        else
            made.buffer = cn_gpu_buffer_create_in(graph->gpu, &resource->buffer_desc, heap->heap,
                                                  offset, error);
        if (!made.texture.id && !made.buffer.id)
            return false;
        graph->stats.created++;
        graph->physicals.items[graph->physicals.count++] = made;
        physical = &graph->physicals.items[graph->physicals.count - 1];
    }
    physical->frame = heap->frame = graph->frame;
    resource->texture = physical->texture;
    resource->buffer = physical->buffer;
    return true;
}

bool cni_render_graph_place(CnGraph *graph, CnError *error)
{
    if (!sort_by_size(graph, error) || !place_in_heaps(graph, error))
        return false;
    graph->stats.heap_bytes = graph->heap_bytes;
    graph->physical_hint = 0;
    for (uint32_t i = 0; i < graph->placed.count; i++) {
        if (!make_physical(graph, &graph->resources.items[graph->placed.items[i]], error))
            return false;
    }
    return true;
}

/* At most one heap per frame: freeing takes drivers as long as allocating. */
static void free_unused_heap(CnGraph *graph)
{
    static_assert(CN_GRAPH_SHRINK_FRAMES > CN_GRAPH_KEEP_FRAMES,
                  "resources in unused heaps are freed first");
    for (uint32_t i = graph->heap_count; i-- > 0;) {
        if (graph->heaps[i].frame + CN_GRAPH_SHRINK_FRAMES <= graph->frame) {
            destroy_heap(graph, i);
            return;
        }
    }
}

void cni_render_graph_memory_end(CnGraph *graph)
{
    CniRenderGraphHeapRanges done = graph->heap_ranges_after;
    graph->heap_ranges_after = graph->heap_ranges;
    graph->heap_ranges = done;
    uint32_t count = 0; /* keeps the order for the next frame */
    for (uint32_t i = 0; i < graph->physicals.count; i++) {
        CniRenderGraphPhysical physical = graph->physicals.items[i];
        if (physical.frame + CN_GRAPH_KEEP_FRAMES <= graph->frame)
            destroy_physical(graph, &physical);
        else
            graph->physicals.items[count++] = physical;
    }
    graph->physicals.count = count;
    free_unused_heap(graph);
    graph->stats.heap_bytes = graph->heap_bytes;
}

void cni_render_graph_memory_fini(CnGraph *graph)
{
    destroy_heaps(graph);
}

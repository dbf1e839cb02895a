/*
 * Barriers. Each part of a resource has a state: the accesses that its last barriers allow. A read
 * that is among them needs no barrier; every other access needs one, which waits for all of them.
 */
#include "render/graph/graph_internal.h"

#include <string.h>

/* A pending access to a resource. */
typedef struct Crossing {
    CnGraph *graph;
    uint32_t resource, round;
    CnGpuAccess access;
    bool is_last; /* the last such use: being in the state is sufficient */
} Crossing;

static const CniRenderGraphUse *use_at(const CnGraph *graph, uint32_t index)
{
    return index == CNI_RENDER_GRAPH_NO_USE ? NULL : &graph->uses.items[index];
}

/* Returns one access that represents a state. */
static CnGpuAccess first_access(uint32_t state)
{
    return (CnGpuAccess)__builtin_ctz(state);
}

static bool is_free(const Crossing *crossing, uint32_t state)
{
    if (crossing->is_last)
        return (state & CNI_RENDER_GRAPH_ACCESS_BIT(crossing->access)) != 0;
    return cni_render_graph_access_is_free(state, crossing->access);
}

static bool push(const Crossing *crossing, uint32_t state, const CniRenderGraphRange *range)
{
    CnGraph *graph = crossing->graph;
    const CniRenderGraphResource *resource = &graph->resources.items[crossing->resource];
    CniRenderGraphBarrier made = {.resource = crossing->resource,
                                  .round = crossing->round,
                                  .barrier = {.texture = resource->texture,
                                              .buffer = resource->buffer,
                                              .before = first_access(state),
                                              .after = crossing->access}};
    if (range) {
        made.barrier.mip = range->mip;
        made.barrier.mip_count = range->mip_count;
        made.barrier.layer = range->layer;
        made.barrier.layer_count = range->layer_count;
    }
    if (made.barrier.before == CN_GPU_ACCESS_NONE && resource->origin == CN_GRAPH_TRANSIENT)
        made.barrier.waits_for = resource->waits_for;
    return cn_array_push(&graph->barriers, made);
}

/* Gives each part its own state. */
static bool split(CnGraph *graph, CniRenderGraphResource *resource)
{
    if (resource->states)
        return true;
    uint32_t count = cni_render_graph_mips(resource) * cni_render_graph_layers(resource);
    resource->states =
        cn_arena_alloc(&graph->arena, count * sizeof *resource->states, CN_DEFAULT_ALIGNMENT);
    for (uint32_t i = 0; resource->states && i < count; i++)
        resource->states[i] = resource->state;
    return resource->states != NULL;
}

/* Adds barriers for the layers of one mip: one for each run of layers in the same state. */
static bool cross_mip(const Crossing *crossing, const CniRenderGraphRange *range, uint32_t mip)
{
    CniRenderGraphResource *resource = &crossing->graph->resources.items[crossing->resource];
    uint32_t mips = cni_render_graph_mips(resource), end = range->layer + range->layer_count;
    for (uint32_t l = range->layer; l < end;) {
        uint32_t state = resource->states[l * mips + mip], first = l;
        bool stays = is_free(crossing, state);
        while (l < end && resource->states[l * mips + mip] == state) {
            if (!stays)
                resource->states[l * mips + mip] = (uint16_t)cni_render_graph_access_add(
                    state, crossing->access, resource->is_texture);
            l++;
        }
        CniRenderGraphRange run = {mip, 1, first, l - first};
        if (!stays && !push(crossing, state, &run))
            return false;
    }
    return true;
}

/* Merges barriers of this use that differ only in their mip. */
static void merge_mips(CnGraph *graph, uint32_t first)
{
    uint32_t persistent = first;
    for (uint32_t i = first + 1; i < graph->barriers.count; i++) {
        CnGpuBarrier *a = &graph->barriers.items[persistent].barrier;
        const CnGpuBarrier *b = &graph->barriers.items[i].barrier;
        if (a->before == b->before && a->layer == b->layer && a->layer_count == b->layer_count &&
            a->mip + a->mip_count == b->mip)
            a->mip_count += b->mip_count;
        else
            graph->barriers.items[++persistent] = graph->barriers.items[i];
    }
    if (graph->barriers.count > first)
        graph->barriers.count = persistent + 1;
}

/* Adds the barriers that an access to a range needs. */
static bool cross(const Crossing *crossing, const CniRenderGraphRange *range)
{
    CnGraph *graph = crossing->graph;
    CniRenderGraphResource *resource = &graph->resources.items[crossing->resource];
    CniRenderGraphRange all = cni_render_graph_all(resource);
    bool is_all = cni_render_graph_range_covers(range, &all);
    if (!resource->states && is_free(crossing, resource->state))
        return true;
    if (!resource->states && is_all) {
        uint32_t state = resource->state;
        resource->state =
            (uint16_t)cni_render_graph_access_add(state, crossing->access, resource->is_texture);
        return push(crossing, state, NULL);
    }
    if (!split(graph, resource))
        return false;
    uint32_t first = graph->barriers.count;
    for (uint32_t m = range->mip; m < range->mip + range->mip_count; m++) {
        if (!cross_mip(crossing, range, m))
            return false;
    }
    merge_mips(graph, first);
    return true;
}

/* ---- Frame ---- */

static void begin_states(CnGraph *graph)
{
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        CniRenderGraphResource *resource = &graph->resources.items[i];
        resource->states = NULL;
        resource->state = (uint16_t)CNI_RENDER_GRAPH_ACCESS_BIT(resource->before);
    }
}

/* A kept resource continues in the state that the last frame left. */
static bool load_persistent(CnGraph *graph, CniRenderGraphResource *resource)
{
    const CniRenderGraphPersistent *persistent = &graph->persistent.items[resource->persistent - 1];
    uint32_t slot =
        resource->origin == CN_GRAPH_PREVIOUS ? 1 - persistent->current : persistent->current;
    resource->state = persistent->states[slot][0];
    for (uint32_t i = 1; i < persistent->part_count; i++) {
        if (persistent->states[slot][i] == resource->state)
            continue;
        if (!split(graph, resource))
            return false;
        memcpy(resource->states, persistent->states[slot],
               persistent->part_count * sizeof *resource->states);
        return true;
    }
    return true;
}

static bool begin_resource(CnGraph *graph, CniRenderGraphResource *resource)
{
    if (resource->persistent)
        return load_persistent(graph, resource);
    if (resource->origin != CN_GRAPH_TRANSIENT)
        return true;
    resource->waits_for = cni_render_graph_heap_ranges_find(
        &graph->heap_ranges_after, resource->offset, resource->offset + resource->need.size);
    return true;
}

/* A transient releases its memory: the next users wait for its last accesses. */
static bool end_resource(CnGraph *graph, const CniRenderGraphResource *resource)
{
    if (resource->origin != CN_GRAPH_TRANSIENT)
        return true;
    uint32_t accesses = resource->states ? 0 : resource->state;
    uint32_t count = cni_render_graph_mips(resource) * cni_render_graph_layers(resource);
    for (uint32_t i = 0; resource->states && i < count; i++)
        accesses |= resource->states[i];
    CniRenderGraphHeapRange heap_range = {resource->offset, resource->offset + resource->need.size,
                                          accesses, resource->waits_for};
    return cni_render_graph_heap_ranges_set(&graph->heap_ranges_after, &heap_range);
}

/* Returns how many uses of the same resource the pass has before this one: their barriers cannot be
 * issued together. */
static uint32_t round_of(const CnGraph *graph, const CniRenderGraphPass *pass,
                         const CniRenderGraphUse *use)
{
    uint32_t round = 0;
    for (const CniRenderGraphUse *other = use_at(graph, pass->first_use); other != use;
         other = use_at(graph, other->next_of_pass))
        round += other->resource == use->resource &&
                 cni_render_graph_range_overlaps(&other->range, &use->range);
    return round;
}

/* Depth that is tested and sampled by one pass is in a state that allows both. */
static bool is_covered_later(const CnGraph *graph, const CniRenderGraphUse *use)
{
    if (use->access != CN_GPU_ACCESS_SAMPLE)
        return false;
    for (const CniRenderGraphUse *other = use_at(graph, graph->passes.items[use->pass].first_use);
         other; other = use_at(graph, other->next_of_pass)) {
        if (other->resource == use->resource && other->access == CN_GPU_ACCESS_DEPTH_READ &&
            cni_render_graph_range_covers(&other->range, &use->range))
            return true;
    }
    return false;
}

static bool pass_barriers(CnGraph *graph, uint32_t order)
{
    CniRenderGraphPass *pass = &graph->passes.items[graph->order.items[order]];
    pass->first_barrier = graph->barriers.count;
    for (const CniRenderGraphUse *use = use_at(graph, pass->first_use); use;
         use = use_at(graph, use->next_of_pass)) {
        CniRenderGraphResource *resource = &graph->resources.items[use->resource];
        if (resource->first == order && !resource->is_begun) {
            resource->is_begun = true;
            if (!begin_resource(graph, resource))
                return false;
        }
        Crossing crossing = {graph, use->resource, round_of(graph, pass, use), use->access, false};
        if (!is_covered_later(graph, use) && !cross(&crossing, &use->range))
            return false;
    }
    pass->barrier_count = graph->barriers.count - pass->first_barrier;
    for (const CniRenderGraphUse *use = use_at(graph, pass->first_use); use;
         use = use_at(graph, use->next_of_pass)) {
        const CniRenderGraphResource *resource = &graph->resources.items[use->resource];
        if (resource->last == order && !end_resource(graph, resource))
            return false;
    }
    return true;
}

static bool last_barriers(CnGraph *graph)
{
    graph->first_last_barrier = graph->barriers.count;
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        const CniRenderGraphResource *resource = &graph->resources.items[i];
        if (resource->origin != CN_GRAPH_IMPORT || resource->after == CN_GPU_ACCESS_NONE)
            continue;
        CniRenderGraphRange all = cni_render_graph_all(resource);
        Crossing crossing = {graph, i, 0, resource->after, true};
        if (!cross(&crossing, &all))
            return false;
    }
    return true;
}

/* Starts with the tenants of the last frame. */
static bool begin_heap_ranges(CnGraph *graph)
{
    CniRenderGraphHeapRanges *heap_ranges = &graph->heap_ranges_after;
    if (!cn_array_reserve(heap_ranges, graph->heap_ranges.count))
        return false;
    heap_ranges->count = graph->heap_ranges.count;
    for (uint32_t i = 0; i < heap_ranges->count; i++) {
        heap_ranges->items[i] = graph->heap_ranges.items[i];
        heap_ranges->items[i].before = 0;
    }
    return true;
}

bool cni_render_graph_make_barriers(CnGraph *graph, CnError *error)
{
    bool ok = begin_heap_ranges(graph);
    begin_states(graph);
    for (uint32_t i = 0; ok && i < graph->order.count; i++)
        ok = pass_barriers(graph, i);
    if (ok && last_barriers(graph))
        return true;
    return cn_error_memory(error, "the barriers of a graph");
}

/* Selects the passes that run and orders them. */
#include "render/graph/graph_internal.h"

#include <string.h>

static const CniRenderGraphUse *use_at(const CnGraph *graph, uint32_t index)
{
    return index == CNI_RENDER_GRAPH_NO_USE ? NULL : &graph->uses.items[index];
}

/* Returns the last writer that a use depends on: of its version, or for a write, of the previous
 * version. */
static const CniRenderGraphUse *writer_before(const CnGraph *graph, const CniRenderGraphUse *use)
{
    const CniRenderGraphUse *writer =
        use_at(graph, graph->resources.items[use->resource].last_writer);
    while (writer &&
           (use->writes ? writer->version >= use->version : writer->version > use->version))
        writer = use_at(graph, writer->previous_writer);
    return writer;
}

/* ---- Validation ---- */

/* Returns whether a resource has contents before a pass writes it. Kept resources do, even if their
 * contents are undefined, which their declaration reports. */
static bool has_contents(const CniRenderGraphResource *resource)
{
    switch (resource->origin) {
    case CN_GRAPH_PERSISTENT:
    case CN_GRAPH_PREVIOUS:
        return true;
    case CN_GRAPH_IMPORT:
        return resource->before != CN_GPU_ACCESS_NONE;
    default:
        return false;
    }
}

static bool check_written(const CnGraph *graph, const CniRenderGraphUse *use, CnError *error)
{
    const CniRenderGraphResource *resource = &graph->resources.items[use->resource];
    const CniRenderGraphUse *newest = writer_before(graph, use);
    if (has_contents(resource) ||
        (newest && cni_render_graph_range_covers(&newest->range, &use->range)))
        return true;
    for (uint32_t l = use->range.layer; l < use->range.layer + use->range.layer_count; l++) {
        for (uint32_t m = use->range.mip; m < use->range.mip + use->range.mip_count; m++) {
            CniRenderGraphRange part = {m, 1, l, 1};
            const CniRenderGraphUse *writer = newest;
            while (writer && !cni_render_graph_range_overlaps(&writer->range, &part))
                writer = use_at(graph, writer->previous_writer);
            if (writer)
                continue;
            return cn_error_set(
                error, CN_ERROR_MISMATCH,
                "pass %s reads %s (version %u, mip %u, layer %u), which no pass has written",
                graph->passes.items[use->pass].desc.name, resource->name,
                use->version - use->writes, m, l);
        }
    }
    return true;
}

bool cni_render_graph_validate(CnGraph *graph, CnError *error)
{
    if (graph->error.code != CN_OK)
        return cn_error_set(error, graph->error.code, "%s", graph->error.message);
    for (uint32_t i = 0; i < graph->passes.count; i++) {
        const CniRenderGraphPass *pass = &graph->passes.items[i];
        if (pass->desc.kind == CN_GRAPH_GRAPHICS && !pass->color_count && !pass->has_depth)
            return cn_error_set(error, CN_ERROR_MISMATCH, "graphics pass %s has no attachment",
                                pass->desc.name);
    }
    for (uint32_t i = 0; i < graph->uses.count; i++) {
        if (graph->uses.items[i].needs && !check_written(graph, &graph->uses.items[i], error))
            return false;
    }
    return true;
}

/* ---- Culling ---- */

static void wake(CnGraph *graph, uint32_t index)
{
    CniRenderGraphPass *pass = &graph->passes.items[index];
    if (pass->is_live)
        return;
    pass->is_live = true;
    /* capacity is reserved: each pass is added once */
    graph->stack.items[graph->stack.count++] = index;
}

/* Marks the writers of a range as needed, from this one backwards. */
static void wake_writers(CnGraph *graph, const CniRenderGraphUse *writer,
                         const CniRenderGraphRange *range)
{
    for (; writer; writer = use_at(graph, writer->previous_writer)) {
        if (!cni_render_graph_range_overlaps(&writer->range, range))
            continue;
        wake(graph, writer->pass);
        if (cni_render_graph_range_covers(&writer->range, range))
            return;
    }
}

static bool is_wanted_after(const CniRenderGraphResource *resource)
{
    return resource->persistent ||
           (resource->origin == CN_GRAPH_IMPORT && resource->after != CN_GPU_ACCESS_NONE);
}

static void mark_resources(CnGraph *graph)
{
    for (uint32_t i = 0; i < graph->uses.count; i++) {
        const CniRenderGraphUse *use = &graph->uses.items[i];
        if (graph->passes.items[use->pass].is_live)
            graph->resources.items[use->resource].is_live = true;
    }
}

void cni_render_graph_cull(CnGraph *graph)
{
    cn_array_clear(&graph->stack);
    for (uint32_t i = 0; i < graph->passes.count; i++) {
        if (graph->passes.items[i].desc.side_effects)
            wake(graph, i);
    }
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        const CniRenderGraphResource *resource = &graph->resources.items[i];
        CniRenderGraphRange all = cni_render_graph_all(resource);
        if (is_wanted_after(resource))
            wake_writers(graph, use_at(graph, resource->last_writer), &all);
    }
    while (graph->stack.count) {
        const CniRenderGraphPass *pass = &graph->passes.items[cn_array_pop(&graph->stack)];
        for (const CniRenderGraphUse *use = use_at(graph, pass->first_use); use;
             use = use_at(graph, use->next_of_pass)) {
            if (use->keeps)
                wake_writers(graph, writer_before(graph, use), &use->range);
        }
    }
    mark_resources(graph);
}

/* ---- Order ---- */

static uint32_t words_of(const CnGraph *graph)
{
    return graph->passes.count / 64 + 1;
}

static void set_before(CnGraph *graph, uint32_t before, uint32_t after)
{
    graph->before.items[(size_t)after * words_of(graph) + before / 64] |= 1ull << before % 64;
}

static bool is_before(const CnGraph *graph, uint32_t before, uint32_t after)
{
    return graph->before.items[(size_t)after * words_of(graph) + before / 64] >> before % 64 & 1;
}

/* Adds the order constraints of a resource: a writer runs after the writers of earlier versions and
 * their readers, and before the readers of its own version. */
static void order_users(CnGraph *graph, const CniRenderGraphResource *resource)
{
    for (const CniRenderGraphUse *writer = use_at(graph, resource->last_writer); writer;
         writer = use_at(graph, writer->previous_writer)) {
        if (!graph->passes.items[writer->pass].is_live)
            continue;
        for (const CniRenderGraphUse *use = use_at(graph, resource->first_use); use;
             use = use_at(graph, use->next_of_resource)) {
            if (use->pass == writer->pass || !graph->passes.items[use->pass].is_live ||
                !cni_render_graph_range_overlaps(&use->range, &writer->range))
                continue;
            if (use->version >= writer->version)
                set_before(graph, writer->pass, use->pass);
            else if (!use->writes)
                set_before(graph, use->pass, writer->pass);
        }
    }
}

/* Returns a resource that orders one pass before another. */
static const char *reason(const CnGraph *graph, uint32_t before, uint32_t after)
{
    for (uint32_t i = 0; i < graph->uses.count; i++) {
        const CniRenderGraphUse *a = &graph->uses.items[i];
        for (uint32_t j = 0; a->pass == before && j < graph->uses.count; j++) {
            const CniRenderGraphUse *b = &graph->uses.items[j];
            if (b->pass != after || a->resource != b->resource ||
                !cni_render_graph_range_overlaps(&a->range, &b->range))
                continue;
            if ((a->writes && b->version >= a->version) ||
                (!a->writes && b->writes && b->version > a->version))
                return graph->resources.items[a->resource].name;
        }
    }
    return "?";
}

/* Returns the first pass that is not ordered yet and has to run before another. */
static uint32_t missing_before(const CnGraph *graph, uint32_t after)
{
    for (uint32_t i = 0; i < graph->passes.count; i++) {
        if (graph->passes.items[i].order == UINT32_MAX && is_before(graph, i, after))
            return i;
    }
    return UINT32_MAX;
}

/* Follows the dependencies of a waiting pass backwards until a pass repeats, and names the passes
 * of the cycle. */
static bool report_cycle(CnGraph *graph, uint32_t pass, CnError *error)
{
    for (uint32_t i = 0; i < graph->passes.count; i++)
        pass = missing_before(graph, pass);
    char text[CN_ERROR_MESSAGE_BYTES] = "";
    size_t used = 0;
    uint32_t first = pass;
    do {
        uint32_t before = missing_before(graph, pass);
        cn_format(text + used, sizeof text - used, "%s%s waits for %s (%s)", used ? ", " : "",
                  graph->passes.items[pass].desc.name, graph->passes.items[before].desc.name,
                  reason(graph, before, pass));
        used += strlen(text + used);
        pass = before;
    } while (pass != first);
    return cn_error_set(error, CN_ERROR_CYCLE, "passes depend on each other: %s", text);
}

static bool is_ready(const CnGraph *graph, const uint64_t *waiting, uint32_t pass)
{
    const uint64_t *before = &graph->before.items[(size_t)pass * words_of(graph)];
    for (uint32_t i = 0; i < words_of(graph); i++) {
        if (before[i] & waiting[i])
            return false;
    }
    return true;
}

static void find_lifetimes(CnGraph *graph)
{
    for (uint32_t i = 0; i < graph->resources.count; i++)
        graph->resources.items[i].first = UINT32_MAX;
    for (uint32_t i = 0; i < graph->order.count; i++) {
        const CniRenderGraphPass *pass = &graph->passes.items[graph->order.items[i]];
        for (const CniRenderGraphUse *use = use_at(graph, pass->first_use); use;
             use = use_at(graph, use->next_of_pass)) {
            CniRenderGraphResource *resource = &graph->resources.items[use->resource];
            if (resource->first == UINT32_MAX)
                resource->first = i;
            resource->last = i;
        }
    }
}

bool cni_render_graph_sort(CnGraph *graph, CnError *error)
{
    uint32_t count = graph->passes.count, words = words_of(graph), live = 0;
    if (!cn_array_reserve(&graph->before, (uint64_t)(count + 1) * words) ||
        !cn_array_reserve(&graph->order, count))
        return cn_error_memory(error, "sorting %u passes", count);
    memset(graph->before.items, 0, (size_t)(count + 1) * words * sizeof *graph->before.items);
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        if (graph->resources.items[i].is_live)
            order_users(graph, &graph->resources.items[i]);
    }
    uint64_t *waiting = &graph->before.items[(size_t)count * words]; /* the row after the last */
    for (uint32_t i = 0; i < count; i++) {
        graph->passes.items[i].order = UINT32_MAX;
        waiting[i / 64] |= (uint64_t)graph->passes.items[i].is_live << i % 64;
        live += graph->passes.items[i].is_live;
    }
    for (uint32_t first = 0; graph->order.count < live;) {
        while (!(waiting[first / 64] >> first % 64 & 1))
            first++;
        uint32_t next = first;
        while (next < count &&
               !(waiting[next / 64] >> next % 64 & 1 && is_ready(graph, waiting, next)))
            next++;
        if (next == count)
            return report_cycle(graph, first, error);
        graph->passes.items[next].order = graph->order.count;
        graph->order.items[graph->order.count++] = next;
        waiting[next / 64] &= ~(1ull << next % 64);
    }
    find_lifetimes(graph);
    return true;
}

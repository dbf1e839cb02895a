/* Compilation, execution and inspection of graphs. */
#include "render/graph/graph_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

#define BATCH 64u        /* barriers per call */
#define SHORTEST_CUT 31u /* bytes of a timer name that may be a truncated longer name */

/* ---- Compilation ---- */

static void count_barrier_calls(CnGraph *graph)
{
    CnGraphStats *stats = &graph->stats;
    stats->barriers = graph->barriers.count;
    stats->barrier_calls += graph->first_last_barrier < graph->barriers.count;
    for (uint32_t i = 0; i < graph->order.count; i++) {
        const CniRenderGraphPass *pass = &graph->passes.items[graph->order.items[i]];
        uint32_t rounds = 0;
        for (uint32_t j = 0; j < pass->barrier_count; j++) {
            uint32_t round = graph->barriers.items[pass->first_barrier + j].round + 1;
            rounds = round > rounds ? round : rounds;
        }
        stats->barrier_calls += rounds;
    }
}

static void count(CnGraph *graph)
{
    CnGraphStats *stats = &graph->stats;
    stats->passes = graph->passes.count;
    stats->culled_passes = graph->passes.count - graph->order.count;
    stats->resources = graph->resources.count;
    for (uint32_t i = 0; i < graph->resources.count; i++)
        stats->culled_resources += !graph->resources.items[i].is_live;
    count_barrier_calls(graph);
}

bool cn_graph_compile(CnGraph *graph, CnError *error)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(!graph->is_compiled, "a graph can only be compiled once");
    if (!cni_render_graph_validate(graph, error))
        return false;
    if (!cn_array_reserve(&graph->stack, graph->passes.count))
        return cn_error_memory(error, "culling %u passes", graph->passes.count);
    cni_render_graph_cull(graph);
    if (!cni_render_graph_sort(graph, error) || !cni_render_graph_place(graph, error) ||
        !cni_render_graph_persistent_create(graph, error) ||
        !cni_render_graph_make_barriers(graph, error))
        return false;
    count(graph);
    graph->is_compiled = true;
    return true;
}

/* ---- Execution ---- */

/* Barriers of a later round are recorded in a separate call after earlier ones. */
static void record_barriers(const CnGraph *graph, CnGpuCommands *commands, uint32_t first,
                            uint32_t barrier_count)
{
    CnGpuBarrier batch[BATCH];
    uint32_t left = barrier_count;
    for (uint32_t round = 0; left; round++) {
        uint32_t ready = 0;
        for (uint32_t i = first; i < first + barrier_count; i++) {
            if (graph->barriers.items[i].round != round)
                continue;
            batch[ready++] = graph->barriers.items[i].barrier;
            left--;
            if (ready == BATCH) {
                cn_gpu_barriers(commands, batch, ready);
                ready = 0;
            }
        }
        if (ready)
            cn_gpu_barriers(commands, batch, ready);
    }
}

static CnGpuAttachment attachment_of(const CnGraph *graph, const CniRenderGraphPass *pass,
                                     const CnGraphAttachment *attachment, uint32_t index)
{
    const CniRenderGraphResource *resource = &graph->resources.items[index];
    CnGpuAttachment made = {.texture = resource->texture,
                            .mip = attachment->mip,
                            .layer = attachment->layer,
                            .load = attachment->load,
                            .discard_after = resource->origin == CN_GRAPH_TRANSIENT &&
                                             resource->last == pass->order};
    memcpy(made.clear, attachment->clear, sizeof made.clear);
    return made;
}

static void begin_rendering(const CnGraph *graph, CnGpuCommands *commands,
                            const CniRenderGraphPass *pass)
{
    CnGpuRendering rendering = {.name = pass->desc.name,
                                .width = pass->width,
                                .height = pass->height,
                                .layers = pass->layers};
    for (uint32_t i = 0; i < pass->color_count; i++)
        rendering.color[i] = attachment_of(graph, pass, &pass->color[i], pass->color_resource[i]);
    if (pass->has_depth) {
        rendering.depth = attachment_of(graph, pass, &pass->depth, pass->depth_resource);
        rendering.depth_read_only = pass->depth.read_only;
    }
    cn_gpu_begin_rendering(commands, &rendering);
}

static void record_pass(CnGraph *graph, CnGpuCommands *commands, const CniRenderGraphPass *pass)
{
    bool renders = pass->desc.kind == CN_GRAPH_GRAPHICS;
    cn_gpu_begin_label(commands, pass->desc.name);
    uint32_t timer = cn_gpu_begin_timer(commands, pass->desc.name);
    record_barriers(graph, commands, pass->first_barrier, pass->barrier_count);
    if (renders)
        begin_rendering(graph, commands, pass);
    if (pass->desc.run)
        pass->desc.run(&(CnGraphRun){.graph = graph,
                                     .commands = commands,
                                     .pass = pass->handle,
                                     .width = pass->width,
                                     .height = pass->height,
                                     .user = pass->desc.user});
    if (renders)
        cn_gpu_end_rendering(commands);
    cn_gpu_end_timer(commands, timer);
    cn_gpu_end_label(commands);
}

void cn_graph_execute(CnGraph *graph, CnGpuCommands *commands)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(graph->is_compiled, "a graph can only be executed once, after it was compiled");
    if (!graph->is_compiled)
        return;
    for (uint32_t i = 0; i < graph->order.count; i++)
        record_pass(graph, commands, &graph->passes.items[graph->order.items[i]]);
    record_barriers(graph, commands, graph->first_last_barrier,
                    graph->barriers.count - graph->first_last_barrier);
    graph->is_compiled = false;
    cni_render_graph_memory_end(graph);
    cni_render_graph_persistent_end(graph);
    graph->frame++;
}

/* ---- Inspection ---- */

/* Returns the resource of a handle, if there is one. */
static const CniRenderGraphResource *look_up(const CnGraph *graph, uint32_t id)
{
    uint32_t index = (id & CN_GRAPH_MAX_RESOURCES) - 1;
    bool is_good = index < graph->resources.count &&
                   (id & ~0u << 22) == (cni_render_graph_handle(graph, index, 0) & ~0u << 22);
    CN_ASSERT(is_good, "the handle is null or from another frame");
    return is_good ? &graph->resources.items[index] : NULL;
}

CnGpuTexture cn_graph_get_texture(const CnGraph *graph, CnGraphTexture texture)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    const CniRenderGraphResource *resource = look_up(graph, texture.id);
    return resource ? resource->texture : (CnGpuTexture){0};
}

CnGpuBuffer cn_graph_get_buffer(const CnGraph *graph, CnGraphBuffer buffer)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    const CniRenderGraphResource *resource = look_up(graph, buffer.id);
    return resource ? resource->buffer : (CnGpuBuffer){0};
}

CnGpuTextureDesc cn_graph_texture_desc(const CnGraph *graph, CnGraphTexture texture)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    const CniRenderGraphResource *resource = look_up(graph, texture.id);
    return resource ? resource->texture_desc : (CnGpuTextureDesc){0};
}

/* Timers keep only the beginning of a long name. */
static bool is_timer_of(const char *timer, const char *pass)
{
    size_t size = strlen(timer);
    return !strncmp(timer, pass, size) && (!pass[size] || size >= SHORTEST_CUT);
}

typedef struct Timings {
    CnGpuTiming items[CN_GPU_MAX_TIMERS];
    uint32_t count;
} Timings;

static void get_timings(const CnGraph *graph, Timings *timings)
{
    uint32_t all = cn_gpu_timings(graph->gpu, timings->items, CN_GPU_MAX_TIMERS);
    timings->count = all < CN_GPU_MAX_TIMERS ? all : CN_GPU_MAX_TIMERS;
}

/* Returns the time of a pass: the timer of its name or, if several have it, the one at the same
 * position among them. */
static float time_of(const CnGraph *graph, const CniRenderGraphPass *pass, const Timings *timings)
{
    uint32_t skip = 0;
    /* Usually the last graph was the same, and there are no other timers. */
    if (pass->order < timings->count &&
        is_timer_of(timings->items[pass->order].name, pass->desc.name))
        return timings->items[pass->order].microseconds;
    for (uint32_t i = 0; i < pass->order; i++) {
        const CniRenderGraphPass *other = &graph->passes.items[graph->order.items[i]];
        skip += !strcmp(other->desc.name, pass->desc.name);
    }
    for (uint32_t i = 0; i < timings->count; i++) {
        if (is_timer_of(timings->items[i].name, pass->desc.name) && skip-- == 0)
            return timings->items[i].microseconds;
    }
    return 0;
}

CnGraphStats cn_graph_stats(const CnGraph *graph)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    Timings timings;
    CnGraphStats stats = graph->stats;
    get_timings(graph, &timings);
    for (uint32_t i = 0; i < graph->order.count; i++)
        stats.microseconds += time_of(graph, &graph->passes.items[graph->order.items[i]], &timings);
    return stats;
}

bool cn_graph_pass_info(const CnGraph *graph, uint32_t index, CnGraphPassInfo *info)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(info, "%s: info is NULL", __func__);
    if (index >= graph->passes.count)
        return false;
    const CniRenderGraphPass *pass = &graph->passes.items[index];
    *info = (CnGraphPassInfo){
        .name = pass->desc.name, .kind = pass->desc.kind, .is_culled = !pass->is_live};
    if (pass->is_live) {
        Timings timings;
        get_timings(graph, &timings);
        info->order = pass->order;
        info->barriers = pass->barrier_count;
        info->microseconds = time_of(graph, pass, &timings);
    }
    return true;
}

bool cn_graph_resource_info(const CnGraph *graph, uint32_t index, CnGraphResourceInfo *info)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(info, "%s: info is NULL", __func__);
    if (index >= graph->resources.count)
        return false;
    const CniRenderGraphResource *resource = &graph->resources.items[index];
    *info = (CnGraphResourceInfo){.name = resource->name,
                                  .origin = resource->origin,
                                  .is_texture = resource->is_texture,
                                  .is_culled = !resource->is_live,
                                  .bytes = resource->need.size,
                                  .offset = resource->offset,
                                  .texture = resource->texture,
                                  .buffer = resource->buffer};
    if (resource->is_live) {
        info->first = resource->first;
        info->last = resource->last;
    }
    return true;
}

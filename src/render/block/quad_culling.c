#include "render/block/quad_culling.h"

#include "shaders/render/block/blocks_quad_list.comp.h"
#include "shaders/render/block/blocks_quad_cull.comp.h"

#include <assert.h>

#define ITEM_HEAD_BYTES 32u /* blocks_items.glsl */
#define LISTS 4u
#define HEAD_WORDS 16u /* of the draws; see blocks_quad_list.comp */
#define DRAWS_AT 4u    /* word offset of the draw counts of the lists */
#define DRAW_WORDS 5u
#define ENTRY_BYTES 24u
#define VISIBLE_QUADS_HEAD_BYTES 16u
#define VISIBLE_QUAD_LISTS 3u
#define NEW_VISIBLE_QUADS 2u
#define VISIBLE_QUAD_BYTES 8u
#define MIN_ROOM (1u << 17)
/* Groups of 8 threads, which together process all items. */
#define GROUPS_CPU 64u
#define GROUPS_GPU 4096u

enum {
    QUAD_CULL_BINDING = CNI_RENDER_BLOCK_BINDINGS,
    VISIBLE_QUADS_BINDING = 10,
    DRAWN_BINDING = 11
};
enum {
    ITEMS_BINDING = 9,
    DEPTH_PYRAMID_BINDING = 12,
    DEPTH_BINDING = 13
};                                                /* blocks_quad_cull.comp */
enum { ENTRIES_BINDING = 9, DRAWS_BINDING = 12 }; /* blocks_quad_list.comp */
#define LAST_BUFFER 12u

typedef struct CniRenderQuadCullData { /* blocks_quad_culling.glsl */
    CnMat4 eye_to_clip, clip_to_eye;
    CnVec4 viewer;
    uint32_t width, height, capacity, records;
    uint32_t read, written, is_hiding, first;
} CniRenderQuadCullData;
static_assert(sizeof(CniRenderQuadCullData) == 176, "std140");

/* ---- Setup ---- */

static CnRenderPipeline make(CnRenderer *renderer, const char *name, CnShader shader,
                             bool has_depth, CnError *error)
{
    CnRenderPipelineDesc desc = {.compute = shader, .state = {.name = name}};
    CnGpuBindingKind *bindings = desc.state.bindings;
    cni_render_block_bindings(bindings);
    bindings[QUAD_CULL_BINDING] = CN_GPU_BIND_UNIFORM;
    for (uint32_t i = QUAD_CULL_BINDING + 1; i <= LAST_BUFFER; i++)
        bindings[i] = CN_GPU_BIND_STORAGE;
    if (has_depth)
        bindings[DEPTH_BINDING] = CN_GPU_BIND_TEXTURE;
    return cn_render_pipeline_create(renderer, &desc, error);
}

bool cni_render_quad_culler_setup(CnRenderer *renderer, CniRenderQuadCuller *quad_culler,
                                  CnError *error)
{
    quad_culler->cull_quads =
        make(renderer, "cull quads", (CnShader)CN_SHADER(render_block_blocks_quad_cull_comp), true,
             error);
    quad_culler->list = make(renderer, "list quads",
                             (CnShader)CN_SHADER(render_block_blocks_quad_list_comp), false, error);
    return quad_culler->cull_quads.id && quad_culler->list.id;
}

void cni_render_quad_culler_destroy(CnRenderer *renderer, CniRenderQuadCuller *quad_culler)
{
    cn_render_pipeline_destroy(renderer, quad_culler->cull_quads);
    cn_render_pipeline_destroy(renderer, quad_culler->list);
}

/* ---- Begin ---- */

typedef struct ClearRun {
    CnGraphBuffer items, visible_quads, drawn;
    uint64_t drawn_bytes;
    uint32_t written; /* list of visible quads */
    bool is_first;    /* clears the counts of all lists */
} ClearRun;

static void run_clear(const CnGraphRun *run)
{
    const ClearRun *user = run->user;
    const uint64_t word = sizeof(uint32_t);
    CnGpuBuffer visible_quads = cn_graph_get_buffer(run->graph, user->visible_quads);
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, user->items), 0,
                       ITEM_HEAD_BYTES, 0);
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, user->drawn), 0,
                       user->drawn_bytes, 0);
    if (user->is_first) {
        cn_gpu_fill_buffer(run->commands, visible_quads, 0, VISIBLE_QUADS_HEAD_BYTES, 0);
        return;
    }
    cn_gpu_fill_buffer(run->commands, visible_quads, user->written * word, word, 0);
    cn_gpu_fill_buffer(run->commands, visible_quads, NEW_VISIBLE_QUADS * word, word, 0);
}

static CnGraphBuffer make_buffer(CnFrame *frame, const char *name, uint64_t size)
{
    return cn_graph_create_buffer(frame->graph, &(CnGpuBufferDesc){.name = name, .size = size});
}

/* Returns which of the two lists of visible quads this frame writes. */
static uint32_t written_in(const CnFrame *frame)
{
    return frame->number % 2;
}

/* Visible quads cover pixels, which bounds their number; hidden quads are more numerous. */
static uint32_t capacity_for(const CnFrame *frame, bool has_phases)
{
    uint32_t capacity = MIN_ROOM;
    while (capacity < frame->width * frame->height / 4)
        capacity *= 2;
    return has_phases ? capacity : capacity * 4;
}

/* Entries of four lists, two of which are much shorter. */
static uint32_t entries_of(uint32_t capacity)
{
    return capacity * 9 / 4;
}

bool cni_render_quad_culler_begin(CnFrame *frame, const CnBlockView *view,
                                  CniRenderQuadCuller *quad_culler, bool has_phases)
{
    CnGraph *graph = frame->graph;
    ClearRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!cni_render_block_view_is_ready(view) || view->all.count == 0 || !user)
        return false;
    *user = (ClearRun){.drawn_bytes = ((uint64_t)view->max_quads + 31) / 32 * sizeof(uint32_t),
                       .written = written_in(frame)};
    quad_culler->has_phases = has_phases;
    quad_culler->capacity = capacity_for(frame, has_phases);
    quad_culler->visible_quads = cn_graph_persistent_buffer(
        graph,
        &(CnGpuBufferDesc){.name = "picked quads",
                           .size = VISIBLE_QUADS_HEAD_BYTES + (uint64_t)VISIBLE_QUAD_LISTS *
                                                                  quad_culler->capacity *
                                                                  VISIBLE_QUAD_BYTES,
                           .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_TO},
        &user->is_first);
    CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "clear quads",
                                                                   .kind = CN_GRAPH_TRANSFER,
                                                                   .run = run_clear,
                                                                   .user = user});
    quad_culler->items = make_buffer(frame, "items of blocks", cni_render_block_item_bytes(view));
    quad_culler->drawn = make_buffer(frame, "quads drawn", user->drawn_bytes);
    quad_culler->entries = make_buffer(
        frame, "listed quads",
        (has_phases ? 2 : 1) * (uint64_t)entries_of(quad_culler->capacity) * ENTRY_BYTES);
    CnGraphBuffer *cleared[] = {&quad_culler->items, &quad_culler->visible_quads,
                                &quad_culler->drawn};
    for (uint32_t i = 0; i < CN_COUNT_OF(cleared); i++)
        *cleared[i] = cn_graph_write_buffer(graph, pass, *cleared[i], CN_GPU_ACCESS_COPY_TO, NULL);
    user->items = quad_culler->items;
    user->visible_quads = quad_culler->visible_quads;
    user->drawn = quad_culler->drawn;
    return true;
}

/* ---- Culling and listing ---- */

typedef struct QuadCullRun {
    CnFrame *frame;
    const CnBlockView *view;
    CnRenderPipeline pipeline;
    CnGpuUpload data;
    CnGraphBuffer buffers[LAST_BUFFER + 1]; /* by binding */
    CnGraphTexture depth;
    bool has_depth;
    uint64_t draw_bytes;
} QuadCullRun;

static CnGpuUpload upload(const CnFrame *frame, const CnBlockView *view,
                          const CniRenderQuadCuller *quad_culler, const CniRenderBlockCull *cull,
                          bool is_new)
{
    CnGpuUpload data = cn_gpu_upload(frame->commands, sizeof(CniRenderQuadCullData), 0);
    CnMat4 eye_to_clip = cni_render_view_from_eye(&frame->view);
    uint32_t written = written_in(frame);
    if (data.data)
        *(CniRenderQuadCullData *)data.data = (CniRenderQuadCullData){
            .eye_to_clip = eye_to_clip,
            .clip_to_eye = cn_mat4_inverse(&eye_to_clip),
            .viewer = cull->viewer,
            .width = frame->width,
            .height = frame->height,
            .capacity = quad_culler->capacity,
            .records = view->all.count,
            .read = is_new ? NEW_VISIBLE_QUADS : 1 - written,
            .written = written,
            .is_hiding = cull->depth_pyramid.id != 0,
            .first = is_new && quad_culler->has_phases ? entries_of(quad_culler->capacity) : 0};
    return data;
}

static void run_quad_pass(const CnGraphRun *run)
{
    const QuadCullRun *user = run->user;
    const CnRenderer *renderer = user->frame->renderer;
    CnGpuCommands *commands = run->commands;
    bool is_cpu = cn_gpu_info(user->frame->gpu).kind == CN_GPU_KIND_CPU;
    cn_gpu_bind_pipeline(commands, cn_render_pipeline_get(renderer, user->pipeline));
    cni_render_block_bind(user->frame, user->view, commands);
    cn_gpu_bind_buffer(commands, QUAD_CULL_BINDING, user->data.buffer, user->data.offset,
                       sizeof(CniRenderQuadCullData));
    for (uint32_t i = QUAD_CULL_BINDING + 1; i <= LAST_BUFFER; i++)
        cn_gpu_bind_buffer(commands, i, cn_graph_get_buffer(run->graph, user->buffers[i]), 0, 0);
    if (user->has_depth)
        cn_gpu_bind_texture(commands, DEPTH_BINDING,
                            user->depth.id ? cn_graph_get_texture(run->graph, user->depth)
                                           : renderer->defaults.white,
                            renderer->defaults.nearest_clamp);
    cn_gpu_dispatch(commands, is_cpu ? GROUPS_CPU : GROUPS_GPU, 1, 1);
}

static CnGraphPass add_quad_pass(CnFrame *frame, const char *name, QuadCullRun *user)
{
    return cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = name,
                                                              .kind = CN_GRAPH_COMPUTE,
                                                              .run = run_quad_pass,
                                                              .user = user});
}

/* A pass may also write the buffers that it reads. */
static void change(CnFrame *frame, CnGraphPass pass, QuadCullRun *user, uint32_t binding,
                   CnGraphBuffer *buffer)
{
    *buffer = cn_graph_write_buffer(frame->graph, pass, *buffer, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    user->buffers[binding] = *buffer;
}

void cni_render_quad_cull(CnFrame *frame, const CnBlockView *view, CniRenderQuadCuller *quad_culler,
                          const CniRenderBlockCull *cull)
{
    CnGraph *graph = frame->graph;
    QuadCullRun *user = cn_frame_alloc(frame, sizeof *user);
    CnGpuUpload data = upload(frame, view, quad_culler, cull, false);
    if (!user || !data.data)
        return;
    *user = (QuadCullRun){.frame = frame,
                          .view = view,
                          .pipeline = quad_culler->cull_quads,
                          .data = data,
                          .has_depth = true};
    CnGraphPass pass = add_quad_pass(frame, "cull quads", user);
    cn_graph_read_buffer(graph, pass, quad_culler->items, CN_GPU_ACCESS_READ_COMPUTE);
    user->buffers[ITEMS_BINDING] = quad_culler->items;
    user->buffers[DEPTH_PYRAMID_BINDING] = quad_culler->items;
    if (cull->depth_pyramid.id) {
        user->buffers[DEPTH_PYRAMID_BINDING] = cull->depth_pyramid;
        user->depth = frame->depth;
        cn_graph_read_buffer(graph, pass, cull->depth_pyramid, CN_GPU_ACCESS_READ_COMPUTE);
        cn_graph_read_texture(graph, pass, frame->depth, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    }
    change(frame, pass, user, VISIBLE_QUADS_BINDING, &quad_culler->visible_quads);
    change(frame, pass, user, DRAWN_BINDING, &quad_culler->drawn);
}

static void run_clear_draws(const CnGraphRun *run)
{
    const QuadCullRun *user = run->user;
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, user->buffers[DRAWS_BINDING]),
                       0, user->draw_bytes, 0);
}

static void clear_draws(CnFrame *frame, QuadCullRun *user, uint32_t capacity)
{
    uint64_t draws = (uint64_t)LISTS * (capacity / CNI_RENDER_BLOCK_DRAW_QUADS);
    user->draw_bytes = (HEAD_WORDS + draws * DRAW_WORDS) * sizeof(uint32_t);
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "clear draws",
                                                                          .kind = CN_GRAPH_TRANSFER,
                                                                          .run = run_clear_draws,
                                                                          .user = user});
    user->buffers[DRAWS_BINDING] = cn_graph_write_buffer(
        frame->graph, pass, make_buffer(frame, "draws of quads", user->draw_bytes),
        CN_GPU_ACCESS_COPY_TO, NULL);
}

CniRenderQuadList cni_render_quad_list(CnFrame *frame, const CnBlockView *view,
                                       CniRenderQuadCuller *quad_culler,
                                       const CniRenderBlockCull *cull, bool is_new)
{
    CnGraph *graph = frame->graph;
    QuadCullRun *user = cn_frame_alloc(frame, sizeof *user);
    CnGpuUpload data = upload(frame, view, quad_culler, cull, is_new);
    if (!user || !data.data)
        return (CniRenderQuadList){0};
    *user =
        (QuadCullRun){.frame = frame, .view = view, .pipeline = quad_culler->list, .data = data};
    clear_draws(frame, user, quad_culler->capacity);
    CnGraphPass pass = add_quad_pass(frame, "list quads", user);
    cn_graph_read_buffer(graph, pass, quad_culler->visible_quads, CN_GPU_ACCESS_READ_COMPUTE);
    user->buffers[VISIBLE_QUADS_BINDING] = quad_culler->visible_quads;
    change(frame, pass, user, DRAWN_BINDING, &quad_culler->drawn);
    change(frame, pass, user, DRAWS_BINDING, &user->buffers[DRAWS_BINDING]);
    change(frame, pass, user, ENTRIES_BINDING, &quad_culler->entries);
    return (CniRenderQuadList){view, user->buffers[DRAWS_BINDING], quad_culler->entries,
                               quad_culler->capacity};
}

/* ---- Drawing ---- */

void cni_render_quad_list_read(CnFrame *frame, CnGraphPass pass, const CniRenderQuadList *quads)
{
    if (!quads->capacity)
        return;
    cn_graph_read_buffer(frame->graph, pass, quads->draws, CN_GPU_ACCESS_INDIRECT);
    cn_graph_read_buffer(frame->graph, pass, quads->entries, CN_GPU_ACCESS_READ);
}

/* Draws clipped quads first: most of them are near and hide much. */
void cni_render_quad_list_draw(const CnGraphRun *run, const CniRenderQuadList *quads,
                               uint32_t binding, bool is_cut)
{
    CnGpuBuffer draws = cn_graph_get_buffer(run->graph, quads->draws);
    const uint32_t lists[] = {is_cut ? 3 : 2, is_cut ? 1 : 0};
    uint32_t most = quads->capacity / CNI_RENDER_BLOCK_DRAW_QUADS;
    cn_gpu_bind_buffer(run->commands, binding, cn_graph_get_buffer(run->graph, quads->entries), 0,
                       0);
    for (uint32_t i = 0; i < CN_COUNT_OF(lists); i++)
        cn_gpu_draw_indexed_indirect_count(
            run->commands, draws,
            (HEAD_WORDS + (uint64_t)lists[i] * most * DRAW_WORDS) * sizeof(uint32_t), draws,
            (DRAWS_AT + lists[i]) * sizeof(uint32_t), most, DRAW_WORDS * sizeof(uint32_t));
    quads->view->renderer->stats.draw_calls += CN_COUNT_OF(lists);
}

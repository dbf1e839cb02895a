#include "render/block/quad_culling.h"

#include "shaders/render/block/blocks_quad_list.comp.h"
#include "shaders/render/block/blocks_quad_cull.comp.h"

#include <assert.h>

#define ITEM_HEAD_BYTES 32u /* blocks_items.glsl */
#define LISTS 4u
#define HEAD_WORDS 16u /* of the draws: blocks_quad_list.comp */
#define DRAWS_AT 4u    /* words: how many draws each list has */
#define DRAW_WORDS 5u
#define ENTRY_BYTES 24u
#define PICK_HEAD_BYTES 16u
#define PICK_LISTS 3u
#define PICKS_NEW 2u
#define PICK_BYTES 8u
#define LEAST_ROOM (1u << 17)
/* Of 8 threads, which go through all that there is. */
#define GROUPS_CPU 64u
#define GROUPS_GPU 4096u

enum { SIFT_BINDING = CNI_BLOCK_BINDINGS, PICKS_BINDING = 10, DRAWN_BINDING = 11 };
enum { ITEMS_BINDING = 9, SQUARES_BINDING = 12, DEPTH_BINDING = 13 }; /* blocks_quad_cull.comp */
enum { ENTRIES_BINDING = 9, DRAWS_BINDING = 12 };                     /* blocks_quad_list.comp */
#define LAST_BUFFER 12u

typedef struct CniBlockSiftData { /* blocks_quad_culling.glsl */
    CnMat4 eye_to_clip, clip_to_eye;
    CnVec4 viewer;
    uint32_t width, height, room, records;
    uint32_t read, written, is_hiding, first;
} CniBlockSiftData;
static_assert(sizeof(CniBlockSiftData) == 176, "std140");

/* ---- Setup ---- */

static CnRenderPipeline make(CnRenderer *renderer, const char *name, CnShader shader,
                             bool has_depth, CnError *error)
{
    CnRenderPipelineDesc desc = {.compute = shader, .state = {.name = name}};
    CnGpuBindingKind *bindings = desc.state.bindings;
    cni_block_bindings(bindings);
    bindings[SIFT_BINDING] = CN_BIND_UNIFORM;
    for (uint32_t i = SIFT_BINDING + 1; i <= LAST_BUFFER; i++)
        bindings[i] = CN_BIND_STORAGE;
    if (has_depth)
        bindings[DEPTH_BINDING] = CN_BIND_TEXTURE;
    return cn_render_pipeline(renderer, &desc, error);
}

bool cni_block_sift_setup(CnRenderer *renderer, CniBlockSift *sift, CnError *error)
{
    sift->pick =
        make(renderer, "pick quads", (CnShader)CN_SHADER(render_blocks_pick_comp), true, error);
    sift->list =
        make(renderer, "list quads", (CnShader)CN_SHADER(render_blocks_list_comp), false, error);
    return sift->pick.id && sift->list.id;
}

void cni_block_sift_destroy(CnRenderer *renderer, CniBlockSift *sift)
{
    cn_render_pipeline_destroy(renderer, sift->pick);
    cn_render_pipeline_destroy(renderer, sift->list);
}

/* ---- Begin ---- */

typedef struct ClearRun {
    CnGraphBuffer items, picks, drawn;
    uint64_t drawn_bytes;
    uint32_t written; /* list of picks */
    bool is_first;    /* and all others */
} ClearRun;

static void run_clear(const CnGraphRun *run)
{
    const ClearRun *user = run->user;
    const uint64_t word = sizeof(uint32_t);
    CnGpuBuffer picks = cn_graph_get_buffer(run->graph, user->picks);
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, user->items), 0,
                       ITEM_HEAD_BYTES, 0);
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, user->drawn), 0,
                       user->drawn_bytes, 0);
    if (user->is_first) {
        cn_gpu_fill_buffer(run->commands, picks, 0, PICK_HEAD_BYTES, 0);
        return;
    }
    cn_gpu_fill_buffer(run->commands, picks, user->written * word, word, 0);
    cn_gpu_fill_buffer(run->commands, picks, PICKS_NEW * word, word, 0);
}

static CnGraphBuffer make_buffer(CnFrame *frame, const char *name, uint64_t size)
{
    return cn_graph_buffer(frame->graph, &(CnGpuBufferDesc){.name = name, .size = size});
}

/* Which of two lists of picks this frame writes. */
static uint32_t written_in(const CnFrame *frame)
{
    return frame->number % 2;
}

/* What is not hidden covers pixels; of the rest there is more. */
static uint32_t room_for(const CnFrame *frame, bool has_phases)
{
    uint32_t room = LEAST_ROOM;
    while (room < frame->width * frame->height / 4)
        room *= 2;
    return has_phases ? room : room * 4;
}

/* Of four lists: two are much shorter. */
static uint32_t entries_of(uint32_t room)
{
    return room * 9 / 4;
}

bool cni_block_sift_begin(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                          bool has_phases)
{
    CnGraph *graph = frame->graph;
    ClearRun *user = cn_frame_memory(frame, sizeof *user);
    if (!cni_block_view_is_ready(view) || view->all.count == 0 || !user)
        return false;
    *user = (ClearRun){.drawn_bytes = ((uint64_t)view->max_quads + 31) / 32 * sizeof(uint32_t),
                       .written = written_in(frame)};
    sift->has_phases = has_phases;
    sift->room = room_for(frame, has_phases);
    sift->picks = cn_graph_persistent_buffer(
        graph,
        &(CnGpuBufferDesc){.name = "picked quads",
                           .size = PICK_HEAD_BYTES + (uint64_t)PICK_LISTS * sift->room * PICK_BYTES,
                           .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_TO},
        &user->is_first);
    CnGraphPass pass = cn_graph_pass(graph, &(CnGraphPassDesc){.name = "clear quads",
                                                               .kind = CN_GRAPH_TRANSFER,
                                                               .run = run_clear,
                                                               .user = user});
    sift->items = make_buffer(frame, "items of blocks", cni_block_item_bytes(view));
    sift->drawn = make_buffer(frame, "quads drawn", user->drawn_bytes);
    sift->entries =
        make_buffer(frame, "listed quads",
                    (has_phases ? 2 : 1) * (uint64_t)entries_of(sift->room) * ENTRY_BYTES);
    CnGraphBuffer *cleared[] = {&sift->items, &sift->picks, &sift->drawn};
    for (uint32_t i = 0; i < CN_COUNT_OF(cleared); i++)
        *cleared[i] = cn_graph_write_buffer(graph, pass, *cleared[i], CN_GPU_ACCESS_COPY_TO, NULL);
    user->items = sift->items;
    user->picks = sift->picks;
    user->drawn = sift->drawn;
    return true;
}

/* ---- Picking and listing ---- */

typedef struct SiftRun {
    CnFrame *frame;
    const CnBlockView *view;
    CnRenderPipeline pipeline;
    CnGpuUpload data;
    CnGraphBuffer buffers[LAST_BUFFER + 1]; /* by binding */
    CnGraphTexture depth;
    bool has_depth;
    uint64_t draw_bytes;
} SiftRun;

static CnGpuUpload upload(const CnFrame *frame, const CnBlockView *view, const CniBlockSift *sift,
                          const CniBlockCull *cull, bool is_new)
{
    CnGpuUpload data = cn_gpu_upload(frame->commands, sizeof(CniBlockSiftData), 0);
    CnMat4 eye_to_clip = cni_view_from_eye(&frame->view);
    uint32_t written = written_in(frame);
    if (data.data)
        *(CniBlockSiftData *)data.data =
            (CniBlockSiftData){.eye_to_clip = eye_to_clip,
                               .clip_to_eye = cn_mat4_inverse(&eye_to_clip),
                               .viewer = cull->viewer,
                               .width = frame->width,
                               .height = frame->height,
                               .room = sift->room,
                               .records = view->all.count,
                               .read = is_new ? PICKS_NEW : 1 - written,
                               .written = written,
                               .is_hiding = cull->squares.id != 0,
                               .first = is_new && sift->has_phases ? entries_of(sift->room) : 0};
    return data;
}

static void run_sift(const CnGraphRun *run)
{
    const SiftRun *user = run->user;
    const CnRenderer *renderer = user->frame->renderer;
    CnGpuCommands *commands = run->commands;
    bool is_cpu = cn_gpu_info(user->frame->gpu).kind == CN_GPU_KIND_CPU;
    cn_gpu_bind_pipeline(commands, cn_render_pipeline_get(renderer, user->pipeline));
    cni_block_bind(user->frame, user->view, commands);
    cn_gpu_bind_buffer(commands, SIFT_BINDING, user->data.buffer, user->data.offset,
                       sizeof(CniBlockSiftData));
    for (uint32_t i = SIFT_BINDING + 1; i <= LAST_BUFFER; i++)
        cn_gpu_bind_buffer(commands, i, cn_graph_get_buffer(run->graph, user->buffers[i]), 0, 0);
    if (user->has_depth)
        cn_gpu_bind_texture(commands, DEPTH_BINDING,
                            user->depth.id ? cn_graph_get_texture(run->graph, user->depth)
                                           : renderer->neutral.white,
                            renderer->neutral.nearest_clamp);
    cn_gpu_dispatch(commands, is_cpu ? GROUPS_CPU : GROUPS_GPU, 1, 1);
}

static CnGraphPass add_sift(CnFrame *frame, const char *name, SiftRun *user)
{
    return cn_graph_pass(
        frame->graph,
        &(CnGraphPassDesc){.name = name, .kind = CN_GRAPH_COMPUTE, .run = run_sift, .user = user});
}

/* What one reads it may write, too. */
static void change(CnFrame *frame, CnGraphPass pass, SiftRun *user, uint32_t binding,
                   CnGraphBuffer *buffer)
{
    *buffer = cn_graph_write_buffer(frame->graph, pass, *buffer, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    user->buffers[binding] = *buffer;
}

void cni_block_pick(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                    const CniBlockCull *cull)
{
    CnGraph *graph = frame->graph;
    SiftRun *user = cn_frame_memory(frame, sizeof *user);
    CnGpuUpload data = upload(frame, view, sift, cull, false);
    if (!user || !data.data)
        return;
    *user = (SiftRun){
        .frame = frame, .view = view, .pipeline = sift->pick, .data = data, .has_depth = true};
    CnGraphPass pass = add_sift(frame, "pick quads", user);
    cn_graph_read_buffer(graph, pass, sift->items, CN_GPU_ACCESS_READ_COMPUTE);
    user->buffers[ITEMS_BINDING] = sift->items;
    user->buffers[SQUARES_BINDING] = sift->items;
    if (cull->squares.id) {
        user->buffers[SQUARES_BINDING] = cull->squares;
        user->depth = frame->depth;
        cn_graph_read_buffer(graph, pass, cull->squares, CN_GPU_ACCESS_READ_COMPUTE);
        cn_graph_read_texture(graph, pass, frame->depth, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    }
    change(frame, pass, user, PICKS_BINDING, &sift->picks);
    change(frame, pass, user, DRAWN_BINDING, &sift->drawn);
}

static void run_clear_draws(const CnGraphRun *run)
{
    const SiftRun *user = run->user;
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, user->buffers[DRAWS_BINDING]),
                       0, user->draw_bytes, 0);
}

static void clear_draws(CnFrame *frame, SiftRun *user, uint32_t room)
{
    uint64_t draws = (uint64_t)LISTS * (room / CNI_BLOCK_DRAW_QUADS);
    user->draw_bytes = (HEAD_WORDS + draws * DRAW_WORDS) * sizeof(uint32_t);
    CnGraphPass pass = cn_graph_pass(frame->graph, &(CnGraphPassDesc){.name = "clear draws",
                                                                      .kind = CN_GRAPH_TRANSFER,
                                                                      .run = run_clear_draws,
                                                                      .user = user});
    user->buffers[DRAWS_BINDING] = cn_graph_write_buffer(
        frame->graph, pass, make_buffer(frame, "draws of quads", user->draw_bytes),
        CN_GPU_ACCESS_COPY_TO, NULL);
}

CniBlockQuads cni_block_list(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                             const CniBlockCull *cull, bool is_new)
{
    CnGraph *graph = frame->graph;
    SiftRun *user = cn_frame_memory(frame, sizeof *user);
    CnGpuUpload data = upload(frame, view, sift, cull, is_new);
    if (!user || !data.data)
        return (CniBlockQuads){0};
    *user = (SiftRun){.frame = frame, .view = view, .pipeline = sift->list, .data = data};
    clear_draws(frame, user, sift->room);
    CnGraphPass pass = add_sift(frame, "list quads", user);
    cn_graph_read_buffer(graph, pass, sift->picks, CN_GPU_ACCESS_READ_COMPUTE);
    user->buffers[PICKS_BINDING] = sift->picks;
    change(frame, pass, user, DRAWN_BINDING, &sift->drawn);
    change(frame, pass, user, DRAWS_BINDING, &user->buffers[DRAWS_BINDING]);
    change(frame, pass, user, ENTRIES_BINDING, &sift->entries);
    return (CniBlockQuads){view, user->buffers[DRAWS_BINDING], sift->entries, sift->room};
}

/* ---- Drawing ---- */

void cni_block_quads_read(CnFrame *frame, CnGraphPass pass, const CniBlockQuads *quads)
{
    if (!quads->room)
        return;
    cn_graph_read_buffer(frame->graph, pass, quads->draws, CN_GPU_ACCESS_INDIRECT);
    cn_graph_read_buffer(frame->graph, pass, quads->entries, CN_GPU_ACCESS_READ);
}

/* What is clipped first: most of it is near, and hides much. */
void cni_block_quads_draw(const CnGraphRun *run, const CniBlockQuads *quads, uint32_t binding,
                          bool is_cut)
{
    CnGpuBuffer draws = cn_graph_get_buffer(run->graph, quads->draws);
    const uint32_t lists[] = {is_cut ? 3 : 2, is_cut ? 1 : 0};
    uint32_t most = quads->room / CNI_BLOCK_DRAW_QUADS;
    cn_gpu_bind_buffer(run->commands, binding, cn_graph_get_buffer(run->graph, quads->entries), 0,
                       0);
    for (uint32_t i = 0; i < CN_COUNT_OF(lists); i++)
        cn_gpu_draw_indexed_indirect_count(
            run->commands, draws,
            (HEAD_WORDS + (uint64_t)lists[i] * most * DRAW_WORDS) * sizeof(uint32_t), draws,
            (DRAWS_AT + lists[i]) * sizeof(uint32_t), most, DRAW_WORDS * sizeof(uint32_t));
    quads->view->renderer->stats.draw_calls += CN_COUNT_OF(lists);
}

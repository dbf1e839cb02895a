/* Culling of the chunks of a block view: a compute pass, which writes indirect draws. */
#include "render/block/block_view.h"

#include <string.h>

#include "shaders/render/block/blocks_cull.comp.h"
#include "shaders/render/block/blocks_cull_items.comp.h"
#include "shaders/render/block/blocks_cull_quad_items.comp.h"
#include "shaders/render/block/blocks_depth_pyramid.comp.h"
#include "shaders/render/block/blocks_depth_pyramid_raster.comp.h"

#define HEAD_WORDS CNI_RENDER_HEAD_WORDS /* blocks_cull.glsl */
#define DRAW_WORDS 5u
#define GROUP 64u
#define SQUARE 64u /* pixels of the largest; see blocks_depth_pyramid.comp */
#define DEPTH_PYRAMID_LEVELS 3u
#define MIN_ROOM 256u
#define LISTS 7u /* four distance bands of opaque draws, and one list for each other part */
#define DRAWS_OF_A_RECORD 3u /* at most, in one list; 1 if only water is drawn */
#define BANDS 4u
#define RECORDS_OF_A_CHUNK 2u /* the part without sky light may have its own record */
#define MOST_CHUNKS_ACROSS 32u
#define ITEM_HEAD_BYTES 32u /* blocks_items.glsl */
#define ITEM_BYTES 8u
#define ITEM_QUADS 64u
#define ITEMS_OF_A_RECORD 8u /* partially filled; more than the average */
/* Quads that may be drawn needlessly to save a draw. */
#define GAP_GPU 32u
#define GAP_CPU 16u

typedef struct CniRenderBlockCullData { /* blocks_cull.glsl */
    CnVec4 planes[6], viewer;
    uint32_t records, capacity, lists, gap;
    CnMat4 eye_to_clip, clip_to_eye;
    uint32_t width, height, phase;
    float reach;
} CniRenderBlockCullData;

/* ---- Pipelines ---- */

void cni_render_block_bindings(CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS])
{
    static const CnGpuBindingKind kinds[CNI_RENDER_BLOCK_BINDINGS] = {
        CN_GPU_BIND_UNIFORM, CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE,
        CN_GPU_BIND_STORAGE, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE};
    memcpy(bindings, kinds, sizeof kinds);
}

void cni_render_block_bind(CnFrame *frame, const CnBlockView *view, CnGpuCommands *commands)
{
    const CnGpuUpload *data = &frame->frame_data;
    const CniRenderBlockTextures *textures = &view->textures;
    cn_gpu_bind_buffer(commands, 0, data->buffer, data->offset, sizeof(CniRenderFrameData));
    cn_gpu_bind_buffer(commands, 1, view->record_buffer, 0, 0);
    cn_gpu_bind_buffer(commands, 2, view->quad_buffer, 0, 0);
    cn_gpu_bind_buffer(commands, 3, view->table_buffer, 0, 0);
    cn_gpu_bind_buffer(commands, 4, view->presence_buffer, 0, 0);
    cn_gpu_bind_texture(commands, 5, textures->color, textures->sampler);
    cn_gpu_bind_texture(commands, 6, textures->detail, textures->sampler);
    cn_gpu_bind_texture(commands, 7, view->climate.texture, view->climate.sampler);
    cn_gpu_bind_indices(commands, view->index_buffer, 0, CN_GPU_FORMAT_R16U);
}

static CnRenderPipeline make_cull(CnRenderer *renderer, const char *name, CnShader compute,
                                  CnError *error)
{
    return cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){
            .compute = compute,
            .state = {.name = name,
                      .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_STORAGE, CN_GPU_BIND_UNIFORM,
                                   CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE,
                                   CN_GPU_BIND_STORAGE}}},
        error);
}

static CnRenderPipeline make_depth(CnRenderer *renderer, const char *name, CnShader compute,
                                   CnGpuBindingKind source, CnError *error)
{
    return cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.compute = compute,
                                .state = {.name = name,
                                          .bindings = {source, CN_GPU_BIND_STORAGE},
                                          .constants = 2 * sizeof(uint32_t)}},
        error);
}

bool cni_render_block_culler_setup(CnRenderer *renderer, CniRenderBlockCuller *culler,
                                   CnError *error)
{
    culler->cull = make_cull(renderer, "cull blocks",
                             (CnShader)CN_SHADER(render_block_blocks_cull_comp), error);
    culler->depth = make_depth(renderer, "depth pyramid",
                               (CnShader)CN_SHADER(render_block_blocks_depth_pyramid_comp),
                               CN_GPU_BIND_TEXTURE, error);
    return culler->cull.id && culler->depth.id;
}

bool cni_render_block_culler_setup_items(CnRenderer *renderer, CniRenderBlockCuller *culler,
                                         CnError *error)
{
    culler->cull_items = make_cull(renderer, "cull blocks into items",
                                   (CnShader)CN_SHADER(render_block_blocks_cull_items_comp), error);
    culler->visible_depth =
        make_depth(renderer, "depth pyramid of quads",
                   (CnShader)CN_SHADER(render_block_blocks_depth_pyramid_raster_comp),
                   CN_GPU_BIND_STORAGE, error);
    return culler->cull_items.id && culler->visible_depth.id;
}

bool cni_render_block_culler_setup_quads(CnRenderer *renderer, CniRenderBlockCuller *culler,
                                         CnError *error)
{
    culler->cull_items =
        make_cull(renderer, "cull blocks for quad culling",
                  (CnShader)CN_SHADER(render_block_blocks_cull_quad_items_comp), error);
    culler->depth = make_depth(renderer, "depth pyramid",
                               (CnShader)CN_SHADER(render_block_blocks_depth_pyramid_comp),
                               CN_GPU_BIND_TEXTURE, error);
    return culler->cull_items.id && culler->depth.id;
}

void cni_render_block_culler_destroy(CnRenderer *renderer, CniRenderBlockCuller *culler)
{
    const CnRenderPipeline pipelines[] = {culler->cull, culler->cull_items, culler->depth,
                                          culler->visible_depth};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++)
        cn_render_pipeline_destroy(renderer, pipelines[i]);
}

/* ---- Passes ---- */

typedef struct CullRun {
    CnFrame *frame;
    CnBlockView *view;
    CnRenderPipeline pipeline;
    CnGpuUpload data;
    CnGraphBuffer draws, seen, depth_pyramid, items; /* null if not used in this phase */
    uint32_t records, shadow_views;
} CullRun;

static void run_clear(const CnGraphRun *run)
{
    const CullRun *user = run->user;
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, user->draws), 0,
                       HEAD_WORDS * sizeof(uint32_t), 0);
}

static void run_cull(const CnGraphRun *run)
{
    const CullRun *user = run->user;
    const CnGpuUpload *frame_data = &user->frame->frame_data;
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(user->frame->renderer, user->pipeline));
    cn_gpu_bind_buffer(run->commands, 0, frame_data->buffer, frame_data->offset,
                       sizeof(CniRenderFrameData));
    cn_gpu_bind_buffer(run->commands, 1, user->view->record_buffer, 0, 0);
    cn_gpu_bind_buffer(run->commands, 2, user->data.buffer, user->data.offset,
                       CNI_RENDER_MAX_RASTER_VIEWS * sizeof(CniRenderBlockCullData));
    CnGpuBuffer draws = cn_graph_get_buffer(run->graph, user->draws);
    cn_gpu_bind_buffer(run->commands, 3, draws, 0, 0);
    const CnGraphBuffer others[] = {user->seen, user->depth_pyramid, user->items};
    for (uint32_t i = 0; i < CN_COUNT_OF(others); i++)
        cn_gpu_bind_buffer(run->commands, 4 + i,
                           others[i].id ? cn_graph_get_buffer(run->graph, others[i]) : draws, 0, 0);
    cn_gpu_dispatch(run->commands, (user->records + GROUP - 1) / GROUP, user->shadow_views, 1);
}

static float plane_at_eye(CnVec4 plane, CnVec3 eye)
{
    return (float)((double)plane.x * (double)eye.x + (double)plane.y * (double)eye.y +
                   (double)plane.z * (double)eye.z + (double)plane.w);
}

static void write_cull(CniRenderBlockCullData *data, const CnFrame *frame,
                       const CniRenderBlockCull *cull, uint32_t records, uint32_t capacity)
{
    CnVec3 eye = frame->view.position;
    bool is_cpu = cn_gpu_info(frame->gpu).kind == CN_GPU_KIND_CPU;
    *data = (CniRenderBlockCullData){.viewer = cull->viewer,
                                     .records = records,
                                     .capacity = capacity,
                                     .lists = cull->lists,
                                     .gap = is_cpu ? GAP_CPU : GAP_GPU,
                                     .eye_to_clip = cull->eye_to_clip,
                                     .clip_to_eye = cn_mat4_inverse(&cull->eye_to_clip),
                                     .width = frame->width,
                                     .height = frame->height,
                                     .phase = cull->phase,
                                     .reach = cull->reach};
    for (uint32_t i = 0; i < 6; i++) {
        CnVec4 plane = cull->frustum->planes[i];
        data->planes[i] = (CnVec4){plane.x, plane.y, plane.z, plane_at_eye(plane, eye)};
    }
}

uint32_t cni_render_block_records_within(float reach, uint32_t records)
{
    /* An interval touches at most two more chunks than fit into it completely. The boxes of records
     * are slightly larger than their chunks, and the position of the light is rounded. */
    const float rounding = 1;
    float across = 2 * (reach + rounding) / CN_CHUNK_SIZE + 1;
    if (!(reach > 0) || !(across < MOST_CHUNKS_ACROSS))
        return records;
    uint32_t chunks = (uint32_t)across + 1, most = chunks * chunks * chunks * RECORDS_OF_A_CHUNK;
    return most < records ? most : records;
}

uint64_t cni_render_block_item_bytes(const CnBlockView *view)
{
    uint64_t items = view->max_quads / ITEM_QUADS + (uint64_t)view->max_records * ITEMS_OF_A_RECORD;
    return ITEM_HEAD_BYTES + items * ITEM_BYTES;
}

/* The number of records that a buffer of draws has room for. It doubles, so that the buffer is not
 * recreated for each new record. Where solid quads become items, draws need little memory, and
 * there is room for all records from the start. */
static uint32_t room_for(const CnBlockView *view, const CniRenderBlockCull *cull)
{
    if (cull->items)
        return view->max_records;
    uint32_t capacity = MIN_ROOM,
             records = cni_render_block_records_within(cull->reach, view->all.count);
    while (capacity < records)
        capacity *= 2;
    return capacity;
}

static CnGpuUpload upload_culls(const CnFrame *frame, const CniRenderBlockCull *culls,
                                uint32_t count, uint32_t records, uint32_t capacity)
{
    CnGpuUpload data = cn_gpu_upload(
        frame->commands, CNI_RENDER_MAX_RASTER_VIEWS * sizeof(CniRenderBlockCullData), 0);
    for (uint32_t i = 0; i < CNI_RENDER_MAX_RASTER_VIEWS && data.data; i++)
        write_cull((CniRenderBlockCullData *)data.data + i, frame, &culls[i < count ? i : 0],
                   records, capacity);
    return data;
}

/* `words` is the size of the draws. */
static CnGraphBuffer add_cull(CnFrame *frame, CullRun *user, const CniRenderBlockCull *cull,
                              uint64_t words)
{
    CnGraph *graph = frame->graph;
    CnGraphBuffer draws = cn_graph_create_buffer(
        graph, &(CnGpuBufferDesc){.name = "block draws", .size = words * sizeof(uint32_t)});
    CnGraphPass clear = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "clear block draws",
                                                                    .kind = CN_GRAPH_TRANSFER,
                                                                    .run = run_clear,
                                                                    .user = user});
    draws = cn_graph_write_buffer(graph, clear, draws, CN_GPU_ACCESS_COPY_TO, NULL);
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){
                   .name = "cull blocks", .kind = CN_GRAPH_COMPUTE, .run = run_cull, .user = user});
    draws = cn_graph_write_buffer(graph, pass, draws, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    user->draws = draws;
    if (cull->items)
        *cull->items = user->items =
            cn_graph_write_buffer(graph, pass, *cull->items, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    if (cull->seen)
        user->seen = *cull->seen;
    if (cull->phase == CNI_RENDER_PHASE_PREVIOUSLY_VISIBLE)
        cn_graph_read_buffer(graph, pass, user->seen, CN_GPU_ACCESS_READ_COMPUTE);
    if (cull->phase == CNI_RENDER_PHASE_NEWLY_VISIBLE) {
        user->depth_pyramid = cull->depth_pyramid;
        cn_graph_read_buffer(graph, pass, user->depth_pyramid, CN_GPU_ACCESS_READ_COMPUTE);
    }
    if (cull->phase == CNI_RENDER_PHASE_NEWLY_VISIBLE && cull->seen) {
        *cull->seen = user->seen =
            cn_graph_write_buffer(graph, pass, user->seen, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    }
    return draws;
}

CniRenderBlockDrawList cni_render_block_cull(CnFrame *frame, CnBlockView *view,
                                             const CniRenderBlockCuller *culler,
                                             const CniRenderBlockCull *cull)
{
    CniRenderBlockDrawList none = {0};
    uint32_t records = view->all.count, capacity = room_for(view, cull);
    CullRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!cni_render_block_view_is_ready(view) || records == 0 || !user)
        return none;
    CnGpuUpload data = upload_culls(frame, cull, 1, records, capacity);
    if (!data.data)
        return none;
    *user = (CullRun){frame,
                      view,
                      cull->items ? culler->cull_items : culler->cull,
                      data,
                      .records = records,
                      .shadow_views = 1};
    uint64_t most = (uint64_t)capacity * (cull->items ? 1 : LISTS * DRAWS_OF_A_RECORD);
    CnGraphBuffer draws = add_cull(frame, user, cull, HEAD_WORDS + most * DRAW_WORDS);
    return (CniRenderBlockDrawList){
        .view = view, .buffer = draws, .capacity = capacity, .is_water = cull->items != NULL};
}

CniRenderBlockDrawList cni_render_block_cull_view(CnFrame *frame, CnBlockView *view,
                                                  const CniRenderBlockCuller *culler,
                                                  const CniRenderBlockCull *cull)
{
    CniRenderBlockDrawList draws = cni_render_block_cull(frame, view, culler, cull);
    if (draws.capacity)
        view->seen[view->seen_count++] = draws;
    return draws;
}

static void add_shadow_draws(CnBlockView *view, CnGraphBuffer draws)
{
    if (view->shadow_count < CN_COUNT_OF(view->shadow_draws))
        view->shadow_draws[view->shadow_count++] = draws;
}

CniRenderBlockDrawList cni_render_block_cull_shadow(CnFrame *frame, CnBlockView *view,
                                                    const CniRenderBlockCuller *culler,
                                                    const CniRenderBlockCull *cull)
{
    CniRenderBlockDrawList draws = cni_render_block_cull(frame, view, culler, cull);
    if (draws.capacity)
        add_shadow_draws(view, draws.buffer);
    return draws;
}

CnGraphBuffer cni_render_block_visibility_buffer(CnFrame *frame, const CnBlockView *view)
{
    return cn_graph_persistent_buffer(
        frame->graph,
        &(CnGpuBufferDesc){.name = "blocks seen",
                           .size = view->max_records * sizeof(uint32_t),
                           .usage = CN_GPU_USE_STORAGE},
        NULL);
}

bool cni_render_block_cull_items(CnFrame *frame, CnBlockView *view,
                                 const CniRenderBlockCuller *culler,
                                 const CniRenderBlockCull *culls, uint32_t count)
{
    uint32_t records = view->all.count;
    CullRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return false;
    CnGpuUpload data = upload_culls(frame, culls, count, records, 0);
    if (!data.data)
        return false;
    *user =
        (CullRun){frame, view, culler->cull_items, data, .records = records, .shadow_views = count};
    add_shadow_draws(view, add_cull(frame, user, culls, HEAD_WORDS));
    return true;
}

/* ---- Depth pyramid ---- */

typedef struct DepthPyramidRun {
    const CnRenderer *renderer;
    CnRenderPipeline pipeline;
    CnGraphTexture depth; /* or */
    CnGraphBuffer visible;
    CnGraphBuffer depth_pyramid;
    uint32_t width, height;
} DepthPyramidRun;

static void run_depth_pyramid(const CnGraphRun *run)
{
    const DepthPyramidRun *user = run->user;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(user->renderer, user->pipeline));
    if (user->visible.id)
        cn_gpu_bind_buffer(run->commands, 0, cn_graph_get_buffer(run->graph, user->visible), 0, 0);
    else
        cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, user->depth),
                            user->renderer->defaults.nearest_clamp);
    cn_gpu_bind_buffer(run->commands, 1, cn_graph_get_buffer(run->graph, user->depth_pyramid), 0,
                       0);
    const uint32_t size[] = {user->width, user->height};
    cn_gpu_push_constants(run->commands, size, sizeof size);
    cn_gpu_dispatch(run->commands, (user->width + SQUARE - 1) / SQUARE,
                    (user->height + SQUARE - 1) / SQUARE, 1);
}

static uint64_t count_pyramid_texels(uint32_t width, uint32_t height)
{
    uint64_t count = 0;
    for (uint32_t level = 0; level < DEPTH_PYRAMID_LEVELS; level++) {
        width = (width + 3) / 4;
        height = (height + 3) / 4;
        count += (uint64_t)width * height;
    }
    return count;
}

CnGraphBuffer cni_render_block_depth_pyramid(CnFrame *frame, const CniRenderBlockCuller *culler,
                                             CnGraphBuffer visible)
{
    CnGraph *graph = frame->graph;
    DepthPyramidRun *user = cn_frame_alloc(frame, sizeof *user);
    CnGraphBuffer none = {0};
    if (!user)
        return none;
    CnGraphBuffer depth_pyramid = cn_graph_create_buffer(
        graph, &(CnGpuBufferDesc){.name = "depth pyramid",
                                  .size = count_pyramid_texels(frame->width, frame->height) *
                                          sizeof(float)});
    CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "depth pyramid",
                                                                   .kind = CN_GRAPH_COMPUTE,
                                                                   .run = run_depth_pyramid,
                                                                   .user = user});
    if (visible.id)
        cn_graph_read_buffer(graph, pass, visible, CN_GPU_ACCESS_READ_COMPUTE);
    else
        cn_graph_read_texture(graph, pass, frame->depth, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    depth_pyramid = cn_graph_write_buffer(graph, pass, depth_pyramid, CN_GPU_ACCESS_WRITE_COMPUTE,
                                          &(CnGraphSubresource){.overwrite = true});
    *user = (DepthPyramidRun){frame->renderer, visible.id ? culler->visible_depth : culler->depth,
                              frame->depth,    visible,
                              depth_pyramid,   frame->width,
                              frame->height};
    return depth_pyramid;
}

/* ---- Counts ---- */

typedef struct CountRun {
    CnBlockView *view;
    uint64_t frame;
    uint32_t slot;
    CniRenderBlockDrawList seen[2];
    uint32_t seen_count;
    CnGraphBuffer counts;
} CountRun;

static void copy_words(CnGpuCommands *commands, CnGpuBuffer from, uint32_t from_word,
                       CnGpuBuffer to, uint64_t to_word, uint32_t words)
{
    const uint64_t word = sizeof(uint32_t);
    cn_gpu_copy_buffer(commands, from, from_word * word, to, to_word * word, words * word);
}

/* Copies the counts from the head of blocks_quad_list.comp: draws at 4, quads at 8. */
static void copy_quad_draws(CnGpuCommands *commands, CnGpuBuffer quad_draws, CnGpuBuffer counts,
                            uint64_t draws_at, uint64_t quads_at)
{
    copy_words(commands, quad_draws, 4, counts, draws_at, CNI_RENDER_QUAD_LISTS);
    copy_words(commands, quad_draws, 8, counts, quads_at, 1);
}

static void copy_counts(const CnGraphRun *run, const CniRenderBlockDrawList *seen,
                        CnGpuBuffer counts, uint64_t at)
{
    CnGpuBuffer draws = cn_graph_get_buffer(run->graph, seen->buffer);
    if (!seen->quad_draws[0].id) {
        copy_words(run->commands, draws, 0, counts, at, CNI_RENDER_HEAD_WORDS);
        return;
    }
    copy_words(run->commands, draws, CNI_RENDER_QUAD_LISTS, counts, at + CNI_RENDER_QUAD_LISTS,
               CNI_RENDER_COUNTS_AT + 1 - CNI_RENDER_QUAD_LISTS);
    copy_quad_draws(run->commands, cn_graph_get_buffer(run->graph, seen->quad_draws[0]), counts, at,
                    at + CNI_RENDER_COUNTS_AT + 1);
    if (seen->quad_draws[1].id)
        copy_quad_draws(run->commands, cn_graph_get_buffer(run->graph, seen->quad_draws[1]), counts,
                        at + CNI_RENDER_SECOND_LISTS_AT,
                        at + CNI_RENDER_SECOND_LISTS_AT + CNI_RENDER_QUAD_LISTS);
    else
        copy_words(run->commands, draws, CNI_RENDER_SECOND_LISTS_AT, counts,
                   at + CNI_RENDER_SECOND_LISTS_AT, CNI_RENDER_QUAD_LISTS + 1);
    copy_words(run->commands, draws, CNI_RENDER_WATER_AT, counts, at + CNI_RENDER_WATER_AT, 1);
}

static void run_count(const CnGraphRun *run)
{
    const CountRun *user = run->user;
    CnGpuBuffer counts = cn_graph_get_buffer(run->graph, user->counts);
    CnBlockView *view = user->view;
    view->counted[user->slot] = user->seen_count; /* not set by frames that fail earlier */
    view->counted_shadows[user->slot] = view->shadow_count;
    view->counted_in[user->slot] = user->frame;
    for (uint32_t i = 0; i < user->seen_count; i++)
        copy_counts(run, &user->seen[i], counts, (uint64_t)i * CNI_RENDER_HEAD_WORDS);
    for (uint32_t i = 0; i < view->shadow_count; i++)
        copy_words(run->commands, cn_graph_get_buffer(run->graph, view->shadow_draws[i]), 0, counts,
                   (uint64_t)(user->seen_count + i) * CNI_RENDER_HEAD_WORDS, CNI_RENDER_HEAD_WORDS);
}

void cni_render_block_count_draws(CnFrame *frame, CnBlockView *view)
{
    uint32_t slot = frame->number % CN_GPU_FRAMES;
    CountRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user || !view->seen_count)
        return;
    CnGraph *graph = frame->graph;
    CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "count blocks",
                                                                   .kind = CN_GRAPH_TRANSFER,
                                                                   .run = run_count,
                                                                   .user = user});
    *user = (CountRun){.view = view,
                       .frame = frame->number,
                       .slot = slot,
                       .seen = {view->seen[0], view->seen[1]},
                       .seen_count = view->seen_count};
    for (uint32_t i = 0; i < view->shadow_count; i++)
        cn_graph_read_buffer(graph, pass, view->shadow_draws[i], CN_GPU_ACCESS_COPY_FROM);
    for (uint32_t i = 0; i < view->seen_count; i++) {
        cn_graph_read_buffer(graph, pass, view->seen[i].buffer, CN_GPU_ACCESS_COPY_FROM);
        for (uint32_t j = 0; j < CN_COUNT_OF(view->seen[i].quad_draws); j++) {
            if (view->seen[i].quad_draws[j].id)
                cn_graph_read_buffer(graph, pass, view->seen[i].quad_draws[j],
                                     CN_GPU_ACCESS_COPY_FROM);
        }
    }
    user->counts = cn_graph_import_buffer(
        graph, "block counts", view->counts[slot],
        view->counted[slot] ? CN_GPU_ACCESS_HOST : CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_HOST);
    user->counts = cn_graph_write_buffer(graph, pass, user->counts, CN_GPU_ACCESS_COPY_TO, NULL);
}

/* ---- Drawing ---- */

void cni_render_block_read(CnFrame *frame, CnGraphPass pass, const CniRenderBlockDrawList *draws)
{
    if (draws->capacity)
        cn_graph_read_buffer(frame->graph, pass, draws->buffer, CN_GPU_ACCESS_INDIRECT);
}

static void draw_list(const CnGraphRun *run, const CniRenderBlockDrawList *draws, uint32_t list)
{
    CnGpuBuffer buffer = cn_graph_get_buffer(run->graph, draws->buffer);
    uint32_t most = draws->capacity * (draws->is_water ? 1 : DRAWS_OF_A_RECORD);
    uint64_t first = HEAD_WORDS + (draws->is_water ? 0 : (uint64_t)list * most * DRAW_WORDS);
    cn_gpu_draw_indexed_indirect_count(run->commands, buffer, first * sizeof(uint32_t), buffer,
                                       list * sizeof(uint32_t), most,
                                       DRAW_WORDS * sizeof(uint32_t));
    draws->view->renderer->stats.draw_calls++;
}

void cni_render_block_draw(const CnGraphRun *run, const CniRenderBlockDrawList *draws,
                           CnChunkMeshPart part)
{
    if (!draws->capacity)
        return;
    for (uint32_t band = 0; band < BANDS && part == CN_CHUNK_MESH_OPAQUE; band++)
        draw_list(run, draws, band);
    if (part != CN_CHUNK_MESH_OPAQUE)
        draw_list(run, draws, BANDS - 1 + part);
}

CnMat4 cni_render_eye_to_clip(const CnMat4 *world_to_clip, CnVec3 eye)
{
    CnMat4 moved = *world_to_clip;
    const float *m = world_to_clip->m;
    for (uint32_t row = 0; row < 4; row++)
        moved.m[12 + row] =
            (float)((double)m[row] * (double)eye.x + (double)m[4 + row] * (double)eye.y +
                    (double)m[8 + row] * (double)eye.z + (double)m[12 + row]);
    return moved;
}

CnMat4 cni_render_view_from_eye(const CnView *view)
{
    CnMat4 turn = view->view;
    turn.m[12] = turn.m[13] = turn.m[14] = 0;
    return cn_mat4_mul(&view->projection, &turn);
}

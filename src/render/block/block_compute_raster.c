#include "render/block/block_compute_raster.h"

#include "render/core/renderer_internal.h"

#include "shaders/render/block/blocks_raster_begin.comp.h"
#include "shaders/render/block/blocks_raster.comp.h"
#include "shaders/render/block/blocks_raster_tiles.comp.h"
#include "shaders/render/block/blocks_raster_resolve.comp.h"
#include "shaders/render/block/blocks_shadow_raster_map.comp.h"
#include "shaders/render/block/blocks_shadow_raster.comp.h"
#include "shaders/render/block/blocks_shadow_raster_tiles.comp.h"

#include <assert.h>

#define HEAD_BYTES 32u /* of items and tiles: blocks_items.glsl */
#define TILE_BYTES 8u
#define TILES (1u << 21) /* quads beyond the capacity are drawn without tiles */
#define GROUP 8u
#define FULLY 0x3F800000u /* 1 as a float */
#define RESULTS 4u
#define CONSTANTS 2u /* words, for every pipeline */

typedef struct CniRenderRasterView { /* blocks_raster_views.glsl */
    CnMat4 eye_to_clip;
    CnVec4 origin[3], way[3], viewer, depth;
    uint32_t width, height, first, unused;
} CniRenderRasterView;
static_assert(sizeof(CniRenderRasterView) == 208, "std140");

/* ---- Pipelines ---- */

bool cni_render_raster_is_supported(const CnRenderer *renderer)
{
    return renderer->full_screen == CN_FULL_SCREEN_COMPUTE && cn_gpu_info(renderer->gpu).atomics_64;
}

static CnRenderPipeline make(CnRenderer *renderer, const char *name, CnShader shader,
                             const CnGpuBindingKind *others, CnError *error)
{
    CnRenderPipelineDesc desc = {
        .compute = shader, .state = {.name = name, .constants = CONSTANTS * sizeof(uint32_t)}};
    CnGpuBindingKind *bindings = desc.state.bindings;
    cni_render_block_bindings(bindings);
    bindings[CNI_RENDER_BLOCK_BINDINGS] = CN_GPU_BIND_UNIFORM;
    for (uint32_t i = 0; others[i]; i++)
        bindings[CNI_RENDER_BLOCK_BINDINGS + 1 + i] = others[i];
    return cn_render_pipeline_create(renderer, &desc, error);
}

bool cni_render_raster_setup(CnRenderer *renderer, CniRenderBlockRaster *raster, CnError *error)
{
    static const CnGpuBindingKind drawn[] = {CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE,
                                             CN_GPU_BIND_STORAGE, CN_GPU_BIND_NONE};
    static const CnGpuBindingKind resolved[] = {CN_GPU_BIND_STORAGE,
                                                CN_GPU_BIND_STORAGE,
                                                CN_GPU_BIND_STORAGE,
                                                CN_GPU_BIND_TEXTURE,
                                                CN_GPU_BIND_TEXTURE,
                                                CN_GPU_BIND_TEXTURE,
                                                CN_GPU_BIND_STORAGE_TEXTURE,
                                                CN_GPU_BIND_STORAGE_TEXTURE,
                                                CN_GPU_BIND_STORAGE_TEXTURE,
                                                CN_GPU_BIND_STORAGE_TEXTURE,
                                                CN_GPU_BIND_NONE};
    raster->view[0] = make(renderer, "block raster",
                           (CnShader)CN_SHADER(render_block_blocks_raster_comp), drawn, error);
    raster->view[1] =
        make(renderer, "block raster tiles",
             (CnShader)CN_SHADER(render_block_blocks_raster_tiles_comp), drawn, error);
    raster->shadow[0] =
        make(renderer, "block shadow raster",
             (CnShader)CN_SHADER(render_block_blocks_shadow_raster_comp), drawn, error);
    raster->shadow[1] =
        make(renderer, "block shadow raster tiles",
             (CnShader)CN_SHADER(render_block_blocks_shadow_raster_tiles_comp), drawn, error);
    raster->resolve =
        make(renderer, "block surfaces",
             (CnShader)CN_SHADER(render_block_blocks_raster_resolve_comp), resolved, error);
    raster->begin = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.compute = CN_SHADER(render_block_blocks_raster_begin_comp),
                                .state = {.name = "block raster begin",
                                          .bindings = {CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE}}},
        error);
    raster->shadow_map = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){
            .compute = CN_SHADER(render_block_blocks_shadow_raster_map_comp),
            .state = {.name = "block shadow map",
                      .bindings = {CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE_TEXTURE}}},
        error);
    return raster->view[0].id && raster->view[1].id && raster->shadow[0].id &&
           raster->shadow[1].id && raster->resolve.id && raster->begin.id && raster->shadow_map.id;
}

void cni_render_raster_destroy(CnRenderer *renderer, CniRenderBlockRaster *raster)
{
    const CnRenderPipeline pipelines[] = {raster->view[0],   raster->view[1], raster->shadow[0],
                                          raster->shadow[1], raster->begin,   raster->resolve,
                                          raster->shadow_map};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++)
        cn_render_pipeline_destroy(renderer, pipelines[i]);
}

/* ---- Rays ---- */

/* Sets up a vector per pixel from its value at the center and its changes towards the right and
 * lower edges. */
static void spread(CnVec4 out[3], CnVec3 middle, CnVec3 right, CnVec3 down, uint32_t width,
                   uint32_t height)
{
    float x = 2 / (float)width, y = 2 / (float)height;
    out[0] = (CnVec4){right.x * x, right.y * x, right.z * x, 0};
    out[1] = (CnVec4){down.x * y, down.y * y, down.z * y, 0};
    out[2] = (CnVec4){middle.x - right.x - down.x, middle.y - right.y - down.y,
                      middle.z - right.z - down.z, 0};
}

static CnVec3 of_view(const CnView *view, float x, float y, float z)
{
    CnVec3 across = cn_vec3_add(cn_vec3_scale(view->right, x), cn_vec3_scale(view->up, y));
    return cn_vec3_add(across, cn_vec3_scale(view->forward, z));
}

static CniRenderRasterView raster_view_of_camera(const CnFrame *frame)
{
    const CnView *view = &frame->view;
    const float *p = view->projection.m;
    float n = view->near_plane, f = view->far_plane;
    bool is_flat = view->fov <= 0;
    CniRenderRasterView raster_view = {.eye_to_clip = cni_render_view_from_eye(view),
                                       .width = frame->width,
                                       .height = frame->height};
    CnVec3 zero = {0, 0, 0};
    if (is_flat) {
        CnVec3 middle = of_view(view, -p[12] / p[0], -p[13] / p[5], n);
        spread(raster_view.origin, middle, of_view(view, 1 / p[0], 0, 0),
               of_view(view, 0, 1 / p[5], 0), frame->width, frame->height);
        spread(raster_view.way, of_view(view, 0, 0, f - n), zero, zero, frame->width,
               frame->height);
        raster_view.viewer = (CnVec4){-view->forward.x, -view->forward.y, -view->forward.z, 0};
        raster_view.depth = (CnVec4){1, 0, -1, 0};
        return raster_view;
    }
    spread(raster_view.origin, zero, zero, zero, frame->width, frame->height);
    spread(raster_view.way, of_view(view, p[8] / p[0] * n, p[9] / p[5] * n, n),
           of_view(view, n / p[0], 0, 0), of_view(view, 0, n / p[5], 0), frame->width,
           frame->height);
    raster_view.viewer = (CnVec4){0, 0, 0, 1};
    raster_view.depth = (CnVec4){-p[10], 1 + p[10], 0, 1};
    return raster_view;
}

static CnVec3 row_of(const CnMat4 *matrix, uint32_t row, float *offset)
{
    *offset = matrix->m[12 + row];
    return (CnVec3){matrix->m[row], matrix->m[4 + row], matrix->m[8 + row]};
}

/* The rows of the matrix are orthogonal. */
static CniRenderRasterView raster_view_of_sun(const CnShadowView *shadow, CnVec3 eye, uint32_t size)
{
    CniRenderRasterView raster_view = {.eye_to_clip =
                                           cni_render_eye_to_clip(&shadow->world_to_clip, eye),
                                       .width = size,
                                       .height = size,
                                       .first = shadow->index * size * size};
    CnVec3 duals[3], middle = {0, 0, 0}, zero = {0, 0, 0};
    for (uint32_t i = 0; i < 3; i++) {
        float offset;
        CnVec3 row = row_of(&raster_view.eye_to_clip, i, &offset);
        duals[i] = cn_vec3_scale(row, 1 / cn_vec3_dot(row, row));
        middle = cn_vec3_add(middle, cn_vec3_scale(duals[i], -offset));
    }
    spread(raster_view.origin, middle, duals[0], duals[1], size, size);
    spread(raster_view.way, duals[2], zero, zero, size, size);
    raster_view.viewer = (CnVec4){-duals[2].x, -duals[2].y, -duals[2].z, 0};
    raster_view.depth = (CnVec4){0, 0, 1, -1e30f};
    return raster_view;
}

/* ---- One image ---- */

typedef struct PhaseRun {
    CniRenderRasterJob job;
    uint32_t phase, step; /* step: items, tiles */
} PhaseRun;

static void run_clear(const CnGraphRun *run)
{
    const CniRenderRasterJob *job = &((const PhaseRun *)run->user)->job;
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, job->items), 0, HEAD_BYTES,
                       0);
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, job->tiles), 0, HEAD_BYTES,
                       0);
    if (job->target.id)
        cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, job->target), 0,
                           (uint64_t)job->width * job->height * job->layers *
                               (job->is_shadow ? 4 : 8),
                           job->is_shadow ? FULLY : 0);
}

static CnGraphBuffer make_buffer(CnFrame *frame, const char *name, uint64_t size)
{
    return cn_graph_create_buffer(frame->graph, &(CnGpuBufferDesc){.name = name, .size = size});
}

/* `clears`: clears the target, which is otherwise initialized by other passes. */
static void begin_job(CniRenderRasterJob *job, PhaseRun *user, bool clears)
{
    CnFrame *frame = job->frame;
    CnGraph *graph = frame->graph;
    uint64_t pixels = (uint64_t)job->width * job->height * job->layers;
    job->items = make_buffer(frame, "block items", cni_render_block_item_bytes(job->view));
    job->tiles = make_buffer(frame, "block tiles", HEAD_BYTES + (uint64_t)TILES * TILE_BYTES);
    job->target = make_buffer(frame, job->is_shadow ? "block shadow depth" : "visible block quads",
                              pixels * (job->is_shadow ? sizeof(uint32_t) : sizeof(uint64_t)));
    CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "clear blocks",
                                                                   .kind = CN_GRAPH_TRANSFER,
                                                                   .run = run_clear,
                                                                   .user = user});
    job->items = cn_graph_write_buffer(graph, pass, job->items, CN_GPU_ACCESS_COPY_TO, NULL);
    job->tiles = cn_graph_write_buffer(graph, pass, job->tiles, CN_GPU_ACCESS_COPY_TO, NULL);
    if (clears)
        job->target = cn_graph_write_buffer(graph, pass, job->target, CN_GPU_ACCESS_COPY_TO,
                                            &(CnGraphSubresource){.overwrite = true});
    *user = (PhaseRun){.job = *job};
    if (!clears)
        user->job.target.id = 0;
}

static void run_begin(const CnGraphRun *run)
{
    const CniRenderRasterJob *job = &((const PhaseRun *)run->user)->job;
    const CnRenderer *renderer = job->frame->renderer;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(renderer, job->raster->begin));
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, job->old.depth),
                        renderer->defaults.nearest_clamp);
    cn_gpu_bind_buffer(run->commands, 1, cn_graph_get_buffer(run->graph, job->target), 0, 0);
    cn_gpu_dispatch(run->commands, (job->width + GROUP - 1) / GROUP,
                    (job->height + GROUP - 1) / GROUP, 1);
}

static void begin_with_depth(CniRenderRasterJob *job, PhaseRun *user)
{
    CnGraph *graph = job->frame->graph;
    CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "block raster begin",
                                                                   .kind = CN_GRAPH_COMPUTE,
                                                                   .run = run_begin,
                                                                   .user = user});
    cn_graph_read_texture(graph, pass, job->old.depth, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    job->target = cn_graph_write_buffer(graph, pass, job->target, CN_GPU_ACCESS_WRITE_COMPUTE,
                                        &(CnGraphSubresource){.overwrite = true});
    *user = (PhaseRun){.job = *job};
}

static CniRenderRasterJob *new_job(CnFrame *frame, CnBlockView *view,
                                   const CniRenderBlockRaster *raster, PhaseRun **runs)
{
    CniRenderRasterJob *job = cn_frame_alloc(frame, sizeof *job);
    *runs = cn_frame_alloc(frame, 2 * sizeof **runs);
    if (!cni_render_block_view_is_ready(view) || view->all.count == 0 || !job || !*runs)
        return NULL;
    *job = (CniRenderRasterJob){.frame = frame, .view = view, .raster = raster, .layers = 1};
    job->raster_views = cn_gpu_upload(frame->commands,
                                      CNI_RENDER_MAX_RASTER_VIEWS * sizeof(CniRenderRasterView), 0);
    return job->raster_views.data ? job : NULL;
}

CniRenderRasterJob *cni_render_raster_begin_view(CnFrame *frame, CnBlockView *view,
                                                 const CniRenderBlockRaster *raster)
{
    PhaseRun *runs;
    CniRenderRasterJob *job = new_job(frame, view, raster, &runs);
    if (!job)
        return NULL;
    CniRenderRasterView *raster_views = job->raster_views.data;
    for (uint32_t i = 0; i < CNI_RENDER_MAX_RASTER_VIEWS; i++)
        raster_views[i] = raster_view_of_camera(frame);
    job->width = frame->width;
    job->height = frame->height;
    /* Geometry without meshes has only cleared its slots, so they need not be created. */
    bool is_empty = frame->depth.id && frame->depth.id == frame->empty_depth.id;
    if (!is_empty)
        job->old = (CniRenderGBufferSlots){frame->depth, frame->albedo, frame->normal, frame->hdr};
    begin_job(job, &runs[0], !job->old.depth.id);
    if (job->old.depth.id)
        begin_with_depth(job, &runs[1]);
    return job;
}

CniRenderRasterJob *cni_render_raster_begin_shadow(CnFrame *frame, CnBlockView *view,
                                                   const CniRenderBlockRaster *raster,
                                                   const CnShadowView *raster_views, uint32_t count,
                                                   uint32_t size)
{
    PhaseRun *runs;
    CniRenderRasterJob *job = new_job(frame, view, raster, &runs);
    if (!job)
        return NULL;
    CniRenderRasterView *data = job->raster_views.data;
    for (uint32_t i = 0; i < CNI_RENDER_MAX_RASTER_VIEWS; i++)
        data[i] = raster_view_of_sun(&raster_views[i < count ? i : 0], frame->view.position, size);
    job->is_shadow = true;
    job->width = job->height = size;
    job->layers = count;
    begin_job(job, &runs[0], true);
    return job;
}

/* ---- Drawing ---- */

static void bind_job(const CnGraphRun *run, const CniRenderRasterJob *job)
{
    CnGpuCommands *commands = run->commands;
    cni_render_block_bind(job->frame, job->view, commands);
    cn_gpu_bind_buffer(commands, CNI_RENDER_BLOCK_BINDINGS, job->raster_views.buffer,
                       job->raster_views.offset,
                       CNI_RENDER_MAX_RASTER_VIEWS * sizeof(CniRenderRasterView));
    cn_gpu_bind_buffer(commands, CNI_RENDER_BLOCK_BINDINGS + 1,
                       cn_graph_get_buffer(run->graph, job->items), 0, 0);
}

static void run_phase(const CnGraphRun *run)
{
    const PhaseRun *user = run->user;
    const CniRenderRasterJob *job = &user->job;
    const CniRenderBlockRaster *raster = job->raster;
    CnGpuCommands *commands = run->commands;
    CnRenderPipeline pipeline = (job->is_shadow ? raster->shadow : raster->view)[user->step];
    CnGpuBuffer tiles = cn_graph_get_buffer(run->graph, job->tiles);
    cn_gpu_bind_pipeline(commands, cn_render_pipeline_get(job->frame->renderer, pipeline));
    bind_job(run, job);
    cn_gpu_bind_buffer(commands, CNI_RENDER_BLOCK_BINDINGS + 2, tiles, 0, 0);
    cn_gpu_bind_buffer(commands, CNI_RENDER_BLOCK_BINDINGS + 3,
                       cn_graph_get_buffer(run->graph, job->target), 0, 0);
    const uint32_t constants[CONSTANTS] = {user->phase};
    cn_gpu_push_constants(commands, constants, sizeof constants);
    cn_gpu_dispatch_indirect(commands,
                             user->step ? tiles : cn_graph_get_buffer(run->graph, job->items),
                             user->phase * HEAD_BYTES / 2);
    CnRendererStats *stats = &job->frame->renderer->stats;
    stats->draws++;
    stats->draw_calls++;
}

void cni_render_raster_items(CniRenderRasterJob *job, uint32_t phase)
{
    static const char *const names[2][2] = {{"blocks", "block tiles"},
                                            {"block shadows", "block shadow tiles"}};
    CnGraph *graph = job->frame->graph;
    for (uint32_t step = 0; step < 2; step++) {
        PhaseRun *user = cn_frame_alloc(job->frame, sizeof *user);
        if (!user)
            return;
        CnGraphPass pass =
            cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = names[job->is_shadow][step],
                                                        .kind = CN_GRAPH_COMPUTE,
                                                        .run = run_phase,
                                                        .user = user});
        cn_graph_read_buffer(graph, pass, job->items, CN_GPU_ACCESS_READ_COMPUTE);
        if (step == 0) {
            cn_graph_read_buffer(graph, pass, job->items, CN_GPU_ACCESS_INDIRECT);
            job->tiles =
                cn_graph_write_buffer(graph, pass, job->tiles, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
        } else {
            cn_graph_read_buffer(graph, pass, job->tiles, CN_GPU_ACCESS_INDIRECT);
            cn_graph_read_buffer(graph, pass, job->tiles, CN_GPU_ACCESS_READ_COMPUTE);
        }
        job->target =
            cn_graph_write_buffer(graph, pass, job->target, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
        *user = (PhaseRun){*job, phase, step};
    }
}

/* ---- Results ---- */

typedef struct ResolveRun {
    CniRenderRasterJob job;
    CnGraphTexture results[RESULTS];
    CnGraphBuffer depths;
    CnGraphTexture depth;
} ResolveRun;

static void bind_old(const CnGraphRun *run, const ResolveRun *user)
{
    const CniRenderDefaults *defaults = &user->job.frame->renderer->defaults;
    const CniRenderGBufferSlots *old = &user->job.old;
    const CnGraphTexture slots[] = {old->albedo, old->normal, old->hdr};
    for (uint32_t i = 0; i < CN_COUNT_OF(slots); i++)
        cn_gpu_bind_texture(run->commands, CNI_RENDER_BLOCK_BINDINGS + 4 + i,
                            slots[i].id ? cn_graph_get_texture(run->graph, slots[i])
                                        : defaults->white,
                            defaults->nearest_clamp);
    const float there[CONSTANTS] = {old->albedo.id ? 1 : 0, old->hdr.id ? 1 : 0};
    cn_gpu_push_constants(run->commands, there, sizeof there);
}

static void run_resolve(const CnGraphRun *run)
{
    const ResolveRun *user = run->user;
    const CniRenderRasterJob *job = &user->job;
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(job->frame->renderer, job->raster->resolve));
    bind_job(run, job);
    cn_gpu_bind_buffer(run->commands, CNI_RENDER_BLOCK_BINDINGS + 2,
                       cn_graph_get_buffer(run->graph, job->target), 0, 0);
    cn_gpu_bind_buffer(run->commands, CNI_RENDER_BLOCK_BINDINGS + 3,
                       cn_graph_get_buffer(run->graph, user->depths), 0, 0);
    bind_old(run, user);
    for (uint32_t i = 0; i < RESULTS; i++)
        cn_gpu_bind_storage_texture(run->commands, CNI_RENDER_BLOCK_BINDINGS + 7 + i,
                                    cn_graph_get_texture(run->graph, user->results[i]), 0);
    cn_gpu_dispatch(run->commands, (job->width + GROUP - 1) / GROUP,
                    (job->height + GROUP - 1) / GROUP, 1);
}

static void run_depth(const CnGraphRun *run)
{
    const ResolveRun *user = run->user;
    cn_gpu_copy_to_texture(run->commands, cn_graph_get_buffer(run->graph, user->depths),
                           cn_graph_get_texture(run->graph, user->depth), &(CnGpuRegion){0});
}

static void read_old(CnFrame *frame, CnGraphPass pass, const CniRenderGBufferSlots *old)
{
    const CnGraphTexture slots[] = {old->albedo, old->normal, old->hdr};
    for (uint32_t i = 0; i < CN_COUNT_OF(slots); i++) {
        if (slots[i].id)
            cn_graph_read_texture(frame->graph, pass, slots[i], CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    }
}

static void add_depth(CnFrame *frame, ResolveRun *user)
{
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "block depth",
                                                                          .kind = CN_GRAPH_TRANSFER,
                                                                          .run = run_depth,
                                                                          .user = user});
    cn_graph_read_buffer(frame->graph, pass, user->depths, CN_GPU_ACCESS_COPY_FROM);
    user->depth = cn_graph_write_texture(
        frame->graph, pass, cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1),
        CN_GPU_ACCESS_COPY_TO, &(CnGraphSubresource){.overwrite = true});
    frame->depth = user->depth;
}

void cni_render_raster_resolve(CniRenderRasterJob *job)
{
    static const CnGpuFormat formats[RESULTS] = {CN_GPU_FORMAT_RGBA16F, CN_GPU_FORMAT_RGBA16F,
                                                 CN_HDR_FORMAT, CN_GPU_FORMAT_RG8};
    static const char *const names[RESULTS] = {"albedo", "normal", "emission", "baked light"};
    CnFrame *frame = job->frame;
    CnGraphTexture *slots[RESULTS] = {&frame->albedo, &frame->normal, &frame->hdr,
                                      &frame->baked_light};
    ResolveRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return;
    CnGraph *graph = frame->graph;
    CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "block surfaces",
                                                                   .kind = CN_GRAPH_COMPUTE,
                                                                   .run = run_resolve,
                                                                   .user = user});
    *user = (ResolveRun){.job = *job};
    cn_graph_read_buffer(graph, pass, job->items, CN_GPU_ACCESS_READ_COMPUTE);
    cn_graph_read_buffer(graph, pass, job->target, CN_GPU_ACCESS_READ_COMPUTE);
    read_old(frame, pass, &job->old);
    const CnGraphSubresource all = {.overwrite = true};
    for (uint32_t i = 0; i < RESULTS; i++)
        *slots[i] = user->results[i] =
            cn_graph_write_texture(graph, pass, cn_frame_texture(frame, names[i], formats[i], 1),
                                   CN_GPU_ACCESS_WRITE_COMPUTE, &all);
    user->depths = cn_graph_write_buffer(
        graph, pass,
        make_buffer(frame, "block depths", (uint64_t)job->width * job->height * sizeof(float)),
        CN_GPU_ACCESS_WRITE_COMPUTE, &all);
    add_depth(frame, user);
}

/* ---- Shadows ---- */

typedef struct MapRun {
    CniRenderRasterJob job;
    CnGraphTexture map;
} MapRun;

static void run_copy(const CnGraphRun *run)
{
    const MapRun *user = run->user;
    cn_gpu_copy_to_texture(run->commands, cn_graph_get_buffer(run->graph, user->job.target),
                           cn_graph_get_texture(run->graph, user->map),
                           &(CnGpuRegion){.layer_count = user->job.layers});
}

static void run_map(const CnGraphRun *run)
{
    const MapRun *user = run->user;
    const CniRenderRasterJob *job = &user->job;
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(job->frame->renderer, job->raster->shadow_map));
    cn_gpu_bind_buffer(run->commands, 0, cn_graph_get_buffer(run->graph, job->target), 0, 0);
    cn_gpu_bind_storage_texture(run->commands, 1, cn_graph_get_texture(run->graph, user->map), 0);
    cn_gpu_dispatch(run->commands, (job->width + GROUP - 1) / GROUP,
                    (job->height + GROUP - 1) / GROUP, job->layers);
}

/* Only copies can write depth, and they are slow on GPUs. */
CnGraphTexture cni_render_raster_shadow_map(CniRenderRasterJob *job, CnGpuFormat format)
{
    CnGraph *graph = job->frame->graph;
    MapRun *user = cn_frame_alloc(job->frame, sizeof *user);
    CnGraphTexture none = {0};
    if (!user)
        return none;
    bool copies = format == CN_GPU_FORMAT_D32F;
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "shadow map",
                                  .kind = copies ? CN_GRAPH_TRANSFER : CN_GRAPH_COMPUTE,
                                  .run = copies ? run_copy : run_map,
                                  .user = user});
    cn_graph_read_buffer(graph, pass, job->target,
                         copies ? CN_GPU_ACCESS_COPY_FROM : CN_GPU_ACCESS_READ_COMPUTE);
    CnGraphTexture map = cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = "shadow map",
                                                                            .format = format,
                                                                            .width = job->width,
                                                                            .height = job->height,
                                                                            .layers = job->layers});
    map = cn_graph_write_texture(graph, pass, map,
                                 copies ? CN_GPU_ACCESS_COPY_TO : CN_GPU_ACCESS_WRITE_COMPUTE,
                                 &(CnGraphSubresource){.overwrite = true});
    *user = (MapRun){*job, map};
    return map;
}

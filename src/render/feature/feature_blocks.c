/* Blocks: opaque, cut-out and prop quads of a view, drawn into the G-buffer and into the shadow
 * maps of the sun and local lights. */
#include "render/block/block_compute_raster.h"

#include "shaders/render/block/blocks.frag.h"
#include "shaders/render/block/blocks.vert.h"
#include "shaders/render/block/blocks_masked.frag.h"
#include "shaders/render/block/blocks_shadow.vert.h"
#include "shaders/render/block/blocks_shadow_masked.frag.h"

#define SOLID_LISTS (CNI_RENDER_LIST_OPAQUE | CNI_RENDER_LIST_SEMI | CNI_RENDER_LIST_PROPS)

typedef struct Blocks {
    CnBlocksOptions options;
    CnBlockView *view; /* NULL: not attached */
    CniRenderBlockCuller culler;
    CnRenderPipeline opaque, cut;
    /* For the sun, whose depth is clamped, and for local lights. */
    CnRenderPipeline shadow_opaque[2], shadow_cut[2];
    CniRenderBlockDrawList shadow_views[CN_MAX_SHADOW_VIEWS]; /* of this frame */
    bool computes; /* the camera and the sun use `raster` */
    CniRenderBlockRaster raster;
} Blocks;

/* ---- Setup ---- */

static CnRenderPipeline make_solid(CnRenderer *renderer, const char *name, CnShader fragment,
                                   CnGpuCull cull, CnError *error)
{
    CnRenderPipelineDesc desc = {
        .vertex = CN_SHADER(render_block_blocks_vert),
        .fragment = fragment,
        .state = {.name = name,
                  .constants = sizeof(CnMat4),
                  .color = {CN_GPU_FORMAT_RGBA8_SRGB, CN_GPU_FORMAT_RGBA16F, CN_HDR_FORMAT,
                            CN_GPU_FORMAT_RG8},
                  .depth = CN_DEPTH_FORMAT,
                  .depth_test = CN_GPU_GREATER_EQUAL,
                  .depth_write = true,
                  .cull = cull}};
    cni_render_block_bindings(desc.state.bindings);
    return cn_render_pipeline_create(renderer, &desc, error);
}

static CnRenderPipeline make_shadow(CnRenderer *renderer, bool of_sun, bool is_cut, CnError *error)
{
    static const char *const names[2][2] = {{"local block shadows", "local cut-out shadows"},
                                            {"sun block shadows", "sun cut-out shadows"}};
    CnRenderPipelineDesc desc = {.vertex = CN_SHADER(render_block_blocks_shadow_vert),
                                 .state = {.name = names[of_sun][is_cut],
                                           .constants = sizeof(CnMat4),
                                           .depth = CN_GPU_FORMAT_D32F,
                                           .depth_test = CN_GPU_LESS_EQUAL,
                                           .depth_write = true,
                                           .depth_clamp = of_sun,
                                           .cull = is_cut ? CN_GPU_CULL_NONE : CN_GPU_CULL_BACK}};
    if (is_cut)
        desc.fragment = (CnShader)CN_SHADER(render_block_blocks_shadow_masked_frag);
    cni_render_block_bindings(desc.state.bindings);
    return cn_render_pipeline_create(renderer, &desc, error);
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Blocks *blocks = self;
    if (options)
        blocks->options = *(const CnBlocksOptions *)options;
    if (!cn_gpu_info(renderer->gpu).indirect_count)
        return cn_error_set(
            error, CN_ERROR_UNSUPPORTED,
            "this device does not support indirect draws with a count, which blocks require");
    if (!cni_render_block_view_attach(renderer, blocks->options.view, error))
        return false;
    blocks->view = blocks->options.view;
    blocks->opaque = make_solid(renderer, "blocks", (CnShader)CN_SHADER(render_block_blocks_frag),
                                CN_GPU_CULL_BACK, error);
    blocks->cut =
        make_solid(renderer, "cut-out blocks", (CnShader)CN_SHADER(render_block_blocks_masked_frag),
                   CN_GPU_CULL_NONE, error);
    bool ok = blocks->opaque.id && blocks->cut.id &&
              cni_render_block_culler_setup(renderer, &blocks->culler, error);
    for (int of_sun = 0; of_sun < 2 && ok; of_sun++) {
        blocks->shadow_opaque[of_sun] = make_shadow(renderer, of_sun, false, error);
        blocks->shadow_cut[of_sun] = make_shadow(renderer, of_sun, true, error);
        ok = blocks->shadow_opaque[of_sun].id && blocks->shadow_cut[of_sun].id;
    }
    blocks->computes = cni_render_raster_is_supported(renderer);
    return ok && (!blocks->computes ||
                  (cni_render_block_culler_setup_items(renderer, &blocks->culler, error) &&
                   cni_render_raster_setup(renderer, &blocks->raster, error)));
}

static void destroy(CnRenderer *renderer, void *self)
{
    Blocks *blocks = self;
    CnRenderPipeline pipelines[] = {blocks->opaque,           blocks->cut,
                                    blocks->shadow_opaque[0], blocks->shadow_opaque[1],
                                    blocks->shadow_cut[0],    blocks->shadow_cut[1]};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++)
        cn_render_pipeline_destroy(renderer, pipelines[i]);
    cni_render_block_culler_destroy(renderer, &blocks->culler);
    cni_render_raster_destroy(renderer, &blocks->raster);
    cni_render_block_view_detach(renderer, blocks->view);
}

/* ---- Shadows ---- */

/* Returns the light's position relative to the camera: a sun view looks along the third row of its
 * matrix; a local light is where x, y and w are 0. */
static CnVec4 viewer_of(const CnShadowView *shadow_view, CnVec3 eye)
{
    if (shadow_view->of_sun) {
        const float *m = shadow_view->world_to_clip.m;
        return (CnVec4){-m[2], -m[6], -m[10], 0};
    }
    CnMat4 inverse = cn_mat4_inverse(&shadow_view->world_to_clip);
    CnVec4 at = cn_mat4_transform(&inverse, (CnVec4){0, 0, 1, 0});
    return (CnVec4){at.x / at.w - eye.x, at.y / at.w - eye.y, at.z / at.w - eye.z, 1};
}

static void prepare_shadow_view(CnFrame *frame, void *self, const CnShadowView *shadow_view)
{
    Blocks *blocks = self;
    blocks->shadow_views[shadow_view->index] = cni_render_block_cull_shadow(
        frame, blocks->view, &blocks->culler,
        &(CniRenderBlockCull){.frustum = &shadow_view->frustum,
                              .viewer = viewer_of(shadow_view, frame->view.position),
                              .reach = shadow_view->reach,
                              .lists =
                                  SOLID_LISTS | CNI_RENDER_LIST_CROSSES | CNI_RENDER_LIST_NO_FAR});
}

static void read_shadow_view(CnFrame *frame, void *self, const CnShadowView *shadow_view,
                             CnGraphPass pass)
{
    cni_render_block_read(frame, pass, &((Blocks *)self)->shadow_views[shadow_view->index]);
}

static void draw_shadow_view(CnFrame *frame, void *self, const CnShadowView *shadow_view,
                             const CnGraphRun *run)
{
    const Blocks *blocks = self;
    const CniRenderBlockDrawList *draws = &blocks->shadow_views[shadow_view->index];
    if (!draws->capacity)
        return;
    CnRenderer *renderer = frame->renderer;
    CnMat4 eye_to_clip = cni_render_eye_to_clip(&shadow_view->world_to_clip, frame->view.position);
    cni_render_block_bind(frame, blocks->view, run->commands);
    cn_gpu_push_constants(run->commands, &eye_to_clip, sizeof eye_to_clip);
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(
                                            renderer, blocks->shadow_opaque[shadow_view->of_sun]));
    cni_render_block_draw(run, draws, CN_CHUNK_MESH_OPAQUE);
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(renderer, blocks->shadow_cut[shadow_view->of_sun]));
    cni_render_block_draw(run, draws, CN_CHUNK_MESH_SEMI);
    cni_render_block_draw(run, draws, CN_CHUNK_MESH_PROPS);
}

/* Draws all cascades at once with compute shaders. */
static CnGraphTexture fill_map(CnFrame *frame, void *self, const CnShadowView *shadow_views,
                               uint32_t count, uint32_t size, CnGpuFormat format)
{
    Blocks *blocks = self;
    CnGraphTexture none = {0};
    CniRenderRasterJob *job = cni_render_raster_begin_shadow(frame, blocks->view, &blocks->raster,
                                                             shadow_views, count, size);
    CniRenderBlockCull culls[CNI_RENDER_MAX_RASTER_VIEWS];
    if (!job || count > CNI_RENDER_MAX_RASTER_VIEWS)
        return none;
    for (uint32_t i = 0; i < count; i++)
        culls[i] = (CniRenderBlockCull){.frustum = &shadow_views[i].frustum,
                                        .viewer = viewer_of(&shadow_views[i], frame->view.position),
                                        .lists = CNI_RENDER_LIST_CROSSES | CNI_RENDER_LIST_NO_FAR,
                                        .items = &job->items};
    if (!cni_render_block_cull_items(frame, blocks->view, &blocks->culler, culls, count))
        return none;
    cni_render_raster_items(job, 0);
    return cni_render_raster_shadow_map(job, format);
}

static void early_update(CnFrame *frame, void *self)
{
    const Blocks *blocks = self;
    cn_frame_add_shadow_caster(frame,
                               &(CnShadowCaster){.self = self,
                                                 .prepare = prepare_shadow_view,
                                                 .read = read_shadow_view,
                                                 .draw = draw_shadow_view,
                                                 .fill = blocks->computes ? fill_map : NULL});
}

static void update(CnFrame *frame, void *self)
{
    const Blocks *blocks = self;
    cni_render_block_view_begin(frame, blocks->view);
    if (blocks->view->climate.is_sent)
        frame->terrain_heights = blocks->view->climate.texture;
}

/* ---- The G-buffer ---- */

typedef struct SolidRun {
    CnFrame *frame;
    const Blocks *blocks;
    CniRenderBlockDrawList draws;
} SolidRun;

static void run_solid(const CnGraphRun *run)
{
    const SolidRun *user = run->user;
    if (!user->draws.capacity)
        return;
    CnRenderer *renderer = user->frame->renderer;
    CnMat4 eye_to_clip = cni_render_view_from_eye(&user->frame->view);
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(renderer, user->blocks->opaque));
    cni_render_block_bind(user->frame, user->blocks->view, run->commands);
    cn_gpu_push_constants(run->commands, &eye_to_clip, sizeof eye_to_clip);
    cni_render_block_draw(run, &user->draws, CN_CHUNK_MESH_OPAQUE);
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(renderer, user->blocks->cut));
    cni_render_block_draw(run, &user->draws, CN_CHUNK_MESH_SEMI);
    cni_render_block_draw(run, &user->draws, CN_CHUNK_MESH_PROPS);
}

/* Loads the slot if it has contents; otherwise creates a cleared texture. */
static void add_color(CnFrame *frame, CnGraphPass pass, CnGraphTexture *slot, const char *name,
                      CnGpuFormat format, const CnGraphAttachment *cleared)
{
    bool is_there = slot->id != 0;
    if (!is_there)
        *slot = cn_frame_texture(frame, name, format, 1);
    *slot = cn_graph_color_attachment(frame->graph, pass, *slot, is_there ? NULL : cleared);
}

static void add_attachments(CnFrame *frame, CnGraphPass pass)
{
    const CnGraphAttachment cleared = {.load = CN_GPU_CLEAR},
                            none = {.load = CN_GPU_CLEAR, .clear = {1, 1}};
    add_color(frame, pass, &frame->albedo, "albedo", CN_GPU_FORMAT_RGBA8_SRGB, &cleared);
    add_color(frame, pass, &frame->normal, "normal", CN_GPU_FORMAT_RGBA16F, &cleared);
    add_color(frame, pass, &frame->hdr, "emission", CN_HDR_FORMAT, &cleared);
    /* Meshes that were drawn before have no baked light. */
    add_color(frame, pass, &frame->baked_light, "baked light", CN_GPU_FORMAT_RG8, &none);
    bool has_depth = frame->depth.id != 0;
    if (!has_depth)
        frame->depth = cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1);
    frame->depth =
        cn_graph_depth_attachment(frame->graph, pass, frame->depth, has_depth ? NULL : &cleared);
}

static void add_pass(CnFrame *frame, const Blocks *blocks, const char *name,
                     const CniRenderBlockDrawList *draws)
{
    SolidRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return;
    *user = (SolidRun){frame, blocks, *draws};
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = name, .run = run_solid, .user = user});
    cni_render_block_read(frame, pass, draws);
    add_attachments(frame, pass);
}

/* Culls and draws one phase. */
static void add_phase(CnFrame *frame, const Blocks *blocks, const CniRenderBlockCull *cull,
                      CniRenderRasterJob *job)
{
    CniRenderBlockDrawList draws =
        cni_render_block_cull_view(frame, blocks->view, &blocks->culler, cull);
    bool is_rest = cull->phase == CNI_RENDER_PHASE_NEWLY_VISIBLE;
    if (job)
        cni_render_raster_items(job, is_rest);
    else
        add_pass(frame, blocks, is_rest ? "blocks, newly visible" : "blocks", &draws);
}

static void add_phases(CnFrame *frame, const Blocks *blocks, CniRenderBlockCull *cull,
                       CniRenderRasterJob *job)
{
    CnBlockView *view = blocks->view;
    view->seen_count = 0;
    CnGraphBuffer seen = {0};
    if (!blocks->options.no_occlusion)
        seen = cni_render_block_visibility_buffer(frame, view);
    if (!seen.id) {
        add_phase(frame, blocks, cull, job);
        return;
    }
    cull->seen = &seen;
    cull->eye_to_clip = cni_render_view_from_eye(&frame->view);
    cull->phase = CNI_RENDER_PHASE_PREVIOUSLY_VISIBLE;
    add_phase(frame, blocks, cull, job);
    cull->phase = CNI_RENDER_PHASE_NEWLY_VISIBLE;
    cull->depth_pyramid = cni_render_block_depth_pyramid(frame, &blocks->culler,
                                                         job ? job->target : (CnGraphBuffer){0});
    if (cull->depth_pyramid.id)
        add_phase(frame, blocks, cull, job);
}

static void add_passes(CnFrame *frame, void *self)
{
    const Blocks *blocks = self;
    CnVec3 forward = frame->view.forward;
    bool is_flat = frame->view.fov <= 0;
    CniRenderRasterJob *job =
        blocks->computes ? cni_render_raster_begin_view(frame, blocks->view, &blocks->raster)
                         : NULL;
    CniRenderBlockCull cull = {.frustum = &frame->view.frustum,
                               .viewer = is_flat ? (CnVec4){-forward.x, -forward.y, -forward.z, 0}
                                                 : (CnVec4){0, 0, 0, 1},
                               .lists = (job ? 0 : SOLID_LISTS) | CNI_RENDER_LIST_WATER,
                               .items = job ? &job->items : NULL};
    add_phases(frame, blocks, &cull, job);
    if (job)
        cni_render_raster_resolve(job);
    cni_render_block_count_draws(frame, blocks->view);
}

const CnFeatureType cn_feature_blocks = {
    .name = "Blocks",
    .size = sizeof(Blocks),
    .setup = setup,
    .early_update = early_update,
    .update = update,
    .add_passes = add_passes,
    .destroy = destroy,
};

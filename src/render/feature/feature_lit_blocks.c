/*
 * The lightweight path, in as few passes as possible: determine the visible quad of each pixel,
 * then draw light, sky and water in one pass. CPU rasterisers pay for each pixel of each pass, for
 * each texel read, and much for every triangle.
 */
#include "render/block/quad_culling.h"
#include "render/feature/lit_atmosphere.h"

#include "shaders/render/block/blocks_visibility_lit.frag.h"
#include "shaders/render/block/blocks_visibility_lit.vert.h"
#include "shaders/render/block/blocks_visibility.frag.h"
#include "shaders/render/block/blocks_visibility.vert.h"
#include "shaders/render/block/blocks_visibility_masked.frag.h"
#include "shaders/render/feature/water.vert.h"
#include "shaders/render/feature/lit_water.frag.h"

#define TABLE_BINDING ((uint32_t)CNI_RENDER_BLOCK_BINDINGS) /* LIT_SKY_BINDING */
#define ENTRIES_BINDING (TABLE_BINDING + 1)                 /* blocks_quad_entries.glsl */
#define QUADS_BINDING (TABLE_BINDING + 2)                   /* blocks_visibility_lit.frag */
#define QUADS_FORMAT CN_GPU_FORMAT_R32U

typedef struct LitBlocks {
    CnLitBlocksOptions options;
    CnBlockView *view; /* NULL: not attached */
    CniRenderBlockCuller culler;
    CniRenderQuadCuller quad_culler;
    CniRenderLitAtmosphere atmosphere;
    CnRenderPipeline opaque, cut, surface, water; /* no water: it is disabled */
    CnGraphTexture quads;                         /* quad per pixel, in this frame */
} LitBlocks;

/* ---- Setup ---- */

static CnRenderPipeline make_quads(CnRenderer *renderer, const char *name, CnShader fragment,
                                   CnGpuCull cull, CnError *error)
{
    CnRenderPipelineDesc desc = {.vertex = CN_SHADER(render_block_blocks_visibility_vert),
                                 .fragment = fragment,
                                 .state = {.name = name,
                                           .constants = sizeof(CniRenderLitConstants),
                                           .color = {QUADS_FORMAT},
                                           .depth = CN_DEPTH_FORMAT,
                                           .depth_test = CN_GPU_GREATER_EQUAL,
                                           .depth_write = true,
                                           .cull = cull}};
    cni_render_block_bindings(desc.state.bindings);
    desc.state.bindings[TABLE_BINDING] = CN_GPU_BIND_TEXTURE;
    desc.state.bindings[ENTRIES_BINDING] = CN_GPU_BIND_STORAGE;
    return cn_render_pipeline_create(renderer, &desc, error);
}

static CnRenderPipeline make_surface(CnRenderer *renderer, CnError *error)
{
    CnRenderPipelineDesc desc = {.vertex = CN_SHADER(render_block_blocks_visibility_lit_vert),
                                 .fragment = CN_SHADER(render_block_blocks_visibility_lit_frag),
                                 .state = {.name = "lit blocks",
                                           .constants = sizeof(CniRenderLitConstants),
                                           .color = {CN_HDR_FORMAT},
                                           .depth = CN_DEPTH_FORMAT,
                                           .depth_test = CN_GPU_LESS}};
    cni_render_block_bindings(desc.state.bindings);
    desc.state.bindings[TABLE_BINDING] = CN_GPU_BIND_TEXTURE;
    desc.state.bindings[ENTRIES_BINDING] = CN_GPU_BIND_STORAGE;
    desc.state.bindings[QUADS_BINDING] = CN_GPU_BIND_TEXTURE;
    return cn_render_pipeline_create(renderer, &desc, error);
}

static CnRenderPipeline make_water(CnRenderer *renderer, CnError *error)
{
    CnRenderPipelineDesc desc = {.vertex = CN_SHADER(render_feature_water_vert),
                                 .fragment = CN_SHADER(render_feature_lit_water_frag),
                                 .state = {.name = "lit water",
                                           .constants = sizeof(CniRenderLitConstants),
                                           .color = {CN_HDR_FORMAT},
                                           .blend = {CN_GPU_BLEND_ALPHA},
                                           .depth = CN_DEPTH_FORMAT,
                                           .depth_test = CN_GPU_GREATER_EQUAL,
                                           .depth_write = true}};
    cni_render_block_bindings(desc.state.bindings);
    desc.state.bindings[TABLE_BINDING] = CN_GPU_BIND_TEXTURE;
    return cn_render_pipeline_create(renderer, &desc, error);
}

static bool make_pipelines(CnRenderer *renderer, LitBlocks *lit, CnError *error)
{
    lit->opaque = make_quads(renderer, "visible block quads",
                             (CnShader)CN_SHADER(render_block_blocks_visibility_frag),
                             CN_GPU_CULL_BACK, error);
    lit->cut = make_quads(renderer, "quads of cut-out blocks",
                          (CnShader)CN_SHADER(render_block_blocks_visibility_masked_frag),
                          CN_GPU_CULL_NONE, error);
    lit->surface = make_surface(renderer, error);
    if (lit->options.water != CN_SWITCH_OFF)
        lit->water = make_water(renderer, error);
    return lit->opaque.id && lit->cut.id && lit->surface.id &&
           (lit->water.id || lit->options.water == CN_SWITCH_OFF);
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    LitBlocks *lit = self;
    if (options)
        lit->options = *(const CnLitBlocksOptions *)options;
    lit->atmosphere.options = lit->options.fog_options;
    lit->atmosphere.has_clouds = lit->options.clouds != CN_SWITCH_OFF;
    lit->atmosphere.has_fog = lit->options.fog != CN_SWITCH_OFF;
    if (!cn_gpu_info(renderer->gpu).indirect_count)
        return cn_error_set(
            error, CN_ERROR_UNSUPPORTED,
            "this device does not support indirect draws with a count, which blocks require");
    if (!cni_render_block_view_attach(renderer, lit->options.view, error))
        return false;
    lit->view = lit->options.view;
    return cni_render_block_culler_setup_quads(renderer, &lit->culler, error) &&
           cni_render_quad_culler_setup(renderer, &lit->quad_culler, error) &&
           make_pipelines(renderer, lit, error) &&
           cni_render_lit_atmosphere_setup(renderer, &lit->atmosphere, error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    LitBlocks *lit = self;
    CnRenderPipeline pipelines[] = {lit->opaque, lit->cut, lit->surface, lit->water};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++)
        cn_render_pipeline_destroy(renderer, pipelines[i]);
    cni_render_lit_atmosphere_destroy(renderer, &lit->atmosphere);
    cni_render_quad_culler_destroy(renderer, &lit->quad_culler);
    cni_render_block_culler_destroy(renderer, &lit->culler);
    cni_render_block_view_detach(renderer, lit->view);
}

static void update(CnFrame *frame, void *self)
{
    cni_render_block_view_begin(frame, ((LitBlocks *)self)->view);
}

/* ---- Passes ---- */

typedef struct LitRun {
    CnFrame *frame;
    const LitBlocks *lit;
    CniRenderQuadList quads; /* of blocks */
} LitRun;

static void begin_blocks(const LitRun *user, const CnGraphRun *run, CnRenderPipeline pipeline)
{
    CniRenderLitConstants constants = cni_render_lit_constants(user->frame, &user->lit->atmosphere);
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(user->frame->renderer, pipeline));
    cni_render_block_bind(user->frame, user->lit->view, run->commands);
    cni_render_lit_atmosphere_bind(&user->lit->atmosphere, run, TABLE_BINDING);
    cn_gpu_push_constants(run->commands, &constants, sizeof constants);
}

static void run_blocks(const CnGraphRun *run)
{
    const LitRun *user = run->user;
    for (int is_cut = 0; is_cut < 2 && user->quads.capacity; is_cut++) {
        begin_blocks(user, run, is_cut ? user->lit->cut : user->lit->opaque);
        cni_render_quad_list_draw(run, &user->quads, ENTRIES_BINDING, is_cut);
    }
}

/* Draws into `quads` and depth; the first pass clears both. */
static void add_blocks(CnFrame *frame, LitBlocks *lit, const char *name,
                       const CniRenderQuadList *quads)
{
    LitRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return;
    *user = (LitRun){frame, lit, *quads};
    CnGraph *graph = frame->graph;
    CnGraphPass pass =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = name, .run = run_blocks, .user = user});
    cni_render_quad_list_read(frame, pass, quads);
    cni_render_lit_atmosphere_read(frame, &lit->atmosphere, pass);
    const CnGraphAttachment cleared = {.load = CN_GPU_CLEAR};
    bool is_first = !frame->depth.id;
    if (is_first) {
        lit->quads = cn_frame_texture(frame, "quads of pixels", QUADS_FORMAT, 1);
        frame->depth = cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1);
    }
    lit->quads = cn_graph_color_attachment(graph, pass, lit->quads, is_first ? &cleared : NULL);
    frame->depth = cn_graph_depth_attachment(graph, pass, frame->depth, is_first ? &cleared : NULL);
}

static void draw_surfaces(const LitRun *user, const CnGraphRun *run)
{
    begin_blocks(user, run, user->lit->surface);
    cn_gpu_bind_buffer(run->commands, ENTRIES_BINDING,
                       cn_graph_get_buffer(run->graph, user->quads.entries), 0, 0);
    cn_gpu_bind_texture(run->commands, QUADS_BINDING,
                        cn_graph_get_texture(run->graph, user->lit->quads),
                        user->frame->renderer->defaults.nearest_clamp);
    cn_frame_draw_full_screen(run);
}

static void run_light(const CnGraphRun *run)
{
    const LitRun *user = run->user;
    const CnBlockView *view = user->lit->view;
    if (user->quads.capacity)
        draw_surfaces(user, run);
    cni_render_lit_sky_draw(user->frame, &user->lit->atmosphere, run);
    if (!user->lit->water.id || !view->seen_count)
        return;
    begin_blocks(user, run, user->lit->water);
    for (uint32_t i = 0; i < view->seen_count; i++)
        cni_render_block_draw(run, &view->seen[i], CN_CHUNK_MESH_WATER);
}

/* Draws blocks, the sky where there are none, and water over both. */
static void add_light(CnFrame *frame, LitBlocks *lit, const CniRenderQuadList *quads)
{
    LitRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user || !frame->depth.id)
        return;
    *user = (LitRun){frame, lit, *quads};
    cni_render_lit_clouds(frame, &lit->atmosphere);
    CnGraph *graph = frame->graph;
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "light, sky and water", .run = run_light, .user = user});
    for (uint32_t i = 0; i < lit->view->seen_count; i++)
        cni_render_block_read(frame, pass, &lit->view->seen[i]);
    if (quads->capacity) {
        cn_graph_read_buffer(graph, pass, quads->entries, CN_GPU_ACCESS_READ);
        cn_graph_read_texture(graph, pass, lit->quads, CN_GPU_ACCESS_SAMPLE, NULL);
    }
    cni_render_lit_atmosphere_read(frame, &lit->atmosphere, pass);
    cni_render_lit_sky_read(frame, &lit->atmosphere, pass);
    frame->hdr =
        cn_graph_color_attachment(graph, pass, cn_frame_texture(frame, "hdr", CN_HDR_FORMAT, 1),
                                  &(CnGraphAttachment){.load = CN_GPU_DISCARD});
    frame->depth = cn_graph_depth_attachment(graph, pass, frame->depth, NULL);
}

/* Two phases: quads visible in the last frame, then those that are not occluded by them, so nothing
 * pops in. */
static CniRenderQuadList add_phases(CnFrame *frame, LitBlocks *lit, CniRenderBlockCull *cull)
{
    CnBlockView *view = lit->view;
    CniRenderQuadList first = {0};
    bool has_quads =
        cni_render_quad_culler_begin(frame, view, &lit->quad_culler, !lit->options.no_occlusion);
    if (has_quads && !lit->options.no_occlusion)
        first = cni_render_quad_list(frame, view, &lit->quad_culler, cull, false);
    add_blocks(frame, lit, "lit blocks", &first);
    if (first.capacity) {
        cull->depth_pyramid =
            cni_render_block_depth_pyramid(frame, &lit->culler, (CnGraphBuffer){0});
        cull->eye_to_clip = cni_render_view_from_eye(&frame->view);
        cull->phase =
            cull->depth_pyramid.id ? CNI_RENDER_PHASE_NEWLY_VISIBLE : CNI_RENDER_PHASE_ALL;
    }
    cull->items = &lit->quad_culler.items;
    if (!has_quads || !cni_render_block_cull_view(frame, view, &lit->culler, cull).capacity)
        return first;
    cni_render_quad_cull(frame, view, &lit->quad_culler, cull);
    CniRenderQuadList rest = cni_render_quad_list(frame, view, &lit->quad_culler, cull, true);
    add_blocks(frame, lit, "lit blocks, rest", &rest);
    view->seen[0].quad_draws[0] = rest.draws;
    view->seen[0].quad_draws[1] = first.draws;
    return rest.capacity ? rest : first;
}

static void add_passes(CnFrame *frame, void *self)
{
    LitBlocks *lit = self;
    CnBlockView *view = lit->view;
    CnVec3 forward = frame->view.forward;
    bool is_flat = frame->view.fov <= 0;
    CniRenderBlockCull cull = {.frustum = &frame->view.frustum,
                               .viewer = is_flat ? (CnVec4){-forward.x, -forward.y, -forward.z, 0}
                                                 : (CnVec4){0, 0, 0, 1},
                               .lists = CNI_RENDER_LIST_QUAD_ITEMS | CNI_RENDER_LIST_WATER};
    view->seen_count = 0;
    cni_render_lit_atmosphere_begin(frame, &lit->atmosphere);
    if (!lit->atmosphere.table.id)
        return;
    CniRenderQuadList quads = add_phases(frame, lit, &cull);
    cni_render_block_count_draws(frame, view);
    add_light(frame, lit, &quads);
    CniRenderLitConstants lit_air = cni_render_lit_constants(frame, &lit->atmosphere);
    frame->sky_table = lit->atmosphere.table;
    frame->table_air = (CnVec4){lit_air.edge, lit_air.haze, lit_air.sea_level, lit_air.is_on};
    frame->table_water = lit_air.water;
}

const CnFeatureType cn_feature_lit_blocks = {
    .name = "Lit blocks",
    .size = sizeof(LitBlocks),
    .setup = setup,
    .update = update,
    .add_passes = add_passes,
    .destroy = destroy,
};

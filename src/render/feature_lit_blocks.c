/*
 * The light path: blocks are lit while they are drawn, in as few passes as there can be. Rasterisers on CPUs pay for each
 * pixel of each pass, and for each texel that is read.
 */
#include "block_view.h"
#include "lit_air.h"

#include "shaders/render/blocks_lit.frag.h"
#include "shaders/render/blocks_lit.vert.h"
#include "shaders/render/blocks_lit_cut.frag.h"
#include "shaders/render/water.vert.h"
#include "shaders/render/water_lit.frag.h"

#define TABLE_BINDING ((uint32_t)CNI_BLOCK_BINDINGS) /* LIT_SKY_BINDING */
#define LISTS (CNI_LIST_OPAQUE | CNI_LIST_SEMI | CNI_LIST_PROPS | CNI_LIST_WATER | CNI_LIST_FACES)

typedef struct LitBlocks {
    CnLitBlocksOptions options;
    CnBlockView *view; /* NULL: not attached */
    CniBlockCuller culler;
    CniLitAir air;
    CnRenderPipeline opaque, cut, water; /* no water: it is off */
} LitBlocks;

/* ---- Setup ---- */

static CnRenderPipeline make_pipeline(CnRenderer *renderer, const char *name, CnShader vertex,
                                      CnShader fragment, CnGpuBlend blend, CnGpuCull cull,
                                      CnError *error)
{
    CnRenderPipelineDesc desc = {.vertex = vertex,
                                 .fragment = fragment,
                                 .state = {.name = name,
                                           .constants = sizeof(CniLitConstants),
                                           .color = {CN_HDR_FORMAT},
                                           .blend = {blend},
                                           .depth = CN_DEPTH_FORMAT,
                                           .depth_test = CN_GPU_GREATER_EQUAL,
                                           .depth_write = true,
                                           .cull = cull}};
    cni_block_bindings(desc.state.bindings);
    desc.state.bindings[TABLE_BINDING] = CN_BIND_TEXTURE;
    return cn_render_pipeline(renderer, &desc, error);
}

static bool make_pipelines(CnRenderer *renderer, LitBlocks *lit, CnError *error)
{
    const CnShader vertex = CN_SHADER(render_blocks_lit_vert);
    lit->opaque =
        make_pipeline(renderer, "lit blocks", vertex, (CnShader)CN_SHADER(render_blocks_lit_frag),
                      CN_GPU_BLEND_NONE, CN_GPU_CULL_BACK, error);
    lit->cut = make_pipeline(renderer, "lit cut-out blocks", vertex,
                             (CnShader)CN_SHADER(render_blocks_lit_cut_frag), CN_GPU_BLEND_NONE,
                             CN_GPU_CULL_NONE, error);
    if (!lit->opaque.id || !lit->cut.id || lit->options.water == CN_SWITCH_OFF)
        return lit->opaque.id && lit->cut.id;
    lit->water = make_pipeline(renderer, "lit water", (CnShader)CN_SHADER(render_water_vert),
                               (CnShader)CN_SHADER(render_water_lit_frag), CN_GPU_BLEND_ALPHA,
                               CN_GPU_CULL_NONE, error);
    return lit->water.id != 0;
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    LitBlocks *lit = self;
    if (options)
        lit->options = *(const CnLitBlocksOptions *)options;
    lit->air.options = lit->options.air;
    lit->air.has_clouds = lit->options.clouds != CN_SWITCH_OFF;
    lit->air.has_fog = lit->options.fog != CN_SWITCH_OFF;
    if (!cn_gpu_info(renderer->gpu).indirect_count)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "this device cannot count the draws of blocks itself");
    if (!cni_block_view_attach(renderer, lit->options.view, error))
        return false;
    lit->view = lit->options.view;
    return cni_block_culler_setup(renderer, &lit->culler, error) &&
           make_pipelines(renderer, lit, error) && cni_lit_air_setup(renderer, &lit->air, error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    LitBlocks *lit = self;
    CnRenderPipeline pipelines[] = {lit->opaque, lit->cut, lit->water};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++) {
        if (pipelines[i].id)
            cn_render_pipeline_destroy(renderer, pipelines[i]);
    }
    cni_lit_air_destroy(renderer, &lit->air);
    cni_block_culler_destroy(renderer, &lit->culler);
    cni_block_view_detach(renderer, lit->view);
}

static void update(CnFrame *frame, void *self)
{
    cni_block_view_begin(frame, ((LitBlocks *)self)->view);
}

/* ---- Passes ---- */

typedef struct LitRun {
    CnFrame *frame;
    const LitBlocks *lit;
    CniBlockDraws draws; /* of blocks */
} LitRun;

static void begin_blocks(const LitRun *user, const CnGraphRun *run, CnRenderPipeline pipeline)
{
    CniLitConstants constants = cni_lit_constants(user->frame, &user->lit->air);
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(user->frame->renderer, pipeline));
    cni_block_bind(user->frame, user->lit->view, run->commands);
    cni_lit_air_bind(&user->lit->air, run, TABLE_BINDING);
    cn_gpu_constants(run->commands, &constants, sizeof constants);
}

static void run_blocks(const CnGraphRun *run)
{
    const LitRun *user = run->user;
    if (!user->draws.room)
        return;
    begin_blocks(user, run, user->lit->opaque);
    cni_block_draw(run, &user->draws, CN_CHUNK_MESH_OPAQUE);
    begin_blocks(user, run, user->lit->cut);
    cni_block_draw(run, &user->draws, CN_CHUNK_MESH_SEMI);
    cni_block_draw(run, &user->draws, CN_CHUNK_MESH_PROPS);
}

/* Into hdr and depth; the first clears both. */
static void add_blocks(CnFrame *frame, const LitBlocks *lit, const char *name,
                       const CniBlockDraws *draws)
{
    LitRun *user = cn_frame_memory(frame, sizeof *user);
    if (!user)
        return;
    *user = (LitRun){frame, lit, *draws};
    CnGraph *graph = frame->graph;
    CnGraphPass pass =
        cn_graph_pass(graph, &(CnGraphPassDesc){.name = name, .run = run_blocks, .user = user});
    cni_block_read(frame, pass, draws);
    cni_lit_air_read(frame, &lit->air, pass);
    const CnGraphAttachment cleared = {.load = CN_GPU_CLEAR};
    bool is_first = !frame->depth.id;
    if (is_first) {
        frame->hdr = cn_frame_texture(frame, "hdr", CN_HDR_FORMAT, 1);
        frame->depth = cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1);
    }
    frame->hdr = cn_graph_color(graph, pass, frame->hdr, is_first ? &cleared : NULL);
    frame->depth = cn_graph_depth(graph, pass, frame->depth, is_first ? &cleared : NULL);
}

static void run_behind(const CnGraphRun *run)
{
    const LitRun *user = run->user;
    const CnBlockView *view = user->lit->view;
    cni_lit_sky_draw(user->frame, &user->lit->air, run);
    if (!user->lit->water.id || !view->seen_count)
        return;
    begin_blocks(user, run, user->lit->water);
    for (uint32_t i = 0; i < view->seen_count; i++)
        cni_block_draw(run, &view->seen[i], CN_CHUNK_MESH_WATER);
}

/* The sky where nothing else is, and water over both. */
static void add_behind(CnFrame *frame, LitBlocks *lit)
{
    LitRun *user = cn_frame_memory(frame, sizeof *user);
    if (!user)
        return;
    *user = (LitRun){.frame = frame, .lit = lit};
    cni_lit_clouds(frame, &lit->air);
    CnGraph *graph = frame->graph;
    CnGraphPass pass = cn_graph_pass(
        graph, &(CnGraphPassDesc){.name = "sky and water", .run = run_behind, .user = user});
    for (uint32_t i = 0; i < lit->view->seen_count; i++)
        cni_block_read(frame, pass, &lit->view->seen[i]);
    cni_lit_air_read(frame, &lit->air, pass);
    cni_lit_sky_read(frame, &lit->air, pass);
    frame->hdr = cn_graph_color(graph, pass, frame->hdr, NULL);
    frame->depth = cn_graph_depth(graph, pass, frame->depth, NULL);
}

static void add_phase(CnFrame *frame, LitBlocks *lit, const CniBlockCull *cull)
{
    CniBlockDraws draws = cni_block_cull_seen(frame, lit->view, &lit->culler, cull);
    add_blocks(frame, lit, cull->phase == CNI_PHASE_REST ? "lit blocks, rest" : "lit blocks",
               &draws);
}

/* In two phases, as the feature Blocks does: nothing pops. */
static void add_phases(CnFrame *frame, LitBlocks *lit, CniBlockCull *cull)
{
    CnGraphBuffer seen = {0};
    if (!lit->options.no_occlusion)
        seen = cni_block_seen_buffer(frame, lit->view);
    if (!seen.id) {
        add_phase(frame, lit, cull);
        return;
    }
    cull->seen = &seen;
    cull->eye_to_clip = cni_view_from_eye(&frame->view);
    cull->phase = CNI_PHASE_SEEN;
    add_phase(frame, lit, cull);
    cull->phase = CNI_PHASE_REST;
    cull->squares = cni_block_squares(frame, &lit->culler, (CnGraphBuffer){0});
    if (cull->squares.id)
        add_phase(frame, lit, cull);
}

static void add_passes(CnFrame *frame, void *self)
{
    LitBlocks *lit = self;
    CnBlockView *view = lit->view;
    CnVec3 forward = frame->view.forward;
    bool is_flat = frame->view.fov <= 0;
    CniBlockCull cull = {.frustum = &frame->view.frustum,
                         .viewer = is_flat ? (CnVec4){-forward.x, -forward.y, -forward.z, 0}
                                           : (CnVec4){0, 0, 0, 1},
                         .lists = LISTS};
    view->seen_count = 0;
    cni_lit_air_begin(frame, &lit->air);
    if (!lit->air.table.id)
        return;
    add_phases(frame, lit, &cull);
    cni_block_count(frame, view);
    add_behind(frame, lit);
}

const CnFeatureType cn_feature_lit_blocks = {
    .name = "Lit blocks",
    .size = sizeof(LitBlocks),
    .setup = setup,
    .update = update,
    .add_passes = add_passes,
    .destroy = destroy,
};

/*
 * Forward+: a depth prepass, then the lights that touch each screen tile, then meshes that evaluate
 * only those. This includes blended meshes: their tiles also have the lights in front of opaque
 * geometry.
 */
#include "render/feature/lit_pass.h"

#include "shaders/render/feature/depth_masked.frag.h"
#include "shaders/render/feature/depth_masked_extended.frag.h"
#include "shaders/render/core/mesh.vert.h"
#include "shaders/render/core/mesh_extended.vert.h"

typedef struct ForwardPlus {
    CnLightingOptions options;
    CnDrawPass depth, opaque, transmissive, blended;
    CniRenderLightTiles tiles;
} ForwardPlus;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    ForwardPlus *plus = self;
    if (options)
        plus->options = *(const CnLightingOptions *)options;
    plus->depth = cn_draw_pass_create(
        renderer,
        &(CnDrawPassDesc){.name = "depth",
                          .vertex = CN_SHADER(render_core_mesh_vert),
                          .masked = CN_SHADER(render_feature_depth_masked_frag),
                          .extended_vertex = CN_SHADER(render_core_mesh_extended_vert),
                          .extended_masked = CN_SHADER(render_feature_depth_masked_extended_frag),
                          .depth = CN_DEPTH_FORMAT,
                          .depth_test = CN_GPU_GREATER_EQUAL,
                          .depth_write = true},
        error);
    return plus->depth.id != 0 &&
           cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_AFTER_DEPTH, &plus->opaque, error) &&
           cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_TRANSMISSIVE, &plus->transmissive,
                                      error) &&
           cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_BLENDED, &plus->blended, error) &&
           cni_render_light_tiles_setup(renderer, &plus->tiles, error);
}

static void update(CnFrame *frame, void *self)
{
    cni_render_lit_update(frame, &((ForwardPlus *)self)->options);
}

typedef struct DepthRun {
    CnFrame *frame;
    CnDrawPass pass;
    const CnDrawList *list;
} DepthRun;

static void run_depth(const CnGraphRun *run)
{
    const DepthRun *depth = run->user;
    cn_frame_bind_scene(depth->frame, run, UINT32_MAX);
    cn_frame_draw(depth->frame, run, depth->pass, depth->list);
}

/* Returns false if out of memory. */
static bool add_depth(CnFrame *frame, const ForwardPlus *plus)
{
    DepthRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return false;
    *user = (DepthRun){frame, plus->depth, cn_frame_visible(frame, CN_DRAW_OPAQUE)};
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "depth", .run = run_depth, .user = user});
    bool is_new = frame->depth.id == 0;
    if (is_new)
        frame->depth = cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1);
    CnGraphAttachment attachment = {.load = is_new ? CN_GPU_CLEAR : CN_GPU_LOAD};
    frame->depth = cn_graph_depth_attachment(frame->graph, pass, frame->depth, &attachment);
    cn_frame_read_scene(frame, pass, UINT32_MAX);
    return true;
}

static void add_passes(CnFrame *frame, void *self)
{
    const ForwardPlus *plus = self;
    if (!add_depth(frame, plus))
        return;
    cni_render_light_tiles_add(frame, &plus->tiles);
    cni_render_lit_add(frame, "forward+", plus->opaque, CNI_RENDER_LIT_AFTER_DEPTH,
                       CNI_RENDER_LIGHTS_OPAQUE);
    cni_render_lit_add_overlay(frame, plus->transmissive, plus->blended,
                               CNI_RENDER_LIGHTS_IN_FRONT);
}

static void destroy(CnRenderer *renderer, void *self)
{
    ForwardPlus *plus = self;
    cn_draw_pass_destroy(renderer, plus->depth);
    cn_draw_pass_destroy(renderer, plus->opaque);
    cn_draw_pass_destroy(renderer, plus->transmissive);
    cn_draw_pass_destroy(renderer, plus->blended);
    cni_render_light_tiles_destroy(renderer, &plus->tiles);
}

const CnFeatureType cn_feature_forward_plus = {
    .name = "Forward+",
    .size = sizeof(ForwardPlus),
    .setup = setup,
    .update = update,
    .add_passes = add_passes,
    .destroy = destroy,
};

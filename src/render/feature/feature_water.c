/*
 * Water: its surface is drawn first into depth and into its own texture; then a full-screen pass
 * shades it. Each pixel is shaded once, regardless of the number of overlapping water faces, and
 * later features (fog, TAA) see water as geometry with a depth.
 */
#include "render/block/block_view.h"
#include "render/core/renderer_internal.h"
#include "render/feature/sky_source.h"

#include "shaders/render/feature/water.comp.h"
#include "shaders/render/feature/water.frag.h"
#include "shaders/render/feature/water.vert.h"
#include "shaders/render/feature/water_depth.comp.h"
#include "shaders/render/feature/water_depth.frag.h"
#include "shaders/render/feature/water_surface.frag.h"

#define CONSTANTS 8u /* of water.glsl */

typedef struct Water {
    CnWaterOptions options;
    CnBlockView *view; /* NULL: not attached */
    CnRenderPipeline surface;
    CnFullScreen depth, shader;
} Water;

static CnRenderPipeline make_surface(CnRenderer *renderer, CnError *error)
{
    CnRenderPipelineDesc desc = {.vertex = CN_SHADER(render_feature_water_vert),
                                 .fragment = CN_SHADER(render_feature_water_surface_frag),
                                 .state = {.name = "water surface",
                                           .constants = sizeof(CnMat4),
                                           .color = {CN_GPU_FORMAT_RGBA8},
                                           .depth = CN_DEPTH_FORMAT,
                                           .depth_test = CN_GPU_GREATER_EQUAL,
                                           .depth_write = true,
                                           .cull = CN_GPU_CULL_NONE}};
    cni_render_block_bindings(desc.state.bindings);
    return cn_render_pipeline_create(renderer, &desc, error);
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Water *water = self;
    if (options)
        water->options = *(const CnWaterOptions *)options;
    if (!cni_render_block_view_attach(renderer, water->options.view, error))
        return false;
    water->view = water->options.view;
    water->surface = make_surface(renderer, error);
    return water->surface.id &&
           cn_full_screen_init(
               renderer, &water->depth,
               &(CnFullScreenDesc){.name = "depth below water",
                                   .forms = CN_FULL_SCREEN_FORMS(render_feature_water_depth),
                                   .reads = CN_FULL_SCREEN_READS_FRAME,
                                   .inputs = 1,
                                   .results = {CN_GPU_FORMAT_R32F}},
               error) &&
           cn_full_screen_init(
               renderer, &water->shader,
               &(CnFullScreenDesc){.name = "water",
                                   .forms = CN_FULL_SCREEN_FORMS(render_feature_water),
                                   .reads = CN_FULL_SCREEN_READS_SCENE,
                                   .inputs = 5,
                                   .constants = CONSTANTS,
                                   .results = {CN_HDR_FORMAT}},
               error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Water *water = self;
    cn_render_pipeline_destroy(renderer, water->surface);
    cn_full_screen_fini(renderer, &water->depth, 1);
    cn_full_screen_fini(renderer, &water->shader, 1);
    cni_render_block_view_detach(renderer, water->view);
}

static void update(CnFrame *frame, void *self)
{
    cni_render_block_view_begin(frame, ((Water *)self)->view);
}

/* ---- The surface ---- */

typedef struct SurfaceRun {
    CnFrame *frame;
    const Water *water;
} SurfaceRun;

static void run_surface(const CnGraphRun *run)
{
    const SurfaceRun *user = run->user;
    const CnBlockView *view = user->water->view;
    CnMat4 eye_to_clip = cni_render_view_from_eye(&user->frame->view);
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(user->frame->renderer, user->water->surface));
    cni_render_block_bind(user->frame, view, run->commands);
    cn_gpu_push_constants(run->commands, &eye_to_clip, sizeof eye_to_clip);
    for (uint32_t i = 0; i < view->seen_count; i++)
        cni_render_block_draw(run, &view->seen[i], CN_CHUNK_MESH_WATER);
}

static CnGraphTexture add_surface(CnFrame *frame, const Water *water)
{
    CnGraphTexture none = {0};
    SurfaceRun *user = cn_frame_alloc(frame, sizeof *user);
    if (!user)
        return none;
    *user = (SurfaceRun){frame, water};
    CnGraph *graph = frame->graph;
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "water surface", .run = run_surface, .user = user});
    for (uint32_t i = 0; i < water->view->seen_count; i++)
        cni_render_block_read(frame, pass, &water->view->seen[i]);
    CnGraphTexture surface = cn_frame_texture(frame, "water surface", CN_GPU_FORMAT_RGBA8, 1);
    surface =
        cn_graph_color_attachment(graph, pass, surface, &(CnGraphAttachment){.load = CN_GPU_CLEAR});
    frame->depth = cn_graph_depth_attachment(graph, pass, frame->depth, NULL);
    return surface;
}

static void add_passes(CnFrame *frame, void *self)
{
    const Water *water = self;
    const CnBlockView *view = water->view;
    if (!frame->hdr.id || !frame->depth.id || !view->seen_count)
        return;
    CnGraphTexture below = cn_full_screen_draw(
        frame, cn_frame_texture(frame, "depth below water", CN_GPU_FORMAT_R32F, 1),
        &(CnFullScreenPass){.name = "depth below water",
                            .shader = &water->depth,
                            .inputs = {{frame->depth, CN_GPU_NEAREST}}});
    CnGraphTexture surface = add_surface(frame, water);
    if (!surface.id)
        return;
    frame->reactive_mask = surface;
    float part = 0;
    CniRenderSkyConstants sky = cni_render_atmosphere_constants(frame, 1);
    CnVec3 clouds = cni_render_cloud_light(frame, &sky, &part);
    bool has_clouds = frame->cloud_noise.id && frame->irradiance.id;
    frame->hdr = cn_full_screen_draw(
        frame, cn_frame_texture(frame, "hdr with water", CN_HDR_FORMAT, 1),
        &(CnFullScreenPass){
            .name = "water",
            .shader = &water->shader,
            .inputs = {{frame->hdr, CN_GPU_LINEAR},
                       {below, CN_GPU_NEAREST},
                       {frame->depth, CN_GPU_NEAREST},
                       {surface, CN_GPU_NEAREST},
                       {has_clouds ? frame->cloud_noise : frame->hdr, CN_GPU_LINEAR}},
            .constants = {water->options.reflections != CN_SWITCH_OFF, has_clouds, 0, 0, clouds.x,
                          clouds.y, clouds.z, part},
            .without = CN_SCENE_TILES | CN_SCENE_AO});
}

const CnFeatureType cn_feature_water = {
    .name = "Water",
    .size = sizeof(Water),
    .setup = setup,
    .update = update,
    .add_passes = add_passes,
    .destroy = destroy,
};

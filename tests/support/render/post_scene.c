#include "post_scene.h"

#include <string.h>

#include "shaders/render/core/full_screen.vert.h"
#include "shaders/tests/post_scene.frag.h"
#include "shaders/tests/show_ao.frag.h"

#define FRAME_BYTES 528u /* of the block in frame.glsl */

typedef struct SceneFeature {
    PostScene *scene;
    CnRenderPipeline pipeline;
    CnFrame *frame;
} SceneFeature;

static bool setup_scene(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    SceneFeature *feature = self;
    memcpy(&feature->scene, options, sizeof feature->scene);
    feature->pipeline = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_core_full_screen_vert),
                                .fragment = CN_SHADER(tests_post_scene_frag),
                                .state = {.name = "post scene",
                                          .bindings = {CN_GPU_BIND_UNIFORM},
                                          .constants = 8,
                                          .color = {CN_HDR_FORMAT, CN_GPU_FORMAT_RGBA16F},
                                          .depth = CN_DEPTH_FORMAT,
                                          .depth_test = CN_GPU_ALWAYS,
                                          .depth_write = true}},
        error);
    return feature->pipeline.id != 0;
}

static void destroy_scene(CnRenderer *renderer, void *self)
{
    SceneFeature *feature = self;
    cn_render_pipeline_destroy(renderer, feature->pipeline);
}

static void run_scene(const CnGraphRun *run)
{
    const SceneFeature *feature = run->user;
    const CnGpuUpload *data = &feature->frame->frame_data;
    struct {
        uint32_t kind;
        float value;
    } constants = {feature->scene->kind, feature->scene->value};
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(feature->frame->renderer, feature->pipeline));
    cn_gpu_bind_buffer(run->commands, 0, data->buffer, data->offset, FRAME_BYTES);
    cn_gpu_push_constants(run->commands, &constants, sizeof constants);
    cn_frame_draw_full_screen(run);
}

static void add_scene(CnFrame *frame, void *self)
{
    SceneFeature *feature = self;
    const PostScene *scene = feature->scene;
    CnGraphAttachment drop = {.load = CN_GPU_DISCARD};
    feature->frame = frame;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "post scene", .run = run_scene, .user = feature});
    CnGraphTexture hdr = cn_graph_color_attachment(
        frame->graph, pass, cn_frame_texture(frame, "hdr", CN_HDR_FORMAT, 1), &drop);
    CnGraphTexture normal = cn_graph_color_attachment(
        frame->graph, pass, cn_frame_texture(frame, "normal", CN_GPU_FORMAT_RGBA16F, 1), &drop);
    CnGraphTexture depth = cn_graph_depth_attachment(
        frame->graph, pass, cn_frame_texture(frame, "depth", CN_DEPTH_FORMAT, 1), &drop);
    frame->hdr = scene->no_hdr ? (CnGraphTexture){0} : hdr;
    frame->normal = scene->no_normal ? (CnGraphTexture){0} : normal;
    frame->depth = scene->no_depth ? (CnGraphTexture){0} : depth;
}

static const CnFeatureType scene_feature = {.name = "Post scene",
                                            .size = sizeof(SceneFeature),
                                            .setup = setup_scene,
                                            .add_passes = add_scene,
                                            .destroy = destroy_scene};

/* ---- Showing ambient occlusion ---- */

typedef struct ShowAo {
    CnRenderer *renderer;
    CnRenderPipeline pipeline;
    CnGpuSampler sampler;
    CnGraphTexture ao;
} ShowAo;

static bool setup_show(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)options;
    ShowAo *show = self;
    show->renderer = renderer;
    show->sampler = cn_gpu_sampler_get(cn_renderer_gpu(renderer),
                                       &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, error);
    show->pipeline = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_core_full_screen_vert),
                                .fragment = CN_SHADER(tests_show_ao_frag),
                                .state = {.name = "show ao",
                                          .bindings = {CN_GPU_BIND_TEXTURE},
                                          .color = {CN_HDR_FORMAT}}},
        error);
    return show->sampler.id && show->pipeline.id;
}

static void destroy_show(CnRenderer *renderer, void *self)
{
    ShowAo *show = self;
    cn_render_pipeline_destroy(renderer, show->pipeline);
}

static void run_show(const CnGraphRun *run)
{
    const ShowAo *show = run->user;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(show->renderer, show->pipeline));
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, show->ao),
                        show->sampler);
    cn_frame_draw_full_screen(run);
}

static void add_show(CnFrame *frame, void *self)
{
    ShowAo *show = self;
    show->ao = frame->ao;
    if (!show->ao.id)
        return;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "show ao", .run = run_show, .user = show});
    cn_graph_read_texture(frame->graph, pass, show->ao, CN_GPU_ACCESS_SAMPLE, NULL);
    frame->hdr = cn_graph_color_attachment(frame->graph, pass,
                                           cn_frame_texture(frame, "shown", CN_HDR_FORMAT, 1),
                                           &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

static const CnFeatureType show_ao = {.name = "Show AO",
                                      .size = sizeof(ShowAo),
                                      .setup = setup_show,
                                      .add_passes = add_show,
                                      .destroy = destroy_show};

/* ---- The scene ---- */

bool post_scene_init(PostScene *scene, CnGpuBackend backend)
{
    return post_scene_init_form(scene, backend, CN_FULL_SCREEN_AUTO);
}

bool post_scene_init_form(PostScene *scene, CnGpuBackend backend, CnFullScreenForm form)
{
    *scene = (PostScene){.heap = cn_heap_create(NULL, NULL),
                         .width = 160,
                         .height = 90,
                         .delta = 1.0f / 60,
                         .camera = {.valid = true,
                                    .position = {0, 1.6f, 5},
                                    .rotation = cn_quat_from_axis(cn_vec3(1, 0, 0), -0.12f),
                                    .fov = 1,
                                    .near_plane = 0.1f,
                                    .far_plane = 200}};
    CnGpuDesc desc = {.allocator = cn_heap_tag(scene->heap, "gpu"), .backend = CN_GPU_NULL};
    scene->gpu = backend == CN_GPU_NULL ? cn_gpu_create(&desc, &scene->error) : make_vulkan(&desc);
    if (!scene->gpu) {
        cn_heap_destroy(scene->heap);
        return false;
    }
    scene->renderer =
        cn_renderer_create(&(CnRendererDesc){.allocator = cn_heap_tag(scene->heap, "renderer"),
                                             .gpu = scene->gpu,
                                             .full_screen = form},
                           &scene->error);
    if (!scene->renderer)
        fail_msg("%s", scene->error.message);
    post_scene_add(scene, &scene_feature, &scene);
    return true;
}

void post_scene_fini(PostScene *scene)
{
    cn_renderer_destroy(scene->renderer);
    end_gpu(scene->gpu);
    assert_int_equal(cn_heap_stats(scene->heap).live_blocks, 0);
    cn_heap_destroy(scene->heap);
}

CnFeature *post_scene_add(PostScene *scene, const CnFeatureType *type, const void *options)
{
    CnFeature *feature = cn_renderer_add_feature(scene->renderer, type, options, &scene->error);
    if (!feature)
        fail_msg("%s", scene->error.message);
    return feature;
}

void post_scene_add_show_ao(PostScene *scene)
{
    post_scene_add(scene, &show_ao, NULL);
}

static void draw(PostScene *scene, bool read_back)
{
    CnRenderSnapshot snapshot = {.camera = scene->camera};
    if (!cn_renderer_draw(scene->renderer,
                          &(CnFrameDesc){.current = &snapshot,
                                         .alpha = 1,
                                         .delta = scene->delta,
                                         .width = scene->width,
                                         .height = scene->height,
                                         .read_back = read_back},
                          &scene->error))
        fail_msg("%s", scene->error.message);
}

void post_scene_draw(PostScene *scene)
{
    draw(scene, false);
}

const uint8_t *post_scene_pixels(PostScene *scene)
{
    uint32_t width, height;
    draw(scene, true);
    const uint8_t *pixels = cn_renderer_pixels(scene->renderer, &width, &height, &scene->error);
    if (!pixels)
        fail_msg("%s", scene->error.message);
    assert_int_equal(width, scene->width);
    assert_int_equal(height, scene->height);
    return pixels;
}

uint8_t post_scene_pixel(const PostScene *scene, const uint8_t *pixels, uint32_t x, uint32_t y)
{
    return pixels[((size_t)y * scene->width + x) * 4];
}

bool post_scene_ran(const PostScene *scene, const char *pass)
{
    CnGraphPassInfo info;
    for (uint32_t i = 0; cn_graph_pass_info(cn_renderer_graph(scene->renderer), i, &info); i++) {
        if (!info.is_culled && !strcmp(info.name, pass))
            return true;
    }
    return false;
}

/* 22: a feature of one's own, in a preset of one's own: fog that lies low, between the light and
 * the tone map. */
#include "scene_helpers.h"
#include "shaders/samples/fog.frag.h"

typedef struct Fog {
    CnRenderPipeline pipeline;
    CnGpuSampler sampler;
    CnFrame *frame;
    CnGraphTexture hdr, depth;
} Fog;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Fog *fog = self;
    (void)options;
    fog->sampler = cn_gpu_sampler_get(cn_renderer_gpu(renderer),
                                      &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, error);
    fog->pipeline = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){
            .fragment = CN_SHADER(samples_fog_frag),
            .state = {.name = "fog",
                      .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE},
                      .color = {CN_HDR_FORMAT}}},
        error);
    return fog->sampler.id && fog->pipeline.id;
}

static void run(const CnGraphRun *run)
{
    const Fog *fog = run->user;
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(fog->frame->renderer, fog->pipeline));
    cn_gpu_bind_buffer(run->commands, 0, fog->frame->frame_data.buffer,
                       fog->frame->frame_data.offset, 0);
    cn_gpu_bind_texture(run->commands, 1, cn_graph_get_texture(run->graph, fog->hdr), fog->sampler);
    cn_gpu_bind_texture(run->commands, 2, cn_graph_get_texture(run->graph, fog->depth),
                        fog->sampler);
    cn_frame_draw_full_screen(run);
}

static void add_passes(CnFrame *frame, void *self)
{
    Fog *fog = self;
    fog->frame = frame;
    fog->hdr = frame->hdr;
    fog->depth = frame->depth;
    CnGraphPass pass =
        cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "fog", .run = run, .user = fog});
    cn_graph_read_texture(frame->graph, pass, fog->hdr, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(frame->graph, pass, fog->depth, CN_GPU_ACCESS_SAMPLE, NULL);
    frame->hdr = cn_graph_color_attachment(frame->graph, pass,
                                           cn_frame_texture(frame, "fogged", CN_HDR_FORMAT, 1),
                                           &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

static const CnFeatureType fog_feature = {
    .name = "Fog", .size = sizeof(Fog), .setup = setup, .add_passes = add_passes};

/* ---- A preset is a function that adds features ---- */

static bool foggy(CnRenderer *renderer, const CnRenderOptions *options, void *user, CnError *error)
{
    (void)user;
    return cn_renderer_add_feature(renderer, &cn_feature_sky, &options->sky, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_environment, &options->sky, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_shadows, NULL, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_forward, NULL, error) &&
           cn_renderer_add_feature(renderer, &fog_feature, NULL, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_tone_map, NULL, error);
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    (void)user, (void)error;
    CnWorld *world = cn_engine_world(engine);
    CnRenderer *renderer = cn_engine_renderer(engine);
    cn_material_create(
        renderer, &(CnMaterialDesc){.name = "Moss", .base_color = {0.12f, 0.14f, 0.06f, 1}}, NULL);
    cn_material_create(
        renderer, &(CnMaterialDesc){.name = "Fir", .base_color = {0.03f, 0.09f, 0.05f, 1}}, NULL);
    place(world, "shapes://plane", "Moss", (CnVec3){0, 0, 0}, (CnVec3){200, 1, 200});
    for (int i = 0; i < 60; i++) {
        float x = (float)(i * 37 % 60 - 30), height = 1 + (float)(i * 13 % 7);
        place(world, "shapes://cone", "Fir", (CnVec3){x, height / 2, (float)-i},
              (CnVec3){height * 0.6f, height, height * 0.6f});
    }
    place_sun(world, (CnVec3){-0.6f, -0.5f, -0.4f}, 4);
    return cn_add(world, place_camera(world, (CnVec3){0, 4, 10}, (CnVec3){0, 2, -10}), CnFlyCamera);
}

int main(int count, char **arguments)
{
    CnEngineDesc desc = {
        .title = "Fog", .preset = foggy, .render = {.sky = {.kind = CN_SKY_ATMOSPHERE}}};
    return cn_engine_main(&desc, count, arguments, start, NULL);
}

#include "sky_fixture.h"

#include <cairn/base/linear.h>
#include <string.h>

#include "shaders/render/core/full_screen.vert.h"
#include "shaders/tests/environment_spheres.frag.h"
#include "shaders/tests/show.frag.h"

/* ---- Spheres ---- */

typedef struct Spheres {
    CnFrame *frame;
    CnRenderPipeline pipeline;
    CnGpuSampler sampler;
    CnVec4 albedo;
    CnGraphTexture irradiance, prefiltered, table;
} Spheres;

static CnGpuSampler make_sampler(CnRenderer *renderer, CnError *error)
{
    return cn_gpu_sampler_get(cn_renderer_gpu(renderer),
                              &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR,
                                                  .mip_filter = CN_GPU_LINEAR,
                                                  .wrap = CN_GPU_CLAMP},
                              error);
}

static bool setup_spheres(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Spheres *spheres = self;
    const CnVec3 *albedo = options;
    spheres->albedo = (CnVec4){albedo->x, albedo->y, albedo->z, 1};
    spheres->sampler = make_sampler(renderer, error);
    spheres->pipeline = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_core_full_screen_vert),
                                .fragment = CN_SHADER(tests_environment_spheres_frag),
                                .state = {.name = "spheres",
                                          .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE,
                                                       CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE},
                                          .constants = 16,
                                          .color = {CN_HDR_FORMAT}}},
        error);
    return spheres->pipeline.id && spheres->sampler.id;
}

static void run_spheres(const CnGraphRun *run)
{
    const Spheres *spheres = run->user;
    const CnFrame *frame = spheres->frame;
    const CnGraphTexture textures[3] = {spheres->irradiance, spheres->prefiltered, spheres->table};
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(frame->renderer, spheres->pipeline));
    cn_gpu_bind_buffer(run->commands, 0, frame->frame_data.buffer, frame->frame_data.offset,
                       sizeof(float) * (6 * 16 + 9 * 4));
    for (uint32_t i = 0; i < 3; i++)
        cn_gpu_bind_texture(run->commands, i + 1, cn_graph_get_texture(run->graph, textures[i]),
                            spheres->sampler);
    cn_gpu_push_constants(run->commands, &spheres->albedo, 16);
    cn_frame_draw_full_screen(run);
}

static void add_spheres(CnFrame *frame, void *self)
{
    Spheres *spheres = self;
    if (!frame->irradiance.id)
        return;
    spheres->frame = frame;
    spheres->irradiance = frame->irradiance;
    spheres->prefiltered = frame->prefiltered;
    spheres->table = frame->brdf_lut;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "spheres", .run = run_spheres, .user = spheres});
    cn_graph_read_texture(frame->graph, pass, frame->irradiance, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(frame->graph, pass, frame->prefiltered, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(frame->graph, pass, frame->brdf_lut, CN_GPU_ACCESS_SAMPLE, NULL);
    frame->hdr = cn_graph_color_attachment(frame->graph, pass, frame->hdr, NULL);
}

static const CnFeatureType spheres_type = {
    .name = "Spheres", .size = sizeof(Spheres), .setup = setup_spheres, .add_passes = add_spheres};

/* ---- For the eye ---- */

typedef struct Show {
    CnRenderer *renderer;
    CnRenderPipeline pipeline;
    CnGpuSampler sampler;
    CnGraphTexture hdr;
} Show;

static bool setup_show(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)options;
    Show *show = self;
    show->renderer = renderer;
    show->sampler = make_sampler(renderer, error);
    show->pipeline = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_core_full_screen_vert),
                                .fragment = CN_SHADER(tests_show_frag),
                                .state = {.name = "show",
                                          .bindings = {CN_GPU_BIND_TEXTURE},
                                          .color = {CN_GPU_FORMAT_RGBA8}}},
        error);
    return show->pipeline.id && show->sampler.id;
}

static void run_show(const CnGraphRun *run)
{
    const Show *show = run->user;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(show->renderer, show->pipeline));
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, show->hdr),
                        show->sampler);
    cn_frame_draw_full_screen(run);
}

static void add_show(CnFrame *frame, void *self)
{
    Show *show = self;
    show->hdr = frame->hdr;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "show", .run = run_show, .user = show});
    cn_graph_read_texture(frame->graph, pass, frame->hdr, CN_GPU_ACCESS_SAMPLE, NULL);
    frame->output = cn_graph_color_attachment(frame->graph, pass, frame->output,
                                              &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

static const CnFeatureType show_type = {
    .name = "Show", .size = sizeof(Show), .setup = setup_show, .add_passes = add_show};

/* ---- Fixture ---- */

bool sky_fixture_init(RenderFixture *fixture, RenderBackend backend, const CnSkyOptions *options,
                      CnVec3 albedo)
{
    if (!render_fixture_init(fixture, backend))
        return false;
    fixture->frame_desc.width = 160;
    fixture->frame_desc.height = 90;
    sky_fixture_sun(fixture, 70);
    sky_fixture_look(fixture, 0, 0, 70);
    sky_fixture_add(fixture, options, albedo);
    return true;
}

void sky_fixture_add(RenderFixture *fixture, const CnSkyOptions *options, CnVec3 albedo)
{
    render_fixture_add(fixture, &cn_feature_sky, options);
    render_fixture_add(fixture, &cn_feature_environment, options);
    if (albedo.x + albedo.y + albedo.z > 0)
        render_fixture_add(fixture, &spheres_type, &albedo);
    render_fixture_add(fixture, &show_type, NULL);
}

void sky_fixture_sun(RenderFixture *fixture, float elevation)
{
    float sine, cosine;
    cn_sincosf(elevation * CN_PIF / 180, &sine, &cosine);
    render_fixture_clear(fixture);
    render_fixture_sun(fixture, cn_vec3(0, -sine, cosine), cn_vec3(4, 4, 4));
}

void sky_fixture_look(RenderFixture *fixture, float pitch, float yaw, float fov)
{
    fixture->snapshot.camera =
        (CnRenderCamera){.valid = true,
                         .rotation = cn_quat_from_euler(cn_vec3(pitch, yaw, 0)),
                         .fov = fov * CN_PIF / 180,
                         .near_plane = 0.1f,
                         .far_plane = 1000};
}

uint32_t sky_fixture_passes(const RenderFixture *fixture, const char *name)
{
    CnGraphPassInfo info;
    uint32_t count = 0;
    for (uint32_t i = 0; cn_graph_pass_info(cn_renderer_graph(fixture->renderer), i, &info); i++)
        count += !info.is_culled && !strcmp(info.name, name);
    return count;
}

#include "render/feature/lit_atmosphere.h"

#include "shaders/render/feature/lit_clouds.frag.h"
#include "shaders/render/feature/lit_clouds.vert.h"
#include "shaders/render/feature/lit_night.frag.h"
#include "shaders/render/feature/lit_sky.frag.h"
#include "shaders/render/feature/lit_sky.vert.h"
#include "shaders/render/feature/lit_sky_table.comp.h"

#define DEFAULT_HAZE 8.0f
#define TABLE_WIDTH 88u /* lit_atmosphere.glsl */
#define TABLE_HEIGHT 80u
#define GROUP 8u /* threads per axis */
#define CLOUDS_DIVIDE 4u

typedef struct CloudConstants { /* lit_clouds.frag */
    CnVec4 to_sun, glow;
} CloudConstants;

/* CPU drivers compile shaders on first use: compile that of the night soon after the first frames,
 * not at nightfall. */
#define NIGHT_FRAME 4u

typedef struct SkyRunConstants { /* lit_sky.vert */
    CniRenderSkyConstants sky;
    CnVec3 disc;
    float has_clouds;
} SkyRunConstants;

/* ---- Setup ---- */

static CnRenderPipeline make_sky(CnRenderer *renderer, const char *name, CnShader fragment,
                                 CnGpuBlend blend, CnError *error)
{
    return cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_feature_lit_sky_vert),
                                .fragment = fragment,
                                .state = {.name = name,
                                          .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE,
                                                       CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE},
                                          .constants = sizeof(SkyRunConstants),
                                          .color = {CN_HDR_FORMAT},
                                          .blend = {blend},
                                          .depth = CN_DEPTH_FORMAT,
                                          .depth_test = CN_GPU_GREATER_EQUAL}},
        error);
}

static bool make_pipelines(CnRenderer *renderer, CniRenderLitAtmosphere *atmosphere, CnError *error)
{
    atmosphere->map = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.compute = CN_SHADER(render_feature_lit_sky_table_comp),
                                .state = {.name = "lit sky table",
                                          .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE,
                                                       CN_GPU_BIND_STORAGE_TEXTURE},
                                          .constants = sizeof(CniRenderSkyConstants)}},
        error);
    atmosphere->sky =
        make_sky(renderer, "lit sky", (CnShader)CN_SHADER(render_feature_lit_sky_frag),
                 CN_GPU_BLEND_NONE, error);
    atmosphere->night =
        make_sky(renderer, "lit night", (CnShader)CN_SHADER(render_feature_lit_night_frag),
                 CN_GPU_BLEND_ADD, error);
    if (!atmosphere->has_clouds)
        return atmosphere->map.id && atmosphere->sky.id && atmosphere->night.id;
    atmosphere->clouds = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_feature_lit_clouds_vert),
                                .fragment = CN_SHADER(render_feature_lit_clouds_frag),
                                .state = {.name = "lit clouds",
                                          .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE},
                                          .constants = sizeof(CloudConstants),
                                          .color = {CN_HDR_FORMAT}}},
        error);
    return atmosphere->map.id && atmosphere->sky.id && atmosphere->night.id &&
           atmosphere->clouds.id &&
           cni_render_cloud_noise_create(renderer, &atmosphere->noise, error);
}

bool cni_render_lit_atmosphere_setup(CnRenderer *renderer, CniRenderLitAtmosphere *atmosphere,
                                     CnError *error)
{
    const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    if (atmosphere->options.haze == 0)
        atmosphere->options.haze = DEFAULT_HAZE;
    if (atmosphere->options.haze < 0)
        atmosphere->options.haze = 0;
    return cni_render_sky_source_setup(&atmosphere->source, renderer, "lit sky view", &sky,
                                       error) &&
           make_pipelines(renderer, atmosphere, error);
}

void cni_render_lit_atmosphere_destroy(CnRenderer *renderer, CniRenderLitAtmosphere *atmosphere)
{
    CnRenderPipeline pipelines[] = {atmosphere->map, atmosphere->clouds, atmosphere->sky,
                                    atmosphere->night};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++)
        cn_render_pipeline_destroy(renderer, pipelines[i]);
    cn_full_screen_fini(renderer, &atmosphere->noise, 1);
    if (atmosphere->source.renderer)
        cni_render_sky_source_destroy(&atmosphere->source);
}

/* ---- The table ---- */

typedef struct AtmosphereRun {
    const CnFrame *frame;
    const CniRenderLitAtmosphere *atmosphere;
} AtmosphereRun;

static void bind_frame(const CnFrame *frame, const CnGraphRun *run, CnRenderPipeline pipeline)
{
    const CnGpuUpload *data = &frame->frame_data;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(frame->renderer, pipeline));
    cn_gpu_bind_buffer(run->commands, 0, data->buffer, data->offset, sizeof(CniRenderFrameData));
}

static void run_table(const CnGraphRun *run)
{
    const AtmosphereRun *user = run->user;
    const CniRenderSkySource *source = &user->atmosphere->source;
    bind_frame(user->frame, run, user->atmosphere->map);
    cni_render_sky_source_bind(source, run);
    cn_gpu_bind_storage_texture(run->commands, 2,
                                cn_graph_get_texture(run->graph, user->atmosphere->table), 0);
    cn_gpu_push_constants(run->commands, &source->constants, sizeof source->constants);
    cn_gpu_dispatch(run->commands, TABLE_WIDTH / GROUP, TABLE_HEIGHT / GROUP, 1);
}

/* Approximates the value of the table for unoccluded surfaces, for features that do not read it. */
static CnVec3 find_ambient(const CniRenderSkyConstants *sky)
{
    const CnVec3 day = {0.27f, 0.40f, 0.62f}, night = {0.012f, 0.021f, 0.048f};
    float high = sky->to_sun.y > 0 ? sky->to_sun.y : 0, dusk = 1 + sky->to_sun.y * 6;
    float part = 0.25f * (dusk < 0 ? 0 : dusk > 1 ? 1 : dusk) + 0.75f * cn_sqrtf(high);
    CnVec3 clear =
        cn_vec3_add(cn_vec3_scale(day, part * (1 - sky->night)), cn_vec3_scale(night, sky->night));
    return cn_vec3_scale(cn_vec3_lerp(clear, sky->veil, sky->veiled), sky->intensity);
}

/* Sets the light of clouds and the sea level for lit_sky_table.comp. */
static void set_more(const CnFrame *frame, CniRenderLitAtmosphere *atmosphere)
{
    float part, *more = atmosphere->source.constants.more;
    CnVec3 clouds = cni_render_cloud_light(frame, &atmosphere->source.constants, &part);
    more[0] = clouds.x, more[1] = clouds.y, more[2] = atmosphere->options.sea_level,
    more[3] = clouds.z;
}

void cni_render_lit_atmosphere_begin(CnFrame *frame, CniRenderLitAtmosphere *atmosphere)
{
    CnGraph *graph = frame->graph;
    AtmosphereRun *user = cn_frame_alloc(frame, sizeof *user);
    atmosphere->table = (CnGraphTexture){0};
    if (!user)
        return;
    *user = (AtmosphereRun){frame, atmosphere};
    atmosphere->frames_drawn += frame->atmosphere.valid;
    cni_render_sky_source_update(frame, &atmosphere->source);
    set_more(frame, atmosphere);
    frame->ambient = find_ambient(&atmosphere->source.constants);
    CnGraphPass pass = cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "lit sky table",
                                                                   .kind = CN_GRAPH_COMPUTE,
                                                                   .run = run_table,
                                                                   .user = user});
    cni_render_sky_source_read(frame, &atmosphere->source, pass, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    atmosphere->table = cn_graph_write_texture(
        graph, pass,
        cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = "lit sky table",
                                                           .format = CN_HDR_FORMAT,
                                                           .width = TABLE_WIDTH,
                                                           .height = TABLE_HEIGHT}),
        CN_GPU_ACCESS_WRITE_COMPUTE, &(CnGraphSubresource){.overwrite = true});
}

void cni_render_lit_atmosphere_read(CnFrame *frame, const CniRenderLitAtmosphere *atmosphere,
                                    CnGraphPass pass)
{
    cn_graph_read_texture(frame->graph, pass, atmosphere->table, CN_GPU_ACCESS_SAMPLE, NULL);
}

void cni_render_lit_atmosphere_bind(const CniRenderLitAtmosphere *atmosphere, const CnGraphRun *run,
                                    uint32_t binding)
{
    cn_gpu_bind_texture(run->commands, binding, cn_graph_get_texture(run->graph, atmosphere->table),
                        atmosphere->source.renderer->defaults.linear_clamp);
}

CniRenderLitConstants cni_render_lit_constants(const CnFrame *frame,
                                               const CniRenderLitAtmosphere *atmosphere)
{
    const CnVec3 water = {0.018f, 0.125f, 0.185f}, night = {0.05f, 0.05f, 0.05f}; /* fog.glsl */
    const CniRenderSkyConstants *sky = &atmosphere->source.constants;
    CnVec3 day = cn_vec3_add(cn_vec3_scale(sky->ground, 5 * sky->intensity), night);
    CnMat4 turn = frame->view.view;
    turn.m[12] = turn.m[13] = turn.m[14] = 0;
    return (CniRenderLitConstants){.eye_to_clip = cn_mat4_mul(&frame->view.projection, &turn),
                                   .edge = atmosphere->options.edge,
                                   .haze = atmosphere->options.haze,
                                   .sea_level = atmosphere->options.sea_level,
                                   .is_on = atmosphere->has_fog,
                                   .water = cn_vec3_mul(water, day)};
}

/* ---- Clouds and sky ---- */

static void run_clouds(const CnGraphRun *run)
{
    const AtmosphereRun *user = run->user;
    bind_frame(user->frame, run, user->atmosphere->clouds);
    cn_gpu_bind_texture(run->commands, 1,
                        cn_graph_get_texture(run->graph, user->atmosphere->noise_now),
                        user->atmosphere->source.renderer->defaults.linear_clamp);
    CnVec3 sun = user->frame->atmosphere.to_sun,
           glow = cni_render_cloud_glow(&user->frame->atmosphere);
    CloudConstants constants = {{sun.x, sun.y, sun.z, 0}, {glow.x, glow.y, glow.z, 0}};
    cn_gpu_push_constants(run->commands, &constants, sizeof constants);
    cn_frame_draw_full_screen(run);
}

void cni_render_lit_clouds(CnFrame *frame, CniRenderLitAtmosphere *atmosphere)
{
    CnGraph *graph = frame->graph;
    AtmosphereRun *user = cn_frame_alloc(frame, sizeof *user);
    atmosphere->clouds_now = (CnGraphTexture){0};
    if (!atmosphere->has_clouds || !cni_render_frame_has_clouds(frame) || !user)
        return;
    *user = (AtmosphereRun){frame, atmosphere};
    atmosphere->noise_now = cni_render_cloud_noise(frame, "lit cloud noise", &atmosphere->noise);
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "lit clouds", .run = run_clouds, .user = user});
    cn_graph_read_texture(graph, pass, atmosphere->noise_now, CN_GPU_ACCESS_SAMPLE, NULL);
    atmosphere->clouds_now = cn_graph_color_attachment(
        graph, pass, cn_frame_texture(frame, "lit clouds", CN_HDR_FORMAT, CLOUDS_DIVIDE),
        &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

void cni_render_lit_sky_read(CnFrame *frame, const CniRenderLitAtmosphere *atmosphere,
                             CnGraphPass pass)
{
    cni_render_sky_source_read(frame, &atmosphere->source, pass, CN_GPU_ACCESS_SAMPLE);
    if (atmosphere->clouds_now.id)
        cn_graph_read_texture(frame->graph, pass, atmosphere->clouds_now, CN_GPU_ACCESS_SAMPLE,
                              NULL);
}

/* Color of the sun's disc, as sky_disc in sky.glsl. */
static CnVec3 find_disc(const CniRenderSkyConstants *sky)
{
    const float bright = 60;
    CnVec3 to_sun = sky->to_sun;
    to_sun.y = to_sun.y > 0 ? to_sun.y : 0;
    float open = 1 - sky->veiled;
    return cn_vec3_scale(cn_atmosphere_sun_color(to_sun),
                         bright * sky->intensity * open * open * open);
}

/* Returns whether stars are visible or the moon is up. */
static bool has_night(const CnRenderAtmosphere *atmosphere)
{
    return atmosphere->valid && (atmosphere->to_sun.y < -0.02f || atmosphere->to_moon.y > -0.1f);
}

void cni_render_lit_sky_draw(CnFrame *frame, const CniRenderLitAtmosphere *atmosphere,
                             const CnGraphRun *run)
{
    const CniRenderDefaults *defaults = &frame->renderer->defaults;
    const SkyRunConstants constants = {atmosphere->source.constants,
                                       find_disc(&atmosphere->source.constants),
                                       atmosphere->clouds_now.id != 0};
    bool has_both = has_night(&frame->atmosphere) || atmosphere->frames_drawn == NIGHT_FRAME;
    for (int is_night = 0; is_night < 1 + has_both; is_night++) {
        bind_frame(frame, run, is_night ? atmosphere->night : atmosphere->sky);
        cni_render_sky_source_bind(&atmosphere->source, run);
        cni_render_lit_atmosphere_bind(atmosphere, run, 2);
        cn_gpu_bind_texture(run->commands, 3,
                            atmosphere->clouds_now.id
                                ? cn_graph_get_texture(run->graph, atmosphere->clouds_now)
                                : defaults->white,
                            defaults->linear_clamp);
        cn_gpu_push_constants(run->commands, &constants, sizeof constants);
        cn_frame_draw_full_screen(run);
    }
}

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
#define NIGHT_PICTURE 4u

typedef struct SkyRunConstants { /* lit_sky.vert */
    CniSkyConstants sky;
    CnVec3 disc;
    float has_clouds;
} SkyRunConstants;

/* ---- Setup ---- */

static CnRenderPipeline make_sky(CnRenderer *renderer, const char *name, CnShader fragment,
                                 CnGpuBlend blend, CnError *error)
{
    return cn_render_pipeline(
        renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_lit_sky_vert),
                                .fragment = fragment,
                                .state = {.name = name,
                                          .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE,
                                                       CN_BIND_TEXTURE, CN_BIND_TEXTURE},
                                          .constants = sizeof(SkyRunConstants),
                                          .color = {CN_HDR_FORMAT},
                                          .blend = {blend},
                                          .depth = CN_DEPTH_FORMAT,
                                          .depth_test = CN_GPU_GREATER_EQUAL}},
        error);
}

static bool make_pipelines(CnRenderer *renderer, CniLitAir *air, CnError *error)
{
    air->map = cn_render_pipeline(
        renderer,
        &(CnRenderPipelineDesc){
            .compute = CN_SHADER(render_lit_sky_map_comp),
            .state = {.name = "lit sky table",
                      .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE, CN_BIND_STORAGE_TEXTURE},
                      .constants = sizeof(CniSkyConstants)}},
        error);
    air->sky = make_sky(renderer, "lit sky", (CnShader)CN_SHADER(render_lit_sky_frag),
                        CN_GPU_BLEND_NONE, error);
    air->night = make_sky(renderer, "lit night", (CnShader)CN_SHADER(render_lit_night_frag),
                          CN_GPU_BLEND_ADD, error);
    if (!air->has_clouds)
        return air->map.id && air->sky.id && air->night.id;
    air->clouds = cn_render_pipeline(
        renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_lit_clouds_vert),
                                .fragment = CN_SHADER(render_lit_clouds_frag),
                                .state = {.name = "lit clouds",
                                          .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE},
                                          .constants = sizeof(CloudConstants),
                                          .color = {CN_HDR_FORMAT}}},
        error);
    return air->map.id && air->sky.id && air->night.id && air->clouds.id &&
           cni_cloud_noise_create(renderer, &air->noise, error);
}

bool cni_lit_air_setup(CnRenderer *renderer, CniLitAir *air, CnError *error)
{
    const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    if (air->options.haze == 0)
        air->options.haze = DEFAULT_HAZE;
    if (air->options.haze < 0)
        air->options.haze = 0;
    return cni_sky_source_setup(&air->source, renderer, "lit sky view", &sky, error) &&
           make_pipelines(renderer, air, error);
}

void cni_lit_air_destroy(CnRenderer *renderer, CniLitAir *air)
{
    CnRenderPipeline pipelines[] = {air->map, air->clouds, air->sky, air->night};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++)
        cn_render_pipeline_destroy(renderer, pipelines[i]);
    cni_full_screen_destroy(renderer, &air->noise, 1);
    if (air->source.renderer)
        cni_sky_source_destroy(&air->source);
}

/* ---- The table ---- */

typedef struct AirRun {
    const CnFrame *frame;
    const CniLitAir *air;
} AirRun;

static void bind_frame(const CnFrame *frame, const CnGraphRun *run, CnRenderPipeline pipeline)
{
    const CnGpuUpload *data = &frame->frame_data;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(frame->renderer, pipeline));
    cn_gpu_bind_buffer(run->commands, 0, data->buffer, data->offset, sizeof(CniFrameData));
}

static void run_table(const CnGraphRun *run)
{
    const AirRun *user = run->user;
    const CniSkySource *source = &user->air->source;
    bind_frame(user->frame, run, user->air->map);
    cni_sky_source_bind(source, run);
    cn_gpu_bind_storage_texture(run->commands, 2,
                                cn_graph_get_texture(run->graph, user->air->table), 0);
    cn_gpu_constants(run->commands, &source->constants, sizeof source->constants);
    cn_gpu_dispatch(run->commands, TABLE_WIDTH / GROUP, TABLE_HEIGHT / GROUP, 1);
}

/* Approximates the value of the table for unoccluded surfaces, for features that do not read it. */
static CnVec3 find_ambient(const CniSkyConstants *sky)
{
    const CnVec3 day = {0.27f, 0.40f, 0.62f}, night = {0.012f, 0.021f, 0.048f};
    float high = sky->to_sun.y > 0 ? sky->to_sun.y : 0, dusk = 1 + sky->to_sun.y * 6;
    float part = 0.25f * (dusk < 0 ? 0 : dusk > 1 ? 1 : dusk) + 0.75f * cn_sqrtf(high);
    CnVec3 clear =
        cn_vec3_add(cn_vec3_scale(day, part * (1 - sky->night)), cn_vec3_scale(night, sky->night));
    return cn_vec3_scale(cn_vec3_lerp(clear, sky->veil, sky->veiled), sky->intensity);
}

/* Sets the light of clouds and the sea level for lit_sky_table.comp. */
static void set_more(const CnFrame *frame, CniLitAir *air)
{
    float part, *more = air->source.constants.more;
    CnVec3 clouds = cni_cloud_light(frame, &air->source.constants, &part);
    more[0] = clouds.x, more[1] = clouds.y, more[2] = air->options.sea_level, more[3] = clouds.z;
}

void cni_lit_air_begin(CnFrame *frame, CniLitAir *air)
{
    CnGraph *graph = frame->graph;
    AirRun *user = cn_frame_memory(frame, sizeof *user);
    air->table = (CnGraphTexture){0};
    if (!user)
        return;
    *user = (AirRun){frame, air};
    air->pictures += frame->air.valid;
    cni_sky_source_update(frame, &air->source);
    set_more(frame, air);
    frame->ambient = find_ambient(&air->source.constants);
    CnGraphPass pass = cn_graph_pass(graph, &(CnGraphPassDesc){.name = "lit sky table",
                                                               .kind = CN_GRAPH_COMPUTE,
                                                               .run = run_table,
                                                               .user = user});
    cni_sky_source_read(frame, &air->source, pass, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    air->table =
        cn_graph_write_texture(graph, pass,
                               cn_graph_texture(graph, &(CnGpuTextureDesc){.name = "lit sky table",
                                                                           .format = CN_HDR_FORMAT,
                                                                           .width = TABLE_WIDTH,
                                                                           .height = TABLE_HEIGHT}),
                               CN_GPU_ACCESS_WRITE_COMPUTE, &(CnGraphPart){.overwrite = true});
}

void cni_lit_air_read(CnFrame *frame, const CniLitAir *air, CnGraphPass pass)
{
    cn_graph_read_texture(frame->graph, pass, air->table, CN_GPU_ACCESS_SAMPLE, NULL);
}

void cni_lit_air_bind(const CniLitAir *air, const CnGraphRun *run, uint32_t binding)
{
    cn_gpu_bind_texture(run->commands, binding, cn_graph_get_texture(run->graph, air->table),
                        air->source.renderer->neutral.linear_clamp);
}

CniLitConstants cni_lit_constants(const CnFrame *frame, const CniLitAir *air)
{
    const CnVec3 water = {0.018f, 0.125f, 0.185f}, night = {0.05f, 0.05f, 0.05f}; /* fog.glsl */
    const CniSkyConstants *sky = &air->source.constants;
    CnVec3 day = cn_vec3_add(cn_vec3_scale(sky->ground, 5 * sky->intensity), night);
    CnMat4 turn = frame->view.view;
    turn.m[12] = turn.m[13] = turn.m[14] = 0;
    return (CniLitConstants){.eye_to_clip = cn_mat4_mul(&frame->view.projection, &turn),
                             .edge = air->options.edge,
                             .haze = air->options.haze,
                             .sea_level = air->options.sea_level,
                             .is_on = air->has_fog,
                             .water = cn_vec3_mul(water, day)};
}

/* ---- Clouds and sky ---- */

static void run_clouds(const CnGraphRun *run)
{
    const AirRun *user = run->user;
    bind_frame(user->frame, run, user->air->clouds);
    cn_gpu_bind_texture(run->commands, 1, cn_graph_get_texture(run->graph, user->air->noise_now),
                        user->air->source.renderer->neutral.linear_clamp);
    CnVec3 sun = user->frame->air.to_sun, glow = cni_cloud_glow(&user->frame->air);
    CloudConstants constants = {{sun.x, sun.y, sun.z, 0}, {glow.x, glow.y, glow.z, 0}};
    cn_gpu_constants(run->commands, &constants, sizeof constants);
    cn_frame_draw_full(run);
}

void cni_lit_clouds(CnFrame *frame, CniLitAir *air)
{
    CnGraph *graph = frame->graph;
    AirRun *user = cn_frame_memory(frame, sizeof *user);
    air->clouds_now = (CnGraphTexture){0};
    if (!air->has_clouds || !cni_has_clouds(frame) || !user)
        return;
    *user = (AirRun){frame, air};
    air->noise_now = cni_cloud_noise(frame, "lit cloud noise", &air->noise);
    CnGraphPass pass = cn_graph_pass(
        graph, &(CnGraphPassDesc){.name = "lit clouds", .run = run_clouds, .user = user});
    cn_graph_read_texture(graph, pass, air->noise_now, CN_GPU_ACCESS_SAMPLE, NULL);
    air->clouds_now = cn_graph_color(
        graph, pass, cn_frame_texture(frame, "lit clouds", CN_HDR_FORMAT, CLOUDS_DIVIDE),
        &(CnGraphAttachment){.load = CN_GPU_DROP});
}

void cni_lit_sky_read(CnFrame *frame, const CniLitAir *air, CnGraphPass pass)
{
    cni_sky_source_read(frame, &air->source, pass, CN_GPU_ACCESS_SAMPLE);
    if (air->clouds_now.id)
        cn_graph_read_texture(frame->graph, pass, air->clouds_now, CN_GPU_ACCESS_SAMPLE, NULL);
}

/* Color of the sun's disc, as sky_disc in sky.glsl. */
static CnVec3 find_disc(const CniSkyConstants *sky)
{
    const float bright = 60;
    CnVec3 to_sun = sky->to_sun;
    to_sun.y = to_sun.y > 0 ? to_sun.y : 0;
    float open = 1 - sky->veiled;
    return cn_vec3_scale(cn_atmosphere_sun_color(to_sun),
                         bright * sky->intensity * open * open * open);
}

/* Returns whether stars are visible or the moon is up. */
static bool has_night(const CnRenderAir *air)
{
    return air->valid && (air->to_sun.y < -0.02f || air->to_moon.y > -0.1f);
}

void cni_lit_sky_draw(CnFrame *frame, const CniLitAir *air, const CnGraphRun *run)
{
    const CniNeutral *neutral = &frame->renderer->neutral;
    const SkyRunConstants constants = {air->source.constants, find_disc(&air->source.constants),
                                       air->clouds_now.id != 0};
    bool has_both = has_night(&frame->air) || air->pictures == NIGHT_PICTURE;
    for (int is_night = 0; is_night < 1 + has_both; is_night++) {
        bind_frame(frame, run, is_night ? air->night : air->sky);
        cni_sky_source_bind(&air->source, run);
        cni_lit_air_bind(air, run, 2);
        cn_gpu_bind_texture(run->commands, 3,
                            air->clouds_now.id ? cn_graph_get_texture(run->graph, air->clouds_now)
                                               : neutral->white,
                            neutral->linear_clamp);
        cn_gpu_constants(run->commands, &constants, sizeof constants);
        cn_frame_draw_full(run);
    }
}

#include "lit_air.h"

#include "shaders/render/lit_clouds.frag.h"
#include "shaders/render/lit_sky.frag.h"
#include "shaders/render/lit_sky_map.frag.h"

#define DEFAULT_HAZE 8.0f
#define TABLE_WIDTH 72u /* lit_air.glsl */
#define TABLE_HEIGHT 64u
#define CLOUDS_DIVIDE 4u

/* ---- Setup ---- */

static bool make_pipelines(CnRenderer *renderer, CniLitAir *air, CnError *error)
{
    air->map = cn_render_pipeline(
        renderer,
        &(CnRenderPipelineDesc){.fragment = CN_SHADER(render_lit_sky_map_frag),
                                .state = {.name = "lit sky table",
                                          .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE},
                                          .constants = sizeof(CniSkyConstants),
                                          .color = {CN_HDR_FORMAT}}},
        error);
    air->sky = cn_render_pipeline(
        renderer,
        &(CnRenderPipelineDesc){.fragment = CN_SHADER(render_lit_sky_frag),
                                .state = {.name = "lit sky",
                                          .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE,
                                                       CN_BIND_TEXTURE, CN_BIND_TEXTURE},
                                          .constants = sizeof(CniSkyConstants),
                                          .color = {CN_HDR_FORMAT},
                                          .depth = CN_DEPTH_FORMAT,
                                          .depth_test = CN_GPU_GREATER_EQUAL}},
        error);
    if (!air->has_clouds)
        return air->map.id && air->sky.id;
    air->clouds = cn_render_pipeline(
        renderer,
        &(CnRenderPipelineDesc){.fragment = CN_SHADER(render_lit_clouds_frag),
                                .state = {.name = "lit clouds",
                                          .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE},
                                          .color = {CN_HDR_FORMAT}}},
        error);
    return air->map.id && air->sky.id && air->clouds.id &&
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
    CnRenderPipeline pipelines[] = {air->map, air->clouds, air->sky};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++) {
        if (pipelines[i].id)
            cn_render_pipeline_destroy(renderer, pipelines[i]);
    }
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
    cn_gpu_constants(run->commands, &source->constants, sizeof source->constants);
    cn_frame_draw_full(run);
}

/* About what the table finds for what lies open, for those who do not read it. */
static CnVec3 find_ambient(const CniSkyConstants *sky)
{
    const CnVec3 day = {0.27f, 0.40f, 0.62f}, night = {0.012f, 0.021f, 0.048f};
    float high = sky->to_sun.y > 0 ? sky->to_sun.y : 0, dusk = 1 + sky->to_sun.y * 6;
    float part = 0.25f * (dusk < 0 ? 0 : dusk > 1 ? 1 : dusk) + 0.75f * cn_sqrtf(high);
    CnVec3 clear =
        cn_vec3_add(cn_vec3_scale(day, part * (1 - sky->night)), cn_vec3_scale(night, sky->night));
    return cn_vec3_scale(cn_vec3_lerp(clear, sky->veil, sky->veiled), sky->intensity);
}

void cni_lit_air_begin(CnFrame *frame, CniLitAir *air)
{
    CnGraph *graph = frame->graph;
    AirRun *user = cn_frame_memory(frame, sizeof *user);
    air->table = (CnGraphTexture){0};
    if (!user)
        return;
    *user = (AirRun){frame, air};
    cni_sky_source_update(frame, &air->source);
    air->source.constants.more[2] = air->options.sea_level;
    frame->ambient = find_ambient(&air->source.constants);
    CnGraphPass pass = cn_graph_pass(
        graph, &(CnGraphPassDesc){.name = "lit sky table", .run = run_table, .user = user});
    cni_sky_source_read(frame, &air->source, pass, CN_GPU_ACCESS_SAMPLE);
    air->table =
        cn_graph_color(graph, pass,
                       cn_graph_texture(graph, &(CnGpuTextureDesc){.name = "lit sky table",
                                                                   .format = CN_HDR_FORMAT,
                                                                   .width = TABLE_WIDTH,
                                                                   .height = TABLE_HEIGHT}),
                       &(CnGraphAttachment){.load = CN_GPU_DROP});
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
    const CnVec3 water = {0.018f, 0.125f, 0.185f}; /* fog.glsl */
    const CniSkyConstants *sky = &air->source.constants;
    CnMat4 turn = frame->view.view;
    turn.m[12] = turn.m[13] = turn.m[14] = 0;
    return (CniLitConstants){
        .eye_to_clip = cn_mat4_mul(&frame->view.projection, &turn),
        .edge = air->options.edge,
        .haze = air->options.haze,
        .sea_level = air->options.sea_level,
        .is_on = air->has_fog,
        .water = cn_vec3_scale(cn_vec3_mul(water, sky->ground), 5 * sky->intensity)};
}

/* ---- Clouds and sky ---- */

static void run_clouds(const CnGraphRun *run)
{
    const AirRun *user = run->user;
    bind_frame(user->frame, run, user->air->clouds);
    cn_gpu_bind_texture(run->commands, 1, cn_graph_get_texture(run->graph, user->air->noise_now),
                        user->air->source.renderer->neutral.linear_clamp);
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

void cni_lit_sky_draw(CnFrame *frame, const CniLitAir *air, const CnGraphRun *run)
{
    const CniNeutral *neutral = &frame->renderer->neutral;
    bind_frame(frame, run, air->sky);
    cni_sky_source_bind(&air->source, run);
    cni_lit_air_bind(air, run, 2);
    cn_gpu_bind_texture(run->commands, 3,
                        air->clouds_now.id ? cn_graph_get_texture(run->graph, air->clouds_now)
                                           : neutral->white,
                        neutral->linear_clamp);
    CniSkyConstants constants = air->source.constants;
    constants.more[3] = air->clouds_now.id != 0;
    cn_gpu_constants(run->commands, &constants, sizeof constants);
    cn_frame_draw_full(run);
}

/*
 * Image-based lighting from the sky: a cube map from which the diffuse irradiance and the specular
 * reflections of five roughness levels are computed. There are two sets of results: one is in use
 * while the other is updated, one face per frame, after the sun has moved. If there is no usable
 * set yet, a whole set is computed at once.
 */
#include "render/feature/sky_source.h"

#include <string.h>

#include "shaders/render/feature/environment_fill.comp.h"
#include "shaders/render/feature/environment_irradiance.comp.h"
#include "shaders/render/feature/environment_mip.comp.h"
#include "shaders/render/feature/environment_prefilter.comp.h"
#include "shaders/render/feature/environment_brdf_lut.comp.h"

#define FACES 6u
#define CUBE_SIZE 128u
#define CUBE_MIPS 6u /* to 4 x 4 */
#define IRRADIANCE_SIZE 32u
#define IRRADIANCE_FROM_MIP 4u /* 8 x 8 */
#define PREFILTERED_MIPS 5u
#define TABLE_SIZE 64u
/* Sun movement that triggers an update: half a degree, or a tenth of a degree when the sun is low
 * and colors change quickly. */
#define SUN_STEP_COSINE 0.99996192f
#define LOW_SUN_STEP_COSINE 0.99999848f
#define LOW_SUN_SINE 0.25f
#define SUN_JUMP_COSINE                                                                            \
    0.99619470f                  /* five degrees: the time was set, so the update is immediate     \
                                  */
#define AIR_STEP_SQUARED 2.5e-4f /* change of cloud cover and of night light */

enum { FILL, MIP, IRRADIANCE, PREFILTER, TABLE, PIPELINE_COUNT };

typedef struct Environment Environment;

/* Parameters of a pass. */
typedef struct Work {
    Environment *environment;
    uint32_t mip, set, first_face, face_count;
} Work;

#define MAX_WORK                                                                                   \
    (CUBE_MIPS + 3u) /* passes of a frame: table, cube map and its mips, irradiance, prefilter */

struct Environment {
    CniRenderSkySource source;
    CnRenderPipeline pipelines[PIPELINE_COUNT];
    /* Progress; passes update it when they run, because a frame may fail before. */
    uint32_t pipelines_then; /* sum of their versions when the cube map was filled */
    uint32_t changes_then;
    CnVec3 sun_then;
    float veiled_then, night_then;
    float clouds_then[4];
    uint32_t shown;     /* set in use */
    uint32_t next_face; /* of the other set; FACES: done */
    /* Of this frame. */
    CnGraphTexture cube, irradiance[2], prefiltered[2], table;
    Work work[MAX_WORK];
    uint32_t work_count;
};

/* ---- Setup ---- */

static bool make_pipelines(CnRenderer *renderer, Environment *environment, CnError *error)
{
    static const CnShader shaders[PIPELINE_COUNT] = {
        [FILL] = CN_SHADER(render_feature_environment_fill_comp),
        [MIP] = CN_SHADER(render_feature_environment_mip_comp),
        [IRRADIANCE] = CN_SHADER(render_feature_environment_irradiance_comp),
        [PREFILTER] = CN_SHADER(render_feature_environment_prefilter_comp),
        [TABLE] = CN_SHADER(render_feature_environment_brdf_lut_comp)};
    static const char *const names[PIPELINE_COUNT] = {"environment", "environment mip",
                                                      "irradiance", "prefilter", "BRDF table"};
    static const uint32_t constants[PIPELINE_COUNT] = {
        [FILL] = sizeof(CniRenderSkyConstants), [IRRADIANCE] = 8, [PREFILTER] = 12};
    for (uint32_t i = 0; i < PIPELINE_COUNT; i++) {
        CnRenderPipelineDesc desc = {
            .compute = shaders[i],
            .state = {.name = names[i],
                      .bindings = {CN_GPU_BIND_STORAGE_TEXTURE,
                                   i == TABLE ? CN_GPU_BIND_NONE : CN_GPU_BIND_TEXTURE},
                      .constants = constants[i]}};
        environment->pipelines[i] = cn_render_pipeline_create(renderer, &desc, error);
        if (!environment->pipelines[i].id)
            return false;
    }
    return true;
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Environment *environment = self;
    return make_pipelines(renderer, environment, error) &&
           cni_render_sky_source_setup(&environment->source, renderer, "environment sky view",
                                       options, error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Environment *environment = self;
    for (uint32_t i = 0; i < PIPELINE_COUNT; i++)
        cn_render_pipeline_destroy(renderer, environment->pipelines[i]);
    cni_render_sky_source_destroy(&environment->source);
}

/* ---- Running ---- */

static CnGpuCommands *begin(const CnGraphRun *run, const Environment *environment,
                            uint32_t pipeline)
{
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(environment->source.renderer,
                                                               environment->pipelines[pipeline]));
    return run->commands;
}

static CnGpuSampler sampler_of(const Environment *environment)
{
    return environment->source.renderer->defaults.linear_clamp;
}

static uint32_t sum_pipelines(const Environment *environment)
{
    CnRenderer *renderer = environment->source.renderer;
    uint32_t sum = cn_render_pipeline_get(renderer, environment->source.view).id;
    for (uint32_t i = 0; i < PIPELINE_COUNT; i++)
        sum += cn_render_pipeline_get(renderer, environment->pipelines[i]).id;
    return sum;
}

static void run_fill(const CnGraphRun *run)
{
    Environment *environment = ((const Work *)run->user)->environment;
    CnGpuCommands *commands = begin(run, environment, FILL);
    cn_gpu_bind_storage_texture(commands, 0, cn_graph_get_texture(run->graph, environment->cube),
                                0);
    cni_render_sky_source_bind(&environment->source, run);
    cn_gpu_push_constants(commands, &environment->source.constants,
                          sizeof environment->source.constants);
    cn_gpu_dispatch(commands, CUBE_SIZE / 8, CUBE_SIZE / 8, FACES);
    environment->pipelines_then = sum_pipelines(environment);
    environment->changes_then = environment->source.changes;
    environment->sun_then = environment->source.constants.to_sun;
    environment->veiled_then = environment->source.constants.veiled;
    environment->night_then = environment->source.constants.night;
    memcpy(environment->clouds_then, environment->source.constants.more,
           sizeof environment->clouds_then);
    environment->next_face = 0;
}

static void run_mip(const CnGraphRun *run)
{
    const Work *work = run->user;
    CnGpuTexture cube = cn_graph_get_texture(run->graph, work->environment->cube);
    CnGpuCommands *commands = begin(run, work->environment, MIP);
    uint32_t groups = (CUBE_SIZE >> work->mip) / 4;
    cn_gpu_bind_storage_texture(commands, 0, cube, work->mip);
    cn_gpu_bind_texture_mip(commands, 1, cube, work->mip - 1, sampler_of(work->environment));
    cn_gpu_dispatch(commands, groups, groups, FACES);
}

static void run_irradiance(const CnGraphRun *run)
{
    const Work *work = run->user;
    const Environment *environment = work->environment;
    CnGpuCommands *commands = begin(run, environment, IRRADIANCE);
    cn_gpu_bind_storage_texture(
        commands, 0, cn_graph_get_texture(run->graph, environment->irradiance[work->set]), 0);
    cn_gpu_bind_texture_mip(commands, 1, cn_graph_get_texture(run->graph, environment->cube),
                            IRRADIANCE_FROM_MIP, sampler_of(environment));
    const struct {
        uint32_t first_face;
        float gain;
    } constants = {work->first_face, cni_render_overcast_gain(&environment->source.constants)};
    cn_gpu_push_constants(commands, &constants, sizeof constants);
    cn_gpu_dispatch(commands, IRRADIANCE_SIZE / 8, IRRADIANCE_SIZE / 8, work->face_count);
}

static void run_prefilter(const CnGraphRun *run)
{
    const Work *work = run->user;
    Environment *environment = work->environment;
    CnGpuCommands *commands = begin(run, environment, PREFILTER);
    cn_gpu_bind_texture(commands, 1, cn_graph_get_texture(run->graph, environment->cube),
                        sampler_of(environment));
    for (uint32_t mip = 0; mip < PREFILTERED_MIPS; mip++) {
        struct {
            uint32_t first_face, samples;
            float roughness;
        } constants = {work->first_face, 16u << mip, (float)mip / (PREFILTERED_MIPS - 1)};
        uint32_t groups = (CUBE_SIZE >> mip) / 8;
        cn_gpu_bind_storage_texture(
            commands, 0, cn_graph_get_texture(run->graph, environment->prefiltered[work->set]),
            mip);
        cn_gpu_push_constants(commands, &constants, sizeof constants);
        cn_gpu_dispatch(commands, groups, groups, work->face_count);
    }
    environment->next_face = work->first_face + work->face_count;
    if (environment->next_face == FACES)
        environment->shown = work->set;
}

static void run_table(const CnGraphRun *run)
{
    const Environment *environment = ((const Work *)run->user)->environment;
    CnGpuCommands *commands = begin(run, environment, TABLE);
    cn_gpu_bind_storage_texture(commands, 0, cn_graph_get_texture(run->graph, environment->table),
                                0);
    cn_gpu_dispatch(commands, TABLE_SIZE / 8, TABLE_SIZE / 8, 1);
}

/* ---- Passes ---- */

static CnGraphTexture declare(CnFrame *frame, const char *name, uint32_t size, uint32_t mips,
                              bool is_cube, bool *is_any_new)
{
    bool is_new;
    CnGraphTexture texture = cn_graph_persistent_texture(
        frame->graph,
        &(CnGpuTextureDesc){.name = name,
                            .format = is_cube ? CN_GPU_FORMAT_RGBA16F : CN_GPU_FORMAT_RG16F,
                            .width = size,
                            .height = size,
                            .layers = is_cube ? FACES : 1,
                            .mips = mips,
                            .cube = is_cube,
                            .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_SAMPLED},
        &is_new);
    *is_any_new |= is_new;
    return texture;
}

/* Returns true if a set in use has no contents. */
static bool declare_all(CnFrame *frame, Environment *environment)
{
    bool is_new = false;
    environment->cube = declare(frame, "environment", CUBE_SIZE, CUBE_MIPS, true, &is_new);
    environment->table = declare(frame, "BRDF table", TABLE_SIZE, 1, false, &is_new);
    static const char *const names[2][2] = {{"irradiance 0", "prefiltered 0"},
                                            {"irradiance 1", "prefiltered 1"}};
    for (uint32_t set = 0; set < 2; set++) {
        bool is_ignored = false, *flag = set == environment->shown ? &is_new : &is_ignored;
        environment->irradiance[set] =
            declare(frame, names[set][0], IRRADIANCE_SIZE, 1, true, flag);
        environment->prefiltered[set] =
            declare(frame, names[set][1], CUBE_SIZE, PREFILTERED_MIPS, true, flag);
    }
    return is_new;
}

static CnGraphPass add(CnFrame *frame, Environment *environment, const char *name,
                       void (*run)(const CnGraphRun *run), Work work)
{
    Work *kept = &environment->work[environment->work_count++];
    *kept = work;
    kept->environment = environment;
    return cn_graph_add_pass(
        frame->graph,
        &(CnGraphPassDesc){.name = name, .kind = CN_GRAPH_COMPUTE, .run = run, .user = kept});
}

static CnGraphTexture write(CnFrame *frame, CnGraphPass pass, CnGraphTexture texture,
                            const CnGraphSubresource *part)
{
    return cn_graph_write_texture(frame->graph, pass, texture, CN_GPU_ACCESS_WRITE_COMPUTE, part);
}

static void add_cube(CnFrame *frame, Environment *environment)
{
    CnGraphPass pass = add(frame, environment, "environment", run_fill, (Work){0});
    cni_render_sky_source_read(frame, &environment->source, pass, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    environment->cube = write(frame, pass, environment->cube,
                              &(CnGraphSubresource){.mip_count = 1, .overwrite = true});
    for (uint32_t mip = 1; mip < CUBE_MIPS; mip++) {
        pass = add(frame, environment, "environment mip", run_mip, (Work){.mip = mip});
        cn_graph_read_texture(frame->graph, pass, environment->cube, CN_GPU_ACCESS_SAMPLE_COMPUTE,
                              &(CnGraphSubresource){.mip = mip - 1, .mip_count = 1});
        environment->cube =
            write(frame, pass, environment->cube,
                  &(CnGraphSubresource){.mip = mip, .mip_count = 1, .overwrite = true});
    }
}

static void add_faces(CnFrame *frame, Environment *environment, uint32_t set, uint32_t first,
                      uint32_t count)
{
    CnGraphSubresource part = {.overwrite = count == FACES};
    Work work = {.set = set, .first_face = first, .face_count = count};
    CnGraphPass pass = add(frame, environment, "irradiance", run_irradiance, work);
    cn_graph_read_texture(frame->graph, pass, environment->cube, CN_GPU_ACCESS_SAMPLE_COMPUTE,
                          NULL);
    environment->irradiance[set] = write(frame, pass, environment->irradiance[set], &part);
    pass = add(frame, environment, "prefilter", run_prefilter, work);
    cn_graph_read_texture(frame->graph, pass, environment->cube, CN_GPU_ACCESS_SAMPLE_COMPUTE,
                          NULL);
    environment->prefiltered[set] = write(frame, pass, environment->prefiltered[set], &part);
}

/* Creates the textures of the other set together with those of the first, so that a later change of
 * the sky creates none. */
static void make_other(CnFrame *frame, Environment *environment)
{
    uint32_t other = environment->shown ^ 1;
    const CnGraphSubresource all = {.overwrite = true};
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "environment update", .kind = CN_GRAPH_COMPUTE});
    environment->irradiance[other] = write(frame, pass, environment->irradiance[other], &all);
    environment->prefiltered[other] = write(frame, pass, environment->prefiltered[other], &all);
}

static void make_all(CnFrame *frame, Environment *environment)
{
    make_other(frame, environment);
    CnGraphPass pass = add(frame, environment, "BRDF table", run_table, (Work){0});
    environment->table =
        write(frame, pass, environment->table, &(CnGraphSubresource){.overwrite = true});
    add_cube(frame, environment);
    add_faces(frame, environment, environment->shown, 0, FACES);
}

/* Returns whether the sun, clouds or moon changed visibly. */
static bool has_changed(const Environment *environment)
{
    const CniRenderSkyConstants *now = &environment->source.constants;
    float step = now->to_sun.y < LOW_SUN_SINE ? LOW_SUN_STEP_COSINE : SUN_STEP_COSINE;
    float veil = now->veiled - environment->veiled_then,
          night = now->night - environment->night_then, clouds = 0;
    for (uint32_t i = 0; i < 4; i++) {
        float change = now->more[i] - environment->clouds_then[i];
        clouds += change * change;
    }
    return cn_vec3_dot(now->to_sun, environment->sun_then) < step ||
           veil * veil > AIR_STEP_SQUARED || night * night > AIR_STEP_SQUARED ||
           clouds > AIR_STEP_SQUARED;
}

static void find_clouds(const CnFrame *frame, CniRenderSkyConstants *constants)
{
    CnVec3 light = cni_render_cloud_light(frame, constants, &constants->more[3]);
    memcpy(constants->more, &light, sizeof light);
}

static void add_passes(CnFrame *frame, void *self)
{
    Environment *environment = self;
    const CnSkyOptions *options = &environment->source.options;
    if (options->kind == CN_SKY_NONE || options->ibl == CN_SWITCH_OFF)
        return;
    cni_render_sky_source_update(frame, &environment->source);
    environment->work_count = 0;
    bool is_new = declare_all(frame, environment);
    bool is_air = options->kind == CN_SKY_ATMOSPHERE;
    if (is_air)
        find_clouds(frame, &environment->source.constants);
    bool has_moved = is_air && has_changed(environment);
    bool has_jumped = has_moved && cn_vec3_dot(environment->source.constants.to_sun,
                                               environment->sun_then) < SUN_JUMP_COSINE;
    if (is_new || has_jumped || environment->pipelines_then != sum_pipelines(environment) ||
        environment->changes_then != environment->source.changes)
        make_all(frame, environment);
    else if (environment->next_face < FACES)
        add_faces(frame, environment, environment->shown ^ 1, environment->next_face, 1);
    else if (has_moved)
        add_cube(frame, environment);
    frame->irradiance = environment->irradiance[environment->shown];
    frame->prefiltered = environment->prefiltered[environment->shown];
    frame->brdf_lut = environment->table;
}

const CnFeatureType cn_feature_environment = {.name = "Environment",
                                              .size = sizeof(Environment),
                                              .setup = setup,
                                              .add_passes = add_passes,
                                              .destroy = destroy};

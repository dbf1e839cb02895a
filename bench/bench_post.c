/*
 * Full-screen passes of the library as fragment and as compute shaders over the same images; both
 * alternate, and the GPU time is compared. bench_passes measures whole frames in the form selected
 * by CAIRN_FULL_SCREEN. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/render.h>

#include <stdio.h>
#include <string.h>

#include "shaders/render/feature/ao.comp.h"
#include "shaders/render/feature/ao.frag.h"
#include "shaders/render/feature/ao_blur.comp.h"
#include "shaders/render/feature/ao_blur.frag.h"
#include "shaders/render/feature/ao_upsample.comp.h"
#include "shaders/render/feature/ao_upsample.frag.h"
#include "shaders/render/feature/bloom_down.comp.h"
#include "shaders/render/feature/bloom_down.frag.h"
#include "shaders/render/feature/bloom_first.comp.h"
#include "shaders/render/feature/bloom_first.frag.h"
#include "shaders/render/feature/bloom_up.comp.h"
#include "shaders/render/feature/bloom_up.frag.h"
#include "shaders/render/feature/dof_blur.comp.h"
#include "shaders/render/feature/dof_blur.frag.h"
#include "shaders/render/feature/dof_composite.comp.h"
#include "shaders/render/feature/dof_composite.frag.h"
#include "shaders/render/feature/dof_half.comp.h"
#include "shaders/render/feature/dof_half.frag.h"
#include "shaders/render/core/full_screen.vert.h"
#include "shaders/tests/post_scene.frag.h"

#define MAX_RUNS 1001u
#define REPEATS 4u       /* per pass: the time between two timestamps includes overhead */
#define FRAME_BYTES 528u /* of the block in frame.glsl */
#define GROUP 8u         /* threads per axis */
#define CONSTANTS 4u
#define INPUTS 7u

/* An image that passes read. Work.bindings consists of these letters; 'f' is the frame. */
typedef struct Input {
    char letter;
    const char *name;
    CnGpuFormat format;
    uint32_t divide;
    CnGpuFilter filter;
} Input;

static const Input inputs[INPUTS] = {
    {'h', "hdr", CN_GPU_FORMAT_RGBA16F, 1, CN_GPU_LINEAR},
    {'n', "normal", CN_GPU_FORMAT_RGBA16F, 1, CN_GPU_LINEAR},
    {'d', "depth", CN_GPU_FORMAT_D32F, 1, CN_GPU_NEAREST},
    {'2', "half", CN_GPU_FORMAT_RGBA16F, 2, CN_GPU_LINEAR},
    {'4', "quarter", CN_GPU_FORMAT_RGBA16F, 4, CN_GPU_LINEAR},
    {'c', "circles", CN_GPU_FORMAT_RGBA16F, 2, CN_GPU_NEAREST},
    {'o', "open", CN_GPU_FORMAT_RG16F, 2, CN_GPU_NEAREST},
};

typedef struct Work {
    const char *name;
    CnShader fragment, compute;
    const char *bindings;
    uint32_t constants;
    float values[CONSTANTS];
    CnGpuFormat format; /* of the result */
    uint32_t divide;
} Work;

#define FORMS_OF(file_name) CN_SHADER(file_name##_frag), CN_SHADER(file_name##_comp)
#define RGBA CN_GPU_FORMAT_RGBA16F
static const Work works[] = {
    {"bloom first", FORMS_OF(render_feature_bloom_first), "fh", 2, {1, 0.5f}, RGBA, 2},
    {"bloom down", FORMS_OF(render_feature_bloom_down), "f2", 0, {0}, RGBA, 4},
    {"bloom up", FORMS_OF(render_feature_bloom_up), "f24", 2, {0.35f, 0.65f}, RGBA, 2},
    {"bloom", FORMS_OF(render_feature_bloom_up), "fh2", 2, {1, 0.3f}, RGBA, 1},
    {"ao", FORMS_OF(render_feature_ao), "fdn", 2, {1, 1}, CN_GPU_FORMAT_RG16F, 2},
    {"ao blur", FORMS_OF(render_feature_ao_blur), "fo", 2, {1, 0}, CN_GPU_FORMAT_RG16F, 2},
    {"ao full", FORMS_OF(render_feature_ao_upsample), "fod", 1, {1}, CN_GPU_FORMAT_R8, 1},
    {"dof half", FORMS_OF(render_feature_dof_half), "fhd", 3, {8, 75, 12}, RGBA, 2},
    {"dof blur", FORMS_OF(render_feature_dof_blur), "fc", 3, {8, 75, 12}, RGBA, 2},
    {"dof", FORMS_OF(render_feature_dof_composite), "fhdcc", 3, {8, 75, 12}, RGBA, 1},
};
#define WORKS CN_COUNT_OF(works)

typedef enum Form { FRAGMENT, COMPUTE, FORMS } Form;

typedef struct Bench {
    CnGpu *gpu;
    CnRenderer *renderer;
    CnRenderPipeline scene, pipelines[WORKS][FORMS];
    CnGpuSampler samplers[INPUTS];
    CnGraphTexture images[INPUTS];
    CnGraphTexture result;
    CnFrame *frame;
    const Work *work;
    Form form;
    uint32_t width, height;
} Bench;

static void die(const char *what, const CnError *error)
{
    fprintf(stderr, "bench_post: %s: %s\n", what, error->message);
    exit(1);
}

/* Returns its index among the inputs; INPUTS for the frame. */
static uint32_t input_of(char letter)
{
    uint32_t i = 0;
    while (i < INPUTS && inputs[i].letter != letter)
        i++;
    return i;
}

/* ---- Passes ---- */

static void bind_inputs(const Bench *bench, const CnGraphRun *run, const char *bindings)
{
    const CnGpuUpload *data = &bench->frame->frame_data;
    for (uint32_t i = 0; bindings[i]; i++) {
        uint32_t input = input_of(bindings[i]);
        if (input == INPUTS)
            cn_gpu_bind_buffer(run->commands, i, data->buffer, data->offset, FRAME_BYTES);
        else
            cn_gpu_bind_texture(run->commands, i,
                                cn_graph_get_texture(run->graph, bench->images[input]),
                                bench->samplers[input]);
    }
}

static void run_work(const CnGraphRun *run)
{
    const Bench *bench = run->user;
    const Work *work = bench->work;
    CnRenderPipeline pipeline = bench->pipelines[work - works][bench->form];
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(bench->renderer, pipeline));
    bind_inputs(bench, run, work->bindings);
    cn_gpu_push_constants(run->commands, work->values, sizeof work->values);
    if (bench->form == COMPUTE)
        cn_gpu_bind_storage_texture(run->commands, (uint32_t)strlen(work->bindings),
                                    cn_graph_get_texture(run->graph, bench->result), 0);
    uint32_t size = GROUP * work->divide;
    for (uint32_t i = 0; i < REPEATS; i++) {
        if (bench->form == COMPUTE)
            cn_gpu_dispatch(run->commands, (bench->width + size - 1) / size,
                            (bench->height + size - 1) / size, 1);
        else
            cn_frame_draw_full_screen(run);
    }
}

static CnGraphTexture result_of(Bench *bench, const Work *work)
{
    return cn_graph_create_texture(
        bench->frame->graph,
        &(CnGpuTextureDesc){.name = work->name,
                            .format = work->format,
                            .width = (bench->width + work->divide - 1) / work->divide,
                            .height = (bench->height + work->divide - 1) / work->divide});
}

/* The measured pass, alone in its frame; its result is not used. */
static void add_work(Bench *bench)
{
    CnGraph *graph = bench->frame->graph;
    const Work *work = bench->work;
    bool computes = bench->form == COMPUTE;
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = work->name,
                                  .kind = computes ? CN_GRAPH_COMPUTE : CN_GRAPH_GRAPHICS,
                                  .run = run_work,
                                  .user = bench,
                                  .side_effects = true});
    for (const char *letter = work->bindings; *letter; letter++) {
        uint32_t input = input_of(*letter);
        if (input < INPUTS)
            cn_graph_read_texture(graph, pass, bench->images[input],
                                  computes ? CN_GPU_ACCESS_SAMPLE_COMPUTE : CN_GPU_ACCESS_SAMPLE,
                                  NULL);
    }
    CnGraphTexture result = result_of(bench, work);
    bench->result = computes
                        ? cn_graph_write_texture(graph, pass, result, CN_GPU_ACCESS_WRITE_COMPUTE,
                                                 &(CnGraphSubresource){.overwrite = true})
                        : cn_graph_color_attachment(graph, pass, result,
                                                    &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

static void run_scene(const CnGraphRun *run)
{
    const Bench *bench = run->user;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(bench->renderer, bench->scene));
    bind_inputs(bench, run, "f");
    cn_gpu_push_constants(run->commands, (const uint32_t[2]){0}, 8);
    cn_frame_draw_full_screen(run);
}

/* Creates the persistent images once: a scene, and others that are cleared. */
static void fill_images(Bench *bench)
{
    CnGraph *graph = bench->frame->graph;
    CnGraphAttachment drop = {.load = CN_GPU_DISCARD};
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "scene", .run = run_scene, .user = bench});
    for (uint32_t i = 0; i < INPUTS; i++) {
        CnGraphTexture *image = &bench->images[i];
        if (inputs[i].divide == 1) {
            *image = inputs[i].format == CN_GPU_FORMAT_D32F
                         ? cn_graph_depth_attachment(graph, pass, *image, &drop)
                         : cn_graph_color_attachment(graph, pass, *image, &drop);
        } else {
            CnGraphPass clear =
                cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = inputs[i].name});
            *image = cn_graph_color_attachment(
                graph, clear, *image,
                &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {0.5f, 8, 0.5f, 1}});
        }
    }
}

static void add_passes(CnFrame *frame, void *self)
{
    Bench *bench = *(Bench **)self;
    bool is_new = false;
    bench->frame = frame;
    for (uint32_t i = 0; i < INPUTS; i++)
        bench->images[i] = cn_graph_persistent_texture(
            frame->graph,
            &(CnGpuTextureDesc){.name = inputs[i].name,
                                .format = inputs[i].format,
                                .width = (frame->width + inputs[i].divide - 1) / inputs[i].divide,
                                .height = (frame->height + inputs[i].divide - 1) / inputs[i].divide,
                                .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_ATTACHMENT},
            &is_new);
    if (is_new)
        fill_images(bench);
    else
        add_work(bench);
}

/* ---- Setup ---- */

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer, (void)error;
    memcpy(self, options, sizeof(Bench *));
    return true;
}

static const CnFeatureType feature = {
    .name = "Bench", .size = sizeof(Bench *), .setup = setup, .add_passes = add_passes};

static CnRenderPipeline make_pipeline(Bench *bench, const Work *work, Form form, CnError *error)
{
    CnRenderPipelineDesc desc = {
        .state = {.name = work->name, .constants = work->constants * (uint32_t)sizeof(float)}};
    uint32_t count = 0;
    for (; work->bindings[count]; count++)
        desc.state.bindings[count] =
            input_of(work->bindings[count]) == INPUTS ? CN_GPU_BIND_UNIFORM : CN_GPU_BIND_TEXTURE;
    if (form == COMPUTE) {
        desc.compute = work->compute;
        desc.state.bindings[count] = CN_GPU_BIND_STORAGE_TEXTURE;
    } else {
        desc.vertex = (CnShader)CN_SHADER(render_core_full_screen_vert);
        desc.fragment = work->fragment;
        desc.state.color[0] = work->format;
    }
    return cn_render_pipeline_create(bench->renderer, &desc, error);
}

static void make_bench(Bench *bench)
{
    CnError error = {0};
    bench->gpu = cn_gpu_create(&(CnGpuDesc){.name = "bench", .backend = CN_GPU_VULKAN}, &error);
    if (!bench->gpu)
        die("no device", &error);
    bench->renderer = cn_renderer_create(&(CnRendererDesc){.gpu = bench->gpu}, &error);
    if (!bench->renderer)
        die("no renderer", &error);
    bench->scene = cn_render_pipeline_create(
        bench->renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_core_full_screen_vert),
                                .fragment = CN_SHADER(tests_post_scene_frag),
                                .state = {.name = "scene",
                                          .bindings = {CN_GPU_BIND_UNIFORM},
                                          .constants = 8,
                                          .color = {CN_GPU_FORMAT_RGBA16F, CN_GPU_FORMAT_RGBA16F},
                                          .depth = CN_GPU_FORMAT_D32F,
                                          .depth_test = CN_GPU_ALWAYS,
                                          .depth_write = true}},
        &error);
    if (!bench->scene.id)
        die("no scene", &error);
    for (uint32_t i = 0; i < INPUTS; i++) {
        bench->samplers[i] = cn_gpu_sampler_get(
            bench->gpu, &(CnGpuSamplerDesc){.filter = inputs[i].filter, .wrap = CN_GPU_CLAMP},
            &error);
        if (!bench->samplers[i].id)
            die("no sampler", &error);
    }
    for (uint32_t w = 0; w < WORKS; w++) {
        for (Form form = 0; form < FORMS; form++) {
            bench->pipelines[w][form] = make_pipeline(bench, &works[w], form, &error);
            if (!bench->pipelines[w][form].id)
                die(works[w].name, &error);
        }
    }
    if (!cn_renderer_add_feature(bench->renderer, &feature, &bench, &error))
        die("no feature", &error);
}

/* ---- Measuring ---- */

static void draw(Bench *bench)
{
    CnError error = {0};
    CnRenderSnapshot world = {.camera = {.valid = true,
                                         .position = {0, 2.2f, 6},
                                         .rotation = {0, 0, 0, 1},
                                         .fov = 1,
                                         .near_plane = 0.1f,
                                         .far_plane = 200}};
    if (!cn_renderer_draw(
            bench->renderer,
            &(CnFrameDesc){
                .current = &world, .alpha = 1, .width = bench->width, .height = bench->height},
            &error))
        die("draw", &error);
    if (!cn_gpu_wait(bench->gpu, &error))
        die("wait", &error);
}

/* Returns the nanoseconds of one repetition in the completed frame. */
static uint64_t time_of(const Bench *bench, const char *name)
{
    CnGpuTiming timings[8];
    uint32_t count = cn_gpu_timings(bench->gpu, timings, CN_COUNT_OF(timings));
    for (uint32_t i = 0; i < count && i < CN_COUNT_OF(timings); i++) {
        if (!strcmp(timings[i].name, name))
            return (uint64_t)(timings[i].microseconds * 1000.0f / (float)REPEATS);
    }
    return 0;
}

static void measure(Bench *bench, const Work *work, uint32_t runs, bool json)
{
    static uint64_t times[FORMS][MAX_RUNS];
    bench->work = work;
    for (uint32_t run = 0; run < runs + 2; run++) {
        for (Form form = 0; form < FORMS; form++) {
            bench->form = form;
            draw(bench);
            times[form][run < 2 ? 0 : run - 2] = time_of(bench, work->name);
        }
    }
    double compute = measure_summarize(times[COMPUTE], runs).median_ns;
    double fragment = measure_summarize(times[FRAGMENT], runs).median_ns;
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.0f,\"raw_ns\":%.0f}\n",
               work->name, bench->width * bench->height, compute, fragment);
    else
        printf("%-12s %12.1f %12.1f %8.2f\n", work->name, compute / 1000, fragment / 1000,
               fragment > 0 ? compute / fragment : 0);
    fflush(stdout);
}

/* ---- Options ---- */

int main(int argc, char **argv)
{
    static Bench bench;
    bool json = false, quick = false;
    uint32_t runs = 51, size[] = {1920, 1080};
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--runs", "frames of each", &runs, 1, MAX_RUNS),
        BENCH_OPTION_FLAG("--quick", "one frame of a small image, to test that it works", &quick),
        {.name = "--size",
         .argument = "WxH",
         .help = "image size",
         .kind = BENCH_SIZE,
         .value = size,
         .least = 8,
         .most = 16384},
    };
    const char *about =
        "Measures full-screen passes as compute shaders, alternating with the same passes as\n"
        "fragment shaders, which are the reference (raw_ns). CAIRN_GPU selects the device.";
    bench_read_options(&(BenchUsage){"bench_post", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    if (quick)
        runs = 1, size[0] = 64, size[1] = 36;
    bench.width = size[0];
    bench.height = size[1];
    make_bench(&bench);
    draw(&bench); /* fills the images */
    machine_print(json);
    if (!json)
        printf("%s: microseconds per pass at %ux%u, medians of %u runs\n\n%-12s %12s %12s %8s\n",
               cn_gpu_info(bench.gpu).name, bench.width, bench.height, runs, "pass", "compute",
               "fragment", "ratio");
    for (uint32_t i = 0; i < WORKS; i++)
        measure(&bench, &works[i], runs, json);
    cn_renderer_destroy(bench.renderer);
    cn_gpu_destroy(bench.gpu);
    return 0;
}

/* Auto exposure: a histogram of the image brightness, with adaptation over time. */
#include "render/core/renderer_internal.h"

#include <cairn/base/math.h>

#include "shaders/render/feature/exposure.comp.h"
#include "shaders/render/feature/exposure_histogram.comp.h"

#define BINS 256u /* exposure.glsl */
#define GROUP 16u /* threads per axis, each processing 2 x 2 pixels */

typedef struct Exposure {
    CnExposureOptions options;
    CnRenderPipeline histogram, adapt;
} Exposure;

typedef struct ExposurePass {
    const Exposure *exposure;
    CnFrame *frame;
    CnGraphTexture hdr;
    CnGraphBuffer bins, found;
    float constants[5]; /* minimum, maximum, adaptation step, key, strength */
} ExposurePass;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Exposure *exposure = self;
    if (options)
        exposure->options = *(const CnExposureOptions *)options;
    if (exposure->options.minimum == 0)
        exposure->options.minimum = 0.1f;
    if (exposure->options.maximum == 0)
        exposure->options.maximum = 8;
    if (exposure->options.speed == 0)
        exposure->options.speed = 1.5f;
    if (exposure->options.key == 0)
        exposure->options.key = 0.18f;
    if (exposure->options.strength == 0)
        exposure->options.strength = 1;
    CN_ASSERT(exposure->options.minimum > 0 &&
                  exposure->options.minimum <= exposure->options.maximum,
              "invalid exposure range %g to %g", (double)exposure->options.minimum,
              (double)exposure->options.maximum);
    exposure->histogram = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.compute = CN_SHADER(render_feature_exposure_histogram_comp),
                                .state = {.name = "exposure histogram",
                                          .bindings = {CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE}}},
        error);
    if (!exposure->histogram.id)
        return false;
    exposure->adapt = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.compute = CN_SHADER(render_feature_exposure_comp),
                                .state = {.name = "exposure",
                                          .bindings = {CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE},
                                          .constants = sizeof((ExposurePass){0}.constants)}},
        error);
    return exposure->adapt.id != 0;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Exposure *exposure = self;
    cn_render_pipeline_destroy(renderer, exposure->histogram);
    cn_render_pipeline_destroy(renderer, exposure->adapt);
}

static void run_clear(const CnGraphRun *run)
{
    const ExposurePass *pass = run->user;
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, pass->bins), 0,
                       BINS * sizeof(uint32_t), 0);
}

static void run_histogram(const CnGraphRun *run)
{
    const ExposurePass *pass = run->user;
    const CnRenderer *renderer = pass->frame->renderer;
    const uint32_t covered = GROUP * 2;
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(renderer, pass->exposure->histogram));
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, pass->hdr),
                        renderer->defaults.linear_clamp);
    cn_gpu_bind_buffer(run->commands, 1, cn_graph_get_buffer(run->graph, pass->bins), 0, 0);
    cn_gpu_dispatch(run->commands, (pass->frame->width + covered - 1) / covered,
                    (pass->frame->height + covered - 1) / covered, 1);
}

static void run_adapt(const CnGraphRun *run)
{
    const ExposurePass *pass = run->user;
    cn_gpu_bind_pipeline(run->commands,
                         cn_render_pipeline_get(pass->frame->renderer, pass->exposure->adapt));
    cn_gpu_bind_buffer(run->commands, 0, cn_graph_get_buffer(run->graph, pass->bins), 0, 0);
    cn_gpu_bind_buffer(run->commands, 1, cn_graph_get_buffer(run->graph, pass->found), 0, 0);
    cn_gpu_push_constants(run->commands, pass->constants, sizeof pass->constants);
    cn_gpu_dispatch(run->commands, 1, 1, 1);
}

static CnGraphPass add(CnGraph *graph, const char *name, CnGraphPassKind kind,
                       void (*run)(const CnGraphRun *run), ExposurePass *user)
{
    return cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = name, .kind = kind, .run = run, .user = user});
}

/* Returns the fraction of the distance to the target exposure that is covered in this time. */
static float share_of_way(float delta, float speed)
{
    return delta > 0 ? 1 - cn_expf(-delta * speed) : 0;
}

static void add_passes(CnFrame *frame, void *self)
{
    const Exposure *exposure = self;
    ExposurePass *user = cn_frame_alloc(frame, sizeof *user);
    if (!frame->hdr.id || !user)
        return;
    CnGraph *graph = frame->graph;
    const CnExposureOptions *options = &exposure->options;
    bool is_new;
    *user = (ExposurePass){.exposure = exposure, .frame = frame, .hdr = frame->hdr};
    user->found = cn_graph_persistent_buffer(
        graph,
        &(CnGpuBufferDesc){.name = "exposure", .size = sizeof(float), .usage = CN_GPU_USE_STORAGE},
        &is_new);
    user->bins = cn_graph_create_buffer(
        graph, &(CnGpuBufferDesc){.name = "exposure histogram", .size = BINS * sizeof(uint32_t)});
    user->constants[0] = options->minimum;
    user->constants[1] = options->maximum;
    user->constants[2] = is_new ? 1 : share_of_way(frame->delta, options->speed);
    user->constants[3] = options->key;
    user->constants[4] = options->strength;

    CnGraphPass clear = add(graph, "exposure clear", CN_GRAPH_TRANSFER, run_clear, user);
    user->bins = cn_graph_write_buffer(graph, clear, user->bins, CN_GPU_ACCESS_COPY_TO,
                                       &(CnGraphSubresource){.overwrite = true});
    CnGraphPass count = add(graph, "exposure histogram", CN_GRAPH_COMPUTE, run_histogram, user);
    cn_graph_read_texture(graph, count, frame->hdr, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    user->bins = cn_graph_write_buffer(graph, count, user->bins, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    CnGraphPass adapt = add(graph, "exposure", CN_GRAPH_COMPUTE, run_adapt, user);
    cn_graph_read_buffer(graph, adapt, user->bins, CN_GPU_ACCESS_READ_COMPUTE);
    user->found =
        cn_graph_write_buffer(graph, adapt, user->found, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    frame->exposure = user->found;
}

const CnFeatureType cn_feature_exposure = {.name = "Auto exposure",
                                           .size = sizeof(Exposure),
                                           .setup = setup,
                                           .add_passes = add_passes,
                                           .destroy = destroy};

/* The sky: drawn behind existing geometry, or first. */
#include "render/feature/sky_source.h"

#include "shaders/render/feature/sky.comp.h"
#include "shaders/render/feature/sky.frag.h"

#define GROUP 8u /* threads per axis: sky.comp */

typedef struct Sky {
    CniRenderSkySource source;
    CnRenderPipeline pipelines[2]; /* without depth, and where depth is 0 */
    CnRenderPipeline compute;      /* for the latter; none: this renderer uses graphics */
    CnFrame *frame;
    CnGraphTexture depth, hdr; /* of this frame, in the compute form */
    bool has_depth;
} Sky;

static CnRenderPipeline make_compute(CnRenderer *renderer, CnError *error)
{
    return cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){
            .compute = CN_SHADER(render_feature_sky_comp),
            .state = {.name = "sky behind",
                      .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE,
                                   CN_GPU_BIND_STORAGE_TEXTURE},
                      .constants = sizeof(CniRenderSkyConstants)}},
        error);
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Sky *sky = self;
    CnRenderPipelineDesc desc = {.fragment = CN_SHADER(render_feature_sky_frag),
                                 .state = {.name = "sky",
                                           .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE},
                                           .constants = sizeof(CniRenderSkyConstants),
                                           .color = {CN_HDR_FORMAT}}};
    bool computes = renderer->full_screen == CN_FULL_SCREEN_COMPUTE;
    sky->pipelines[0] = cn_render_pipeline_create(renderer, &desc, error);
    if (computes)
        sky->compute = make_compute(renderer, error);
    desc.state.name = "sky behind";
    desc.state.depth = CN_DEPTH_FORMAT;
    desc.state.depth_test = CN_GPU_GREATER_EQUAL;
    sky->pipelines[1] = cn_render_pipeline_create(renderer, &desc, error);
    return cni_render_sky_source_setup(&sky->source, renderer, "sky view", options, error) &&
           sky->pipelines[0].id && sky->pipelines[1].id && (!computes || sky->compute.id);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Sky *sky = self;
    const CnRenderPipeline pipelines[] = {sky->pipelines[0], sky->pipelines[1], sky->compute};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++)
        cn_render_pipeline_destroy(renderer, pipelines[i]);
    cni_render_sky_source_destroy(&sky->source);
}

static void bind(const Sky *sky, const CnGraphRun *run, CnRenderPipeline pipeline)
{
    const CnGpuUpload *data = &sky->frame->frame_data;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(sky->source.renderer, pipeline));
    cn_gpu_bind_buffer(run->commands, 0, data->buffer, data->offset, sizeof(CniRenderFrameData));
    cni_render_sky_source_bind(&sky->source, run);
    cn_gpu_push_constants(run->commands, &sky->source.constants, sizeof sky->source.constants);
}

static void run_sky(const CnGraphRun *run)
{
    const Sky *sky = run->user;
    bind(sky, run, sky->pipelines[sky->has_depth]);
    cn_frame_draw_full_screen(run);
}

static void run_compute(const CnGraphRun *run)
{
    const Sky *sky = run->user;
    bind(sky, run, sky->compute);
    cn_gpu_bind_texture(run->commands, 2, cn_graph_get_texture(run->graph, sky->depth),
                        sky->source.renderer->defaults.nearest_clamp);
    cn_gpu_bind_storage_texture(run->commands, 3, cn_graph_get_texture(run->graph, sky->hdr), 0);
    cn_gpu_dispatch(run->commands, (sky->frame->width + GROUP - 1) / GROUP,
                    (sky->frame->height + GROUP - 1) / GROUP, 1);
}

/* Draws into the existing image where there is no geometry. */
static void add_compute(CnFrame *frame, Sky *sky)
{
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "sky",
                                                                          .kind = CN_GRAPH_COMPUTE,
                                                                          .run = run_compute,
                                                                          .user = sky});
    cni_render_sky_source_read(frame, &sky->source, pass, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    cn_graph_read_texture(frame->graph, pass, frame->depth, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    sky->depth = frame->depth;
    frame->hdr = sky->hdr =
        cn_graph_write_texture(frame->graph, pass, frame->hdr, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
}

static void add_drawing(CnFrame *frame, Sky *sky, bool is_first, bool is_none)
{
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph,
        &(CnGraphPassDesc){.name = "sky", .run = is_none ? NULL : run_sky, .user = sky});
    CnGpuLoad load = is_none || (is_first && sky->has_depth) ? CN_GPU_CLEAR
                     : sky->has_depth                        ? CN_GPU_LOAD
                                                             : CN_GPU_DISCARD;
    frame->hdr = cn_graph_color_attachment(frame->graph, pass, frame->hdr,
                                           &(CnGraphAttachment){.load = load});
    if (is_none)
        return;
    cni_render_sky_source_read(frame, &sky->source, pass, CN_GPU_ACCESS_SAMPLE);
    if (sky->has_depth)
        cn_graph_depth_attachment(frame->graph, pass, frame->depth,
                                  &(CnGraphAttachment){.read_only = true});
}

static void add_passes(CnFrame *frame, void *self)
{
    Sky *sky = self;
    bool is_first = !frame->hdr.id, is_none = sky->source.options.kind == CN_SKY_NONE;
    if (is_none && !is_first)
        return;
    if (is_first)
        frame->hdr = cn_frame_texture(frame, "hdr", CN_HDR_FORMAT, 1);
    if (!is_none)
        cni_render_sky_source_update(frame, &sky->source);
    sky->frame = frame;
    sky->has_depth = frame->depth.id != 0;
    if (sky->compute.id && sky->has_depth && !is_first)
        add_compute(frame, sky);
    else
        add_drawing(frame, sky, is_first, is_none);
}

const CnFeatureType cn_feature_sky = {.name = "Sky",
                                      .size = sizeof(Sky),
                                      .setup = setup,
                                      .add_passes = add_passes,
                                      .destroy = destroy};

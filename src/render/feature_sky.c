/* The sky: behind everything that was drawn, or first. */
#include "sky.h"

#include "shaders/render/sky.frag.h"

typedef struct Sky {
    CniSkySource source;
    CnRenderPipeline pipelines[2]; /* without depth, and where depth is 0 */
    CnFrame *frame;
    bool has_depth;
} Sky;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Sky *sky = self;
    CnRenderPipelineDesc desc = {.fragment = CN_SHADER(render_sky_frag),
                                 .state = {.name = "sky",
                                           .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE},
                                           .constants = sizeof(CniSkyConstants),
                                           .color = {CN_HDR_FORMAT}}};
    sky->pipelines[0] = cn_render_pipeline(renderer, &desc, error);
    desc.state.name = "sky behind";
    desc.state.depth = CN_DEPTH_FORMAT;
    desc.state.depth_test = CN_GPU_GREATER_EQUAL;
    sky->pipelines[1] = cn_render_pipeline(renderer, &desc, error);
    return cni_sky_source_setup(&sky->source, renderer, "sky view", options, error) &&
           sky->pipelines[0].id && sky->pipelines[1].id;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Sky *sky = self;
    for (uint32_t i = 0; i < 2; i++) {
        if (sky->pipelines[i].id)
            cn_render_pipeline_destroy(renderer, sky->pipelines[i]);
    }
    cni_sky_source_destroy(&sky->source);
}

static void run_sky(const CnGraphRun *run)
{
    const Sky *sky = run->user;
    const CnGpuUpload *data = &sky->frame->frame_data;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(sky->source.renderer,
                                                               sky->pipelines[sky->has_depth]));
    cn_gpu_bind_buffer(run->commands, 0, data->buffer, data->offset, sizeof(CniFrameData));
    cni_sky_source_bind(&sky->source, run);
    cn_gpu_constants(run->commands, &sky->source.constants, sizeof sky->source.constants);
    cn_frame_draw_full(run);
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
        cni_sky_source_update(frame, &sky->source);
    sky->frame = frame;
    sky->has_depth = frame->depth.id != 0;
    CnGraphPass pass = cn_graph_pass(
        frame->graph,
        &(CnGraphPassDesc){.name = "sky", .run = is_none ? NULL : run_sky, .user = sky});
    CnGpuLoad load = is_none || (is_first && sky->has_depth) ? CN_GPU_CLEAR
                     : sky->has_depth                        ? CN_GPU_LOAD
                                                             : CN_GPU_DROP;
    frame->hdr = cn_graph_color(frame->graph, pass, frame->hdr, &(CnGraphAttachment){.load = load});
    if (is_none)
        return;
    cni_sky_source_read(frame, &sky->source, pass, CN_GPU_ACCESS_SAMPLE);
    if (sky->has_depth)
        cn_graph_depth(frame->graph, pass, frame->depth, &(CnGraphAttachment){.read_only = true});
}

const CnFeatureType cn_feature_sky = {.name = "Sky",
                                      .size = sizeof(Sky),
                                      .setup = setup,
                                      .add_passes = add_passes,
                                      .destroy = destroy};

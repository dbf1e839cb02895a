/* Light into what the screen shows: exposure, a curve, sRGB, noise against bands. */
#include "renderer.h"

#include <cairn/base/log.h>

#include "shaders/render/tone_map.frag.h"

enum { TONE_ACES = 1, TONE_ENCODE = 2 }; /* tone_map.glsl */

typedef struct ToneMap {
    CnRenderer *renderer;
    CnToneMapOptions options;
    CnRenderPipeline pipeline; /* for `format`: windows choose theirs */
    CnGpuFormat format;
} ToneMap;

typedef struct ToneConstants {
    float exposure;
    uint32_t flags;
} ToneConstants;

typedef struct TonePass {
    const ToneMap *tone;
    CnGraphTexture hdr;
    CnGraphBuffer exposure;
    ToneConstants constants;
} TonePass;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    ToneMap *tone = self;
    tone->renderer = renderer;
    if (options)
        tone->options = *(const CnToneMapOptions *)options;
    if (tone->options.exposure == 0)
        tone->options.exposure = 1;
    (void)error;
    return true;
}

static void destroy(CnRenderer *renderer, void *self)
{
    ToneMap *tone = self;
    if (tone->pipeline.id)
        cn_render_pipeline_destroy(renderer, tone->pipeline);
}

static bool fit_pipeline(ToneMap *tone, CnGpuFormat format)
{
    if (tone->format == format)
        return true;
    CnError error = {0};
    destroy(tone->renderer, tone);
    tone->pipeline = cn_render_pipeline(
        tone->renderer,
        &(CnRenderPipelineDesc){.fragment = CN_SHADER(render_tone_map_frag),
                                .state = {.name = "tone map",
                                          .bindings = {CN_BIND_TEXTURE, CN_BIND_STORAGE},
                                          .constants = sizeof(ToneConstants),
                                          .color = {format}}},
        &error);
    if (!tone->pipeline.id)
        CN_LOG_ERROR("render", "tone map: %s", error.message);
    tone->format = tone->pipeline.id ? format : CN_FORMAT_NONE; /* the next frame tries again */
    return tone->pipeline.id != 0;
}

static void run(const CnGraphRun *run)
{
    const TonePass *pass = run->user;
    const CnRenderer *renderer = pass->tone->renderer;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(renderer, pass->tone->pipeline));
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, pass->hdr),
                        renderer->neutral.nearest_clamp);
    if (pass->exposure.id) {
        cn_gpu_bind_buffer(run->commands, 1, cn_graph_get_buffer(run->graph, pass->exposure), 0,
                           sizeof(float));
    } else {
        CnGpuUpload one = cn_gpu_upload(run->commands, sizeof(float), 0);
        if (!one.data)
            return;
        *(float *)one.data = 1;
        cn_gpu_bind_buffer(run->commands, 1, one.buffer, one.offset, sizeof(float));
    }
    cn_gpu_constants(run->commands, &pass->constants, sizeof pass->constants);
    cn_frame_draw_full(run);
}

static void add_passes(CnFrame *frame, void *self)
{
    ToneMap *tone = self;
    TonePass *user = cn_frame_memory(frame, sizeof *user);
    if (!frame->output.id || !user)
        return;
    bool encodes = frame->output_format != CN_FORMAT_RGBA8_SRGB &&
                   frame->output_format != CN_FORMAT_BGRA8_SRGB;
    *user = (TonePass){.tone = tone, .hdr = frame->hdr, .exposure = frame->exposure};
    user->constants.exposure = tone->options.exposure * frame->exposure_scale;
    user->constants.flags =
        (tone->options.aces != CN_SWITCH_OFF ? TONE_ACES : 0) | (encodes ? TONE_ENCODE : 0);

    /* Nothing to show is black. */
    bool draws = frame->hdr.id && fit_pipeline(tone, frame->output_format);
    CnGraphPass pass = cn_graph_pass(
        frame->graph,
        &(CnGraphPassDesc){.name = "tone map", .run = draws ? run : NULL, .user = user});
    if (draws) {
        cn_graph_read_texture(frame->graph, pass, frame->hdr, CN_GPU_ACCESS_SAMPLE, NULL);
        if (frame->exposure.id)
            cn_graph_read_buffer(frame->graph, pass, frame->exposure, CN_GPU_ACCESS_READ);
    }
    frame->output = cn_graph_color(
        frame->graph, pass, frame->output,
        &(CnGraphAttachment){.load = draws ? CN_GPU_DROP : CN_GPU_CLEAR, .clear = {0, 0, 0, 1}});
}

const CnFeatureType cn_feature_tone_map = {.name = "Tone map",
                                           .size = sizeof(ToneMap),
                                           .setup = setup,
                                           .add_passes = add_passes,
                                           .destroy = destroy};

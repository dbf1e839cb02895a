/* Tone mapping: exposure, curve, sRGB encoding, and dithering against banding. */
#include "render/core/renderer_internal.h"

#include <cairn/base/log.h>

#include <string.h>

#include "shaders/render/feature/tone_map.comp.h"
#include "shaders/render/feature/tone_map.frag.h"

#define GROUP 8u /* threads per axis: tone_map.comp */

enum { TONE_ACES = 1, TONE_ENCODE = 2 }; /* tone_map.glsl */

typedef struct ToneMap {
    CnRenderer *renderer;
    CnToneMapOptions options;
    CnRenderPipeline pipeline; /* for `format`, which differs between windows */
    CnGpuFormat format;
    bool computes; /* uses the compute shader */
} ToneMap;

typedef struct ToneConstants {
    float exposure;
    uint32_t flags;
} ToneConstants;

typedef struct TonePass {
    const ToneMap *tone;
    CnFrame *frame;
    CnGraphTexture hdr;
    CnGraphTexture output; /* in the compute form */
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
    cn_render_pipeline_destroy(renderer, tone->pipeline);
}

/* Window images can only be attachments. */
static bool can_compute(const CnFrame *frame)
{
    return frame->renderer->full_screen == CN_FULL_SCREEN_COMPUTE &&
           frame->output_format == CN_GPU_FORMAT_RGBA8 &&
           (cn_graph_texture_desc(frame->graph, frame->output).usage & CN_GPU_USE_STORAGE);
}

static bool fit_pipeline(ToneMap *tone, CnGpuFormat format, bool computes)
{
    if (tone->format == format && tone->computes == computes)
        return true;
    CnError error = {0};
    destroy(tone->renderer, tone);
    CnRenderPipelineDesc desc = {.state = {.name = "tone map",
                                           .bindings = {CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE},
                                           .constants = sizeof(ToneConstants)}};
    if (computes) {
        desc.compute = (CnShader)CN_SHADER(render_feature_tone_map_comp);
        desc.state.bindings[2] = CN_GPU_BIND_STORAGE_TEXTURE;
    } else {
        desc.fragment = (CnShader)CN_SHADER(render_feature_tone_map_frag);
        desc.state.color[0] = format;
    }
    tone->pipeline = cn_render_pipeline_create(tone->renderer, &desc, &error);
    if (!tone->pipeline.id)
        CN_LOG_ERROR("render", "tone map: %s", error.message);
    tone->format = tone->pipeline.id ? format : CN_GPU_FORMAT_NONE; /* retried in the next frame */
    tone->computes = computes;
    return tone->pipeline.id != 0;
}

static void run(const CnGraphRun *run)
{
    const TonePass *pass = run->user;
    const CnRenderer *renderer = pass->tone->renderer;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(renderer, pass->tone->pipeline));
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, pass->hdr),
                        renderer->defaults.nearest_clamp);
    if (!cni_render_bind_exposure(run, 1, pass->exposure))
        return;
    cn_gpu_push_constants(run->commands, &pass->constants, sizeof pass->constants);
    if (!pass->output.id) {
        cn_frame_draw_full_screen(run);
        return;
    }
    cn_gpu_bind_storage_texture(run->commands, 2, cn_graph_get_texture(run->graph, pass->output),
                                0);
    cn_gpu_dispatch(run->commands, (pass->frame->width + GROUP - 1) / GROUP,
                    (pass->frame->height + GROUP - 1) / GROUP, 1);
}

static void read_light(CnFrame *frame, CnGraphPass pass, bool computes)
{
    cn_graph_read_texture(frame->graph, pass, frame->hdr,
                          computes ? CN_GPU_ACCESS_SAMPLE_COMPUTE : CN_GPU_ACCESS_SAMPLE, NULL);
    if (frame->exposure.id)
        cn_graph_read_buffer(frame->graph, pass, frame->exposure,
                             computes ? CN_GPU_ACCESS_READ_COMPUTE : CN_GPU_ACCESS_READ);
}

static void add_passes(CnFrame *frame, void *self)
{
    ToneMap *tone = self;
    TonePass *user = cn_frame_alloc(frame, sizeof *user);
    if (!frame->output.id || !user)
        return;
    bool encodes = frame->output_format != CN_GPU_FORMAT_RGBA8_SRGB &&
                   frame->output_format != CN_GPU_FORMAT_BGRA8_SRGB;
    *user =
        (TonePass){.tone = tone, .frame = frame, .hdr = frame->hdr, .exposure = frame->exposure};
    user->constants.exposure = tone->options.exposure * frame->exposure_scale;
    user->constants.flags =
        (tone->options.aces != CN_SWITCH_OFF ? TONE_ACES : 0) | (encodes ? TONE_ENCODE : 0);

    /* Without an image the output is black. */
    bool computes = frame->hdr.id && can_compute(frame);
    bool draws = frame->hdr.id && fit_pipeline(tone, frame->output_format, computes);
    computes = computes && draws;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "tone map",
                                         .kind = computes ? CN_GRAPH_COMPUTE : CN_GRAPH_GRAPHICS,
                                         .run = draws ? run : NULL,
                                         .user = user});
    if (draws)
        read_light(frame, pass, computes);
    if (computes) {
        frame->output = user->output =
            cn_graph_write_texture(frame->graph, pass, frame->output, CN_GPU_ACCESS_WRITE_COMPUTE,
                                   &(CnGraphSubresource){.overwrite = true});
        return;
    }
    frame->output = cn_graph_color_attachment(
        frame->graph, pass, frame->output,
        &(CnGraphAttachment){.load = draws ? CN_GPU_DISCARD : CN_GPU_CLEAR, .clear = {0, 0, 0, 1}});
}

const CnFeatureType cn_feature_tone_map = {.name = "Tone map",
                                           .size = sizeof(ToneMap),
                                           .setup = setup,
                                           .add_passes = add_passes,
                                           .destroy = destroy};

void cn_tone_map_set_exposure(CnFeature *feature, float exposure)
{
    CN_ASSERT(feature && !strcmp(cn_feature_name(feature), cn_feature_tone_map.name),
              "%s: not a tone map", __func__);
    CN_ASSERT(exposure > 0, "%s: an exposure of %g", __func__, (double)exposure);
    ((ToneMap *)cn_feature_self(feature))->options.exposure = exposure;
}

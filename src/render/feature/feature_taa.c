/* Temporal anti-aliasing: each frame is offset by a fraction of a pixel and blended with the
 * previous ones. */
#include "render/core/renderer_internal.h"

#include <string.h>

#include "shaders/render/feature/taa.comp.h"
#include "shaders/render/feature/taa.frag.h"
#include "shaders/render/feature/taa_still.comp.h"
#include "shaders/render/feature/taa_still.frag.h"

#define JITTERS 16u
/* A larger movement between frames is a cut: the history is discarded. */
#define CUT_DISTANCE 4.0f
#define CUT_COSINE 0.7f

enum { TAA_MOVING, TAA_STILL, TAA_COUNT };

typedef struct Taa {
    CnTaaOptions options;
    CnFullScreen shaders[TAA_COUNT];
    uint64_t last_frame;                /* its number + 1 */
    CnVec3 last_position, last_forward; /* absolute, not relative to the frame's origin */
} Taa;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Taa *taa = self;
    if (options)
        taa->options = *(const CnTaaOptions *)options;
    if (taa->options.blend == 0)
        taa->options.blend = 0.1f;
    CN_ASSERT(taa->options.blend > 0 && taa->options.blend <= 1,
              "blend must be between 0 and 1: %g", (double)taa->options.blend);
    const CnFullScreenDesc descs[TAA_COUNT] = {
        {"taa",
         CN_FULL_SCREEN_FORMS(render_feature_taa),
         CN_FULL_SCREEN_READS_FRAME,
         5,
         4,
         {CN_HDR_FORMAT, CN_HDR_FORMAT, CN_GPU_FORMAT_R16F}},
        {"taa still",
         CN_FULL_SCREEN_FORMS(render_feature_taa_still),
         CN_FULL_SCREEN_READS_FRAME,
         5,
         4,
         {CN_HDR_FORMAT, CN_HDR_FORMAT, CN_GPU_FORMAT_R16F}},
    };
    for (uint32_t i = 0; i < TAA_COUNT; i++) {
        if (!cn_full_screen_init(renderer, &taa->shaders[i], &descs[i], error))
            return false;
    }
    return true;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Taa *taa = self;
    cn_full_screen_fini(renderer, taa->shaders, TAA_COUNT);
}

/* The Halton sequence: the digits of `index` in a base, mirrored at the radix point. */
static float halton(uint32_t index, uint32_t base)
{
    float result = 0, share = 1;
    for (; index > 0; index /= base) {
        share /= (float)base;
        result += share * (float)(index % base);
    }
    return result;
}

static void early_update(CnFrame *frame, void *self)
{
    (void)self;
    uint32_t index = (uint32_t)(frame->number % JITTERS) + 1;
    frame->view.jitter = (CnVec2){halton(index, 2) - 0.5f, halton(index, 3) - 0.5f};
}

/* Returns whether the history is unusable because the camera was elsewhere. */
static bool is_cut(Taa *taa, const CnFrame *frame)
{
    const CnView *view = &frame->view;
    CnVec3 position = cn_vec3_add(view->position, frame->origin);
    bool cut = taa->last_frame != frame->number ||
               cn_vec3_length(cn_vec3_sub(position, taa->last_position)) > CUT_DISTANCE ||
               cn_vec3_dot(view->forward, taa->last_forward) < CUT_COSINE;
    taa->last_frame = frame->number + 1;
    taa->last_position = position;
    taa->last_forward = view->forward;
    return cut;
}

static bool is_still(const CnView *view)
{
    return !memcmp(&view->unjittered_view_projection, &view->previous_view_projection,
                   sizeof view->unjittered_view_projection);
}

static CnGraphHistory history_of(CnFrame *frame, const char *name, CnGpuFormat format)
{
    return cn_graph_history_texture(
        frame->graph,
        &(CnGpuTextureDesc){.name = name,
                            .format = format,
                            .width = frame->width,
                            .height = frame->height,
                            .usage = CN_GPU_USE_SAMPLED | cn_full_screen_usage(frame->renderer)});
}

static void add_passes(CnFrame *frame, void *self)
{
    Taa *taa = self;
    bool cut = is_cut(taa, frame);
    if (!frame->hdr.id || !frame->depth.id)
        return;
    CnGraphHistory history = history_of(frame, "taa history", CN_HDR_FORMAT);
    CnGraphHistory spread = history_of(frame, "taa spread", CN_GPU_FORMAT_R16F);
    /* Later passes draw over the image and must not affect the history, which is therefore a
     * separate texture. */
    CnFullScreenPass pass = {
        .name = "taa",
        .shader = &taa->shaders[is_still(&frame->view) ? TAA_STILL : TAA_MOVING],
        .inputs = {{frame->hdr, CN_GPU_NEAREST},
                   {frame->depth, CN_GPU_NEAREST},
                   {history.previous, CN_GPU_LINEAR},
                   {spread.previous, CN_GPU_NEAREST},
                   {frame->reactive_mask.id ? frame->reactive_mask : frame->hdr, CN_GPU_NEAREST}},
        .constants = {taa->options.blend, history.is_new || cut, frame->reactive_mask.id != 0,
                      frame->atmosphere.valid && frame->atmosphere.to_sun.y < 0},
        .targets = {history.current, cn_frame_texture(frame, "hdr steady", CN_HDR_FORMAT, 1),
                    spread.current}};
    cn_full_screen_add_pass(frame, &pass);
    frame->hdr = pass.targets[1];
}

const CnFeatureType cn_feature_taa = {.name = "TAA",
                                      .size = sizeof(Taa),
                                      .setup = setup,
                                      .early_update = early_update,
                                      .add_passes = add_passes,
                                      .destroy = destroy};

/* Bloom: bright areas are blurred over a chain of half-size levels, down and up again. */
#include "render/core/renderer_internal.h"

#include "shaders/render/feature/bloom_down.comp.h"
#include "shaders/render/feature/bloom_down.frag.h"
#include "shaders/render/feature/bloom_first.comp.h"
#include "shaders/render/feature/bloom_first.frag.h"
#include "shaders/render/feature/bloom_up.comp.h"
#include "shaders/render/feature/bloom_up.frag.h"

#define MAX_LEVELS 7u
/* Fraction of a level that comes from the smaller ones. The fractions of a level sum to 1, so the
 * number of levels changes how far light spreads, not its amount. */
#define SPREAD 0.65f

enum { BLOOM_FIRST, BLOOM_DOWN, BLOOM_UP, BLOOM_COUNT };

typedef struct Bloom {
    CnBloomOptions options;
    CnFullScreen shaders[BLOOM_COUNT];
} Bloom;

static const char *const down_names[MAX_LEVELS] = {"bloom down 1", "bloom down 2", "bloom down 3",
                                                   "bloom down 4", "bloom down 5", "bloom down 6",
                                                   "bloom down 7"};
static const char *const up_names[MAX_LEVELS] = {"bloom up 1", "bloom up 2", "bloom up 3",
                                                 "bloom up 4", "bloom up 5", "bloom up 6",
                                                 "bloom up 7"};

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Bloom *bloom = self;
    if (options)
        bloom->options = *(const CnBloomOptions *)options;
    if (bloom->options.threshold == 0)
        bloom->options.threshold = 1;
    if (bloom->options.knee == 0)
        bloom->options.knee = 0.5f;
    if (bloom->options.strength == 0)
        bloom->options.strength = 0.3f;
    CN_ASSERT(bloom->options.threshold > 0 && bloom->options.knee > 0,
              "invalid threshold %g or knee %g", (double)bloom->options.threshold,
              (double)bloom->options.knee);
    const CnFullScreenDesc descs[BLOOM_COUNT] = {
        {"bloom first",
         CN_FULL_SCREEN_FORMS(render_feature_bloom_first),
         CN_FULL_SCREEN_READS_FRAME,
         1,
         2,
         {CN_HDR_FORMAT}},
        {"bloom down",
         CN_FULL_SCREEN_FORMS(render_feature_bloom_down),
         CN_FULL_SCREEN_READS_FRAME,
         1,
         0,
         {CN_HDR_FORMAT}},
        {"bloom up",
         CN_FULL_SCREEN_FORMS(render_feature_bloom_up),
         CN_FULL_SCREEN_READS_FRAME,
         2,
         2,
         {CN_HDR_FORMAT}},
    };
    for (uint32_t i = 0; i < BLOOM_COUNT; i++) {
        if (!cn_full_screen_init(renderer, &bloom->shaders[i], &descs[i], error))
            return false;
    }
    return true;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Bloom *bloom = self;
    cn_full_screen_fini(renderer, bloom->shaders, BLOOM_COUNT);
}

/* Down to about two pixels, so that the relative reach is the same at any image size. */
static uint32_t count_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 1, size = width < height ? width : height;
    while (levels < MAX_LEVELS && size >> (levels + 1) >= 2)
        levels++;
    return levels;
}

static CnGraphTexture go_down(CnFrame *frame, const Bloom *bloom, CnGraphTexture above,
                              uint32_t level)
{
    return cn_full_screen_draw(
        frame, cn_frame_texture(frame, down_names[level], CN_HDR_FORMAT, 2u << level),
        &(CnFullScreenPass){.name = down_names[level],
                            .shader = &bloom->shaders[level == 0 ? BLOOM_FIRST : BLOOM_DOWN],
                            .inputs = {{above, CN_GPU_LINEAR}},
                            .constants = {bloom->options.threshold, bloom->options.knee}});
}

static void add_passes(CnFrame *frame, void *self)
{
    const Bloom *bloom = self;
    if (!frame->hdr.id)
        return;
    uint32_t levels = count_levels(frame->width, frame->height);
    CnGraphTexture chain[MAX_LEVELS], below = frame->hdr;
    for (uint32_t level = 0; level < levels; level++)
        below = chain[level] = go_down(frame, bloom, below, level);
    for (uint32_t level = levels - 1; level-- > 0;)
        below = cn_full_screen_draw(
            frame, cn_frame_texture(frame, up_names[level], CN_HDR_FORMAT, 2u << level),
            &(CnFullScreenPass){.name = up_names[level],
                                .shader = &bloom->shaders[BLOOM_UP],
                                .inputs = {{chain[level], CN_GPU_NEAREST}, {below, CN_GPU_LINEAR}},
                                .constants = {1 - SPREAD, SPREAD}});
    frame->hdr = cn_full_screen_draw(
        frame, cn_frame_texture(frame, "hdr with bloom", CN_HDR_FORMAT, 1),
        &(CnFullScreenPass){.name = "bloom",
                            .shader = &bloom->shaders[BLOOM_UP],
                            .inputs = {{frame->hdr, CN_GPU_NEAREST}, {below, CN_GPU_LINEAR}},
                            .constants = {1, bloom->options.strength}});
}

const CnFeatureType cn_feature_bloom = {.name = "Bloom",
                                        .size = sizeof(Bloom),
                                        .setup = setup,
                                        .add_passes = add_passes,
                                        .destroy = destroy};

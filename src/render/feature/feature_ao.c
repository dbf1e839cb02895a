/* Ambient occlusion: at half resolution, blurred along both axes and upsampled to full
 * resolution. */
#include "render/core/renderer_internal.h"

#include "shaders/render/feature/ao.comp.h"
#include "shaders/render/feature/ao.frag.h"
#include "shaders/render/feature/ao_blur.comp.h"
#include "shaders/render/feature/ao_blur.frag.h"
#include "shaders/render/feature/ao_upsample.comp.h"
#include "shaders/render/feature/ao_upsample.frag.h"

#define HALF_FORMAT CN_GPU_FORMAT_RG16F /* visibility; distance */

enum { AO_FIND, AO_BLUR, AO_FULL, AO_COUNT };

typedef struct Ao {
    CnAoOptions options;
    CnFullScreen shaders[AO_COUNT];
} Ao;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Ao *ao = self;
    if (options)
        ao->options = *(const CnAoOptions *)options;
    if (ao->options.radius == 0)
        ao->options.radius = 1;
    if (ao->options.strength == 0)
        ao->options.strength = 1;
    CN_ASSERT(ao->options.radius > 0 && ao->options.strength > 0,
              "invalid radius %g or strength %g", (double)ao->options.radius,
              (double)ao->options.strength);
    const CnFullScreenDesc descs[AO_COUNT] = {
        {"ao",
         CN_FULL_SCREEN_FORMS(render_feature_ao),
         CN_FULL_SCREEN_READS_FRAME,
         2,
         2,
         {HALF_FORMAT}},
        {"ao blur",
         CN_FULL_SCREEN_FORMS(render_feature_ao_blur),
         CN_FULL_SCREEN_READS_FRAME,
         1,
         2,
         {HALF_FORMAT}},
        {"ao full",
         CN_FULL_SCREEN_FORMS(render_feature_ao_upsample),
         CN_FULL_SCREEN_READS_FRAME,
         2,
         1,
         {CN_GPU_FORMAT_R8}},
    };
    for (uint32_t i = 0; i < AO_COUNT; i++) {
        if (!cn_full_screen_init(renderer, &ao->shaders[i], &descs[i], error))
            return false;
    }
    return true;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Ao *ao = self;
    cn_full_screen_fini(renderer, ao->shaders, AO_COUNT);
}

static CnGraphTexture blur(CnFrame *frame, const Ao *ao, const char *name, CnGraphTexture from,
                           float x, float y)
{
    return cn_full_screen_draw(frame, cn_frame_texture(frame, name, HALF_FORMAT, 2),
                               &(CnFullScreenPass){.name = name,
                                                   .shader = &ao->shaders[AO_BLUR],
                                                   .inputs = {{from, CN_GPU_NEAREST}},
                                                   .constants = {x, y}});
}

static void add_passes(CnFrame *frame, void *self)
{
    const Ao *ao = self;
    if (!frame->depth.id)
        return;
    bool has_normals = frame->normal.id != 0;
    CnGraphTexture open = cn_full_screen_draw(
        frame, cn_frame_texture(frame, "ao", HALF_FORMAT, 2),
        &(CnFullScreenPass){
            .name = "ao",
            .shader = &ao->shaders[AO_FIND],
            .inputs = {{frame->depth, CN_GPU_NEAREST},
                       {has_normals ? frame->normal : frame->depth, CN_GPU_NEAREST}},
            .constants = {ao->options.radius, has_normals}});
    open = blur(frame, ao, "ao across", open, 1, 0);
    open = blur(frame, ao, "ao down", open, 0, 1);
    frame->ao = cn_full_screen_draw(
        frame, cn_frame_texture(frame, "ao full", CN_GPU_FORMAT_R8, 1),
        &(CnFullScreenPass){.name = "ao full",
                            .shader = &ao->shaders[AO_FULL],
                            .inputs = {{open, CN_GPU_NEAREST}, {frame->depth, CN_GPU_NEAREST}},
                            .constants = {ao->options.strength}});
}

const CnFeatureType cn_feature_ao = {.name = "Ambient occlusion",
                                     .size = sizeof(Ao),
                                     .setup = setup,
                                     .add_passes = add_passes,
                                     .destroy = destroy};

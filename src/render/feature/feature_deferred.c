/* Deferred lighting: sun and image-based lighting on the G-buffer, then layered meshes, forward
 * lit. It reads hdr (emission and sky) and writes a new one, so that no blending is needed and the
 * alpha of hdr can hold occlusion. */
#include "render/feature/gbuffer_pass.h"
#include "render/feature/lit_pass.h"

#include "shaders/render/feature/deferred.comp.h"
#include "shaders/render/feature/deferred.frag.h"

typedef struct Deferred {
    CnLightingOptions options;
    CnFullScreen shader;
    CnDrawPass layered;
} Deferred;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Deferred *deferred = self;
    if (options)
        deferred->options = *(const CnLightingOptions *)options;
    return cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_LAYERED, &deferred->layered,
                                      error) &&
           cn_full_screen_init(
               renderer, &deferred->shader,
               &(CnFullScreenDesc){.name = "deferred",
                                   .forms = CN_FULL_SCREEN_FORMS(render_feature_deferred),
                                   .reads = CN_FULL_SCREEN_READS_SCENE,
                                   .inputs = 5,
                                   .results = {CN_HDR_FORMAT}},
               error);
}

static void update(CnFrame *frame, void *self)
{
    cni_render_lit_update(frame, &((Deferred *)self)->options);
}

static void add_passes(CnFrame *frame, void *self)
{
    const Deferred *deferred = self;
    if (!cni_render_frame_has_gbuffer(frame))
        return;
    cni_render_gbuffer_light(frame, "deferred", &deferred->shader, CN_SCENE_TILES);
    cni_render_lit_add(frame, "layered", deferred->layered, CNI_RENDER_LIT_LAYERED,
                       CNI_RENDER_LIGHTS_LOOP);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Deferred *deferred = self;
    cn_full_screen_fini(renderer, &deferred->shader, 1);
    cn_draw_pass_destroy(renderer, deferred->layered);
}

const CnFeatureType cn_feature_deferred = {
    .name = "Deferred",
    .size = sizeof(Deferred),
    .setup = setup,
    .update = update,
    .add_passes = add_passes,
    .destroy = destroy,
};

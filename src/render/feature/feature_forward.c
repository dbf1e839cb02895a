/* Forward rendering: opaque meshes, then transmissive and blended meshes over them. */
#include "render/feature/lit_pass.h"

typedef struct Forward {
    CnLightingOptions options;
    CnDrawPass opaque, transmissive, blended;
} Forward;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Forward *forward = self;
    if (options)
        forward->options = *(const CnLightingOptions *)options;
    return cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_OPAQUE, &forward->opaque, error) &&
           cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_TRANSMISSIVE, &forward->transmissive,
                                      error) &&
           cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_BLENDED, &forward->blended, error);
}

static void update(CnFrame *frame, void *self)
{
    cni_render_lit_update(frame, &((Forward *)self)->options);
}

static void add_passes(CnFrame *frame, void *self)
{
    const Forward *forward = self;
    cni_render_lit_add(frame, "forward", forward->opaque, CNI_RENDER_LIT_OPAQUE,
                       CNI_RENDER_LIGHTS_LOOP);
    cni_render_lit_add_overlay(frame, forward->transmissive, forward->blended,
                               CNI_RENDER_LIGHTS_LOOP);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Forward *forward = self;
    cn_draw_pass_destroy(renderer, forward->opaque);
    cn_draw_pass_destroy(renderer, forward->transmissive);
    cn_draw_pass_destroy(renderer, forward->blended);
}

const CnFeatureType cn_feature_forward = {
    .name = "Forward",
    .size = sizeof(Forward),
    .setup = setup,
    .update = update,
    .add_passes = add_passes,
    .destroy = destroy,
};

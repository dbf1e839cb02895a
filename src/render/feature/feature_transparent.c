/* Transmissive and blended meshes over the results of other features, forward lit: the transparent
 * part of the deferred path. */
#include "render/feature/lit_pass.h"

typedef struct Transparent {
    CnTransparentOptions options;
    CnDrawPass transmissive, blended;
    CniRenderLightTiles tiles; /* if requested */
} Transparent;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Transparent *transparent = self;
    if (options)
        transparent->options = *(const CnTransparentOptions *)options;
    return cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_TRANSMISSIVE,
                                      &transparent->transmissive, error) &&
           cni_render_lit_pass_create(renderer, CNI_RENDER_LIT_BLENDED, &transparent->blended,
                                      error) &&
           (!transparent->options.tiled_lights ||
            cni_render_light_tiles_setup(renderer, &transparent->tiles, error));
}

static void add_passes(CnFrame *frame, void *self)
{
    const Transparent *transparent = self;
    bool plus = transparent->options.tiled_lights;
    /* The features that lit the G-buffer computed tiles from the same depth. */
    if (plus && !frame->light_tiles.id &&
        cn_draw_list_count(cn_frame_visible(frame, CN_DRAW_TRANSPARENT)) +
                cn_draw_list_count(cn_frame_visible(frame, CN_DRAW_TRANSMISSIVE)) >
            0)
        cni_render_light_tiles_add(frame, &transparent->tiles);
    cni_render_lit_add_overlay(frame, transparent->transmissive, transparent->blended,
                               plus ? CNI_RENDER_LIGHTS_IN_FRONT : CNI_RENDER_LIGHTS_LOOP);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Transparent *transparent = self;
    cn_draw_pass_destroy(renderer, transparent->transmissive);
    cn_draw_pass_destroy(renderer, transparent->blended);
    cni_render_light_tiles_destroy(renderer, &transparent->tiles);
}

const CnFeatureType cn_feature_transparent = {
    .name = "Transparent",
    .size = sizeof(Transparent),
    .setup = setup,
    .add_passes = add_passes,
    .destroy = destroy,
};

/* Blended meshes over the results of other features, forward lit: the transparent part of the
 * deferred path. */
#include "render/feature/lit_pass.h"

typedef struct Overlay {
    CnOverlayOptions options;
    CnDrawPass blended;
    CniLightTiles tiles; /* if requested */
} Overlay;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Overlay *overlay = self;
    if (options)
        overlay->options = *(const CnOverlayOptions *)options;
    return cni_lit_pass_create(renderer, CNI_LIT_BLENDED, &overlay->blended, error) &&
           (!overlay->options.plus || cni_light_tiles_setup(renderer, &overlay->tiles, error));
}

static void add_passes(CnFrame *frame, void *self)
{
    const Overlay *overlay = self;
    bool plus = overlay->options.plus;
    /* The features that lit the G-buffer computed tiles from the same depth. */
    if (plus && !frame->light_tiles.id &&
        cn_draw_list_count(cn_frame_visible(frame, CN_DRAW_TRANSPARENT)) > 0)
        cni_light_tiles_add(frame, &overlay->tiles);
    cni_lit_add(frame, "transparent", overlay->blended, CNI_LIT_BLENDED,
                plus ? CNI_LIGHTS_IN_FRONT : CNI_LIGHTS_LOOP);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Overlay *overlay = self;
    cn_draw_pass_destroy(renderer, overlay->blended);
    cni_light_tiles_destroy(renderer, &overlay->tiles);
}

const CnFeatureType cn_feature_overlay = {
    .name = "Transparent",
    .size = sizeof(Overlay),
    .setup = setup,
    .add_passes = add_passes,
    .destroy = destroy,
};

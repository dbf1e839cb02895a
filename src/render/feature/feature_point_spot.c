/* Point and spot lights on the G-buffer: each pixel evaluates the lights of its tile. Reads hdr and
 * writes a new one. */
#include "render/feature/gbuffer_pass.h"
#include "render/feature/lit_pass.h"

#include "shaders/render/feature/point_spot.comp.h"
#include "shaders/render/feature/point_spot.frag.h"

typedef struct PointSpot {
    CniRenderLightTiles tiles;
    CnFullScreen shader;
} PointSpot;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)options;
    PointSpot *lights = self;
    return cni_render_light_tiles_setup(renderer, &lights->tiles, error) &&
           cn_full_screen_init(
               renderer, &lights->shader,
               &(CnFullScreenDesc){.name = "point and spot lights",
                                   .forms = CN_FULL_SCREEN_FORMS(render_feature_point_spot),
                                   .reads = CN_FULL_SCREEN_READS_SCENE,
                                   .inputs = 5,
                                   .results = {CN_HDR_FORMAT}},
               error);
}

static void add_passes(CnFrame *frame, void *self)
{
    const PointSpot *lights = self;
    if (frame->light_count == 0 || !cni_render_frame_has_gbuffer(frame))
        return;
    cni_render_light_tiles_add(frame, &lights->tiles);
    if (frame->light_tiles.id)
        cni_render_gbuffer_light(frame, "point and spot lights", &lights->shader,
                                 CN_SCENE_AO | CN_SCENE_IBL);
}

static void destroy(CnRenderer *renderer, void *self)
{
    PointSpot *lights = self;
    cni_render_light_tiles_destroy(renderer, &lights->tiles);
    cn_full_screen_fini(renderer, &lights->shader, 1);
}

const CnFeatureType cn_feature_point_spot = {
    .name = "Point and spot lights",
    .size = sizeof(PointSpot),
    .setup = setup,
    .add_passes = add_passes,
    .destroy = destroy,
};

/* Clouds: ray-marched at reduced resolution and composited over the image. */
#include "render/feature/atmosphere_pass.h"
#include "render/feature/sky_source.h"

#include <cairn/render/atmosphere.h>

#include "shaders/render/feature/clouds.comp.h"
#include "shaders/render/feature/clouds.frag.h"

#define CONSTANTS 12u /* of clouds.glsl */

enum { CLOUDS_NOISE, CLOUDS_MARCH, CLOUDS_OVER, CLOUDS_COUNT };

typedef struct Clouds {
    CnCloudOptions options;
    CnFullScreen shaders[CLOUDS_COUNT];
} Clouds;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Clouds *clouds = self;
    if (options)
        clouds->options = *(const CnCloudOptions *)options;
    if (clouds->options.steps == 0)
        clouds->options.steps = 24;
    if (clouds->options.resolution_divisor == 0)
        clouds->options.resolution_divisor = 2;
    return cni_render_cloud_noise_create(renderer, &clouds->shaders[CLOUDS_NOISE], error) &&
           cn_full_screen_init(
               renderer, &clouds->shaders[CLOUDS_MARCH],
               &(CnFullScreenDesc){.name = "clouds",
                                   .forms = CN_FULL_SCREEN_FORMS(render_feature_clouds),
                                   .reads = CN_FULL_SCREEN_READS_SCENE,
                                   .inputs = 2,
                                   .constants = CONSTANTS,
                                   .results = {CN_HDR_FORMAT}},
               error) &&
           cni_render_composite_create(renderer, &clouds->shaders[CLOUDS_OVER], error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Clouds *clouds = self;
    cn_full_screen_fini(renderer, clouds->shaders, CLOUDS_COUNT);
}

static void add_passes(CnFrame *frame, void *self)
{
    const Clouds *clouds = self;
    if (!cni_render_frame_has_clouds(frame) || !frame->hdr.id || !frame->depth.id)
        return;
    uint32_t divisor = clouds->options.resolution_divisor;
    CnGraphTexture noise =
        cni_render_cloud_noise(frame, "cloud noise", &clouds->shaders[CLOUDS_NOISE]);
    frame->cloud_noise = noise;
    CnVec3 sun = frame->atmosphere.to_sun, glow = cni_render_cloud_glow(&frame->atmosphere);
    CnGraphTexture drawn = cn_full_screen_draw(
        frame, cn_frame_texture(frame, "clouds", CN_HDR_FORMAT, divisor),
        &(CnFullScreenPass){.name = "clouds",
                            .shader = &clouds->shaders[CLOUDS_MARCH],
                            .inputs = {{frame->depth, CN_GPU_NEAREST}, {noise, CN_GPU_LINEAR}},
                            .constants = {(float)divisor, (float)clouds->options.steps, 0, 0, sun.x,
                                          sun.y, sun.z, 0, glow.x, glow.y, glow.z},
                            .without = CN_SCENE_AO | CN_SCENE_SHADOWS | CN_SCENE_TILES});
    /* Fog composites them over geometry, because it knows the haze behind them. */
    bool has_fog = divisor > 1 && cni_render_frame_has_fog(frame);
    cni_render_composite(frame, "cloud composite", &clouds->shaders[CLOUDS_OVER], drawn, divisor,
                         has_fog ? CNI_RENDER_COMPOSITE_SKY : CNI_RENDER_COMPOSITE_ALL);
    if (has_fog)
        frame->clouds = drawn;
}

const CnFeatureType cn_feature_clouds = {.name = "Clouds",
                                         .size = sizeof(Clouds),
                                         .setup = setup,
                                         .add_passes = add_passes,
                                         .destroy = destroy};

/* Fog: atmosphere between the camera and geometry, over the whole image. Its colors come from the
 * Sky feature. */
#include "render/feature/atmosphere_pass.h"
#include "render/feature/sky_source.h"

#include <cairn/render/atmosphere.h>
#include <string.h>

#include "shaders/render/feature/fog.comp.h"
#include "shaders/render/feature/fog.frag.h"

#define DEFAULT_HAZE 8.0f

CN_STATIC_ASSERT(sizeof(CniRenderSkyConstants) <= CN_FULL_SCREEN_MAX_CONSTANTS * sizeof(float),
                 "they are constants of a full-screen pass");

typedef struct Fog {
    CnFogOptions options;
    CnFullScreen shader;
} Fog;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Fog *fog = self;
    if (options)
        fog->options = *(const CnFogOptions *)options;
    if (fog->options.haze == 0)
        fog->options.haze = DEFAULT_HAZE;
    if (fog->options.haze < 0)
        fog->options.haze = 0;
    return cn_full_screen_init(
        renderer, &fog->shader,
        &(CnFullScreenDesc){.name = "fog",
                            .forms = CN_FULL_SCREEN_FORMS(render_feature_fog),
                            .inputs = 5,
                            .constants = sizeof(CniRenderSkyConstants) / sizeof(float),
                            .results = {CN_HDR_FORMAT}},
        error);
}

static void destroy(CnRenderer *renderer, void *self)
{
    Fog *fog = self;
    cn_full_screen_fini(renderer, &fog->shader, 1);
}

static CnFeature *find_feature(const CnRenderer *renderer, const CnFeatureType *type)
{
    for (uint32_t i = 0; i < renderer->feature_count; i++) {
        CnFeature *feature = renderer->features[i];
        if (feature->type == type && cn_feature_is_enabled(feature))
            return feature;
    }
    return NULL;
}

/* Returns the source of the feature that drew the sky of this frame, which begins with it. NULL:
 * there is no atmosphere. */
static const CniRenderSkySource *find_sky(const CnFrame *frame)
{
    CnFeature *feature = find_feature(frame->renderer, &cn_feature_sky);
    const CniRenderSkySource *sky = feature ? cn_feature_self(feature) : NULL;
    bool is_air = sky && sky->options.kind == CN_SKY_ATMOSPHERE;
    return is_air && frame->sky_view.id && frame->depth.id ? sky : NULL;
}

bool cni_render_frame_has_fog(const CnFrame *frame)
{
    return find_sky(frame) && find_feature(frame->renderer, &cn_feature_fog);
}

static void add_passes(CnFrame *frame, void *self)
{
    const Fog *fog = self;
    const CniRenderSkySource *sky = find_sky(frame);
    if (!sky)
        return;
    bool has_baked = frame->baked_light.id != 0;
    CnFullScreenPass pass = {
        .name = "fog",
        .shader = &fog->shader,
        .inputs = {{frame->sky_view, CN_GPU_LINEAR},
                   {frame->hdr, CN_GPU_NEAREST},
                   {frame->depth, CN_GPU_NEAREST},
                   {has_baked ? frame->baked_light : frame->depth, CN_GPU_NEAREST},
                   {frame->clouds.id ? frame->clouds : frame->hdr, CN_GPU_LINEAR}}};
    CniRenderSkyConstants constants = sky->constants;
    constants.more[0] = fog->options.edge;
    constants.more[1] = fog->options.haze;
    constants.more[2] = fog->options.sea_level;
    constants.more[3] = has_baked;
    memcpy(pass.constants, &constants, sizeof constants);
    frame->hdr =
        cn_full_screen_draw(frame, cn_frame_texture(frame, "fogged", CN_HDR_FORMAT, 1), &pass);
}

const CnFeatureType cn_feature_fog = {.name = "Fog",
                                      .size = sizeof(Fog),
                                      .setup = setup,
                                      .add_passes = add_passes,
                                      .destroy = destroy};

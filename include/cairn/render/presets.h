/*
 * Presets add a set of features in order. They only call cn_renderer_add_feature, so a program can
 * build other sets itself.
 *
 *     CnRenderOptions options = {.sky = {.kind = CN_SKY_ATMOSPHERE},
 *                                .bloom = CN_SWITCH_ON,
 *                                .point_spot_lights = CN_SWITCH_ON};
 *     cn_preset_deferred(renderer, &options, NULL, &error);
 */
#ifndef CAIRN_RENDER_PRESETS_H
#define CAIRN_RENDER_PRESETS_H

#include <cairn/render/features.h>

CN_EXTERN_C_BEGIN

/*
 * Defaults:
 *
 *                                forward   forward+   deferred
 *     shadow                     off       off        on
 *     ibl (with a sky)           on        on         on
 *     taa                        off       off        on
 *     ao, transparent                                 on
 *     point_spot_lights                               off
 *     dof, bloom, auto_exposure  off       off        off
 *     aces                       on        on         on
 *
 * Both forward presets always draw transparent meshes.
 */
typedef struct CnRenderOptions {
    CnSkyOptions sky;
    CnSwitch shadow;
    CnShadowOptions shadows;
    CnSwitch ao, transparent, point_spot_lights; /* deferred only */
    CnAoOptions ssao;
    bool transparent_tiled_lights; /* deferred only: light transparent meshes by tiles */
    CnVec3 ambient;                /* without image-based lighting; all 0 selects 0.03 */
    CnSwitch taa, dof, bloom, auto_exposure;
    CnTaaOptions taa_options;
    CnDofOptions dof_options;
    CnBloomOptions bloom_options;
    CnExposureOptions exposure_options;
    CnToneMapOptions tone_map;
} CnRenderOptions;

/* Adds features to a renderer. `user` is for custom presets (CnEngineDesc.preset_user); the presets
 * below ignore it. Returns false and an error on failure; features that were already added stay. */
typedef bool (*CnPreset)(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                         CnError *error);

/* Sky, shadows, lit meshes and post-processing, for a few lights. */
CN_API bool cn_preset_forward(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                              CnError *error);
/* Forward with light tiles: hundreds of lights, also on transparent meshes. */
CN_API bool cn_preset_forward_plus(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                                   CnError *error);
/* Shadows, geometry, ambient occlusion, sky, lighting, lights, transparent meshes and
 * post-processing. */
CN_API bool cn_preset_deferred(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                               CnError *error);

CN_EXTERN_C_END

#endif

/*
 * Presets: functions that add features in order. What they do not offer, do yourself: they only call cn_renderer_add.
 *
 *     cn_preset_deferred(renderer, &(CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE}, .bloom = CN_SWITCH_ON,
 *                                                     .point_spot_lights = CN_SWITCH_ON}, NULL, &error);
 */
#ifndef CAIRN_RENDER_PRESETS_H
#define CAIRN_RENDER_PRESETS_H

#include <cairn/render/features.h>

CN_EXTERN_C_BEGIN

/* What is on by default:      forward   forward+   deferred
 *     shadow                  off       off        on
 *     ibl                     on        on         on          (with a sky)
 *     taa                     off       off        on
 *     ao, transparent                              on          (forward draws transparent meshes itself)
 *     point_spot_lights                            off
 *     dof, bloom, auto_exposure  off    off        off
 *     aces                    on        on         on
 */
typedef struct CnRenderOptions {
    CnSkyOptions sky;
    CnSwitch shadow;
    CnShadowOptions shadows;
    CnSwitch ao, transparent, point_spot_lights; /* of deferred */
    CnAoOptions ssao;
    bool overlay_forward_plus; /* of deferred: lights of transparent meshes by tiles */
    CnVec3 ambient;            /* where there is no light from all around; all 0 means 0.03 */
    CnSwitch taa, dof, bloom, auto_exposure;
    CnTaaOptions taa_options;
    CnDofOptions dof_options;
    CnBloomOptions bloom_options;
    CnExposureOptions exposure_options;
    CnToneMapOptions tone_map;
} CnRenderOptions;

/* Adds features to a renderer. `user` is for presets of one's own (CnEngineDesc.preset_user); those below
 * ignore it. False and an error when something is missing; what was added stays. */
typedef bool (*CnPreset)(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                         CnError *error);

/* Sky, shadows, lit meshes, post. For a few lights. */
CN_API bool cn_preset_forward(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                              CnError *error);
/* With tiles: hundreds of lights, also on transparent meshes. */
CN_API bool cn_preset_forward_plus(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                                   CnError *error);
/* Shadows, geometry, ambient occlusion, sky, lighting, lights, transparent meshes, post. */
CN_API bool cn_preset_deferred(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                               CnError *error);

CN_EXTERN_C_END

#endif

/*
 * The air: what stands between the eye and things, and what hangs in it. Reads frame->air, which systems of the
 * simulation set (cn_render_air in cairn/sim/extract.h).
 *
 *     cn_renderer_add(renderer, &cn_feature_clouds, NULL, &error);      // after Deferred, before Water
 *     cn_renderer_add(renderer, &cn_feature_fog, NULL, &error);
 *     cn_renderer_add(renderer, &cn_feature_god_rays, NULL, &error);
 */
#ifndef CAIRN_RENDER_AIR_H
#define CAIRN_RENDER_AIR_H

#include <cairn/render/features.h>

CN_EXTERN_C_BEGIN

typedef struct CnCloudOptions {
    uint32_t steps;  /* along the view; 0 means 24 */
    uint32_t divide; /* of the picture's size that they are drawn at; 0 means 2 */
} CnCloudOptions;
/* "Clouds": over hdr, after all that writes depth. */
CN_API extern const CnFeatureType cn_feature_clouds;

typedef struct CnCloudShadowOptions {
    uint32_t
        size; /* of the map, which is drawn in each frame: a power of two from 256 on; 0 means 1024 */
} CnCloudShadowOptions;
/* "Cloud shadows": before all that is lit; sets frame->cloud_shadow, which the lighting of the sun reads. */
CN_API extern const CnFeatureType cn_feature_cloud_shadows;

typedef struct CnGodRayOptions {
    uint32_t steps; /* 0 means 16 */
} CnGodRayOptions;
CN_API extern const CnFeatureType
    cn_feature_god_rays; /* "God rays": half resolution, through the shadow map */

typedef struct CnFogOptions {
    float edge; /* metres along the ground at which the world ends: all is sky there; 0: nowhere */
    float haze; /* how many times thicker than clear air it is; 0 means 8, less than 0 none */
    float sea_level; /* y of where weather's fog is thickest */
} CnFogOptions;
/* "Fog": aerial perspective, weather, under water; in the colors of the atmosphere, without which there is none. After
 * what it is to hide. */
CN_API extern const CnFeatureType cn_feature_fog;

CN_EXTERN_C_END

#endif

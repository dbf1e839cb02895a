/*
 * Atmosphere: clouds, cloud shadows, god rays and fog. The features read frame->atmosphere, which
 * simulation systems set (cn_extract_atmosphere in cairn/sim/extract.h).
 *
 *     cn_renderer_add_feature(renderer, &cn_feature_clouds, NULL, &error); // after Deferred
 *     cn_renderer_add_feature(renderer, &cn_feature_fog, NULL, &error);
 *     cn_renderer_add_feature(renderer, &cn_feature_god_rays, NULL, &error);
 */
#ifndef CAIRN_RENDER_ATMOSPHERE_H
#define CAIRN_RENDER_ATMOSPHERE_H

#include <cairn/render/features.h>

CN_EXTERN_C_BEGIN

typedef struct CnCloudOptions {
    uint32_t steps; /* along the view ray; 0 selects 24 */
    uint32_t
        resolution_divisor; /* divisor of the image size at which clouds are drawn; 0 selects 2 */
} CnCloudOptions;
/* "Clouds": over hdr, after all features that write depth. */
CN_API extern const CnFeatureType cn_feature_clouds;

typedef struct CnCloudShadowOptions {
    /* texels along a side of the map, which is drawn every frame: a power of two, at least 256; 0
     * selects 1024 */
    uint32_t size;
} CnCloudShadowOptions;
/* "Cloud shadows": before all lighting; sets frame->cloud_shadow, which sun lighting reads. */
CN_API extern const CnFeatureType cn_feature_cloud_shadows;

typedef struct CnGodRayOptions {
    uint32_t steps; /* 0 selects 16 */
} CnGodRayOptions;
CN_API extern const CnFeatureType
    cn_feature_god_rays; /* "God rays": at half resolution, through the shadow map */

typedef struct CnFogOptions {
    /* horizontal distance in meters at which the world ends and only sky is visible; 0: none */
    float edge;
    float haze;      /* density relative to clear air; 0 selects 8, negative disables haze */
    float sea_level; /* y at which weather fog is densest */
} CnFogOptions;
/* "Fog": aerial perspective, weather and underwater fog in the colors of the atmosphere; has no
 * effect without an atmosphere. Add it after the features that it should cover. */
CN_API extern const CnFeatureType cn_feature_fog;

CN_EXTERN_C_END

#endif

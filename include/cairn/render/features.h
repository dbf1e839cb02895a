/*
 * The features that the renderer brings, in the order in which the presets use them. Options are zeros by default;
 * each type says which struct it takes (NULL: all defaults).
 */
#ifndef CAIRN_RENDER_FEATURES_H
#define CAIRN_RENDER_FEATURES_H

#include <cairn/render/frame.h>

CN_EXTERN_C_BEGIN

typedef enum CnSwitch { CN_SWITCH_DEFAULT, CN_SWITCH_ON, CN_SWITCH_OFF } CnSwitch;

/* ---- Shadows: writes shadow_map, shadow_atlas, shadow_data ---- */
typedef struct CnShadowOptions {
    uint32_t cascades;     /* 2 to 4; 0 means 3 */
    uint32_t size;         /* of a cascade; 0 means 2048 */
    float distance;        /* 0 means 128 */
    float softness;        /* of the sun's disc, as an angle in degrees; 0 means 0.53 * 2 */
    uint32_t local_lights; /* with shadows at once; 0 means 4, at most 16; UINT32_MAX: none */
    uint32_t local_size;   /* of one of their faces; 0 means 512 */
} CnShadowOptions;
CN_API extern const CnFeatureType cn_feature_shadows; /* "Shadows" */

/* ---- Sky: makes hdr if it is empty, draws where depth is 0; and light from all around ---- */
typedef enum CnSkyKind {
    CN_SKY_NONE,
    CN_SKY_COLOR,
    CN_SKY_TEXTURE,
    CN_SKY_ATMOSPHERE /* as the sun stands; without a sun it is night */
} CnSkyKind;
typedef struct CnSkyOptions {
    CnSkyKind kind;
    CnVec3 color;        /* linear */
    const char *texture; /* by longitude and latitude, -z in the middle, or */
    CnTexture loaded;    /* one that is there */
    float intensity;     /* 0 means 1 */
    CnSwitch ibl;        /* light surfaces with it: on */
} CnSkyOptions;
CN_API extern const CnFeatureType cn_feature_sky; /* "Sky" */
/* Irradiance, prefiltered cube and BRDF table from the sky, made again when the sky has changed. "Environment" */
CN_API extern const CnFeatureType cn_feature_environment; /* CnSkyOptions, the same as the sky's */
/* Another sky for both, where they are (presets leave them out for a sky of kind none), from the next frame on. On an
 * error nothing changes. */
CN_API bool cn_sky_set(CnRenderer *renderer, const CnSkyOptions *options, CnError *error);
/* What the atmosphere leaves of white sunlight that comes from this direction: for the color of a scene's sun. Red
 * when it is low, black below the horizon. */
CN_API CnVec3 cn_atmosphere_sun_color(CnVec3 to_sun);

/* ---- Lit meshes ---- */
typedef struct CnLightingOptions { /* of Forward, Forward+ and Deferred */
    CnVec3 ambient; /* light from everywhere, where the sky gives none; all 0 means 0.03 */
} CnLightingOptions;
CN_API extern const CnFeatureType
    cn_feature_forward; /* "Forward": opaque and transparent, into hdr and depth; the 32 nearest lights */
CN_API extern const CnFeatureType
    cn_feature_forward_plus; /* "Forward+": depth first, tiles of lights, then as forward */
CN_API extern const CnFeatureType
    cn_feature_geometry; /* "Geometry": albedo, normal, depth; emission into hdr */
CN_API extern const CnFeatureType
    cn_feature_deferred; /* "Deferred": sun and light from all around, into hdr */
CN_API extern const CnFeatureType cn_feature_point_spot; /* "Point and spot lights": into hdr */
typedef struct CnOverlayOptions {
    bool plus; /* lights by tiles; else the 32 nearest */
} CnOverlayOptions;
CN_API extern const CnFeatureType
    cn_feature_overlay; /* "Transparent": blended meshes, over what is there */

/* ---- Screen space ---- */
typedef struct CnAoOptions {
    float radius;   /* 0 means 1 */
    float strength; /* 0 means 1 */
} CnAoOptions;
CN_API extern const CnFeatureType cn_feature_ao; /* "Ambient occlusion": from depth and normal */
typedef struct CnDofOptions {
    float focus;  /* 0 means 8 */
    float range;  /* 0 means 75 */
    float radius; /* of the largest blur, of a picture of height 1080; 0 means 12 pixels */
} CnDofOptions;
CN_API extern const CnFeatureType cn_feature_dof; /* "Depth of field" */
typedef struct CnTaaOptions {
    float blend; /* how much is new; 0 means 0.1 */
} CnTaaOptions;
CN_API extern const CnFeatureType cn_feature_taa; /* "TAA" */
typedef struct CnBloomOptions {
    float threshold; /* 0 means 1 */
    float knee;      /* 0 means 0.5 */
    float strength;  /* 0 means 0.3 */
} CnBloomOptions;
CN_API extern const CnFeatureType cn_feature_bloom; /* "Bloom" */
typedef struct CnExposureOptions {
    float minimum, maximum; /* 0 means 0.1 and 8 */
    float speed;            /* of adapting, per second; 0 means 1.5 */
    float key;              /* brightness that stays as it is; 0 means 0.18 */
    float strength; /* how much of what is brighter or darker is evened out: 0 means 1, all of it */
} CnExposureOptions;
CN_API extern const CnFeatureType cn_feature_exposure; /* "Auto exposure" */
typedef struct CnToneMapOptions {
    float exposure; /* 0 means 1 */
    CnSwitch aces;  /* on */
} CnToneMapOptions;
CN_API extern const CnFeatureType cn_feature_tone_map; /* "Tone map": hdr into output, dithered */
CN_API extern const CnFeatureType cn_feature_ui;       /* "UI": the canvas, over output */

CN_EXTERN_C_END

#endif

/*
 * The built-in features of the renderer, in the order in which the presets use them. Each feature
 * type names its options struct; zeros, or NULL for the whole struct, select the defaults.
 */
#ifndef CAIRN_RENDER_FEATURES_H
#define CAIRN_RENDER_FEATURES_H

#include <cairn/render/frame.h>

CN_EXTERN_C_BEGIN

typedef enum CnSwitch { CN_SWITCH_DEFAULT, CN_SWITCH_ON, CN_SWITCH_OFF } CnSwitch;

/* ---- Shadows: writes the slots shadow_map, shadow_atlas and shadow_data ---- */
typedef struct CnShadowOptions {
    uint32_t cascades; /* 2 to 4; 0 selects 3 */
    uint32_t size;     /* texels along a side of a cascade; 0 selects 2048 */
    float distance;    /* meters; 0 selects 128 */
    float softness;    /* angular diameter of the sun in degrees; 0 selects 0.53 * 2 */
    /* with shadows at the same time, at most 16; 0 selects 4; UINT32_MAX: none */
    uint32_t local_lights;
    uint32_t local_size; /* texels along a side of a local light's face; 0 selects 512 */
} CnShadowOptions;
CN_API extern const CnFeatureType cn_feature_shadows; /* "Shadows" */

/* ---- Sky: creates hdr if it is empty, draws where depth is 0, and provides ambient light ---- */
typedef enum CnSkyKind {
    CN_SKY_NONE,
    CN_SKY_COLOR,
    CN_SKY_TEXTURE,
    CN_SKY_ATMOSPHERE /* follows the sun; without a sun it is night */
} CnSkyKind;
typedef struct CnSkyOptions {
    CnSkyKind kind;
    CnVec3 color;        /* linear */
    const char *texture; /* equirectangular, -z in the middle; or */
    CnTexture loaded;    /* a texture that is already loaded */
    float intensity;     /* 0 selects 1 */
    CnSwitch ibl;        /* light surfaces with the sky; on by default */
} CnSkyOptions;
CN_API extern const CnFeatureType cn_feature_sky; /* "Sky" */
/* "Environment": irradiance, prefiltered cube map and BRDF table of the sky, updated when the sky
 * changes. */
/* CnSkyOptions, the same as for the sky */
CN_API extern const CnFeatureType cn_feature_environment;
/* Changes the sky of both features, where the renderer has them (presets omit them for a sky of
 * kind none), from the next frame on. On an error nothing changes. */
CN_API bool cn_sky_set(CnRenderer *renderer, const CnSkyOptions *options, CnError *error);
/* Returns the color of white sunlight from this direction after it passed through the atmosphere,
 * for the color of a scene's sun: red near the horizon, black below it. */
CN_API CnVec3 cn_atmosphere_sun_color(CnVec3 to_sun);

/* ---- Lit meshes ---- */
typedef struct CnLightingOptions { /* of Forward, Forward+ and Deferred */
    CnVec3 ambient; /* ambient light where the sky provides none; all 0 selects 0.03 */
} CnLightingOptions;
/* "Forward": opaque and transparent meshes into hdr and depth; the 32 nearest lights */
CN_API extern const CnFeatureType cn_feature_forward;
CN_API extern const CnFeatureType
    cn_feature_forward_plus; /* "Forward+": depth prepass, light tiles, then as Forward */
CN_API extern const CnFeatureType
    cn_feature_geometry; /* "Geometry": albedo, normal and depth; emission into hdr */
CN_API extern const CnFeatureType
    cn_feature_deferred; /* "Deferred": sun and image-based lighting, into hdr */
CN_API extern const CnFeatureType cn_feature_point_spot; /* "Point and spot lights": into hdr */
typedef struct CnTransparentOptions {
    bool tiled_lights; /* lights by tiles; otherwise the 32 nearest */
} CnTransparentOptions;
CN_API extern const CnFeatureType
    cn_feature_transparent; /* "Transparent": blended meshes, over hdr */

/* ---- Screen space ---- */
typedef struct CnAoOptions {
    float radius;   /* meters; 0 selects 1 */
    float strength; /* 0 selects 1 */
} CnAoOptions;
CN_API extern const CnFeatureType cn_feature_ao; /* "Ambient occlusion": from depth and normal */
typedef struct CnDofOptions {
    float focus;  /* distance in meters; 0 selects 8 */
    float range;  /* meters; 0 selects 75 */
    float radius; /* of the largest blur in pixels, at an image height of 1080; 0 selects 12 */
} CnDofOptions;
CN_API extern const CnFeatureType cn_feature_dof; /* "Depth of field" */
typedef struct CnTaaOptions {
    float blend; /* weight of the current frame; 0 selects 0.1 */
} CnTaaOptions;
CN_API extern const CnFeatureType cn_feature_taa; /* "TAA" */
/* "Scene particles": over hdr. Creates, moves and draws the particles of emitters and bursts in
 * snapshots (cairn/sim/extract.h), on the CPU, in the time of the snapshots. The same snapshots at
 * the same times give the same particles. Does nothing until a snapshot has an emitter or a burst.
 * For particles of programs, see cairn/render/particles.h. */
CN_API extern const CnFeatureType cn_feature_scene_particles;
#define CN_MAX_SCENE_EMITTERS 256u    /* that play, or whose particles live and move with them */
#define CN_MAX_SCENE_PARTICLES 65536u /* further ones do not start */
typedef struct CnSceneParticleStats {
    uint32_t emitters, particles, drawn; /* in the last frame; drawn: in front of the camera */
    uint64_t dropped_emitters;           /* once per frame */
    uint64_t dropped_particles;
} CnSceneParticleStats;
CN_API CnSceneParticleStats cn_scene_particles_stats(CnFeature *feature);
typedef struct CnBloomOptions {
    float threshold; /* 0 selects 1 */
    float knee;      /* 0 selects 0.5 */
    float strength;  /* 0 selects 0.3 */
} CnBloomOptions;
CN_API extern const CnFeatureType cn_feature_bloom; /* "Bloom" */
typedef struct CnExposureOptions {
    float minimum, maximum; /* 0 selects 0.1 and 8 */
    float speed;            /* adaptation per second; 0 selects 1.5 */
    float key;              /* scene brightness that is left unchanged; 0 selects 0.18 */
    float strength;         /* fraction of the difference that is compensated; 0 selects 1 */
} CnExposureOptions;
CN_API extern const CnFeatureType cn_feature_exposure; /* "Auto exposure" */
typedef struct CnToneMapOptions {
    float exposure; /* 0 selects 1 */
    CnSwitch aces;  /* on by default */
} CnToneMapOptions;
CN_API extern const CnFeatureType cn_feature_tone_map; /* "Tone map": hdr to output, dithered */
/* Changes the exposure of this feature from the next frame on; more than 0. */
CN_API void cn_tone_map_set_exposure(CnFeature *feature, float exposure);
CN_API extern const CnFeatureType cn_feature_ui; /* "UI": draws the canvas over output */

CN_EXTERN_C_END

#endif

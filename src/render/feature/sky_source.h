/* The source of sky light, shared by the features Sky and Environment. */
#ifndef CAIRN_SRC_RENDER_FEATURE_SKY_SOURCE_H
#define CAIRN_SRC_RENDER_FEATURE_SKY_SOURCE_H

#include "render/core/renderer_internal.h"

/* shaders/render/feature/sky.glsl */
typedef struct CniRenderSkyConstants {
    CnVec3 to_sun;
    float is_atmosphere;
    CnVec3 tint;
    float intensity;
    CnVec3 ground;
    float night;
    CnVec3 veil;
    float veiled;
    float more[4]; /* used by the feature: fog.glsl, environment_fill.comp */
} CniRenderSkyConstants;

/* Returns the constants of the frame's atmosphere; without one, derived from the sun. */
CniRenderSkyConstants cni_render_atmosphere_constants(const CnFrame *frame, float intensity);

/* Returns the factor of ambient light on surfaces relative to the visible sky: under low clouds at
 * a low sun, sunlight also arrives from all directions. */
float cni_render_overcast_gain(const CniRenderSkyConstants *constants);

/* Returns the sunlight on clouds from below, at a low or set sun. */
CnVec3 cni_render_cloud_glow(const CnRenderAtmosphere *atmosphere);
/* Returns the color of clouds in ambient light; `part` receives the fraction of the sky that they
 * cover, 0 to 1. */
CnVec3 cni_render_cloud_light(const CnFrame *frame, const CniRenderSkyConstants *constants,
                              float *part);

typedef struct CniRenderSkySource {
    CnRenderer *renderer;
    CnSkyOptions options;
    uint32_t changes;      /* counts changes of the options */
    CnRenderPipeline view; /* writes the lookup table of the atmosphere */
    const char
        *view_name; /* name of the table, if this is the first feature of a frame that needs it */
    uint32_t view_pipeline; /* pipeline with which the table was last written */
    float view_rise;
    CniRenderSkyConstants constants; /* of this frame */
    CnGraphTexture table_now;
} CniRenderSkySource;

/* Both features begin with one. */
bool cni_render_sky_source_setup(CniRenderSkySource *source, CnRenderer *renderer,
                                 const char *view_name, const CnSkyOptions *options,
                                 CnError *error);
void cni_render_sky_source_destroy(CniRenderSkySource *source);
/* On an error nothing changes. */
bool cni_render_sky_source_set(CniRenderSkySource *source, const CnSkyOptions *options,
                               CnError *error);

/* Call it in add_passes: sets the constants, and writes the table if the atmosphere has none
 * yet. */
void cni_render_sky_source_update(CnFrame *frame, CniRenderSkySource *source);
/* Declares that a pass reads it. */
void cni_render_sky_source_read(CnFrame *frame, const CniRenderSkySource *source, CnGraphPass pass,
                                CnGpuAccess access);
/* Call it in `run`: binds it at binding 1. */
void cni_render_sky_source_bind(const CniRenderSkySource *source, const CnGraphRun *run);

#endif

/* What the features sky and environment share: where the light of the sky comes from. */
#ifndef CAIRN_RENDER_INNER_SKY_H
#define CAIRN_RENDER_INNER_SKY_H

#include "renderer.h"

/* shaders/render/sky.glsl */
typedef struct CniSkyConstants {
    CnVec3 to_sun;
    float is_atmosphere;
    CnVec3 tint;
    float intensity;
    CnVec3 ground;
    float night;
    CnVec3 veil;
    float veiled;
    float more[4]; /* of the feature: fog.glsl, environment_fill.comp */
} CniSkyConstants;

/* Of the atmosphere, as the air of the frame has it; without that, as the sun stands. */
CniSkyConstants cni_atmosphere_constants(const CnFrame *frame, float intensity);

/* Factor of the light that falls on surfaces from all around, over that which the sky shows: under low clouds at a low sun
 * the light of the sun comes from everywhere, too. */
float cni_overcast_gain(const CniSkyConstants *constants);

/* The sun on clouds when it is low or gone, from below. */
CnVec3 cni_cloud_glow(const CnRenderAir *air);
/* What clouds look like in the light from all around, and in `part` how much of the sky they take, 0 to 1. */
CnVec3 cni_cloud_light(const CnFrame *frame, const CniSkyConstants *constants, float *part);

typedef struct CniSkySource {
    CnRenderer *renderer;
    CnSkyOptions options;
    uint32_t changes;      /* of the options */
    CnRenderPipeline view; /* writes the table of the atmosphere */
    const char
        *view_name; /* of the table, where this is the first feature of a frame that needs it */
    uint32_t view_pipeline; /* as it was when the table was written, by a pass that ran */
    float view_rise;
    CniSkyConstants constants; /* of this frame */
    CnGraphTexture table_now;
} CniSkySource;

/* Both features begin with one. */
bool cni_sky_source_setup(CniSkySource *source, CnRenderer *renderer, const char *view_name,
                          const CnSkyOptions *options, CnError *error);
void cni_sky_source_destroy(CniSkySource *source);
/* On an error nothing changes. */
bool cni_sky_source_set(CniSkySource *source, const CnSkyOptions *options, CnError *error);

/* In add_passes: the constants, and the table, if the atmosphere has none yet. */
void cni_sky_source_update(CnFrame *frame, CniSkySource *source);
/* Declares that a pass reads it. */
void cni_sky_source_read(CnFrame *frame, const CniSkySource *source, CnGraphPass pass,
                         CnGpuAccess access);
/* In `run`: at binding 1. */
void cni_sky_source_bind(const CniSkySource *source, const CnGraphRun *run);

#endif

/* The atmosphere of the lightweight path: a small table of sky and ambient light, clouds, and the
 * sky background. */
#ifndef CAIRN_SRC_RENDER_FEATURE_LIT_ATMOSPHERE_H
#define CAIRN_SRC_RENDER_FEATURE_LIT_ATMOSPHERE_H

#include "render/feature/atmosphere_pass.h"
#include "render/feature/sky_source.h"

#include <cairn/render/atmosphere.h>

typedef struct CniLitAir {
    CniSkySource source;
    CnFogOptions options;
    bool has_clouds, has_fog;
    CnRenderPipeline map, clouds, sky, night;
    CniFullScreen noise;
    uint32_t pictures; /* frames drawn with an atmosphere */
    /* Of this frame. */
    CnGraphTexture table, noise_now, clouds_now; /* clouds_now empty: no clouds in this frame */
} CniLitAir;

/* Laid out as in blocks_lit.glsl and lit_water.frag. */
typedef struct CniLitConstants {
    CnMat4 eye_to_clip;
    float edge, haze, sea_level, is_on;
    CnVec3 water;
    float unused;
} CniLitConstants;

bool cni_lit_air_setup(CnRenderer *renderer, CniLitAir *air, CnError *error);
void cni_lit_air_destroy(CnRenderer *renderer, CniLitAir *air);

/* Call it in add_passes: writes the table, which `cni_lit_air_read` and `cni_lit_air_bind` pass to
 * lit passes. */
void cni_lit_air_begin(CnFrame *frame, CniLitAir *air);
void cni_lit_air_read(CnFrame *frame, const CniLitAir *air, CnGraphPass pass);
void cni_lit_air_bind(const CniLitAir *air, const CnGraphRun *run, uint32_t binding);
CniLitConstants cni_lit_constants(const CnFrame *frame, const CniLitAir *air);
/* Draws clouds at reduced resolution, before the pass that draws the sky. */
void cni_lit_clouds(CnFrame *frame, CniLitAir *air);
/* Declares what cni_lit_sky_draw reads, which draws where depth is 0. */
void cni_lit_sky_read(CnFrame *frame, const CniLitAir *air, CnGraphPass pass);
void cni_lit_sky_draw(CnFrame *frame, const CniLitAir *air, const CnGraphRun *run);

#endif

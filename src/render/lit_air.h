/* The air of the light path: a small table of sky and light from all around, clouds, and the sky behind things. */
#ifndef CAIRN_SRC_RENDER_LIT_AIR_H
#define CAIRN_SRC_RENDER_LIT_AIR_H

#include "air_pass.h"
#include "sky.h"

#include <cairn/render/air.h>

typedef struct CniLitAir {
    CniSkySource source;
    CnFogOptions options;
    bool has_clouds, has_fog;
    CnRenderPipeline map, clouds, sky, night;
    CniFullScreen noise;
    uint32_t pictures; /* so far, of worlds that have air */
    /* Of this frame. */
    CnGraphTexture table, noise_now, clouds_now; /* no clouds: none in this frame */
} CniLitAir;

/* As blocks_lit.glsl and water_lit.frag have them. */
typedef struct CniLitConstants {
    CnMat4 eye_to_clip;
    float edge, haze, sea_level, is_on;
    CnVec3 water;
    float unused;
} CniLitConstants;

bool cni_lit_air_setup(CnRenderer *renderer, CniLitAir *air, CnError *error);
void cni_lit_air_destroy(CnRenderer *renderer, CniLitAir *air);

/* In add_passes: the table, which `cni_lit_air_read` and `cni_lit_air_bind` give to passes that are lit. */
void cni_lit_air_begin(CnFrame *frame, CniLitAir *air);
void cni_lit_air_read(CnFrame *frame, const CniLitAir *air, CnGraphPass pass);
void cni_lit_air_bind(const CniLitAir *air, const CnGraphRun *run, uint32_t binding);
CniLitConstants cni_lit_constants(const CnFrame *frame, const CniLitAir *air);
/* Clouds, small: before a pass that draws the sky. */
void cni_lit_clouds(CnFrame *frame, CniLitAir *air);
/* Declares what cni_lit_sky_draw reads; draws where depth is 0. */
void cni_lit_sky_read(CnFrame *frame, const CniLitAir *air, CnGraphPass pass);
void cni_lit_sky_draw(CnFrame *frame, const CniLitAir *air, const CnGraphRun *run);

#endif

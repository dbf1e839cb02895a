/* The atmosphere of the lightweight path: a small table of sky and ambient light, clouds, and the
 * sky background. */
#ifndef CAIRN_SRC_RENDER_FEATURE_LIT_ATMOSPHERE_H
#define CAIRN_SRC_RENDER_FEATURE_LIT_ATMOSPHERE_H

#include "render/feature/atmosphere_pass.h"
#include "render/feature/sky_source.h"

#include <cairn/render/atmosphere.h>

typedef struct CniRenderLitAtmosphere {
    CniRenderSkySource source;
    CnFogOptions options;
    bool has_clouds, has_fog;
    CnRenderPipeline map, clouds, sky, night;
    CnFullScreen noise;
    uint32_t frames_drawn; /* frames drawn with an atmosphere */
    /* Of this frame. */
    CnGraphTexture table, noise_now, clouds_now; /* clouds_now empty: no clouds in this frame */
} CniRenderLitAtmosphere;

/* Laid out as in blocks_lit.glsl and lit_water.frag. */
typedef struct CniRenderLitConstants {
    CnMat4 eye_to_clip;
    float edge, haze, sea_level, is_on;
    CnVec3 water;
    float unused;
} CniRenderLitConstants;

bool cni_render_lit_atmosphere_setup(CnRenderer *renderer, CniRenderLitAtmosphere *atmosphere,
                                     CnError *error);
void cni_render_lit_atmosphere_destroy(CnRenderer *renderer, CniRenderLitAtmosphere *atmosphere);

/* Call it in add_passes: writes the table, which `cni_render_lit_atmosphere_read` and
 * `cni_render_lit_atmosphere_bind` pass to lit passes. */
void cni_render_lit_atmosphere_begin(CnFrame *frame, CniRenderLitAtmosphere *atmosphere);
void cni_render_lit_atmosphere_read(CnFrame *frame, const CniRenderLitAtmosphere *atmosphere,
                                    CnGraphPass pass);
void cni_render_lit_atmosphere_bind(const CniRenderLitAtmosphere *atmosphere, const CnGraphRun *run,
                                    uint32_t binding);
CniRenderLitConstants cni_render_lit_constants(const CnFrame *frame,
                                               const CniRenderLitAtmosphere *atmosphere);
/* Draws clouds at reduced resolution, before the pass that draws the sky. */
void cni_render_lit_clouds(CnFrame *frame, CniRenderLitAtmosphere *atmosphere);
/* Declares what cni_render_lit_sky_draw reads, which draws where depth is 0. */
void cni_render_lit_sky_read(CnFrame *frame, const CniRenderLitAtmosphere *atmosphere,
                             CnGraphPass pass);
void cni_render_lit_sky_draw(CnFrame *frame, const CniRenderLitAtmosphere *atmosphere,
                             const CnGraphRun *run);

#endif

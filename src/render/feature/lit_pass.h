/*
 * Shared by the features that draw lit meshes: passes over draw lists, and light tiles.
 */
#ifndef CAIRN_SRC_RENDER_FEATURE_LIT_PASS_H
#define CAIRN_SRC_RENDER_FEATURE_LIT_PASS_H

#include "render/core/renderer_internal.h"

/* ---- Lit meshes ---- */

typedef enum CniRenderLitKind {
    CNI_RENDER_LIT_OPAQUE,      /* tests and writes depth */
    CNI_RENDER_LIT_AFTER_DEPTH, /* depth is already drawn */
    CNI_RENDER_LIT_BLENDED      /* over the existing contents */
} CniRenderLitKind;

typedef enum CniRenderLights { /* lighting.glsl */
                               CNI_RENDER_LIGHTS_LOOP,
                               CNI_RENDER_LIGHTS_OPAQUE,
                               CNI_RENDER_LIGHTS_IN_FRONT
} CniRenderLights;

bool cni_render_lit_pass_create(CnRenderer *renderer, CniRenderLitKind kind, CnDrawPass *pass,
                                CnError *error);

/* Draws the list into frame->hdr and frame->depth, which are created if they are empty and the pass
 * is not blended. */
void cni_render_lit_add(CnFrame *frame, const char *name, CnDrawPass pass, CniRenderLitKind kind,
                        CniRenderLights lights);

/* ---- Light tiles ---- */

typedef struct CniRenderLightTiles {
    CnRenderPipeline pipeline;
} CniRenderLightTiles;

bool cni_render_light_tiles_setup(CnRenderer *renderer, CniRenderLightTiles *tiles, CnError *error);
void cni_render_light_tiles_destroy(CnRenderer *renderer, CniRenderLightTiles *tiles);
/* Finds the lights of each tile from frame->depth and writes frame->light_tiles; without lights
 * there are no tiles. */
void cni_render_light_tiles_add(CnFrame *frame, const CniRenderLightTiles *tiles);

/* ---- Options ---- */

/* Sets frame->ambient before the frame data is uploaded. */
void cni_render_lit_update(CnFrame *frame, const CnLightingOptions *options);

#endif

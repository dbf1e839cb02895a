/*
 * Shared by the features that draw lit meshes: passes over draw lists, and light tiles.
 */
#ifndef CAIRN_SRC_RENDER_FEATURE_LIT_PASS_H
#define CAIRN_SRC_RENDER_FEATURE_LIT_PASS_H

#include "render/core/renderer_internal.h"

/* ---- Lit meshes ---- */

typedef enum CniLitKind {
    CNI_LIT_OPAQUE,      /* tests and writes depth */
    CNI_LIT_AFTER_DEPTH, /* depth is already drawn */
    CNI_LIT_BLENDED      /* over the existing contents */
} CniLitKind;

typedef enum CniLights { /* lighting.glsl */
                         CNI_LIGHTS_LOOP,
                         CNI_LIGHTS_OPAQUE,
                         CNI_LIGHTS_IN_FRONT
} CniLights;

bool cni_lit_pass_create(CnRenderer *renderer, CniLitKind kind, CnDrawPass *pass, CnError *error);

/* Draws the list into frame->hdr and frame->depth, which are created if they are empty and the pass
 * is not blended. */
void cni_lit_add(CnFrame *frame, const char *name, CnDrawPass pass, CniLitKind kind,
                 CniLights lights);

/* ---- Light tiles ---- */

typedef struct CniLightTiles {
    CnRenderPipeline pipeline;
} CniLightTiles;

bool cni_light_tiles_setup(CnRenderer *renderer, CniLightTiles *tiles, CnError *error);
void cni_light_tiles_destroy(CnRenderer *renderer, CniLightTiles *tiles);
/* Finds the lights of each tile from frame->depth and writes frame->light_tiles; without lights
 * there are no tiles. */
void cni_light_tiles_add(CnFrame *frame, const CniLightTiles *tiles);

/* ---- Options ---- */

/* Sets frame->ambient before the frame data is uploaded. */
void cni_lit_update(CnFrame *frame, const CnLightingOptions *options);

#endif

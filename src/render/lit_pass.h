/*
 * What the features that draw lit meshes share: passes over lists of meshes, and tiles of lights.
 */
#ifndef CAIRN_SRC_RENDER_LIT_PASS_H
#define CAIRN_SRC_RENDER_LIT_PASS_H

#include "renderer.h"

/* ---- Lit meshes ---- */

typedef enum CniLitKind {
    CNI_LIT_OPAQUE,      /* tests and writes depth */
    CNI_LIT_AFTER_DEPTH, /* depth is there already */
    CNI_LIT_BLENDED      /* over what is there */
} CniLitKind;

typedef enum CniLights { /* lit.glsl */
                         CNI_LIGHTS_LOOP,
                         CNI_LIGHTS_OPAQUE,
                         CNI_LIGHTS_IN_FRONT
} CniLights;

bool cni_lit_pass_create(CnRenderer *renderer, CniLitKind kind, CnDrawPass *pass, CnError *error);

/* Draws the list into frame->hdr and frame->depth, which are made if they are empty and the pass is not blended. */
void cni_lit_add(CnFrame *frame, const char *name, CnDrawPass pass, CniLitKind kind,
                 CniLights lights);

/* ---- Tiles ---- */

typedef struct CniLightTiles {
    CnRenderPipeline pipeline;
} CniLightTiles;

bool cni_light_tiles_setup(CnRenderer *renderer, CniLightTiles *tiles, CnError *error);
void cni_light_tiles_destroy(CnRenderer *renderer, CniLightTiles *tiles);
/* Finds the lights of each tile from frame->depth, into frame->light_tiles; without lights there are no tiles. */
void cni_light_tiles_add(CnFrame *frame, const CniLightTiles *tiles);

/* ---- Options ---- */

/* Sets frame->ambient, before shaders are told. */
void cni_lit_update(CnFrame *frame, const CnLightingOptions *options);

#endif

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
    CNI_RENDER_LIT_BLENDED,     /* over the existing contents */
    CNI_RENDER_LIT_LAYERED,     /* layered meshes, whose depth is already drawn */
    CNI_RENDER_LIT_TRANSMISSIVE /* meshes that show frame->behind */
} CniRenderLitKind;

typedef enum CniRenderLights { /* lighting.glsl */
                               CNI_RENDER_LIGHTS_LOOP,
                               CNI_RENDER_LIGHTS_OPAQUE,
                               CNI_RENDER_LIGHTS_IN_FRONT
} CniRenderLights;

bool cni_render_lit_pass_create(CnRenderer *renderer, CniRenderLitKind kind, CnDrawPass *pass,
                                CnError *error);

/* Draws the visible meshes of this kind into frame->hdr and frame->depth, which are created if they
 * are empty and the kind is the first or the second. */
void cni_render_lit_add(CnFrame *frame, const char *name, CnDrawPass pass, CniRenderLitKind kind,
                        CniRenderLights lights);

/* Draws transmissive meshes over a copy of what is drawn so far, then blended ones. */
void cni_render_lit_add_overlay(CnFrame *frame, CnDrawPass transmissive, CnDrawPass blended,
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

/*
 * Quad culling: quads are tested one by one before they are drawn, on devices where their number
 * determines the cost. shaders/render/block/blocks_quad_culling.glsl describes how. A frame begins
 * with the quads that were visible in the last one, which occlude many of the others.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_QUAD_CULLING_H
#define CAIRN_SRC_RENDER_BLOCK_QUAD_CULLING_H

#include "render/block/block_view.h"

typedef struct CniRenderQuadCuller {
    CnRenderPipeline cull_quads, list;
    /* Of this frame. */
    CnGraphBuffer items, visible_quads, drawn, entries;
    uint32_t capacity; /* of a list, in quads */
    bool has_phases;
} CniRenderQuadCuller;
bool cni_render_quad_culler_setup(CnRenderer *renderer, CniRenderQuadCuller *quad_culler,
                                  CnError *error);
void cni_render_quad_culler_destroy(CnRenderer *renderer, CniRenderQuadCuller *quad_culler);

/* The quads to draw. Entries are those of all lists of a frame. */
typedef struct CniRenderQuadList {
    const CnBlockView *view;
    CnGraphBuffer draws, entries;
    uint32_t capacity; /* of a list; 0: nothing to draw */
} CniRenderQuadList;

/* Call it in add_passes; without phases nothing is occluded, and all quads are new. Returns false
 * if there is nothing to draw or no memory. */
bool cni_render_quad_culler_begin(CnFrame *frame, const CnBlockView *view,
                                  CniRenderQuadCuller *quad_culler, bool has_phases);
/* Culls quads after records were culled into `items` with CNI_RENDER_LIST_QUAD_ITEMS. With a depth
 * pyramid, drops occluded quads. */
void cni_render_quad_cull(CnFrame *frame, const CnBlockView *view, CniRenderQuadCuller *quad_culler,
                          const CniRenderBlockCull *cull);
/* Lists the quads that were visible in the last frame, or those that are new since. */
CniRenderQuadList cni_render_quad_list(CnFrame *frame, const CnBlockView *view,
                                       CniRenderQuadCuller *quad_culler,
                                       const CniRenderBlockCull *cull, bool is_new);
/* Declares that a pass draws them. */
void cni_render_quad_list_read(CnFrame *frame, CnGraphPass pass, const CniRenderQuadList *quads);
/* Call it in `run`, after binding a pipeline, cni_render_block_bind and setting constants. */
void cni_render_quad_list_draw(const CnGraphRun *run, const CniRenderQuadList *quads,
                               uint32_t binding, bool is_cut);

#endif

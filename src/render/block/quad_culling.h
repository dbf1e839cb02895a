/*
 * Quad culling: quads are tested one by one before they are drawn, on devices where their number
 * determines the cost. shaders/render/block/blocks_quad_culling.glsl describes how. A frame begins with the quads
 * that were visible in the last one, which occlude many of the others.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_QUAD_CULLING_H
#define CAIRN_SRC_RENDER_BLOCK_QUAD_CULLING_H

#include "render/block/block_view.h"

typedef struct CniBlockSift {
    CnRenderPipeline pick, list;
    /* Of this frame. */
    CnGraphBuffer items, picks, drawn, entries;
    uint32_t room; /* of a list, in quads */
    bool has_phases;
} CniBlockSift;
bool cni_block_sift_setup(CnRenderer *renderer, CniBlockSift *sift, CnError *error);
void cni_block_sift_destroy(CnRenderer *renderer, CniBlockSift *sift);

/* The quads to draw. Entries are those of all lists of a frame. */
typedef struct CniBlockQuads {
    const CnBlockView *view;
    CnGraphBuffer draws, entries;
    uint32_t room; /* of a list; 0: nothing to draw */
} CniBlockQuads;

/* Call it in add_passes; without phases nothing is occluded, and all quads are new. Returns false
 * if there is nothing to draw or no memory. */
bool cni_block_sift_begin(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                          bool has_phases);
/* Culls quads after records were culled into `items` with CNI_LIST_SIFTED. With a depth pyramid,
 * drops occluded quads. */
void cni_block_pick(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                    const CniBlockCull *cull);
/* Lists the quads that were visible in the last frame, or those that are new since. */
CniBlockQuads cni_block_list(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                             const CniBlockCull *cull, bool is_new);
/* Declares that a pass draws them. */
void cni_block_quads_read(CnFrame *frame, CnGraphPass pass, const CniBlockQuads *quads);
/* Call it in `run`, after binding a pipeline, cni_block_bind and setting constants. */
void cni_block_quads_draw(const CnGraphRun *run, const CniBlockQuads *quads, uint32_t binding,
                          bool is_cut);

#endif

/*
 * Quads, tested one by one before they are drawn, where what counts is how many there are: shaders/render/blocks_sift.glsl
 * tells how. A picture begins with what was picked for the last one, which hides much of the rest.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_SIFT_H
#define CAIRN_SRC_RENDER_BLOCK_SIFT_H

#include "block_view.h"

typedef struct CniBlockSift {
    CnRenderPipeline pick, list;
    /* Of this frame. */
    CnGraphBuffer items, picks, drawn, entries;
    uint32_t room; /* of a list, in quads */
    bool has_phases;
} CniBlockSift;
bool cni_block_sift_setup(CnRenderer *renderer, CniBlockSift *sift, CnError *error);
void cni_block_sift_destroy(CnRenderer *renderer, CniBlockSift *sift);

/* What is to be drawn. Entries are those of all lists of a frame. */
typedef struct CniBlockQuads {
    const CnBlockView *view;
    CnGraphBuffer draws, entries;
    uint32_t room; /* of a list; 0: there is nothing */
} CniBlockQuads;

/* In add_passes; without phases nothing is hidden, and all of it is new. False: there is nothing to draw, or no memory. */
bool cni_block_sift_begin(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                          bool has_phases);
/* After a cull into `items`, which has CNI_LIST_SIFTED. With squares: not what is hidden. */
void cni_block_pick(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                    const CniBlockCull *cull);
/* Those that were picked for the last picture, or those that are new since. */
CniBlockQuads cni_block_list(CnFrame *frame, const CnBlockView *view, CniBlockSift *sift,
                             const CniBlockCull *cull, bool is_new);
/* Declares that a pass draws them. */
void cni_block_quads_read(CnFrame *frame, CnGraphPass pass, const CniBlockQuads *quads);
/* In `run`, with a pipeline bound, cni_block_bind called and constants set. */
void cni_block_quads_draw(const CnGraphRun *run, const CniBlockQuads *quads, uint32_t binding,
                          bool is_cut);

#endif

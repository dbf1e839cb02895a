/*
 * Blocks drawn by compute shaders, where those are worth more than the units that draw triangles: quads are rectangles,
 * so rays of pixels find them without vertices, and what a pixel looks like is worked out once. shaders/render/
 * blocks_shots.glsl tells how.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_RASTER_H
#define CAIRN_SRC_RENDER_BLOCK_RASTER_H

#include "block_view.h"

typedef struct CniBlockRaster {
    /* Of items, of tiles. */
    CnRenderPipeline view[2], shadow[2];
    CnRenderPipeline begin, resolve, shadow_map;
} CniBlockRaster;

/* Whether a renderer draws them so: as its full-screen passes, where a device can do it. */
bool cni_block_raster_wanted(const CnRenderer *renderer);
bool cni_block_raster_setup(CnRenderer *renderer, CniBlockRaster *raster, CnError *error);
void cni_block_raster_destroy(CnRenderer *renderer, CniBlockRaster *raster);

/* What was drawn before blocks; empty: nothing. */
typedef struct CniBlockSlots {
    CnGraphTexture depth, albedo, normal, hdr;
} CniBlockSlots;

/* What the passes of a picture share. */
typedef struct CniBlockPicture {
    CnFrame *frame;
    CnBlockView *view;
    const CniBlockRaster *raster;
    CnGpuUpload shots;
    CnGraphBuffer items, tiles;
    CnGraphBuffer target; /* pixels: of shadows depths, of the view depth and quad */
    CniBlockSlots old;
    uint32_t width, height, layers;
    bool is_shadow;
} CniBlockPicture;

/* In add_passes. NULL: there is nothing to draw, or no memory. */
CniBlockPicture *cni_block_picture(CnFrame *frame, CnBlockView *view, const CniBlockRaster *raster);
CniBlockPicture *cni_block_shadow_picture(CnFrame *frame, CnBlockView *view,
                                          const CniBlockRaster *raster, const CnShadowShot *shots,
                                          uint32_t count, uint32_t size);
/* Draws the items of a phase, 0 or 1. */
void cni_block_raster(CniBlockPicture *picture, uint32_t phase);
/* The G-buffer and depth: new ones, in the slots of the frame. */
void cni_block_resolve(CniBlockPicture *picture);
/* A map of shadows, CN_FORMAT_R32F or D32F, which is dearer. */
CnGraphTexture cni_block_shadow_map(CniBlockPicture *picture, CnGpuFormat format);

#endif

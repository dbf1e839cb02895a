/*
 * A compute rasteriser for blocks, used where compute shaders are faster than the fixed-function
 * rasteriser: quads are rectangles, so pixel rays intersect them without vertices, and each pixel
 * is shaded once. shaders/render/block/blocks_raster_views.glsl describes the algorithm.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_BLOCK_COMPUTE_RASTER_H
#define CAIRN_SRC_RENDER_BLOCK_BLOCK_COMPUTE_RASTER_H

#include "render/block/block_view.h"

typedef struct CniBlockRaster {
    /* For items and for tiles. */
    CnRenderPipeline view[2], shadow[2];
    CnRenderPipeline begin, resolve, shadow_map;
} CniBlockRaster;

/* Returns whether a renderer uses the rasteriser: if its full-screen passes use compute shaders and
 * the device supports it. */
bool cni_block_raster_wanted(const CnRenderer *renderer);
bool cni_block_raster_setup(CnRenderer *renderer, CniBlockRaster *raster, CnError *error);
void cni_block_raster_destroy(CnRenderer *renderer, CniBlockRaster *raster);

/* The G-buffer before blocks are drawn; empty slots: nothing was drawn. */
typedef struct CniBlockSlots {
    CnGraphTexture depth, albedo, normal, hdr;
} CniBlockSlots;

/* State shared by the passes of one image. */
typedef struct CniBlockPicture {
    CnFrame *frame;
    CnBlockView *view;
    const CniBlockRaster *raster;
    CnGpuUpload shots;
    CnGraphBuffer items, tiles;
    CnGraphBuffer target; /* pixels: depth for shadows; depth and quad for the view */
    CniBlockSlots old;
    uint32_t width, height, layers;
    bool is_shadow;
} CniBlockPicture;

/* Call it in add_passes. Returns NULL if there is nothing to draw or no memory. */
CniBlockPicture *cni_block_picture(CnFrame *frame, CnBlockView *view, const CniBlockRaster *raster);
CniBlockPicture *cni_block_shadow_picture(CnFrame *frame, CnBlockView *view,
                                          const CniBlockRaster *raster, const CnShadowShot *shots,
                                          uint32_t count, uint32_t size);
/* Draws the items of phase 0 or 1. */
void cni_block_raster(CniBlockPicture *picture, uint32_t phase);
/* Writes a new G-buffer and depth into the slots of the frame. */
void cni_block_resolve(CniBlockPicture *picture);
/* Returns a shadow map in CN_FORMAT_R32F, or D32F, which is slower. */
CnGraphTexture cni_block_shadow_map(CniBlockPicture *picture, CnGpuFormat format);

#endif

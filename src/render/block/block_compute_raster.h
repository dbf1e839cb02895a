/*
 * A compute rasteriser for blocks, used where compute shaders are faster than the fixed-function
 * rasteriser: quads are rectangles, so pixel rays intersect them without vertices, and each pixel
 * is shaded once. shaders/render/block/blocks_raster_views.glsl describes the algorithm.
 */
#ifndef CAIRN_SRC_RENDER_BLOCK_BLOCK_COMPUTE_RASTER_H
#define CAIRN_SRC_RENDER_BLOCK_BLOCK_COMPUTE_RASTER_H

#include "render/block/block_view.h"

typedef struct CniRenderBlockRaster {
    /* For items and for tiles. */
    CnRenderPipeline view[2], shadow[2];
    CnRenderPipeline begin, resolve, shadow_map;
} CniRenderBlockRaster;

/* Returns whether a renderer uses the rasteriser: if its full-screen passes use compute shaders and
 * the device supports it. */
bool cni_render_raster_is_supported(const CnRenderer *renderer);
bool cni_render_raster_setup(CnRenderer *renderer, CniRenderBlockRaster *raster, CnError *error);
void cni_render_raster_destroy(CnRenderer *renderer, CniRenderBlockRaster *raster);

/* The G-buffer before blocks are drawn; empty slots: nothing was drawn. */
typedef struct CniRenderGBufferSlots {
    CnGraphTexture depth, albedo, normal, hdr;
} CniRenderGBufferSlots;

/* State shared by the passes of one image. */
typedef struct CniRenderRasterJob {
    CnFrame *frame;
    CnBlockView *view;
    const CniRenderBlockRaster *raster;
    CnGpuUpload raster_views;
    CnGraphBuffer items, tiles;
    CnGraphBuffer target; /* pixels: depth for shadows; depth and quad for the view */
    CniRenderGBufferSlots old;
    uint32_t width, height, layers;
    bool is_shadow;
} CniRenderRasterJob;

/* Call it in add_passes. Returns NULL if there is nothing to draw or no memory. */
CniRenderRasterJob *cni_render_raster_begin_view(CnFrame *frame, CnBlockView *view,
                                                 const CniRenderBlockRaster *raster);
CniRenderRasterJob *cni_render_raster_begin_shadow(CnFrame *frame, CnBlockView *view,
                                                   const CniRenderBlockRaster *raster,
                                                   const CnShadowView *raster_views, uint32_t count,
                                                   uint32_t size);
/* Draws the items of phase 0 or 1. */
void cni_render_raster_items(CniRenderRasterJob *job, uint32_t phase);
/* Writes a new G-buffer and depth into the slots of the frame. */
void cni_render_raster_resolve(CniRenderRasterJob *job);
/* Returns a shadow map in CN_GPU_FORMAT_R32F, or D32F, which is slower. */
CnGraphTexture cni_render_raster_shadow_map(CniRenderRasterJob *job, CnGpuFormat format);

#endif

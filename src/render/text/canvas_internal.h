/* The shapes of a canvas, as shaders/render/feature/ui.glsl reads them. */
#ifndef CAIRN_SRC_RENDER_TEXT_CANVAS_INTERNAL_H
#define CAIRN_SRC_RENDER_TEXT_CANVAS_INTERNAL_H

#include "render/text/font_internal.h"

#include <cairn/render/canvas.h>

typedef enum CniRenderCanvasShapeKind {
    CNI_RENDER_SHAPE_BOX,
    CNI_RENDER_SHAPE_GLYPH,
    CNI_RENDER_SHAPE_SPRITE
} CniRenderCanvasShapeKind;

/* All values are in pixels. */
typedef struct CniRenderCanvasShape {
    CnRect rect;
    union {
        struct {
            float radius, border, blur;
            CnColor border_color;
        } box;
        struct {
            float x, y, unused[2]; /* in the atlas */
        } glyph;
        CnRect uv; /* of sprites: from (x, y) to (width, height) */
    };
    union {
        CnColor corners[4]; /* top left, top right, bottom left, bottom right */
        struct {
            CnColor tint;
            float radius;
            uint32_t texture, unused;
        } sprite;
    };
    uint32_t kind;
    float rotation;
    uint16_t clip[4]; /* left, top, right, bottom */
} CniRenderCanvasShape;
CN_STATIC_ASSERT(sizeof(CniRenderCanvasShape) == 64,
                 "shaders/render/feature/ui.glsl has the same layout");

/* Consecutive shapes in one layer. */
typedef struct CniRenderShapeRun {
    uint32_t layer, first, count;
} CniRenderShapeRun;

struct CnCanvas {
    CnAllocator *allocator;
    CnFonts *fonts;
    CniRenderFontUser user;
    float width, height, scale;
    CN_ARRAY(CniRenderCanvasShape) shapes;
    CN_ARRAY(CniRenderShapeRun) runs; /* sorted by layer after cn_canvas_end */
    uint32_t layer;
    CnRect clips[CN_CANVAS_MAX_CLIPS + 1]; /* in points; the first is the whole canvas */
    uint16_t clip[4];                      /* the current clip, in pixels */
    uint32_t clip_depth;
    uint32_t clips_refused; /* pushed beyond the limit and not yet popped */
    uint64_t refused;
};

/* Adds a shape with the current clip; returns NULL if it would not be visible or there is no space.
 * The rectangle bounds the shape, in pixels. */
CniRenderCanvasShape *cni_render_canvas_add(CnCanvas *canvas, CniRenderCanvasShapeKind kind,
                                            CnRect covers);

#endif

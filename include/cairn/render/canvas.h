/*
 * A canvas collects rectangles, lines, sprites and text, which the UI feature draws over the image.
 *
 *     CnCanvas *canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fonts}, &error);
 *
 *     CnBoxStyle box = {.fill = cn_rgba(0x202830E0), .radius = 6, .border = 1};
 *     CnTextStyle style = {.size = 16, .color = cn_rgb(0xFFFFFF)};
 *     cn_canvas_begin(canvas, 1280, 720, 1); // each frame
 *     cn_canvas_box(canvas, (CnRect){10, 10, 200, 40}, &box);
 *     cn_canvas_text(canvas, 20, 18, &style, cn_text("Grüße"));
 *     cn_canvas_end(canvas);
 *     cn_renderer_draw(renderer, &(CnFrameDesc){.canvas = canvas}, &error);
 *
 * Positions and sizes are in points from the top left; `scale` is the number of pixels per point.
 * Within a layer, later calls draw over earlier ones. Colors are 8-bit sRGB and are blended in
 * sRGB.
 *
 * One thread at a time uses a canvas: one thread may build it and another draw it if they
 * synchronise. An ended canvas can be drawn any number of times until it begins again; its glyphs
 * stay in the atlas of its fonts until then. Edges are antialiased, and sharp on whole pixels. Text
 * is aligned to whole pixels.
 *
 * Only a change of texture starts a new draw call: a whole HUD with one sprite texture is one call.
 * A canvas keeps its memory, so frames that draw no more than earlier ones do not allocate.
 */
#ifndef CAIRN_RENDER_CANVAS_H
#define CAIRN_RENDER_CANVAS_H

#include <cairn/base/vector.h>
#include <cairn/render/font.h>
#include <cairn/render/material.h>

CN_EXTERN_C_BEGIN

#define CN_CANVAS_MAX_SHAPES 65536u /* a glyph is one shape */
#define CN_CANVAS_MAX_CLIPS 32u     /* nested */
#define CN_CANVAS_MAX_LAYERS 256u

typedef struct CnCanvas CnCanvas;

typedef struct CnRect {
    float x, y, width, height;
} CnRect;

static inline bool cn_rect_contains(CnRect rect, float x, float y)
{
    return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

/* Returns the rectangle shrunk by `by` on each side; sizes do not fall below 0. */
CN_API CnRect cn_rect_inset(CnRect rect, float by);
/* Returns the overlap of both; width and height are 0 if there is none. */
CN_API CnRect cn_rect_intersection(CnRect a, CnRect b);

/* sRGB with straight (not premultiplied) alpha. */
typedef struct CnColor {
    uint8_t r, g, b, a;
} CnColor;

static inline CnColor cn_rgba(uint32_t rrggbbaa)
{
    CnColor color = {(uint8_t)(rrggbbaa >> 24), (uint8_t)(rrggbbaa >> 16), (uint8_t)(rrggbbaa >> 8),
                     (uint8_t)rrggbbaa};
    return color;
}

static inline CnColor cn_rgb(uint32_t rrggbb)
{
    return cn_rgba(rrggbb << 8 | 0xFFu);
}

/* Interpolates; a share of 0 returns `from`. */
CN_API CnColor cn_color_mix(CnColor from, CnColor to, float share);
CN_API CnColor cn_color_fade(CnColor color, float alpha); /* multiplies its alpha */

typedef struct CnCanvasDesc {
    CnAllocator *allocator;
    CnFonts *fonts; /* must outlive the canvas */
} CnCanvasDesc;

/* Creates a canvas. Returns NULL and an error if out of memory. */
CN_API CnCanvas *cn_canvas_create(const CnCanvasDesc *desc, CnError *error);
CN_API void cn_canvas_destroy(CnCanvas *canvas);
CN_API CnFonts *cn_canvas_fonts(const CnCanvas *canvas);

/* Clears the canvas. Width and height are in points; a scale of 0 selects 1. */
CN_API void cn_canvas_begin(CnCanvas *canvas, float width, float height, float scale);
/* Ends the canvas and resets clips and layer; guards check that all clips were popped. */
CN_API void cn_canvas_end(CnCanvas *canvas);
/* Return the whole area in points, from (0, 0), and the pixels per point. */
CN_API CnRect cn_canvas_area(const CnCanvas *canvas);
CN_API float cn_canvas_scale(const CnCanvas *canvas);
/* Returns the nearest position on a whole pixel. */
CN_API float cn_canvas_snap(const CnCanvas *canvas, float coordinate);

/* Restricts drawing to this rectangle and those pushed before it. */
CN_API void cn_canvas_push_clip(CnCanvas *canvas, CnRect rect);
/* Ignores the clips pushed before until it is popped, for menus that extend beyond their window. */
CN_API void cn_canvas_push_full_clip(CnCanvas *canvas);
/* Restores the clip before the last push. */
CN_API void cn_canvas_pop_clip(CnCanvas *canvas);
/* Returns the current clip rectangle. */
CN_API CnRect cn_canvas_clip(const CnCanvas *canvas);
/* Sets the layer; higher layers are drawn over lower ones regardless of call order. Initially 0.
 * Returns the previous layer. */
CN_API uint32_t cn_canvas_set_layer(CnCanvas *canvas, uint32_t layer);

/* ---- Shapes ---- */

typedef enum CnGradient {
    CN_GRADIENT_NONE,
    CN_GRADIENT_VERTICAL,
    CN_GRADIENT_HORIZONTAL
} CnGradient;

typedef struct CnBoxStyle {
    CnColor fill;        /* alpha 0 draws only the border */
    CnGradient gradient; /* from `fill` to `fill_to` */
    CnColor fill_to;
    float radius; /* of the corners; at most half of the shorter side */
    float border; /* width, inside the rectangle */
    CnColor border_color;
    float blur;     /* width of the edge, half of it outside, for shadows; 0: one pixel */
    float rotation; /* about the center, clockwise, in radians */
} CnBoxStyle;

/* Fills a rectangle with one color. */
CN_API void cn_canvas_fill(CnCanvas *canvas, CnRect rect, CnColor color);
/* Draws a rectangle with fill, border, rounded corners and shadow as described by `box`. */
CN_API void cn_canvas_box(CnCanvas *canvas, CnRect rect, const CnBoxStyle *box);
/* A line one pixel wide is sharp if it is axis-aligned and runs through pixel centers. */
CN_API void cn_canvas_line(CnCanvas *canvas, CnVec2 from, CnVec2 to, float width, CnColor color);

typedef struct CnSprite {
    CnTexture texture;
    CnRect part;                         /* of the texture; all 0 selects the whole texture */
    float texture_width, texture_height; /* units of `part`; 0: `part` is in fractions of 1 */
    CnColor tint;                        /* all 0 selects white */
    float rotation;
    float radius; /* of the corners */
} CnSprite;
/* Draws a texture, or a part of it, into a rectangle. */
CN_API void cn_canvas_sprite(CnCanvas *canvas, CnRect rect, const CnSprite *sprite);

/* Border widths that keep their size, in units of `part`. */
typedef struct CnNineSlice {
    float left, top, right, bottom;
    float scale; /* points per unit; 0 selects 1 */
} CnNineSlice;
/* Draws the corners unscaled, stretches the edges along one axis and the center along both. */
CN_API void cn_canvas_nine_slice(CnCanvas *canvas, CnRect rect, const CnSprite *sprite,
                                 const CnNineSlice *slice);

/* ---- Text ---- */

#define CN_TEXT_SIZE 14.0f

typedef struct CnTextStyle {
    CnFont font;
    float size; /* points; 0 selects CN_TEXT_SIZE */
    CnColor color;
} CnTextStyle;

typedef enum CnAlign { CN_ALIGN_START, CN_ALIGN_CENTER, CN_ALIGN_END } CnAlign;

typedef struct CnTextLayout {
    CnAlign align_x, align_y;
    bool wrap;     /* break lines at spaces; otherwise only at line breaks */
    bool ellipsis; /* end lines that are too wide with … */
} CnTextLayout;

/* Draws text from x, with y as the top of the first line and further lines below it. */
CN_API void cn_canvas_text(CnCanvas *canvas, float x, float y, const CnTextStyle *style,
                           CnText text);
/* Draws text aligned in a rectangle, without clipping it to the rectangle. */
CN_API void cn_canvas_text_in(CnCanvas *canvas, CnRect rect, const CnTextStyle *style,
                              const CnTextLayout *box, CnText text);

/* As the functions of cn_fonts_, in points and with the metrics of this canvas. */
CN_API float cn_canvas_line_height(const CnCanvas *canvas, const CnTextStyle *style);
CN_API CnVec2 cn_canvas_text_size(const CnCanvas *canvas, const CnTextStyle *style, CnText text,
                                  float wrap_width); /* 0: no wrapping */
CN_API float cn_canvas_text_x_at_byte(const CnCanvas *canvas, const CnTextStyle *style, CnText text,
                                      size_t byte);
CN_API size_t cn_canvas_text_byte_at_x(const CnCanvas *canvas, const CnTextStyle *style,
                                       CnText text, float x);

/* ---- Statistics ---- */

typedef struct CnCanvasStats {
    uint32_t shapes;
    uint32_t draws;   /* draw calls */
    uint64_t refused; /* total shapes, clips and layers refused because of limits or memory */
} CnCanvasStats;
/* Returns the statistics of an ended canvas. */
CN_API CnCanvasStats cn_canvas_stats(const CnCanvas *canvas);

CN_EXTERN_C_END

#endif

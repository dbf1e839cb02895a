/*
 * A canvas: rectangles, lines, sprites and text, for the UI feature to draw over the picture.
 *
 *     CnCanvas *canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fonts}, &error);
 *
 *     cn_canvas_begin(canvas, 1280, 720, 1);                               // each frame
 *     cn_canvas_box(canvas, (CnRect){10, 10, 200, 40},
 *                   &(CnBox){.fill = cn_rgba(0x202830E0), .radius = 6, .border = 1, .border_color = cn_rgb(0x506070)});
 *     cn_canvas_text(canvas, 20, 18, &(CnTextStyle){.size = 16, .color = cn_rgb(0xFFFFFF)}, cn_text("Grüße"));
 *     cn_canvas_end(canvas);
 *     cn_renderer_draw(renderer, &(CnPicture){.canvas = canvas, ...}, &error);
 *
 * Places and sizes are in points, from the top left; `scale` is how many pixels a point has. What is called
 * first lies below, inside of one layer. Colors are those of the screen (sRGB, 8 bits) and are blended as such.
 *
 * One thread at a time uses a canvas: it is built on one and drawn on another, which is for the two to agree on.
 * A canvas that was ended can be drawn any number of times, until it begins again; what it shows stays in the
 * atlas of its fonts as long. Edges are smooth; those on whole pixels are sharp, text stands on whole pixels.
 *
 * Textures change the draw call, nothing else does: a whole HUD with one texture of sprites is one call. A canvas
 * keeps its memory: frames that draw no more than earlier ones make no heap call.
 */
#ifndef CAIRN_RENDER_CANVAS_H
#define CAIRN_RENDER_CANVAS_H

#include <cairn/base/vector.h>
#include <cairn/render/font.h>
#include <cairn/render/material.h>

CN_EXTERN_C_BEGIN

#define CN_CANVAS_MAX_SHAPES 65536u /* a letter is one, too */
#define CN_CANVAS_MAX_CLIPS 32u     /* inside of each other */
#define CN_CANVAS_MAX_LAYERS 256u

typedef struct CnCanvas CnCanvas;

typedef struct CnRect {
    float x, y, width, height;
} CnRect;

static inline bool cn_rect_contains(CnRect rect, float x, float y)
{
    return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

/* Smaller by so much on each side, down to nothing. */
CN_API CnRect cn_rect_inset(CnRect rect, float by);
/* What both cover; without width and height if nothing. */
CN_API CnRect cn_rect_intersection(CnRect a, CnRect b);

/* sRGB; alpha is not multiplied in. */
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

/* Between the two; 0 is the first. */
CN_API CnColor cn_color_mix(CnColor from, CnColor to, float share);
CN_API CnColor cn_color_fade(CnColor color, float alpha); /* its alpha, times this */

typedef struct CnCanvasDesc {
    CnAllocator *allocator;
    CnFonts *fonts; /* outlives it */
} CnCanvasDesc;

CN_API CnCanvas *cn_canvas_create(const CnCanvasDesc *desc, CnError *error);
CN_API void cn_canvas_destroy(CnCanvas *canvas);
CN_API CnFonts *cn_canvas_fonts(const CnCanvas *canvas);

/* Forgets what was drawn. Width and height are in points; a scale of 0 means 1. */
CN_API void cn_canvas_begin(CnCanvas *canvas, float width, float height, float scale);
/* Clips and layers are back where they were; guards check the clips. */
CN_API void cn_canvas_end(CnCanvas *canvas);
CN_API CnRect cn_canvas_area(const CnCanvas *canvas);
CN_API float cn_canvas_scale(const CnCanvas *canvas);
/* The nearest place that is a whole pixel. */
CN_API float cn_canvas_snap(const CnCanvas *canvas, float place);

/* Nothing is drawn outside of this rectangle and those pushed before it. */
CN_API void cn_canvas_push_clip(CnCanvas *canvas, CnRect rect);
/* What was pushed before does not count until this is popped: for menus that reach out of their window. */
CN_API void cn_canvas_push_whole(CnCanvas *canvas);
CN_API void cn_canvas_pop_clip(CnCanvas *canvas);
/* What is not clipped now. */
CN_API CnRect cn_canvas_clip(const CnCanvas *canvas);
/* Higher layers lie over lower ones, whenever they are drawn; 0 at first. Returns the one before. */
CN_API uint32_t cn_canvas_set_layer(CnCanvas *canvas, uint32_t layer);

/* ---- Shapes ---- */

typedef enum CnGradient { CN_GRADIENT_NONE, CN_GRADIENT_DOWN, CN_GRADIENT_RIGHT } CnGradient;

typedef struct CnBox {
    CnColor fill;        /* alpha 0: only the border is drawn */
    CnGradient gradient; /* from `fill` to `fill_to` */
    CnColor fill_to;
    float radius; /* of the corners; at most half of the smaller side */
    float border; /* inside of the rectangle */
    CnColor border_color;
    float blur;     /* how wide the edge is, half of it outside: for shadows; 0: one pixel */
    float rotation; /* about the middle, clockwise, in radians */
} CnBox;

CN_API void cn_canvas_fill(CnCanvas *canvas, CnRect rect, CnColor color);
CN_API void cn_canvas_box(CnCanvas *canvas, CnRect rect, const CnBox *box);
/* A width of one pixel is sharp if the line is straight and runs through the middle of pixels. */
CN_API void cn_canvas_line(CnCanvas *canvas, CnVec2 from, CnVec2 to, float width, CnColor color);

typedef struct CnSprite {
    CnTexture texture;
    CnRect part;                         /* of the texture; zeros: all of it */
    float texture_width, texture_height; /* in which `part` counts; 0: it is in shares of 1 */
    CnColor tint;                        /* zeros: white */
    float rotation;
    float radius; /* of the corners */
} CnSprite;
CN_API void cn_canvas_sprite(CnCanvas *canvas, CnRect rect, const CnSprite *sprite);

/* Borders of the part that keep their size, in units of `part`. */
typedef struct CnNineSlice {
    float left, top, right, bottom;
    float scale; /* points for each unit; 0 means 1 */
} CnNineSlice;
/* Corners as they are, edges stretched one way, the middle both ways. */
CN_API void cn_canvas_nine_slice(CnCanvas *canvas, CnRect rect, const CnSprite *sprite,
                                 const CnNineSlice *slice);

/* ---- Text ---- */

#define CN_TEXT_SIZE 14.0f

typedef struct CnTextStyle {
    CnFont font;
    float size; /* in points; 0 means CN_TEXT_SIZE */
    CnColor color;
} CnTextStyle;

typedef enum CnAlign { CN_ALIGN_START, CN_ALIGN_MIDDLE, CN_ALIGN_END } CnAlign;

typedef struct CnTextBox {
    CnAlign across, down;
    bool wrap;     /* lines at blanks; otherwise only at line breaks */
    bool ellipsis; /* lines that are too wide end with … */
} CnTextBox;

/* From x, with y the top of the first line; further lines below it. */
CN_API void cn_canvas_text(CnCanvas *canvas, float x, float y, const CnTextStyle *style,
                           CnText text);
/* In a rectangle; not clipped to it. */
CN_API void cn_canvas_text_in(CnCanvas *canvas, CnRect rect, const CnTextStyle *style,
                              const CnTextBox *box, CnText text);

/* As cn_fonts_ has them, in points and as this canvas draws. */
CN_API float cn_canvas_line_height(const CnCanvas *canvas, const CnTextStyle *style);
CN_API CnVec2 cn_canvas_text_size(const CnCanvas *canvas, const CnTextStyle *style, CnText text,
                                  float wrap_width); /* 0: lines are not wrapped */
CN_API float cn_canvas_text_place(const CnCanvas *canvas, const CnTextStyle *style, CnText text,
                                  size_t byte);
CN_API size_t cn_canvas_text_hit(const CnCanvas *canvas, const CnTextStyle *style, CnText text,
                                 float x);

/* ---- To look at ---- */

typedef struct CnCanvasStats {
    uint32_t shapes;
    uint32_t draws;   /* calls that it takes to draw it */
    uint64_t refused; /* shapes, clips and layers beyond the limits or out of memory, so far */
} CnCanvasStats;
CN_API CnCanvasStats cn_canvas_stats(const CnCanvas *canvas);

CN_EXTERN_C_END

#endif

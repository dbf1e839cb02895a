/* Text on a canvas. */
#include "render/text/canvas_internal.h"

#include <math.h>

static uint32_t pixel_size(const CnCanvas *canvas, const CnTextStyle *style)
{
    float size = (style->size > 0 ? style->size : CN_TEXT_SIZE) * canvas->scale;
    return (uint32_t)fminf(size + 0.5f, (float)CN_FONT_MAX_SIZE);
}

/* Draws one line with its top left on whole pixels. The lock is held. */
static void draw_line(CnCanvas *canvas, int32_t left, int32_t base, const CnTextStyle *style,
                      uint32_t size, CnText text)
{
    CnFonts *fonts = canvas->fonts;
    uint32_t font = cni_render_font_index(fonts, style->font);
    CniRenderPen pen = {0};
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        int32_t x;
        at = cn_utf8_next(text, at, &character);
        CniRenderGlyph *glyph = cni_render_pen_step(fonts, font, size, character, &pen, &x);
        if (x > 65536)
            break;
        /* Only glyphs that may be visible are put into the atlas. */
        float reach = 2 * (float)size;
        if (!glyph || (float)(left + x) + reach + (float)glyph->advance < (float)canvas->clip[0] ||
            (float)(left + x) - reach > (float)canvas->clip[2] ||
            !cni_render_glyph_draw(fonts, glyph, size))
            continue;
        CnRect rect = {(float)(left + x + glyph->left), (float)(base - glyph->top), glyph->width,
                       glyph->height};
        CniRenderCanvasShape *shape = cni_render_canvas_add(canvas, CNI_RENDER_SHAPE_GLYPH, rect);
        if (!shape)
            continue;
        shape->rect = rect;
        shape->glyph.x = glyph->x;
        shape->glyph.y = glyph->y;
        shape->corners[0] = style->color;
    }
}

static bool is_line_seen(const CnCanvas *canvas, float top, float size)
{
    return top < (float)canvas->clip[3] + size && top + 3 * size > (float)canvas->clip[1];
}

/* Draws a line at a position in points. */
static void place_line(CnCanvas *canvas, float x, float y, const CnTextStyle *style, CnText line)
{
    uint32_t size = pixel_size(canvas, style);
    float left = floorf(x * canvas->scale + 0.5f), top = floorf(y * canvas->scale + 0.5f);
    if (!(fabsf(left) < 1e6f && fabsf(top) < 1e6f) || !is_line_seen(canvas, top, (float)size))
        return;
    cni_render_fonts_lock(canvas->fonts);
    CnFontMetrics metrics = cni_render_font_metrics(
        canvas->fonts, cni_render_font_index(canvas->fonts, style->font), size);
    draw_line(canvas, (int32_t)left, (int32_t)(top + metrics.ascent), style, size, line);
    cni_render_fonts_unlock(canvas->fonts);
}

void cn_canvas_text(CnCanvas *canvas, float x, float y, const CnTextStyle *style, CnText text)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    cn_canvas_text_in(canvas, (CnRect){x, y, 0, 0}, style, &(CnTextLayout){0}, text);
}

/* Draws the line with an ellipsis if it is wider than `width` pixels. */
static void draw_cut(CnCanvas *canvas, CnRect rect, const CnTextStyle *style, CnText line)
{
    static const CnText dots = {"\xE2\x80\xA6", 3};
    uint32_t size = pixel_size(canvas, style);
    float room =
        rect.width * canvas->scale - cn_fonts_width(canvas->fonts, style->font, size, dots);
    CnText part = {line.data, cn_fonts_fit(canvas->fonts, style->font, size, line, room)};
    float part_width = cn_canvas_text_x_at_byte(canvas, style, part, part.size);
    place_line(canvas, rect.x, rect.y, style, part);
    place_line(canvas, cn_canvas_snap(canvas, rect.x) + part_width, rect.y, style, dots);
}

static float aligned(CnAlign align, float room, float taken)
{
    return align == CN_ALIGN_START ? 0 : align == CN_ALIGN_END ? room - taken : (room - taken) / 2;
}

void cn_canvas_text_in(CnCanvas *canvas, CnRect rect, const CnTextStyle *style,
                       const CnTextLayout *box, CnText text)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(style, "%s: style is NULL", __func__);
    CN_ASSERT(box, "%s: box is NULL", __func__);
    uint32_t size = pixel_size(canvas, style);
    float line_height = cn_canvas_line_height(canvas, style);
    float wrap = box->wrap ? rect.width : 0;
    float y = rect.y;
    if (box->align_y != CN_ALIGN_START)
        y += aligned(box->align_y, rect.height, cn_canvas_text_size(canvas, style, text, wrap).y);
    CnText line;
    for (; cn_fonts_next_line(canvas->fonts, style->font, size, wrap * canvas->scale, &text, &line);
         y += line_height) {
        bool measured = box->ellipsis || box->align_x != CN_ALIGN_START;
        float width = measured ? cn_canvas_text_x_at_byte(canvas, style, line, line.size) : 0;
        if (box->ellipsis && width > rect.width)
            draw_cut(canvas, (CnRect){rect.x, y, rect.width, line_height}, style, line);
        else
            place_line(canvas, rect.x + aligned(box->align_x, rect.width, width), y, style, line);
    }
}

/* ---- Measuring ---- */

float cn_canvas_line_height(const CnCanvas *canvas, const CnTextStyle *style)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(style, "%s: style is NULL", __func__);
    return cn_fonts_metrics(canvas->fonts, style->font, pixel_size(canvas, style)).line_height /
           canvas->scale;
}

CnVec2 cn_canvas_text_size(const CnCanvas *canvas, const CnTextStyle *style, CnText text,
                           float wrap_width)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(style, "%s: style is NULL", __func__);
    CnVec2 size = {0, 0};
    float line_height = cn_canvas_line_height(canvas, style);
    CnText line;
    while (cn_fonts_next_line(canvas->fonts, style->font, pixel_size(canvas, style),
                              wrap_width * canvas->scale, &text, &line)) {
        size.x = fmaxf(size.x, cn_canvas_text_x_at_byte(canvas, style, line, line.size));
        size.y += line_height;
    }
    return size;
}

float cn_canvas_text_x_at_byte(const CnCanvas *canvas, const CnTextStyle *style, CnText text,
                               size_t byte)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(style, "%s: style is NULL", __func__);
    return cn_fonts_x_at_byte(canvas->fonts, style->font, pixel_size(canvas, style), text, byte) /
           canvas->scale;
}

size_t cn_canvas_text_byte_at_x(const CnCanvas *canvas, const CnTextStyle *style, CnText text,
                                float x)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(style, "%s: style is NULL", __func__);
    return cn_fonts_byte_at_x(canvas->fonts, style->font, pixel_size(canvas, style), text,
                              x * canvas->scale);
}

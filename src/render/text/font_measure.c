/* Text measurement: widths, character positions and lines. */
#include "render/text/font_internal.h"

#include <cairn/base/assert.h>

/* Iterates over the characters of a line; the lock is held. */
typedef struct Walk {
    CnFonts *fonts;
    uint32_t font, size;
    CnText text;
    CniRenderPen pen;
    size_t at;          /* of the next character */
    uint32_t character; /* the last one */
} Walk;

static Walk begin_walk(CnFonts *fonts, CnFont font, uint32_t size, CnText text)
{
    cni_render_fonts_lock(fonts);
    return (Walk){.fonts = fonts,
                  .font = cni_render_font_index(fonts, font),
                  .size = cni_render_font_size(size),
                  .text = text};
}

static bool step(Walk *walk)
{
    if (walk->at >= walk->text.size)
        return false;
    int32_t x;
    walk->at = cn_utf8_next(walk->text, walk->at, &walk->character);
    cni_render_pen_step(walk->fonts, walk->font, walk->size, walk->character, &walk->pen, &x);
    return true;
}

static void end_walk(Walk *walk)
{
    cni_render_fonts_unlock(walk->fonts);
}

float cn_fonts_width(CnFonts *fonts, CnFont font, uint32_t size, CnText text)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    Walk walk = begin_walk(fonts, font, size, text);
    while (step(&walk))
        ;
    end_walk(&walk);
    return (float)walk.pen.x;
}

float cn_fonts_x_at_byte(CnFonts *fonts, CnFont font, uint32_t size, CnText text, size_t byte)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    if (byte < text.size)
        text.size = byte;
    return cn_fonts_width(fonts, font, size, text);
}

size_t cn_fonts_byte_at_x(CnFonts *fonts, CnFont font, uint32_t size, CnText text, float x)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    Walk walk = begin_walk(fonts, font, size, text);
    size_t hit = 0;
    int32_t before = 0;
    while (step(&walk)) {
        if (x < 0.5f * (float)(before + walk.pen.x))
            break;
        hit = walk.at;
        before = walk.pen.x;
    }
    end_walk(&walk);
    return hit;
}

size_t cn_fonts_fit(CnFonts *fonts, CnFont font, uint32_t size, CnText text, float width)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    Walk walk = begin_walk(fonts, font, size, text);
    size_t fit = 0;
    while (step(&walk) && (float)walk.pen.x <= width)
        fit = walk.at;
    end_walk(&walk);
    return fit;
}

/* ---- Lines ---- */

static bool is_blank(uint32_t character)
{
    return character == ' ' || character == '\t';
}

/* Ends the line at `end` and continues at `next`. */
static bool take_line(CnText *rest, CnText *line, size_t end, size_t next)
{
    *line = (CnText){rest->data, end};
    *rest = (CnText){rest->data + next, rest->size - next};
    return true;
}

static size_t after_blanks(CnText text, size_t at)
{
    while (at < text.size && is_blank((unsigned char)text.data[at]))
        at++;
    if (at < text.size && text.data[at] == '\n')
        at++;
    return at;
}

bool cn_fonts_next_line(CnFonts *fonts, CnFont font, uint32_t size, float width, CnText *rest,
                        CnText *line)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    CN_ASSERT(rest, "%s: rest is NULL", __func__);
    if (rest->size == 0)
        return false;
    Walk walk = begin_walk(fonts, font, size, *rest);
    size_t before = 0;   /* of the character */
    size_t word_end = 0; /* end of the last word that fits */
    bool in_word = false, too_wide = false;
    while (!too_wide && step(&walk) && walk.character != '\n') {
        if (is_blank(walk.character)) {
            if (in_word)
                word_end = before;
            in_word = false;
        } else {
            in_word = true;
            too_wide = width > 0 && (float)walk.pen.x > width;
        }
        if (!too_wide)
            before = walk.at;
    }
    end_walk(&walk);
    if (!too_wide)
        return take_line(rest, line, before, walk.at);
    if (word_end > 0)
        return take_line(rest, line, word_end, after_blanks(*rest, word_end));
    /* No whole word fits: take a part of it, at least one character. */
    size_t end = before > 0 ? before : walk.at;
    return take_line(rest, line, end, end);
}

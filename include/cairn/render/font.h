/*
 * Fonts and the atlas of their glyphs.
 *
 *     CnFonts *fonts = cn_fonts_create(NULL, &error); // with DejaVu Sans and Sans Mono
 *     CnFont title;
 *     cn_fonts_load(fonts, files, "assets://title.ttf", &title, &error);
 *     float width = cn_fonts_width(fonts, title, 32, cn_text("Crafty"));
 *
 * Text is UTF-8. Invalid bytes are drawn as U+FFFD, as are characters that neither the font nor its
 * fallbacks (cn_fonts_set_fallback) contain. Glyphs are hinted, aligned to whole pixels and laid
 * out from left to right with kerning. There is no shaping of scripts that join letters or run from
 * right to left.
 *
 * Sizes are whole pixels, clamped to CN_FONT_MIN_SIZE and CN_FONT_MAX_SIZE.
 *
 * The atlas is an 8-bit image in memory that grows up to a limit. When it is full, the least
 * recently used glyphs that no canvas uses are evicted. A glyph that finds no space is not drawn in
 * that frame and is counted; measurements do not change.
 *
 * Any thread may use a CnFonts: canvases are built on one thread and drawn on another.
 */
#ifndef CAIRN_RENDER_FONT_H
#define CAIRN_RENDER_FONT_H

#include <cairn/base/file.h>
#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_FONTS 32u
#define CN_FONT_MIN_SIZE 4u
#define CN_FONT_MAX_SIZE 256u
#define CN_FONTS_MAX_GLYPHS 16384u     /* glyphs in the cache */
#define CN_FONTS_MAX_BYTES (64u << 20) /* per font file */

typedef struct CnFonts CnFonts;

typedef struct CnFont {
    uint32_t id;
} CnFont;
enum { /* CnFont.id of the built-in fonts */
       CN_FONT_SANS,
       CN_FONT_MONO
};

typedef struct CnFontsDesc {
    CnAllocator *allocator;  /* also used for FreeType's memory */
    uint32_t atlas_size;     /* initial size, a power of two; 0 selects 512 */
    uint32_t max_atlas_size; /* 0 selects 2048 */
} CnFontsDesc;

/* Creates the fonts. `desc` may be NULL. */
CN_API CnFonts *cn_fonts_create(const CnFontsDesc *desc, CnError *error);
/* Destroy all canvases created with it first. */
CN_API void cn_fonts_destroy(CnFonts *fonts);

/* Adds a font in a format that FreeType can scale, such as TrueType or OpenType. The bytes are
 * copied; `name` is used in errors. On an error, *font is the sans font. */
CN_API bool cn_fonts_add(CnFonts *fonts, const void *bytes, size_t size, const char *name,
                         CnFont *font, CnError *error);
/* Adds a font from a file, as cn_fonts_add. Files of foreign origin are refused: FreeType would
 * read them in this process. */
CN_API bool cn_fonts_load(CnFonts *fonts, CnFileSystem *files, const char *path, CnFont *font,
                          CnError *error);
/* Sets the font that supplies characters missing from `font`. The default is the sans font. A cycle
 * is an error. */
CN_API bool cn_fonts_set_fallback(CnFonts *fonts, CnFont font, CnFont next, CnError *error);

/* ---- Measuring, in pixels ---- */

typedef struct CnFontMetrics {
    float ascent, descent; /* above and below the baseline, both positive */
    float line_height;
} CnFontMetrics;
/* Returns the metrics of a font at a size. */
CN_API CnFontMetrics cn_fonts_metrics(CnFonts *fonts, CnFont font, uint32_t size);

/* Returns the advance width of one line. Line breaks have no width, a tab has the width of four
 * spaces. */
CN_API float cn_fonts_width(CnFonts *fonts, CnFont font, uint32_t size, CnText text);
/* Returns the x position at which the character at a byte offset begins. */
CN_API float cn_fonts_x_at_byte(CnFonts *fonts, CnFont font, uint32_t size, CnText text,
                                size_t byte);
/* Returns the byte offset of the character boundary nearest to x. */
CN_API size_t cn_fonts_byte_at_x(CnFonts *fonts, CnFont font, uint32_t size, CnText text, float x);
/* Returns how many bytes of whole characters, from the start, fit into this width. */
CN_API size_t cn_fonts_fit(CnFonts *fonts, CnFont font, uint32_t size, CnText text, float width);

/* Splits the next line off the front of *rest: up to a line break, or as many words as fit into
 * `width` (0: no limit), or a part of a word that is too long. Spaces at a wrap belong to no line.
 * Returns false when nothing is left. */
CN_API bool cn_fonts_next_line(CnFonts *fonts, CnFont font, uint32_t size, float width,
                               CnText *rest, CnText *line);

/* ---- Statistics ---- */

typedef struct CnFontsStats {
    uint32_t fonts, glyphs, drawn_glyphs; /* glyphs in the cache; drawn_glyphs: in the atlas */
    uint32_t atlas_size;
    uint64_t rendered; /* total glyphs rendered into the atlas */
    uint64_t evicted;  /* total glyphs evicted from the atlas */
    uint64_t refused;  /* uses of glyphs that were not drawn for lack of space or memory */
} CnFontsStats;
/* Returns the statistics of the fonts and their atlas. */
CN_API CnFontsStats cn_fonts_stats(CnFonts *fonts);

CN_EXTERN_C_END

#endif

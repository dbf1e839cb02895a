/*
 * Fonts, and the atlas of their glyphs.
 *
 *     CnFonts *fonts = cn_fonts_create(NULL, &error);                 // with DejaVu Sans and Sans Mono
 *     CnFont title;
 *     cn_fonts_load(fonts, files, "assets://title.ttf", &title, &error);
 *     float width = cn_fonts_width(fonts, title, 32, cn_text("Crafty"));
 *
 * Text is UTF-8; bytes that are not show as U+FFFD, and so do characters that neither a font nor those behind it
 * (cn_fonts_set_fallback) have. Glyphs are hinted and stand on whole pixels; letters are put one after the
 * other with kerning, from left to right: scripts that join letters or run from the right are not shaped.
 *
 * Sizes are in whole pixels, from CN_FONT_MIN_SIZE to CN_FONT_MAX_SIZE; others are brought there.
 *
 * The atlas is a picture of 8 bits in memory, which grows up to a limit. When it is full, glyphs that no
 * canvas uses any more make room, those that were not used for longest first. A glyph that finds no room is
 * not drawn in that frame, and counted; what is measured stays the same.
 *
 * Every thread may use a CnFonts: canvases are built on one thread and drawn on another.
 */
#ifndef CAIRN_RENDER_FONT_H
#define CAIRN_RENDER_FONT_H

#include <cairn/base/file.h>
#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_FONTS 32u
#define CN_FONT_MIN_SIZE 4u
#define CN_FONT_MAX_SIZE 256u
#define CN_FONTS_MAX_GLYPHS 16384u     /* of which something is remembered */
#define CN_FONTS_MAX_BYTES (64u << 20) /* of one font */

typedef struct CnFonts CnFonts;

typedef struct CnFont {
    uint32_t id;
} CnFont;
enum { /* CnFont.id of those that are always there */
       CN_FONT_SANS,
       CN_FONT_MONO
};

typedef struct CnFontsDesc {
    CnAllocator *allocator;  /* FreeType's memory, too */
    uint32_t atlas_size;     /* at first; 0 means 512. Powers of two */
    uint32_t max_atlas_size; /* 0 means 2048 */
} CnFontsDesc;

/* `desc` may be NULL. */
CN_API CnFonts *cn_fonts_create(const CnFontsDesc *desc, CnError *error);
/* After the canvases that were made with it, and when nobody draws one. */
CN_API void cn_fonts_destroy(CnFonts *fonts);

/* A font of one's own: TrueType, OpenType and what else FreeType scales. The bytes are copied; `name` is for
 * errors. On an error *font is the sans font. */
CN_API bool cn_fonts_add(CnFonts *fonts, const void *bytes, size_t size, const char *name,
                         CnFont *font, CnError *error);
CN_API bool cn_fonts_load(CnFonts *fonts, CnFileSystem *files, const char *path, CnFont *font,
                          CnError *error);
/* Where characters are looked for that `font` does not have. At first that is the sans font. A circle is an error. */
CN_API bool cn_fonts_set_fallback(CnFonts *fonts, CnFont font, CnFont next, CnError *error);

/* ---- Measuring, in pixels ---- */

typedef struct CnFontMetrics {
    float ascent, descent; /* above and below the base line, both positive */
    float line_height;
} CnFontMetrics;
CN_API CnFontMetrics cn_fonts_metrics(CnFonts *fonts, CnFont font, uint32_t size);

/* Of one line, to the place of the next character. Line breaks are nothing, a tab is four spaces. */
CN_API float cn_fonts_width(CnFonts *fonts, CnFont font, uint32_t size, CnText text);
/* Where the character at a byte begins. */
CN_API float cn_fonts_place(CnFonts *fonts, CnFont font, uint32_t size, CnText text, size_t byte);
/* The border between characters that is nearest to x, as a byte. */
CN_API size_t cn_fonts_hit(CnFonts *fonts, CnFont font, uint32_t size, CnText text, float x);
/* How many bytes from the start, whole characters, fit into this width. */
CN_API size_t cn_fonts_fit(CnFonts *fonts, CnFont font, uint32_t size, CnText text, float width);

/* Takes the next line off the front of *rest: to a line break, or so many words as fit into `width` (0: no
 * limit), of a word that is too long a part. Blanks where a line is broken belong to none. False when nothing is left. */
CN_API bool cn_fonts_next_line(CnFonts *fonts, CnFont font, uint32_t size, float width,
                               CnText *rest, CnText *line);

/* ---- To look at ---- */

typedef struct CnFontsStats {
    uint32_t fonts, glyphs, drawn_glyphs; /* glyphs that are remembered, those in the atlas */
    uint32_t atlas_size;
    uint64_t rendered; /* glyphs put into the atlas, so far */
    uint64_t evicted;  /* thrown out of it */
    uint64_t refused;  /* uses of a glyph that was not drawn for lack of room or memory */
} CnFontsStats;
CN_API CnFontsStats cn_fonts_stats(CnFonts *fonts);

CN_EXTERN_C_END

#endif

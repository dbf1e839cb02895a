/* Declarations shared by the font files. These functions are called with the lock held. */
#ifndef CAIRN_SRC_RENDER_TEXT_FONT_INTERNAL_H
#define CAIRN_SRC_RENDER_TEXT_FONT_INTERNAL_H

#include <cairn/render/font.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_OUTLINE_H

#include <pthread.h>

#define CNI_ATLAS_MAX_SIZE 8192u
#define CNI_ATLAS_MAX_SHELVES 512u
#define CNI_ATLAS_CHANGES 64u
#define CNI_KERNING_CACHE 1024u
#define CNI_GLYPH_MAX_PIXELS 1024 /* in each direction; larger glyphs are not drawn */

typedef struct CniFace {
    FT_Face face;
    uint8_t *bytes; /* NULL: built into the library */
    size_t byte_count;
    uint32_t fallback; /* its own index: none */
    uint32_t size;     /* current size in FreeType */
} CniFace;

/* A character of a font at a size. */
typedef struct CniGlyph {
    uint32_t face, index;            /* that contain the glyph */
    int32_t advance;                 /* in pixels */
    int16_t left_delta, right_delta; /* from hinting, in 64ths of a pixel */
    int16_t left, top;               /* of its bitmap, from the pen and up from the baseline */
    uint16_t x, y, width, height;    /* of its bitmap in the atlas */
    uint16_t shelf;                  /* + 1; 0: not in the atlas */
    bool is_blank;                   /* nothing to draw, or too large */
} CniGlyph;

/* A row of glyphs in the atlas. The shelves cover it from the top to atlas_rows. */
typedef struct CniShelf {
    uint32_t y, height;
    uint32_t used_width;
    uint64_t stamp; /* when one of its glyphs was last used */
} CniShelf;

typedef struct CniAtlasChange {
    uint32_t x, y, width, height;
} CniAtlasChange;

/* Part of every canvas: which glyphs it may still be drawn with. */
typedef struct CniFontUser {
    struct CniFontUser *next, *previous;
    uint64_t stamp; /* glyphs used since then are kept; UINT64_MAX: none */
} CniFontUser;

typedef struct CniKerning {
    uint64_t key; /* 0: empty */
    int32_t units;
} CniKerning;

struct CnFonts {
    CnAllocator *allocator;
    pthread_mutex_t lock;
    struct FT_MemoryRec_ memory;
    FT_Library library;
    CniFace faces[CN_MAX_FONTS];
    uint32_t face_count;

    CnHashMap glyphs; /* CniGlyph by font, size and character */
    CniGlyph unkept;  /* a glyph for which the table had no space */
    CniKerning kerning[CNI_KERNING_CACHE];

    uint8_t *pixels;
    uint32_t atlas_size, max_atlas_size;
    uint32_t atlas_rows; /* covered by shelves */
    CniShelf shelves[CNI_ATLAS_MAX_SHELVES];
    uint32_t shelf_count;
    CniAtlasChange changes[CNI_ATLAS_CHANGES]; /* the most recent ones, as a ring */
    uint64_t change_count;

    CniFontUser *users;
    uint64_t stamp; /* counts calls of cn_canvas_begin */
    uint64_t rendered, evicted, refused;
};

/* ---- font.c ---- */

/* Returns the sans font for an invalid number. */
uint32_t cni_font_index(const CnFonts *fonts, CnFont font);
uint32_t cni_font_size(uint32_t size);
CnFontMetrics cni_font_metrics(const CnFonts *fonts, uint32_t face, uint32_t size);
bool cni_face_set_size(CniFace *face, uint32_t size);

/* ---- font_glyph.c ---- */

/* Layout state between two characters. */
typedef struct CniPen {
    int32_t x;
    uint32_t face, index; /* of the last glyph; index 0: none */
    int32_t right_delta;
} CniPen;

/* Advances past a character. *x receives the kerned position of the glyph. The returned glyph
 * (NULL: nothing to draw) is valid until the next call and may not be in the atlas. */
CniGlyph *cni_pen_step(CnFonts *fonts, uint32_t font, uint32_t size, uint32_t character,
                       CniPen *pen, int32_t *x);
/* Draws the glyph into the atlas if it is not there yet. Returns false if it cannot be drawn. */
bool cni_glyph_draw(CnFonts *fonts, CniGlyph *glyph, uint32_t size);
/* Returns whether a character is not drawn and has no width. */
bool cni_is_invisible(uint32_t character);

/* ---- font_atlas.c ---- */

bool cni_atlas_init(CnFonts *fonts);
void cni_atlas_fini(CnFonts *fonts);
/* Finds space for the bitmap of a glyph, evicting others if necessary; returns false if there is
 * none. */
bool cni_atlas_place(CnFonts *fonts, CniGlyph *glyph);
void cni_atlas_write(CnFonts *fonts, const CniGlyph *glyph, const FT_Bitmap *bitmap);
/* Drops glyphs without a bitmap; if there are none, evicts the oldest bitmaps first. */
void cni_glyphs_trim(CnFonts *fonts);

/* ---- For canvases and the UI feature: these functions take the lock ---- */

void cni_fonts_lock(CnFonts *fonts);
void cni_fonts_unlock(CnFonts *fonts);
void cni_fonts_join(CnFonts *fonts, CniFontUser *user);
void cni_fonts_leave(CnFonts *fonts, CniFontUser *user);
/* Releases the glyphs of the user, which starts new contents. */
void cni_fonts_begin(CnFonts *fonts, CniFontUser *user);

/* Copies the changes of the atlas since change *seen (UINT64_MAX: everything). Calls `copy` for
 * each rectangle with its first pixel and the bytes per row; a result of false ends the copy.
 * Advances *seen past what was copied. Returns false without copying if the size of the atlas
 * differs from the caller's. */
typedef bool (*CniAtlasCopy)(const CniAtlasChange *change, const uint8_t *pixels,
                             uint32_t row_bytes, void *user);
uint32_t cni_fonts_atlas_size(CnFonts *fonts);
bool cni_fonts_copy_changes(CnFonts *fonts, uint32_t size, uint64_t *seen, CniAtlasCopy copy,
                            void *user);

#endif

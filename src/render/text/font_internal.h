/* Declarations shared by the font files. These functions are called with the lock held. */
#ifndef CAIRN_SRC_RENDER_TEXT_FONT_INTERNAL_H
#define CAIRN_SRC_RENDER_TEXT_FONT_INTERNAL_H

#include <cairn/render/font.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_OUTLINE_H

#include <pthread.h>

#define CNI_RENDER_ATLAS_MAX_SIZE 8192u
#define CNI_RENDER_ATLAS_MAX_SHELVES 512u
#define CNI_RENDER_ATLAS_CHANGES 64u
#define CNI_RENDER_KERNING_CACHE 1024u
#define CNI_RENDER_GLYPH_MAX_PIXELS 1024 /* in each direction; larger glyphs are not drawn */

typedef struct CniRenderFontFace {
    FT_Face face;
    uint8_t *bytes; /* NULL: built into the library */
    size_t byte_count;
    uint32_t fallback; /* its own index: none */
    uint32_t size;     /* current size in FreeType */
} CniRenderFontFace;

/* A character of a font at a size. */
typedef struct CniRenderGlyph {
    uint32_t face, index;            /* that contain the glyph */
    int32_t advance;                 /* in pixels */
    int16_t left_delta, right_delta; /* from hinting, in 64ths of a pixel */
    int16_t left, top;               /* of its bitmap, from the pen and up from the baseline */
    uint16_t x, y, width, height;    /* of its bitmap in the atlas */
    uint16_t shelf;                  /* + 1; 0: not in the atlas */
    bool is_blank;                   /* nothing to draw, or too large */
} CniRenderGlyph;

/* A row of glyphs in the atlas. The shelves cover it from the top to atlas_rows. */
typedef struct CniRenderShelf {
    uint32_t y, height;
    uint32_t used_width;
    uint64_t stamp; /* when one of its glyphs was last used */
} CniRenderShelf;

typedef struct CniRenderAtlasChange {
    uint32_t x, y, width, height;
} CniRenderAtlasChange;

/* Part of every canvas: which glyphs it may still be drawn with. */
typedef struct CniRenderFontUser {
    struct CniRenderFontUser *next, *previous;
    uint64_t stamp; /* glyphs used since then are kept; UINT64_MAX: none */
} CniRenderFontUser;

typedef struct CniRenderKerning {
    uint64_t key; /* 0: empty */
    int32_t units;
} CniRenderKerning;

struct CnFonts {
    CnAllocator *allocator;
    pthread_mutex_t lock;
    struct FT_MemoryRec_ memory;
    FT_Library library;
    CniRenderFontFace faces[CN_MAX_FONTS];
    uint32_t face_count;

    CnHashMap glyphs;      /* CniRenderGlyph by font, size and character */
    CniRenderGlyph unkept; /* a glyph for which the table had no space */
    CniRenderKerning kerning[CNI_RENDER_KERNING_CACHE];

    uint8_t *pixels;
    uint32_t atlas_size, max_atlas_size;
    uint32_t atlas_rows; /* covered by shelves */
    CniRenderShelf shelves[CNI_RENDER_ATLAS_MAX_SHELVES];
    uint32_t shelf_count;
    CniRenderAtlasChange changes[CNI_RENDER_ATLAS_CHANGES]; /* the most recent ones, as a ring */
    uint64_t change_count;

    CniRenderFontUser *users;
    uint64_t stamp; /* counts calls of cn_canvas_begin */
    uint64_t rendered, evicted, refused;
};

/* ---- font.c ---- */

/* Returns the sans font for an invalid number. */
uint32_t cni_render_font_index(const CnFonts *fonts, CnFont font);
uint32_t cni_render_font_size(uint32_t size);
CnFontMetrics cni_render_font_metrics(const CnFonts *fonts, uint32_t face, uint32_t size);
bool cni_render_font_face_set_size(CniRenderFontFace *face, uint32_t size);

/* ---- font_glyph.c ---- */

/* Layout state between two characters. */
typedef struct CniRenderPen {
    int32_t x;
    uint32_t face, index; /* of the last glyph; index 0: none */
    int32_t right_delta;
} CniRenderPen;

/* Advances past a character. *x receives the kerned position of the glyph. The returned glyph
 * (NULL: nothing to draw) is valid until the next call and may not be in the atlas. */
CniRenderGlyph *cni_render_pen_step(CnFonts *fonts, uint32_t font, uint32_t size,
                                    uint32_t character, CniRenderPen *pen, int32_t *x);
/* Draws the glyph into the atlas if it is not there yet. Returns false if it cannot be drawn. */
bool cni_render_glyph_draw(CnFonts *fonts, CniRenderGlyph *glyph, uint32_t size);
/* Returns whether a character is not drawn and has no width. */
bool cni_render_is_invisible(uint32_t character);

/* ---- font_atlas.c ---- */

bool cni_render_atlas_init(CnFonts *fonts);
void cni_render_atlas_fini(CnFonts *fonts);
/* Finds space for the bitmap of a glyph, evicting others if necessary; returns false if there is
 * none. */
bool cni_render_atlas_place(CnFonts *fonts, CniRenderGlyph *glyph);
void cni_render_atlas_write(CnFonts *fonts, const CniRenderGlyph *glyph, const FT_Bitmap *bitmap);
/* Drops glyphs without a bitmap; if there are none, evicts the oldest bitmaps first. */
void cni_render_glyphs_trim(CnFonts *fonts);

/* ---- For canvases and the UI feature: these functions take the lock ---- */

void cni_render_fonts_lock(CnFonts *fonts);
void cni_render_fonts_unlock(CnFonts *fonts);
void cni_render_fonts_join(CnFonts *fonts, CniRenderFontUser *user);
void cni_render_fonts_leave(CnFonts *fonts, CniRenderFontUser *user);
/* Releases the glyphs of the user, which starts new contents. */
void cni_render_fonts_begin(CnFonts *fonts, CniRenderFontUser *user);

/* Copies the changes of the atlas since change *seen (UINT64_MAX: everything). Calls `copy` for
 * each rectangle with its first pixel and the bytes per row; a result of false ends the copy.
 * Advances *seen past what was copied. Returns false without copying if the size of the atlas
 * differs from the caller's. */
typedef bool (*CniRenderAtlasCopy)(const CniRenderAtlasChange *change, const uint8_t *pixels,
                                   uint32_t row_bytes, void *user);
uint32_t cni_render_fonts_atlas_size(CnFonts *fonts);
bool cni_render_fonts_copy_changes(CnFonts *fonts, uint32_t size, uint64_t *seen,
                                   CniRenderAtlasCopy copy, void *user);

#endif

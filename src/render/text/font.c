/* Fonts: FreeType's library and faces, fallback fonts, metrics. */
#include "render/text/font_internal.h"
#include "render/text/font_embedded.h"

#include <cairn/base/assert.h>

#include <math.h>
#include <string.h>

/* ---- FreeType's memory: a header in front of each block holds its size ---- */

typedef union BlockHead {
    size_t bytes;
    max_align_t aligned;
} BlockHead;

static void *library_alloc(FT_Memory memory, long size)
{
    size_t bytes = (size_t)size + sizeof(BlockHead);
    BlockHead *head = cn_alloc(memory->user, bytes);
    if (!head)
        return NULL;
    head->bytes = bytes;
    return head + 1;
}

static void library_free(FT_Memory memory, void *block)
{
    if (!block)
        return;
    BlockHead *head = (BlockHead *)block - 1;
    cn_free(memory->user, head, head->bytes);
}

static void *library_resize(FT_Memory memory, long old_size, long new_size, void *block)
{
    (void)old_size;
    if (!block)
        return library_alloc(memory, new_size);
    BlockHead *head = (BlockHead *)block - 1;
    size_t bytes = (size_t)new_size + sizeof(BlockHead);
    head = cn_realloc(memory->user, head, head->bytes, bytes);
    if (!head)
        return NULL;
    head->bytes = bytes;
    return head + 1;
}

/* ---- Faces ---- */

uint32_t cni_render_font_index(const CnFonts *fonts, CnFont font)
{
    CN_ASSERT(font.id < fonts->face_count, "font %u does not exist; there are %u fonts", font.id,
              fonts->face_count);
    return font.id < fonts->face_count ? font.id : CN_FONT_SANS;
}

uint32_t cni_render_font_size(uint32_t size)
{
    return size < CN_FONT_MIN_SIZE   ? CN_FONT_MIN_SIZE
           : size > CN_FONT_MAX_SIZE ? CN_FONT_MAX_SIZE
                                     : size;
}

bool cni_render_font_face_set_size(CniRenderFontFace *face, uint32_t size)
{
    if (face->size == size)
        return true;
    face->size = FT_Set_Pixel_Sizes(face->face, 0, size) == 0 ? size : 0;
    return face->size == size;
}

/* `owned` bytes are freed with the face, or here on failure. */
static bool open_face(CnFonts *fonts, const uint8_t *bytes, size_t size, uint8_t *owned,
                      const char *name, CnError *error)
{
    if (fonts->face_count == CN_MAX_FONTS)
        return cn_error_set(error, CN_ERROR_LIMIT, "font '%s': the limit of %u fonts is reached",
                            name, CN_MAX_FONTS);
    CniRenderFontFace *face = &fonts->faces[fonts->face_count];
    *face = (CniRenderFontFace){.bytes = owned, .byte_count = size, .fallback = CN_FONT_SANS};
    FT_Error code = FT_New_Memory_Face(fonts->library, bytes, (FT_Long)size, 0, &face->face);
    if (code == FT_Err_Out_Of_Memory)
        return cn_error_memory(error, "font '%s'", name);
    if (code)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "font '%s': FreeType cannot read it (error 0x%02x)", name,
                            (unsigned)code);
    if (!FT_IS_SCALABLE(face->face) || face->face->units_per_EM == 0) {
        FT_Done_Face(face->face);
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "font '%s': has no outlines", name);
    }
    fonts->face_count++;
    return true;
}

static bool add_font(CnFonts *fonts, const void *bytes, size_t size, const char *name, CnFont *font,
                     CnError *error)
{
    if (size == 0 || size > CN_FONTS_MAX_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT, "font '%s': %zu bytes are %s", name, size,
                            size ? "too many" : "no font");
    uint8_t *copy = cn_alloc(fonts->allocator, size);
    if (!copy)
        return cn_error_memory(error, "font '%s'", name);
    memcpy(copy, bytes, size);
    cni_render_fonts_lock(fonts);
    bool ok = open_face(fonts, copy, size, copy, name, error);
    if (ok)
        font->id = fonts->face_count - 1;
    cni_render_fonts_unlock(fonts);
    if (!ok)
        cn_free(fonts->allocator, copy, size);
    return ok;
}

bool cn_fonts_add(CnFonts *fonts, const void *bytes, size_t size, const char *name, CnFont *font,
                  CnError *error)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    CN_ASSERT(font, "%s: font is NULL", __func__);
    font->id = CN_FONT_SANS;
    return add_font(fonts, bytes, size, name, font, error);
}

bool cn_fonts_load(CnFonts *fonts, CnFileSystem *files, const char *path, CnFont *font,
                   CnError *error)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    CN_ASSERT(font, "%s: font is NULL", __func__);
    font->id = CN_FONT_SANS;
    CnFileBytes bytes;
    if (!cn_file_read_all(files, path, fonts->allocator, &bytes, error))
        return false;
    bool ok = bytes.budget->origin == CN_ORIGIN_FOREIGN
                  ? cn_error_set_at(error, CN_ERROR_PERMISSION, path, 0, 0,
                                    "fonts of foreign origin are not loaded; a font must come from "
                                    "a mount of another origin")
                  : add_font(fonts, bytes.data, bytes.size, path, font, error);
    cn_file_bytes_free(&bytes);
    return ok;
}

bool cn_fonts_set_fallback(CnFonts *fonts, CnFont font, CnFont next, CnError *error)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    cni_render_fonts_lock(fonts);
    uint32_t from = cni_render_font_index(fonts, font), to = cni_render_font_index(fonts, next);
    bool circle = from == to;
    for (uint32_t i = to; !circle && fonts->faces[i].fallback != i; i = fonts->faces[i].fallback)
        circle = fonts->faces[i].fallback == from;
    if (!circle) {
        fonts->faces[from].fallback = to;
        /* Characters found in other fonts may now be found here. Glyphs in use by canvases stay in
         * the atlas. */
        cn_hash_map_clear(&fonts->glyphs);
    }
    cni_render_fonts_unlock(fonts);
    return !circle ||
           cn_error_set(error, CN_ERROR_CYCLE,
                        "font %u cannot be a fallback of font %u: this would form a cycle", next.id,
                        font.id);
}

/* ---- Fonts ---- */

static bool init_fonts(CnFonts *fonts, CnError *error)
{
    fonts->memory = (struct FT_MemoryRec_){.user = fonts->allocator,
                                           .alloc = library_alloc,
                                           .free = library_free,
                                           .realloc = library_resize};
    if (FT_New_Library(&fonts->memory, &fonts->library))
        return cn_error_memory(error, "fonts");
    FT_Add_Default_Modules(fonts->library);
    if (!cni_render_atlas_init(fonts))
        return cn_error_memory(error, "the font atlas");
    return open_face(fonts, cni_render_font_sans,
                     (size_t)(cni_render_font_sans_end - cni_render_font_sans), NULL, "DejaVu Sans",
                     error) &&
           open_face(fonts, cni_render_font_mono,
                     (size_t)(cni_render_font_mono_end - cni_render_font_mono), NULL,
                     "DejaVu Sans Mono", error);
}

static uint32_t atlas_side(uint32_t wanted, uint32_t usual)
{
    uint32_t size = 64;
    while (size < (wanted ? wanted : usual) && size < CNI_RENDER_ATLAS_MAX_SIZE)
        size *= 2;
    return size;
}

CnFonts *cn_fonts_create(const CnFontsDesc *desc, CnError *error)
{
    CnFontsDesc none = {0};
    desc = desc ? desc : &none;
    CnFonts *fonts = cn_alloc_zeroed(desc->allocator, sizeof *fonts);
    if (!fonts) {
        cn_error_memory(error, "fonts");
        return NULL;
    }
    fonts->allocator = desc->allocator;
    fonts->atlas_size = atlas_side(desc->atlas_size, 512);
    fonts->max_atlas_size = atlas_side(desc->max_atlas_size, 2048);
    if (fonts->max_atlas_size < fonts->atlas_size)
        fonts->max_atlas_size = fonts->atlas_size;
    pthread_mutex_init(&fonts->lock, NULL);
    cn_hash_map_init(&fonts->glyphs, desc->allocator, sizeof(CniRenderGlyph));
    if (!init_fonts(fonts, error)) {
        cn_fonts_destroy(fonts);
        return NULL;
    }
    return fonts;
}

void cn_fonts_destroy(CnFonts *fonts)
{
    if (!fonts)
        return;
    CN_ASSERT(!fonts->users, "fonts must not be destroyed before the canvases that use them");
    for (uint32_t i = 0; i < fonts->face_count; i++) {
        FT_Done_Face(fonts->faces[i].face);
        cn_free(fonts->allocator, fonts->faces[i].bytes,
                fonts->faces[i].bytes ? fonts->faces[i].byte_count : 0);
    }
    if (fonts->library)
        FT_Done_Library(fonts->library);
    cni_render_atlas_fini(fonts);
    cn_hash_map_fini(&fonts->glyphs);
    pthread_mutex_destroy(&fonts->lock);
    cn_free(fonts->allocator, fonts, sizeof *fonts);
}

/* ---- Metrics ---- */

static float scaled(const CniRenderFontFace *face, int32_t units, uint32_t size)
{
    float pixels = (float)units * (float)size / (float)face->face->units_per_EM;
    float most = 4.0f * (float)size;
    return pixels < 0 ? 0 : pixels > most ? most : pixels;
}

CnFontMetrics cni_render_font_metrics(const CnFonts *fonts, uint32_t face_index, uint32_t size)
{
    const CniRenderFontFace *face = &fonts->faces[face_index];
    CnFontMetrics metrics = {.ascent = roundf(scaled(face, face->face->ascender, size)),
                             .descent = roundf(scaled(face, -face->face->descender, size)),
                             .line_height = roundf(scaled(face, face->face->height, size))};
    if (metrics.line_height < 1)
        metrics.line_height = (float)size;
    return metrics;
}

CnFontMetrics cn_fonts_metrics(CnFonts *fonts, CnFont font, uint32_t size)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    cni_render_fonts_lock(fonts);
    CnFontMetrics metrics = cni_render_font_metrics(fonts, cni_render_font_index(fonts, font),
                                                    cni_render_font_size(size));
    cni_render_fonts_unlock(fonts);
    return metrics;
}

CnFontsStats cn_fonts_stats(CnFonts *fonts)
{
    CN_ASSERT(fonts, "%s: fonts is NULL", __func__);
    cni_render_fonts_lock(fonts);
    CnFontsStats stats = {.fonts = fonts->face_count,
                          .glyphs = fonts->glyphs.count,
                          .atlas_size = fonts->atlas_size,
                          .rendered = fonts->rendered,
                          .evicted = fonts->evicted,
                          .refused = fonts->refused};
    for (uint32_t i = 0; i < fonts->glyphs.count; i++)
        stats.drawn_glyphs += ((CniRenderGlyph *)cn_hash_map_value(&fonts->glyphs, i))->shelf != 0;
    cni_render_fonts_unlock(fonts);
    return stats;
}

/* ---- Users ---- */

void cni_render_fonts_lock(CnFonts *fonts)
{
    pthread_mutex_lock(&fonts->lock);
}

void cni_render_fonts_unlock(CnFonts *fonts)
{
    pthread_mutex_unlock(&fonts->lock);
}

void cni_render_fonts_join(CnFonts *fonts, CniRenderFontUser *user)
{
    cni_render_fonts_lock(fonts);
    *user = (CniRenderFontUser){.next = fonts->users, .stamp = UINT64_MAX};
    if (fonts->users)
        fonts->users->previous = user;
    fonts->users = user;
    cni_render_fonts_unlock(fonts);
}

void cni_render_fonts_leave(CnFonts *fonts, CniRenderFontUser *user)
{
    cni_render_fonts_lock(fonts);
    if (user->next)
        user->next->previous = user->previous;
    if (user->previous)
        user->previous->next = user->next;
    else
        fonts->users = user->next;
    cni_render_fonts_unlock(fonts);
}

void cni_render_fonts_begin(CnFonts *fonts, CniRenderFontUser *user)
{
    cni_render_fonts_lock(fonts);
    user->stamp = ++fonts->stamp;
    cni_render_fonts_unlock(fonts);
}

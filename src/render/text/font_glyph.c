/* Glyphs: font fallback, advance widths, rendering and kerning. */
#include "render/text/font_internal.h"

/*
 * The auto-hinter in both directions: stems and advances are on whole pixels. It does not run the
 * bytecode of a font, which is untrusted.
 */
#define LOAD_FLAGS (FT_LOAD_FORCE_AUTOHINT | FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_NORMAL)

bool cni_render_is_invisible(uint32_t character)
{
    return character == '\n' || character == '\r' || (character >= 0x200B && character <= 0x200F) ||
           (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2060 && character <= 0x2064) ||
           (character >= 0xFE00 && character <= 0xFE0F) || character == 0xFEFF;
}

static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character < 0xA0);
}

/* Finds the first font of the fallback chain that has the character. */
static bool find_in_chain(const CnFonts *fonts, uint32_t font, uint32_t character,
                          CniRenderGlyph *glyph)
{
    for (uint32_t i = font, steps = 0; steps < CN_MAX_FONTS;
         i = fonts->faces[i].fallback, steps++) {
        FT_UInt index = FT_Get_Char_Index(fonts->faces[i].face, character);
        if (index) {
            glyph->face = i;
            glyph->index = index;
            return true;
        }
        if (fonts->faces[i].fallback == i)
            return false;
    }
    return false;
}

static bool load(CniRenderFontFace *face, uint32_t index, uint32_t size)
{
    return cni_render_font_face_set_size(face, size) &&
           FT_Load_Glyph(face->face, index, LOAD_FLAGS) == 0 &&
           face->face->glyph->format == FT_GLYPH_FORMAT_OUTLINE;
}

static CniRenderGlyph make_glyph(CnFonts *fonts, uint32_t font, uint32_t size, uint32_t character)
{
    CniRenderGlyph glyph = {.face = font};
    if (is_control(character) || !find_in_chain(fonts, font, character, &glyph))
        find_in_chain(fonts, font, CN_UTF8_REPLACEMENT, &glyph);
    CniRenderFontFace *face = &fonts->faces[glyph.face];
    if (!load(face, glyph.index, size)) {
        glyph.is_blank = true;
        glyph.advance = (int32_t)size / 2;
        return glyph;
    }
    long advance = (face->face->glyph->advance.x + 32) >> 6, most = 4 * (long)size;
    glyph.advance = (int32_t)(advance < 0 ? 0 : advance > most ? most : advance);
    glyph.left_delta = (int16_t)face->face->glyph->lsb_delta;
    glyph.right_delta = (int16_t)face->face->glyph->rsb_delta;
    glyph.is_blank = face->face->glyph->outline.n_points == 0;
    return glyph;
}

static CniRenderGlyph *get_glyph(CnFonts *fonts, uint32_t font, uint32_t size, uint32_t character)
{
    uint64_t key = (uint64_t)font << 48 | (uint64_t)size << 32 | character;
    CniRenderGlyph *glyph = cn_hash_map_get(&fonts->glyphs, key);
    if (CN_LIKELY(glyph != NULL))
        return glyph;
    CniRenderGlyph made = make_glyph(fonts, font, size, character);
    if (fonts->glyphs.count >= CN_FONTS_MAX_GLYPHS)
        cni_render_glyphs_trim(fonts);
    if (fonts->glyphs.count < CN_FONTS_MAX_GLYPHS)
        glyph = cn_hash_map_set(&fonts->glyphs, key, &made);
    if (glyph)
        return glyph;
    fonts->unkept = made;
    return &fonts->unkept;
}

/* In font units. */
static int32_t kerning_units(CnFonts *fonts, uint32_t face, uint32_t left, uint32_t right)
{
    uint64_t key =
        (uint64_t)(face + 1) << 48 | (uint64_t)(left & 0xFFFFFFu) << 24 | (right & 0xFFFFFFu);
    CniRenderKerning *kept = &fonts->kerning[cn_hash_mix(key) % CNI_RENDER_KERNING_CACHE];
    if (kept->key != key) {
        FT_Vector delta = {0};
        FT_Get_Kerning(fonts->faces[face].face, left, right, FT_KERNING_UNSCALED, &delta);
        *kept = (CniRenderKerning){.key = key, .units = (int32_t)delta.x};
    }
    return kept->units;
}

/* Returns the spacing between the previous glyph and this one, in whole pixels: kerning, and the
 * shift of their edges by hinting (FreeType's FT_GlyphSlotRec.lsb_delta). Glyphs of monospaced
 * fonts stay on their grid. */
static int32_t spacing(CnFonts *fonts, uint32_t size, const CniRenderPen *pen,
                       const CniRenderGlyph *glyph)
{
    const FT_Face face = fonts->faces[glyph->face].face;
    if (!pen->index || pen->face != glyph->face || FT_IS_FIXED_WIDTH(face))
        return 0;
    int64_t moved = glyph->left_delta - pen->right_delta;
    if (FT_HAS_KERNING(face))
        moved += (int64_t)kerning_units(fonts, glyph->face, pen->index, glyph->index) * size * 64 /
                 face->units_per_EM;
    int64_t pixels = (moved + 32) >> 6, most = (int64_t)size;
    return (int32_t)(pixels < -most ? -most : pixels > most ? most : pixels);
}

CniRenderGlyph *cni_render_pen_step(CnFonts *fonts, uint32_t font, uint32_t size,
                                    uint32_t character, CniRenderPen *pen, int32_t *x)
{
    *x = pen->x;
    if (character == '\t') {
        pen->x += 4 * get_glyph(fonts, font, size, ' ')->advance;
        pen->index = 0;
        return NULL;
    }
    if (cni_render_is_invisible(character))
        return NULL;
    CniRenderGlyph *glyph = get_glyph(fonts, font, size, character);
    *x += spacing(fonts, size, pen, glyph);
    *pen = (CniRenderPen){.x = *x + glyph->advance,
                          .face = glyph->face,
                          .index = glyph->index,
                          .right_delta = glyph->right_delta};
    return glyph->is_blank ? NULL : glyph;
}

/* The size is checked first: bitmaps that are too large are never rendered. */
static bool render(CnFonts *fonts, CniRenderGlyph *glyph, uint32_t size)
{
    CniRenderFontFace *face = &fonts->faces[glyph->face];
    if (!load(face, glyph->index, size))
        return false;
    FT_GlyphSlot slot = face->face->glyph;
    FT_BBox box;
    FT_Outline_Get_CBox(&slot->outline, &box);
    if (box.xMax - box.xMin > CNI_RENDER_GLYPH_MAX_PIXELS * 64 ||
        box.yMax - box.yMin > CNI_RENDER_GLYPH_MAX_PIXELS * 64 ||
        box.xMin < -CNI_RENDER_GLYPH_MAX_PIXELS * 64 ||
        box.xMax > CNI_RENDER_GLYPH_MAX_PIXELS * 64 ||
        box.yMin < -CNI_RENDER_GLYPH_MAX_PIXELS * 64 ||
        box.yMax > CNI_RENDER_GLYPH_MAX_PIXELS * 64) {
        glyph->is_blank = true;
        return false;
    }
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) ||
        slot->bitmap.pixel_mode != FT_PIXEL_MODE_GRAY)
        return false;
    glyph->left = (int16_t)slot->bitmap_left;
    glyph->top = (int16_t)slot->bitmap_top;
    glyph->width = (uint16_t)slot->bitmap.width;
    glyph->height = (uint16_t)slot->bitmap.rows;
    glyph->is_blank = glyph->width == 0 || glyph->height == 0;
    return !glyph->is_blank;
}

bool cni_render_glyph_draw(CnFonts *fonts, CniRenderGlyph *glyph, uint32_t size)
{
    if (CN_LIKELY(glyph->shelf != 0)) {
        fonts->shelves[glyph->shelf - 1].stamp = fonts->stamp;
        return true;
    }
    if (glyph == &fonts->unkept || !render(fonts, glyph, size) ||
        !cni_render_atlas_place(fonts, glyph)) {
        fonts->refused++;
        return false;
    }
    cni_render_atlas_write(fonts, glyph, &fonts->faces[glyph->face].face->glyph->bitmap);
    fonts->shelves[glyph->shelf - 1].stamp = fonts->stamp;
    fonts->rendered++;
    return true;
}

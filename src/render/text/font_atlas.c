/*
 * The atlas: shelves of glyphs. When it is full, whole shelves are evicted, the least recently used
 * ones that no canvas uses; adjacent shelves are merged for higher glyphs.
 */
#include "render/text/font_internal.h"

#include <string.h>

bool cni_render_atlas_init(CnFonts *fonts)
{
    fonts->pixels =
        cn_alloc_zeroed(fonts->allocator, (size_t)fonts->atlas_size * fonts->atlas_size);
    return fonts->pixels != NULL;
}

void cni_render_atlas_fini(CnFonts *fonts)
{
    cn_free(fonts->allocator, fonts->pixels, (size_t)fonts->atlas_size * fonts->atlas_size);
}

/* Glyphs keep their positions. */
static bool grow(CnFonts *fonts)
{
    uint32_t size = fonts->atlas_size * 2;
    if (size > fonts->max_atlas_size)
        return false;
    uint8_t *pixels = cn_alloc_zeroed(fonts->allocator, (size_t)size * size);
    if (!pixels)
        return false;
    for (uint32_t y = 0; y < fonts->atlas_size; y++)
        memcpy(pixels + (size_t)y * size, fonts->pixels + (size_t)y * fonts->atlas_size,
               fonts->atlas_size);
    cni_render_atlas_fini(fonts);
    fonts->pixels = pixels;
    fonts->atlas_size = size;
    fonts->change_count += CNI_RENDER_ATLAS_CHANGES + 1;
    return true;
}

/* ---- Shelves ---- */

static uint32_t shelf_height(uint32_t height)
{
    return (height + 3u) & ~3u;
}

/* Finds the lowest shelf that is high enough and has space; `most` is the maximum height. */
static uint32_t find_shelf(const CnFonts *fonts, const CniRenderGlyph *glyph, uint32_t most)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < fonts->shelf_count; i++) {
        const CniRenderShelf *shelf = &fonts->shelves[i];
        if (shelf->height >= glyph->height && shelf->height <= most &&
            shelf->used_width + glyph->width <= fonts->atlas_size &&
            (best == UINT32_MAX || shelf->height < fonts->shelves[best].height))
            best = i;
    }
    return best;
}

static uint32_t add_shelf(CnFonts *fonts, uint32_t height)
{
    if (fonts->shelf_count == CNI_RENDER_ATLAS_MAX_SHELVES ||
        fonts->atlas_rows + height > fonts->atlas_size)
        return UINT32_MAX;
    fonts->shelves[fonts->shelf_count] = (CniRenderShelf){.y = fonts->atlas_rows, .height = height};
    fonts->atlas_rows += height;
    return fonts->shelf_count++;
}

/* Drops the bitmaps of shelves first to last; the indices of later shelves change by `moved`. */
static void drop_bitmaps(CnFonts *fonts, uint32_t first, uint32_t last, int32_t moved)
{
    for (uint32_t i = 0; i < fonts->glyphs.count; i++) {
        CniRenderGlyph *glyph = cn_hash_map_value(&fonts->glyphs, i);
        uint32_t shelf = glyph->shelf;
        if (shelf > last + 1u) {
            glyph->shelf = (uint16_t)((int32_t)shelf + moved);
        } else if (shelf > first) {
            glyph->shelf = 0;
            fonts->evicted++;
        }
    }
}

/* Glyphs used since then may still be drawn. */
static uint64_t oldest_use(const CnFonts *fonts)
{
    uint64_t oldest = fonts->stamp;
    for (const CniRenderFontUser *user = fonts->users; user; user = user->next) {
        if (user->stamp < oldest)
            oldest = user->stamp;
    }
    return oldest;
}

/* Finds the least recently used adjacent shelves that are high enough together: *first to *last. */
static bool find_old(const CnFonts *fonts, uint32_t height, uint32_t *first, uint32_t *last)
{
    uint64_t keep = oldest_use(fonts), best = UINT64_MAX;
    for (uint32_t i = 0; i < fonts->shelf_count; i++) {
        uint32_t sum = 0;
        uint64_t newest = 0;
        for (uint32_t k = i; k < fonts->shelf_count && fonts->shelves[k].stamp < keep; k++) {
            sum += fonts->shelves[k].height;
            newest = fonts->shelves[k].stamp > newest ? fonts->shelves[k].stamp : newest;
            if (sum < height)
                continue;
            if (newest < best) {
                best = newest;
                *first = i;
                *last = k;
            }
            break;
        }
    }
    return best != UINT64_MAX;
}

/* Merges old shelves into one of this height and one for the remainder. */
static uint32_t make_room(CnFonts *fonts, uint32_t height)
{
    uint32_t first, last;
    if (!find_old(fonts, height, &first, &last))
        return UINT32_MAX;
    uint32_t y = fonts->shelves[first].y;
    uint32_t sum = fonts->shelves[last].y + fonts->shelves[last].height - y;
    bool split =
        sum > height && (last > first || fonts->shelf_count < CNI_RENDER_ATLAS_MAX_SHELVES);
    int32_t moved = (split ? 1 : 0) - (int32_t)(last - first);
    drop_bitmaps(fonts, first, last, moved);
    memmove(&fonts->shelves[(int32_t)last + 1 + moved], &fonts->shelves[last + 1],
            (fonts->shelf_count - last - 1) * sizeof *fonts->shelves);
    fonts->shelves[first] = (CniRenderShelf){.y = y, .height = split ? height : sum};
    if (split)
        fonts->shelves[first + 1] = (CniRenderShelf){.y = y + height, .height = sum - height};
    fonts->shelf_count = (uint32_t)((int32_t)fonts->shelf_count + moved);
    return first;
}

static uint32_t find_place(CnFonts *fonts, const CniRenderGlyph *glyph)
{
    uint32_t height = shelf_height(glyph->height);
    for (;;) {
        uint32_t shelf = find_shelf(fonts, glyph, height + height / 4);
        if (shelf == UINT32_MAX && glyph->width <= fonts->atlas_size)
            shelf = add_shelf(fonts, height);
        if (shelf != UINT32_MAX)
            return shelf;
        if (!grow(fonts))
            break;
    }
    if (glyph->width > fonts->atlas_size)
        return UINT32_MAX;
    uint32_t shelf = make_room(fonts, height);
    return shelf != UINT32_MAX ? shelf : find_shelf(fonts, glyph, UINT32_MAX);
}

bool cni_render_atlas_place(CnFonts *fonts, CniRenderGlyph *glyph)
{
    uint32_t index = find_place(fonts, glyph);
    if (index == UINT32_MAX)
        return false;
    CniRenderShelf *shelf = &fonts->shelves[index];
    glyph->shelf = (uint16_t)(index + 1);
    glyph->x = (uint16_t)shelf->used_width;
    glyph->y = (uint16_t)shelf->y;
    shelf->used_width += glyph->width;
    return true;
}

void cni_render_glyphs_trim(CnFonts *fonts)
{
    uint32_t before = fonts->glyphs.count;
    for (int tries = 0; fonts->glyphs.count == before && tries < 2; tries++) {
        for (uint32_t i = before; i-- > 0;) {
            if (((CniRenderGlyph *)cn_hash_map_value(&fonts->glyphs, i))->shelf == 0)
                cn_hash_map_remove(&fonts->glyphs, cn_hash_map_key(&fonts->glyphs, i));
        }
        if (fonts->glyphs.count == before)
            make_room(fonts, 1);
    }
}

/* ---- Pixels ---- */

void cni_render_atlas_write(CnFonts *fonts, const CniRenderGlyph *glyph, const FT_Bitmap *bitmap)
{
    for (uint32_t y = 0; y < glyph->height; y++)
        memcpy(fonts->pixels + (size_t)(glyph->y + y) * fonts->atlas_size + glyph->x,
               bitmap->buffer + (ptrdiff_t)y * bitmap->pitch, glyph->width);
    fonts->changes[fonts->change_count++ % CNI_RENDER_ATLAS_CHANGES] =
        (CniRenderAtlasChange){glyph->x, glyph->y, glyph->width, glyph->height};
}

uint32_t cni_render_fonts_atlas_size(CnFonts *fonts)
{
    cni_render_fonts_lock(fonts);
    uint32_t size = fonts->atlas_size;
    cni_render_fonts_unlock(fonts);
    return size;
}

static const uint8_t *first_pixel(const CnFonts *fonts, const CniRenderAtlasChange *change)
{
    return fonts->pixels + (size_t)change->y * fonts->atlas_size + change->x;
}

bool cni_render_fonts_copy_changes(CnFonts *fonts, uint32_t size, uint64_t *seen,
                                   CniRenderAtlasCopy copy, void *user)
{
    cni_render_fonts_lock(fonts);
    bool same = size == fonts->atlas_size;
    if (!same) {
        /* The atlas has grown since the last call. */
    } else if (*seen == UINT64_MAX || fonts->change_count - *seen > CNI_RENDER_ATLAS_CHANGES) {
        CniRenderAtlasChange all = {0, 0, size, size};
        if (copy(&all, fonts->pixels, size, user))
            *seen = fonts->change_count;
    } else {
        for (; *seen != fonts->change_count; (*seen)++) {
            const CniRenderAtlasChange *change = &fonts->changes[*seen % CNI_RENDER_ATLAS_CHANGES];
            if (!copy(change, first_pixel(fonts, change), fonts->atlas_size, user))
                break;
        }
    }
    cni_render_fonts_unlock(fonts);
    return same;
}

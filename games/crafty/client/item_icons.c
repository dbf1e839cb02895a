#include "item_icons.h"

#include "crafty/world/item_tiles.h"

#include <string.h>

#define ICONS_A_ROW 32u
#define GUTTER 4u /* empty pixels around an icon, so that smaller mips do not mix with others */
#define CELL (CRAFTY_ICON_SIZE + 2 * GUTTER)
#define ATLAS_WIDTH (ICONS_A_ROW * CELL)

/* ---- Texture ---- */

/* The symbols come first, then the items by number, then the textures of mods. */
static uint32_t item_cells(const CraftyItems *items)
{
    uint32_t count = CRAFTY_SYMBOL_COUNT + 1;
    for (uint32_t i = 0; i < crafty_items_count(items); i++) {
        uint32_t cell = CRAFTY_SYMBOL_COUNT + crafty_items_at(items, i);
        count = cell >= count ? cell + 1 : count;
    }
    return count;
}

static uint32_t texture_count(const CraftyMods *mods)
{
    return mods ? crafty_mods_texture_count(mods) : 0;
}

static uint32_t atlas_height(uint32_t cells)
{
    return (cells + ICONS_A_ROW - 1) / ICONS_A_ROW * CELL;
}

static uint8_t *cell_pixels(uint8_t *pixels, uint32_t cell)
{
    size_t x = cell % ICONS_A_ROW, y = cell / ICONS_A_ROW;
    return pixels + ((y * CELL + GUTTER) * ATLAS_WIDTH + x * CELL + GUTTER) * 4;
}

static void paint_item(const CraftyItemInfo *info, const CnBlockTable *blocks,
                       const CnBlockTiles *tiles, uint8_t *pixels)
{
    int32_t layer = crafty_item_tile(info->tile ? info->tile : info->name);
    if (layer >= 0 && (uint32_t)layer < tiles->count)
        crafty_icon_paint_tile(tiles, (uint32_t)layer, pixels, ATLAS_WIDTH);
    else if (info->block != CN_BLOCK_AIR)
        crafty_icon_paint_block(tiles, blocks, info->block, pixels, ATLAS_WIDTH);
}

static void paint_all(const CraftyItemIcons *icons, const CraftyItemIconsDesc *desc,
                      uint8_t *pixels)
{
    const CraftyItems *items = desc->items;
    for (uint32_t i = 0; i < CRAFTY_SYMBOL_COUNT; i++)
        crafty_icon_paint_symbol((CraftySymbol)i, cell_pixels(pixels, i), ATLAS_WIDTH);
    for (uint32_t i = 0; i < crafty_items_count(items); i++) {
        CraftyItem item = crafty_items_at(items, i);
        paint_item(crafty_items_info(items, item), desc->blocks, desc->tiles,
                   cell_pixels(pixels, CRAFTY_SYMBOL_COUNT + item));
    }
    for (uint32_t i = 0; i < texture_count(desc->mods); i++) {
        uint32_t layer = crafty_mods_texture(desc->mods, i)->layer;
        if (layer < desc->tiles->count)
            crafty_icon_paint_tile(desc->tiles, layer,
                                   cell_pixels(pixels, icons->first_texture + i), ATLAS_WIDTH);
    }
}

bool crafty_item_icons_create(CraftyItemIcons *icons, CnRenderer *renderer,
                              const CraftyItemIconsDesc *desc, CnError *error)
{
    const uint32_t first = item_cells(desc->items), cells = first + texture_count(desc->mods);
    const uint32_t height = atlas_height(cells);
    const size_t bytes = (size_t)ATLAS_WIDTH * height * 4;
    CnAllocator *allocator = cn_renderer_allocator(renderer);
    *icons = (CraftyItemIcons){
        .items = desc->items, .mods = desc->mods, .cells = cells, .first_texture = first};
    uint8_t *pixels = cn_alloc_zeroed(allocator, bytes);
    if (!pixels)
        return cn_error_memory(error, "icons of items");
    paint_all(icons, desc, pixels);
    CnImage image = {ATLAS_WIDTH, height, pixels, allocator};
    icons->texture = cn_texture_create(
        renderer,
        &(CnTextureDesc){.name = "item icons", .image = &image, .no_mips = true, .clamp = true},
        error);
    cn_free(allocator, pixels, bytes);
    return icons->texture.id != 0;
}

void crafty_item_icons_destroy(CraftyItemIcons *icons, CnRenderer *renderer)
{
    if (icons->texture.id)
        cn_texture_destroy(renderer, icons->texture);
    *icons = (CraftyItemIcons){0};
}

/* ---- Drawing ---- */

static void draw_cell(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect, uint32_t cell,
                      CnRect part, float alpha)
{
    const float size = CRAFTY_ICON_SIZE;
    float x = (float)(cell % ICONS_A_ROW * CELL + GUTTER);
    float y = (float)(cell / ICONS_A_ROW * CELL + GUTTER);
    cn_canvas_sprite(canvas,
                     (CnRect){rect.x + part.x * rect.width, rect.y + part.y * rect.height,
                              part.width * rect.width, part.height * rect.height},
                     &(CnSprite){.texture = icons->texture,
                                 .part = {x + part.x * size, y + part.y * size, part.width * size,
                                          part.height * size},
                                 .texture_width = ATLAS_WIDTH,
                                 .texture_height = (float)atlas_height(icons->cells),
                                 .tint = cn_color_fade(cn_rgb(0xFFFFFF), alpha)});
}

bool crafty_item_icon_exists(const CraftyItemInfo *info)
{
    return info->block != CN_BLOCK_AIR ||
           crafty_item_tile(info->tile ? info->tile : info->name) >= 0;
}

/* A letter on a plain tile. */
static void draw_letter(CnCanvas *canvas, CnRect rect, const char *title, float alpha)
{
    uint32_t character;
    CnText text = cn_text(title);
    size_t bytes = text.size ? cn_utf8_next(text, 0, &character) : 0;
    CnRect tile = cn_rect_inset(rect, rect.width * 0.1f);
    cn_canvas_box(canvas, tile,
                  &(CnBoxStyle){.fill = cn_color_fade(cn_rgb(0x5A6472), alpha),
                                .radius = rect.width * 0.12f,
                                .border = 1,
                                .border_color = cn_color_fade(cn_rgb(0x8A94A3), alpha)});
    cn_canvas_text_in(
        canvas, tile,
        &(CnTextStyle){.size = rect.height * 0.5f, .color = cn_color_fade(cn_rgb(0xFFFFFF), alpha)},
        &(CnTextLayout){.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER},
        (CnText){text.data, bytes});
}

void crafty_item_icon_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                           CraftyItem item, float alpha)
{
    const CraftyItemInfo *info = crafty_items_info(icons->items, item);
    if (item == CRAFTY_NO_ITEM || !info)
        return;
    if (crafty_item_icon_exists(info))
        draw_cell(icons, canvas, rect, CRAFTY_SYMBOL_COUNT + item, (CnRect){0, 0, 1, 1}, alpha);
    else
        draw_letter(canvas, rect, info->title, alpha);
}

bool crafty_texture_icon_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                              const char *name)
{
    for (uint32_t i = 0; i < texture_count(icons->mods); i++)
        if (strcmp(crafty_mods_texture(icons->mods, i)->name, name) == 0) {
            draw_cell(icons, canvas, rect, icons->first_texture + i, (CnRect){0, 0, 1, 1}, 1);
            return true;
        }
    return false;
}

void crafty_symbol_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                        CraftySymbol symbol, float alpha)
{
    draw_cell(icons, canvas, rect, (uint32_t)symbol, (CnRect){0, 0, 1, 1}, alpha);
}

void crafty_symbol_draw_part(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                             CraftySymbol symbol, CnRect part)
{
    draw_cell(icons, canvas, rect, (uint32_t)symbol, part, 1);
}

/* Maps tile names to layers of the texture array. */
#include "blocks.h"
#include "paint.h"
#include "paint_creatures.h"
#include "paint_font.h"
#include "paint_items.h"

#include <errno.h>
#include <string.h>

static bool paint_block(PaintSet *paint, Block *block, const char *metadata_path)
{
    bool good = true;
    for (int i = 0; i < 4; i++) {
        if (!block->tiles[i][0])
            continue;
        block->layers[i] = paint_set_layer(paint, block->tiles[i]);
        bool was_reported = i > 0 && strcmp(block->tiles[i], block->tiles[i - 1]) == 0;
        if (block->layers[i] < 0 && !was_reported)
            good = report_error(block->line ? metadata_path : "families.c", block->line,
                                "%s: unknown tile \"%s\"", block->name, block->tiles[i]);
    }
    if (good) {
        uint8_t mean[3];
        paint_set_mean(paint, block->layers[2], mean);
        for (int i = 0; i < 3; i++)
            block->color[i] = (uint8_t)((mean[i] * block->tint[i] + 127) / 255);
    }
    return good;
}

/* ---- Items ---- */

typedef struct ItemTiles {
    BlockSet *set;
    PaintSet *paint;
    bool good;
} ItemTiles;

static void add_item(void *user, const char *name)
{
    ItemTiles *tiles = user;
    BlockSet *set = tiles->set;
    char tile[2 * BLOCK_NAME_BYTES];
    snprintf(tile, sizeof tile, "item_%s", name);
    int layer = paint_set_layer(tiles->paint, tile);
    if (layer < 0 || set->item_count == ITEM_MAX || strlen(name) >= BLOCK_NAME_BYTES) {
        tiles->good = report_error("paint_items.c", 0, "cannot paint the item \"%s\"", name);
        return;
    }
    ItemTile *item = &set->items[set->item_count++];
    snprintf(item->name, sizeof item->name, "%s", name);
    item->layer = layer;
}

static void add_skin(void *user, const char *name)
{
    ItemTiles *tiles = user;
    BlockSet *set = tiles->set;
    char tile[2 * BLOCK_NAME_BYTES];
    snprintf(tile, sizeof tile, "skin_%s", name);
    int layer = paint_set_layer(tiles->paint, tile);
    if (layer < 0 || set->skin_count == SKIN_MAX || strlen(name) >= BLOCK_NAME_BYTES) {
        tiles->good = report_error("paint_creatures.c", 0, "cannot paint the skin \"%s\"", name);
        return;
    }
    ItemTile *skin = &set->skins[set->skin_count++];
    snprintf(skin->name, sizeof skin->name, "%s", name);
    skin->layer = layer;
}

/* The characters of signs have consecutive layers. */
static bool paint_font(BlockSet *set, PaintSet *paint)
{
    for (int i = 0; i < FONT_TILES; i++) {
        char tile[BLOCK_NAME_BYTES];
        snprintf(tile, sizeof tile, "text_%d", i);
        int layer = paint_set_layer(paint, tile);
        if (layer < 0)
            return report_error("paint_font.c", 0, "cannot paint \"%s\"", tile);
        if (i == 0)
            set->font_layer = layer;
    }
    return true;
}

bool faces_paint(BlockSet *set, const char *metadata_path, const char *texture_path)
{
    PaintSet *paint = paint_set_create();
    if (!paint)
        return report_error(texture_path, 0, "out of memory");
    bool good = true;
    for (uint32_t i = 0; i < set->count; i++)
        if (set->blocks[i].material != MATERIAL_AIR)
            good &= paint_block(paint, &set->blocks[i], metadata_path);
    ItemTiles items = {set, paint, true};
    paint_item_names(add_item, &items);
    good &= items.good;
    good = good && paint_font(set, paint);
    paint_creature_names(add_skin, &items);
    good = good && items.good;
    set->tile_count = paint_set_count(paint);
    if (good && !paint_set_write(paint, texture_path))
        good = report_error(texture_path, 0, "%s", strerror(errno));
    paint_set_destroy(paint);
    return good;
}

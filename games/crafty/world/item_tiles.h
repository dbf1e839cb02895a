/*
 * Pictures of items that are not drawn as their block: layers of the texture array of blocks
 * (cairn/voxel/tiles.h), painted by games/crafty/blocks.
 *
 *     int32_t layer = crafty_item_tile("iron_pickaxe"); // -1: draw the block of the item
 */
#ifndef CRAFTY_WORLD_ITEM_TILES_H
#define CRAFTY_WORLD_ITEM_TILES_H

#include <stdint.h>

typedef struct CraftyItemTile {
    const char *name; /* of the item */
    uint16_t layer;
} CraftyItemTile;

/* Generated; sorted by name. */
extern const CraftyItemTile crafty_item_tiles[];
extern const uint32_t crafty_item_tile_count;

/* Layers of the standard texture array; those of mods follow (sim/mod/mods.h). */
extern const uint32_t crafty_tile_count;

/* Returns the layer of the picture of an item, or -1 if it has none. `name` is that of the item or
 * that of its tile, which has item_ before it (CraftyItemInfo.tile). The tile of an item of a mod
 * may be "#" and the layer of a texture of the mod. */
int32_t crafty_item_tile(const char *name);

#endif

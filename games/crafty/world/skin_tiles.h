/*
 * Skins of creatures and villagers: layers of the texture array of blocks (cairn/voxel/tiles.h),
 * painted by games/crafty/blocks.
 *
 *     int32_t layer = crafty_skin_tile("duck_head"); // -1: there is no such skin
 */
#ifndef CRAFTY_WORLD_SKIN_TILES_H
#define CRAFTY_WORLD_SKIN_TILES_H

#include <stdint.h>

typedef struct CraftySkinTile {
    const char *name;
    uint16_t layer;
} CraftySkinTile;

/* Generated; sorted by name. */
extern const CraftySkinTile crafty_skin_tiles[];
extern const uint32_t crafty_skin_tile_count;

/* Returns the layer of a skin, or -1 if there is no such skin. */
int32_t crafty_skin_tile(const char *name);

#endif

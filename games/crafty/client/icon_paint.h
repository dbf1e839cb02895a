/*
 * Pictures of items as pixels: blocks in a corner view, props and tiles as flat images, and the
 * symbols of the HUD.
 *
 *     crafty_icon_paint_block(&tiles, blocks, stone, pixels, CRAFTY_ICON_SIZE);
 *
 * Every function writes RGBA of CRAFTY_ICON_SIZE rows, `stride` pixels apart.
 */
#ifndef CRAFTY_CLIENT_ICON_PAINT_H
#define CRAFTY_CLIENT_ICON_PAINT_H

#include <cairn/voxel.h>

#define CRAFTY_ICON_SIZE 64u /* pixels, width and height */

typedef enum CraftySymbol {
    CRAFTY_SYMBOL_NONE, /* empty */
    CRAFTY_SYMBOL_HEART,
    CRAFTY_SYMBOL_HEART_HALF,
    CRAFTY_SYMBOL_HEART_EMPTY,
    CRAFTY_SYMBOL_FOOD,
    CRAFTY_SYMBOL_FOOD_HALF,
    CRAFTY_SYMBOL_FOOD_EMPTY,
    CRAFTY_SYMBOL_BUBBLE,
    CRAFTY_SYMBOL_FLAME,
    CRAFTY_SYMBOL_FLAME_EMPTY,
    CRAFTY_SYMBOL_TRASH,
    CRAFTY_SYMBOL_COUNT
} CraftySymbol;

/* Blocks with a shape are drawn as their boxes. */
void crafty_icon_paint_block(const CnBlockTiles *tiles, const CnBlockTable *blocks, CnBlock block,
                             uint8_t *pixels, size_t stride);
/* `layer` is one of the tiles. */
void crafty_icon_paint_tile(const CnBlockTiles *tiles, uint32_t layer, uint8_t *pixels,
                            size_t stride);
void crafty_icon_paint_symbol(CraftySymbol symbol, uint8_t *pixels, size_t stride);

#endif

/*
 * Characters as pictures: parts of layers of the texture array of blocks (cairn/voxel/tiles.h),
 * painted by games/crafty/blocks.
 *
 *     const CraftyGlyph *glyph = crafty_glyph('A');
 *     draw(glyph->layer, glyph->left, glyph->width);
 *
 * Characters other than those of ASCII and the letters and usual signs of Latin-1 have a box.
 */
#ifndef CRAFTY_WORLD_GLYPH_TILES_H
#define CRAFTY_WORLD_GLYPH_TILES_H

#include <stdint.h>

#define CRAFTY_GLYPH_COUNT 192u
#define CRAFTY_GLYPH_ROWS 12u /* from the top of the tile; the last two are below the line */

typedef struct CraftyGlyph {
    uint16_t layer;
    uint8_t left, width; /* columns of the tile, in pixels */
} CraftyGlyph;

/* Generated: U+0020 to U+007E, the box, U+00A0 to U+00FF. */
extern const CraftyGlyph crafty_glyphs[CRAFTY_GLYPH_COUNT];

/* Returns the picture of a character; that of a box if it has none. */
const CraftyGlyph *crafty_glyph(uint32_t character);

#endif

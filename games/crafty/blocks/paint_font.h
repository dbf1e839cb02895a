/* Tiles of the characters on signs: text_0, text_1, ..., with two characters each. */
#ifndef CRAFTY_BLOCKS_PAINT_FONT_H
#define CRAFTY_BLOCKS_PAINT_FONT_H

#include "paint.h"

/* Glyphs are those of U+0020 to U+007E, a box for all other characters, then U+00A0 to U+00FF. */
#define FONT_GLYPHS 192
#define FONT_TILES (FONT_GLYPHS / 2)
#define FONT_CELL (PAINT_SIZE / 2) /* columns of a glyph in its tile: left or right half */

/* Returns the width of a glyph in pixels, 1 to FONT_CELL - 1. */
int font_width(int glyph);
/* Paints a tile, by the number behind text_. Returns false if there is none. */
bool paint_text(Canvas *canvas, const char *number);

#endif

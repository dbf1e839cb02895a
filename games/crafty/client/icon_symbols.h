/* The symbols of the HUD as small drawings of 16 x 16 pixels. */
#ifndef CRAFTY_CLIENT_ICON_SYMBOLS_H
#define CRAFTY_CLIENT_ICON_SYMBOLS_H

#include "icon_paint.h"

#define CRAFTY_SYMBOL_SIZE 16u

/* Returns the rows of a symbol. */
const char *const *crafty_symbol_rows(CraftySymbol symbol);
/* Returns the color of a pixel as 0xRRGGBBAA. */
uint32_t crafty_symbol_color(const char *const *rows, uint32_t x, uint32_t y);

#endif

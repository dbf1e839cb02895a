#include "glyph_tiles.h"

#define BOX 95u

const CraftyGlyph *crafty_glyph(uint32_t character)
{
    if (character >= 0x20 && character <= 0x7E)
        return &crafty_glyphs[character - 0x20];
    if (character >= 0xA0 && character <= 0xFF)
        return &crafty_glyphs[character - 0xA0 + BOX + 1];
    return &crafty_glyphs[BOX];
}

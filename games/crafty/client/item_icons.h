/*
 * Icons of all items of a world and the symbols of the HUD, in one texture.
 *
 *     CraftyItemIcons icons;
 *     crafty_item_icons_create(&icons, renderer, items, blocks, &tiles, &error);
 *     crafty_item_icon_draw(&icons, canvas, (CnRect){10, 10, 32, 32}, stone);
 *
 * Items without a picture, such as those of a missing mod, show the first letter of their title.
 */
#ifndef CRAFTY_CLIENT_ITEM_ICONS_H
#define CRAFTY_CLIENT_ITEM_ICONS_H

#include "crafty/world/items.h"
#include "icon_paint.h"

#include <cairn/render.h>

/* The texture is owned by the renderer. */
typedef struct CraftyItemIcons {
    const CraftyItems *items;
    CnTexture texture;
    uint32_t cells; /* in the texture */
    /* Preferences of the player for everything that is drawn with icons (ui_style.h). */
    float text_size; /* factor; 0: not known, 1 */
    bool high_contrast;
} CraftyItemIcons;

/* Returns a text size with the player's factor, but not more than `most`. */
static inline float crafty_icons_text(const CraftyItemIcons *icons, float size, float most)
{
    float wanted = icons->text_size > 0 ? size * icons->text_size : size;
    return wanted < most ? wanted : most;
}

bool crafty_item_icons_create(CraftyItemIcons *icons, CnRenderer *renderer,
                              const CraftyItems *items, const CnBlockTable *blocks,
                              const CnBlockTiles *tiles, CnError *error);
/* Not while a frame is drawn. Icons that were not created are ignored. */
void crafty_item_icons_destroy(CraftyItemIcons *icons, CnRenderer *renderer);

/* Returns whether the item has a picture of its own. */
bool crafty_item_icon_exists(const CraftyItemInfo *info);
/* Draws an icon with this opacity, 0 to 1; nothing for CRAFTY_NO_ITEM. */
void crafty_item_icon_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                           CraftyItem item, float alpha);
void crafty_symbol_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                        CraftySymbol symbol, float alpha);
/* Draws a part of a symbol, as fractions of its size, into the same part of the rectangle. */
void crafty_symbol_draw_part(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                             CraftySymbol symbol, CnRect part);

#endif

/*
 * Icons of all items of a world and the symbols of the HUD, in one texture.
 *
 *     CraftyItemIcons icons;
 *     crafty_item_icons_create(&icons, renderer, &desc, &error);
 *     crafty_item_icon_draw(&icons, canvas, (CnRect){10, 10, 32, 32}, stone);
 *
 * Items without a picture, such as those of a missing mod, show the first letter of their title.
 */
#ifndef CRAFTY_CLIENT_ITEM_ICONS_H
#define CRAFTY_CLIENT_ITEM_ICONS_H

#include "crafty/sim/mod/mods.h"
#include "crafty/world/items.h"
#include "icon_paint.h"

#include <cairn/render.h>

/* The texture is owned by the renderer. */
typedef struct CraftyItemIcons {
    const CraftyItems *items;
    const CraftyMods *mods; /* whose textures have icons, too; NULL: none */
    CnTexture texture;
    uint32_t cells;         /* in the texture */
    uint32_t first_texture; /* cell of the first texture of a mod */
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

typedef struct CraftyItemIconsDesc {
    const CraftyItems *items;
    const CnBlockTable *blocks;
    const CnBlockTiles *tiles; /* with the textures of the mods (world_tiles.h) */
    const CraftyMods *mods;    /* NULL: none */
} CraftyItemIconsDesc;
/* What is described must outlive the icons, except for the tiles. */
bool crafty_item_icons_create(CraftyItemIcons *icons, CnRenderer *renderer,
                              const CraftyItemIconsDesc *desc, CnError *error);
/* Not while a frame is drawn. Icons that were not created are ignored. */
void crafty_item_icons_destroy(CraftyItemIcons *icons, CnRenderer *renderer);

/* Returns whether the item has a picture of its own. */
bool crafty_item_icon_exists(const CraftyItemInfo *info);
/* Draws an icon with this opacity, 0 to 1; nothing for CRAFTY_NO_ITEM. */
void crafty_item_icon_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                           CraftyItem item, float alpha);
/* Draws a texture of a mod by its name, such as "castle:wall". Returns false if there is none. */
bool crafty_texture_icon_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                              const char *name);
void crafty_symbol_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                        CraftySymbol symbol, float alpha);
/* Draws a part of a symbol, as fractions of its size, into the same part of the rectangle. */
void crafty_symbol_draw_part(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                             CraftySymbol symbol, CnRect part);

#endif

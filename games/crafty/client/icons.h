/*
 * Block icons: cubes in a corner view, and props as flat images.
 *
 *     CraftyIcons icons;
 *     crafty_icons_create(&icons, renderer, blocks, &error);
 *     crafty_icon_draw(&icons, canvas, (CnRect){10, 10, 32, 32}, stone);
 */
#ifndef CRAFTY_CLIENT_ICONS_H
#define CRAFTY_CLIENT_ICONS_H

#include <cairn/render.h>
#include <cairn/voxel.h>

#define CRAFTY_ICON_SIZE 32u /* pixels, width and height */

/* All blocks in one texture owned by the renderer. */
typedef struct CraftyIcons {
    const CnBlockTable *blocks;
    CnTexture texture;
} CraftyIcons;

bool crafty_icons_create(CraftyIcons *icons, CnRenderer *renderer, const CnBlockTable *blocks,
                         CnError *error);
/* Not while a frame is drawn. Icons that were not created are ignored. */
void crafty_icons_destroy(CraftyIcons *icons, CnRenderer *renderer);
void crafty_icon_draw(const CraftyIcons *icons, CnCanvas *canvas, CnRect rect, CnBlock block);
CnSprite crafty_icon_sprite(const CraftyIcons *icons, CnBlock block);

/* Writes an RGBA icon of CRAFTY_ICON_SIZE rows, `stride` pixels apart. */
void crafty_icon_paint(const CnBlockTiles *tiles, const CnBlockInfo *info, uint8_t *pixels,
                       size_t stride);

#endif

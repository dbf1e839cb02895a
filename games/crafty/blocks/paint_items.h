/* Tiles of items: tools, materials, food, dyes, and items that are not drawn as their block. */
#ifndef CRAFTY_BLOCKS_PAINT_ITEMS_H
#define CRAFTY_BLOCKS_PAINT_ITEMS_H

#include "paint.h"

typedef struct PaintItem {
    const char *name;        /* NULL ends a list */
    const char *const *rows; /* of the sprite */
    uint32_t colors[3];      /* 0xRRGGBB */
} PaintItem;

/* What creatures leave. */
extern const PaintItem paint_creature_items[];

/* Paints the tile of an item. Returns false if there is none. */
bool paint_item(Canvas *canvas, const char *name);
/* Calls `add` for every item that has a tile. */
void paint_item_names(void (*add)(void *user, const char *name), void *user);

#endif

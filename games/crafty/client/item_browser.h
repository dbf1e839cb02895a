/*
 * The list of all items for players in creative mode: tabs, a search field and a grid of icons.
 *
 *     CraftyItem taken = crafty_item_browser_frame(&browser, engine, &icons, panel, &count);
 */
#ifndef CRAFTY_CLIENT_ITEM_BROWSER_H
#define CRAFTY_CLIENT_ITEM_BROWSER_H

#include "recipe_book.h"

typedef struct CraftyItemBrowser {
    uint32_t tab;
    char search[CRAFTY_SEARCH_BYTES];
} CraftyItemBrowser;

/* Draws the contents of the panel as widgets of the open window. Returns the item that the player
 * takes, or CRAFTY_NO_ITEM, and how many of it: with the right button one, otherwise a stack.
 * Return in the search field takes the first item. */
CraftyItem crafty_item_browser_frame(CraftyItemBrowser *browser, CnEngine *engine,
                                     const CraftyItemIcons *icons, CnRect panel, uint32_t *count);

#endif

/*
 * The screen of what a player has open: inventory, crafting table, crate, furnace, sign or
 * the offers of a villager. The
 * simulation knows what is open (CraftyPlayer.open); the screen draws it and sends commands.
 *
 *     crafty_inventory_screen_open(&screen, engine, &view);     // the key of the inventory
 *     if (crafty_inventory_screen_is_open(&screen, engine, &view))
 *         crafty_inventory_screen_frame(&screen, engine, &view); // in before_frame
 *     crafty_inventory_screen_fini(&screen);
 *
 * Beside the slots there is the recipe book or, in creative mode, the list of all items.
 */
#ifndef CRAFTY_CLIENT_INVENTORY_SCREEN_H
#define CRAFTY_CLIENT_INVENTORY_SCREEN_H

#include "crafty/sim/connection.h"
#include "crafty/sim/inventory.h"
#include "item_browser.h"
#include "recipe_book.h"
#include "sign_editor.h"
#include "slot_gesture.h"
#include "trade_panel.h"

#include <cairn/engine.h>

typedef struct CraftyInventoryScreen {
    CraftySlotGesture gesture;
    CraftySlotView slots; /* of the last frame */
    CraftyRecipeBook book;
    CraftyItemBrowser browser;
    CraftySignEditor sign;
    CraftyTradePanel trade;
    bool hides_book;     /* the player closed the side panel */
    bool shows_recipes;  /* in creative mode, instead of all items */
    bool asked_open;     /* what the last command asked for */
    uint64_t asked_tick; /* tick that applies it, plus 1; 0: never sent */
    uint32_t shown;      /* number of frames it has been open */
    CraftyStack logged;  /* carried stack that was logged last */
    uint32_t focused;    /* number of the slot that keys and gamepads use; UINT32_MAX: none */
} CraftyInventoryScreen;

typedef struct CraftyInventoryView {
    CnEntity player;
    CraftyConnection *connection; /* of the player */
    const CraftyItemIcons *icons;
    bool uses_gamepad; /* the last input came from one: a slot gets the focus */
    bool uses_touch;   /* the last input came from a finger: there is a button that closes */
} CraftyInventoryView;

void crafty_inventory_screen_fini(CraftyInventoryScreen *screen);

/* Returns whether the player has something open, or will have once the commands that were sent are
 * applied: there may be several frames between two ticks. */
bool crafty_inventory_screen_is_open(const CraftyInventoryScreen *screen, CnEngine *engine,
                                     const CraftyInventoryView *view);
void crafty_inventory_screen_open(CraftyInventoryScreen *screen, CnEngine *engine,
                                  const CraftyInventoryView *view);
void crafty_inventory_screen_close(CraftyInventoryScreen *screen, CnEngine *engine,
                                   const CraftyInventoryView *view);
/* Draws the screen and sends commands. Returns false if the player is done with it. */
bool crafty_inventory_screen_frame(CraftyInventoryScreen *screen, CnEngine *engine,
                                   const CraftyInventoryView *view);

#endif

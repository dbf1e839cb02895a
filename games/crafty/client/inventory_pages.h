/* The pages of the inventory screen: where their slots are, and what is drawn between them. */
#ifndef CRAFTY_CLIENT_INVENTORY_PAGES_H
#define CRAFTY_CLIENT_INVENTORY_PAGES_H

#include "crafty/sim/furnace.h"
#include "crafty/sim/inventory.h"
#include "slot_panel.h"
#include "trade_panel.h"

typedef struct CraftyPage {
    CnRect panel; /* with the slots */
    CnRect side;  /* recipe book or list of items; width 0: none */
    char title[CRAFTY_TRADE_TITLE_BYTES];
    bool has_grid;  /* for crafting */
    CnRect arrow;   /* from ingredients to the result */
    CnRect flame;   /* of a furnace */
    CnRect trash;   /* slot that deletes items; width 0: none */
    CnRect trade;   /* what an offer of a villager is about; width 0: none */
    float labels_y; /* of the label above the inventory */
    CraftyFurnace furnace;
    bool is_furnace;
} CraftyPage;

/* Places the page of what the player has open on the canvas, and fills the view with its slots. */
void crafty_page_place(CraftyPage *page, CraftySlotView *slots, const CnWorld *world,
                       CnEntity player, CnRect area, bool has_side);
/* Draws an arrow that points to the right. */
void crafty_arrow_draw(CnCanvas *canvas, CnRect rect, CnColor color);
/* Draws the main panel without the slots. */
void crafty_page_draw(const CraftyPage *page, CnUi *ui, const CraftyItemIcons *icons);

#endif

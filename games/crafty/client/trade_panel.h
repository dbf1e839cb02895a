/*
 * The offers of a villager: a list beside the slots, and above the slots what the offer at the
 * mouse or with the focus costs and gives. A click asks for a trade.
 *
 *     CraftyTradeChoice choice;
 *     if (crafty_trade_panel_frame(&panel, engine, &view, side, detail, &choice))
 *         send(choice.number, choice.times);
 *
 * Offers that are not possible now are dim and say why; choosing one makes the villager refuse.
 */
#ifndef CRAFTY_CLIENT_TRADE_PANEL_H
#define CRAFTY_CLIENT_TRADE_PANEL_H

#include "crafty/sim/trade.h"
#include "item_icons.h"

#include <cairn/engine.h>

#define CRAFTY_TRADE_TITLE_BYTES 64u

typedef struct CraftyTradePanel {
    CnEntity villager; /* of the last frame */
    uint32_t shown;    /* number of the offer that is shown in detail; 0: the first */
    /* Where they were in the last frame. */
    CnRect rows[CRAFTY_MAX_OFFERS]; /* in the order of the file; width 0: none */
    CnRect all;                     /* the button that trades as often as possible */
} CraftyTradePanel;

typedef struct CraftyTradeView {
    const CnWorld *world;
    CnEntity player;
    const CraftyItemIcons *icons;
    bool gets_focus; /* the first offer, in this frame */
} CraftyTradeView;

typedef struct CraftyTradeChoice {
    uint32_t number; /* of the offer */
    uint32_t times;  /* at least 1 */
} CraftyTradeChoice;

/* Draws the contents of both panels as widgets of the open window. Returns true if the player chose
 * an offer. Without a partner, nothing is drawn. */
bool crafty_trade_panel_frame(CraftyTradePanel *panel, CnEngine *engine,
                              const CraftyTradeView *view, CnRect side, CnRect detail,
                              CraftyTradeChoice *choice);
/* Writes who the partner is: "Baker", or with a name "Berta, baker". */
void crafty_trade_title(const CnWorld *world, CnEntity player,
                        char title[CRAFTY_TRADE_TITLE_BYTES]);
/* Writes why an offer is not possible, or how often it still is. */
void crafty_trade_note(const CraftyTradeView *view, const CraftyOffer *offer, char *text,
                       size_t text_bytes);

#endif

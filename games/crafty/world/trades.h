/*
 * Trades: what villagers offer, by profession. trades.json describes them.
 *
 *     CraftyTrades *trades = crafty_trades_create(
 *         &(CraftyTradesDesc){.items = items, .file = "trades.json", .text = text}, &error);
 *     const CraftyOffer *offer = crafty_trades_find(trades, CRAFTY_BAKER, 1);
 *     crafty_trades_destroy(trades);
 *
 * An offer has a number, which commands and saved stocks contain: it never changes, and that of a
 * removed offer is not used again by the profession. Trades do not change after they were created;
 * any thread may read them.
 */
#ifndef CRAFTY_WORLD_TRADES_H
#define CRAFTY_WORLD_TRADES_H

#include "items.h"
#include "professions.h"

#define CRAFTY_MAX_OFFERS 8u      /* of a profession */
#define CRAFTY_MAX_OFFER_COSTS 2u /* different items that an offer costs */
#define CRAFTY_MAX_OFFER_STOCK 64u

typedef struct CraftyOfferItem {
    CraftyItem item;
    uint16_t count; /* 1 to CRAFTY_STACK_MAX */
} CraftyOfferItem;

typedef struct CraftyOffer {
    uint8_t number;                                /* 1 to CRAFTY_MAX_OFFERS */
    uint8_t stock;                                 /* how often a villager trades it in a day */
    uint8_t cost_count;                            /* at least 1 */
    CraftyOfferItem costs[CRAFTY_MAX_OFFER_COSTS]; /* what the player gives */
    CraftyOfferItem result;                        /* what the player gets */
} CraftyOffer;

typedef struct CraftyTrades CraftyTrades;

typedef struct CraftyTradesDesc {
    CnAllocator *allocator;   /* NULL: the system allocator */
    const CraftyItems *items; /* required */
    const char *file;         /* for error messages */
    CnText text;              /* JSON */
} CraftyTradesDesc;

/* Returns NULL and an error with file and line if the text is malformed or names something that
 * does not exist, or when out of memory. */
CraftyTrades *crafty_trades_create(const CraftyTradesDesc *desc, CnError *error);
void crafty_trades_destroy(CraftyTrades *trades); /* NULL is ignored */

/* Enumerate the offers of a profession in the order of the file. Without trades (NULL) there are
 * none. */
uint32_t crafty_trades_count(const CraftyTrades *trades, CraftyProfession profession);
const CraftyOffer *crafty_trades_at(const CraftyTrades *trades, CraftyProfession profession,
                                    uint32_t index);
/* Returns NULL if the profession has no offer with this number. */
const CraftyOffer *crafty_trades_find(const CraftyTrades *trades, CraftyProfession profession,
                                      uint32_t number);

#endif

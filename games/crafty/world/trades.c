#include "trades.h"

#include "data_reader.h"

#include <cairn/base/assert.h>

typedef struct OfferList {
    CraftyOffer offers[CRAFTY_MAX_OFFERS];
    uint32_t count;
    bool is_read;
} OfferList;

struct CraftyTrades {
    CnAllocator *allocator;
    OfferList lists[CRAFTY_PROFESSION_COUNT];
};

typedef struct Reading {
    CraftyDataReader reader;
    const CraftyItems *items;
    CraftyTrades *trades;
} Reading;

/* ---- Items ---- */

/* A missing key leaves `item` as it is. */
static bool read_item(Reading *reading, json_t *row, const char *key, CraftyItem *item)
{
    CraftyDataReader *reader = &reading->reader;
    const char *name = NULL;
    if (!crafty_data_text(reader, row, key, &name))
        return false;
    if (!name)
        return crafty_data_fail(reader, "\"%s\" is missing", key);
    *item = crafty_items_find(reading->items, name);
    const CraftyItemInfo *info = crafty_items_info(reading->items, *item);
    if (*item != CRAFTY_NO_ITEM && info && info->is_known)
        return true;
    crafty_data_enter_key(reader, row, key);
    return crafty_data_fail_item(reader, reading->items, name);
}

/* At most what a slot holds, so that everybody has room for it. */
static bool read_count(Reading *reading, json_t *row, CraftyOfferItem *item)
{
    const CraftyItemInfo *info = crafty_items_info(reading->items, item->item);
    item->count = 1;
    return crafty_data_whole(&reading->reader, row, "count", 1, info->stack_max, &item->count);
}

static bool read_cost(Reading *reading, json_t *row, CraftyOffer *offer)
{
    static const char *const keys[] = {"item", "count", NULL};
    CraftyOfferItem *cost = &offer->costs[offer->cost_count];
    if (!json_is_object(row))
        return crafty_data_fail(&reading->reader, "a cost must be an object");
    if (!crafty_data_keys(&reading->reader, row, keys) ||
        !read_item(reading, row, "item", &cost->item) || !read_count(reading, row, cost))
        return false;
    for (uint32_t i = 0; i < offer->cost_count; i++)
        if (offer->costs[i].item == cost->item)
            return crafty_data_fail(&reading->reader, "this item is listed twice");
    offer->cost_count++;
    return true;
}

static bool read_costs(Reading *reading, json_t *row, CraftyOffer *offer)
{
    CraftyDataReader *reader = &reading->reader;
    json_t *costs = json_object_get(row, "cost"), *cost;
    size_t i;
    crafty_data_enter_key(reader, row, "cost");
    if (!json_is_array(costs) || json_array_size(costs) == 0 ||
        json_array_size(costs) > CRAFTY_MAX_OFFER_COSTS)
        return crafty_data_fail(reader, "\"cost\" must be an array of 1 to %u items",
                                CRAFTY_MAX_OFFER_COSTS);
    json_array_foreach(costs, i, cost)
    {
        crafty_data_enter(reader, i, false);
        if (!read_cost(reading, cost, offer))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* ---- Offers ---- */

static bool read_number(Reading *reading, json_t *row, const OfferList *list, CraftyOffer *offer)
{
    CraftyDataReader *reader = &reading->reader;
    uint16_t number = 0, stock = 0;
    if (!crafty_data_whole(reader, row, "number", 1, CRAFTY_MAX_OFFERS, &number) ||
        !crafty_data_whole(reader, row, "stock", 1, CRAFTY_MAX_OFFER_STOCK, &stock))
        return false;
    if (!number || !stock)
        return crafty_data_fail(reader, "\"%s\" is missing", number ? "stock" : "number");
    for (uint32_t i = 0; i < list->count; i++)
        if (list->offers[i].number == number) {
            crafty_data_enter_key(reader, row, "number");
            return crafty_data_fail(reader, "this number is used twice");
        }
    offer->number = (uint8_t)number;
    offer->stock = (uint8_t)stock;
    return true;
}

/* Otherwise a trade could be repeated without end. */
static bool is_exchange(const CraftyOffer *offer)
{
    for (uint32_t i = 0; i < offer->cost_count; i++)
        if (offer->costs[i].item == offer->result.item)
            return false;
    return true;
}

static bool read_offer(Reading *reading, OfferList *list, json_t *row)
{
    static const char *const keys[] = {"number", "cost", "result", "count", "stock", NULL};
    CraftyDataReader *reader = &reading->reader;
    CraftyOffer offer = {0};
    if (!json_is_object(row))
        return crafty_data_fail(reader, "an offer must be an object");
    if (!crafty_data_keys(reader, row, keys) || !read_number(reading, row, list, &offer) ||
        !read_costs(reading, row, &offer) ||
        !read_item(reading, row, "result", &offer.result.item) ||
        !read_count(reading, row, &offer.result))
        return false;
    if (!is_exchange(&offer))
        return crafty_data_fail(reader, "an offer must not cost what it gives");
    list->offers[list->count++] = offer;
    return true;
}

static bool read_offers(Reading *reading, OfferList *list, json_t *trader)
{
    CraftyDataReader *reader = &reading->reader;
    json_t *offers = json_object_get(trader, "offers"), *row;
    size_t i;
    crafty_data_enter_key(reader, trader, "offers");
    if (!json_is_array(offers) || json_array_size(offers) > CRAFTY_MAX_OFFERS)
        return crafty_data_fail(reader, "\"offers\" must be an array of at most %u offers",
                                CRAFTY_MAX_OFFERS);
    json_array_foreach(offers, i, row)
    {
        crafty_data_enter(reader, i, false);
        if (!read_offer(reading, list, row))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* ---- Traders ---- */

static bool read_trader(Reading *reading, json_t *row)
{
    static const char *const keys[] = {"profession", "offers", NULL};
    CraftyDataReader *reader = &reading->reader;
    uint32_t profession = CRAFTY_PROFESSION_COUNT;
    if (!json_is_object(row))
        return crafty_data_fail(reader, "a trader must be an object");
    if (!crafty_data_keys(reader, row, keys) ||
        !crafty_data_word(reader, row, "profession", crafty_profession_words,
                          CRAFTY_PROFESSION_COUNT, &profession))
        return false;
    if (profession == CRAFTY_PROFESSION_COUNT)
        return crafty_data_fail(reader, "\"profession\" is missing");
    OfferList *list = &reading->trades->lists[profession];
    if (list->is_read) {
        crafty_data_enter_key(reader, row, "profession");
        return crafty_data_fail(reader, "this profession is listed twice");
    }
    list->is_read = true;
    return read_offers(reading, list, row);
}

static bool read_all(Reading *reading)
{
    static const char *const keys[] = {"$schema", "traders", NULL};
    CraftyDataReader *reader = &reading->reader;
    json_t *traders = json_object_get(reader->root, "traders"), *row;
    size_t i;
    if (!crafty_data_keys(reader, reader->root, keys))
        return false;
    crafty_data_enter_key(reader, reader->root, "traders");
    if (!json_is_array(traders))
        return crafty_data_fail(reader, "\"traders\" must be an array");
    json_array_foreach(traders, i, row)
    {
        crafty_data_enter(reader, i, false);
        if (!read_trader(reading, row))
            return false;
        crafty_data_leave(reader);
    }
    return true;
}

CraftyTrades *crafty_trades_create(const CraftyTradesDesc *desc, CnError *error)
{
    CN_ASSERT(desc->items, "trades need items");
    CraftyTrades *trades = cn_alloc_zeroed(desc->allocator, sizeof *trades);
    if (!trades) {
        cn_error_memory(error, "the trades");
        return NULL;
    }
    trades->allocator = desc->allocator;
    Reading reading = {.items = desc->items, .trades = trades};
    bool is_open = crafty_data_open(&reading.reader, desc->file, desc->text, error);
    bool good = is_open && read_all(&reading);
    if (is_open)
        crafty_data_close(&reading.reader);
    if (good)
        return trades;
    crafty_trades_destroy(trades);
    return NULL;
}

void crafty_trades_destroy(CraftyTrades *trades)
{
    if (trades)
        cn_free(trades->allocator, trades, sizeof *trades);
}

/* ---- Queries ---- */

uint32_t crafty_trades_count(const CraftyTrades *trades, CraftyProfession profession)
{
    return trades && (unsigned)profession < CRAFTY_PROFESSION_COUNT
               ? trades->lists[profession].count
               : 0;
}

const CraftyOffer *crafty_trades_at(const CraftyTrades *trades, CraftyProfession profession,
                                    uint32_t index)
{
    return index < crafty_trades_count(trades, profession)
               ? &trades->lists[profession].offers[index]
               : NULL;
}

const CraftyOffer *crafty_trades_find(const CraftyTrades *trades, CraftyProfession profession,
                                      uint32_t number)
{
    for (uint32_t i = 0; i < crafty_trades_count(trades, profession); i++)
        if (trades->lists[profession].offers[i].number == number)
            return &trades->lists[profession].offers[i];
    return NULL;
}

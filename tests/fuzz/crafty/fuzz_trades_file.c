/*
 * The trades of Crafty, as a mod may change them: whatever the file contains, an error is reported
 * with the file, or every offer has items that exist in numbers that a slot holds.
 */
#include "fuzz_surface.h"

#include <crafty/world/trades.h>

#include <string.h>

static const char *const words[] = {"\"traders\":",
                                    "\"profession\":",
                                    "\"offers\":",
                                    "\"number\":",
                                    "\"cost\":",
                                    "\"item\":",
                                    "\"count\":",
                                    "\"result\":",
                                    "\"stock\":",
                                    "\"baker\"",
                                    "\"smith\"",
                                    "\"tin\"",
                                    "\"rock\"",
                                    "\"pick\"",
                                    "64",
                                    "8",
                                    "1e308",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "{\"traders\": [{\"profession\": \"baker\", \"offers\": [{\"number\": 1, "
                         "\"cost\": [{\"item\": \"tin\", \"count\": 3}, {\"item\": \"pick\"}], "
                         "\"result\": \"rock\", \"count\": 2, \"stock\": 4}]}, {\"profession\": "
                         "\"smith\", \"offers\": []}]}");
}

/* The blocks are the same in all runs. */
static const CnBlockTable *blocks_of_the_test(void)
{
    static CnBlockTable *blocks;
    if (blocks)
        return blocks;
    blocks = cn_block_table_create(NULL, NULL);
    CnBlockInfo rock = cn_block_info_default("rock");
    FUZZ_CHECK(blocks && cn_block_table_add(blocks, &rock, NULL, NULL));
    cn_block_table_close(blocks);
    return blocks;
}

static void check_item(const CraftyItems *items, const CraftyOfferItem *item)
{
    const CraftyItemInfo *info = crafty_items_info(items, item->item);
    FUZZ_CHECK(info && info->is_known && item->count > 0 && item->count <= info->stack_max);
}

static void check_offer(const CraftyItems *items, const CraftyOffer *offer)
{
    FUZZ_CHECK(offer->number > 0 && offer->number <= CRAFTY_MAX_OFFERS);
    FUZZ_CHECK(offer->stock > 0 && offer->stock <= CRAFTY_MAX_OFFER_STOCK);
    FUZZ_CHECK(offer->cost_count > 0 && offer->cost_count <= CRAFTY_MAX_OFFER_COSTS);
    for (uint32_t i = 0; i < offer->cost_count; i++) {
        check_item(items, &offer->costs[i]);
        FUZZ_CHECK(offer->costs[i].item != offer->result.item);
    }
    check_item(items, &offer->result);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    CraftyItems *items =
        crafty_items_create(&(CraftyItemsDesc){.blocks = blocks_of_the_test()}, NULL);
    FUZZ_CHECK(items && crafty_items_add_blocks(items, NULL) &&
               crafty_items_add(items, &(CraftyItemDesc){.name = "tin"}, NULL) &&
               crafty_items_add(items, &(CraftyItemDesc){.name = "pick", .durability = 9}, NULL));
    CraftyTrades *trades = crafty_trades_create(
        &(CraftyTradesDesc){.items = items, .file = "file", .text = {(const char *)bytes, size}},
        &error);
    FUZZ_CHECK(trades || strcmp(error.file, "file") == 0);
    for (uint32_t p = 0; p < CRAFTY_PROFESSION_COUNT; p++) {
        uint32_t count = crafty_trades_count(trades, (CraftyProfession)p);
        FUZZ_CHECK(count <= CRAFTY_MAX_OFFERS);
        for (uint32_t i = 0; i < count; i++)
            check_offer(items, crafty_trades_at(trades, (CraftyProfession)p, i));
    }
    bool good = trades != NULL;
    crafty_trades_destroy(trades);
    crafty_items_destroy(items);
    return good;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .words = words, .add_seeds = add_seeds, .run = run};

/*
 * Random trades of the players of the inventory_fixture with villagers of all professions, and the
 * ledger that explains each of them: a trade takes its cost and gives its result, and nothing else
 * changes an item. For one test at a time, as item_ledger.h.
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_TRADE_LEDGER_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_TRADE_LEDGER_H

#include "item_ledger.h"

#include <crafty/sim/creature/creature.h>
#include <crafty/sim/day.h>
#include <crafty/sim/trade.h>
#include <crafty/sim/villager.h>

static CraftyTrades *trades;
static CnEntity villagers[CRAFTY_PROFESSION_COUNT];

typedef struct TradeCounts {
    uint32_t traded, refused;
} TradeCounts;

/* After begin_inventory. The villagers stand around the players. */
static inline void begin_trades(void)
{
    trades = crafty_trades_create(&(CraftyTradesDesc){.items = data.items,
                                                      .file = "trades.json",
                                                      .text = crafty_trades_text()},
                                  NULL);
    assert_non_null(trades);
    cn_resource_mut(world, CraftyItemList)->trades = trades;
    for (uint32_t i = 0; i < CRAFTY_PROFESSION_COUNT; i++) {
        villagers[i] = cn_object(world, "Villager");
        assert_true(cn_set(world, villagers[i], CraftyCreature, {.health = 20}) &&
                    cn_set(world, villagers[i], CraftyVillager,
                           {.profession = (uint8_t)i, .activity = CRAFTY_VILLAGER_WORKS}));
        cn_get_mut(world, villagers[i], CnTransform)->position = cn_vec3((float)i - 2, 299, 1);
    }
}

static inline void end_trades(void)
{
    crafty_trades_destroy(trades);
}

/* What offers cost, in most slots; sometimes they are full of something else. */
static inline void trade_ledger_stock(TestRandom *random, uint32_t index)
{
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        CraftyProfession profession =
            (CraftyProfession)test_random_below(random, CRAFTY_PROFESSION_COUNT);
        const CraftyOffer *offer = crafty_trades_at(
            trades, profession, test_random_below(random, crafty_trades_count(trades, profession)));
        CraftyItem item = test_random_chance(random, 40) ? item_of("stone") : offer->costs[0].item;
        CraftyStack *slot = crafty_player_slot(player(index), i);
        *slot = (CraftyStack){0};
        if (test_random_chance(random, 95))
            crafty_stack_put(data.items, slot, item, 1 + test_random_below(random, 64));
    }
}

/* Returns whether trading the offer at most `most` times explains the difference; none if it was
 * refused. */
static inline bool trade_ledger_explains(const Ledger *before, const Ledger *after,
                                         const CraftyOffer *offer, uint32_t most)
{
    static Ledger expected;
    expected = *before;
    for (uint32_t i = 0; offer && i < most; i++) {
        for (uint32_t k = 0; k < offer->cost_count; k++)
            expected.counts[offer->costs[k].item] -= offer->costs[k].count;
        expected.counts[offer->result.item] += offer->result.count;
        if (ledger_same(&expected, after))
            return true;
    }
    return false;
}

/* Uses a villager now and then, and buys something. */
static inline void trade_ledger_step(TestRandom *random, const CnQuery *drops, TradeCounts *counts)
{
    static Ledger before, after;
    uint32_t index = test_random_below(random, FIXTURE_PLAYERS);
    uint32_t number = 1 + test_random_below(random, CRAFTY_MAX_OFFERS);
    uint32_t times = 1 + test_random_below(random, CRAFTY_MAX_OFFER_STOCK);
    ledger_count(&before, drops);
    if (test_random_chance(random, 20))
        crafty_trade_use(world, players[index],
                         villagers[test_random_below(random, CRAFTY_PROFESSION_COUNT)]);
    CnEntity partner = crafty_trade_partner(world, players[index]);
    const CraftyVillager *own = cn_get(world, partner, CraftyVillager);
    const CraftyOffer *offer =
        own ? crafty_trades_find(trades, (CraftyProfession)own->profession, number) : NULL;
    uint32_t stock = offer ? crafty_trade_stock(world, partner, offer) : 0;
    bool is_traded = crafty_trade_buy(world, players[index], number, times);
    ledger_count(&after, drops);
    uint32_t left = offer ? crafty_trade_stock(world, partner, offer) : 0;
    counts->traded += is_traded;
    counts->refused += !is_traded;
    if (is_traded ? trade_ledger_explains(&before, &after, offer, stock - left)
                  : ledger_same(&before, &after) && stock == left)
        return;
    ledger_print(data.items, &before, &after);
    fail_msg("offer %u, %u times, which is %s", number, times, is_traded ? "traded" : "refused");
}

#endif

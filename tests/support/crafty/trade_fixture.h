/*
 * A villager two blocks before the first player of a creature_fixture, both on the floor, in the
 * morning of the first day. The players are in survival with empty slots.
 *
 *     TradeFixture fixture;
 *     trade_make(&fixture, 1, CRAFTY_BAKER);
 *     trade_give(&fixture, 0, 3, "emerald", 5);
 *     trade_press_use(&fixture, 0);
 *     trade_buy(&fixture, 0, 4, 1);
 *     trade_end(&fixture);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_TRADE_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_TRADE_FIXTURE_H

#include "creature_fixture.h"

#include <crafty/sim/day.h>
#include <crafty/sim/inventory.h>
#include <crafty/sim/trade.h>
#include <crafty/sim/villager.h>

typedef struct TradeFixture {
    CreatureFixture creatures;
    SimFixture *sim;
    CnWorld *world;
    CraftyTrades *trades;
    CnEntity villager;
    CnEventReader *events;
    CraftyPlayerEvent last; /* refusal or trade that trade_events found */
} TradeFixture;

/* A villager needs no village to trade, but has no daily round without one. */
static inline CnEntity trade_villager(TradeFixture *fixture, CraftyProfession profession, CnVec3 at)
{
    const CraftyCreatureKind *kind =
        crafty_creature_kind_find(fixture->creatures.kinds, CRAFTY_VILLAGER);
    CnEntity entity = cn_object(fixture->world, "Villager");
    assert_non_null(kind);
    assert_true(
        cn_set(fixture->world, entity, CraftyCreature, {.kind = kind->number, .health = 20}) &&
        cn_set(fixture->world, entity, CraftyVillager,
               {.profession = (uint8_t)profession, .activity = CRAFTY_VILLAGER_WORKS}));
    cn_get_mut(fixture->world, entity, CnTransform)->position = at;
    return entity;
}

static inline void trade_make(TradeFixture *fixture, uint32_t players, CraftyProfession profession)
{
    CnError error = {0};
    *fixture = (TradeFixture){0};
    creatures_make(&fixture->creatures, players, 8);
    fixture->sim = &fixture->creatures.sim;
    fixture->world = fixture->sim->world;
    fixture->trades = crafty_trades_create(&(CraftyTradesDesc){.items = fixture->sim->items,
                                                               .file = "trades.json",
                                                               .text = crafty_trades_text()},
                                           &error);
    if (!fixture->trades)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    cn_resource_mut(fixture->world, CraftyItemList)->trades = fixture->trades;
    fixture->villager = trade_villager(fixture, profession, cn_vec3(0.5f, FLOOR_Y + 1, -1.5f));
    for (uint32_t i = 0; i < players; i++)
        make_mortal(&fixture->creatures, i);
    crafty_day_set_hours(fixture->world, 9);
    fixture->events = cn_event_reader_create(cn_channel(fixture->world, CraftyPlayerEvent), NULL);
    assert_non_null(fixture->events);
    fixture_ticks(fixture->sim, 2);
}

static inline void trade_end(TradeFixture *fixture)
{
    cn_event_reader_destroy(fixture->events);
    creatures_end(&fixture->creatures);
    crafty_trades_destroy(fixture->trades);
}

static inline void trade_give(TradeFixture *fixture, uint32_t player, uint32_t slot,
                              const char *item, uint32_t count)
{
    *crafty_player_slot(fixture_player(fixture->sim, player), slot) =
        (CraftyStack){fixture_item(fixture->sim, item), (uint16_t)count, 0};
}

static inline uint32_t trade_count(TradeFixture *fixture, uint32_t player, const char *item)
{
    return crafty_trade_owned(fixture_player(fixture->sim, player),
                              fixture_item(fixture->sim, item));
}

/* The player looks to the north, where the villager stands. */
static inline void trade_press_use(TradeFixture *fixture, uint32_t player)
{
    input_button(&fixture->sim->inputs[player], CN_MOUSE_RIGHT, true);
    fixture_ticks(fixture->sim, 2);
    input_button(&fixture->sim->inputs[player], CN_MOUSE_RIGHT, false);
    fixture_ticks(fixture->sim, 2);
}

static inline bool trade_is_open(TradeFixture *fixture, uint32_t player)
{
    return crafty_trade_partner(fixture->world, fixture->sim->players[player]).id != 0;
}

/* Sends the command and returns whether it was applied. */
static inline bool trade_buy(TradeFixture *fixture, uint32_t player, uint32_t number,
                             uint32_t times)
{
    uint64_t before = cn_resource(fixture->world, CraftyCommandCounts)->applied;
    assert_true(crafty_connection_send_command(fixture->sim->inputs[player].connection,
                                               &(CraftyCommand){.kind = CRAFTY_COMMAND_TRADE,
                                                                .choice = (uint8_t)number,
                                                                .count = (uint16_t)times}));
    fixture_ticks(fixture->sim, 1);
    return cn_resource(fixture->world, CraftyCommandCounts)->applied > before;
}

/* Returns how many events of this kind came since the last call, and keeps the last one. */
static inline uint32_t trade_events(TradeFixture *fixture, CraftyPlayerEventKind kind)
{
    uint32_t count = 0;
    for (const CraftyPlayerEvent *event;
         (event = cn_read_next(fixture->events, CraftyPlayerEvent));)
        if (event->kind == kind) {
            fixture->last = *event;
            count++;
        }
    return count;
}

static inline uint32_t trade_stock(TradeFixture *fixture, uint32_t number)
{
    const CraftyVillager *villager = cn_get(fixture->world, fixture->villager, CraftyVillager);
    const CraftyOffer *offer =
        crafty_trades_find(fixture->trades, (CraftyProfession)villager->profession, number);
    assert_non_null(offer);
    return crafty_trade_stock(fixture->world, fixture->villager, offer);
}

#endif

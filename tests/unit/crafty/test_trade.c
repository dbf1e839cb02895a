/* Trading with villagers: by the hand and by commands, stock, and when it ends. Offers are those of
 * data/trades.json. */
#include "trade_fixture.h"

/* Of the baker. */
enum { FLOUR = 1, EGGS = 2, BREAD = 4, COOKIES = 5, PIE = 7 };
#define PIE_STOCK 6u

static TradeFixture fixture;

static int make(void **state)
{
    (void)state;
    trade_make(&fixture, 2, CRAFTY_BAKER);
    return 0;
}

static int end(void **state)
{
    (void)state;
    trade_end(&fixture);
    return 0;
}

static void open_trade(void)
{
    trade_press_use(&fixture, 0);
    assert_true(trade_is_open(&fixture, 0));
}

static void expect_refusal(CraftyRefusal why)
{
    assert_int_equal(trade_events(&fixture, CRAFTY_PLAYER_REFUSED), 1);
    assert_int_equal(fixture.last.count, why);
}

/* ---- Opening ---- */

static void using_a_villager_opens_its_trades(void **state)
{
    (void)state;
    trade_press_use(&fixture, 0);
    assert_int_equal(fixture_player(fixture.sim, 0)->open, CRAFTY_OPEN_TRADE);
    assert_int_equal(crafty_trade_partner(fixture.world, fixture.sim->players[0]).id,
                     fixture.villager.id);
    assert_int_equal(trade_events(&fixture, CRAFTY_PLAYER_TRADE_OPENED), 1);
}

static void the_villager_in_sight_is_found_without_changing_anything(void **state)
{
    (void)state;
    uint64_t before = cn_sim_hash(fixture.sim->sim);
    assert_int_equal(crafty_villager_aimed(fixture.world, fixture.sim->players[0]).id,
                     fixture.villager.id);
    assert_int_equal(crafty_villager_aimed(fixture.world, fixture.sim->players[1]).id, 0);
    assert_true(cn_sim_hash(fixture.sim->sim) == before);
}

static void a_wall_hides_the_villager(void **state)
{
    (void)state;
    for (int32_t y = 1; y <= 2; y++)
        put_block(&fixture.creatures, 0, y, -1, "stone");
    trade_press_use(&fixture, 0);
    assert_false(trade_is_open(&fixture, 0));
    assert_int_equal(crafty_villager_aimed(fixture.world, fixture.sim->players[0]).id, 0);
}

static void a_sleeping_villager_refuses(void **state)
{
    (void)state;
    cn_get_mut(fixture.world, fixture.villager, CraftyVillager)->activity = CRAFTY_VILLAGER_SLEEPS;
    trade_press_use(&fixture, 0);
    assert_false(trade_is_open(&fixture, 0));
    expect_refusal(CRAFTY_REFUSAL_TRADE_ASLEEP);
    assert_int_equal(fixture.last.item, CRAFTY_BAKER);
}

static void a_villager_refuses_when_a_monster_is_near(void **state)
{
    (void)state;
    creature_at(&fixture.creatures, "zombie", -6.5f, -6.5f);
    trade_press_use(&fixture, 0);
    assert_false(trade_is_open(&fixture, 0));
    expect_refusal(CRAFTY_REFUSAL_TRADE_DANGER);
}

static void a_villager_of_an_unknown_profession_has_nothing(void **state)
{
    (void)state;
    cn_get_mut(fixture.world, fixture.villager, CraftyVillager)->profession = 200;
    trade_press_use(&fixture, 0);
    assert_false(trade_is_open(&fixture, 0));
    expect_refusal(CRAFTY_REFUSAL_TRADE_NOTHING);
}

/* ---- Buying ---- */

static void a_trade_takes_the_cost_and_gives_the_result(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 3, "flour", 20);
    open_trade();
    assert_true(trade_buy(&fixture, 0, FLOUR, 1));
    assert_int_equal(trade_count(&fixture, 0, "flour"), 12);
    assert_int_equal(trade_count(&fixture, 0, "emerald"), 1);
    assert_int_equal(trade_events(&fixture, CRAFTY_PLAYER_TRADED), 1);
    assert_int_equal(fixture.last.count, 1);
}

static void costs_are_taken_from_several_stacks(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 0, "flour", 5);
    trade_give(&fixture, 0, 20, "flour", 2);
    trade_give(&fixture, 0, 35, "flour", 3);
    open_trade();
    assert_true(trade_buy(&fixture, 0, FLOUR, 1));
    assert_int_equal(fixture_player(fixture.sim, 0)->slots[0].count, 2); /* the hotbar comes last */
    assert_int_equal(trade_count(&fixture, 0, "flour"), 2);
}

static void many_trades_at_once_stop_where_the_cost_ends(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 3, "flour", 35);
    open_trade();
    assert_true(trade_buy(&fixture, 0, FLOUR, 64));
    assert_int_equal(trade_count(&fixture, 0, "flour"), 3);
    assert_int_equal(trade_count(&fixture, 0, "emerald"), 4);
}

static void an_offer_may_cost_two_items(void **state)
{
    (void)state;
    cn_get_mut(fixture.world, fixture.villager, CraftyVillager)->profession = CRAFTY_FISHER;
    trade_give(&fixture, 0, 1, "raw_fish", 10);
    open_trade();
    assert_false(trade_buy(&fixture, 0, 3, 1));
    trade_give(&fixture, 0, 2, "emerald", 2);
    assert_true(trade_buy(&fixture, 0, 3, 1));
    assert_int_equal(trade_count(&fixture, 0, "raw_fish"), 4);
    assert_int_equal(trade_count(&fixture, 0, "emerald"), 1);
    assert_int_equal(trade_count(&fixture, 0, "cooked_fish"), 8);
}

static void without_the_cost_nothing_changes(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 3, "flour", 7);
    open_trade();
    assert_false(trade_buy(&fixture, 0, FLOUR, 1));
    assert_int_equal(trade_count(&fixture, 0, "flour"), 7);
    expect_refusal(CRAFTY_REFUSAL_TRADE_COST);
}

static void without_room_nothing_changes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        trade_give(&fixture, 0, i, "stone", 64);
    trade_give(&fixture, 0, 3, "emerald", 9);
    open_trade();
    assert_false(trade_buy(&fixture, 0, BREAD, 1));
    assert_int_equal(trade_count(&fixture, 0, "emerald"), 9);
    expect_refusal(CRAFTY_REFUSAL_TRADE_ROOM);
}

/* The slot of the last emerald is the room. */
static void the_cost_makes_room_for_the_result(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        trade_give(&fixture, 0, i, "stone", 64);
    trade_give(&fixture, 0, 3, "emerald", 1);
    open_trade();
    assert_true(trade_buy(&fixture, 0, BREAD, 1));
    assert_int_equal(trade_count(&fixture, 0, "bread"), 4);
}

static void used_tools_are_not_accepted(void **state)
{
    (void)state;
    cn_get_mut(fixture.world, fixture.villager, CraftyVillager)->profession = CRAFTY_SMITH;
    trade_give(&fixture, 0, 0, "emerald", 20);
    trade_give(&fixture, 0, 1, "iron_pickaxe", 1);
    fixture_player(fixture.sim, 0)->slots[1].wear = 1;
    open_trade();
    assert_false(trade_buy(&fixture, 0, 8, 1));
    fixture_player(fixture.sim, 0)->slots[1].wear = 0;
    assert_true(trade_buy(&fixture, 0, 8, 1));
    assert_int_equal(trade_count(&fixture, 0, "diamond_pickaxe"), 1);
    assert_int_equal(trade_count(&fixture, 0, "iron_pickaxe"), 0);
}

/* ---- Stock ---- */

static void an_offer_sells_out(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 0, "emerald", 64);
    open_trade();
    assert_int_equal(trade_stock(&fixture, PIE), PIE_STOCK);
    assert_true(trade_buy(&fixture, 0, PIE, 64));
    assert_int_equal(trade_count(&fixture, 0, "apple_pie"), 2 * PIE_STOCK);
    assert_int_equal(trade_count(&fixture, 0, "emerald"), 64 - PIE_STOCK);
    assert_int_equal(trade_stock(&fixture, PIE), 0);
    assert_false(trade_buy(&fixture, 0, PIE, 1));
    expect_refusal(CRAFTY_REFUSAL_TRADE_STOCK);
}

static void other_offers_stay_when_one_sells_out(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 0, "emerald", 64);
    open_trade();
    assert_true(trade_buy(&fixture, 0, PIE, 64));
    assert_true(trade_buy(&fixture, 0, COOKIES, 1));
}

static void the_stock_is_full_again_at_six_in_the_morning(void **state)
{
    (void)state;
    CraftyDay *day = cn_resource_mut(fixture.world, CraftyDay);
    trade_give(&fixture, 0, 0, "emerald", 64);
    open_trade();
    assert_true(trade_buy(&fixture, 0, PIE, 64));
    day->days = 1.249;
    assert_int_equal(trade_stock(&fixture, PIE), 0);
    day->days = 1.251;
    assert_int_equal(trade_stock(&fixture, PIE), PIE_STOCK);
    assert_true(trade_buy(&fixture, 0, PIE, 1));
    assert_int_equal(trade_stock(&fixture, PIE), PIE_STOCK - 1);
}

static void two_customers_share_the_stock(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 0, "emerald", 64);
    trade_give(&fixture, 1, 0, "emerald", 64);
    assert_true(crafty_trade_use(fixture.world, fixture.sim->players[0], fixture.villager) &&
                crafty_trade_use(fixture.world, fixture.sim->players[1], fixture.villager));
    assert_true(trade_buy(&fixture, 0, PIE, 4));
    assert_true(trade_buy(&fixture, 1, PIE, 64));
    assert_int_equal(trade_count(&fixture, 1, "apple_pie"), 2 * (PIE_STOCK - 4));
}

static void every_villager_has_its_own_stock(void **state)
{
    (void)state;
    CnEntity other = trade_villager(&fixture, CRAFTY_BAKER, cn_vec3(2.5f, FLOOR_Y + 1, -1.5f));
    trade_give(&fixture, 0, 0, "emerald", 64);
    open_trade();
    assert_true(trade_buy(&fixture, 0, PIE, 64));
    assert_true(crafty_trade_use(fixture.world, fixture.sim->players[0], other));
    assert_true(trade_buy(&fixture, 0, PIE, 64));
    assert_int_equal(trade_count(&fixture, 0, "apple_pie"), 4 * PIE_STOCK);
}

/* A save of another version may have used more than there is now. */
static void a_manipulated_stock_is_empty_at_worst(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 0, "emerald", 64);
    assert_true(cn_set(fixture.world, fixture.villager, CraftyTrader,
                       {.day = crafty_trade_day(fixture.world),
                        .used = {255, 255, 255, 255, 255, 255, 255, 255}}));
    open_trade();
    for (uint32_t i = 1; i <= CRAFTY_MAX_OFFERS; i++)
        assert_false(trade_buy(&fixture, 0, i, 64));
    assert_int_equal(trade_count(&fixture, 0, "emerald"), 64);
}

/* ---- What is refused ---- */

static void without_an_open_trade_nothing_is_bought(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 0, "emerald", 64);
    assert_false(trade_buy(&fixture, 0, BREAD, 1));
    assert_int_equal(trade_count(&fixture, 0, "emerald"), 64);
}

static void an_offer_that_does_not_exist_is_refused(void **state)
{
    (void)state;
    trade_give(&fixture, 0, 0, "emerald", 64);
    open_trade();
    assert_false(trade_buy(&fixture, 0, 8, 1));
    assert_int_equal(trade_count(&fixture, 0, "emerald"), 64);
}

static void commands_out_of_range_are_not_valid(void **state)
{
    (void)state;
    const CraftyCommand commands[] = {
        {.choice = 0, .count = 1},   {.choice = CRAFTY_MAX_OFFERS + 1, .count = 1},
        {.choice = 255, .count = 1}, {.choice = 1, .count = 0},
        {.choice = 1, .count = 65},  {.choice = 1, .count = UINT16_MAX}};
    for (uint32_t i = 0; i < CN_COUNT_OF(commands); i++) {
        CraftyCommand command = commands[i];
        command.kind = CRAFTY_COMMAND_TRADE;
        assert_false(crafty_command_valid(&command));
    }
}

/* ---- Ending ---- */

static void the_trade_ends_when_the_player_goes_away(void **state)
{
    (void)state;
    open_trade();
    cn_get_mut(fixture.world, fixture.sim->players[0], CnTransform)->position.z += 6;
    fixture_ticks(fixture.sim, 1);
    assert_false(trade_is_open(&fixture, 0));
    assert_int_equal(fixture_player(fixture.sim, 0)->open, CRAFTY_OPEN_NOTHING);
}

static void the_trade_ends_when_the_villager_goes_to_bed(void **state)
{
    (void)state;
    open_trade();
    cn_get_mut(fixture.world, fixture.villager, CraftyVillager)->activity = CRAFTY_VILLAGER_SLEEPS;
    fixture_ticks(fixture.sim, 1);
    assert_false(trade_is_open(&fixture, 0));
}

static void the_trade_ends_when_a_monster_comes(void **state)
{
    (void)state;
    open_trade();
    creature_at(&fixture.creatures, "zombie", -7.5f, -7.5f);
    fixture_ticks(fixture.sim, 10);
    assert_false(trade_is_open(&fixture, 0));
}

static void the_trade_ends_when_the_villager_dies(void **state)
{
    (void)state;
    open_trade();
    cn_get_mut(fixture.world, fixture.villager, CraftyCreature)->health = 0;
    fixture_ticks(fixture.sim, 1);
    assert_false(trade_is_open(&fixture, 0));
}

static void the_trade_ends_when_the_villager_is_gone(void **state)
{
    (void)state;
    open_trade();
    cn_destroy(fixture.world, fixture.villager);
    fixture_ticks(fixture.sim, 1);
    assert_int_equal(fixture_player(fixture.sim, 0)->open, CRAFTY_OPEN_NOTHING);
}

static void closing_ends_the_trade(void **state)
{
    (void)state;
    open_trade();
    assert_true(crafty_connection_send_command(fixture.sim->inputs[0].connection,
                                               &(CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE}));
    fixture_ticks(fixture.sim, 1);
    assert_false(trade_is_open(&fixture, 0));
    const CraftyCustomer *customer = cn_get(fixture.world, fixture.sim->players[0], CraftyCustomer);
    assert_int_equal(customer->villager.id, 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(using_a_villager_opens_its_trades),
        TEST(the_villager_in_sight_is_found_without_changing_anything),
        TEST(a_wall_hides_the_villager),
        TEST(a_sleeping_villager_refuses),
        TEST(a_villager_refuses_when_a_monster_is_near),
        TEST(a_villager_of_an_unknown_profession_has_nothing),
        TEST(a_trade_takes_the_cost_and_gives_the_result),
        TEST(costs_are_taken_from_several_stacks),
        TEST(many_trades_at_once_stop_where_the_cost_ends),
        TEST(an_offer_may_cost_two_items),
        TEST(without_the_cost_nothing_changes),
        TEST(without_room_nothing_changes),
        TEST(the_cost_makes_room_for_the_result),
        TEST(used_tools_are_not_accepted),
        TEST(an_offer_sells_out),
        TEST(other_offers_stay_when_one_sells_out),
        TEST(the_stock_is_full_again_at_six_in_the_morning),
        TEST(two_customers_share_the_stock),
        TEST(every_villager_has_its_own_stock),
        TEST(a_manipulated_stock_is_empty_at_worst),
        TEST(without_an_open_trade_nothing_is_bought),
        TEST(an_offer_that_does_not_exist_is_refused),
        TEST(commands_out_of_range_are_not_valid),
        TEST(the_trade_ends_when_the_player_goes_away),
        TEST(the_trade_ends_when_the_villager_goes_to_bed),
        TEST(the_trade_ends_when_a_monster_comes),
        TEST(the_trade_ends_when_the_villager_dies),
        TEST(the_trade_ends_when_the_villager_is_gone),
        TEST(closing_ends_the_trade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: slow */
/* Conservation: no item appears or vanishes, except by recipes, fuel and smelting. */
#include "item_ledger.h"

static CnQuery *drops;

static int make(void **state)
{
    begin_inventory(state);
    CnQueryDesc query = {.all = {cn_reads(CraftyDrop)}};
    drops = cn_query_acquire(world, &query, NULL);
    assert_non_null(drops);
    return 0;
}

static int end(void **state)
{
    cn_query_release(drops);
    return end_inventory(state);
}

static void start_furnaces(void)
{
    CraftyFurnace furnace = {.slots = {stack_of("raw_iron", 64), stack_of("coal", 64)}};
    assert_true(crafty_furnace_write(world, FURNACE, &furnace, NULL));
    furnace.slots[CRAFTY_FURNACE_FUEL] = stack_of("bamboo", 64);
    assert_true(crafty_furnace_write(world, OTHER_FURNACE, &furnace, NULL));
}

static void ten_thousand_operations_of_three_players_conserve_all_items(void **state)
{
    (void)state;
    TestRandom random = {11};
    LedgerCounts counts = {0};
    ledger_stock(&random);
    start_furnaces();
    for (uint32_t i = 0; counts.applied < 10000; i++) {
        uint32_t index = test_random_below(&random, FIXTURE_PLAYERS);
        if (test_random_chance(&random, 8))
            ledger_open_block(&random, index);
        CraftyCommand sent = ledger_command(&random, index);
        ledger_apply(index, &sent, drops, &counts);
        if (i % 2)
            ledger_tick(drops, &counts);
    }
    print_message("%u applied, %u refused, %u crafted, %u lit, %u ticks of furnaces\n",
                  counts.applied, counts.refused, counts.crafted, counts.burnt, counts.smelted);
    assert_true(counts.crafted > 100 && counts.burnt > 0 && counts.smelted > 5);
    assert_int_equal(cn_resource(world, CraftyDropCounts)->vanished_items, 0);
}

/* The test is able to fail. */
static void the_ledger_notices_a_lost_item(void **state)
{
    (void)state;
    static Ledger before, after;
    *crafty_player_slot(player(1), 5) = stack_of("stone", 10);
    ledger_count(&before, drops);
    player(1)->slots[5].count--;
    ledger_count(&after, drops);
    assert_false(ledger_same(&before, &after));
    assert_false(ledger_fuel_explains(&before, &after));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ten_thousand_operations_of_three_players_conserve_all_items),
        TEST(the_ledger_notices_a_lost_item),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

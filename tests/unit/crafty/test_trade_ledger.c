/* Conservation: trades take what they cost and give what they promise, and nothing else. */
#include "trade_ledger.h"

static void ten_thousand_trades_of_three_players_conserve_all_items(void **state)
{
    begin_inventory(state);
    begin_trades();
    TestRandom random = {17};
    TradeCounts counts = {0};
    CnQueryDesc query = {.all = {cn_reads(CraftyDrop)}};
    CnQuery *drops = cn_query_acquire(world, &query, NULL);
    assert_non_null(drops);
    for (uint32_t i = 0; i < 10000; i++) {
        if (i % 50 == 0)
            trade_ledger_stock(&random, i / 50 % FIXTURE_PLAYERS);
        if (i % 100 == 0) /* the next morning */
            cn_resource_mut(world, CraftyDay)->days += 1;
        trade_ledger_step(&random, drops, &counts);
    }
    print_message("%u traded, %u refused\n", counts.traded, counts.refused);
    assert_true(counts.traded > 500 && counts.refused > 500);
    cn_query_release(drops);
    end_inventory(state);
    end_trades();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_trades_of_three_players_conserve_all_items)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

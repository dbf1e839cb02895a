/* Out of memory while players trade: a trade happens completely or not at all. */
#include "faulty_allocator.h"
#include "trade_ledger.h"

static FaultyAllocator faulty;

static void trades_without_memory_lose_nothing(void **state)
{
    TestRandom random = {23};
    TradeCounts counts = {0};
    faulty = faulty_allocator(cn_system_allocator());
    begin_inventory_with(&faulty.base);
    begin_trades();
    CnQueryDesc query = {.all = {cn_reads(CraftyDrop)}};
    CnQuery *drops = cn_query_acquire(world, &query, NULL);
    assert_non_null(drops);
    for (uint32_t i = 0; i < 4000; i++) {
        if (i % 50 == 0)
            trade_ledger_stock(&random, i / 50 % FIXTURE_PLAYERS);
        if (i % 40 == 0) { /* villagers and players who have not traded yet need memory */
            uint32_t some = test_random_below(&random, CRAFTY_PROFESSION_COUNT);
            cn_remove(world, villagers[some], CraftyTrader);
            cn_remove(world, players[some % FIXTURE_PLAYERS], CraftyCustomer);
        }
        faulty.percent = test_random_below(&random, 4) * 30;
        trade_ledger_step(&random, drops, &counts);
        faulty.percent = 0;
    }
    print_message("%u traded, %u refused, %u allocations failed\n", counts.traded, counts.refused,
                  (uint32_t)faulty.failures);
    assert_true(counts.traded > 50 && counts.refused > 50);
    cn_query_release(drops);
    end_inventory(state);
    end_trades();
}

static void trades_that_cannot_be_read_without_memory_report_it(void **state)
{
    uint32_t failures = 0;
    faulty = faulty_allocator(cn_system_allocator());
    begin_inventory(state);
    for (uint64_t nth = 0;; nth++) {
        CnError error = {0};
        faulty.calls = 0;
        faulty.fail_at = nth;
        CraftyTrades *read = crafty_trades_create(&(CraftyTradesDesc){.allocator = &faulty.base,
                                                                      .items = data.items,
                                                                      .file = "trades.json",
                                                                      .text = crafty_trades_text()},
                                                  &error);
        faulty.fail_at = UINT64_MAX;
        if (read) {
            crafty_trades_destroy(read);
            break;
        }
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 0);
    end_inventory(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trades_without_memory_lose_nothing),
        cmocka_unit_test(trades_that_cannot_be_read_without_memory_report_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

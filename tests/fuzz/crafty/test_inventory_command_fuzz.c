/* 100,000 commands about items with random fields: none crashes, and no item is lost or created. */
#include "item_ledger.h"

static CraftyCommand random_command(TestRandom *random)
{
    CraftyCommand sent;
    uint8_t *bytes = (uint8_t *)&sent;
    for (size_t i = 0; i < sizeof sent; i++)
        bytes[i] = (uint8_t)test_random(random);
    if (test_random_chance(random, 90))
        sent.kind = (uint8_t)(CRAFTY_COMMAND_MOVE_ITEMS +
                              test_random_below(random, CRAFTY_COMMAND_KIND_COUNT));
    if (sent.kind == CRAFTY_COMMAND_DELETE_ITEMS)
        sent.kind = CRAFTY_COMMAND_MOVE_ITEMS;
    if (test_random_chance(random, 70))
        sent.count = (uint16_t)(1 + sent.count % 16);
    if (test_random_chance(random, 70))
        sent.from %= 92;
    if (test_random_chance(random, 70))
        sent.to %= 92;
    for (uint32_t i = 0; i < 3 && test_random_chance(random, 80); i++)
        sent.cell[i] = i == 1 ? 300 : sent.cell[i] % 4;
    return sent;
}

static void a_hundred_thousand_random_commands_conserve_all_items(void **state)
{
    (void)state;
    begin_inventory(state);
    TestRandom random = {3};
    LedgerCounts counts = {0};
    CnQueryDesc query = {.all = {cn_reads(CraftyDrop)}};
    CnQuery *drops = cn_query_acquire(world, &query, NULL);
    assert_non_null(drops);
    ledger_stock(&random);
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t index = test_random_below(&random, FIXTURE_PLAYERS);
        CraftyCommand sent = random_command(&random);
        if (test_random_chance(&random, 2))
            ledger_open_block(&random, index);
        ledger_apply(index, &sent, drops, &counts);
        if (i % 50 == 0)
            ledger_tick(drops, &counts);
    }
    print_message("%u applied, %u refused, %u crafted\n", counts.applied, counts.refused,
                  counts.crafted);
    assert_true(counts.applied > 1000 && counts.refused > 1000);
    cn_query_release(drops);
    end_inventory(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_random_commands_conserve_all_items)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

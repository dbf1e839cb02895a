/* Out of memory while players move items, break containers and furnaces burn: nothing is lost. */
#include "faulty_allocator.h"
#include "item_ledger.h"

static FaultyAllocator faulty;
static CnQuery *drops;

static int make(void **state)
{
    (void)state;
    faulty = faulty_allocator(cn_system_allocator());
    begin_inventory_with(&faulty.base);
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

static void commands_without_memory_lose_nothing(void **state)
{
    (void)state;
    TestRandom random = {5};
    LedgerCounts counts = {0};
    ledger_stock(&random);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t index = test_random_below(&random, FIXTURE_PLAYERS);
        if (test_random_chance(&random, 8))
            ledger_open_block(&random, index);
        CraftyCommand sent = ledger_command(&random, index);
        faulty.percent = test_random_below(&random, 4) * 30;
        ledger_apply(index, &sent, drops, &counts);
        faulty.percent = 0;
        if (i % 8 == 0)
            ledger_tick(drops, &counts);
    }
    print_message("%u applied, %u refused, %u allocations failed\n", counts.applied, counts.refused,
                  (uint32_t)faulty.failures);
    assert_true(counts.applied > 2000 && faulty.failures > 40);
}

/* ---- Breaking ---- */

static void break_block(CnCell cell)
{
    CnEdit edit = {.kind = CN_EDIT_BREAK, .cell = cell, .new_block = CN_BLOCK_AIR};
    cn_voxels_edit(blocks.world, &edit, NULL);
}

/* Either nothing happens, or everything drops, or the block is back with the rest. Without memory
 * for that either, a warning counts what is lost; one allocation that fails does not lead there. */
static void one_allocation_that_fails_while_a_chest_breaks_loses_nothing(void **state)
{
    (void)state;
    static Ledger before, after;
    uint32_t broken = 0;
    for (uint64_t nth = 0; nth < 40; nth++) {
        CraftyContainer chest = {.slots = {[2] = stack_of("stone", 10),
                                           [3] = stack_of("stick", 20),
                                           [9] = stack_of("coal", 30)}};
        assert_true(voxel_set(blocks.world, CHEST, block_of("chest_north")));
        assert_true(crafty_container_write(blocks.world, CHEST, &chest, NULL));
        ledger_count(&before, drops);
        faulty.calls = 0;
        faulty.fail_at = nth;
        break_block(CHEST);
        faulty.fail_at = UINT64_MAX;
        ledger_count(&after, drops);
        if (!ledger_same(&before, &after)) {
            ledger_print(data.items, &before, &after);
            fail_msg("allocation %u", (uint32_t)nth);
        }
        broken += cn_voxels_get(blocks.world, CHEST) == CN_BLOCK_AIR;
    }
    assert_true(broken > 0 && broken < 40);
}

/* ---- Furnaces ---- */

static void a_furnace_without_memory_goes_on_later(void **state)
{
    (void)state;
    static Ledger before, after;
    CraftyFurnace furnace = {.slots = {stack_of("raw_iron", 3), stack_of("coal", 3)}};
    assert_true(crafty_furnace_write(world, FURNACE, &furnace, NULL));
    run_ticks(600);
    ledger_count(&before, drops);
    faulty.percent = 100;
    for (uint32_t i = 0; i < 20; i++)
        cn_sim_tick_n(sim, 1, NULL);
    faulty.percent = 0;
    run_ticks(1);
    ledger_count(&after, drops);
    assert_true(ledger_furnaces_explain(&before, &after, (CraftyFurnace[2]){furnace, furnace}));
    assert_true(crafty_furnace_read(world, FURNACE, &furnace));
    expect_stack(furnace.slots[CRAFTY_FURNACE_RESULT], "iron_ingot", 1);
    expect_stack(furnace.slots[CRAFTY_FURNACE_INPUT], "raw_iron", 2);
}

/* ---- Data ---- */

static void recipes_and_rules_without_memory_report_it(void **state)
{
    (void)state;
    uint32_t failures = 0;
    for (uint64_t nth = 0;; nth++) {
        CnError error = {0};
        faulty.calls = 0;
        faulty.fail_at = nth;
        CraftyRecipes *recipes =
            crafty_recipes_create(&(CraftyRecipesDesc){.allocator = &faulty.base,
                                                       .items = data.items,
                                                       .file = "recipes.json",
                                                       .text = crafty_recipes_text()},
                                  &error);
        faulty.fail_at = UINT64_MAX;
        if (recipes) {
            crafty_recipes_destroy(recipes);
            break;
        }
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        failures++;
    }
    for (uint64_t nth = 0; nth < 3; nth++) {
        CnError error = {0};
        faulty.calls = 0;
        faulty.fail_at = nth;
        assert_null(
            crafty_block_rules_create(&(CraftyBlockRulesDesc){.allocator = &faulty.base,
                                                              .items = data.items,
                                                              .blocks = standard_blocks(),
                                                              .file = "block_rules.json",
                                                              .text = crafty_block_rules_text()},
                                      &error));
        faulty.fail_at = UINT64_MAX;
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    }
    assert_true(failures > 5);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(commands_without_memory_lose_nothing),
        TEST(one_allocation_that_fails_while_a_chest_breaks_loses_nothing),
        TEST(a_furnace_without_memory_goes_on_later),
        TEST(recipes_and_rules_without_memory_report_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/slot_table.h>

typedef struct Item {
    CnSlot slot;
    uint32_t value;
} Item;

#define LIMIT 1000u

static int make_table(void **state)
{
    static CnSlotTable table;
    cn_slot_table_init(&table, NULL, sizeof(Item), LIMIT);
    *state = &table;
    return 0;
}

static int drop_table(void **state)
{
    cn_slot_table_fini(*state);
    return 0;
}

static uint32_t acquire(CnSlotTable *table)
{
    uint32_t id = 0;
    assert_non_null(cn_slot_table_acquire(table, &id));
    return id;
}

static void an_id_finds_its_item(void **state)
{
    uint32_t ids[100];
    for (uint32_t i = 0; i < 100; i++)
        ((Item *)cn_slot_table_acquire(*state, &ids[i]))->value = i;
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(((Item *)cn_slot_table_get(*state, ids[i]))->value, i);
    assert_int_equal(((CnSlotTable *)*state)->live, 100);
}

static void slots_are_numbered_from_zero(void **state)
{
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(cn_slot_index(acquire(*state)), i);
}

static void a_reused_slot_has_another_id_and_a_zeroed_item(void **state)
{
    uint32_t first, second;
    ((Item *)cn_slot_table_acquire(*state, &first))->value = 7;
    cn_slot_table_release(*state, cn_slot_index(first));
    const Item *item = cn_slot_table_acquire(*state, &second);
    assert_int_equal(cn_slot_index(first), cn_slot_index(second));
    assert_int_not_equal(first, second);
    assert_int_equal(item->value, 0);
    assert_null(cn_slot_table_get(*state, first));
}

static void a_killed_item_keeps_its_slot(void **state)
{
    uint32_t first = acquire(*state);
    cn_slot_table_kill(*state, cn_slot_index(first));
    assert_null(cn_slot_table_get(*state, first));
    assert_null(cn_slot_table_live_at(*state, cn_slot_index(first)));
    assert_int_not_equal(cn_slot_index(acquire(*state)), cn_slot_index(first));
}

static void a_killed_item_can_be_released(void **state)
{
    uint32_t first = acquire(*state);
    cn_slot_table_kill(*state, cn_slot_index(first));
    cn_slot_table_release(*state, cn_slot_index(first));
    assert_int_equal(cn_slot_index(acquire(*state)), cn_slot_index(first));
}

static void the_slot_that_was_freed_first_is_reused_first(void **state)
{
    uint32_t ids[3];
    for (uint32_t i = 0; i < 3; i++)
        ids[i] = acquire(*state);
    cn_slot_table_release(*state, cn_slot_index(ids[1]));
    cn_slot_table_release(*state, cn_slot_index(ids[0]));
    assert_int_equal(cn_slot_index(acquire(*state)), 1);
    assert_int_equal(cn_slot_index(acquire(*state)), 0);
}

static void a_slot_is_retired_before_its_generation_wraps(void **state)
{
    CnSlotTable *table = *state;
    uint32_t first = acquire(table), id = first;
    cn_slot_table_release(table, cn_slot_index(first));
    for (uint32_t i = 0; i < CN_SLOT_MAX_GENERATION + 10; i++) {
        id = acquire(table);
        assert_int_not_equal(id, first);
        cn_slot_table_release(table, cn_slot_index(id));
    }
    assert_int_equal(table->count, 2);
    assert_null(cn_slot_table_get(table, first));
}

static void ids_that_were_never_given_out_find_nothing(void **state)
{
    uint32_t id = acquire(*state);
    assert_null(cn_slot_table_get(*state, 0));
    assert_null(cn_slot_table_get(*state, UINT32_MAX));
    assert_null(cn_slot_table_get(*state, id + 1));
    assert_null(cn_slot_table_get(*state, id + (1u << CN_SLOT_INDEX_BITS)));
}

static void a_full_table_refuses_further_items(void **state)
{
    uint32_t id;
    for (uint32_t i = 0; i < LIMIT; i++)
        acquire(*state);
    assert_null(cn_slot_table_acquire(*state, &id));
    cn_slot_table_release(*state, 17);
    assert_int_equal(cn_slot_index(acquire(*state)), 17);
}

static void random_use_agrees_with_a_list(void **state)
{
    CnSlotTable *table = *state;
    enum { MOST = 500 };
    uint32_t live[MOST], stale[MOST];
    uint32_t live_count = 0, stale_count = 0;
    TestRandom random = {11};
    for (int step = 0; step < 20000; step++) {
        if (live_count < MOST && test_random_chance(&random, 52)) {
            live[live_count++] = acquire(table);
        } else if (live_count > 0) {
            uint32_t i = test_random_below(&random, live_count);
            cn_slot_table_release(table, cn_slot_index(live[i]));
            stale[stale_count++ % MOST] = live[i];
            live[i] = live[--live_count];
        }
        assert_int_equal(table->live, live_count);
    }
    for (uint32_t i = 0; i < live_count; i++)
        assert_non_null(cn_slot_table_get(table, live[i]));
    for (uint32_t i = 0; i < MOST && i < stale_count; i++)
        assert_null(cn_slot_table_get(table, stale[i]));
    assert_true(table->count <= MOST);
}

#define TABLE_TEST(name) cmocka_unit_test_setup_teardown(name, make_table, drop_table)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TABLE_TEST(an_id_finds_its_item),
        TABLE_TEST(slots_are_numbered_from_zero),
        TABLE_TEST(a_reused_slot_has_another_id_and_a_zeroed_item),
        TABLE_TEST(a_killed_item_keeps_its_slot),
        TABLE_TEST(a_killed_item_can_be_released),
        TABLE_TEST(the_slot_that_was_freed_first_is_reused_first),
        TABLE_TEST(a_slot_is_retired_before_its_generation_wraps),
        TABLE_TEST(ids_that_were_never_given_out_find_nothing),
        TABLE_TEST(a_full_table_refuses_further_items),
        TABLE_TEST(random_use_agrees_with_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

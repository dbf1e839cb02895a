/* Handles of 32 bits. */
#include "cmocka_tests.h"

#include "gpu/table.h"

#include <string.h>

typedef struct Item {
    CniGpuSlot slot;
    uint32_t value;
} Item;

static void an_id_finds_its_item(void **state)
{
    (void)state;
    CniTable table;
    cni_table_init(&table, NULL, sizeof(Item));
    uint32_t ids[100];
    for (uint32_t i = 0; i < 100; i++)
        ((Item *)cni_table_take(&table, "thing", &ids[i]))->value = i;
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(((Item *)cni_table_get(&table, ids[i]))->value, i);
    assert_int_equal(table.live, 100);
    cni_table_fini(&table);
}

static void an_id_is_dead_when_killed_and_after_its_slot_is_used_again(void **state)
{
    (void)state;
    CniTable table;
    cni_table_init(&table, NULL, sizeof(Item));
    uint32_t first, second;
    cni_table_take(&table, "a", &first);
    cni_table_kill(&table, cni_table_index(first));
    assert_null(cni_table_get(&table, first));
    cni_table_release(&table, cni_table_index(first));
    cni_table_take(&table, "b", &second);
    assert_int_equal(cni_table_index(first), cni_table_index(second));
    assert_int_not_equal(first, second);
    assert_null(cni_table_get(&table, first));
    assert_non_null(cni_table_get(&table, second));
    cni_table_fini(&table);
}

static void a_slot_that_is_dying_is_not_given_away(void **state)
{
    (void)state;
    CniTable table;
    cni_table_init(&table, NULL, sizeof(Item));
    uint32_t first, second;
    cni_table_take(&table, "a", &first);
    cni_table_kill(&table, cni_table_index(first));
    cni_table_take(&table, "b", &second);
    assert_int_not_equal(cni_table_index(first), cni_table_index(second));
    cni_table_fini(&table);
}

static void no_id_comes_twice_even_when_generations_run_out(void **state)
{
    (void)state;
    CniTable table;
    cni_table_init(&table, NULL, sizeof(Item));
    uint32_t first = 0, id = 0;
    for (uint32_t i = 0; i < CNI_GPU_MAX_GENERATION + 10; i++) {
        cni_table_take(&table, "x", &id);
        if (!first)
            first = id;
        else
            assert_int_not_equal(id, first);
        cni_table_release(&table, cni_table_index(id));
    }
    assert_int_equal(table.count, 2); /* the first slot was given up */
    assert_null(cni_table_get(&table, first));
    cni_table_fini(&table);
}

static void nothing_is_found_for_ids_that_never_were(void **state)
{
    (void)state;
    CniTable table;
    cni_table_init(&table, NULL, sizeof(Item));
    uint32_t id;
    cni_table_take(&table, "x", &id);
    assert_null(cni_table_get(&table, 0));
    assert_null(cni_table_get(&table, UINT32_MAX));
    assert_null(cni_table_get(&table, id + 1));
    assert_null(cni_table_get(&table, id + (1u << CNI_GPU_INDEX_BITS)));
    cni_table_fini(&table);
}

static void a_long_name_is_cut(void **state)
{
    (void)state;
    char name[200];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CniTable table;
    cni_table_init(&table, NULL, sizeof(Item));
    uint32_t id;
    const Item *item = cni_table_take(&table, name, &id);
    assert_int_equal(strlen(item->slot.name), CNI_GPU_NAME_BYTES - 1);
    cni_table_fini(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_finds_its_item),
        cmocka_unit_test(an_id_is_dead_when_killed_and_after_its_slot_is_used_again),
        cmocka_unit_test(a_slot_that_is_dying_is_not_given_away),
        cmocka_unit_test(no_id_comes_twice_even_when_generations_run_out),
        cmocka_unit_test(nothing_is_found_for_ids_that_never_were),
        cmocka_unit_test(a_long_name_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"

#include <cairn/base/sparse.h>

static CnSparseSet set;
static CnSparseMap map;
static CnHeap *heap; /* fills what it takes back, so that stale values are seen */

static int make_containers(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    cn_sparse_set_init(&set, cn_heap_tag(heap, "set"));
    cn_sparse_map_init(&map, cn_heap_tag(heap, "map"), sizeof(double));
    return 0;
}

static int drop_containers(void **state)
{
    (void)state;
    cn_sparse_set_fini(&set);
    cn_sparse_map_fini(&map);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

static void an_empty_set_has_no_key(void **state)
{
    (void)state;
    assert_false(cn_sparse_set_has(&set, 0));
    assert_false(cn_sparse_set_has(&set, UINT32_MAX));
    assert_false(cn_sparse_set_remove(&set, 0));
}

static void keys_are_dense_in_order_of_insertion(void **state)
{
    (void)state;
    assert_int_equal(cn_sparse_set_add(&set, 70), 0);
    assert_int_equal(cn_sparse_set_add(&set, 3), 1);
    assert_int_equal(cn_sparse_set_add(&set, 100000), 2);
    assert_int_equal(set.count, 3);
    assert_int_equal(set.keys[0], 70);
    assert_int_equal(set.keys[1], 3);
    assert_int_equal(set.keys[2], 100000);
    assert_int_equal(cn_sparse_set_find(&set, 3), 1);
}

static void adding_twice_changes_nothing(void **state)
{
    (void)state;
    cn_sparse_set_add(&set, 5);
    cn_sparse_set_add(&set, 6);
    assert_int_equal(cn_sparse_set_add(&set, 5), 0);
    assert_int_equal(set.count, 2);
}

static void removal_swaps_the_last_key_in(void **state)
{
    (void)state;
    for (uint32_t key = 10; key < 14; key++)
        cn_sparse_set_add(&set, key);
    assert_true(cn_sparse_set_remove(&set, 11));
    assert_int_equal(set.count, 3);
    assert_int_equal(set.keys[1], 13);
    assert_int_equal(cn_sparse_set_find(&set, 13), 1);
    assert_false(cn_sparse_set_has(&set, 11));
    assert_true(cn_sparse_set_remove(&set, 12));
    assert_int_equal(set.count, 2);
    assert_false(cn_sparse_set_remove(&set, 12));
}

static void stale_sparse_entries_do_no_harm(void **state)
{
    (void)state;
    cn_sparse_set_add(&set, 1);
    cn_sparse_set_add(&set, 2);
    cn_sparse_set_clear(&set);
    assert_false(cn_sparse_set_has(&set, 1));
    cn_sparse_set_add(&set, 2);
    assert_false(cn_sparse_set_has(&set, 1));
    assert_true(cn_sparse_set_has(&set, 2));
}

static void the_greatest_key_is_a_key(void **state)
{
    (void)state;
    assert_int_equal(cn_sparse_set_add(&set, UINT32_MAX), 0);
    assert_true(cn_sparse_set_has(&set, UINT32_MAX));
    assert_false(cn_sparse_set_has(&set, UINT32_MAX - 1));
    assert_true(cn_sparse_set_remove(&set, UINT32_MAX));
}

static void a_map_returns_the_value_of_a_key(void **state)
{
    (void)state;
    double *place = cn_sparse_map_set(&map, 42, &(double){1.5});
    assert_non_null(place);
    assert_true(*place == 1.5);
    assert_true(*(double *)cn_sparse_map_get(&map, 42) == 1.5);
    assert_null(cn_sparse_map_get(&map, 41));
}

static void setting_again_overwrites(void **state)
{
    (void)state;
    cn_sparse_map_set(&map, 42, &(double){1.5});
    cn_sparse_map_set(&map, 42, &(double){2.5});
    assert_int_equal(map.set.count, 1);
    assert_true(*(double *)cn_sparse_map_get(&map, 42) == 2.5);
}

static void a_null_value_means_zeros(void **state)
{
    (void)state;
    cn_sparse_map_set(&map, 42, &(double){1.5});
    assert_true(*(double *)cn_sparse_map_set(&map, 42, NULL) == 0.0);
    assert_true(*(double *)cn_sparse_map_set(&map, 43, NULL) == 0.0);
}

static void values_lie_beside_their_keys(void **state)
{
    (void)state;
    for (uint32_t key = 0; key < 100; key++)
        cn_sparse_map_set(&map, key * 37, &(double){key});
    cn_sparse_map_remove(&map, 37);
    const double *values = map.values;
    for (uint32_t i = 0; i < map.set.count; i++)
        assert_true(values[i] * 37 == map.set.keys[i]);
}

static void a_value_may_come_from_the_map_that_grows(void **state)
{
    (void)state;
    cn_sparse_map_set(&map, 0, &(double){7.25});
    for (uint32_t key = 1; key < 1000; key++)
        assert_true(*(double *)cn_sparse_map_set(&map, key, cn_sparse_map_get(&map, key - 1)) ==
                    7.25);
}

static void a_map_without_values_is_a_set(void **state)
{
    (void)state;
    CnSparseMap flags;
    cn_sparse_map_init(&flags, NULL, 0);
    assert_non_null(cn_sparse_map_set(&flags, 3, NULL));
    assert_non_null(cn_sparse_map_get(&flags, 3));
    assert_true(cn_sparse_map_remove(&flags, 3));
    assert_null(cn_sparse_map_get(&flags, 3));
    cn_sparse_map_fini(&flags);
}

static void containers_can_be_used_again_after_fini(void **state)
{
    (void)state;
    cn_sparse_map_set(&map, 9, &(double){1.5});
    cn_sparse_map_fini(&map);
    assert_null(cn_sparse_map_get(&map, 9));
    assert_non_null(cn_sparse_map_set(&map, 9, &(double){1.5}));
}

#define SPARSE_TEST(name) cmocka_unit_test_setup_teardown(name, make_containers, drop_containers)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPARSE_TEST(an_empty_set_has_no_key),
        SPARSE_TEST(keys_are_dense_in_order_of_insertion),
        SPARSE_TEST(adding_twice_changes_nothing),
        SPARSE_TEST(removal_swaps_the_last_key_in),
        SPARSE_TEST(stale_sparse_entries_do_no_harm),
        SPARSE_TEST(the_greatest_key_is_a_key),
        SPARSE_TEST(a_map_returns_the_value_of_a_key),
        SPARSE_TEST(setting_again_overwrites),
        SPARSE_TEST(a_null_value_means_zeros),
        SPARSE_TEST(values_lie_beside_their_keys),
        SPARSE_TEST(a_value_may_come_from_the_map_that_grows),
        SPARSE_TEST(a_map_without_values_is_a_set),
        SPARSE_TEST(containers_can_be_used_again_after_fini),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"

#include <cairn/base/hash_map.h>

static CnHashMap map;
static CnHeap *heap; /* fills what it takes back, so that stale values are seen */

static int make_map(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    cn_hash_map_init(&map, cn_heap_tag(heap, "map"), sizeof(int));
    return 0;
}

static int drop_map(void **state)
{
    (void)state;
    cn_hash_map_fini(&map);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

static void a_reserved_map_does_not_allocate(void **state)
{
    (void)state;
    assert_true(cn_hash_map_reserve(&map, 1000));
    cn_heap_fail_after(heap, 0);
    for (uint64_t key = 0; key < 1000; key++)
        assert_non_null(cn_hash_map_set(&map, key, &(int){(int)key}));
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    assert_int_equal(*(int *)cn_hash_map_get(&map, 500), 500);
}

static void reserving_keeps_what_is_there(void **state)
{
    (void)state;
    for (uint64_t key = 0; key < 10; key++)
        cn_hash_map_set(&map, key, &(int){(int)key});
    assert_true(cn_hash_map_reserve(&map, 5000));
    assert_int_equal(map.count, 10);
    for (uint64_t key = 0; key < 10; key++)
        assert_int_equal(*(int *)cn_hash_map_get(&map, key), (int)key);
}

static void a_map_that_cannot_be_reserved_is_unchanged(void **state)
{
    (void)state;
    cn_hash_map_set(&map, 7, &(int){1});
    cn_heap_fail_after(heap, 0);
    assert_false(cn_hash_map_reserve(&map, 5000));
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    assert_int_equal(*(int *)cn_hash_map_get(&map, 7), 1);
}

static void an_empty_map_has_no_key(void **state)
{
    (void)state;
    assert_null(cn_hash_map_get(&map, 0));
    assert_false(cn_hash_map_remove(&map, 0));
    cn_hash_map_clear(&map);
}

static void a_value_is_found_by_its_key(void **state)
{
    (void)state;
    assert_int_equal(*(int *)cn_hash_map_set(&map, 7, &(int){30}), 30);
    assert_int_equal(*(int *)cn_hash_map_get(&map, 7), 30);
    assert_null(cn_hash_map_get(&map, 8));
}

static void all_64_bits_of_a_key_count(void **state)
{
    (void)state;
    const uint64_t keys[] = {0, 1, UINT64_MAX, (uint64_t)1 << 32, (uint64_t)1 << 63};
    for (size_t i = 0; i < CN_COUNT_OF(keys); i++)
        cn_hash_map_set(&map, keys[i], &(int){(int)i});
    for (size_t i = 0; i < CN_COUNT_OF(keys); i++)
        assert_int_equal(*(int *)cn_hash_map_get(&map, keys[i]), i);
}

static void setting_again_overwrites(void **state)
{
    (void)state;
    cn_hash_map_set(&map, 7, &(int){30});
    cn_hash_map_set(&map, 7, &(int){31});
    assert_int_equal(map.count, 1);
    assert_int_equal(*(int *)cn_hash_map_get(&map, 7), 31);
}

static void a_null_value_means_zeros(void **state)
{
    (void)state;
    cn_hash_map_set(&map, 7, &(int){30});
    assert_int_equal(*(int *)cn_hash_map_set(&map, 7, NULL), 0);
    assert_int_equal(*(int *)cn_hash_map_set(&map, 8, NULL), 0);
}

static void entries_are_in_order_of_insertion(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++)
        cn_hash_map_set(&map, (uint64_t)i * 0x9e3779b97f4a7c15u, &i);
    assert_int_equal(map.count, 1000);
    for (uint32_t i = 0; i < map.count; i++) {
        assert_true(cn_hash_map_key(&map, i) == i * 0x9e3779b97f4a7c15u);
        assert_int_equal(*(int *)cn_hash_map_value(&map, i), i);
    }
}

static void removal_swaps_the_last_entry_in(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        cn_hash_map_set(&map, (uint64_t)i, &i);
    assert_true(cn_hash_map_remove(&map, 1));
    assert_int_equal(map.count, 3);
    assert_true(cn_hash_map_key(&map, 1) == 3);
    assert_int_equal(*(int *)cn_hash_map_get(&map, 3), 3);
    assert_null(cn_hash_map_get(&map, 1));
    assert_false(cn_hash_map_remove(&map, 1));
    assert_true(cn_hash_map_remove(&map, 2));
    assert_int_equal(map.count, 2);
}

static void the_table_is_never_more_than_half_full(void **state)
{
    (void)state;
    for (uint64_t key = 0; key < 5000; key++) {
        cn_hash_map_set(&map, key, NULL);
        assert_true(map.count * 2 <= map.table_size);
    }
}

static void clear_keeps_the_memory(void **state)
{
    (void)state;
    for (uint64_t key = 0; key < 100; key++)
        cn_hash_map_set(&map, key, NULL);
    uint32_t capacity = map.capacity;
    cn_hash_map_clear(&map);
    assert_int_equal(map.count, 0);
    assert_int_equal(map.capacity, capacity);
    assert_null(cn_hash_map_get(&map, 5));
    assert_non_null(cn_hash_map_set(&map, 5, NULL));
}

static void a_value_may_come_from_the_map_that_grows(void **state)
{
    (void)state;
    cn_hash_map_set(&map, 0, &(int){725});
    for (uint64_t key = 1; key < 1000; key++)
        assert_int_equal(*(int *)cn_hash_map_set(&map, key, cn_hash_map_get(&map, key - 1)), 725);
}

static void a_map_without_values_is_a_set(void **state)
{
    (void)state;
    CnHashMap keys;
    cn_hash_map_init(&keys, NULL, 0);
    for (uint64_t key = 0; key < 100; key++)
        assert_non_null(cn_hash_map_set(&keys, key, NULL));
    assert_non_null(cn_hash_map_get(&keys, 99));
    assert_true(cn_hash_map_remove(&keys, 50));
    assert_null(cn_hash_map_get(&keys, 50));
    cn_hash_map_fini(&keys);
}

static void the_hash_of_bytes_is_xxh3(void **state)
{
    (void)state;
    assert_true(cn_hash_bytes(NULL, 0, 0) == 0x2d06800538d394c2u);
    assert_true(cn_hash_bytes("cairn", 5, 0) == 0x00192f3582df1eeeu);
    assert_true(cn_hash_bytes("cairn", 5, 7) == 0x68ff6c11ea8bfbfbu);
}

static void the_mixer_gives_the_same_values_everywhere(void **state)
{
    (void)state;
    assert_true(cn_hash_mix(0) == 0);
    assert_true(cn_hash_mix(1) == 0x4179b061e0c0e0d0u);
    assert_true(cn_hash_mix(2) == 0x1c9963305febc252u);
    assert_true(cn_hash_mix(UINT64_MAX) == 0x448e29ced4103459u);
}

#define MAP_TEST(name) cmocka_unit_test_setup_teardown(name, make_map, drop_map)

int main(void)
{
    const struct CMUnitTest tests[] = {
        MAP_TEST(an_empty_map_has_no_key),
        MAP_TEST(a_reserved_map_does_not_allocate),
        MAP_TEST(reserving_keeps_what_is_there),
        MAP_TEST(a_map_that_cannot_be_reserved_is_unchanged),
        MAP_TEST(a_value_is_found_by_its_key),
        MAP_TEST(all_64_bits_of_a_key_count),
        MAP_TEST(setting_again_overwrites),
        MAP_TEST(a_null_value_means_zeros),
        MAP_TEST(entries_are_in_order_of_insertion),
        MAP_TEST(removal_swaps_the_last_entry_in),
        MAP_TEST(the_table_is_never_more_than_half_full),
        MAP_TEST(clear_keeps_the_memory),
        MAP_TEST(a_value_may_come_from_the_map_that_grows),
        MAP_TEST(a_map_without_values_is_a_set),
        cmocka_unit_test(the_hash_of_bytes_is_xxh3),
        cmocka_unit_test(the_mixer_gives_the_same_values_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

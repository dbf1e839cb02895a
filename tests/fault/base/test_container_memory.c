/* Every allocation of every container fails once: the container stays as it was and leaks nothing.
 */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include <cairn/base/array.h>
#include <cairn/base/bitset.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/slot_table.h>
#include <cairn/base/sparse.h>

#include <string.h>

static bool fill_array(CnAllocator *allocator, void *user)
{
    (void)user;
    CnU32Array array;
    cn_array_init(&array, allocator);
    bool ok = true;
    for (uint32_t i = 0; ok && i < 100; i++) {
        ok = cn_array_push(&array, i * 7);
        assert_int_equal(array.count, ok ? i + 1 : i);
    }
    for (uint32_t i = 0; i < array.count; i++)
        assert_int_equal(array.items[i], i * 7);
    cn_array_fini(&array);
    return ok;
}

static void an_array_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_int_equal(run_with_failing_allocations(fill_array, NULL), 5);
}

static bool fill_bitset(CnAllocator *allocator, void *user)
{
    (void)user;
    CnBitSet set;
    cn_bitset_init(&set, allocator);
    bool ok = true;
    uint32_t added = 0;
    while (ok && added < 40) {
        ok = cn_bitset_set(&set, added * 50);
        added += ok;
    }
    assert_int_equal(cn_bitset_count(&set), added);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(cn_bitset_has(&set, i * 50), i < added);
    cn_bitset_fini(&set);
    return ok;
}

static void a_bitset_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(fill_bitset, NULL) >= 3);
}

static bool copy_and_unite_bitsets(CnAllocator *allocator, void *user)
{
    const CnBitSet *from = user;
    CnBitSet copy, sum;
    cn_bitset_init(&copy, allocator);
    cn_bitset_init(&sum, allocator);
    bool has_first = cn_bitset_set(&sum, 1);
    bool is_copied = cn_bitset_copy(&copy, from);
    bool is_united = has_first && cn_bitset_union(&sum, from);
    assert_int_equal(cn_bitset_count(&copy), is_copied ? 2 : 0);
    assert_int_equal(cn_bitset_count(&sum), (has_first ? 1 : 0) + (is_united ? 2 : 0));
    assert_int_equal(cn_bitset_has(&sum, 1), has_first);
    cn_bitset_fini(&copy);
    cn_bitset_fini(&sum);
    return is_copied && is_united;
}

static void copy_and_union_change_nothing_when_they_fail(void **state)
{
    (void)state;
    CnBitSet from;
    cn_bitset_init(&from, NULL);
    cn_bitset_set(&from, 100);
    cn_bitset_set(&from, 1000);
    assert_int_equal(run_with_failing_allocations(copy_and_unite_bitsets, &from), 3);
    cn_bitset_fini(&from);
}

static bool fill_sparse_set(CnAllocator *allocator, void *user)
{
    (void)user;
    CnSparseSet set;
    cn_sparse_set_init(&set, allocator);
    bool ok = true;
    for (uint32_t i = 0; ok && i < 60; i++) {
        ok = cn_sparse_set_add(&set, i * 500) == i;
        assert_int_equal(set.count, ok ? i + 1 : i);
        assert_int_equal(cn_sparse_set_has(&set, i * 500), ok);
    }
    for (uint32_t i = 0; i < set.count; i++)
        assert_int_equal(cn_sparse_set_find(&set, i * 500), i);
    if (set.count > 0)
        assert_true(cn_sparse_set_remove(&set, 0));
    cn_sparse_set_fini(&set);
    return ok;
}

static void a_sparse_set_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(fill_sparse_set, NULL) > 30);
}

static bool fill_sparse_map(CnAllocator *allocator, void *user)
{
    (void)user;
    CnSparseMap map;
    cn_sparse_map_init(&map, allocator, sizeof(uint64_t));
    bool ok = true;
    for (uint32_t i = 0; ok && i < 60; i++) {
        ok = cn_sparse_map_set(&map, i * 500, &(uint64_t){i}) != NULL;
        assert_int_equal(map.set.count, ok ? i + 1 : i);
        if (!ok)
            assert_null(cn_sparse_map_get(&map, i * 500));
    }
    for (uint32_t i = 0; i < map.set.count; i++)
        assert_int_equal(*(uint64_t *)cn_sparse_map_get(&map, i * 500), i);
    cn_sparse_map_fini(&map);
    return ok;
}

static void a_sparse_map_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(fill_sparse_map, NULL) > 30);
}

static bool fill_hash_map(CnAllocator *allocator, void *user)
{
    (void)user;
    CnHashMap map;
    cn_hash_map_init(&map, allocator, sizeof(uint32_t));
    bool ok = true;
    for (uint32_t i = 0; ok && i < 200; i++) {
        ok = cn_hash_map_set(&map, (uint64_t)i << 30, &(uint32_t){i * 3}) != NULL;
        assert_int_equal(map.count, ok ? i + 1 : i);
        if (!ok)
            assert_null(cn_hash_map_get(&map, (uint64_t)i << 30));
    }
    for (uint32_t i = 0; i < map.count; i++) {
        assert_true(cn_hash_map_key(&map, i) == (uint64_t)i << 30);
        assert_int_equal(*(uint32_t *)cn_hash_map_get(&map, (uint64_t)i << 30), i * 3);
    }
    /* What is there can be overwritten and removed without memory. */
    if (map.count > 0) {
        assert_non_null(cn_hash_map_set(&map, 0, &(uint32_t){9}));
        assert_true(cn_hash_map_remove(&map, 0));
        assert_null(cn_hash_map_get(&map, 0));
    }
    cn_hash_map_fini(&map);
    return ok;
}

static void a_hash_map_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_int_equal(run_with_failing_allocations(fill_hash_map, NULL), 3 * 6);
}

static bool fill_slot_table(CnAllocator *allocator, void *user)
{
    (void)user;
    CnSlotTable table;
    cn_slot_table_init(&table, allocator, sizeof(CnSlot), 1000);
    uint32_t ids[100];
    uint32_t count = 0;
    while (count < 100 && cn_slot_table_acquire(&table, &ids[count]))
        count++;
    assert_int_equal(table.live, count);
    for (uint32_t i = 0; i < count; i++)
        cn_slot_table_release(&table, cn_slot_index(ids[i]));
    /* Released slots are reused without allocating. */
    for (uint32_t i = 0; i < count; i++)
        assert_non_null(cn_slot_table_acquire(&table, &ids[i]));
    cn_slot_table_fini(&table);
    return count == 100;
}

static void a_slot_table_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_int_equal(run_with_failing_allocations(fill_slot_table, NULL), 4);
}

static bool fill_arena(CnAllocator *allocator, void *user)
{
    (void)user;
    CnArena arena;
    cn_arena_init(&arena, allocator, 256);
    unsigned char *blocks[40];
    bool ok = true;
    int count = 0;
    while (ok && count < 40) {
        size_t used = arena.used_bytes;
        blocks[count] = cn_arena_alloc(&arena, 50 + (size_t)count * 10, 16);
        ok = blocks[count] != NULL;
        if (ok)
            memset(blocks[count], count, 50);
        else
            assert_int_equal(arena.used_bytes, used);
        count += ok;
    }
    for (int i = 0; i < count; i++)
        assert_int_equal(blocks[i][49], i);
    /* What fitted once fits again without memory. */
    cn_arena_reset(&arena);
    for (int i = 0; i < count; i++)
        assert_non_null(cn_arena_alloc(&arena, 50 + (size_t)i * 10, 16));
    cn_arena_fini(&arena);
    return ok;
}

static void an_arena_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(fill_arena, NULL) > 20);
}

static bool fill_pool(CnAllocator *allocator, void *user)
{
    (void)user;
    CnPool pool;
    cn_pool_init(&pool, allocator, 40, 4);
    void *items[30];
    bool ok = true;
    uint32_t count = 0;
    while (ok && count < 30) {
        items[count] = cn_pool_acquire(&pool);
        ok = items[count] != NULL;
        count += ok;
    }
    assert_int_equal(pool.live_items, count);
    for (uint32_t i = 0; i < count; i++)
        cn_pool_release(&pool, items[i]);
    for (uint32_t i = 0; i < count; i++)
        assert_non_null(cn_pool_acquire(&pool));
    cn_pool_fini(&pool);
    return ok;
}

static void a_pool_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_int_equal(run_with_failing_allocations(fill_pool, NULL), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_survives_every_failed_allocation),
        cmocka_unit_test(a_bitset_survives_every_failed_allocation),
        cmocka_unit_test(copy_and_union_change_nothing_when_they_fail),
        cmocka_unit_test(a_sparse_set_survives_every_failed_allocation),
        cmocka_unit_test(a_sparse_map_survives_every_failed_allocation),
        cmocka_unit_test(a_hash_map_survives_every_failed_allocation),
        cmocka_unit_test(a_slot_table_survives_every_failed_allocation),
        cmocka_unit_test(an_arena_survives_every_failed_allocation),
        cmocka_unit_test(a_pool_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"
#include "guards.h"
#include "random.h"

#include <cairn/base/memory.h>

#include <string.h>

static CnHeap *heap;
static CnPool pool;

static int make_pool(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    cn_pool_init(&pool, cn_heap_tag(heap, "pool"), 24, 4);
    return 0;
}

static int drop_pool(void **state)
{
    (void)state;
    cn_pool_fini(&pool);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

static void init_allocates_nothing(void **state)
{
    (void)state;
    assert_int_equal(cn_heap_stats(heap).calls, 0);
}

static void items_do_not_overlap(void **state)
{
    (void)state;
    unsigned char *items[50];
    for (int i = 0; i < 50; i++) {
        items[i] = cn_pool_acquire(&pool);
        memset(items[i], i, 24);
    }
    for (int i = 0; i < 50; i++) {
        for (int k = 0; k < 24; k++)
            assert_int_equal(items[i][k], i);
    }
    assert_int_equal(pool.live_items, 50);
}

static void a_slab_serves_as_many_items_as_requested(void **state)
{
    (void)state;
    for (int i = 0; i < 9; i++)
        cn_pool_acquire(&pool);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 3);
}

static void released_items_are_used_again(void **state)
{
    (void)state;
    void *item = cn_pool_acquire(&pool);
    cn_pool_release(&pool, item);
    assert_int_equal(pool.live_items, 0);
    assert_ptr_equal(cn_pool_acquire(&pool), item);
}

static void steady_use_makes_no_heap_call(void **state)
{
    (void)state;
    void *items[64];
    TestRandom random = {5};
    for (int i = 0; i < 64; i++)
        items[i] = cn_pool_acquire(&pool);
    uint64_t calls = cn_heap_stats(heap).calls;
    for (int i = 0; i < 1000; i++) {
        uint32_t k = test_random_below(&random, 64);
        cn_pool_release(&pool, items[k]);
        items[k] = cn_pool_acquire(&pool);
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

static void items_are_aligned_for_their_size(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= 64; bytes++) {
        CnPool other;
        cn_pool_init(&other, NULL, bytes, 0);
        size_t alignment = bytes % 16 == 0 ? 16 : 8;
        for (int i = 0; i < 3; i++)
            assert_int_equal((uintptr_t)cn_pool_acquire(&other) % alignment, 0);
        cn_pool_fini(&other);
    }
}

static void large_items_get_slabs_of_eight(void **state)
{
    (void)state;
    CnPool other;
    cn_pool_init(&other, NULL, 100000, 0);
    assert_int_equal(other.items_per_slab, 8);
    cn_pool_init(&other, NULL, 16, 0);
    assert_int_equal(other.items_per_slab, 1023);
}

static void a_slab_too_large_to_count_gives_null(void **state)
{
    (void)state;
    CnPool other;
    cn_pool_init(&other, NULL, (size_t)PTRDIFF_MAX / 2, UINT32_MAX);
    assert_null(cn_pool_acquire(&other));
    cn_pool_fini(&other);
}

static void releasing_null_does_nothing(void **state)
{
    (void)state;
    cn_pool_release(&pool, NULL);
    assert_int_equal(pool.live_items, 0);
}

static void a_pool_can_be_used_again_after_fini(void **state)
{
    (void)state;
    cn_pool_acquire(&pool);
    cn_pool_fini(&pool);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    assert_non_null(cn_pool_acquire(&pool));
    assert_int_equal(pool.live_items, 1);
}

#ifdef CN_GUARDS
static void fresh_and_released_items_are_filled(void **state)
{
    (void)state;
    unsigned char *item = cn_pool_acquire(&pool);
    assert_int_equal(item[0], 0xCD);
    assert_int_equal(item[23], 0xCD);
    cn_pool_release(&pool, item);
    assert_int_equal(item[23], 0xDD);
}

static void a_second_release_is_a_wrong_call(void **state)
{
    (void)state;
    void *item = cn_pool_acquire(&pool);
    void *other = cn_pool_acquire(&pool);
    cn_pool_release(&pool, item);
    cn_pool_release(&pool, other);
    EXPECT_GUARD(cn_pool_release(&pool, item));
    assert_non_null(strstr(guard_message(), "released twice"));
    assert_int_equal(pool.live_items, 0);
}

static void releasing_a_foreign_item_is_a_wrong_call(void **state)
{
    (void)state;
    char foreign[24];
    char *item = cn_pool_acquire(&pool);
    EXPECT_GUARD(cn_pool_release(&pool, foreign));
    EXPECT_GUARD(cn_pool_release(&pool, item + 8));
    assert_int_equal(pool.live_items, 1);
}

static void a_write_after_release_is_found_by_acquire(void **state)
{
    (void)state;
    char *item = cn_pool_acquire(&pool);
    cn_pool_release(&pool, item);
    item[20] = 1;
    EXPECT_GUARD(cn_pool_acquire(&pool));
    assert_non_null(strstr(guard_message(), "after it was released"));
}
#endif

#define POOL_TEST(name) cmocka_unit_test_setup_teardown(name, make_pool, drop_pool)

int main(void)
{
    const struct CMUnitTest tests[] = {
        POOL_TEST(init_allocates_nothing),
        POOL_TEST(items_do_not_overlap),
        POOL_TEST(a_slab_serves_as_many_items_as_requested),
        POOL_TEST(released_items_are_used_again),
        POOL_TEST(steady_use_makes_no_heap_call),
        POOL_TEST(items_are_aligned_for_their_size),
        POOL_TEST(large_items_get_slabs_of_eight),
        POOL_TEST(a_slab_too_large_to_count_gives_null),
        POOL_TEST(releasing_null_does_nothing),
        POOL_TEST(a_pool_can_be_used_again_after_fini),
#ifdef CN_GUARDS
        POOL_TEST(fresh_and_released_items_are_filled),
        POOL_TEST(a_second_release_is_a_wrong_call),
        POOL_TEST(releasing_a_foreign_item_is_a_wrong_call),
        POOL_TEST(a_write_after_release_is_found_by_acquire),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

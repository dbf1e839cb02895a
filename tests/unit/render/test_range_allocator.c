/* Ranges of one large buffer, allocated and released. */
#include "guards.h"

#include "random.h"
#include "render/core/range_allocator.h"

static CniRenderRangeAllocator ranges;

static int setup(void **state)
{
    (void)state;
    return cni_render_ranges_init(&ranges, NULL, 1000) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    cni_render_ranges_fini(&ranges);
    return 0;
}

static void ranges_follow_each_other(void **state)
{
    (void)state;
    assert_int_equal(cni_render_ranges_alloc(&ranges, 10), 0);
    assert_int_equal(cni_render_ranges_alloc(&ranges, 20), 10);
    assert_int_equal(ranges.used, 30);
}

static void a_range_longer_than_any_free_one_is_refused(void **state)
{
    (void)state;
    assert_int_equal(cni_render_ranges_alloc(&ranges, 600), 0);
    assert_int_equal(cni_render_ranges_alloc(&ranges, 401), CNI_RENDER_NO_RANGE);
    assert_int_equal(cni_render_ranges_alloc(&ranges, 400), 600);
}

static void a_released_range_is_used_again(void **state)
{
    (void)state;
    uint32_t first = cni_render_ranges_alloc(&ranges, 100);
    cni_render_ranges_alloc(&ranges, 100);
    cni_render_ranges_free(&ranges, first, 100);
    assert_int_equal(cni_render_ranges_alloc(&ranges, 60), first);
    assert_int_equal(cni_render_ranges_alloc(&ranges, 40), first + 60);
}

static void adjacent_ranges_are_joined_in_any_order(void **state)
{
    (void)state;
    uint32_t at[3];
    for (int i = 0; i < 3; i++)
        at[i] = cni_render_ranges_alloc(&ranges, 300);
    cni_render_ranges_free(&ranges, at[0], 300);
    cni_render_ranges_free(&ranges, at[2], 300);
    cni_render_ranges_free(&ranges, at[1], 300);
    assert_int_equal(ranges.free.count, 1);
    assert_int_equal(cni_render_ranges_alloc(&ranges, 1000), 0);
}

/* In order, none empty, none touching the next; what is not free is used. */
static void assert_tidy(void)
{
    uint32_t end = 0, sum = 0;
    for (uint32_t i = 0; i < ranges.free.count; i++) {
        CniRenderRange range = ranges.free.items[i];
        assert_true(range.count > 0 && (i == 0 ? range.first >= end : range.first > end));
        end = range.first + range.count;
        sum += range.count;
    }
    assert_true(end <= 1000);
    assert_int_equal(sum + ranges.used, 1000);
}

/* Marks cells; whoever gets a marked one has been given what another has. */
static void ranges_never_overlap(void **state)
{
    (void)state;
    static uint8_t owner[1000];
    uint32_t first[64] = {0}, count[64] = {0};
    TestRandom random = {7};
    for (uint32_t round = 0; round < 20000; round++) {
        uint32_t i = test_random_below(&random, 64);
        assert_tidy();
        if (count[i]) {
            for (uint32_t at = first[i]; at < first[i] + count[i]; at++)
                owner[at] = 0;
            cni_render_ranges_free(&ranges, first[i], count[i]);
            count[i] = 0;
            continue;
        }
        /* Mostly small ones, as chunks are. */
        uint32_t wanted = 1 + test_random_below(&random, test_random_chance(&random, 5) ? 300 : 40);
        first[i] = cni_render_ranges_alloc(&ranges, wanted);
        if (first[i] == CNI_RENDER_NO_RANGE)
            continue;
        count[i] = wanted;
        for (uint32_t at = first[i]; at < first[i] + wanted; at++) {
            assert_int_equal(owner[at], 0);
            owner[at] = 1;
        }
    }
    for (uint32_t i = 0; i < 64; i++)
        if (count[i])
            cni_render_ranges_free(&ranges, first[i], count[i]);
    assert_int_equal(ranges.free.count, 1);
    assert_int_equal(ranges.used, 0);
}

static void an_appended_range_extends_the_last_free_one(void **state)
{
    (void)state;
    assert_int_equal(cni_render_ranges_alloc(&ranges, 900), 0);
    assert_true(cni_render_ranges_append(&ranges, 1000, 500));
    assert_int_equal(ranges.free.count, 1);
    assert_int_equal(cni_render_ranges_alloc(&ranges, 600), 900);
}

static void a_range_appended_to_a_full_buffer_is_free(void **state)
{
    (void)state;
    assert_int_equal(cni_render_ranges_alloc(&ranges, 1000), 0);
    assert_true(cni_render_ranges_append(&ranges, 1000, 24));
    assert_int_equal(cni_render_ranges_alloc(&ranges, 24), 1000);
    assert_int_equal(cni_render_ranges_alloc(&ranges, 1), CNI_RENDER_NO_RANGE);
}

#ifdef CN_GUARDS
static void a_range_that_is_released_twice_is_noticed(void **state)
{
    (void)state;
    uint32_t first = cni_render_ranges_alloc(&ranges, 100);
    cni_render_ranges_alloc(&ranges, 100);
    cni_render_ranges_free(&ranges, first, 100);
    EXPECT_GUARD(cni_render_ranges_free(&ranges, first, 100));
    EXPECT_GUARD(cni_render_ranges_free(&ranges, first + 50, 100));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranges_follow_each_other, setup, teardown),
        cmocka_unit_test_setup_teardown(a_range_longer_than_any_free_one_is_refused, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_released_range_is_used_again, setup, teardown),
        cmocka_unit_test_setup_teardown(adjacent_ranges_are_joined_in_any_order, setup, teardown),
        cmocka_unit_test_setup_teardown(an_appended_range_extends_the_last_free_one, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_range_appended_to_a_full_buffer_is_free, setup, teardown),
        cmocka_unit_test_setup_teardown(ranges_never_overlap, setup, teardown),
#ifdef CN_GUARDS
        cmocka_unit_test_setup_teardown(a_range_that_is_released_twice_is_noticed, setup, teardown),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

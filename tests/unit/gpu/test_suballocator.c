/* The division of a block of memory. */
#include "cmocka_tests.h"

#include "gpu/suballocator.h"
#include "random.h"

#define NONE CNI_NO_SEGMENT

static const CniSegment *at(const CniSegments *segments, uint32_t index)
{
    return &segments->items.items[index];
}

/* Every byte belongs to one segment, and no two free ones touch. Returns the free bytes. */
static uint64_t check(const CniSegments *segments, uint64_t size)
{
    uint32_t first = NONE;
    uint64_t end = 0, free_bytes = 0;
    uint32_t free_listed = 0, free_walked = 0, used = 0;
    for (uint32_t i = segments->first_free; i != NONE; i = at(segments, i)->free_after) {
        assert_true(at(segments, i)->is_free);
        free_listed++;
        first = i;
    }
    if (first == NONE)
        first = 0;
    while (at(segments, first)->before != NONE)
        first = at(segments, first)->before;
    bool was_free = false;
    for (uint32_t i = first; i != NONE; i = at(segments, i)->after) {
        const CniSegment *segment = at(segments, i);
        assert_int_equal(segment->offset, end);
        assert_true(segment->size > 0);
        assert_false(was_free && segment->is_free);
        was_free = segment->is_free;
        free_walked += segment->is_free;
        used += !segment->is_free;
        free_bytes += segment->is_free ? segment->size : 0;
        end += segment->size;
    }
    assert_int_equal(end, size);
    assert_int_equal(free_listed, free_walked);
    assert_int_equal(used, segments->used);
    return free_bytes;
}

static void segments_never_overlap_and_come_together_again(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20, LIVE = 200 };
    CniSegments segments;
    assert_true(cni_segments_init(&segments, NULL, SIZE));
    uint32_t taken[LIVE], count = 0, refused = 0;
    TestRandom random = {1};
    for (uint32_t round = 0; round < 20000; round++) {
        if (count < LIVE && test_random_below(&random, 2)) {
            uint64_t size = 1 + test_random_below(&random, 20000);
            uint64_t alignment = 1ull << test_random_below(&random, 12);
            uint32_t segment = cni_segments_take(&segments, size, alignment);
            if (segment == NONE) {
                refused++;
                continue;
            }
            assert_int_equal(at(&segments, segment)->size, size);
            assert_int_equal(at(&segments, segment)->offset % alignment, 0);
            taken[count++] = segment;
        } else if (count) {
            uint32_t index = test_random_below(&random, count);
            cni_segments_give(&segments, taken[index]);
            taken[index] = taken[--count];
        }
        if (round % 100 == 0)
            check(&segments, SIZE);
    }
    assert_true(refused > 0);
    while (count)
        cni_segments_give(&segments, taken[--count]);
    assert_int_equal(check(&segments, SIZE), SIZE);
    assert_int_equal(at(&segments, segments.first_free)->size, SIZE);
    cni_segments_fini(&segments);
}

static void the_smallest_gap_that_fits_is_taken(void **state)
{
    (void)state;
    CniSegments segments;
    assert_true(cni_segments_init(&segments, NULL, 1000));
    uint32_t large = cni_segments_take(&segments, 300, 1);
    cni_segments_take(&segments, 10, 1);
    uint32_t small = cni_segments_take(&segments, 100, 1);
    cni_segments_take(&segments, 10, 1);
    cni_segments_give(&segments, large);
    cni_segments_give(&segments, small);
    uint32_t again = cni_segments_take(&segments, 90, 1);
    assert_int_equal(at(&segments, again)->offset, 310);
    cni_segments_fini(&segments);
}

static void all_of_a_block_can_be_taken_and_no_more(void **state)
{
    (void)state;
    CniSegments segments;
    assert_true(cni_segments_init(&segments, NULL, 4096));
    uint32_t all = cni_segments_take(&segments, 4096, 4096);
    assert_int_not_equal(all, NONE);
    assert_int_equal(cni_segments_take(&segments, 1, 1), NONE);
    cni_segments_give(&segments, all);
    assert_int_equal(cni_segments_take(&segments, 4097, 1), NONE);
    cni_segments_fini(&segments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_never_overlap_and_come_together_again),
        cmocka_unit_test(the_smallest_gap_that_fits_is_taken),
        cmocka_unit_test(all_of_a_block_can_be_taken_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The division of a block of memory. */
#include "cmocka_tests.h"

#include "gpu/suballocator.h"
#include "random.h"

#define NONE CNI_GPU_NO_SEGMENT

static const CniGpuSegment *at(const CniGpuSuballocator *segments, uint32_t index)
{
    return &segments->items.items[index];
}

/* Every byte belongs to one segment, and no two free ones touch. Returns the free bytes. */
static uint64_t check(const CniGpuSuballocator *segments, uint64_t size)
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
        const CniGpuSegment *segment = at(segments, i);
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
    CniGpuSuballocator segments;
    assert_true(cni_gpu_suballocator_init(&segments, NULL, SIZE));
    uint32_t taken[LIVE], count = 0, refused = 0;
    TestRandom random = {1};
    for (uint32_t round = 0; round < 20000; round++) {
        if (count < LIVE && test_random_below(&random, 2)) {
            uint64_t size = 1 + test_random_below(&random, 20000);
            uint64_t alignment = 1ull << test_random_below(&random, 12);
            uint32_t segment = cni_gpu_suballocator_alloc(&segments, size, alignment);
            if (segment == NONE) {
                refused++;
                continue;
            }
            assert_int_equal(at(&segments, segment)->size, size);
            assert_int_equal(at(&segments, segment)->offset % alignment, 0);
            taken[count++] = segment;
        } else if (count) {
            uint32_t index = test_random_below(&random, count);
            cni_gpu_suballocator_free(&segments, taken[index]);
            taken[index] = taken[--count];
        }
        if (round % 100 == 0)
            check(&segments, SIZE);
    }
    assert_true(refused > 0);
    while (count)
        cni_gpu_suballocator_free(&segments, taken[--count]);
    assert_int_equal(check(&segments, SIZE), SIZE);
    assert_int_equal(at(&segments, segments.first_free)->size, SIZE);
    cni_gpu_suballocator_fini(&segments);
}

static void the_smallest_gap_that_fits_is_taken(void **state)
{
    (void)state;
    CniGpuSuballocator segments;
    assert_true(cni_gpu_suballocator_init(&segments, NULL, 1000));
    uint32_t large = cni_gpu_suballocator_alloc(&segments, 300, 1);
    cni_gpu_suballocator_alloc(&segments, 10, 1);
    uint32_t small = cni_gpu_suballocator_alloc(&segments, 100, 1);
    cni_gpu_suballocator_alloc(&segments, 10, 1);
    cni_gpu_suballocator_free(&segments, large);
    cni_gpu_suballocator_free(&segments, small);
    uint32_t again = cni_gpu_suballocator_alloc(&segments, 90, 1);
    assert_int_equal(at(&segments, again)->offset, 310);
    cni_gpu_suballocator_fini(&segments);
}

static void all_of_a_block_can_be_taken_and_no_more(void **state)
{
    (void)state;
    CniGpuSuballocator segments;
    assert_true(cni_gpu_suballocator_init(&segments, NULL, 4096));
    uint32_t all = cni_gpu_suballocator_alloc(&segments, 4096, 4096);
    assert_int_not_equal(all, NONE);
    assert_int_equal(cni_gpu_suballocator_alloc(&segments, 1, 1), NONE);
    cni_gpu_suballocator_free(&segments, all);
    assert_int_equal(cni_gpu_suballocator_alloc(&segments, 4097, 1), NONE);
    cni_gpu_suballocator_fini(&segments);
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

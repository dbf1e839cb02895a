#include "failing_heap.h"

#include "cmocka_tests.h"

/* A scenario that needs more is not a test but a loop without end. */
#define MOST_ALLOCATIONS 100000u

uint64_t run_with_failing_allocations(FailingScenario scenario, void *user)
{
    for (uint64_t n = 0; n < MOST_ALLOCATIONS; n++) {
        CnHeap *heap = cn_heap_create(NULL, NULL);
        assert_non_null(heap);
        CnAllocator *allocator = cn_heap_tag(heap, "scenario");
        cn_heap_fail_after(heap, n);
        bool is_done = scenario(allocator, user);
        CnHeapStats stats = cn_heap_stats(heap);
        if (stats.live_blocks > 0)
            fail_msg("%llu blocks are live after allocation %llu failed",
                     (unsigned long long)stats.live_blocks, (unsigned long long)n);
        assert_int_equal(stats.live_bytes, 0);
        cn_heap_destroy(heap);
        if (is_done)
            return n;
    }
    fail_msg("the scenario makes more than %u allocations", MOST_ALLOCATIONS);
    return 0;
}

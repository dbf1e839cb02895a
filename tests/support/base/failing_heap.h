/*
 * Scenarios whose n-th allocation fails.
 *
 *     static bool fill_a_map(CnAllocator *allocator, void *user) { ... }
 *
 *     run_with_failing_allocations(fill_a_map, NULL);
 *
 * runs the scenario with all allocations failing, then with one that succeeds before the failures,
 * then two, until it returns true. A scenario returns false as soon as a call reports that it is
 * out of memory, after checking that nothing changed; in either case it frees what it allocated.
 * After each run, the heap must be empty.
 */
#ifndef CAIRN_TESTS_SUPPORT_BASE_FAILING_HEAP_H
#define CAIRN_TESTS_SUPPORT_BASE_FAILING_HEAP_H

#include <cairn/base/memory.h>

typedef bool (*FailingScenario)(CnAllocator *allocator, void *user);

/* Returns the number of allocations of the scenario if none fails. */
uint64_t run_with_failing_allocations(FailingScenario scenario, void *user);

#endif

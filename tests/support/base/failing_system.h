/*
 * Allocations of the system allocator that fail, for programs that create their parts with it.
 *
 *     failing_system_install(); // once
 *     failing_system_begin(17, 1); // the 17th allocation from now fails, counted from 0
 *     open_world();
 *     int64_t allocations = failing_system_end();
 *
 * Allocations of all threads count, except zeroed ones, which come straight from the C library.
 * Freeing and shrinking never fail.
 */
#ifndef CAIRN_TESTS_SUPPORT_BASE_FAILING_SYSTEM_H
#define CAIRN_TESTS_SUPPORT_BASE_FAILING_SYSTEM_H

#include <stdint.h>

void failing_system_install(void);
/* `count` allocations fail, from the `first` on; INT64_MAX: all of them. */
void failing_system_begin(int64_t first, int64_t count);
/* Returns the number of allocations since failing_system_begin. */
int64_t failing_system_end(void);

#endif

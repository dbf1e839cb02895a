/*
 * A barrier for all threads: in the first tick, each waits for all others in a split system that
 * calls
 *
 *     wait_for_all_threads(threads);
 */
#ifndef CAIRN_TESTS_SUPPORT_COMMON_THREAD_BARRIER_H
#define CAIRN_TESTS_SUPPORT_COMMON_THREAD_BARRIER_H

#include <cairn/base/clock.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MEETING_PATIENCE_NS 60000000000u

static void wait_for_all_threads(uint32_t expected)
{
    static atomic_uint arrived;
    static _Thread_local bool is_here;
    if (is_here)
        return;
    is_here = true;
    atomic_fetch_add(&arrived, 1);
    uint64_t start = cn_clock_ns();
    while (atomic_load(&arrived) < expected) {
        if (cn_clock_ns() - start > MEETING_PATIENCE_NS) {
            printf("only %u of %u threads run a split system\n", atomic_load(&arrived), expected);
            exit(1);
        }
        cn_clock_sleep_ns(100000);
    }
}

#endif

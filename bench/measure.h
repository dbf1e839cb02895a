/*
 * Shared by benchmarks: medians, a fixed shuffle, pinning to one core, keeping the compiler from
 * removing work, and the name of the machine (machine_print). Times are nanoseconds of cn_clock_ns.
 */
#ifndef CAIRN_BENCH_MEASURE_H
#define CAIRN_BENCH_MEASURE_H

#include "machine.h"

#include <cairn/base/clock.h>

#include <sched.h>
#include <stdlib.h>

/* The compiler must assume that the value is used, and that all memory is read and written. */
#define measure_keep(value) __asm__ volatile("" : : "g"(value) : "memory")
/* The compiler must assume that the variable may have changed. */
#define measure_forget(variable) __asm__ volatile("" : "+r"(variable) : : "memory")

static inline int measure_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef struct MeasureTimes {
    double median_ns, best_ns;
} MeasureTimes;

/* Sorts the times. */
static inline MeasureTimes measure_summarize(uint64_t *times_ns, uint32_t count)
{
    qsort(times_ns, count, sizeof *times_ns, measure_compare);
    return (MeasureTimes){(double)times_ns[count / 2], (double)times_ns[0]};
}

/* Pins the calling thread, and those it creates from now on, to the n-th of its cores, modulo their
 * number. `before` receives the previous set of cores. */
static inline void measure_stay_on_core(uint32_t n, cpu_set_t *before)
{
    sched_getaffinity(0, sizeof *before, before);
    uint32_t skip = n % (uint32_t)CPU_COUNT(before), core = 0;
    while (!CPU_ISSET(core, before) || skip-- > 0)
        core++;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static inline void measure_use_cores(const cpu_set_t *cores)
{
    sched_setaffinity(0, sizeof *cores, cores);
}

/* Returns 0 to count - 1 in a fixed pseudo-random order. */
static inline void measure_shuffle(uint32_t *numbers, uint32_t count)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        uint32_t other = (uint32_t)(((state >> 32) * i) >> 32);
        uint32_t number = numbers[i - 1];
        numbers[i - 1] = numbers[other];
        numbers[other] = number;
    }
}

#endif

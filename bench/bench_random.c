/*
 * The cost of random numbers, compared with xorshift64 in the same loop, a generator in which every
 * number depends on the previous one and which cannot skip; both alternate. `--help` lists the
 * options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/sim/random.h>

#include <stdio.h>
#include <string.h>

#define NUMBERS 100000u
#define RUNS 41u
#define SHUFFLED 1000u

typedef uint64_t (*RunFn)(void);

static uint32_t items[SHUFFLED];

/* ---- xorshift64 (Marsaglia 2003), inline, as written by hand ---- */

static uint64_t xorshift_state = 0x9e3779b97f4a7c15u;

static inline uint64_t xorshift(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *state = x;
}

/* ---- The loops: each side sums its numbers ---- */

#define LOOP(name, generator, value)                                                               \
    static uint64_t name(void)                                                                     \
    {                                                                                              \
        generator;                                                                                 \
        uint64_t sum = 0, start = cn_clock_ns();                                                   \
        for (uint32_t i = 0; i < NUMBERS; i++)                                                     \
            sum += (uint64_t)(value);                                                              \
        measure_keep(sum);                                                                         \
        return cn_clock_ns() - start;                                                              \
    }

#define OURS CnRandom random = cn_random_make(1, "bench")
#define RAW uint64_t state = xorshift_state

LOOP(ours_u64, OURS, cn_random_u64(&random))
LOOP(raw_u64, RAW, xorshift(&state))
LOOP(ours_below, OURS, cn_random_below(&random, 100 + i % 16))
LOOP(raw_below, RAW, (xorshift(&state) >> 32) * (100 + i % 16) >> 32)
LOOP(ours_f32, OURS, cn_random_f32(&random) * 1000)
LOOP(raw_f32, RAW, (float)(xorshift(&state) >> 40) * 0x1p-24f * 1000)
LOOP(ours_at, OURS, cn_random_at(random.key, i, 7))

static uint64_t ours_shuffle(void)
{
    OURS;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < NUMBERS / SHUFFLED; i++)
        cn_random_shuffle(&random, items, SHUFFLED);
    measure_keep(items[0]);
    return cn_clock_ns() - start;
}

static uint64_t raw_shuffle(void)
{
    RAW;
    uint64_t start = cn_clock_ns();
    for (uint32_t k = 0; k < NUMBERS / SHUFFLED; k++)
        for (uint32_t i = SHUFFLED; i > 1; i--) {
            uint32_t other = (uint32_t)((xorshift(&state) >> 32) * i >> 32);
            uint32_t item = items[i - 1];
            items[i - 1] = items[other];
            items[other] = item;
        }
    measure_keep(items[0]);
    return cn_clock_ns() - start;
}

static const struct {
    const char *workload;
    RunFn ours, raw;
} workloads[] = {
    {"random_u64", ours_u64, raw_u64},
    {"random_below", ours_below, raw_below},
    {"random_f32", ours_f32, raw_f32},
    {"random_at", ours_at, raw_u64},
    {"random_shuffle", ours_shuffle, raw_shuffle},
};

static void measure(uint32_t workload, bool json)
{
    uint64_t times[RUNS], raw_times[RUNS];
    workloads[workload].ours();
    workloads[workload].raw();
    for (uint32_t i = 0; i < RUNS; i++) {
        times[i] = workloads[workload].ours();
        raw_times[i] = workloads[workload].raw();
    }
    double ns = measure_summarize(times, RUNS).median_ns / NUMBERS;
    double raw_ns = measure_summarize(raw_times, RUNS).median_ns / NUMBERS;
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n",
               workloads[workload].workload, NUMBERS, ns, raw_ns);
    else
        printf("%-16s %8.2f %12.2f %8.2f\n", workloads[workload].workload, ns, raw_ns, ns / raw_ns);
}

int main(int argc, char **argv)
{
    bool json = false;
    char about[512];
    cn_format(about, sizeof about,
              "Nanoseconds per number, medians of %u runs of %u, compared with xorshift64.", RUNS,
              NUMBERS);
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(&(BenchUsage){"bench_random", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    for (uint32_t i = 0; i < SHUFFLED; i++)
        items[i] = i;
    machine_print(json);
    if (!json)
        printf("%-16s %8s %12s %8s\n", "workload", "ns", "xorshift ns", "ratio");
    for (uint32_t i = 0; i < CN_COUNT_OF(workloads); i++)
        measure(i, json);
    return 0;
}

/*
 * The cost of each function of cairn/base/math.h, compared with that of the C library; both
 * alternate, so ratios are meaningful on a busy machine. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/base/cpu.h>
#include <cairn/base/math.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT 4096u
#define MAX_RUNS 4001u

/* Filled with typical arguments of the function before each case. */
static float float_x[COUNT], float_y[COUNT], float_results[2][COUNT];
static double double_x[COUNT], double_y[COUNT], double_results[2][COUNT];

typedef struct Case {
    const char *name;
    void (*ours)(void), (*theirs)(void);
    double low, high;         /* of the first argument */
    double low_two, high_two; /* of the second */
} Case;

/* ---- The loops ---- */

#define LOOP(function, body)                                                                       \
    static void function(void)                                                                     \
    {                                                                                              \
        for (uint32_t i = 0; i < COUNT; i++)                                                       \
            body;                                                                                  \
    }

#define LOOPS1(name)                                                                               \
    LOOP(ours_##name##f, float_results[0][i] = cn_##name##f(float_x[i]))                           \
    LOOP(theirs_##name##f, float_results[0][i] = name##f(float_x[i]))                              \
    LOOP(ours_##name, double_results[0][i] = cn_##name(double_x[i]))                               \
    LOOP(theirs_##name, double_results[0][i] = name(double_x[i]))

#define LOOPS2(name)                                                                               \
    LOOP(ours_##name##f, float_results[0][i] = cn_##name##f(float_x[i], float_y[i]))               \
    LOOP(theirs_##name##f, float_results[0][i] = name##f(float_x[i], float_y[i]))                  \
    LOOP(ours_##name, double_results[0][i] = cn_##name(double_x[i], double_y[i]))                  \
    LOOP(theirs_##name, double_results[0][i] = name(double_x[i], double_y[i]))

LOOPS1(sin)
LOOPS1(cos)
LOOPS1(tan)
LOOPS1(asin)
LOOPS1(acos)
LOOPS1(atan)
LOOPS1(exp)
LOOPS1(exp2)
LOOPS1(log)
LOOPS1(log2)
LOOPS1(sqrt)
LOOPS1(floor)
LOOPS1(round)
LOOPS2(atan2)
LOOPS2(pow)
LOOPS2(hypot)
LOOPS2(fmod)
LOOP(ours_sincosf, cn_sincosf(float_x[i], &float_results[0][i], &float_results[1][i]))
LOOP(theirs_sincosf, sincosf(float_x[i], &float_results[0][i], &float_results[1][i]))
LOOP(ours_sincos, cn_sincos(double_x[i], &double_results[0][i], &double_results[1][i]))
LOOP(theirs_sincos, sincos(double_x[i], &double_results[0][i], &double_results[1][i]))

static void ours_sincosf_many(void)
{
    cn_sincosf_array(COUNT, float_x, float_results[0], float_results[1]);
}

#define BOTH(name, ...)                                                                            \
    {#name "f", ours_##name##f, theirs_##name##f, __VA_ARGS__},                                    \
    {                                                                                              \
#name, ours_##name, theirs_##name, __VA_ARGS__                                             \
    }

static const Case cases[] = {
    BOTH(sin, -10, 10, 0, 0),
    {"sinf, to 1e30", ours_sinf, theirs_sinf, -1e30, 1e30, 0, 0},
    {"sin, to 1e30", ours_sin, theirs_sin, -1e30, 1e30, 0, 0},
    BOTH(cos, -10, 10, 0, 0),
    BOTH(sincos, -10, 10, 0, 0),
    {"sincosf_many", ours_sincosf_many, theirs_sincosf, -10, 10, 0, 0},
    BOTH(tan, -10, 10, 0, 0),
    BOTH(asin, -1, 1, 0, 0),
    BOTH(acos, -1, 1, 0, 0),
    BOTH(atan, -10, 10, 0, 0),
    BOTH(atan2, -10, 10, -10, 10),
    BOTH(exp, -20, 20, 0, 0),
    BOTH(exp2, -20, 20, 0, 0),
    BOTH(log, 0, 1000, 0, 0),
    BOTH(log2, 0, 1000, 0, 0),
    BOTH(pow, 0, 20, -10, 10),
    BOTH(hypot, -10, 10, -10, 10),
    BOTH(sqrt, 0, 1000, 0, 0),
    BOTH(floor, -1000, 1000, 0, 0),
    BOTH(round, -1000, 1000, 0, 0),
    BOTH(fmod, -1000, 1000, 1, 10),
};

/* ---- Measuring ---- */

static double next_between(uint64_t *state, double low, double high)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return low + (double)(*state >> 11) * 0x1p-53 * (high - low);
}

static void fill_arguments(const Case *run)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < COUNT; i++) {
        double_x[i] = next_between(&state, run->low, run->high);
        double_y[i] = next_between(&state, run->low_two, run->high_two);
        float_x[i] = (float)double_x[i];
        float_y[i] = (float)double_y[i];
    }
}

static uint64_t time_of(void (*loop)(void))
{
    uint64_t start = cn_clock_ns();
    loop();
    measure_keep(&float_results);
    return cn_clock_ns() - start;
}

static void measure(const Case *run, uint32_t runs, double *ours_ns, double *theirs_ns)
{
    static uint64_t ours[MAX_RUNS], theirs[MAX_RUNS];
    fill_arguments(run);
    for (uint32_t i = 0; i < runs; i++) {
        ours[i] = time_of(run->ours);
        theirs[i] = time_of(run->theirs);
    }
    *ours_ns = measure_summarize(ours, runs).median_ns / COUNT;
    *theirs_ns = measure_summarize(theirs, runs).median_ns / COUNT;
}

/* ---- Options ---- */

int main(int argc, char **argv)
{
    bool json = false, quick = false;
    uint32_t runs = 201;
    char about[512];
    cn_format(about, sizeof about,
              "Measures each function with %u arguments, alternating with that of the C library.",
              COUNT);
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--runs", "runs of each side", &runs, 1, MAX_RUNS),
        BENCH_OPTION_FLAG("--quick", "three runs, to test that it works", &quick),
    };
    bench_read_options(&(BenchUsage){"bench_math", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    if (quick)
        runs = 3;
    cpu_set_t cores;
    measure_stay_on_core(0, &cores);
    machine_print(json);
    if (!json)
        printf("nanoseconds per call, medians of %u runs\n\n%-16s %9s %9s %7s\n", runs, "function",
               "ours", "libm", "ratio");
    for (size_t i = 0; i < CN_COUNT_OF(cases); i++) {
        double ours_ns, theirs_ns;
        measure(&cases[i], runs, &ours_ns, &theirs_ns);
        if (json)
            printf("{\"function\":\"%s\",\"ns\":%.4f,\"libm_ns\":%.4f}\n", cases[i].name, ours_ns,
                   theirs_ns);
        else
            printf("%-16s %9.2f %9.2f %7.2f\n", cases[i].name, ours_ns, theirs_ns,
                   ours_ns / theirs_ns);
        fflush(stdout);
    }
    return 0;
}

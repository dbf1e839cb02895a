/*
 * The cost of jobs and the speedup of split loops, compared with the same loop on one thread; both
 * alternate, so ratios are meaningful on a busy machine. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/base/cpu.h>
#include <cairn/base/job.h>

#include <stdio.h>
#include <string.h>

#define PIECES 100u
#define MAX_ROUNDS 4001u

typedef struct Options {
    uint32_t workers; /* maximum; scaling is measured from 1 to it */
    uint32_t rounds;
    bool json;
} Options;

static uint64_t samples[2][MAX_ROUNDS];

/* ---- The work: arithmetic in registers, which scales with the number of cores ---- */

typedef struct Work {
    uint32_t steps_per_piece;
    uint64_t results[PIECES];
} Work;

static void run_pieces(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    Work *work = data;
    for (uint32_t piece = begin; piece < end; piece++) {
        uint64_t x = piece;
        for (uint32_t step = 0; step < work->steps_per_piece; step++)
            x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
        work->results[piece] = x;
    }
}

/* Like parallel_for without a pool, but only the bare loop. */
static uint64_t time_serial(Work *work)
{
    uint64_t start = cn_clock_ns();
    for (uint32_t piece = 0; piece < PIECES; piece++)
        run_pieces(work, piece, piece + 1, 0);
    return cn_clock_ns() - start;
}

static uint64_t time_parallel(CnJobPool *pool, Work *work)
{
    uint64_t start = cn_clock_ns();
    cn_job_parallel_for(pool, PIECES, 1, run_pieces, work);
    return cn_clock_ns() - start;
}

/* Chooses the number of steps so that all pieces together take about this long on one thread. */
static void calibrate(Work *work, uint64_t target_ns)
{
    work->steps_per_piece = 1000;
    for (int pass = 0; pass < 3; pass++) {
        uint64_t best_ns = UINT64_MAX;
        for (int i = 0; i < 50; i++) {
            uint64_t ns = time_serial(work);
            best_ns = ns < best_ns ? ns : best_ns;
        }
        uint64_t steps = (uint64_t)work->steps_per_piece * target_ns / best_ns;
        work->steps_per_piece = steps > 0 ? (uint32_t)steps : 1;
    }
}

/* ---- Measurements ---- */

typedef enum Mode {
    ASLEEP, /* the workers sleep, as between ticks */
    HOT,    /* the workers spin, as inside a tick */
    TICK,   /* the workers are woken and then spin for several loops */
} Mode;

#define LOOPS_PER_TICK 10

static void fall_asleep(void)
{
    cn_clock_sleep_ns(200000);
}

static uint64_t time_tick(CnJobPool *pool, Work *work)
{
    uint64_t start = cn_clock_ns();
    cn_job_pool_begin_spinning(pool);
    for (int i = 0; i < LOOPS_PER_TICK; i++)
        time_parallel(pool, work);
    cn_job_pool_end_spinning(pool);
    return cn_clock_ns() - start;
}

static uint64_t time_serial_tick(Work *work)
{
    uint64_t start = cn_clock_ns();
    for (int i = 0; i < LOOPS_PER_TICK; i++)
        time_serial(work);
    return cn_clock_ns() - start;
}

static void measure_loop(CnJobPool *pool, Mode mode, Work *work, uint32_t rounds,
                         MeasureTimes *serial, MeasureTimes *parallel)
{
    if (mode == HOT)
        cn_job_pool_begin_spinning(pool);
    for (uint32_t i = 0; i < rounds; i++) {
        samples[0][i] = mode == TICK ? time_serial_tick(work) : time_serial(work);
        if (mode != HOT)
            fall_asleep();
        samples[1][i] = mode == TICK ? time_tick(pool, work) : time_parallel(pool, work);
    }
    if (mode == HOT)
        cn_job_pool_end_spinning(pool);
    *serial = measure_summarize(samples[0], rounds);
    *parallel = measure_summarize(samples[1], rounds);
}

static void nothing(void *data, uint32_t lane)
{
    (void)data;
    (void)lane;
}

static MeasureTimes measure_submit(CnJobPool *pool, Mode mode, uint32_t rounds)
{
    if (mode == HOT)
        cn_job_pool_begin_spinning(pool);
    for (uint32_t i = 0; i < rounds; i++) {
        if (mode == ASLEEP)
            fall_asleep();
        uint64_t start = cn_clock_ns();
        cn_job_wait(pool, cn_job_submit(pool, &(CnJobDesc){.run = nothing}));
        samples[0][i] = cn_clock_ns() - start;
    }
    if (mode == HOT)
        cn_job_pool_end_spinning(pool);
    return measure_summarize(samples[0], rounds);
}

/* Submits a batch and waits for it. Returns nanoseconds per job. */
static MeasureTimes measure_batch(CnJobPool *pool, uint32_t rounds)
{
    enum { BATCH = 256 };
    CnJob jobs[BATCH];
    cn_job_pool_begin_spinning(pool);
    for (uint32_t i = 0; i < rounds; i++) {
        uint64_t start = cn_clock_ns();
        for (uint32_t k = 0; k < BATCH; k++)
            jobs[k] = cn_job_submit(pool, &(CnJobDesc){.run = nothing});
        for (uint32_t k = 0; k < BATCH; k++)
            cn_job_wait(pool, jobs[k]);
        samples[0][i] = cn_clock_ns() - start;
    }
    cn_job_pool_end_spinning(pool);
    MeasureTimes times = measure_summarize(samples[0], rounds);
    return (MeasureTimes){times.median_ns / BATCH, times.best_ns / BATCH};
}

/* ---- Output ---- */

static void print_cost(const Options *options, const char *name, uint32_t workers,
                       MeasureTimes times)
{
    if (options->json)
        printf("{\"bench\":\"jobs\",\"case\":\"%s\",\"workers\":%u,\"median_ns\":%.1f,"
               "\"best_ns\":%.1f}\n",
               name, workers, times.median_ns, times.best_ns);
    else
        printf("%-34s %7u %11.0f %11.0f\n", name, workers, times.median_ns, times.best_ns);
}

/* "over" is the time of the loop beyond an equal share of the serial time for each core in use. */
static void print_loop(const Options *options, const char *name, uint32_t workers,
                       MeasureTimes serial, MeasureTimes parallel)
{
    uint32_t cores = cn_cpu_info()->logical_cores;
    uint32_t shares = workers + 1 < cores ? workers + 1 : cores;
    double over_ns = parallel.best_ns - serial.best_ns / shares;
    double speed_up = serial.median_ns / parallel.median_ns;
    double best_speed_up = serial.best_ns / parallel.best_ns;
    if (options->json)
        printf("{\"bench\":\"jobs\",\"case\":\"%s\",\"workers\":%u,\"serial_median_ns\":%.1f,"
               "\"parallel_median_ns\":%.1f,\"speed_up\":%.3f,\"best_speed_up\":%.3f,"
               "\"over_best_ns\":%.1f}\n",
               name, workers, serial.median_ns, parallel.median_ns, speed_up, best_speed_up,
               over_ns);
    else
        printf("%-26s %7u %11.1f %11.1f %9.2f %9.2f %9.2f\n", name, workers,
               serial.median_ns * 1e-3, parallel.median_ns * 1e-3, speed_up, best_speed_up,
               over_ns * 1e-3);
}

static CnJobPool *create_pool(uint32_t workers)
{
    CnJobPool *pool =
        cn_job_pool_create(&(CnJobPoolDesc){.workers = workers ? workers : CN_JOBS_NONE}, NULL);
    if (!pool) {
        fprintf(stderr, "bench_jobs: cannot start %u workers\n", workers);
        exit(1);
    }
    return pool;
}

static void bench_costs(const Options *options)
{
    if (!options->json)
        printf("%-34s %7s %11s %11s\n", "cost of a job", "workers", "median ns", "best ns");
    CnJobPool *alone = create_pool(0);
    print_cost(options, "submit and wait, no workers", 0, measure_submit(alone, HOT, MAX_ROUNDS));
    print_cost(options, "batch of 256, a job, no workers", 0,
               measure_batch(alone, options->rounds));
    cn_job_pool_destroy(alone);

    CnJobPool *pool = create_pool(options->workers);
    print_cost(options, "submit and wait, hot", options->workers,
               measure_submit(pool, HOT, MAX_ROUNDS));
    print_cost(options, "submit and wait, asleep", options->workers,
               measure_submit(pool, ASLEEP, options->rounds));
    print_cost(options, "batch of 256, a job, hot", options->workers,
               measure_batch(pool, options->rounds));
    cn_job_pool_destroy(pool);
}

static void bench_loops(const Options *options)
{
    static const struct {
        const char *name;
        uint64_t target_ns;
        Mode mode;
    } cases[] = {
        {"loop of 16 us, hot", 16000, HOT},         {"loop of 16 us, asleep", 16000, ASLEEP},
        {"loop of 100 us, hot", 100000, HOT},       {"loop of 100 us, asleep", 100000, ASLEEP},
        {"loop of 1 ms, hot", 1000000, HOT},        {"loop of 1 ms, asleep", 1000000, ASLEEP},
        {"tick of ten 100 us loops", 100000, TICK},
    };
    static Work work;

    if (!options->json)
        printf("\n%-26s %7s %11s %11s %9s %9s %9s\n", "parallel_for of 100 pieces", "workers",
               "serial us", "split us", "speed-up", "best", "over us");
    for (size_t i = 0; i < CN_COUNT_OF(cases); i++) {
        calibrate(&work, cases[i].target_ns);
        for (uint32_t workers = 1; workers <= options->workers; workers++) {
            CnJobPool *pool = create_pool(workers);
            MeasureTimes serial, parallel;
            measure_loop(pool, cases[i].mode, &work, options->rounds, &serial, &parallel);
            print_loop(options, cases[i].name, workers, serial, parallel);
            cn_job_pool_destroy(pool);
        }
    }
}

int main(int argc, char **argv)
{
    uint32_t cores = cn_cpu_info()->logical_cores;
    Options options = {.workers = cores > 2 ? cores - 1 : 1, .rounds = 501};
    if (options.workers > CN_JOBS_MAX_WORKERS)
        options.workers = CN_JOBS_MAX_WORKERS;
    const BenchOption table[] = {
        BENCH_OPTION_JSON(&options.json),
        BENCH_OPTION_NUMBER("--workers", "at most N workers", &options.workers, 1,
                            CN_JOBS_MAX_WORKERS),
        BENCH_OPTION_NUMBER("--rounds", "repetitions of each loop", &options.rounds, 1, MAX_ROUNDS),
    };
    bench_read_options(
        &(BenchUsage){
            "bench_jobs",
            "Measures the cost of a job, and the speedup of parallel_for over the same loop "
            "on one\n"
            "thread, for 1 to N workers.",
            table, CN_COUNT_OF(table),
            "hot        the workers spin; asleep: they are woken by the loop\n"
            "tick       asleep before, begin_spinning, ten loops, end_spinning; the times are "
            "of all ten\n"
            "speed-up   serial over split time, medians; best: the shortest of each\n"
            "over       shortest split time beyond an equal share of the shortest serial time"},
        argc, argv);
    machine_print(options.json);
    bench_costs(&options);
    bench_loops(&options);
    return 0;
}

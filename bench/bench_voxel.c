/*
 * Benchmarks of voxel worlds: each workload is run alternately with a simple program that does the
 * same work, and the medians are compared. Ratios are meaningful on a busy machine, absolute times
 * less so. `--help` lists the options; docs/performance.md explains the figures.
 */
#include "options.h"
#include "bench_voxel/bench.h"

#include "crafty/world/blocks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_RUNS 10001u

typedef struct Workload {
    const char *name;
    MeasureFn measure;
    const char *unit; /* unit to which ns refers */
    uint32_t n, quick_n, threads;
    uint32_t runs; /* default number of runs; 0 selects 15 */
    double faster; /* goal: times faster than raw; 0: none */
    double most;   /* goal: maximum ns or bytes; 0: none */
    bool table_only;
} Workload;

/* clang-format off */
static const Workload workloads[] = {
    {"perlin_24", measure_perlin_24, "sample", 4096, 4096, .threads = 1, .faster = 40},
    {"perlin_5", measure_perlin_5, "sample", 4096, 4096, .threads = 1, .faster = 20},
    {"perlin_24 (avx2)", measure_perlin_24_avx2, "sample", 4096, 4096, .threads = 1, .faster = 12,
     .table_only = true},
    {"perlin_5 (avx2)", measure_perlin_5_avx2, "sample", 4096, 4096, .threads = 1, .faster = 8,
     .table_only = true},
    {"ridge_columns", measure_ridge_columns, "column", 256, 256, .threads = 1},
    {"generate_surface", measure_generate_surface, "chunk", 96, 8, .threads = 1, .faster = 15},
    {"generate_underground", measure_generate_underground, "chunk", 24, 2, .threads = 1,
     .faster = 20},
    {"generate_sky", measure_generate_sky, "chunk", 96, 8, .threads = 1, .faster = 75},
    {"generate_whole", measure_generate_whole, "chunk", 96, 8, .threads = 1},
    {"mesh_surface", measure_mesh_surface, "chunk", 64, 4, .threads = 1, .faster = 8},
    {"mesh_surface_lit", measure_mesh_surface_lit, "chunk", 64, 4, .threads = 1, .faster = 4},
    {"mesh_stairs", measure_mesh_stairs, "chunk", 1, 1, .threads = 1},
    {"light_surface", measure_light_surface, "chunk", 36, 36, .threads = 1, .most = 40000},
    {"light_open", measure_light_open, "chunk", 36, 36, .threads = 1, .most = 2000},
    {"light_dark", measure_light_dark, "chunk", 36, 36, .threads = 1, .most = 2000},
    {"lod_view", measure_lod_view, "tile", 4096, 8, .threads = 1, .runs = 3},
    {"fill_view", measure_fill_view, "chunk", 2601, 27, .threads = 1, .runs = 1, .faster = 10},
    {"fill_view", measure_fill_view, "chunk", 2601, 27, .threads = 2, .runs = 1, .faster = 18},
    {"fill_view_whole", measure_fill_view_whole, "chunk", 2601, 27, .threads = 1, .runs = 3},
    {"fill_view_whole", measure_fill_view_whole, "chunk", 2601, 27, .threads = 2, .runs = 3},
    {"stream_16", measure_stream_16, "chunk", 9801, 75, .threads = 1, .runs = 3},
    {"stream_16", measure_stream_16, "chunk", 9801, 75, .threads = 2, .runs = 3},
    {"prepare_spread", measure_prepare_spread, "call", 200, 4, .threads = 1, .most = 50000},
    {"prepare_spread", measure_prepare_spread, "call", 1000, 8, .threads = 1, .most = 50000},
    {"prepare_one_chunk", measure_prepare_one_chunk, "call", 1000, 4, .threads = 1, .most = 50000},
    {"prepare_walk", measure_prepare_walk, "call", 200, 4, .threads = 2, .runs = 5},
    {"tick_one_chunk", measure_tick_one_chunk, "tick", 1, 1, .threads = 1},
    {"tick_one_chunk", measure_tick_one_chunk, "tick", 1000, 4, .threads = 1},
    {"tick_spread", measure_tick_spread, "tick", 200, 2, .threads = 1, .runs = 5},
    {"tick_spread_air", measure_tick_spread_air, "tick", 1000, 4, .threads = 1, .runs = 5},
    {"tick_water", measure_tick_water, "tick", 1000, 64, .threads = 1, .runs = 5},
    {"send_edits", measure_send_edits, "chunk", 1000000, 1000, .threads = 1, .runs = 5},
    {"bytes_per_chunk", measure_bytes_per_chunk, "chunk, bytes", 2601, 27, .threads = 1,
     .most = 3072},
};
/* clang-format on */

typedef struct Options {
    const char *only;
    uint32_t runs;
    bool json, quick, progress;
} Options;

/* ---- Output ---- */

static void print_json(const Workload *workload, const Case *run, const Figures *figures)
{
    printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":%u,\"ns\":%.4f,\"raw_ns\":", workload->name,
           run->n, run->threads, figures->ns);
    if (figures->raw_ns < 0)
        printf("null");
    else
        printf("%.4f", figures->raw_ns);
    for (uint32_t i = 0; i < MAX_EXTRAS && figures->extras[i].name; i++)
        printf(",\"%s\":%.4f", figures->extras[i].name, figures->extras[i].value);
    printf("}\n");
}

static void print_header(void)
{
    printf("nanoseconds, medians\n\n");
    printf("%-24s %8s %8s %14s %14s %9s %9s\n", "workload", "n", "threads", "ours", "raw", "faster",
           "target");
}

static void print_row(const Workload *workload, const Case *run, const Figures *figures)
{
    char raw[32] = "-", faster[32] = "-", target[32] = "";
    const char *verdict = "";
    if (figures->raw_ns >= 0) {
        snprintf(raw, sizeof raw, "%.3f", figures->raw_ns);
        snprintf(faster, sizeof faster, "%.2fx", figures->raw_ns / figures->ns);
    }
    if (workload->faster > 0) {
        snprintf(target, sizeof target, "%.0fx", workload->faster);
        verdict = figures->raw_ns >= workload->faster * figures->ns ? "met" : "missed";
    } else if (workload->most > 0) {
        snprintf(target, sizeof target, "%.0f", workload->most);
        verdict = figures->ns <= workload->most ? "met" : "missed";
    }
    printf("%-24s %8u %8u %14.3f %14s %9s %9s %-6s a %s", workload->name, run->n, run->threads,
           figures->ns, raw, faster, target, verdict, workload->unit);
    for (uint32_t i = 0; i < MAX_EXTRAS && figures->extras[i].name; i++)
        printf(", %s %.4g", figures->extras[i].name, figures->extras[i].value);
    printf("\n");
}

/* ---- Running ---- */

static void run_workload(const Options *options, const Workload *workload)
{
    uint32_t runs = workload->runs ? workload->runs : 15;
    Case run = {.n = options->quick ? workload->quick_n : workload->n,
                .threads = workload->threads,
                .runs = options->runs    ? options->runs
                        : options->quick ? 3
                                         : runs,
                .quick = options->quick};
    if (options->progress) {
        fprintf(stderr, "\r\033[K%s, n %u ...", workload->name, run.n);
        fflush(stderr);
    }
    cpu_set_t cores;
    if (workload->threads == 1)
        measure_stay_on_core(0, &cores);
    Figures figures = workload->measure(&run);
    if (workload->threads == 1)
        measure_use_cores(&cores);
    if (options->progress)
        fprintf(stderr, "\r\033[K");
    if (options->json)
        print_json(workload, &run, &figures);
    else
        print_row(workload, &run, &figures);
    fflush(stdout);
}

/* ---- Options ---- */

static Options parse_options(int argc, char **argv)
{
    Options options = {.progress = isatty(STDERR_FILENO)};
    static const char *names[CN_COUNT_OF(workloads) + 1];
    uint32_t count = 0;
    for (size_t i = 0; i < CN_COUNT_OF(workloads); i++)
        if (i == 0 || workloads[i - 1].name != workloads[i].name)
            names[count++] = workloads[i].name;
    const BenchOption table[] = {
        BENCH_OPTION_JSON(&options.json),
        BENCH_OPTION_CHOICE("--only", "NAME", "run only this workload", &options.only, names),
        BENCH_OPTION_NUMBER("--runs", "runs of each side", &options.runs, 1, MAX_RUNS),
        BENCH_OPTION_FLAG("--quick", "little work and three runs, to test that it works",
                          &options.quick),
    };
    const char *about =
        "Measures voxel workloads, each alternating with a simple program that does the same work.";
    bench_read_options(
        &(BenchUsage){
            "bench_voxel", about, table, CN_COUNT_OF(table),
            "CAIRN_SIMD=scalar|avx2|avx512 selects the SIMD path. By default, runs depend "
            "on the workload."},
        argc, argv);
    return options;
}

const CnBlockTable *bench_blocks;

int main(int argc, char **argv)
{
    Options options = parse_options(argc, argv);
    CnBlockTable *blocks = need(crafty_blocks_create(NULL, NULL));
    cn_block_table_close(blocks);
    bench_blocks = blocks;
    machine_print(options.json);
    if (!options.json)
        print_header();
    for (size_t i = 0; i < CN_COUNT_OF(workloads); i++) {
        const Workload *workload = &workloads[i];
        if (options.only ? strcmp(options.only, workload->name) == 0
                         : !(options.json && workload->table_only))
            run_workload(&options, workload);
    }
    cn_block_table_destroy(blocks);
    return 0;
}

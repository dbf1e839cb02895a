/*
 * Benchmarks of voxel worlds: each workload is run alternately with a simple program that does the
 * same work, and the medians are compared. Ratios are meaningful on a busy machine, absolute times
 * less so. `--help` lists the options; docs/performance.md explains the figures.
 */
#include "bench_voxel/bench.h"

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
    {"perlin_24 (avx2)", measure_perlin_24_avx2, "sample", 4096, 4096, .threads = 1, .faster = 12, .table_only = true},
    {"perlin_5 (avx2)", measure_perlin_5_avx2, "sample", 4096, 4096, .threads = 1, .faster = 8, .table_only = true},
    {"ridge_columns", measure_ridge_columns, "column", 256, 256, .threads = 1},
    {"generate_surface", measure_generate_surface, "chunk", 96, 8, .threads = 1, .faster = 15},
    {"generate_underground", measure_generate_underground, "chunk", 24, 2, .threads = 1, .faster = 20},
    {"generate_sky", measure_generate_sky, "chunk", 96, 8, .threads = 1, .faster = 75},
    {"generate_whole", measure_generate_whole, "chunk", 96, 8, .threads = 1},
    {"mesh_surface", measure_mesh_surface, "chunk", 64, 4, .threads = 1, .faster = 8},
    {"mesh_surface_lit", measure_mesh_surface_lit, "chunk", 64, 4, .threads = 1, .faster = 4},
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
    {"bytes_per_chunk", measure_bytes_per_chunk, "chunk, bytes", 2601, 27, .threads = 1, .most = 3072},
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

static void print_help(void)
{
    printf("Usage: bench_voxel [--json] [--only NAME] [--runs N] [--quick]\n"
           "\n"
           "Measures voxel workloads, each alternating with a simple program that does the same\n"
           "work.\n"
           "\n"
           "  --json       print one JSON object per line instead of a table\n"
           "  --only NAME  run only this workload\n"
           "  --runs N     runs of each side, 1 to %u (default: by workload)\n"
           "  --quick      little work and three runs, to test that it works\n"
           "\n"
           "CAIRN_SIMD=scalar|avx2|avx512 selects the SIMD path.\n"
           "\n"
           "Workloads:\n",
           MAX_RUNS);
    for (size_t i = 0; i < CN_COUNT_OF(workloads); i++)
        printf("  %s\n", workloads[i].name);
}

static _Noreturn void refuse(const char *what, const char *argument)
{
    fprintf(stderr, "bench_voxel: %s%s%s; see --help\n", what, argument ? ": " : "",
            argument ? argument : "");
    exit(2);
}

static const char *parse_workload(const char *text)
{
    for (size_t i = 0; text && i < CN_COUNT_OF(workloads); i++)
        if (strcmp(workloads[i].name, text) == 0)
            return text;
    refuse("--only needs the name of a workload", text);
}

static uint32_t parse_runs(const char *text)
{
    char *end = NULL;
    unsigned long number = text ? strtoul(text, &end, 10) : 0;
    if (!text || *end || number < 1 || number > MAX_RUNS)
        refuse("--runs needs a number of runs", text);
    return (uint32_t)number;
}

static Options parse_options(int argc, char **argv)
{
    Options options = {.progress = isatty(STDERR_FILENO)};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            options.json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            options.quick = true;
        } else if (strcmp(argv[i], "--only") == 0) {
            options.only = parse_workload(argv[++i]);
        } else if (strcmp(argv[i], "--runs") == 0) {
            options.runs = parse_runs(argv[++i]);
        } else if (strcmp(argv[i], "--help") == 0) {
            print_help();
            exit(0);
        } else {
            refuse("unknown option", argv[i]);
        }
    }
    return options;
}

int main(int argc, char **argv)
{
    Options options = parse_options(argc, argv);
    machine_print(options.json);
    if (!options.json)
        print_header();
    for (size_t i = 0; i < CN_COUNT_OF(workloads); i++) {
        const Workload *workload = &workloads[i];
        if (options.only ? strcmp(options.only, workload->name) == 0
                         : !(options.json && workload->table_only))
            run_workload(&options, workload);
    }
    return 0;
}

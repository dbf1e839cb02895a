/*
 * Benchmarks of worlds: each workload alternates with the smallest raw C program that gives the
 * same guarantees, and the medians are compared. Ratios are meaningful on a busy machine, absolute
 * times less so. `--help` lists the options; docs/performance.md explains the figures.
 */
#include "options.h"
#include "bench_ecs/bench.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_SIZES 4u
#define MAX_RUNS 10001u

/* Goal at this size: a ratio to raw, or nanoseconds (or bytes); 0 for none. */
typedef struct Size {
    uint32_t n;
    double ratio, ns;
} Size;

typedef struct Workload {
    const char *name;
    MeasureFn measure;
    uint32_t threads;
    uint32_t quick_n;
    Size sizes[MAX_SIZES]; /* ends at the first entry with n 0 */
    bool table_only;
} Workload;

/* clang-format off */
static const Workload workloads[] = {
    {"iterate_move", measure_iterate_move, 1, 1000,
     .sizes = {{.n = 10000, .ratio = 1.05}, {.n = 100000}, {.n = 1000000, .ratio = 1.05}}},
    {"iterate_move", measure_iterate_move_threads, 2, 1000,
     .sizes = {{.n = 100000, .ratio = 1.5}, {.n = 1000000}}},
    {"fragmented_26", measure_fragmented_26, 1, 520,
     .sizes = {{.n = 520, .ratio = 3}, {.n = 10000}, {.n = 100000, .ratio = 1.1}, {.n = 1000000}}},
    {"create_pv", measure_create_pv, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000, .ratio = 2.5}}},
    {"create_pv_bulk", measure_create_pv_bulk, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000, .ns = 4}}},
    {"create_pv_bulk (one value)", measure_create_pv_bulk_equal, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000}}, .table_only = true},
    {"destroy_order", measure_destroy_order, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000, .ratio = 2}}},
    {"destroy_random", measure_destroy_random, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000, .ratio = 1.5}}},
    {"add_remove_tag", measure_add_remove_tag, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000, .ratio = 1.3}, {.n = 1000000}}},
    {"observe_add_remove", measure_observe_add_remove, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000}}},
    {"add_remove_component", measure_add_remove_component, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000, .ns = 14}, {.n = 1000000}}},
    {"bulk_add_remove", measure_bulk_add_remove, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000, .ns = 2}, {.n = 1000000}}},
    {"bulk_add_remove (a tag)", measure_bulk_add_remove_tag, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000}}, .table_only = true},
    {"get_random", measure_get_random, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000, .ratio = 1.3}}},
    {"deferred_add_remove", measure_deferred_add_remove, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000, .ratio = 1.5}, {.n = 1000000}}},
    {"deferred_spawn", measure_deferred_spawn, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000, .ns = 25}, {.n = 1000000}}},
    {"event", measure_event, 1, 1000,
     .sizes = {{.n = 10000, .ns = 4}, {.n = 100000, .ns = 4}, {.n = 1000000}}},
    {"query_create_1000", measure_query_create_1000, 1, 1000, .sizes = {{.n = 1000, .ns = 8000}}},
    {"query_empty", measure_query_empty, 1, 1, .sizes = {{.n = 1, .ns = 3}}},
    {"new_archetype_100_queries", measure_new_archetype_100_queries, 1, 100,
     .sizes = {{.n = 100, .ns = 1000}}},
    {"sorted_query_update", measure_sorted_query_update, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000}}},
    {"grouped_query", measure_grouped_query, 1, 1000, .sizes = {{.n = 10000}, {.n = 1000000}}},
    {"tree_transforms", measure_tree_transforms, 1, 1111, .sizes = {{.n = 111111, .ratio = 1.1}}},
    {"tick_100_systems", measure_tick_100_systems, 1, 100, .sizes = {{.n = 100, .ns = 1500}}},
    {"split_send", measure_split_send, 1, 1000, .sizes = {{.n = 10000}, {.n = 1000000}}},
    {"split_silent", measure_split_silent, 1, 1000, .sizes = {{.n = 10000}, {.n = 1000000}}},
    {"bytes_per_entity", measure_bytes_per_entity, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 100000}, {.n = 1000000, .ns = 44}}},
    {"changes_per_entity", measure_changes_per_entity, 1, 1000,
     .sizes = {{.n = 10000}, {.n = 1000000}}},
    {"world_clone", measure_world_clone, 1, 1000, .sizes = {{.n = 10000}, {.n = 1000000}}},
    {"world_create_destroy", measure_world_create_destroy, 1, 1, .sizes = {{.n = 1, .ns = 50000}}},
};
/* clang-format on */

typedef enum Layouts { LAYOUTS_PACKED = 1, LAYOUTS_FIELDS = 2, LAYOUTS_BOTH = 3 } Layouts;

typedef struct Options {
    Layouts layouts;
    const char *only;
    uint32_t runs;
    bool json, quick, progress;
} Options;

/* ---- Output ---- */

static void print_json(const Workload *workload, const Case *run, Figures figures)
{
    printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":%u,\"ns\":%.4f,\"raw_ns\":", workload->name,
           run->n, run->threads, figures.ns);
    if (figures.raw_ns < 0)
        printf("null");
    else
        printf("%.4f", figures.raw_ns);
    printf("%s}\n", run->layout == CN_LAYOUT_FIELDS ? ",\"layout\":\"fields\"" : "");
}

static void print_header(const Options *options)
{
    printf("nanoseconds for one entity or operation, medians of %u runs\n\n", options->runs);
    printf("%-26s %-7s %8s %8s %10s %10s %7s %9s\n", "workload", "layout", "n", "threads", "ours",
           "raw", "ratio", "target");
}

static void print_row(const Workload *workload, const Size *size, const Case *run, Figures figures)
{
    char raw[32] = "-", ratio[32] = "-", target[32] = "";
    const char *verdict = "";
    if (figures.raw_ns >= 0) {
        snprintf(raw, sizeof raw, "%.3f", figures.raw_ns);
        snprintf(ratio, sizeof ratio, "%.2f", figures.ns / figures.raw_ns);
    }
    if (size->ratio > 0) {
        snprintf(target, sizeof target, "%.2fx", size->ratio);
        verdict = figures.ns <= size->ratio * figures.raw_ns ? "met" : "missed";
    } else if (size->ns > 0) {
        snprintf(target, sizeof target, "%.0f", size->ns);
        verdict = figures.ns <= size->ns ? "met" : "missed";
    }
    printf("%-26s %-7s %8u %8u %10.3f %10s %7s %9s %s\n", workload->name,
           run->layout == CN_LAYOUT_PACKED ? "packed" : "fields", run->n, run->threads, figures.ns,
           raw, ratio, target, verdict);
}

/* ---- Running ---- */

static void run_case(const Options *options, const Workload *workload, const Size *size,
                     CnLayout layout)
{
    Case run = {size->n, workload->threads, options->runs, layout};
    if (options->progress) {
        fprintf(stderr, "\r\033[K%s, n %u ...", workload->name, size->n);
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
        print_json(workload, &run, figures);
    else
        print_row(workload, size, &run, figures);
    fflush(stdout);
}

static void run_workload(const Options *options, const Workload *workload)
{
    for (uint32_t i = 0; i < MAX_SIZES && workload->sizes[i].n; i++) {
        const Size *size =
            options->quick ? &(const Size){.n = workload->quick_n} : &workload->sizes[i];
        if (options->layouts & LAYOUTS_PACKED)
            run_case(options, workload, size, CN_LAYOUT_PACKED);
        if (options->layouts & LAYOUTS_FIELDS)
            run_case(options, workload, size, CN_LAYOUT_FIELDS);
        if (options->quick)
            return;
    }
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
    static const char *const layouts[] = {"packed", "fields", "both", NULL};
    const char *layout = layouts[0];
    const BenchOption table[] = {
        BENCH_OPTION_JSON(&options.json),
        BENCH_OPTION_CHOICE("--layout", "WHAT",
                            "columns of structs, a column for each field, or both", &layout,
                            layouts),
        BENCH_OPTION_CHOICE("--only", "NAME", "run only this workload", &options.only, names),
        BENCH_OPTION_NUMBER("--runs", "runs of each side", &options.runs, 1, MAX_RUNS),
        BENCH_OPTION_FLAG("--quick", "few entities and three runs, to test that it works",
                          &options.quick),
    };
    const char *about =
        "Measures the cost of a world: each workload alternates with the same work in raw C.";
    bench_read_options(&(BenchUsage){"bench_ecs", about, table, CN_COUNT_OF(table), NULL}, argc,
                       argv);
    options.layouts = layout == layouts[0]   ? LAYOUTS_PACKED
                      : layout == layouts[1] ? LAYOUTS_FIELDS
                                             : LAYOUTS_BOTH;
    if (!options.runs)
        options.runs = options.quick ? 3 : 15;
    return options;
}

int main(int argc, char **argv)
{
    Options options = parse_options(argc, argv);
    /* Keeps freed memory in the heap. Otherwise the worlds created for each run would be built from
     * fresh pages, which vary, and memory from the kernel costs more than the work. */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    machine_print(options.json);
    if (!options.json)
        print_header(&options);
    for (size_t i = 0; i < CN_COUNT_OF(workloads); i++) {
        const Workload *workload = &workloads[i];
        if (options.only ? strcmp(options.only, workload->name) == 0
                         : !(options.json && workload->table_only))
            run_workload(&options, workload);
    }
    return 0;
}

/*
 * The cost of the transform pass: a tree of 100,000 nodes with ten children each, compared with
 * three loops over dense arrays written for this tree; all alternate. `--help` lists the options.
 */
#include "bench_transform/reference.h"
#include "measure.h"
#include "options.h"

#include <cairn/base/cpu.h>
#include <cairn/scene/transform.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define NODES 100000u
#define FAN_OUT 10u
#define MAX_LEVELS 32u
#define MAX_RUNS 400u
#define TURN 8u /* consecutive runs of one variant */

CN_STATIC_ASSERT(sizeof(Numbers) == sizeof(CnTransform), "the same numbers");

/* ---- The tree, twice ---- */

static uint32_t levels[MAX_LEVELS], parents[NODES + 8];
static CnEntity entities[NODES];
static Reference reference;
static CnWorld *world;
static CnQuery *locals;

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "bench_transform: out of memory\n");
        exit(1);
    }
    return memory;
}

/* On huge pages, like the chunks of a world. */
static void *dense(size_t bytes)
{
    size_t huge = (size_t)2 << 20, size = (bytes + huge - 1) / huge * huge;
    void *memory = need(cn_alloc_aligned(NULL, size, huge));
    madvise(memory, size, MADV_HUGEPAGE);
    memset(memory, 0, size);
    return memory;
}

static Numbers numbers_of(uint32_t node)
{
    return (Numbers){{(float)(node % 7), (float)(node % 5), (float)(node % 3)},
                     cn_quat_from_euler(cn_vec3((float)(node % 90), (float)(node % 180), 10)),
                     {1, 1, 1}};
}

static void make_reference(CnJobPool *jobs)
{
    uint32_t level_count = 0;
    for (uint32_t begin = 0, width = 1; begin < NODES; begin += width, width *= FAN_OUT)
        levels[level_count++] = begin;
    levels[level_count] = NODES;
    reference = (Reference){.count = NODES,
                            .level_count = level_count,
                            .levels = levels,
                            .parents = parents,
                            .local = dense((NODES + 32) * sizeof(Numbers)),
                            .matrices = dense((NODES + 32) * sizeof(CnAffine)),
                            .dirty = dense(NODES),
                            .jobs = jobs};
    for (uint32_t i = 0; i < NODES; i++) {
        parents[i] = i ? (i - 1) / FAN_OUT : UINT32_MAX;
        reference.local[i] = numbers_of(i);
    }
}

static void make_world(void)
{
    world = need(cn_world_create(NULL, NULL));
    cn_transform_add(world, NULL);
    for (uint32_t i = 0; i < NODES; i++) {
        Numbers n = numbers_of(i);
        entities[i] =
            cn_spawn(world, cn_with(CnTransform, {n.position, n.rotation, n.scale}),
                     cn_with_default(CnWorldTransform), cn_with_default(CnTransformCache));
    }
    for (uint32_t i = 1; i < NODES; i++)
        cn_set_parent(world, entities[i], entities[parents[i]]);
    locals = need(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(CnTransform)}}, NULL));
}

/* ---- Moving ---- */

typedef enum Moves { MOVE_ALL, MOVE_LEAF, MOVE_ROOT, MOVE_NONE } Moves;

static void move_world(Moves moves)
{
    CnChunkView view;
    if (moves == MOVE_LEAF || moves == MOVE_ROOT)
        cn_get_mut(world, entities[moves == MOVE_ROOT ? 0 : NODES - 1], CnTransform)->position.x +=
            0.5f;
    if (moves != MOVE_ALL)
        return;
    for (CnQueryIter it = cn_query_iter(locals); cn_query_next(&it, &view);) {
        CnTransform *local = cn_column(&view, CnTransform);
        for (uint32_t i = 0; i < view.count; i++)
            local[i].position.x += 0.5f;
    }
}

static void move_reference(Moves moves)
{
    if (moves == MOVE_NONE)
        return;
    uint32_t begin = moves == MOVE_LEAF ? NODES - 1 : 0, end = moves == MOVE_ROOT ? 1 : NODES;
    for (uint32_t i = begin; i < end; i++) {
        reference.local[i].position.x += 0.5f;
        reference.dirty[i] = 1;
    }
}

/* ---- Measuring ---- */

enum { OURS, NAIVE, DIRTY, BARE, WAYS };

typedef struct Workload {
    const char *name;
    Moves moves;
    int raw; /* the variant that raw_ns refers to */
} Workload;

static const Workload workloads[] = {
    {"all_moved", MOVE_ALL, BARE},
    {"one_leaf", MOVE_LEAF, NAIVE},
    {"root_moved", MOVE_ROOT, NAIVE},
    {"none_moved", MOVE_NONE, NAIVE},
};

typedef struct Options {
    uint32_t runs, threads;
    bool json;
} Options;

static uint64_t time_way(int way, Moves moves)
{
    if (way == OURS)
        move_world(moves);
    else
        move_reference(moves);
    uint64_t start = cn_clock_ns();
    switch (way) {
    case OURS:
        cn_transform_propagate(world, reference.jobs, NULL);
        break;
    case NAIVE:
        reference_naive(&reference);
        break;
    case DIRTY:
        reference_dirty(&reference);
        break;
    default:
        reference_bare(&reference);
    }
    measure_keep(reference.matrices);
    return cn_clock_ns() - start;
}

static void check_same(void)
{
    memset(reference.dirty, 1, NODES);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(locals); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            cn_column(&view, CnTransform)[i].position.x = 1;
    for (uint32_t i = 0; i < NODES; i++)
        reference.local[i].position.x = 1;
    cn_transform_propagate(world, reference.jobs, NULL);
    reference_bare(&reference);
    for (uint32_t i = 0; i < NODES; i++)
        if (memcmp(&reference.matrices[i], cn_get(world, entities[i], CnWorldTransform),
                   sizeof(CnAffine)) != 0) {
            fprintf(stderr, "bench_transform: node %u has a different matrix\n", i);
            exit(1);
        }
}

static void measure(const Workload *workload, const Options *options)
{
    static uint64_t times[WAYS][MAX_RUNS];
    double ns[WAYS];
    make_world();
    check_same();
    for (uint32_t i = 0; i < 3; i++) /* lets the state settle */
        time_way(OURS, workload->moves);
    for (uint32_t i = 0; i < options->runs; i += TURN)
        for (int way = 0; way < WAYS; way++) {
            time_way(way, workload->moves); /* warms the caches for this variant */
            for (uint32_t k = i; k < i + TURN; k++)
                times[way][k] = time_way(way, workload->moves);
        }
    for (int way = 0; way < WAYS; way++)
        ns[way] = measure_summarize(times[way], options->runs).median_ns / NODES;
    if (options->json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":%u,\"ns\":%.4f,\"raw_ns\":%.4f,"
               "\"naive_ns\":%.4f,\"dirty_ns\":%.4f,\"bare_ns\":%.4f}\n",
               workload->name, NODES, options->threads, ns[OURS], ns[workload->raw], ns[NAIVE],
               ns[DIRTY], ns[BARE]);
    else
        printf("%-20s %9.3f %9.3f %9.3f %9.3f %9.3f of %s\n", workload->name, ns[OURS], ns[NAIVE],
               ns[DIRTY], ns[BARE], ns[OURS] / ns[workload->raw],
               workload->raw == BARE ? "bare" : "naive");
    fflush(stdout);
    cn_world_destroy(world);
}

/* ---- Options ---- */

int main(int argc, char **argv)
{
    Options options = {.runs = MAX_RUNS, .threads = 1};
    bool quick = false;
    char about[640];
    cn_format(about, sizeof about,
              "Nanoseconds per node of a tree of %u nodes, medians:\n"
              "  ours    PropagateTransforms, on N threads\n"
              "  naive   every matrix, in plain C\n"
              "  dirty   matrices with a flag that the writer must set\n"
              "  bare    every matrix, SIMD, over dense arrays sorted by depth, on N threads\n"
              "raw_ns is bare if all nodes move, otherwise naive.",
              NODES);
    const BenchOption table[] = {
        BENCH_OPTION_JSON(&options.json),
        BENCH_OPTION_FLAG("--quick", "few runs, to test that it works", &quick),
        BENCH_OPTION_NUMBER("--threads", "threads", &options.threads, 1, CN_JOBS_MAX_WORKERS),
    };
    bench_read_options(&(BenchUsage){"bench_transform", about, table, CN_COUNT_OF(table), NULL},
                       argc, argv);
    if (quick)
        options.runs = TURN;
    CnJobPool *jobs = NULL;
    if (options.threads > 1) {
        jobs = need(cn_job_pool_create(&(CnJobPoolDesc){.workers = options.threads - 1}, NULL));
        cn_job_pool_begin_spinning(jobs);
    }
    make_reference(jobs);
    machine_print(options.json);
    if (!options.json)
        printf("%-20s %9s %9s %9s %9s\n", "", "ours", "naive", "dirty", "bare");
    for (uint32_t i = 0; i < CN_COUNT_OF(workloads); i++)
        measure(&workloads[i], &options);
    if (jobs) {
        cn_job_pool_end_spinning(jobs);
        cn_job_pool_destroy(jobs);
    }
}

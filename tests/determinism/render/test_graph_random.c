/* Random graphs over many frames, against a model of memory and against themselves. */
#include "graph_fixture.h"
#include "gpu_memory_model.h"

#include "render/graph/graph_internal.h"

#include <stdlib.h>

#define SEEDS 60u
#define FRAMES 12u

static bool lives_at_once(const CnGraphResourceInfo *a, const CnGraphResourceInfo *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* No two transients that live at the same time overlap. */
static void check_places(const CnGraph *graph)
{
    CnGraphResourceInfo a, b;
    uint64_t heap_bytes = cn_graph_stats(graph).heap_bytes;
    for (uint32_t i = 0; cn_graph_resource_info(graph, i, &a); i++) {
        if (a.origin != CN_GRAPH_TRANSIENT || a.is_culled)
            continue;
        assert_true(a.offset + a.bytes <= heap_bytes);
        for (uint32_t j = 0; j < i && cn_graph_resource_info(graph, j, &b); j++) {
            if (b.origin != CN_GRAPH_TRANSIENT || b.is_culled || !lives_at_once(&a, &b))
                continue;
            if (a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes)
                fail_msg("%s and %s overlap", a.name, b.name);
        }
    }
}

/* Whether the passes that ran are those that the last version of something wanted builds on. */
static void check_culling(const RandomGraph *random)
{
    for (uint32_t i = 0; i < random->pass_count; i++) {
        CnGraphPassInfo info;
        assert_true(cn_graph_pass_info(random->graph, i, &info));
        assert_int_equal(info.is_culled, !random->passes[i].has_run);
    }
}

typedef struct Tally {
    uint32_t frames, cycles, culled, aliased;
    MemoryModel *model;
} Tally;

static void run_frame(GraphFixture *fixture, RandomGraph *random, Tally *tally)
{
    CnError error = {0};
    random_graph_declare(random);
    if (!cn_graph_compile(fixture->graph, &error)) {
        /* Reading older versions can make passes wait for each other, and nothing else is wrong. */
        if (error.code != CN_ERROR_CYCLE)
            fail_msg("%s", error.message);
        tally->cycles++;
        return;
    }
    CnGpuCommands *commands = cn_gpu_begin_frame(fixture->gpu, &error);
    assert_non_null(commands);
    cn_graph_execute(fixture->graph, commands);
    assert_true(cn_gpu_end_frame(fixture->gpu, &error));
    random_graph_executed(random);
    CnGraphStats stats = cn_graph_stats(fixture->graph);
    tally->frames++;
    tally->culled += stats.culled_passes;
    tally->aliased += stats.placed_bytes < stats.transient_bytes;
    check_places(fixture->graph);
    check_culling(random);
    memory_model_check(tally->model, random, fixture->graph->heaps[0].heap.id);
}

static void random_graphs_have_the_barriers_they_need_and_no_others(void **state)
{
    (void)state;
    Tally tally = {.model = malloc(sizeof *tally.model)};
    uint32_t barriers = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        GraphFixture fixture;
        RandomGraph *random = malloc(sizeof *random);
        graph_fixture_init(&fixture);
        random_graph_init(random, fixture.gpu, fixture.graph, seed);
        memset(tally.model, 0, sizeof *tally.model);
        for (uint32_t i = 0; i < FRAMES; i++)
            run_frame(&fixture, random, &tally);
        barriers += tally.model->barriers;
        random_graph_fini(random);
        graph_fixture_fini(&fixture);
        free(random);
    }
    /* The graphs are worth the name. */
    assert_true(tally.frames > SEEDS * FRAMES / 2);
    assert_true(tally.cycles > 0 && tally.culled > 0 && tally.aliased > tally.frames / 2);
    assert_true(barriers > 20 * tally.frames);
    free(tally.model);
}

/* What a frame recorded, as one number; ids are those of the device. */
static uint64_t hash_of_log(const CnGpu *gpu)
{
    uint32_t count;
    const CnGpuLogEntry *log = cn_gpu_command_log(gpu, &count);
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = cn_hash_bytes(log[i].command, strlen(log[i].command), hash);
        hash = cn_hash_bytes(log[i].name, strlen(log[i].name), hash);
        hash = cn_hash_bytes(&log[i].barrier, sizeof log[i].barrier, hash);
    }
    return hash;
}

static uint64_t hash_of_frames(uint64_t seed)
{
    GraphFixture fixture;
    RandomGraph *random = malloc(sizeof *random);
    uint64_t hash = 0;
    graph_fixture_init(&fixture);
    random_graph_init(random, fixture.gpu, fixture.graph, seed);
    for (uint32_t i = 0; i < FRAMES; i++) {
        random_graph_declare(random);
        if (!cn_graph_compile(fixture.graph, NULL))
            continue;
        CnGpuCommands *commands = cn_gpu_begin_frame(fixture.gpu, NULL);
        cn_graph_execute(fixture.graph, commands);
        assert_true(cn_gpu_end_frame(fixture.gpu, NULL));
        random_graph_executed(random);
        hash = cn_hash_mix(hash ^ hash_of_log(fixture.gpu));
    }
    random_graph_fini(random);
    graph_fixture_fini(&fixture);
    free(random);
    return hash;
}

static void the_same_graphs_record_the_same_commands(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 110; seed++)
        assert_int_equal(hash_of_frames(seed), hash_of_frames(seed));
    assert_int_not_equal(hash_of_frames(100), hash_of_frames(101));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_have_the_barriers_they_need_and_no_others),
        cmocka_unit_test(the_same_graphs_record_the_same_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

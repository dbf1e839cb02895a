/* Graphs whose n-th allocation fails. */
#include "failing_heap.h"
#include "graph_fixture.h"
#include "random_graph.h"

#include <stdlib.h>

/* A compiled frame, executed; false when memory was out. */
static bool run_frame(CnGpu *gpu, CnGraph *graph, RandomGraph *random)
{
    CnError error = {0};
    random_graph_declare(random);
    if (!cn_graph_compile(graph, &error)) {
        if (error.code == CN_ERROR_CYCLE)
            return true;
        if (error.code != CN_ERROR_MEMORY)
            fail_msg("%s", error.message);
        return false;
    }
    CnGpuCommands *commands = cn_gpu_begin_frame(gpu, &error);
    assert_non_null(commands);
    cn_graph_execute(graph, commands);
    assert_true(cn_gpu_end_frame(gpu, &error));
    random_graph_executed(random);
    return true;
}

/* Draws both images; false when memory was out. */
static bool dump(const CnGraph *graph, CnAllocator *allocator)
{
    CnTextBuilder text;
    cn_array_init(&text, allocator);
    bool ok = cn_graph_write_dot(graph, &text) && cn_graph_write_svg(graph, &text);
    cn_array_fini(&text);
    return ok;
}

typedef struct Scenario {
    uint64_t seed;
} Scenario;

/* The device is made from memory that is always there: only what the graph makes of it fails. */
static bool use_graph(CnAllocator *allocator, void *user)
{
    const Scenario *scenario = user;
    GraphFixture fixture = {.heap = cn_heap_create(NULL, NULL)};
    fixture.gpu = cn_gpu_create(
        &(CnGpuDesc){.allocator = cn_heap_tag(fixture.heap, "gpu"), .backend = CN_GPU_NULL}, NULL);
    assert_non_null(fixture.gpu);
    RandomGraph *random = malloc(sizeof *random);
    CnError error = {0};
    fixture.graph =
        cn_graph_create(&(CnGraphDesc){.allocator = allocator, .gpu = fixture.gpu}, &error);
    bool ok = fixture.graph != NULL;
    if (!ok)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    random_graph_init(random, fixture.gpu, fixture.graph, scenario->seed);
    for (uint32_t i = 0; ok && i < 3; i++)
        ok = run_frame(fixture.gpu, fixture.graph, random);
    ok = ok && dump(fixture.graph, allocator);
    cn_graph_destroy(fixture.graph);
    random_graph_fini(random);
    assert_int_equal(cn_gpu_stats(fixture.gpu).wrong_calls, 0);
    CnGpuStats stats = cn_gpu_stats(fixture.gpu);
    assert_int_equal(stats.textures + stats.heaps, 0);
    cn_gpu_destroy(fixture.gpu);
    assert_int_equal(cn_heap_stats(fixture.heap).live_blocks, 0);
    cn_heap_destroy(fixture.heap);
    free(random);
    return ok;
}

static void every_allocation_of_a_graph_may_fail(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        Scenario scenario = {.seed = seed};
        assert_true(run_with_failing_allocations(use_graph, &scenario) > 10);
    }
}

/* The device runs out of memory in the middle of some frames; the graph goes on as soon as it has
 * some. */
static void frames_follow_those_for_which_the_device_had_no_memory(void **state)
{
    (void)state;
    GraphFixture fixture;
    RandomGraph *random = malloc(sizeof *random);
    graph_fixture_init(&fixture);
    random_graph_init(random, fixture.gpu, fixture.graph, 7);
    uint32_t failed = 0, done = 0;
    for (uint32_t i = 0; i < 300; i++) {
        CnError error = {0};
        random_graph_declare(random);
        cn_heap_fail_after(fixture.heap, i % 5);
        bool ok = cn_graph_compile(fixture.graph, &error);
        cn_heap_fail_after(fixture.heap, CN_HEAP_NEVER_FAIL);
        failed += !ok && error.code == CN_ERROR_MEMORY;
        if (!ok)
            continue;
        CnGpuCommands *commands = cn_gpu_begin_frame(fixture.gpu, &error);
        assert_non_null(commands);
        cn_graph_execute(fixture.graph, commands);
        assert_true(cn_gpu_end_frame(fixture.gpu, &error));
        random_graph_executed(random);
        done++;
    }
    assert_true(failed > 10 && done > 10);
    random_graph_fini(random);
    graph_fixture_fini(&fixture);
    free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_graph_may_fail),
        cmocka_unit_test(frames_follow_those_for_which_the_device_had_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

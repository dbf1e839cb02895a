/* Streams when memory runs out: the call says so, and what was there stays. */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include <cairn/ecs.h>
#include <cairn/sim/random.h>

typedef struct Scenario {
    CnWorld *world;
    CnError error;
} Scenario;

static bool is_out_of_memory(const Scenario *scenario)
{
    assert_int_equal(scenario->error.code, CN_ERROR_MEMORY);
    return true;
}

static bool make_streams(Scenario *scenario)
{
    CnWorld *world = scenario->world;
    CnComponent first = cn_random_stream(world, "first", &scenario->error);
    if (!first.id)
        return !is_out_of_memory(scenario);
    cn_random_skip(cn_random_of(world, first), 3);
    uint64_t before = cn_world_hash(world);
    if (!cn_random_seed(world, 9, &scenario->error)) {
        assert_int_equal(cn_world_hash(world), before);
        return !is_out_of_memory(scenario);
    }
    assert_int_equal(cn_random_of(world, first)->key, cn_random_make(9, "first").key);
    before = cn_world_hash(world);
    CnComponent second = cn_random_stream(world, "second", &scenario->error);
    if (!second.id) {
        assert_int_equal(cn_world_hash(world), before);
        return !is_out_of_memory(scenario);
    }
    assert_true(cn_resource_remove_value(world, first));
    if (!cn_random_restore(world, &scenario->error))
        return !is_out_of_memory(scenario);
    assert_int_equal(cn_random_of(world, first)->counter, 0);
    return true;
}

static bool streams_in_a_world(CnAllocator *allocator, void *user)
{
    (void)user;
    Scenario scenario = {.world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL)};
    if (!scenario.world)
        return false;
    bool done = make_streams(&scenario);
    cn_world_destroy(scenario.world);
    return done;
}

static void a_stream_is_made_whole_or_not_at_all(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(run_with_failing_allocations(streams_in_a_world, NULL) > 10);
}

static void a_call_that_failed_succeeds_when_memory_is_back(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 20; n++) {
        CnHeap *heap = cn_heap_create(NULL, NULL);
        CnWorld *world =
            cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
        cn_heap_fail_after(heap, n);
        cn_random_stream(world, "stream", NULL);
        cn_random_seed(world, 4, NULL);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_true(cn_random_seed(world, 4, NULL));
        CnComponent stream = cn_random_stream(world, "stream", NULL);
        assert_int_equal(cn_random_key(world, stream), cn_random_make(4, "stream").key);
        cn_world_destroy(world);
        cn_heap_destroy(heap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_is_made_whole_or_not_at_all),
        cmocka_unit_test(a_call_that_failed_succeeds_when_memory_is_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

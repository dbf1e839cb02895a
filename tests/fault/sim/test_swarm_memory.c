/* The demo swarm out of memory: it is not there, or it stops with an error; nothing leaks. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "swarm/swarm.h"

static bool live_a_little(CnAllocator *allocator, void *user)
{
    CnError error = {0};
    (void)user;
    CnSim *sim = cn_sim_create(&(CnSimDesc){.allocator = allocator, .seed = 3}, &error);
    bool done = sim && swarm_add(sim, &(SwarmDesc){40}, &error) && cn_sim_tick_n(sim, 5, &error);
    if (!done && error.code != CN_ERROR_MEMORY)
        fail_msg("another error: %d, %s", error.code, error.message);
    cn_sim_destroy(sim);
    return done;
}

static void a_swarm_gives_all_memory_back_when_some_is_refused(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(run_with_failing_allocations(live_a_little, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swarm_gives_all_memory_back_when_some_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

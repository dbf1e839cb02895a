/* test-labels: threads */
/* Scripts that use some of everything give the same state again, on any number of threads,
 * sandboxed or not. */
#include "busy_scripts.h"
#include "cmocka_tests.h"
#include "script_world.h"

#include <cairn/base/job.h>

#define TICKS 150u

typedef struct Result {
    uint64_t hash;
    CnVec3 position; /* of the first script's object */
    uint32_t entities;
} Result;

static Result run(bool sandboxed, CnJobPool *jobs)
{
    ScriptWorld w;
    assert_true(script_world_init(
        &w, &(ScriptWorldDesc){.sandboxed = sandboxed, .physics = true, .seed = 7, .jobs = jobs}));
    CnEntity first = script_add(&w, "Spawner", busy_spawner);
    CnEntity second = script_add(&w, "Pusher", busy_pusher);
    CnEntity third = script_add(&w, "Reckoner", busy_reckoner);
    assert_true(script_tick(&w, TICKS));
    assert_string_equal(script_error(&w, first), "");
    assert_string_equal(script_error(&w, second), "");
    assert_string_equal(script_error(&w, third), "");
    Result result = {cn_sim_hash(w.sim), cn_get(w.world, first, CnTransform)->position,
                     cn_entity_count(w.world)};
    script_world_fini(&w);
    return result;
}

static void two_runs_are_equal(void **state)
{
    (void)state;
    Result a = run(false, NULL), b = run(false, NULL);
    assert_true(a.hash == b.hash);
    assert_true(a.entities > 20);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    Result a = run(true, NULL), b = run(true, jobs);
    cn_job_pool_destroy(jobs);
    assert_true(a.hash == b.hash);
}

static void boxed_and_trusted_scripts_do_the_same(void **state)
{
    (void)state;
    Result a = run(false, NULL), b = run(true, NULL);
    assert_memory_equal(&a.position, &b.position, sizeof a.position);
    assert_int_equal(a.entities, b.entities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_are_equal),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(boxed_and_trusted_scripts_do_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

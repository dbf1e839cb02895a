/* test-labels: threads */
/* A run that is saved and restored now and then, or played with another number of threads, is the
 * same run. */
#include "jobs.h"
#include "random.h"
#include "replay_fixture.h"

enum { TICKS = 220 };

static const SimWorldDesc usual = {.seed = 11};
static Recording straight;

static void restore(SimWorld *to, const CnSnapshot *snapshot)
{
    CnError error = {0};
    check_error(cn_sim_restore(to->sim, snapshot->bytes, snapshot->size, &error), &error);
    assert_int_equal(cn_sim_hash(to->sim), straight.hashes[cn_sim_tick(to->sim)]);
}

static CnSnapshot save(const SimWorld *from)
{
    CnSnapshot snapshot;
    CnError error = {0};
    check_error(cn_sim_save(from->sim, &snapshot, &error), &error);
    return snapshot;
}

static void play_checked(SimWorld *world, uint64_t end)
{
    while (cn_sim_tick(world->sim) < end) {
        assert_true(sim_world_play(world, 1));
        assert_int_equal(cn_sim_hash(world->sim), straight.hashes[cn_sim_tick(world->sim)]);
    }
}

static void a_run_goes_on_after_a_restore_into_itself(void **state)
{
    (void)state;
    TestRandom random = {1};
    SimWorld world;
    start(&world, &usual);
    CnSnapshot snapshot = save(&world);
    for (uint32_t round = 0; round < 40; round++) {
        uint64_t at = cn_sim_tick(world.sim);
        play_checked(&world, at + test_random_below(&random, 30) < TICKS
                                 ? at + test_random_below(&random, 30)
                                 : TICKS);
        if (round % 3 == 0) {
            cn_snapshot_free(&snapshot);
            snapshot = save(&world);
        }
        restore(&world, &snapshot);
        play_checked(&world,
                     cn_sim_tick(world.sim) + 3 < TICKS ? cn_sim_tick(world.sim) + 3 : TICKS);
    }
    play_checked(&world, TICKS);
    cn_snapshot_free(&snapshot);
    sim_world_fini(&world);
}

static void a_run_goes_on_in_another_simulation(void **state)
{
    (void)state;
    TestRandom random = {2};
    SimWorld world;
    start(&world, &usual);
    while (cn_sim_tick(world.sim) < TICKS) {
        uint64_t end = cn_sim_tick(world.sim) + 1 + test_random_below(&random, 25);
        play_checked(&world, end < TICKS ? end : TICKS);
        CnSnapshot snapshot = save(&world);
        sim_world_fini(&world);
        start(&world, &usual);
        restore(&world, &snapshot);
        cn_snapshot_free(&snapshot);
    }
    sim_world_fini(&world);
}

static void threads_play_what_one_thread_recorded(void **state)
{
    (void)state;
    CnReplay *replay = open_recording(&straight);
    for (uint32_t workers = 1; workers <= 3; workers++) {
        CnJobPool *pool = create_pool(workers, 0);
        SimWorldDesc desc = usual;
        SimWorld world;
        desc.jobs = pool;
        start(&world, &desc);
        assert_same(replay, &world);
        sim_world_fini(&world);
        cn_job_pool_destroy(pool);
    }
    cn_replay_close(replay);
}

int main(void)
{
    straight = record_run(&usual, TICKS, NULL);
    const struct CMUnitTest tests[] = {
        one_thread_test(a_run_goes_on_after_a_restore_into_itself),
        one_thread_test(a_run_goes_on_in_another_simulation),
        cmocka_unit_test(threads_play_what_one_thread_recorded),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(straight.bytes);
    return failed;
}

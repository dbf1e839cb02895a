/* test-labels: threads */
/* A swarm that is saved, restored, recorded or played by other threads lives the same life. */
#include "jobs.h"
#include "random.h"
#include "swarm_run.h"

enum { ENTITIES = 500, TICKS = 400, SAVES = 100 };
enum { MANY = 3000, SHARED_TICKS = 130 }; /* enough for several chunks, and for births */
enum { FEW = 200, RECORDED_TICKS = 2000 };

static uint64_t straight[TICKS + 1]; /* hashes of a run without interruption */

static int run_straight(void **state)
{
    (void)state;
    CnSim *sim = start_swarm(ENTITIES, NULL);
    straight[0] = cn_sim_hash(sim);
    for (uint32_t tick = 1; tick <= TICKS; tick++) {
        tick_swarm(sim);
        straight[tick] = cn_sim_hash(sim);
    }
    cn_sim_destroy(sim);
    return 0;
}

static void play_checked(CnSim *sim, uint64_t end)
{
    while (cn_sim_tick(sim) < (end < TICKS ? end : TICKS)) {
        tick_swarm(sim);
        if (cn_sim_hash(sim) != straight[cn_sim_tick(sim)])
            fail_msg("another state after tick %u", (unsigned)cn_sim_tick(sim));
    }
}

static CnSnapshot save(const CnSim *sim)
{
    CnError error = {0};
    CnSnapshot snapshot;
    check_done(cn_sim_save(sim, &snapshot, &error), &error);
    return snapshot;
}

static void restore(CnSim *sim, CnSnapshot *snapshot)
{
    CnError error = {0};
    check_done(cn_sim_restore(sim, snapshot->bytes, snapshot->size, &error), &error);
    assert_true(cn_sim_hash(sim) == straight[cn_sim_tick(sim)]);
    cn_snapshot_free(snapshot);
}

/* Different ticks in rising order. */
static void choose_ticks(uint64_t seed, uint32_t ticks[SAVES])
{
    TestRandom random = {seed};
    bool chosen[TICKS] = {false};
    uint32_t count = 0;
    while (count < SAVES) {
        uint32_t tick = test_random_below(&random, TICKS);
        count += !chosen[tick];
        chosen[tick] = true;
    }
    count = 0;
    for (uint32_t tick = 0; tick < TICKS; tick++)
        if (chosen[tick])
            ticks[count++] = tick;
}

static void a_swarm_goes_on_after_going_back_at_100_ticks(void **state)
{
    (void)state;
    uint32_t ticks[SAVES];
    choose_ticks(1, ticks);
    CnSim *sim = start_swarm(ENTITIES, NULL);
    for (uint32_t i = 0; i < SAVES; i++) {
        play_checked(sim, ticks[i]);
        CnSnapshot snapshot = save(sim);
        play_checked(sim, ticks[i] + 1 + i % 16);
        restore(sim, &snapshot);
    }
    play_checked(sim, TICKS);
    cn_sim_destroy(sim);
}

static void a_swarm_goes_on_in_100_fresh_simulations(void **state)
{
    (void)state;
    uint32_t ticks[SAVES];
    choose_ticks(2, ticks);
    CnSim *sim = start_swarm(ENTITIES, NULL);
    for (uint32_t i = 0; i < SAVES; i++) {
        play_checked(sim, ticks[i]);
        CnSnapshot snapshot = save(sim);
        cn_sim_destroy(sim);
        /* What it was made with does not matter: everything is in the state. */
        sim = start_swarm(i % 4 ? ENTITIES : 10 * i + 1, NULL);
        restore(sim, &snapshot);
    }
    play_checked(sim, TICKS);
    cn_sim_destroy(sim);
}

static void any_number_of_workers_gives_the_same_swarm(void **state)
{
    (void)state;
    static const uint32_t workers[] = {0, 1, 3, 7};
    uint64_t hashes[SHARED_TICKS];
    for (uint32_t i = 0; i < CN_COUNT_OF(workers); i++) {
        CnJobPool *pool = create_pool(workers[i], 0);
        CnSim *sim = start_swarm(MANY, pool);
        for (uint32_t tick = 0; tick < SHARED_TICKS; tick++) {
            tick_swarm(sim);
            hashes[tick] = i ? hashes[tick] : cn_sim_hash(sim);
            if (cn_sim_hash(sim) != hashes[tick])
                fail_msg("%u workers: another state after tick %u", workers[i], tick);
        }
        assert_true(cn_resource(cn_sim_world(sim), SwarmCounts)->births > 0);
        cn_sim_destroy(sim);
        cn_job_pool_destroy(pool);
    }
}

static void a_recorded_swarm_is_verified_by_other_threads(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = start_swarm(FEW, NULL);
    CnRecorder *recorder = cn_recorder_create(sim, NULL, &error);
    check_done(recorder != NULL, &error);
    play_swarm(sim, RECORDED_TICKS);
    CnReplay *replay = open_replay(recorder);
    check_done(cn_recorder_finish(recorder, &error), &error);
    cn_recorder_destroy(recorder);
    cn_sim_destroy(sim);

    CnJobPool *pool = create_pool(2, 0);
    sim = start_swarm(FEW, pool);
    CnReplayDifference difference = verify(replay, sim, UINT64_MAX);
    if (difference.found)
        fail_msg("%s", difference.text);
    assert_int_equal(cn_sim_tick(sim), RECORDED_TICKS);
    cn_sim_destroy(sim);
    cn_job_pool_destroy(pool);
    cn_replay_close(replay);
}

static void a_cloned_swarm_goes_the_way_of_its_original_on_any_number_of_threads(void **state)
{
    (void)state;
    static const uint32_t workers[] = {0, 1, 3};
    for (uint32_t i = 0; i < CN_COUNT_OF(workers); i++) {
        CnError error = {0};
        CnJobPool *pool = create_pool(workers[i], 0);
        CnSim *sim = start_swarm(MANY, NULL);
        play_swarm(sim, SHARED_TICKS / 2);
        CnSim *clone = cn_sim_clone(sim, NULL, &error);
        check_done(clone != NULL, &error);
        cn_world_set_jobs(cn_sim_world(clone), pool);
        assert_true(cn_sim_hash(clone) == cn_sim_hash(sim));
        while (cn_sim_tick(sim) < SHARED_TICKS) {
            tick_swarm(sim);
            tick_swarm(clone);
            if (cn_sim_hash(clone) != cn_sim_hash(sim))
                fail_msg("%u workers: another state after tick %u", workers[i],
                         (unsigned)cn_sim_tick(sim));
        }
        assert_true(cn_resource(cn_sim_world(clone), SwarmCounts)->births > 0);
        cn_sim_destroy(clone);
        cn_sim_destroy(sim);
        cn_job_pool_destroy(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        one_thread_test(a_swarm_goes_on_after_going_back_at_100_ticks),
        one_thread_test(a_swarm_goes_on_in_100_fresh_simulations),
        cmocka_unit_test(any_number_of_workers_gives_the_same_swarm),
        cmocka_unit_test(a_cloned_swarm_goes_the_way_of_its_original_on_any_number_of_threads),
        cmocka_unit_test(a_recorded_swarm_is_verified_by_other_threads),
    };
    return cmocka_run_group_tests(tests, run_straight, NULL);
}

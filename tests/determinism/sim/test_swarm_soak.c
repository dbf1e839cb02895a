/* test-labels: soak */
/* A recorded life of 100,000 ticks, played again by other threads, is as recorded to the last bit;
 * a bit that is planted in it is named. Where CAIRN_SOAK is not set: a short life. */
#include "jobs.h"
#include "scratch.h"
#include "swarm_run.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t entities = 300;
static uint64_t ticks = 1000;
static Scratch scratch;
static CnReplay *replay;

static int record_life(void **state)
{
    (void)state;
    CnError error = {0};
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "life.cnr");
    CnSim *sim = start_swarm(entities, NULL);
    CnRecorder *recorder = cn_recorder_create(
        sim, &(CnRecorderDesc){.files = cn_native_files(), .path = path, .keyframe_ticks = 10000},
        &error);
    check_done(recorder != NULL, &error);
    play_swarm(sim, ticks);
    check_done(cn_recorder_finish(recorder, &error), &error);
    cn_recorder_destroy(recorder);
    cn_sim_destroy(sim);
    replay = cn_replay_open(cn_native_files(), path, NULL, &error);
    check_done(replay != NULL, &error);
    return 0;
}

static int drop_life(void **state)
{
    (void)state;
    cn_replay_close(replay);
    scratch_fini(&scratch);
    return 0;
}

static void two_threads_live_the_recorded_life(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(1, 0);
    CnSim *sim = start_swarm(entities, pool);
    CnReplayDifference difference = verify(replay, sim, UINT64_MAX);
    if (difference.found)
        fail_msg("%s", difference.text);
    assert_int_equal(cn_sim_tick(sim), ticks);
    cn_sim_destroy(sim);
    cn_job_pool_destroy(pool);
}

/* Flips the lowest bit of a speed. */
static CnEntity plant(CnWorld *world)
{
    CnEntity entity = {0};
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(SwarmVelocity)}}, NULL);
    assert_true(cn_query_entities(query, &entity, 1) > 0);
    SwarmVelocity *velocity = cn_get_mut(world, entity, SwarmVelocity);
    uint32_t bits;
    memcpy(&bits, &velocity->x, sizeof bits);
    bits ^= 1;
    memcpy(&velocity->x, &bits, sizeof bits);
    return entity;
}

static void a_planted_bit_is_named(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = start_swarm(entities, NULL);
    check_done(cn_replay_seek(replay, sim, ticks - 2, &error), &error);
    CnEntity entity = plant(cn_sim_world(sim));
    CnReplayDifference difference = verify(replay, sim, UINT64_MAX);
    assert_true(difference.found && difference.has_entity);
    assert_int_equal(difference.tick, ticks - 2);
    assert_string_equal(difference.component, "SwarmVelocity");
    assert_int_equal(difference.entity.id, entity.id);
    cn_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_threads_live_the_recorded_life),
        cmocka_unit_test(a_planted_bit_is_named),
    };
    const char *soak = getenv("CAIRN_SOAK");
    if (soak && soak[0] && soak[0] != '0') {
        entities = 10000;
        ticks = 100000;
    }
    return cmocka_run_group_tests(tests, record_life, drop_life);
}

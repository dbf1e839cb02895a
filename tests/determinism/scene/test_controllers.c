/* test-labels: threads */
/* Controllers by recorded input: the same run on any number of threads, and from every state. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/ecs.h>
#include <cairn/scene.h>
#include <cairn/sim.h>
#include <cairn/sim/replay.h>

#include <stdlib.h>
#include <string.h>

enum { TICKS = 400 };

typedef struct Run {
    CnJobPool *jobs;
    CnSim *sim;
} Run;

static CnEntity add_object(CnWorld *world, const char *name, CnEntity parent, float x)
{
    CnEntity object = cn_object(world, name, .parent = parent);
    cn_get_mut(world, object, CnTransform)->position = cn_vec3(x, 2, 0);
    return object;
}

static void start(Run *run, uint32_t workers)
{
    CnPlugin scene = cn_scene_plugin();
    run->jobs = workers ? cn_job_pool_create(&(CnJobPoolDesc){.workers = workers}, NULL) : NULL;
    run->sim = cn_sim_create(
        &(CnSimDesc){.seed = 3, .jobs = run->jobs, .core = &scene, .core_count = 1}, NULL);
    assert_non_null(run->sim);
    CnWorld *world = cn_sim_world(run->sim);
    for (int i = 0; i < 3; i++) {
        CnEntity player = add_object(world, "Player", CN_NO_PARENT, (float)i);
        CnEntity head = add_object(world, "Head", player, 0);
        cn_add(world, player, CnPlayerController);
        cn_add(world, head, CnCamera);
        CnEntity eye = add_object(world, "Eye", i ? player : CN_NO_PARENT, (float)-i);
        cn_add(world, eye, CnFlyCamera);
        cn_add(world, eye, CnCamera);
        cn_add(world, eye, CnMeshRenderer);
    }
}

static void stop(Run *run)
{
    cn_sim_destroy(run->sim);
    cn_job_pool_destroy(run->jobs);
}

/* What a person does who plays about. */
static void play(CnSim *sim, TestRandom *random)
{
    static const uint32_t keys[] = {CN_KEY_W,     CN_KEY_A,          CN_KEY_S,         CN_KEY_D,
                                    CN_KEY_SPACE, CN_KEY_LEFT_SHIFT, CN_KEY_LEFT_CTRL, CN_KEY_E};
    CnInputSource input = cn_sim_input(sim);
    cn_input_key(input, keys[test_random_below(random, 8)], test_random_chance(random, 60));
    cn_input_mouse_button(input, CN_MOUSE_LEFT, test_random_chance(random, 50));
    cn_input_mouse_move(input, 0, 0, (float)test_random_below(random, 81) - 40,
                        (float)test_random_below(random, 41) - 20);
    if (test_random_chance(random, 2))
        cn_input_key(input, CN_KEY_ESCAPE, test_random_chance(random, 50));
    cn_input_gamepad_connected(input, 0, true);
    cn_input_gamepad_axis(input, 0, test_random_below(random, CN_GAMEPAD_AXIS_COUNT),
                          (float)test_random_unit(random));
    assert_true(cn_sim_tick_n(sim, 1, NULL));
}

/* Also what is drawn after looking around: looks leave no trace in the state. */
static void look_around(CnSim *sim)
{
    CnWorld *world = cn_sim_world(sim);
    CnEntity eye = cn_camera_find(world);
    cn_camera_ray(world, eye, 0.2f, 0.4f);
    cn_camera_frustum(world, eye);
    cn_light_find_sun(world);
}

static void hashes_of(uint32_t workers, uint64_t *hashes)
{
    Run run;
    TestRandom random = {5};
    start(&run, workers);
    for (int i = 0; i < TICKS; i++) {
        play(run.sim, &random);
        hashes[i] = cn_sim_hash(run.sim);
        if (workers)
            look_around(run.sim);
    }
    stop(&run);
}

static void the_number_of_threads_does_not_matter(void **state)
{
    (void)state;
    static uint64_t alone[TICKS], together[TICKS];
    hashes_of(0, alone);
    hashes_of(3, together);
    assert_memory_equal(alone, together, sizeof alone);
    assert_true(alone[TICKS - 1] != alone[TICKS - 2]);
}

static void a_recording_plays_again(void **state)
{
    (void)state;
    Run first, second;
    TestRandom random = {6};
    start(&first, 0);
    CnRecorder *recorder =
        cn_recorder_create(first.sim, &(CnRecorderDesc){.keyframe_ticks = 100}, NULL);
    assert_non_null(recorder);
    for (int i = 0; i < TICKS; i++)
        play(first.sim, &random);
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    assert_non_null(replay);
    start(&second, 0);
    CnReplayDifference difference;
    assert_true(cn_replay_run(replay, second.sim, UINT64_MAX, &difference, NULL));
    if (difference.found)
        fail_msg("%s", difference.text);
    assert_true(cn_sim_hash(second.sim) == cn_sim_hash(first.sim));
    cn_replay_close(replay);
    assert_true(cn_recorder_finish(recorder, NULL));
    cn_recorder_destroy(recorder);
    stop(&second);
    stop(&first);
}

static void a_restored_state_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    for (uint32_t at = 1; at < 120; at += 17) {
        Run first, second;
        TestRandom random = {7};
        start(&first, 0);
        start(&second, 0);
        for (uint32_t i = 0; i < at; i++)
            play(first.sim, &random);
        CnSnapshot saved;
        assert_true(cn_sim_save(first.sim, &saved, NULL));
        assert_true(cn_sim_restore(second.sim, saved.bytes, saved.size, NULL));
        cn_snapshot_free(&saved);
        TestRandom again = random;
        for (int i = 0; i < 60; i++) {
            play(first.sim, &random);
            play(second.sim, &again);
            assert_true(cn_sim_hash(first.sim) == cn_sim_hash(second.sim));
        }
        stop(&first);
        stop(&second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(a_recording_plays_again),
        cmocka_unit_test(a_restored_state_goes_on_as_the_saved_one),
    };
    return cmocka_run_group_tests_name("controllers", tests, NULL, NULL);
}

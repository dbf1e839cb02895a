/* test-labels: threads */
/* Two players with different bindings on one keyboard: the same run on any number of threads, and
 * from a recording, also when bindings change during it. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/ecs.h>
#include <cairn/input.h>
#include <cairn/scene.h>
#include <cairn/sim.h>
#include <cairn/sim/replay.h>

enum { TICKS = 400, PLAYERS = 2 };

/* The client: devices and bindings, which the simulation never sees. */
typedef struct Client {
    CnInputDevices devices;
    CnActionMap *maps[PLAYERS];
    CnActions actions[PLAYERS];
} Client;

typedef struct Run {
    CnJobPool *jobs;
    CnSim *sim;
    CnEntity bodies[PLAYERS];
    CnPlayerActionsSource source;
} Run;

static const char *const bindings[PLAYERS] = {
    "{\"version\": 1, \"actions\": {\"jump\": [\"LeftShift\"], \"rise\": [], \"fast\": []}}",
    "{\"version\": 1, \"actions\": {\"move\": {\"x\": [{\"control\": \"Right\", \"negative\": "
    "\"Left\"}], \"y\": [{\"control\": \"Up\", \"negative\": \"Down\"}]}, \"jump\": "
    "[\"RightShift\"], \"look\": {\"x\": [{\"control\": \"WheelY\", \"scale\": 10}]}}}",
};

static void start_client(Client *client)
{
    *client = (Client){0};
    for (uint32_t i = 0; i < PLAYERS; i++) {
        client->maps[i] =
            cn_action_map_create(&(CnActionMapDesc){.lists = {cn_controller_actions()}}, NULL);
        assert_non_null(client->maps[i]);
        assert_true(cn_action_map_read_text(client->maps[i], "keys", cn_text(bindings[i]), NULL));
    }
}

static void stop_client(Client *client)
{
    for (uint32_t i = 0; i < PLAYERS; i++)
        cn_action_map_destroy(client->maps[i]);
}

static void start(Run *run, uint32_t workers)
{
    CnPlugin scene = cn_scene_plugin();
    run->jobs = workers ? cn_job_pool_create(&(CnJobPoolDesc){.workers = workers}, NULL) : NULL;
    run->sim = cn_sim_create(
        &(CnSimDesc){.seed = 3, .jobs = run->jobs, .core = &scene, .core_count = 1}, NULL);
    assert_non_null(run->sim);
    CnWorld *world = cn_sim_world(run->sim);
    assert_true(cn_player_actions_add(world, cn_controller_actions(), NULL));
    run->source = cn_player_actions_source(world, cn_producer_create(world, NULL, NULL));
    for (uint32_t i = 0; i < PLAYERS; i++) {
        run->bodies[i] = cn_object(world, "Player");
        cn_add(world, run->bodies[i], CnPlayerController);
        cn_set(world, run->bodies[i], CnPlayerActions, {.player = i + 1});
    }
}

static void stop(Run *run)
{
    cn_sim_destroy(run->sim);
    cn_job_pool_destroy(run->jobs);
}

static void press_something(Client *client, TestRandom *random)
{
    static const uint32_t keys[] = {CN_KEY_W,  CN_KEY_A,    CN_KEY_S,          CN_KEY_D,
                                    CN_KEY_UP, CN_KEY_LEFT, CN_KEY_LEFT_SHIFT, CN_KEY_RIGHT_SHIFT};
    const CnInputEvent events[] = {
        {.kind = CN_INPUT_KEY,
         .code = keys[test_random_below(random, CN_COUNT_OF(keys))],
         .pressed = (uint8_t)test_random_chance(random, 60)},
        {.kind = CN_INPUT_MOUSE_BUTTON,
         .code = CN_MOUSE_LEFT,
         .pressed = (uint8_t)test_random_chance(random, 50)},
        {.kind = CN_INPUT_MOUSE_MOVE, .dx = (float)test_random_below(random, 81) - 40},
        {.kind = CN_INPUT_WHEEL, .dy = (float)test_random_below(random, 5) - 2},
    };
    cn_input_devices_begin_tick(&client->devices);
    for (uint32_t i = 0; i < CN_COUNT_OF(events); i++)
        assert_true(cn_input_devices_apply(&client->devices, &events[i]));
}

/* Changes the bindings once, in the middle. */
static void play(Run *run, Client *client, TestRandom *random, uint32_t tick)
{
    if (tick == TICKS / 2)
        assert_true(cn_action_map_read_text(client->maps[0], "keys", cn_text(bindings[1]), NULL));
    press_something(client, random);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        cn_action_map_evaluate(client->maps[i], &client->devices.input, &client->devices.gamepads,
                               &client->actions[i]);
        assert_true(cn_player_actions_send(
            run->source, i + 1, cn_action_map_actions(client->maps[i]), &client->actions[i]));
    }
    assert_true(cn_sim_tick_n(run->sim, 1, NULL));
}

static void hashes_of(uint32_t workers, uint64_t *hashes)
{
    Run run;
    Client client;
    TestRandom random = {5};
    start(&run, workers);
    start_client(&client);
    for (uint32_t i = 0; i < TICKS; i++) {
        play(&run, &client, &random, i);
        hashes[i] = cn_sim_hash(run.sim);
    }
    stop_client(&client);
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

static void a_recording_replays_without_the_bindings(void **state)
{
    (void)state;
    Run first, second;
    Client client;
    TestRandom random = {6};
    start(&first, 0);
    start_client(&client);
    CnRecorder *recorder =
        cn_recorder_create(first.sim, &(CnRecorderDesc){.keyframe_ticks = 100}, NULL);
    assert_non_null(recorder);
    for (uint32_t i = 0; i < TICKS; i++)
        play(&first, &client, &random, i);
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
    stop_client(&client);
    stop(&second);
    stop(&first);
}

static void a_restored_state_continues_as_the_saved_one(void **state)
{
    (void)state;
    Run first, second;
    Client client, same;
    TestRandom random = {7};
    start(&first, 0);
    start(&second, 0);
    start_client(&client);
    start_client(&same);
    for (uint32_t i = 0; i < 50; i++)
        play(&first, &client, &random, i);
    CnSnapshot saved;
    assert_true(cn_sim_save(first.sim, &saved, NULL));
    assert_true(cn_sim_restore(second.sim, saved.bytes, saved.size, NULL));
    cn_snapshot_free(&saved);
    TestRandom again = random;
    same.devices = client.devices;
    memcpy(same.actions, client.actions, sizeof same.actions);
    for (uint32_t i = 50; i < 110; i++) {
        play(&first, &client, &random, i);
        play(&second, &same, &again, i);
        assert_true(cn_sim_hash(first.sim) == cn_sim_hash(second.sim));
    }
    stop_client(&client);
    stop_client(&same);
    stop(&first);
    stop(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(a_recording_replays_without_the_bindings),
        cmocka_unit_test(a_restored_state_continues_as_the_saved_one),
    };
    return cmocka_run_group_tests_name("two_players", tests, NULL, NULL);
}

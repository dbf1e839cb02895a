/* test-labels: threads slow */
/*
 * The game of a saved world is recorded, the world is played on, and the recording still has the
 * same states after every tick, for any number of threads and without the file of the world.
 */
#include "crafty_play.h"
#include "scratch.h"

#include <crafty/replay/world_recorder.h>
#include <crafty/replay/world_replay.h>

#include <stdlib.h>
#include <unistd.h>

#define FIRST 200u /* the first recorded tick */
#define LAST 400u  /* the first tick after the recording */
#define TICKS 440u
#define FLUSH_MS 60000u

static uint64_t hashes[TICKS + 1]; /* of the state before each tick */
static Scratch scratch;

typedef struct Game {
    CraftySave *save;
    CraftySession *session;
    PlayerInput inputs[2];
} Game;

static void open_game(Game *game, const char *path)
{
    CnError error = {0};
    CraftySessionDesc desc = play_desc(2);
    desc.start.torches = 0;
    game->save = crafty_save_open(&(CraftySaveDesc){.path = path, .seed = 42}, &error);
    if (!game->save)
        fail_msg("%s", error.message);
    desc.save = game->save;
    game->session = crafty_session_create(&desc, &error);
    if (!game->session)
        fail_msg("%s", error.message);
    CnWorld *world = cn_sim_world(crafty_session_sim(game->session));
    for (uint32_t i = 0; i < 2; i++)
        game->inputs[i].connection = crafty_connection_create(world, i + 1, NULL);
}

static void close_game(Game *game)
{
    for (uint32_t i = 0; i < 2; i++)
        end_input(&game->inputs[i]);
    crafty_session_destroy(game->session);
    crafty_save_close(game->save);
}

static void save_game(Game *game)
{
    assert_true(crafty_save_write(game->save, crafty_session_world(game->session),
                                  crafty_session_sim(game->session), NULL) &&
                crafty_save_flush(game->save, FLUSH_MS, NULL));
}

static void play_ticks(Game *game, uint64_t end, CraftyWorldRecorder *recorder)
{
    CnSim *sim = crafty_session_sim(game->session);
    while (cn_sim_tick(sim) < end) {
        uint64_t tick = cn_sim_tick(sim);
        hashes[tick] = cn_sim_hash(sim);
        play_send(&game->inputs[0], &game->inputs[1], tick);
        if (tick % 2)
            play_stream(game->session);
        assert_true(cn_sim_tick_n(sim, 1, NULL));
        if (recorder)
            crafty_world_recorder_go_on(recorder);
        if (tick % 70 == 69)
            save_game(game);
    }
    hashes[end] = cn_sim_hash(sim);
}

static CraftyWorldRecorder *record(Game *game, const char *path, bool in_background)
{
    CnError error = {0};
    CraftyWorldRecorder *recorder = crafty_world_recorder_create(
        &(CraftyWorldRecorderDesc){.files = cn_native_files(),
                                   .path = path,
                                   .sim = crafty_session_sim(game->session),
                                   .world = crafty_session_world(game->session),
                                   .start = crafty_session_start(game->session),
                                   .save = game->save,
                                   .in_background = in_background},
        &error);
    if (!recorder)
        fail_msg("%s", error.message);
    return recorder;
}

/* Records the ticks FIRST to LAST of a world that is played on and then deleted. With `reopen`, the
 * world is closed and opened again before the recording begins. */
static void record_game(const char *path, bool reopen, bool in_background)
{
    Game game = {0};
    const char *world = scratch_path(&scratch, "world.crafty");
    open_game(&game, world);
    play_ticks(&game, FIRST, NULL);
    if (reopen) {
        save_game(&game);
        close_game(&game);
        open_game(&game, world);
    }
    CraftyWorldRecorder *recorder = record(&game, path, in_background);
    play_ticks(&game, LAST, recorder);
    assert_true(crafty_world_recorder_finish(recorder, NULL));
    crafty_world_recorder_destroy(recorder);
    play_ticks(&game, TICKS, NULL);
    save_game(&game);
    close_game(&game);
    assert_int_equal(unlink(world), 0);
}

static void expect_replay(const char *path, uint32_t threads)
{
    CnError error = {0};
    CraftyWorldReplay *replay = crafty_world_replay_open(cn_native_files(), path, &error);
    if (!replay)
        fail_msg("%s", error.message);
    CraftySession *session =
        crafty_session_create(&(CraftySessionDesc){.replay = replay, .threads = threads}, &error);
    if (!session)
        fail_msg("%s", error.message);
    CnSim *sim = crafty_session_sim(session);
    assert_int_equal(cn_sim_tick(sim), FIRST);
    for (uint64_t tick = FIRST; tick < LAST; tick++) {
        CnReplayDifference difference;
        assert_true(cn_sim_hash(sim) == hashes[tick]);
        assert_true(
            cn_replay_run(crafty_world_replay_cn(replay), sim, tick + 1, &difference, NULL));
        if (difference.found)
            fail_msg("%s", difference.text);
    }
    assert_true(cn_sim_hash(sim) == hashes[LAST]);
    crafty_session_destroy(session);
    crafty_world_replay_close(replay);
}

static void check(const char *name, bool reopen, bool in_background)
{
    char *path = strdup(scratch_path(&scratch, name));
    record_game(path, reopen, in_background);
    expect_replay(path, 1);
    expect_replay(path, 4);
    free(path);
}

static void a_recording_from_the_middle_of_a_game_replays(void **state)
{
    (void)state;
    check("middle.cnr", false, false);
}

static void a_recording_of_a_reopened_world_replays(void **state)
{
    (void)state;
    check("reopened.cnr", true, false);
}

static void a_recording_in_the_background_replays(void **state)
{
    (void)state;
    check("background.cnr", false, true);
}

/* Without the edits of the chunks, the blocks differ, so the players meet others. */
static void blocks_that_differ_are_found(void **state)
{
    (void)state;
    char *path = strdup(scratch_path(&scratch, "other.cnr"));
    record_game(path, true, false);
    CnReplay *recording = cn_replay_open(cn_native_files(), path, NULL, NULL);
    CraftySessionDesc desc = {
        .threads = 1, .tick_hz = 60, .start = {.viewer = CRAFTY_VIEWER_WALKS, .seed = 43}};
    CraftySession *session = crafty_session_create(&desc, NULL);
    CnReplayDifference difference;
    assert_true(cn_replay_seek(recording, crafty_session_sim(session), FIRST, NULL));
    assert_true(cn_replay_run(recording, crafty_session_sim(session), LAST, &difference, NULL));
    assert_true(difference.found && difference.hash != difference.recorded_hash);
    crafty_session_destroy(session);
    cn_replay_close(recording);
    free(path);
}

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_from_the_middle_of_a_game_replays),
        cmocka_unit_test(a_recording_of_a_reopened_world_replays),
        cmocka_unit_test(a_recording_in_the_background_replays),
        cmocka_unit_test(blocks_that_differ_are_found),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

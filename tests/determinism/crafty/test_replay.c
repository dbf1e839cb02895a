/* test-labels: threads slow */
/*
 * A session of two players of Crafty with walking, edits, menu choices and weather is recorded and
 * played again without a renderer: states and blocks are the same after every tick, for any number
 * of threads.
 */
#include "crafty_play.h"

#include <crafty/sim/drops.h>

#include <crafty/replay/session.h>
#include <crafty/sim/recording.h>
#include <crafty/sim/weather.h>

#include <cairn/sim/replay.h>

#define TICKS 480u

typedef struct Hashes {
    uint64_t state[TICKS], blocks[TICKS];
} Hashes;

static Hashes recorded;

static CraftySession *session_of(const CnReplay *replay, uint32_t threads)
{
    CnError error = {0};
    CraftySessionDesc desc = {.threads = threads};
    assert_true(crafty_recording_read(cn_replay_info(replay)->settings, &desc.start, &desc.palettes,
                                      &error));
    CraftySession *session = crafty_session_create(&desc, &error);
    assert_non_null(session);
    return session;
}

static uint32_t edits_of(CraftySession *session, uint32_t player)
{
    const CnEditLog *log = cn_voxels_log(crafty_world_voxels(crafty_session_world(session)));
    uint32_t count = 0;
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++)
        count += cn_edit_log_at(log, i).player == player;
    return count;
}

static uint32_t undone(CraftySession *session)
{
    const CnEditLog *log = cn_voxels_log(crafty_world_voxels(crafty_session_world(session)));
    uint32_t count = 0;
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++)
        count += cn_edit_log_at(log, i).kind == CN_EDIT_UNDO;
    return count;
}

static void check_that_players_differ(CraftySession *session, CnEntity player)
{
    const CnWorld *world = cn_sim_world(crafty_session_sim(session));
    CnEntity second = cn_object_find(world, "Player 2");
    CnVec3 a = cn_get(world, player, CnTransform)->position,
           b = cn_get(world, second, CnTransform)->position;
    assert_true(cn_vec3_length(cn_vec3_sub(a, b)) > 1);
    assert_true(edits_of(session, 1) > 0 && edits_of(session, 2) > 0);
}

static void check_that_much_happened(CraftySession *session, CnEntity player, uint32_t moves)
{
    const CnWorld *world = cn_sim_world(crafty_session_sim(session));
    const CraftyCommandCounts *counts = cn_resource(world, CraftyCommandCounts);
    uint32_t edits = 0;
    for (uint32_t i = 1; i < TICKS; i++)
        edits += recorded.blocks[i] != recorded.blocks[i - 1];
    assert_true(edits >= 5);
    assert_int_equal(counts->applied, 16 + moves);
    assert_true(moves > 10);
    assert_true(undone(session) > 0);
    assert_true(crafty_drop_count(cn_sim_world(crafty_session_sim(session))) > 0);
    check_that_players_differ(session, player);
    assert_int_equal(counts->ignored, 0);
    assert_int_equal(cn_resource(world, CraftyWeather)->kind, CRAFTY_LIGHT_FOG);
    CnVec3 end = cn_get(world, player, CnTransform)->position;
    assert_true(end.x < -850 && end.z > 650);
}

#define NEVER UINT64_MAX

static CnRecorder *begin_recording(CraftySession *session)
{
    CnTextBuilder settings;
    cn_array_init(&settings, NULL);
    assert_true(crafty_recording_write(
        crafty_session_start(session), crafty_world_blocks(crafty_session_world(session)),
        crafty_world_items(crafty_session_world(session)), &settings));
    CnRecorder *recorder = cn_recorder_create(crafty_session_sim(session),
                                              &(CnRecorderDesc){.settings = settings.items}, NULL);
    assert_non_null(recorder);
    cn_array_fini(&settings);
    return recorder;
}

/* Returns a recording of a session in which a client loads chunks meanwhile. Before the tick
 * `written`, something that is no message changes the state. */
static CnReplay *record_with(CraftyPalettes palettes, uint64_t ticks, uint64_t written)
{
    CraftySessionDesc desc = play_desc(2);
    desc.palettes = palettes;
    CraftySession *session = crafty_session_create(&desc, NULL);
    assert_non_null(session);
    CnSim *sim = crafty_session_sim(session);
    CnWorld *world = cn_sim_world(sim);
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(session));
    CnEntity player = cn_camera_active(world);
    PlayerInput input = make_input(world, CRAFTY_FIRST_PLAYER), second = make_input(world, 2);
    CnRecorder *recorder = begin_recording(session);
    uint32_t moves = 0; /* of items, into and out of a crate */
    for (uint64_t tick = 0; tick < ticks; tick++) {
        play_send(&input, &second, tick);
        moves += play_use_crate(session, &input, tick);
        if (tick % 2)
            play_stream(session);
        if (tick == written)
            cn_get_mut(world, player, CraftyPlayer)->slots[8].count = 2;
        assert_true(cn_sim_tick_n(sim, 1, NULL));
        recorded.state[tick] = cn_sim_hash(sim);
        recorded.blocks[tick] = cn_voxels_hash(voxels);
    }
    if (written == NEVER)
        check_that_much_happened(session, player, moves);
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    assert_non_null(replay);
    assert_true(cn_recorder_finish(recorder, NULL));
    cn_recorder_destroy(recorder);
    end_input(&input);
    end_input(&second);
    crafty_session_destroy(session);
    return replay;
}

static CnReplay *record(uint64_t ticks, uint64_t written)
{
    return record_with((CraftyPalettes){0}, ticks, written);
}

static void play(CnReplay *replay, uint32_t threads)
{
    CnError error = {0};
    CraftySession *session = session_of(replay, threads);
    CnSim *sim = crafty_session_sim(session);
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(session));
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        CnReplayDifference difference = {0};
        assert_true(cn_replay_run(replay, sim, tick + 1, &difference, &error));
        if (difference.found)
            print_message("%s\n", difference.text);
        assert_false(difference.found);
        assert_true(cn_sim_hash(sim) == recorded.state[tick]);
        assert_true(cn_voxels_hash(voxels) == recorded.blocks[tick]);
    }
    crafty_session_destroy(session);
}

static void a_recorded_session_has_the_same_states_and_blocks_with_1_2_and_4_threads(void **state)
{
    (void)state;
    CnReplay *replay = record(TICKS, NEVER);
    play(replay, 1);
    play(replay, 2);
    play(replay, 4);
    cn_replay_close(replay);
}

/* As of another version of the program, in which items have other numbers. */
static void a_recording_with_other_numbers_of_items_has_the_same_states_and_blocks(void **state)
{
    (void)state;
    CnReplay *replay = record_with(
        (CraftyPalettes){.items = cn_text("white_wool,red_wool,philosophers_stone,stone,dirt")},
        TICKS, NEVER);
    play(replay, 1);
    cn_replay_close(replay);
}

/* As of another version of the program, which has a block more, before most others. */
static void a_recording_with_other_numbers_of_blocks_has_the_same_states_and_blocks(void **state)
{
    (void)state;
    CnTextBuilder standard, other;
    CnBlockTable *blocks = crafty_blocks_create(NULL, NULL);
    cn_array_init(&standard, NULL);
    cn_array_init(&other, NULL);
    assert_true(blocks && crafty_blocks_write_palette(blocks, &standard));
    const char *rest = strstr(standard.items, ",water_7,") + strlen(",water_7,");
    assert_true(cn_text_append(&other, (CnText){standard.items, (size_t)(rest - standard.items)}) &&
                cn_text_append(&other, cn_text("mod:marble,")) &&
                cn_text_append(&other, cn_text(rest)));
    CnReplay *replay = record_with((CraftyPalettes){.blocks = cn_text(other.items)}, TICKS, NEVER);
    play(replay, 1);
    cn_replay_close(replay);
    cn_array_fini(&other);
    cn_array_fini(&standard);
    cn_block_table_destroy(blocks);
}

/* As a client did that wrote components. */
static void a_change_that_is_no_message_is_found(void **state)
{
    (void)state;
    CnReplay *replay = record(20, 10);
    CraftySession *session = session_of(replay, 1);
    CnReplayDifference difference = {0};
    assert_true(cn_replay_run(replay, crafty_session_sim(session), NEVER, &difference, NULL));
    assert_true(difference.found);
    assert_int_equal(difference.tick, 10);
    assert_string_equal(difference.component, "CraftyPlayer");
    crafty_session_destroy(session);
    cn_replay_close(replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_session_has_the_same_states_and_blocks_with_1_2_and_4_threads),
        cmocka_unit_test(a_recording_with_other_numbers_of_items_has_the_same_states_and_blocks),
        cmocka_unit_test(a_recording_with_other_numbers_of_blocks_has_the_same_states_and_blocks),
        cmocka_unit_test(a_change_that_is_no_message_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

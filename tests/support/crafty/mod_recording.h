/*
 * Recordings of games with mods, after mod_fixture.h.
 *
 *     mod_game_open(&game);
 *     mod_game_record(&game, path, &(ModPlay){first, end, play_tick}, hashes);
 *     mod_game_close(&game);
 *     mod_game_expect_replay(&game, path, &(ModPlay){first, end}, hashes, 2);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_MOD_RECORDING_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_MOD_RECORDING_H

#include "mod_fixture.h"

#include <crafty/replay/world_recorder.h>
#include <crafty/replay/world_replay.h>

#include <cairn/sim/replay.h>

typedef struct ModPlay {
    uint64_t first, end;              /* ticks that are recorded; those before are played */
    void (*play_tick)(uint64_t tick); /* what the player does, and the tick */
} ModPlay;

/* The player sends a line; it is read in the next tick. */
static inline void mod_game_send_line(ModGame *game, const char *text)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    cn_copy_text(command.text, sizeof command.text, cn_text(text));
    assert_true(crafty_connection_send_command(game->input.connection, &command));
}

/* Plays an open game and records it. Stores the hash after each recorded tick in hashes[tick]. */
static inline void mod_game_record(ModGame *game, const char *path, const ModPlay *play,
                                   uint64_t *hashes)
{
    CnError error = {0};
    CraftySessionDesc desc = mod_game_desc(game);
    for (uint64_t tick = 0; tick < play->first; tick++)
        play->play_tick(tick);
    CraftyWorldRecorder *recorder = crafty_world_recorder_create(
        &(CraftyWorldRecorderDesc){.files = cn_native_files(),
                                   .path = path,
                                   .sim = game->sim,
                                   .world = crafty_session_world(game->session),
                                   .start = &desc.start,
                                   .save = game->save},
        &error);
    if (!recorder)
        fail_msg("%s", error.message);
    for (uint64_t tick = play->first; tick < play->end; tick++) {
        play->play_tick(tick);
        hashes[tick] = cn_sim_hash(game->sim);
    }
    assert_true(crafty_world_recorder_finish(recorder, &error));
    crafty_world_recorder_destroy(recorder);
}

/* Plays a recording with the mods of a closed game, and compares the hash after each tick. */
static inline void mod_game_expect_replay(ModGame *game, const char *path, const ModPlay *play,
                                          const uint64_t *hashes, uint32_t threads)
{
    CnError error = {0};
    CraftyWorldReplay *replay = crafty_world_replay_open(cn_native_files(), path, &error);
    if (!replay)
        fail_msg("%s", error.message);
    mod_game_load(game);
    CraftySession *session = crafty_session_create(
        &(CraftySessionDesc){.replay = replay, .threads = threads, .mods = game->mods}, &error);
    if (!session)
        fail_msg("%s", error.message);
    CnSim *sim = crafty_session_sim(session);
    assert_int_equal(cn_sim_tick(sim), play->first);
    for (uint64_t tick = play->first; tick < play->end; tick++) {
        CnReplayDifference difference;
        if (!cn_replay_run(crafty_world_replay_cn(replay), sim, tick + 1, &difference, &error))
            fail_msg("%s", error.message);
        if (difference.found || cn_sim_hash(sim) != hashes[tick])
            fail_msg("tick %u: %s", (unsigned)tick, difference.found ? difference.text : "");
    }
    crafty_session_destroy(session);
    crafty_mods_destroy(game->mods);
    game->mods = NULL;
    crafty_world_replay_close(replay);
}

#endif

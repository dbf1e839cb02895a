/*
 * A game of the robot in a saved world: played in two sessions, recorded, with a ledger of all
 * items in each tick and samples of the memory in use. For one test program: include it once.
 *
 * The world is peaceful: it has animals and villagers, but nobody hunts the robot, which cannot
 * defend itself.
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_ROBOT_GAME_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_ROBOT_GAME_H

#include "scratch.h"
#include "world_ledger.h"

#include <crafty/replay/verify.h>
#include <crafty/replay/world_recorder.h>
#include <crafty/robot/robot_play.h>

#include <malloc.h>

#define ROBOT_FLUSH_MS 60000u

typedef struct RobotGame {
    const char *world_path, *recordings[2];
    uint64_t seed, ticks; /* to be played */
    uint32_t threads;
    uint64_t played;
    CraftyRobotGame game;
    WorldLedgerCounts counts;       /* of the last session */
    uint64_t sim_hash, blocks_hash; /* at its end */
} RobotGame;

typedef struct RobotSession {
    RobotGame *game;
    CraftySave *save;
    CraftySession *session;
    CraftyWorldRecorder *recorder;
    CraftyRobot robot;
    WorldLedger ledger;
} RobotSession;

static inline void robot_check(bool done, const CnError *error)
{
    if (!done)
        fail_msg("%s", error->message);
}

static inline bool robot_after_tick(void *user, CnError *error)
{
    RobotSession *play = user;
    return world_ledger_check(&play->ledger, error);
}

static inline void robot_open(RobotSession *play, RobotGame *game, uint32_t recording)
{
    CnError error = {0};
    play->game = game;
    play->save =
        crafty_save_open(&(CraftySaveDesc){.path = game->world_path, .seed = game->seed}, &error);
    robot_check(play->save != NULL, &error);
    play->session =
        crafty_session_create(&(CraftySessionDesc){.start = {.viewer = CRAFTY_VIEWER_WALKS,
                                                             .mode = CRAFTY_MODE_SURVIVAL,
                                                             .difficulty = CRAFTY_PEACEFUL,
                                                             .hours = 8},
                                                   .finds_spawn = true,
                                                   .threads = game->threads,
                                                   .save = play->save},
                              &error);
    robot_check(play->session != NULL, &error);
    CraftyWorldRecorderDesc desc = {.files = cn_native_files(),
                                    .path = game->recordings[recording],
                                    .sim = crafty_session_sim(play->session),
                                    .world = crafty_session_world(play->session),
                                    .start = crafty_session_start(play->session),
                                    .save = play->save};
    play->recorder = crafty_world_recorder_create(&desc, &error);
    robot_check(play->recorder != NULL, &error);
    world_ledger_begin(&play->ledger, play->session);
    robot_check(crafty_robot_begin(&play->robot, play->session, &error), &error);
    play->robot.limit = game->ticks - game->played;
    play->robot.after_tick = robot_after_tick;
    play->robot.user = play;
}

static inline void robot_close(RobotSession *play)
{
    CnError error = {0};
    RobotGame *game = play->game;
    CraftyWorld *world = crafty_session_world(play->session);
    game->sim_hash = cn_sim_hash(play->robot.sim);
    game->blocks_hash = cn_voxels_hash(crafty_world_voxels(world));
    robot_check(crafty_world_recorder_finish(play->recorder, &error), &error);
    crafty_world_recorder_destroy(play->recorder);
    robot_check(crafty_save_write(play->save, world, play->robot.sim, &error) &&
                    crafty_save_flush(play->save, ROBOT_FLUSH_MS, &error),
                &error);
    game->played += play->robot.ticks;
    game->counts = play->ledger.counts;
    world_ledger_end(&play->ledger);
    crafty_robot_end(&play->robot);
    crafty_session_destroy(play->session);
    crafty_save_close(play->save);
}

static inline void robot_stages(RobotSession *play, CraftyRobotStage first, CraftyRobotStage last)
{
    for (uint32_t i = first; i <= (uint32_t)last; i++)
        if (!crafty_robot_play(&play->robot, &play->game->game, (CraftyRobotStage)i))
            fail_msg("stage %s failed after %u ticks: %s",
                     crafty_robot_stage_name((CraftyRobotStage)i), (uint32_t)play->robot.ticks,
                     play->robot.error.message);
        else
            print_message("stage %s: %u ticks\n", crafty_robot_stage_name((CraftyRobotStage)i),
                          (uint32_t)play->robot.ticks);
}

/* Works for so many ticks, at most to the limit of the game. */
static inline void robot_work(RobotSession *play, uint64_t ticks)
{
    CraftyRobot *robot = &play->robot;
    uint64_t limit = play->game->ticks - play->game->played;
    robot->is_broken = false;
    robot->limit = robot->ticks + ticks < limit ? robot->ticks + ticks : limit;
    if (!crafty_robot_work(robot, &play->game->game))
        fail_msg("%s", robot->error.message);
    robot->is_broken = false;
    robot->limit = limit;
}

/* Returns the bytes of the heap in use; 0 under sanitizers. */
static inline uint64_t robot_heap_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Replays a recording, and compares the state of each tick. */
static inline void robot_verify(const char *recording, uint32_t threads)
{
    CraftyVerifyDesc desc = {.program = "robot", .path = recording, .threads = threads};
    assert_int_equal(crafty_verify(&desc), 0);
}

/* Both recordings, with one thread and with four. */
static inline void robot_verify_game(const RobotGame *game)
{
    for (uint32_t i = 0; i < 2; i++) {
        robot_verify(game->recordings[i], 1);
        robot_verify(game->recordings[i], 4);
    }
}

#endif

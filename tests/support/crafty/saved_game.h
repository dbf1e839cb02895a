/*
 * A game of two players in a world file, as tests of saved worlds play it.
 *
 *     SavedGame game = {.desc = {.path = path, .seed = 42}, .threads = 1};
 *     CnError error = {0};
 *     if (saved_game_open(&game, &error)) {     // opens, attaches and restores
 *         saved_game_tick(&game);
 *         saved_game_save(&game, &error);
 *     }
 *     saved_game_close(&game);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_SAVED_GAME_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_SAVED_GAME_H

#include "crafty_play.h"
#include "random.h"

#include <crafty/save/save_internal.h>

#include <cairn/voxel/water.h>

#define SAVED_GAME_FLUSH_MS 60000u

/* What identifies a state of the game. */
typedef struct SavedGameState {
    uint64_t tick, state, blocks, log;
} SavedGameState;

typedef struct SavedGame {
    CraftySaveDesc desc; /* without a path, nothing is saved */
    uint32_t threads;
    CraftySave *save;
    CraftySession *session;
    PlayerInput inputs[2];
    SavedGameState saving; /* the state with which the last save began */
} SavedGame;

static inline void saved_game_close(SavedGame *game)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(game->inputs); i++) {
        if (game->inputs[i].connection)
            end_input(&game->inputs[i]);
        game->inputs[i] = (PlayerInput){0};
    }
    crafty_session_destroy(game->session);
    crafty_save_close(game->save);
    game->session = NULL;
    game->save = NULL;
}

/* Returns false and an error, with nothing open, if the world cannot be opened or restored. */
static inline bool saved_game_open(SavedGame *game, CnError *error)
{
    CraftySessionDesc desc = play_desc(game->threads);
    game->save = game->desc.path ? crafty_save_open(&game->desc, error) : NULL;
    desc.save = game->save;
    if (game->save || !game->desc.path)
        game->session = crafty_session_create(&desc, error);
    bool opened = game->session;
    for (uint32_t i = 0; i < CN_COUNT_OF(game->inputs) && opened; i++) {
        CnWorld *world = cn_sim_world(crafty_session_sim(game->session));
        game->inputs[i].connection = crafty_connection_create(world, i + 1, error);
        opened = game->inputs[i].connection;
    }
    if (!opened)
        saved_game_close(game);
    return opened;
}

/* Fails the test if the world cannot be opened. */
static inline void saved_game_must_open(SavedGame *game)
{
    CnError error = {0};
    if (!saved_game_open(game, &error))
        fail_msg("%s", error.message);
}

static inline CnSim *saved_game_sim(const SavedGame *game)
{
    return crafty_session_sim(game->session);
}

static inline CnVoxels *saved_game_voxels(const SavedGame *game)
{
    return crafty_world_voxels(crafty_session_world(game->session));
}

/* ---- Playing ---- */

static inline void saved_game_tick(SavedGame *game)
{
    uint64_t number = cn_sim_tick(saved_game_sim(game));
    play_send(&game->inputs[0], &game->inputs[1], number);
    if (number % 2)
        play_stream(game->session);
    assert_true(cn_sim_tick_n(saved_game_sim(game), 1, NULL));
}

static inline void saved_game_put(SavedGame *game, CnCell cell, CnBlock block)
{
    CnEdit edit = {.tick = cn_sim_tick(saved_game_sim(game)),
                   .player = 1,
                   .kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = block};
    assert_true(cn_voxels_edit(saved_game_voxels(game), &edit, NULL));
}

/* Returns the cell of the ground at a distance from the first player. */
static inline CnCell saved_game_ground(const SavedGame *game, int32_t dx, int32_t dz)
{
    const CnWorld *world = cn_sim_world(saved_game_sim(game));
    CnVec3 eye = cn_get(world, cn_camera_active(world), CnTransform)->position;
    CnCell cell = {(int32_t)eye.x + dx, 0, (int32_t)eye.z + dz};
    cell.y = cn_voxels_height(saved_game_voxels(game), cell.x, cell.z);
    return cell;
}

/* Changes some blocks near the first player, pours water now and then, and schedules ticks. */
static inline void saved_game_disturb(SavedGame *game, TestRandom *random)
{
    CnVoxels *voxels = saved_game_voxels(game);
    for (uint32_t n = test_random_below(random, 4); n > 0; n--) {
        CnCell cell = saved_game_ground(game, (int32_t)test_random_below(random, 32) - 16,
                                        (int32_t)test_random_below(random, 32) - 16);
        cell.y += (int32_t)test_random_below(random, 9) - 4;
        bool pours = test_random_chance(random, 10);
        uint32_t names = cn_voxels_blocks(voxels)->count;
        saved_game_put(game, cell,
                       pours ? CN_BLOCK_WATER : (CnBlock)test_random_below(random, names));
        if (pours)
            assert_true(cn_voxels_schedule(voxels, cell, 3 + test_random_below(random, 90)));
    }
}

static inline void saved_game_play(SavedGame *game, TestRandom *random, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        saved_game_disturb(game, random);
        saved_game_tick(game);
    }
}

/* ---- Saving and comparing ---- */

static inline uint64_t saved_game_log_hash(const CnEditLog *log)
{
    uint64_t hash = cn_edit_log_count(log);
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        const uint64_t parts[] = {edit.tick,
                                  edit.player,
                                  (uint64_t)edit.kind << 8 | edit.face,
                                  (uint32_t)edit.cell.x,
                                  (uint32_t)edit.cell.y,
                                  (uint32_t)edit.cell.z,
                                  (uint64_t)edit.old_block << 16 | edit.new_block};
        for (uint32_t k = 0; k < CN_COUNT_OF(parts); k++)
            hash = (hash ^ parts[k]) * UINT64_C(0x9fb21c651e98df25) + (hash >> 29);
    }
    return hash;
}

static inline SavedGameState saved_game_state(const SavedGame *game)
{
    CnVoxels *voxels = saved_game_voxels(game);
    return (SavedGameState){cn_sim_tick(saved_game_sim(game)), cn_sim_hash(saved_game_sim(game)),
                            cn_voxels_hash(voxels), saved_game_log_hash(cn_voxels_log(voxels))};
}

static inline bool saved_game_same(SavedGameState a, SavedGameState b)
{
    return a.tick == b.tick && a.state == b.state && a.blocks == b.blocks && a.log == b.log;
}

/* Saves the current state. A save in progress is completed before. */
static inline bool saved_game_save(SavedGame *game, CnError *error)
{
    game->saving = saved_game_state(game);
    return crafty_save_write(game->save, crafty_session_world(game->session), saved_game_sim(game),
                             error);
}

/* Begins and continues saves as the game does every few seconds, as if they had passed. */
static inline bool saved_game_auto(SavedGame *game, CnError *error)
{
    game->save->saved_ns = 0;
    SavedGameState state = saved_game_state(game);
    bool done = crafty_save_auto(game->save, crafty_session_world(game->session),
                                 saved_game_sim(game), error);
    if (game->save->saved_ns != 0)
        game->saving = state;
    return done;
}

#endif

/* A game that is played without a window, to be disturbed. */
#include "torture.h"

#include <inttypes.h>

#define MAX_EDITS 12u
#define MAX_TICKS 4u

bool torture_game_open(TortureGame *game, const char *path, const char *vfs, CnError *error)
{
    game->session = NULL;
    game->save = crafty_save_open(
        &(CraftySaveDesc){.path = path, .name = "Torture", .seed = 7, .sqlite_vfs = vfs}, error);
    if (game->save)
        game->session = crafty_session_create(
            &(CraftySessionDesc){.start = {.viewer = CRAFTY_VIEWER_WALKS, .hours = 12},
                                 .threads = 1,
                                 .save = game->save},
            error);
    if (game->session)
        return true;
    torture_game_close(game);
    return false;
}

void torture_game_close(TortureGame *game)
{
    crafty_session_destroy(game->session);
    crafty_save_close(game->save);
    *game = (TortureGame){0};
}

static CnVoxels *voxels_of(TortureGame *game)
{
    return crafty_world_voxels(crafty_session_world(game->session));
}

TortureState torture_game_state(TortureGame *game)
{
    const CnSim *sim = crafty_session_sim(game->session);
    return (TortureState){cn_sim_tick(sim), cn_sim_hash(sim), cn_voxels_hash(voxels_of(game))};
}

bool torture_game_play(TortureGame *game, CnRandom *random, CnError *error)
{
    CnVoxels *voxels = voxels_of(game);
    uint32_t blocks = cn_voxels_blocks(voxels)->count;
    for (uint64_t i = cn_random_below(random, MAX_EDITS); i > 0; i--) {
        CnEdit edit = {.player = 1,
                       .kind = CN_EDIT_PLACE,
                       .face = CN_EDIT_NO_FACE,
                       .cell = {(int32_t)cn_random_below(random, 64),
                                300 + (int32_t)cn_random_below(random, 16),
                                (int32_t)cn_random_below(random, 64)},
                       .new_block = (CnBlock)cn_random_below(random, blocks)};
        if (!cn_voxels_edit(voxels, &edit, error))
            return false;
    }
    return cn_sim_tick_n(crafty_session_sim(game->session), 1 + cn_random_below(random, MAX_TICKS),
                         error);
}

bool torture_game_save(TortureGame *game, CnError *error)
{
    return crafty_save_write(game->save, crafty_session_world(game->session),
                             crafty_session_sim(game->session), error);
}

/* ---- After a disturbance ---- */

static bool compare(const TortureSaves *saves, TortureGame *game, CnError *error)
{
    if (crafty_save_is_new(game->save))
        return (saves->was_new && saves->durable == 0) ||
               cn_error_set(error, CN_ERROR_FORMAT, "everything that was saved is lost");
    TortureState found = torture_game_state(game);
    for (uint32_t i = saves->durable; i <= saves->count; i++)
        if (!(i == 0 && saves->was_new) && memcmp(&found, &saves->states[i], sizeof found) == 0)
            return true;
    if (found.tick < saves->states[saves->durable].tick)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "tick %" PRIu64 " was reported as saved, but the world is at %" PRIu64,
                            saves->states[saves->durable].tick, found.tick);
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "the world at tick %" PRIu64 " is none of those that were saved",
                        found.tick);
}

bool torture_check_saves(const TortureSaves *saves, const char *path, const char *vfs,
                         CnError *error)
{
    TortureGame game;
    CnError problem = {0};
    if (!torture_game_open(&game, path, vfs, &problem))
        return cn_error_set(error, problem.code, "the world does not open: %s", problem.message);
    bool same = compare(saves, &game, error);
    torture_game_close(&game);
    return same;
}

/* Power cuts and full disks, on a simulated disk. Each round is a process of its own. */
#include "torture.h"

#include "cut_disk.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#define SESSIONS 4u
#define SAVES 8u
#define FLUSH_MS 20u
#define RECOVER_MS 60000u
#define WORLD_PATH "/torture.crafty" /* on the simulated disk */

typedef struct Result {
    bool done;
    uint32_t saves;
    CnError error;
} Result;

static void note_durable(TortureGame *game, TortureSaves *saves)
{
    uint64_t durable = cn_store_durable(crafty_save_store(game->save));
    saves->durable = durable < saves->count ? (uint32_t)durable : saves->count;
}

static bool play_and_save(TortureGame *game, CnRandom *random, TortureSaves *saves, CnError *error)
{
    if (!torture_game_play(game, random, error) || !torture_game_save(game, error))
        return false;
    saves->states[++saves->count] = torture_game_state(game);
    if (cn_random_bool(random, 0.6))
        crafty_save_flush(game->save, FLUSH_MS, &(CnError){0});
    note_durable(game, saves);
    return true;
}

static bool begin_session(TortureGame *game, CutDisk *disk, TortureSaves *saves, CnError *error)
{
    *saves = (TortureSaves){0};
    if (!torture_game_open(game, WORLD_PATH, cut_disk_name(disk), error))
        return false;
    saves->was_new = crafty_save_is_new(game->save);
    saves->states[0] = torture_game_state(game);
    return true;
}

/* ---- Cuts ---- */

/* A world whose creation was cut is no loss. */
static bool is_start(const TortureSaves *saves)
{
    return saves->was_new && saves->durable == 0;
}

static bool cut_session(CutDisk *disk, CnRandom *random, Result *result)
{
    TortureGame game;
    TortureSaves saves;
    if (!begin_session(&game, disk, &saves, &result->error))
        return false;
    cut_disk_cut_after(disk, 1 + cn_random_below(random, 60));
    bool done = true;
    while (done && saves.count < SAVES && !cut_disk_is_cut(disk))
        done = play_and_save(&game, random, &saves, &result->error);
    note_durable(&game, &saves);
    torture_game_close(&game);
    cut_disk_reboot(disk);
    result->saves += saves.count;
    return done && (torture_check_saves(&saves, WORLD_PATH, cut_disk_name(disk), &result->error) ||
                    (is_start(&saves) && result->error.code == CN_ERROR_NOT_FOUND));
}

static void run_cuts(uint64_t seed, Result *result)
{
    CnRandom random = cn_random_make(seed, "torture");
    CutDisk *disk = cut_disk_create(cn_random_u64(&random));
    result->done = true;
    for (uint32_t i = 0; i < SESSIONS && result->done; i++)
        result->done = cut_session(disk, &random, result);
    cut_disk_destroy(disk);
}

/* ---- Full disks ---- */

static bool full_session(CutDisk *disk, CnRandom *random, Result *result)
{
    TortureGame game;
    TortureSaves saves;
    if (!begin_session(&game, disk, &saves, &result->error))
        return false;
    cut_disk_fail(disk, DISK_FAULT_FULL, cn_random_below(random, 20), UINT64_MAX / 2);
    bool done = true;
    while (done && saves.count < SAVES)
        done = play_and_save(&game, random, &saves, &result->error);
    cut_disk_fail(disk, DISK_FAULT_NONE, 0, 0); /* someone makes room */
    done = done && crafty_save_flush(game.save, RECOVER_MS, &result->error);
    saves.durable = saves.count;
    torture_game_close(&game);
    result->saves += saves.count;
    return done && torture_check_saves(&saves, WORLD_PATH, cut_disk_name(disk), &result->error);
}

static void run_full(uint64_t seed, Result *result)
{
    CnRandom random = cn_random_make(seed, "torture");
    CutDisk *disk = cut_disk_create(cn_random_u64(&random));
    result->done = true;
    for (uint32_t i = 0; i < SESSIONS && result->done; i++)
        result->done = full_session(disk, &random, result);
    cut_disk_destroy(disk);
}

/* ---- Processes ---- */

static bool run_in_child(void (*run)(uint64_t seed, Result *result), TortureRound *round,
                         CnError *error)
{
    int ends[2];
    Result result = {0};
    if (pipe(ends))
        return cn_file_set_errno(error, "create a pipe for", round->folder, errno);
    pid_t child = fork();
    if (child == 0) {
        run(round->seed, &result);
        _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
    }
    close(ends[1]);
    bool received = child > 0 && read(ends[0], &result, sizeof result) == sizeof result;
    close(ends[0]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child < 0)
        return cn_file_set_errno(error, "start a process for", round->folder, errno);
    if (!received)
        return cn_error_set(error, CN_ERROR_IO, "the game crashed (status %d)", status);
    round->saves += result.saves;
    if (!result.done)
        *error = result.error;
    return result.done;
}

bool torture_cut(TortureRound *round, CnError *error)
{
    return run_in_child(run_cuts, round, error);
}

bool torture_full(TortureRound *round, CnError *error)
{
    return run_in_child(run_full, round, error);
}

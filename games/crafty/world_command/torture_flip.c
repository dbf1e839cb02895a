/* Bits of the file change on the real disk. */
#include "check.h"
#include "torture.h"

#include "crafty/save/world_repair.h"

#include <cairn/base/file.h>

#define SAVES 4u
#define FLIPS 6u

static bool make_world(const char *path, CnRandom *random, CnError *error)
{
    TortureGame game;
    if (!torture_game_open(&game, path, NULL, error))
        return false;
    bool done = true;
    for (uint32_t i = 0; i < SAVES && done; i++)
        done = torture_game_play(&game, random, error) && torture_game_save(&game, error);
    done = done && crafty_save_flush_store(crafty_save_store(game.save), error);
    torture_game_close(&game);
    return done;
}

/* Changes one bit, or a whole sector. */
static void damage(CnFileBytes *bytes, CnRandom *random)
{
    size_t at = cn_random_below(random, (uint32_t)bytes->size);
    if (cn_random_bool(random, 0.8)) {
        bytes->data[at] ^= (uint8_t)(1u << cn_random_below(random, 8));
        return;
    }
    size_t size = bytes->size - at < 512 ? bytes->size - at : 512;
    memset(bytes->data + at, (int)cn_random_below(random, 256), size);
}

static bool check_repair(const char *path, CnError *error)
{
    CraftyWorldRepair repair;
    CraftyWorldCheck check;
    CraftyWorldRepairDesc desc = {
        .path = path, .has_seed = true, .seed = 7, .check_thumbnail = crafty_thumbnail_check};
    bool done = crafty_world_repair(&desc, &repair, error);
    crafty_world_repair_free(&repair);
    if (!done)
        return false;
    done = crafty_world_check(path, NULL, NULL, &check, error) &&
           (check.damage_count == 0 ||
            cn_error_set(error, CN_ERROR_FORMAT, "the repaired world is damaged: %s",
                         check.items[0].message));
    crafty_world_check_free(&check);
    return done;
}

/* What the check does not notice must not matter. */
static bool check_flip(const char *path, uint64_t content, CnError *error)
{
    CraftyWorldCheck check;
    uint64_t now;
    if (!crafty_world_check(path, NULL, NULL, &check, error))
        return error->code == CN_ERROR_VERSION || error->code == CN_ERROR_MISMATCH;
    bool is_intact = check.damage_count == 0;
    crafty_world_check_free(&check);
    if (!is_intact)
        return check_repair(path, error);
    return crafty_worlds_content_hash(path, &now, error) &&
           (now == content ||
            cn_error_set(error, CN_ERROR_FORMAT, "the check did not notice changed data"));
}

bool torture_flip(TortureRound *round, CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    CnRandom random = cn_random_make(round->seed, "torture");
    CnFileBytes bytes;
    uint64_t content;
    if (!cn_format(path, sizeof path, "%s/flip.crafty", round->folder))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "write", path, "the path is too long");
    if (!make_world(path, &random, error) || !crafty_worlds_content_hash(path, &content, error) ||
        !cn_file_read_all(cn_native_files(), path, NULL, &bytes, error))
        return false;
    round->saves += SAVES;
    for (uint64_t i = 1 + cn_random_below(&random, FLIPS); i > 0; i--)
        damage(&bytes, &random);
    bool done = cn_file_write_all(cn_native_files(), path, bytes.data, bytes.size, error) &&
                check_flip(path, content, error);
    cn_file_bytes_free(&bytes);
    return done;
}

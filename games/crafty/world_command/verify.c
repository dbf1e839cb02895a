/* crafty world verify and repair. */
#include "check.h"
#include "run.h"

#include "crafty/save/world_repair.h"
#include "crafty/save/world_seed.h"

#include <inttypes.h>

static void json_chunk(json_t *object, CnChunkPos chunk)
{
    json_t *array = crafty_json_array(object, "chunk");
    json_array_append_new(array, json_integer(chunk.x));
    json_array_append_new(array, json_integer(chunk.y));
    json_array_append_new(array, json_integer(chunk.z));
}

static void print_damage(CraftyWorldRun *run, const CraftyWorldDamage *damage)
{
    if (damage->has_chunk)
        crafty_world_print(run,
                           "  chunk %d, %d, %d (blocks %d, %d, %d and 15 more in each "
                           "direction): %s",
                           damage->chunk.x, damage->chunk.y, damage->chunk.z, damage->chunk.x * 16,
                           damage->chunk.y * 16, damage->chunk.z * 16, damage->message);
    else
        crafty_world_print(run, "  %s: %s", crafty_damage_part_name(damage->part), damage->message);
}

static void report_check(CraftyWorldRun *run, json_t *object, const char *path,
                         const CraftyWorldCheck *check)
{
    crafty_json_text(object, "path", path);
    crafty_json_flag(object, "is_intact", check->damage_count == 0);
    crafty_json_number(object, "damage_count", (int64_t)check->damage_count);
    crafty_json_number(object, "rows", (int64_t)check->rows);
    crafty_json_number(object, "chunks", (int64_t)check->chunks);
    crafty_json_number(object, "edits", (int64_t)check->edits);
    json_t *array = crafty_json_array(object, "damage");
    for (uint32_t i = 0; i < check->item_count; i++) {
        json_t *item = crafty_json_append(array);
        crafty_json_text(item, "part", crafty_damage_part_name(check->items[i].part));
        crafty_json_text(item, "message", check->items[i].message);
        if (check->items[i].has_chunk)
            json_chunk(item, check->items[i].chunk);
    }
    if (check->damage_count == 0) {
        crafty_world_print(
            run, "%s: no damage (%" PRIu64 " rows, %" PRIu64 " chunks, %" PRIu64 " logged edits)",
            path, check->rows, check->chunks, check->edits);
        return;
    }
    run->found_damage = true;
    crafty_world_print(run, "%s: problems: %" PRIu64 "; rows that are fine: %" PRIu64, path,
                       check->damage_count, check->rows);
    for (uint32_t i = 0; i < check->item_count; i++)
        print_damage(run, &check->items[i]);
    if (check->damage_count > check->item_count)
        crafty_world_print(run, "  and %" PRIu64 " more", check->damage_count - check->item_count);
}

static bool verify(CraftyWorldRun *run, json_t *object, const char *path, CnError *error)
{
    CraftyWorldCheck check;
    crafty_world_begin_task(run, "checking");
    bool done = crafty_world_check(path, crafty_world_progress, run, &check, error);
    if (done)
        report_check(run, object, path, &check);
    crafty_world_check_free(&check);
    return done;
}

/* A world that cannot be checked does not keep the others from being checked. */
static bool verify_all(CraftyWorldRun *run, CnError *error)
{
    CraftyWorldList list;
    bool done = crafty_worlds_list(run->folder, CRAFTY_WORLDS_PLAYABLE, &list, error);
    json_t *array = crafty_json_array(run->json, "worlds");
    for (uint32_t i = 0; done && i < list.count && !run->was_canceled; i++) {
        CnError problem = {0};
        json_t *object = crafty_json_append(array);
        if (verify(run, object, list.items[i].path, &problem))
            continue;
        run->found_damage = true;
        crafty_json_text(object, "path", list.items[i].path);
        crafty_json_flag(object, "is_intact", false);
        crafty_json_text(object, "error", problem.message);
        crafty_world_print(run, "%s: %s", list.items[i].path, problem.message);
    }
    crafty_worlds_list_free(&list);
    return done && (!run->was_canceled || cn_error_set(error, CN_ERROR_LIMIT, "it was canceled"));
}

bool crafty_world_verify_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    if (run->options->all)
        return verify_all(run, error);
    return crafty_world_find(run, path, error) && verify(run, run->json, path, error);
}

/* ---- Repair ---- */

static void say_source(CraftyWorldRun *run, json_t *array, CraftyRepairSource source,
                       const char *what, const char *lost)
{
    char line[256];
    if (source == CRAFTY_REPAIR_KEPT)
        return;
    cn_format(line, sizeof line, source == CRAFTY_REPAIR_LOST ? "%s are lost: %s" : "%s%s", what,
              source == CRAFTY_REPAIR_LOST ? lost : " came from their second copy");
    json_array_append_new(array, json_string(line));
    crafty_world_print(run, "  %s", line);
}

static void say(CraftyWorldRun *run, json_t *array, bool is_lost, const char *line)
{
    if (!is_lost)
        return;
    json_array_append_new(array, json_string(line));
    crafty_world_print(run, "  %s", line);
}

static void list_chunks(CraftyWorldRun *run, const char *name, const char *words,
                        const CraftyChunkList *chunks)
{
    json_t *array = crafty_json_array(run->json, name);
    for (uint32_t i = 0; i < chunks->count; i++) {
        CnChunkPos at = chunks->items[i];
        json_array_append_new(array, json_pack("[iii]", at.x, at.y, at.z));
        crafty_world_print(run, "  chunk %d, %d, %d (blocks from %d, %d, %d on): %s", at.x, at.y,
                           at.z, at.x * 16, at.y * 16, at.z * 16, words);
    }
}

static void report_repair(CraftyWorldRun *run, const CraftyWorldRepair *repair)
{
    json_t *gone = crafty_json_array(run->json, "gone");
    crafty_world_print(run, "repaired; what is gone or changed:");
    say_source(run, gone, repair->identity, "name and seed",
               "the name is that of the file, the seed the given one");
    say_source(run, gone, repair->blocks, "the names of the blocks",
               "the standard blocks are assumed, so blocks of mods may have turned into others");
    say_source(run, gone, repair->items, "the names of the items",
               "the standard items are assumed, so items of mods may have turned into others");
    say(run, gone, repair->lost_simulation,
        "players, inventories, time and weather are lost: the game starts anew at the spawn point, "
        "with the blocks as they were");
    say(run, gone, repair->lost_activity && !repair->lost_simulation,
        "flowing water and blocks that waited for a change stand still until something touches "
        "them");
    say(run, gone, repair->lost_summary, "the summary for lists is lost; the next save writes it");
    say(run, gone, repair->lost_thumbnail, "the picture is lost; the next save writes a new one");
    if (repair->dropped_edits > 0) {
        char line[160];
        cn_format(line, sizeof line,
                  "%" PRIu64 " older edits cannot be undone any more: records of the log are lost",
                  repair->dropped_edits);
        say(run, gone, true, line);
    }
    list_chunks(run, "lost_chunks", "its edits were damaged; what the log still had is back",
                &repair->lost_chunks);
    list_chunks(run, "lost_block_data", "the contents of crates and the like are gone",
                &repair->lost_data);
    list_chunks(run, "rebuilt_chunks", "completed from the log of edits", &repair->rebuilt_chunks);
    json_t *damage = crafty_json_array(run->json, "damage");
    for (uint32_t i = 0; i < repair->damage.item_count; i++) {
        json_array_append_new(damage, json_string(repair->damage.items[i].message));
        crafty_world_print(run, "  found: %s", repair->damage.items[i].message);
    }
    crafty_json_number(run->json, "damage_count", (int64_t)repair->damage.damage_count);
    crafty_json_number(run->json, "kept_rows", (int64_t)repair->damage.row_count);
    crafty_json_number(run->json, "kept_chunks", (int64_t)repair->kept_chunks);
    crafty_json_number(run->json, "kept_edits", (int64_t)repair->kept_edits);
    crafty_json_number(run->json, "rebuilt_cells", (int64_t)repair->rebuilt_cells);
    crafty_json_text(run->json, "backup", repair->backup);
    crafty_world_print(
        run, "kept: %" PRIu64 " rows, of these %" PRIu64 " chunks; %" PRIu64 " logged edits",
        repair->damage.row_count, repair->kept_chunks, repair->kept_edits);
    crafty_world_print(run, "the damaged file is kept as %s", repair->backup);
}

/* The repaired world must open. */
static bool check_repaired(CraftyWorldRun *run, const char *path, CnError *error)
{
    CraftyWorldCheck check;
    crafty_world_begin_task(run, "checking");
    bool done = crafty_world_check(path, crafty_world_progress, run, &check, error);
    if (done && check.damage_count > 0)
        done = cn_error_set(error, CN_ERROR_FORMAT, "the repaired world still has a problem: %s",
                            check.item_count > 0 ? check.items[0].message : "?");
    crafty_world_check_free(&check);
    return done;
}

bool crafty_world_repair_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    CraftyWorldCheck check;
    CraftyWorldRepair repair;
    CraftyWorldRepairDesc desc = {.path = path,
                                  .has_seed = run->options->seed != NULL,
                                  .check_thumbnail = crafty_thumbnail_check,
                                  .progress = crafty_world_progress,
                                  .user = run};
    if ((desc.has_seed && !crafty_seed_from_text(run->options->seed, &desc.seed, error)) ||
        !crafty_world_find(run, path, error))
        return false;
    crafty_json_text(run->json, "path", path);
    crafty_world_begin_task(run, "checking");
    bool done = crafty_world_check(path, crafty_world_progress, run, &check, error);
    bool is_intact = check.damage_count == 0;
    crafty_world_check_free(&check);
    if (!done)
        return false;
    crafty_json_flag(run->json, "was_intact", is_intact);
    if (is_intact) {
        crafty_world_print(run, "%s: no damage, nothing to repair", path);
        return true;
    }
    crafty_world_begin_task(run, "repairing");
    done = crafty_world_repair(&desc, &repair, error);
    if (done) {
        report_repair(run, &repair);
        done = check_repaired(run, path, error);
    }
    crafty_world_repair_free(&repair);
    return done;
}

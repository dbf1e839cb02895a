/* crafty world list and info. */
#include "run.h"

#include "crafty/save/world_seed.h"
#include "crafty/sim/weather_kind.h"

#include <inttypes.h>

static void json_entry(json_t *object, const CraftyWorldEntry *entry)
{
    const CraftySaveInfo *info = &entry->info;
    char seed[CRAFTY_SEED_TEXT_BYTES];
    crafty_json_text(object, "name", entry->name);
    crafty_json_text(object, "path", entry->path);
    crafty_json_number(object, "size_bytes", (int64_t)entry->size_bytes);
    crafty_json_number(object, "last_played_ms", entry->played_ms);
    crafty_json_flag(object, "is_open", entry->is_open);
    if (entry->error.code != CN_OK) {
        json_t *problem = crafty_json_object(object, "error");
        crafty_json_text(problem, "code", cn_error_code_name(entry->error.code));
        crafty_json_text(problem, "message", entry->error.message);
    }
    if (entry->error.code != CN_OK || entry->is_open)
        return;
    crafty_json_flag(object, "is_new", info->is_new);
    crafty_json_flag(object, "has_thumbnail", info->has_thumbnail);
    if (!info->has_identity)
        return;
    crafty_seed_to_text(info->identity.seed, seed);
    crafty_json_text(object, "seed", seed);
    crafty_json_number(object, "created_ms", info->identity.created_ms);
    crafty_json_text(object, "generator", info->identity.generator);
    crafty_json_number(object, "generator_version", info->identity.generator_version);
}

static void print_entry(CraftyWorldRun *run, const CraftyWorldEntry *entry)
{
    char size[16], played[32], seed[CRAFTY_SEED_TEXT_BYTES] = "-";
    char base[CRAFTY_WORLD_FILE_BYTES], file[CRAFTY_WORLD_FILE_BYTES + 16] = "";
    crafty_world_base_name(entry->path, base);
    if (strcmp(base, entry->name) != 0) /* by this name it can be given, too */
        cn_format(file, sizeof file, ", file %s", base);
    crafty_world_size_text(entry->size_bytes, size);
    crafty_world_time_text(entry->played_ms, played);
    if (entry->info.has_identity)
        crafty_seed_to_text(entry->info.identity.seed, seed);
    if (entry->error.code != CN_OK)
        crafty_world_print(run, "%-24s %-16s  %9s  cannot be read: %s", entry->name, played, size,
                           entry->error.message);
    else
        crafty_world_print(run, "%-24s %-16s  %9s  %s%s%s%s", entry->name, played, size,
                           entry->is_open ? "is open in a game" : "seed ",
                           entry->is_open ? "" : seed, entry->info.is_new ? ", not played yet" : "",
                           file);
}

bool crafty_world_list(CraftyWorldRun *run, CnError *error)
{
    const CraftyWorldOptions *options = run->options;
    CraftyWorldsPlace place = options->backups   ? CRAFTY_WORLDS_BACKUPS
                              : options->deleted ? CRAFTY_WORLDS_DELETED
                                                 : CRAFTY_WORLDS_PLAYABLE;
    CraftyWorldList list;
    bool done = crafty_worlds_list(run->folder, place, &list, error);
    json_t *worlds = crafty_json_array(run->json, "worlds");
    crafty_json_text(run->json, "folder", run->folder);
    for (uint32_t i = 0; done && i < list.count; i++) {
        json_entry(crafty_json_append(worlds), &list.items[i]);
        print_entry(run, &list.items[i]);
    }
    if (done && list.count == 0)
        crafty_world_print(run, "There are no worlds in %s%s", run->folder,
                           options->backups   ? "/" CRAFTY_WORLDS_BACKUP_FOLDER
                           : options->deleted ? "/" CRAFTY_WORLDS_DELETED_FOLDER
                                              : "");
    if (list.left_out > 0) {
        crafty_json_number(run->json, "left_out", list.left_out);
        crafty_world_print(run, "%u more worlds are not listed", list.left_out);
    }
    crafty_worlds_list_free(&list);
    return done;
}

/* ---- One world ---- */

static void json_summary(json_t *object, const CraftyWorldSummary *summary)
{
    const CraftyPose *pose = &summary->pose;
    char hash[24];
    cn_format(hash, sizeof hash, "%016" PRIx64, summary->blocks_hash);
    crafty_json_number(object, "tick", (int64_t)summary->tick);
    crafty_json_text(object, "blocks_hash", hash);
    crafty_json_real(object, "days", summary->days);
    crafty_json_real(object, "x", (double)pose->position.x);
    crafty_json_real(object, "y", (double)pose->position.y);
    crafty_json_real(object, "z", (double)pose->position.z);
    crafty_json_real(object, "yaw", (double)pose->yaw);
    crafty_json_real(object, "pitch", (double)pose->pitch);
    crafty_json_text(object, "mode", crafty_mode_name(summary->mode));
    if (summary->weather < CRAFTY_WEATHER_COUNT)
        crafty_json_text(object, "weather", crafty_weather_name(summary->weather));
}

static void print_info(CraftyWorldRun *run, const CraftyWorldEntry *entry)
{
    const CraftySaveInfo *info = &entry->info;
    const CraftyWorldSummary *summary = &info->summary;
    char size[16], played[32], created[32], seed[CRAFTY_SEED_TEXT_BYTES];
    crafty_world_size_text(entry->size_bytes, size);
    crafty_world_time_text(entry->played_ms, played);
    crafty_world_print(run, "name         %s", entry->name);
    crafty_world_print(run, "file         %s, %s", entry->path, size);
    if (!info->has_identity) {
        crafty_world_print(run, "             nothing was saved yet");
        return;
    }
    crafty_world_time_text(info->identity.created_ms, created);
    crafty_seed_to_text(info->identity.seed, seed);
    crafty_world_print(run, "seed         %s", seed);
    if (info->identity.has_rules)
        crafty_world_print(run, "starts as    %s, commands %s",
                           crafty_mode_name(info->identity.mode),
                           info->identity.commands ? "allowed" : "not allowed");
    crafty_world_print(run, "generator    %s, version %u", info->identity.generator,
                       info->identity.generator_version);
    crafty_world_print(run, "created      %s", created);
    if (info->is_new) {
        crafty_world_print(run, "last played  never");
        return;
    }
    crafty_world_print(run, "last played  %s, tick %" PRIu64 ", day %.2f", played, summary->tick,
                       summary->days);
    crafty_world_print(run, "player       %s at %.1f, %.1f, %.1f", crafty_mode_name(summary->mode),
                       (double)summary->pose.position.x, (double)summary->pose.position.y,
                       (double)summary->pose.position.z);
    crafty_world_print(run, "blocks       hash %016" PRIx64, summary->blocks_hash);
    crafty_world_print(run, "thumbnail    %s", info->has_thumbnail ? "yes" : "no");
}

bool crafty_world_info(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    CraftyWorldEntry entry;
    CraftyWorldList backups;
    if (!crafty_world_find(run, path, error) || !crafty_worlds_read(path, &entry, error))
        return false;
    json_entry(run->json, &entry);
    if (entry.error.code != CN_OK) {
        *error = entry.error;
        return false;
    }
    if (entry.is_open)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "the world '%s' is open in a game: close it there first", path);
    if (entry.info.has_identity && entry.info.identity.has_rules) {
        crafty_json_text(run->json, "start_mode", crafty_mode_name(entry.info.identity.mode));
        crafty_json_flag(run->json, "allow_commands", entry.info.identity.commands);
    }
    if (entry.info.has_identity && !entry.info.is_new)
        json_summary(run->json, &entry.info.summary);
    print_info(run, &entry);
    bool done = crafty_worlds_list_backups(path, &backups, error);
    json_t *array = crafty_json_array(run->json, "backups");
    for (uint32_t i = 0; done && i < backups.count; i++) {
        json_array_append_new(array, json_string(backups.items[i].path));
        crafty_world_print(run, "%s%s", i == 0 ? "backups      " : "             ",
                           backups.items[i].path);
    }
    crafty_worlds_list_free(&backups);
    return done;
}

/* crafty world create, rename, copy, backup, restore, export, import, compact, delete. */
#include "check.h"
#include "run.h"

#include "crafty/save/world_seed.h"

#include <string.h>
#include <unistd.h>

static void report_path(CraftyWorldRun *run, const char *what, const char *path)
{
    crafty_json_text(run->json, "path", path);
    crafty_world_print(run, "%s %s", what, path);
}

bool crafty_world_create_action(CraftyWorldRun *run, CnError *error)
{
    const CraftyWorldOptions *options = run->options;
    CraftyNewWorld world = {.name = options->first,
                            .generator = options->generator,
                            .has_rules = options->mode_text || options->allow_commands,
                            .mode = options->mode,
                            .commands =
                                options->allow_commands || options->mode != CRAFTY_MODE_SURVIVAL};
    char path[CN_STORE_PATH_BYTES], seed[CRAFTY_SEED_TEXT_BYTES];
    if (!crafty_seed_from_text(options->seed ? options->seed : "", &world.seed, error) ||
        !crafty_worlds_create(run->folder, &world, path, error))
        return false;
    crafty_seed_to_text(world.seed, seed);
    crafty_json_text(run->json, "seed", seed);
    report_path(run, "created", path);
    return true;
}

bool crafty_world_rename_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES], renamed[CN_STORE_PATH_BYTES];
    if (!crafty_world_find(run, path, error) ||
        !crafty_worlds_rename(path, run->options->second, renamed, error))
        return false;
    report_path(run, "renamed to", renamed);
    return true;
}

bool crafty_world_copy_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES], copy[CN_STORE_PATH_BYTES];
    crafty_world_begin_task(run, "copying");
    if (!crafty_world_find(run, path, error) ||
        !crafty_worlds_copy(path, run->options->second, crafty_world_progress, run, copy, error))
        return false;
    report_path(run, "copied to", copy);
    return true;
}

/* ---- Backups ---- */

bool crafty_world_backup_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES], backup[CN_STORE_PATH_BYTES];
    crafty_world_begin_task(run, "backing up");
    if (!crafty_world_find(run, path, error) ||
        !crafty_worlds_back_up(path, NULL, crafty_world_progress, run, backup, error))
        return false;
    report_path(run, "backup written to", backup);
    return true;
}

/* Returns whether a backup or deleted world has this name, or had a file of this name. */
static bool is_named(const CraftyWorldEntry *entry, const char *name, const char *date)
{
    char file[CRAFTY_WORLD_FILE_BYTES];
    const char *slash = strrchr(entry->path, '/'), *start = slash ? slash + 1 : entry->path;
    cn_copy_text(file, sizeof file, (CnText){start, (size_t)(date - 1 - start)});
    return crafty_world_names_equal(entry->name, name) || crafty_world_names_equal(file, name);
}

/* Keeps the newest world with this name at a place in `path`, if it is newer than what is there. */
static bool find_newest(CraftyWorldRun *run, CraftyWorldsPlace place,
                        char path[CN_STORE_PATH_BYTES], CnError *error)
{
    CraftyWorldList list;
    bool done = crafty_worlds_list(run->folder, place, &list, error);
    for (uint32_t i = 0; done && i < list.count; i++) {
        const CraftyWorldEntry *entry = &list.items[i];
        const char *date = crafty_worlds_date_in(entry->path);
        if (entry->error.code == CN_OK && date && is_named(entry, run->options->first, date) &&
            (!path[0] || strcmp(date, crafty_worlds_date_in(path)) > 0))
            cn_format(path, CN_STORE_PATH_BYTES, "%s", entry->path);
    }
    crafty_worlds_list_free(&list);
    return done;
}

/* A path, or the name of a file in backups/ or deleted/. */
static bool find_file(CraftyWorldRun *run, char path[CN_STORE_PATH_BYTES], CnError *error)
{
    static const char *const subfolders[] = {CRAFTY_WORLDS_BACKUP_FOLDER,
                                             CRAFTY_WORLDS_DELETED_FOLDER};
    const char *from = run->options->from;
    if (cn_format(path, CN_STORE_PATH_BYTES, "%s", from) && access(path, F_OK) == 0)
        return true;
    for (uint32_t i = 0; i < CN_COUNT_OF(subfolders); i++)
        if (cn_format(path, CN_STORE_PATH_BYTES, "%s/%s/%s", run->folder, subfolders[i], from) &&
            access(path, F_OK) == 0)
            return true;
    return cn_error_set(error, CN_ERROR_NOT_FOUND,
                        "there is no backup '%s'; see crafty world list --backups", from);
}

/* Sets *is_deleted if the file is in the folder of deleted worlds. */
static bool find_source(CraftyWorldRun *run, char path[CN_STORE_PATH_BYTES], bool *is_deleted,
                        CnError *error)
{
    char prefix[CN_STORE_PATH_BYTES + 16];
    path[0] = 0;
    if (run->options->from ? !find_file(run, path, error)
                           : !find_newest(run, CRAFTY_WORLDS_BACKUPS, path, error) ||
                                 !find_newest(run, CRAFTY_WORLDS_DELETED, path, error))
        return false;
    cn_format(prefix, sizeof prefix, "%s/" CRAFTY_WORLDS_DELETED_FOLDER "/", run->folder);
    *is_deleted = cn_text_starts_with(cn_text(path), cn_text(prefix));
    return path[0] || cn_error_set(error, CN_ERROR_NOT_FOUND,
                                   "there is neither a backup nor a deleted world \"%s\" in '%s'",
                                   run->options->first, run->folder);
}

bool crafty_world_restore_action(CraftyWorldRun *run, CnError *error)
{
    char source[CN_STORE_PATH_BYTES], path[CN_STORE_PATH_BYTES];
    bool is_deleted;
    if (!find_source(run, source, &is_deleted, error))
        return false;
    crafty_world_begin_task(run, "restoring");
    if (is_deleted ? !crafty_worlds_undelete(run->folder, source, run->options->name, path, error)
                   : !crafty_worlds_restore(run->folder, source, run->options->name,
                                            crafty_world_progress, run, path, error))
        return false;
    crafty_json_text(run->json, "from", source);
    crafty_world_print(run, "from %s", source);
    report_path(run, "restored to", path);
    return true;
}

/* ---- Files for other places ---- */

bool crafty_world_export_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    crafty_world_begin_task(run, "exporting");
    if (!crafty_world_find(run, path, error) ||
        !crafty_worlds_export(path, run->options->second, crafty_world_progress, run, error))
        return false;
    crafty_json_number(run->json, "size_bytes",
                       (int64_t)crafty_world_file_size(run->options->second));
    report_path(run, "exported to", run->options->second);
    return true;
}

static bool check_import(const char *path, void *user, CnError *error)
{
    CraftyWorldRun *run = user;
    CraftyWorldCheck check;
    crafty_world_begin_task(run, "checking");
    bool done = crafty_world_check(path, crafty_world_progress, run, &check, error);
    if (done && check.damage_count > 0)
        done = cn_error_set(error, CN_ERROR_FORMAT,
                            "the file is damaged (%s); repair a copy of it with crafty world "
                            "repair, then import that",
                            check.items[0].message);
    crafty_world_check_free(&check);
    return done;
}

bool crafty_world_import_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    CraftyWorldsImport desc = {.file = run->options->first,
                               .name = run->options->name,
                               .check = check_import,
                               .progress = crafty_world_progress,
                               .user = run};
    crafty_world_begin_task(run, "importing");
    if (!crafty_worlds_import(run->folder, &desc, path, error))
        return false;
    report_path(run, "imported as", path);
    return true;
}

bool crafty_world_compact_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES], was[16], is[16];
    if (!crafty_world_find(run, path, error))
        return false;
    uint64_t before = crafty_world_file_size(path);
    crafty_world_begin_task(run, "compacting");
    if (!crafty_worlds_compact(path, crafty_world_progress, run, error))
        return false;
    uint64_t after = crafty_world_file_size(path);
    crafty_json_number(run->json, "bytes_before", (int64_t)before);
    crafty_json_number(run->json, "bytes_after", (int64_t)after);
    crafty_world_size_text(before, was);
    crafty_world_size_text(after, is);
    crafty_world_print(run, "from %s to %s", was, is);
    report_path(run, "compacted", path);
    return true;
}

bool crafty_world_delete_action(CraftyWorldRun *run, CnError *error)
{
    char path[CN_STORE_PATH_BYTES], moved[CN_STORE_PATH_BYTES];
    bool permanently = run->options->permanently;
    if (!crafty_world_find(run, path, error) ||
        !crafty_worlds_delete(path,
                              permanently ? CRAFTY_WORLDS_DELETE_PERMANENTLY : CRAFTY_WORLDS_DELETE,
                              moved, error))
        return false;
    if (permanently) {
        report_path(run, "deleted permanently:", path);
        return true;
    }
    report_path(run, "deleted; moved to", moved);
    crafty_world_print(run, "to undo this: crafty world restore \"%s\"", run->options->first);
    return true;
}

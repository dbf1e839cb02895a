/* Backups and deleted worlds. */
#include "worlds_internal.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <time.h>
#include <unistd.h>

/* Creates <folder of path>/<subfolder> and writes a free path in it: "<file> <date> <time>". */
static bool dated_path(const char *path, const char *subfolder, char dated[CN_STORE_PATH_BYTES],
                       CnError *error)
{
    char folder[CN_STORE_PATH_BYTES], beside[CN_STORE_PATH_BYTES];
    char base[CRAFTY_WORLD_FILE_BYTES], name[CRAFTY_WORLD_FILE_BYTES + 32], date[32];
    time_t now = time(NULL);
    struct tm local;
    crafty_world_folder_of(path, folder);
    crafty_world_base_name(path, base);
    if (!localtime_r(&now, &local) || strftime(date, sizeof date, "%Y-%m-%d %H-%M-%S", &local) == 0)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the clock of this computer is not set");
    if (!cn_format(beside, sizeof beside, "%s/%s", folder, subfolder))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "write", folder, "the path is too long");
    cn_format(name, sizeof name, "%s %s", base, date);
    return cn_native_files()->make_folder(cn_native_files(), beside, error) &&
           crafty_world_free_path(beside, name, dated, error);
}

bool crafty_worlds_put_away(const char *path, const char *subfolder,
                            char moved[CN_STORE_PATH_BYTES], CnError *error)
{
    bool is_open;
    return crafty_world_settle(path, &is_open, error) &&
           dated_path(path, subfolder, moved, error) && crafty_world_move(path, moved, error);
}

/* ---- Backups ---- */

bool crafty_worlds_back_up(const char *path, CnStore *open, CnStoreProgress progress, void *user,
                           char backup[CN_STORE_PATH_BYTES], CnError *error)
{
    if (access(path, F_OK))
        return cn_file_set_errno(error, "back up", path, errno);
    if (!dated_path(path, CRAFTY_WORLDS_BACKUP_FOLDER, backup, error))
        return false;
    return open ? cn_store_backup(open, backup, progress, user, error)
                : crafty_worlds_copy_file(path, backup, progress, user, error);
}

/* Finds the world that a backup replaces: the one with its name. */
static bool find_replaced(const char *folder, const char *name, char path[CN_STORE_PATH_BYTES],
                          bool *found, CnError *error)
{
    CraftyWorldList list;
    *found = false;
    bool done = crafty_worlds_list(folder, CRAFTY_WORLDS_PLAYABLE, &list, error);
    for (uint32_t i = 0; done && !*found && i < list.count; i++)
        if (crafty_world_names_equal(list.items[i].name, name)) {
            *found = true;
            cn_format(path, CN_STORE_PATH_BYTES, "%s", list.items[i].path);
        }
    crafty_worlds_list_free(&list);
    return done;
}

/* Removes the date and time of backups from the name of a file. */
static void name_of_backup(const char *path, char name[CRAFTY_WORLD_FILE_BYTES])
{
    crafty_world_base_name(path, name);
    const char *date = crafty_worlds_date_in(name);
    if (date > name)
        name[date - name - 1] = 0;
}

bool crafty_worlds_replace(const char *temporary, const char *path,
                           char backup[CN_STORE_PATH_BYTES], CnError *error)
{
    CnError ignored = {0};
    if (!crafty_worlds_put_away(path, CRAFTY_WORLDS_BACKUP_FOLDER, backup, error))
        return false;
    if (crafty_world_move(temporary, path, error))
        return true;
    if (!crafty_world_move(backup, path, &ignored))
        cn_error_set(error, CN_ERROR_IO,
                     "the disk fails; the world is now '%s': move it back when the disk works",
                     backup);
    return false;
}

bool crafty_worlds_restore(const char *folder, const char *backup, const char *name,
                           CnStoreProgress progress, void *user, char path[CN_STORE_PATH_BYTES],
                           CnError *error)
{
    char old_name[CRAFTY_WORLD_FILE_BYTES], checked[CRAFTY_WORLD_NAME_BYTES];
    char temporary[CN_STORE_PATH_BYTES], replaced[CN_STORE_PATH_BYTES];
    CraftyWorldEntry entry;
    bool replaces = false;
    if (!crafty_worlds_read(backup, &entry, error))
        return false;
    if (entry.error.code != CN_OK) {
        *error = entry.error;
        return false;
    }
    cn_copy_text(old_name, sizeof old_name, cn_text(entry.name));
    if (!entry.info.has_identity)
        name_of_backup(backup, old_name);
    if (!name && !find_replaced(folder, old_name, path, &replaces, error))
        return false;
    if (!replaces &&
        (!cn_native_files()->make_folder(cn_native_files(), folder, error) ||
         !crafty_worlds_new_path(folder, name ? name : old_name, NULL, checked, path, error)))
        return false;
    if (!crafty_worlds_begin_file(path, temporary, error))
        return false;
    bool done = crafty_worlds_copy_file(backup, temporary, progress, user, error) &&
                (replaces || crafty_worlds_set_name(temporary, checked, error)) &&
                (!replaces || crafty_worlds_replace(temporary, path, replaced, error));
    return replaces && done ? true : crafty_worlds_end_file(temporary, path, done, error);
}

/* ---- Deleted worlds ---- */

bool crafty_worlds_delete(const char *path, CraftyWorldsDelete how, char moved[CN_STORE_PATH_BYTES],
                          CnError *error)
{
    bool is_open;
    moved[0] = 0;
    if (how == CRAFTY_WORLDS_DELETE)
        return crafty_worlds_put_away(path, CRAFTY_WORLDS_DELETED_FOLDER, moved, error);
    return crafty_world_settle(path, &is_open, error) && crafty_world_remove(path, error);
}

bool crafty_worlds_undelete(const char *folder, const char *deleted, const char *name,
                            char path[CN_STORE_PATH_BYTES], CnError *error)
{
    char old_name[CRAFTY_WORLD_FILE_BYTES], checked[CRAFTY_WORLD_NAME_BYTES];
    CraftyWorldEntry entry;
    if (!crafty_worlds_read(deleted, &entry, error))
        return false;
    cn_copy_text(old_name, sizeof old_name, cn_text(entry.name));
    if (!entry.info.has_identity)
        name_of_backup(deleted, old_name);
    if (!crafty_worlds_new_path(folder, name ? name : old_name, NULL, checked, path, error))
        return false;
    return (!name || crafty_worlds_set_name(deleted, checked, error)) &&
           crafty_world_move(deleted, path, error);
}

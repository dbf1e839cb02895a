/* Creating, renaming and copying worlds. */
#include "worlds_internal.h"

#include "save_internal.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <unistd.h>

/* ---- Names ---- */

bool crafty_worlds_check_free(const char *folder, const char *name, const char *own, CnError *error)
{
    CraftyWorldList list;
    bool done = crafty_worlds_list(folder, CRAFTY_WORLDS_PLAYABLE, &list, error);
    for (uint32_t i = 0; done && i < list.count; i++) {
        const CraftyWorldEntry *entry = &list.items[i];
        if (!(own && strcmp(entry->path, own) == 0) && crafty_world_names_equal(entry->name, name))
            done =
                cn_error_set(error, CN_ERROR_EXISTS,
                             "there is already a world \"%s\": choose another name", entry->name);
    }
    crafty_worlds_list_free(&list);
    return done;
}

bool crafty_worlds_new_path(const char *folder, const char *name, const char *own,
                            char checked[CRAFTY_WORLD_NAME_BYTES], char path[CN_STORE_PATH_BYTES],
                            CnError *error)
{
    char file[CRAFTY_WORLD_NAME_BYTES];
    if (!crafty_world_name_check(name, checked, error) ||
        !crafty_worlds_check_free(folder, checked, own, error))
        return false;
    crafty_world_file_name(checked, file);
    char wanted[CN_STORE_PATH_BYTES];
    bool is_own = own &&
                  cn_format(wanted, sizeof wanted, "%s/%s" CRAFTY_WORLD_SUFFIX, folder, file) &&
                  crafty_world_names_equal(wanted, own);
    if (is_own) /* the file of another world cannot have this name */
        return cn_format(path, CN_STORE_PATH_BYTES, "%s", wanted);
    return crafty_world_free_path(folder, file, path, error);
}

bool crafty_worlds_set_name(const char *path, const char *name, CnError *error)
{
    CraftySaveInfo info;
    if (!crafty_save_read_info(path, &info, error))
        return false;
    if (!info.has_identity || strcmp(info.identity.name, name) == 0)
        return true;
    cn_copy_text(info.identity.name, sizeof info.identity.name, cn_text(name));
    return crafty_save_write_identity(path, CN_STORE_OPEN, &info.identity, error);
}

/* ---- New files ---- */

bool crafty_worlds_begin_file(const char *path, char temporary[CN_STORE_PATH_BYTES], CnError *error)
{
    char log[CN_STORE_PATH_BYTES + 8];
    if (!cn_format(temporary, CN_STORE_PATH_BYTES, "%s.new", path))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "write", path, "the path is too long");
    cn_format(log, sizeof log, "%s-wal", temporary);
    if ((unlink(temporary) && errno != ENOENT) || (unlink(log) && errno != ENOENT))
        return cn_file_set_errno(error, "replace", temporary, errno);
    return true;
}

bool crafty_worlds_end_file(const char *temporary, const char *path, bool done, CnError *error)
{
    CnError ignored = {0};
    done = done && crafty_world_move(temporary, path, error);
    if (!done && access(temporary, F_OK) == 0)
        crafty_world_remove(temporary, &ignored);
    return done;
}

bool crafty_worlds_copy_file(const char *from, const char *to, CnStoreProgress progress, void *user,
                             CnError *error)
{
    char log[CN_STORE_PATH_BYTES + 8];
    bool is_open;
    cn_format(log, sizeof log, "%s-wal", from);
    if (access(log, F_OK) == 0 && !crafty_world_settle(from, &is_open, error))
        return false;
    bool has_log = access(log, F_OK) == 0;
    CnStoreDesc desc = crafty_save_store_desc(from, has_log ? CN_STORE_OPEN : CN_STORE_READ_ONLY);
    return cn_store_copy(&desc, to, progress, user, error);
}

/* ---- Operations ---- */

bool crafty_worlds_create(const char *folder, const CraftyNewWorld *desc,
                          char path[CN_STORE_PATH_BYTES], CnError *error)
{
    char name[CRAFTY_WORLD_NAME_BYTES], temporary[CN_STORE_PATH_BYTES];
    if (desc->generator && strcmp(desc->generator, CRAFTY_GENERATOR_ID) != 0)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "there is no generator \"%s\"; the only one is %s", desc->generator,
                            CRAFTY_GENERATOR_ID);
    if (!crafty_world_name_check(desc->name, name, error) ||
        !cn_native_files()->make_folder(cn_native_files(), folder, error) ||
        !crafty_worlds_new_path(folder, name, NULL, name, path, error) ||
        !crafty_worlds_begin_file(path, temporary, error))
        return false;
    CraftyWorldIdentity identity = crafty_save_new_identity(desc->seed);
    cn_copy_text(identity.name, sizeof identity.name, cn_text(name));
    identity.has_rules = desc->has_rules;
    identity.mode = (uint8_t)desc->mode;
    identity.commands = desc->commands;
    bool done = crafty_save_write_identity(temporary, CN_STORE_CREATE, &identity, error) &&
                (!desc->mods || crafty_save_write_mods(temporary, desc->mods, error));
    return crafty_worlds_end_file(temporary, path, done, error);
}

/* The transaction needs space on the disk and comes first; the file's name follows, or the old name
 * is written again. */
bool crafty_worlds_rename(const char *path, const char *name, char new_path[CN_STORE_PATH_BYTES],
                          CnError *error)
{
    char folder[CN_STORE_PATH_BYTES], checked[CRAFTY_WORLD_NAME_BYTES];
    bool is_open;
    CraftySaveInfo info;
    crafty_world_folder_of(path, folder);
    if (!crafty_world_settle(path, &is_open, error) || !crafty_save_read_info(path, &info, error) ||
        !crafty_worlds_new_path(folder, name, path, checked, new_path, error) ||
        !crafty_worlds_set_name(path, checked, error))
        return false;
    if (strcmp(path, new_path) == 0 || crafty_world_move(path, new_path, error))
        return true;
    CnError ignored = {0};
    if (info.has_identity && access(path, F_OK) == 0)
        crafty_worlds_set_name(path, info.identity.name, &ignored);
    return false;
}

bool crafty_worlds_copy(const char *path, const char *name, CnStoreProgress progress, void *user,
                        char new_path[CN_STORE_PATH_BYTES], CnError *error)
{
    char folder[CN_STORE_PATH_BYTES], checked[CRAFTY_WORLD_NAME_BYTES];
    char temporary[CN_STORE_PATH_BYTES];
    crafty_world_folder_of(path, folder);
    if (!crafty_worlds_new_path(folder, name, NULL, checked, new_path, error) ||
        !crafty_worlds_begin_file(new_path, temporary, error))
        return false;
    bool done = crafty_worlds_copy_file(path, temporary, progress, user, error) &&
                crafty_worlds_set_name(temporary, checked, error);
    return crafty_worlds_end_file(temporary, new_path, done, error);
}

/* Exporting, importing and compacting worlds. */
#include "worlds_internal.h"

#include "save_internal.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* ---- Content ---- */

static bool add_row(const CnStoreRow *row, void *user, CnError *error)
{
    uint64_t *hash = user;
    if (row->is_damaged)
        return cn_error_set(error, CN_ERROR_FORMAT, "the world is damaged: repair it first");
    uint64_t key = row->key.bytes ? cn_hash_bytes(row->key.bytes, row->key.size, row->table)
                                  : cn_hash_mix((uint64_t)row->key.number + row->table);
    *hash = cn_hash_bytes(row->bytes, row->size, cn_hash_mix(*hash ^ key));
    return true;
}

bool crafty_worlds_content_hash(const char *path, uint64_t *hash, CnError *error)
{
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_READ_ONLY);
    CnStore *store = cn_store_create(&desc, error);
    bool done = store != NULL;
    *hash = 0;
    for (uint32_t i = 0; i < CRAFTY_SAVE_TABLES && done; i++)
        done = cn_store_each(store, i, NULL, NULL, add_row, hash, error);
    cn_store_destroy(store);
    return done;
}

/* ---- Compact files ---- */

/* Writes a compact copy of a world that is not open. */
static bool write_compact(const char *path, const char *file, CnStoreProgress progress, void *user,
                          CnError *error)
{
    bool is_open;
    if (!crafty_world_settle(path, &is_open, error))
        return false;
    if (progress && !progress(0, 0, user))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "write", file, "it was canceled");
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_OPEN);
    return cn_store_compact(&desc, file, progress, user, error);
}

bool crafty_worlds_export(const char *path, const char *file, CnStoreProgress progress, void *user,
                          CnError *error)
{
    if (access(file, F_OK) == 0)
        return cn_file_set_error(error, CN_ERROR_EXISTS, "write", file,
                                 "it already exists: choose another file");
    return cn_file_check_folder_of(cn_native_files(), file, error) &&
           write_compact(path, file, progress, user, error);
}

bool crafty_worlds_compact(const char *path, CnStoreProgress progress, void *user, CnError *error)
{
    char temporary[CN_STORE_PATH_BYTES];
    uint64_t before, after;
    bool is_open;
    if (!crafty_worlds_begin_file(path, temporary, error))
        return false;
    bool done = write_compact(path, temporary, progress, user, error) &&
                crafty_worlds_content_hash(path, &before, error) &&
                crafty_worlds_content_hash(temporary, &after, error) &&
                (before == after || cn_error_set(error, CN_ERROR_MISMATCH,
                                                 "the compact copy of '%s' differs; the world "
                                                 "stays as it is",
                                                 path)) &&
                crafty_world_settle(path, &is_open, error);
    if (done && rename(temporary, path))
        done = cn_file_set_errno(error, "replace", path, errno);
    if (!done)
        unlink(temporary);
    return done && crafty_world_sync_folder_of(path, error);
}

/* ---- Importing ---- */

/* Finds a name that no world has: the world's own, or with a number. */
static bool find_name(const char *folder, const char *own, char name[CRAFTY_WORLD_NAME_BYTES],
                      CnError *error)
{
    CnError problem = {0};
    char base[CRAFTY_WORLD_NAME_BYTES - 8]; /* room for the number */
    cn_copy_text(base, sizeof base, cn_text(own));
    cn_copy_text(name, CRAFTY_WORLD_NAME_BYTES, cn_text(own));
    for (uint32_t number = 2; number < 1000; number++) {
        if (crafty_worlds_check_free(folder, name, NULL, &problem))
            return true;
        if (problem.code != CN_ERROR_EXISTS)
            break;
        cn_format(name, CRAFTY_WORLD_NAME_BYTES, "%s (%u)", base, number);
    }
    if (error)
        *error = problem;
    return false;
}

static bool copy_foreign(const CraftyWorldsImport *desc, const char *temporary, CnError *error)
{
    char log[CN_STORE_PATH_BYTES + 8];
    cn_format(log, sizeof log, "%s-wal", desc->file);
    if (access(log, F_OK) == 0)
        return write_compact(desc->file, temporary, desc->progress, desc->user, error);
    CnStoreDesc store = crafty_save_store_desc(desc->file, CN_STORE_READ_ONLY);
    return cn_store_compact(&store, temporary, desc->progress, desc->user, error);
}

bool crafty_worlds_import(const char *folder, const CraftyWorldsImport *desc,
                          char path[CN_STORE_PATH_BYTES], CnError *error)
{
    CraftyWorldEntry entry;
    char name[CRAFTY_WORLD_NAME_BYTES], temporary[CN_STORE_PATH_BYTES];
    if (strlen(desc->file) >= CN_STORE_PATH_BYTES)
        return cn_file_set_error(error, CN_ERROR_LIMIT, "open", desc->file, "the path is too long");
    if (!crafty_worlds_read(desc->file, &entry, error))
        return false;
    if (entry.is_open)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "'%s' is open in a game: close it there first", desc->file);
    if (entry.error.code != CN_OK) {
        if (error)
            *error = entry.error;
        return false;
    }
    if (!cn_native_files()->make_folder(cn_native_files(), folder, error) ||
        (!desc->name && !find_name(folder, entry.name, name, error)) ||
        !crafty_worlds_new_path(folder, desc->name ? desc->name : name, NULL, name, path, error) ||
        !crafty_worlds_begin_file(path, temporary, error))
        return false;
    bool done = copy_foreign(desc, temporary, error) &&
                (!desc->check || desc->check(temporary, desc->user, error)) &&
                crafty_worlds_set_name(temporary, name, error);
    return crafty_worlds_end_file(temporary, path, done, error);
}

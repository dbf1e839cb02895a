/* Lists of worlds, and finding one by its name. */
#include "worlds.h"

#include "save_internal.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- One world ---- */

static void describe(CraftyWorldEntry *entry, const struct stat *file)
{
    const CraftySaveInfo *info = &entry->info;
    bool is_readable = entry->error.code == CN_OK && !entry->is_open;
    crafty_world_base_name(entry->path, entry->name);
    entry->played_ms = (int64_t)file->st_mtim.tv_sec * 1000 + file->st_mtim.tv_nsec / 1000000;
    if (!is_readable || !info->has_identity)
        return;
    cn_copy_text(entry->name, sizeof entry->name, cn_text(info->identity.name));
    entry->played_ms = info->is_new ? info->identity.created_ms : info->summary.played_ms;
}

/* A log beside the file: the world is open, or was not closed properly and is recovered now. */
static bool read_info(const char *path, CraftySaveInfo *info, bool *is_open, CnError *error)
{
    char log[CN_STORE_PATH_BYTES + 8];
    cn_format(log, sizeof log, "%s-wal", path);
    if (access(log, F_OK) == 0 && !crafty_world_settle(path, is_open, error))
        return false;
    return crafty_save_read_info(path, info, error);
}

bool crafty_worlds_read(const char *path, CraftyWorldEntry *entry, CnError *error)
{
    struct stat file;
    *entry = (CraftyWorldEntry){0};
    if (stat(path, &file))
        return cn_file_set_errno(error, "open", path, errno);
    if (!cn_format(entry->path, sizeof entry->path, "%s", path))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "open", path, "the path is too long");
    entry->size_bytes = crafty_world_file_size(path);
    if (!S_ISREG(file.st_mode))
        cn_file_set_error(&entry->error, CN_ERROR_FORMAT, "open", path, "it is not a file");
    else if (!read_info(path, &entry->info, &entry->is_open, &entry->error))
        entry->info = (CraftySaveInfo){0};
    if (entry->is_open)
        entry->error = (CnError){0};
    describe(entry, &file);
    return true;
}

bool crafty_worlds_read_thumbnail(const char *path, CnU8Array *jpeg, CnError *error)
{
    bool found = false;
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_READ_ONLY);
    cn_array_clear(jpeg);
    CnStore *store = cn_store_create(&desc, error);
    bool done =
        store && cn_store_get(store, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_THUMBNAIL),
                              jpeg, &found, error);
    if (!done || !found)
        cn_array_clear(jpeg);
    cn_store_destroy(store);
    return done;
}

/* ---- Lists ---- */

typedef struct Lister {
    const char *folder;
    CraftyWorldList *list;
    const char *base; /* only backups of this file; NULL: all */
    CnError *error;
    bool failed;
} Lister;

void crafty_worlds_list_free(CraftyWorldList *list)
{
    cn_free(cn_system_allocator(), list->items, list->capacity * sizeof *list->items);
    *list = (CraftyWorldList){0};
}

static CraftyWorldEntry *add_entry(Lister *lister)
{
    CraftyWorldList *list = lister->list;
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity ? list->capacity * 2 : 16;
        CraftyWorldEntry *items =
            cn_realloc(cn_system_allocator(), list->items, list->capacity * sizeof *items,
                       capacity * sizeof *items);
        if (!items) {
            lister->failed = true;
            cn_error_memory(lister->error, "the list of worlds");
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    return &list->items[list->count];
}

static bool is_date(const char *text)
{
    static const char pattern[] = "0000-00-00 00-00-00";
    for (size_t i = 0; i < sizeof pattern - 1; i++)
        if (pattern[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != pattern[i])
            return false;
    return true;
}

const char *crafty_worlds_date_in(const char *path)
{
    const char *slash = strrchr(path, '/'), *found = NULL;
    for (const char *at = slash ? slash + 1 : path; *at; at++)
        if (*at == ' ' && is_date(at + 1))
            found = at + 1;
    return found;
}

static bool is_backup_of(const char *name, const char *base)
{
    const char *date = crafty_worlds_date_in(name);
    size_t size = strlen(base);
    return date && (size_t)(date - name) == size + 1 && memcmp(name, base, size) == 0;
}

static bool visit(const char *name, bool is_directory, void *user)
{
    Lister *lister = user;
    char path[CN_STORE_PATH_BYTES];
    if (is_directory || name[0] == '.' ||
        !cn_text_ends_with(cn_text(name), cn_text(CRAFTY_WORLD_SUFFIX)) ||
        (lister->base && !is_backup_of(name, lister->base)))
        return true;
    if (lister->list->count == CRAFTY_WORLDS_MAX ||
        !cn_format(path, sizeof path, "%s/%s", lister->folder, name)) {
        lister->list->left_out++;
        return true;
    }
    CraftyWorldEntry *entry = add_entry(lister);
    if (!entry)
        return false;
    CnError gone = {0}; /* removed meanwhile */
    if (crafty_worlds_read(path, entry, &gone))
        lister->list->count++;
    return true;
}

static int compare(const void *a, const void *b)
{
    const CraftyWorldEntry *x = a, *y = b;
    if (x->played_ms != y->played_ms)
        return x->played_ms > y->played_ms ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Names of backups contain their time. */
static int compare_backups(const void *a, const void *b)
{
    const CraftyWorldEntry *x = a, *y = b;
    return strcmp(y->path, x->path);
}

static bool list_folder(Lister *lister, CnError *error)
{
    CraftyWorldList *list = lister->list;
    CnError problem = {0};
    lister->error = error;
    *list = (CraftyWorldList){0};
    if (!cn_native_files()->list(cn_native_files(), lister->folder, visit, lister, &problem)) {
        if (problem.code == CN_ERROR_NOT_FOUND)
            return true;
        if (error)
            *error = problem;
        return false;
    }
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items,
              lister->base ? compare_backups : compare);
    return !lister->failed;
}

static bool place_path(const char *folder, CraftyWorldsPlace place, char path[CN_STORE_PATH_BYTES],
                       CnError *error)
{
    static const char *const names[] = {"", "/" CRAFTY_WORLDS_BACKUP_FOLDER,
                                        "/" CRAFTY_WORLDS_DELETED_FOLDER};
    return cn_format(path, CN_STORE_PATH_BYTES, "%s%s", folder, names[place]) ||
           cn_file_set_error(error, CN_ERROR_LIMIT, "open", folder, "the path is too long");
}

bool crafty_worlds_list(const char *folder, CraftyWorldsPlace place, CraftyWorldList *list,
                        CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    *list = (CraftyWorldList){0};
    return place_path(folder, place, path, error) &&
           list_folder(&(Lister){.folder = path, .list = list}, error);
}

bool crafty_worlds_list_backups(const char *path, CraftyWorldList *list, CnError *error)
{
    char folder[CN_STORE_PATH_BYTES], backups[CN_STORE_PATH_BYTES], base[CRAFTY_WORLD_FILE_BYTES];
    *list = (CraftyWorldList){0};
    crafty_world_folder_of(path, folder);
    crafty_world_base_name(path, base);
    return place_path(folder, CRAFTY_WORLDS_BACKUPS, backups, error) &&
           list_folder(&(Lister){.folder = backups, .list = list, .base = base}, error);
}

/* ---- Finding one ---- */

static bool find_name(const char *folder, const char *world, char path[CN_STORE_PATH_BYTES],
                      CnError *error)
{
    CraftyWorldList list;
    uint32_t found = 0;
    bool done = crafty_worlds_list(folder, CRAFTY_WORLDS_PLAYABLE, &list, error);
    for (uint32_t i = 0; done && i < list.count; i++)
        if (strcmp(list.items[i].name, world) == 0 && found++ == 0)
            cn_format(path, CN_STORE_PATH_BYTES, "%s", list.items[i].path);
    crafty_worlds_list_free(&list);
    if (!done)
        return false;
    if (found > 1)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "%u worlds are named \"%s\": give the name of a file instead", found,
                            world);
    return found == 1 || cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no world \"%s\" in '%s'",
                                      world, folder);
}

bool crafty_worlds_find(const char *folder, const char *world, char path[CN_STORE_PATH_BYTES],
                        CnError *error)
{
    CnError problem = {0};
    bool is_path =
        strchr(world, '/') || cn_text_ends_with(cn_text(world), cn_text(CRAFTY_WORLD_SUFFIX));
    if (crafty_world_path(world, folder, path, &problem) && access(path, F_OK) == 0)
        return true;
    if (is_path && !strchr(world, '/') &&
        cn_format(path, CN_STORE_PATH_BYTES, "%s/%s", folder, world) && access(path, F_OK) == 0)
        return true;
    if (find_name(folder, world, path, error))
        return true;
    return is_path ? cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no world '%s'", world)
                   : false;
}

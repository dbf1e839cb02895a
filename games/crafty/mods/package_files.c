#include "package_files.h"

#include "mod_set_internal.h"

#include <cairn/base/hash_map.h>

#include <stdlib.h>
#include <string.h>

#define READ_BYTES 65536u

/* ---- Listing ---- */

typedef struct Folder {
    char path[CRAFTY_PACKAGE_PATH_BYTES]; /* within the mod; empty: its root */
    uint32_t depth;
} Folder;

typedef struct Lister {
    CnFileSystem *files;
    const char *root;
    CraftyPackageFiles *list;
    CN_ARRAY(Folder) folders; /* still to list */
    Folder folder;
    CnError *error;
    bool failed;
} Lister;

static bool refuse(Lister *lister, const char *reason)
{
    lister->failed = true;
    return cn_error_set(lister->error, CN_ERROR_LIMIT, "%s/%s %s", lister->root,
                        lister->folder.path, reason);
}

static bool add_folder(Lister *lister, const char *path)
{
    Folder folder = {.depth = lister->folder.depth + 1};
    if (folder.depth > CRAFTY_PACKAGE_MAX_DEPTH)
        return refuse(lister, "has folders at too many levels: a mod has at most 16");
    cn_copy_text(folder.path, sizeof folder.path, cn_text(path));
    lister->failed = !cn_array_push(&lister->folders, folder);
    return !lister->failed || cn_error_memory(lister->error, "the files of a mod");
}

static bool visit(const char *name, bool is_directory, void *user)
{
    Lister *lister = user;
    CraftyPackageFile file = {0};
    if (name[0] == '.')
        return true;
    if (!cn_format(file.path, sizeof file.path, "%s%s%s", lister->folder.path,
                   lister->folder.path[0] ? "/" : "", name))
        return refuse(lister, "contains a path that is too long: it may have 255 bytes");
    if (is_directory)
        return add_folder(lister, file.path);
    if (lister->list->count >= CRAFTY_PACKAGE_MAX_FILES)
        return refuse(lister, "has too many files: a mod has at most 16384");
    lister->failed = !cn_array_push(lister->list, file);
    return !lister->failed || cn_error_memory(lister->error, "the files of a mod");
}

static void path_of(const char *root, const char *path, char text[CN_VFS_PATH_BYTES])
{
    cn_format(text, CN_VFS_PATH_BYTES, "%s%s%s", root, path[0] ? "/" : "", path);
}

static bool list_all(Lister *lister)
{
    char path[CN_VFS_PATH_BYTES];
    do {
        path_of(lister->root, lister->folder.path, path);
        if (!lister->files->list(lister->files, path, visit, lister, lister->error) ||
            lister->failed)
            return false;
        if (lister->folders.count == 0)
            return true;
        lister->folder = cn_array_pop(&lister->folders);
    } while (true);
}

static bool add_sizes(Lister *lister)
{
    char path[CN_VFS_PATH_BYTES];
    for (uint32_t i = 0; i < lister->list->count; i++) {
        CnFileInfo info;
        path_of(lister->root, lister->list->items[i].path, path);
        if (!lister->files->info(lister->files, path, &info, lister->error))
            return false;
        lister->list->items[i].size_bytes = info.size_bytes;
    }
    return true;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const CraftyPackageFile *)a)->path, ((const CraftyPackageFile *)b)->path);
}

bool crafty_package_files_list(CnFileSystem *files, const char *root, CnAllocator *allocator,
                               CraftyPackageFiles *list, CnError *error)
{
    Lister lister = {.files = files, .root = root, .list = list, .error = error};
    cn_array_init(list, allocator);
    cn_array_init(&lister.folders, allocator);
    bool done = list_all(&lister) && add_sizes(&lister);
    cn_array_fini(&lister.folders);
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare_files);
    return done;
}

void crafty_package_files_free(CraftyPackageFiles *list)
{
    cn_array_fini(list);
}

/* ---- Measuring ---- */

static bool hash_file(CnFileSystem *files, const char *path, uint8_t *buffer, uint64_t *hash,
                      CnError *error)
{
    CnFile *file;
    uint64_t offset = 0;
    size_t done = READ_BYTES;
    if (!files->open(files, path, CN_FILE_READ, &file, error))
        return false;
    bool fine = true;
    while (fine && done == READ_BYTES) {
        fine = files->read(files, file, offset, buffer, READ_BYTES, &done, error);
        if (fine)
            *hash = cn_hash_bytes(buffer, done, *hash);
        offset += done;
    }
    files->close(files, file);
    return fine;
}

bool crafty_mod_measure(const CraftyModSet *set, const CraftyMod *mod, uint64_t *size_bytes,
                        uint64_t *hash, CnError *error)
{
    CnFileSystem *files = crafty_mod_set_files(set);
    CraftyPackageFiles list;
    char path[CN_VFS_PATH_BYTES];
    uint8_t *buffer = cn_alloc(set->allocator, READ_BYTES);
    bool done = buffer || cn_error_memory(error, "the files of a mod");
    *size_bytes = *hash = 0;
    cn_array_init(&list, set->allocator);
    done = done && crafty_package_files_list(files, mod->root, set->allocator, &list, error);
    for (uint32_t i = 0; i < list.count && done; i++) {
        const CraftyPackageFile *file = &list.items[i];
        path_of(mod->root, file->path, path);
        *hash = cn_hash_bytes(file->path, strlen(file->path) + 1, *hash);
        *hash = cn_hash_bytes(&file->size_bytes, sizeof file->size_bytes, *hash);
        done = hash_file(files, path, buffer, hash, error);
        *size_bytes += file->size_bytes;
    }
    crafty_package_files_free(&list);
    cn_free(set->allocator, buffer, READ_BYTES);
    return done;
}

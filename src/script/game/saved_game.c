/*
 * Files of saved games and of stored values:
 *
 *     u8 magic[8], u64 hash of everything after it, u8 scene[CN_SCENE_NAME_BYTES], state
 *
 * The state is that of cn_sim_save, or the values as in the state section ScriptStore.
 */
#include "script/game/saved_game.h"
#include "script/runtime/script_game.h"

#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>

#include <string.h>

#define MAGIC_BYTES 8u
#define HEAD_BYTES (16u + CN_SCENE_NAME_BYTES)
#define SUFFIX ".save"
#define VALUES_FILE "store.values"

static const char magics[][MAGIC_BYTES + 1] = {
    [CNI_SCRIPT_SAVED_GAME] = "CNGAME01", [CNI_SCRIPT_SAVED_VALUES] = "CNVALUE1"};

static bool path_of(const CniScriptSaveFolder *folder, CniScriptSavedKind kind, const char *name,
                    char path[CNI_SCRIPT_SAVE_PATH_BYTES], CnError *error)
{
    if (!folder->path[0])
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "this program has no folder for saved games (--saves DIR)");
    bool fits =
        kind == CNI_SCRIPT_SAVED_GAME
            ? cn_format(path, CNI_SCRIPT_SAVE_PATH_BYTES, "%s/%s" SUFFIX, folder->path, name)
            : cn_format(path, CNI_SCRIPT_SAVE_PATH_BYTES, "%s/" VALUES_FILE, folder->path);
    return fits || cn_error_set(error, CN_ERROR_LIMIT, "the path of the folder is too long");
}

static bool append(CnU8Array *bytes, CniScriptSavedKind kind, const char *scene,
                   const CnSnapshot *state)
{
    char name[CN_SCENE_NAME_BYTES] = "";
    cn_copy_text(name, sizeof name, cn_text(scene));
    if (!cn_bytes_append(bytes, magics[kind], MAGIC_BYTES) ||
        !cn_bytes_append(bytes, &(uint64_t){0}, 8) || !cn_bytes_append(bytes, name, sizeof name) ||
        !cn_bytes_append(bytes, state->bytes, state->size))
        return false;
    uint64_t hash = cn_hash_bytes(bytes->items + 16, bytes->count - 16u, 0);
    memcpy(bytes->items + MAGIC_BYTES, &hash, sizeof hash);
    return true;
}

bool cni_script_saved_write(const CniScriptSaveFolder *folder, CniScriptSavedKind kind,
                            const char *name, const char *scene, const CnSnapshot *state,
                            CnError *error)
{
    char path[CNI_SCRIPT_SAVE_PATH_BYTES];
    CnU8Array bytes;
    if (!path_of(folder, kind, name, path, error) ||
        !cn_file_make_folder_of(folder->files, path, error))
        return false;
    cn_array_init(&bytes, folder->allocator);
    bool done = append(&bytes, kind, scene, state)
                    ? cn_file_write_all(folder->files, path, bytes.items, bytes.count, error)
                    : cn_error_memory(error, "a saved game");
    cn_array_fini(&bytes);
    return done;
}

static bool verify(CniScriptSavedKind kind, const char *path, CniScriptSavedFile *file,
                   CnError *error)
{
    const CnFileBytes *bytes = &file->bytes;
    if (bytes->size < HEAD_BYTES || memcmp(bytes->data, magics[kind], MAGIC_BYTES) != 0)
        return cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0, "not a saved game of scripts");
    if (cn_load_u64(bytes->data + MAGIC_BYTES) !=
            cn_hash_bytes(bytes->data + 16, bytes->size - 16, 0) ||
        bytes->data[HEAD_BYTES - 1])
        return cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0, "the saved game is damaged");
    memcpy(file->scene, bytes->data + 16, sizeof file->scene);
    file->state = bytes->data + HEAD_BYTES;
    file->state_bytes = bytes->size - HEAD_BYTES;
    return true;
}

bool cni_script_saved_read(const CniScriptSaveFolder *folder, CniScriptSavedKind kind,
                           const char *name, CniScriptSavedFile *file, CnError *error)
{
    char path[CNI_SCRIPT_SAVE_PATH_BYTES];
    *file = (CniScriptSavedFile){0};
    if (!path_of(folder, kind, name, path, error) ||
        !cn_file_read_all(folder->files, path, folder->allocator, &file->bytes, error))
        return false;
    if (verify(kind, path, file, error))
        return true;
    cn_file_bytes_free(&file->bytes);
    return false;
}

typedef struct Listing {
    bool (*visit)(const char *name, void *user);
    void *user;
} Listing;

static bool visit_file(const char *file, bool is_directory, void *user)
{
    const Listing *listing = user;
    char name[CN_SCRIPT_SAVE_NAME_BYTES];
    CnText text = cn_text(file), suffix = cn_text(SUFFIX);
    if (is_directory || !cn_text_ends_with(text, suffix))
        return true;
    text.size -= suffix.size;
    if (!cni_script_save_name_valid(text))
        return true;
    cn_copy_text(name, sizeof name, text);
    return listing->visit(name, listing->user);
}

void cni_script_saved_list(const CniScriptSaveFolder *folder,
                           bool (*visit)(const char *name, void *user), void *user)
{
    Listing listing = {visit, user};
    if (folder->path[0])
        folder->files->list(folder->files, folder->path, visit_file, &listing, NULL);
}

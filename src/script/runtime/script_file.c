/* Script files: read and compiled once, used by many objects. */
#include "script/runtime/runtime.h"

#define MAX_TRUSTED_BYTES (16u << 20)

/* A path with ".." could leave the folder of the prefix. */
bool cni_script_is_trusted(const CnScriptDesc *desc, const char *path)
{
    if (strstr(path, ".."))
        return false;
    for (const char *const *prefix = desc->trusted; prefix && *prefix; prefix++)
        if (cn_text_starts_with(cn_text(path), cn_text(*prefix)))
            return true;
    return false;
}

/* ---- Compiling ---- */

typedef struct Load {
    CnText text;
    const char *name;
    int function;
} Load;

static void load(lua_State *lua, void *user)
{
    Load *request = user;
    cni_script_compile(lua, request->text, request->name);
    request->function = luaL_ref(lua, LUA_REGISTRYINDEX);
}

bool cni_script_load_text(CniScriptLuaState *state, const char *name, CnText text, int *function,
                          CnError *error)
{
    *function = LUA_NOREF;
    size_t limit = state->sandboxed ? CNI_SCRIPT_MAX_TEXT_BYTES : MAX_TRUSTED_BYTES;
    if (text.size > limit)
        return cn_error_set_at(error, CN_ERROR_LIMIT, name, 0, 0,
                               "the script has %zu bytes; the limit is %zu", text.size, limit);
    if (text.size && text.data[0] == LUA_SIGNATURE[0])
        return cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0, "bytecode cannot be loaded");
    Load request = {text, name, LUA_NOREF};
    bool done = cni_script_protected(state, load, &request);
    *function = request.function;
    if (!done) {
        cn_copy_text(state->fault.file, sizeof state->fault.file, cn_text(name));
        cni_script_fault_to_error(&state->fault, error);
    }
    return done;
}

bool cni_script_file_read(CniScriptRuntime *runtime, const char *path, CnFileBytes *bytes,
                          CnFileInfo *info, CnError *error)
{
    CnFileSystem *files = runtime->shared.desc->files;
    *bytes = (CnFileBytes){0};
    if (!files)
        return cn_error_set_at(error, CN_ERROR_NOT_FOUND, path, 0, 0,
                               "no file system was given for scripts");
    if (!files->info(files, path, info, error))
        return false;
    if (info->size_bytes > MAX_TRUSTED_BYTES)
        return cn_error_set_at(error, CN_ERROR_LIMIT, path, 0, 0,
                               "the file is too large: %llu bytes",
                               (unsigned long long)info->size_bytes);
    if (!cn_file_read_all(files, path, runtime->shared.allocator, bytes, error))
        return false;
    if (bytes->budget->origin != CN_ORIGIN_FOREIGN ||
        !cni_script_is_trusted(runtime->shared.desc, path))
        return true;
    cn_file_bytes_free(bytes);
    return cn_error_set_at(error, CN_ERROR_PERMISSION, path, 0, 0,
                           "the script is of foreign origin, but its path is trusted; mount it "
                           "under a scheme that is not");
}

bool cni_script_file_open_state(CniScriptRuntime *runtime, CniScriptFile *file, CnError *error)
{
    char owner[CNI_SCRIPT_OWNER_BYTES];
    if (file->state)
        return true;
    cni_script_owner_name(file->path, owner);
    file->state = cni_script_is_trusted(runtime->shared.desc, file->path)
                      ? cni_script_trusted_open(runtime, error)
                      : cni_script_owner_open(runtime, owner, error);
    return file->state != NULL;
}

static bool read_and_load(CniScriptRuntime *runtime, CniScriptFile *file, CnError *error)
{
    CnFileBytes bytes;
    CnFileInfo info = {0};
    bool done = cni_script_file_read(runtime, file->path, &bytes, &info, error);
    file->size_bytes = info.size_bytes;
    file->modified_ns = info.modified_ns;
    if (!done)
        return false;
    file->hash = cn_hash_bytes(bytes.data, bytes.size, 0);
    file->is_foreign = bytes.budget->origin == CN_ORIGIN_FOREIGN;
    CnText text = {(const char *)bytes.data, bytes.size};
    done = cni_script_file_open_state(runtime, file, error) &&
           cni_script_load_text(file->state, file->path, text, &file->function, error);
    cn_file_bytes_free(&bytes);
    return done;
}

/* ---- Reference counting ---- */

CniScriptFile *cni_script_file_acquire(CniScriptRuntime *runtime, const char *path)
{
    CN_ASSERT(path, "a script file has no path");
    for (uint32_t i = 0; i < runtime->script_files.count; i++)
        if (!strcmp(runtime->script_files.items[i]->path, path)) {
            runtime->script_files.items[i]->users++;
            return runtime->script_files.items[i];
        }
    CniScriptFile *file = cn_alloc_zeroed(runtime->shared.allocator, sizeof *file);
    if (!file || !cn_array_push(&runtime->script_files, file)) {
        cn_free(runtime->shared.allocator, file, sizeof *file);
        return NULL;
    }
    cn_copy_text(file->path, sizeof file->path, cn_text(path));
    file->function = LUA_NOREF;
    file->users = 1;
    read_and_load(runtime, file, &file->error);
    return file;
}

void cni_script_file_release(CniScriptRuntime *runtime, CniScriptFile *file)
{
    CN_ASSERT(!file || file->users, "a script file is released twice");
    if (!file || --file->users)
        return;
    uint32_t n = 0;
    for (uint32_t i = 0; i < runtime->script_files.count; i++)
        if (runtime->script_files.items[i] != file)
            runtime->script_files.items[n++] = runtime->script_files.items[i];
    CN_ASSERT(n + 1 == runtime->script_files.count, "%s is not in the list", file->path);
    runtime->script_files.count = n;
    cni_script_unref(file->state, &file->function);
    cn_free(runtime->shared.allocator, file, sizeof *file);
}

bool cn_script_check(CnWorld *world, const char *path, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(path, "cn_script_check: the path is NULL");
    if (!path)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the path of the script is missing");
    CniScriptRuntime *runtime = cni_script_runtime_of(world);
    if (!runtime)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "this world has no scripts");
    CniScriptFile *file = cni_script_file_acquire(runtime, path);
    if (!file)
        return cn_error_memory(error, "%s", path);
    bool done = file->function != LUA_NOREF;
    if (!done && error)
        *error = file->error;
    cni_script_file_release(runtime, file);
    return done;
}

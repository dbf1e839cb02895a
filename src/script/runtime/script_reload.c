/* Reloads changed files; objects continue with the new code and their old state. */
#include "script/runtime/runtime.h"

static void redefine(CniScriptRuntime *runtime, CniScriptFile *file)
{
    for (uint32_t i = 0; i < runtime->instances.count; i++) {
        CniScriptInstance *instance = runtime->instances.items[i];
        if (instance->file != file)
            continue;
        if (!instance->begun) {
            instance->status = CN_SCRIPT_WAITING;
            continue;
        }
        cni_script_instance_redefine(runtime, instance);
    }
}

/* Returns whether the content of the file differs from what was last read. */
static bool has_changed(CniScriptRuntime *runtime, CniScriptFile *file, CnFileBytes *bytes)
{
    CnFileSystem *files = runtime->shared.desc->files;
    CnFileInfo info;
    *bytes = (CnFileBytes){0};
    if (!files || !files->info(files, file->path, &info, NULL) ||
        (info.size_bytes == file->size_bytes && info.modified_ns == file->modified_ns) ||
        !cni_script_file_read(runtime, file->path, bytes, &info, NULL))
        return false;
    file->size_bytes = info.size_bytes;
    file->modified_ns = info.modified_ns;
    uint64_t hash = cn_hash_bytes(bytes->data, bytes->size, 0);
    bool other = hash != file->hash;
    file->hash = hash;
    return other;
}

static bool replace(CniScriptRuntime *runtime, CniScriptFile *file, CnText text)
{
    CnError error = {0};
    int function;
    char message[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES];
    if (!cni_script_file_open_state(runtime, file, &error) ||
        !cni_script_load_text(file->state, file->path, text, &function, &error)) {
        CN_LOG_ERROR("script", "%s; the old version keeps running",
                     cn_error_text(&error, message, sizeof message));
        file->reload_error = error;
        return false;
    }
    file->reload_error = (CnError){0};
    cni_script_unref(file->state, &file->function);
    file->function = function;
    redefine(runtime, file);
    return true;
}

uint32_t cn_script_reload(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "script", cn_world_unhandled_errors(world));
    CniScriptRuntime *runtime = cni_script_runtime_of(world);
    uint32_t replaced = 0;
    if (!runtime || !cni_script_check_idle(runtime, "reload scripts", error))
        return 0;
    cn_array_clear(&runtime->sounds.lengths); /* of files that may have changed */
    cn_names_fini(&runtime->sounds.paths);
    for (uint32_t i = 0; i < runtime->script_files.count; i++) {
        CniScriptFile *file = runtime->script_files.items[i];
        CnFileBytes bytes;
        if (has_changed(runtime, file, &bytes))
            replaced += replace(runtime, file, (CnText){(const char *)bytes.data, bytes.size});
        cn_file_bytes_free(&bytes);
    }
    return replaced + cni_script_modules_reload(runtime);
}

/* ---- Errors that have not been mended ---- */

typedef struct Errors {
    CnError *items;
    uint32_t count, capacity;
} Errors;

/* Scripts of several objects fail in the same line. */
static void add_error(Errors *errors, const CnError *error)
{
    for (uint32_t i = 0; i < errors->count; i++)
        if (errors->items[i].line == error->line && !strcmp(errors->items[i].file, error->file) &&
            !strcmp(errors->items[i].message, error->message))
            return;
    if (errors->count < errors->capacity)
        errors->items[errors->count++] = *error;
}

uint32_t cn_script_errors(const CnWorld *world, CnError *list, uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(list || !capacity, "%s: list is NULL", __func__);
    const CniScriptRuntime *runtime = cni_script_runtime_of(world);
    Errors errors = {list, 0, capacity};
    for (uint32_t i = 0; runtime && i < runtime->script_files.count; i++)
        if (runtime->script_files.items[i]->reload_error.code)
            add_error(&errors, &runtime->script_files.items[i]->reload_error);
    for (uint32_t i = 0; runtime && i < runtime->instances.count; i++) {
        const CniScriptInstance *instance = runtime->instances.items[i];
        bool is_known = instance->file && instance->file->reload_error.code;
        if (instance->status == CN_SCRIPT_FAILED && instance->error && !is_known)
            add_error(&errors, instance->error);
    }
    return errors.count;
}

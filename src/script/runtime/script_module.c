/*
 * Modules: files that scripts on objects share through `require`.
 *
 * Each Lua state has its own, so an owner's modules run with its rights and budgets. A module runs
 * once, in an environment of its own, without an object. It may define and read, like the body of a
 * script. What it returns is cached until the file changes or a state is restored.
 */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#define MODULE_COST 2000u /* instructions, */
#define COST_PER_BYTE 4u  /* and for the text */
#define MAX_MODULES 1024u /* of an owner */
#define MAX_USES 4096u    /* of an owner */

/* ---- Which file ---- */

static uint64_t hash_of(const char *path)
{
    return cn_hash_bytes(path, strlen(path), 0);
}

static bool starts_with_any(const char *path, const char *const *prefixes)
{
    for (const char *const *prefix = prefixes; prefix && *prefix; prefix++)
        if (cn_text_starts_with(cn_text(path), cn_text(*prefix)))
            return true;
    return false;
}

/* A script reads files of its owner and of libraries. */
static bool may_read(const CniScriptRuntime *runtime, const CniScriptLuaState *state,
                     const char *path)
{
    char owner[CNI_SCRIPT_OWNER_BYTES];
    if (strstr(path, ".."))
        return false;
    if (!state->sandboxed)
        return cni_script_is_trusted(runtime->shared.desc, path);
    if (starts_with_any(path, runtime->shared.desc->libraries))
        return true;
    cni_script_owner_name(path, owner);
    return !strcmp(owner, state->owner);
}

/* The folder of the owner of the running script. */
static void write_folder(const CniScriptRuntime *runtime, const CniScriptLuaState *state,
                         char folder[CNI_SCRIPT_OWNER_BYTES])
{
    const CniScriptInstance *instance = cni_script_instance_find(runtime, runtime->shared.current);
    cn_copy_text(folder, CNI_SCRIPT_OWNER_BYTES, cn_text(state->owner));
    if (state->loading_count)
        cni_script_owner_name(state->loading[state->loading_count - 1], folder);
    else if (instance && instance->file)
        cni_script_owner_name(instance->file->path, folder);
}

static void write_path(lua_State *lua, const CniScriptRuntime *runtime, const char *name,
                       char path[CNI_SCRIPT_PATH_BYTES])
{
    const CniScriptLuaState *state = cni_script_lua_of(lua);
    char folder[CNI_SCRIPT_OWNER_BYTES];
    const char *scheme = strstr(name, "://");
    write_folder(runtime, state, folder);
    if (scheme)
        cn_copy_text(folder, sizeof folder, (CnText){name, (size_t)(scheme - name) + 3});
    if (!cni_script_module_path(path, CNI_SCRIPT_PATH_BYTES, folder, scheme ? scheme + 3 : name))
        luaL_error(lua, "require takes a name such as \"parts.door\" or \"scripts://door.lua\"");
    if (!may_read(runtime, state, path))
        luaL_error(lua, "%s does not belong to %s, nor to a library that it may use", path,
                   state->owner);
}

/* ---- Loading ---- */

typedef struct Loading {
    CnText text;
    const char *path;
    int function;
} Loading;

static int compile(lua_State *lua)
{
    Loading *loading = lua_touserdata(lua, 1);
    cni_script_compile(lua, loading->text, loading->path);
    loading->function = luaL_ref(lua, LUA_REGISTRYINDEX);
    return 0;
}

static bool note_module(CniScriptRuntime *runtime, const CniScriptModule *module)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < runtime->modules.count; i++) {
        CniScriptModule *known = &runtime->modules.items[i];
        count += known->state == module->state;
        if (known->state != module->state || strcmp(known->path, module->path))
            continue;
        *known = *module;
        return true;
    }
    return count < MAX_MODULES && cn_array_push(&runtime->modules, *module);
}

/* Pushes the function of a module. The bytes of the file are freed whatever is thrown. */
static void push_function(lua_State *lua, CniScriptRuntime *runtime, const char *path)
{
    CnFileBytes bytes;
    CnFileInfo info = {0};
    CnError error = {0};
    if (!cni_script_file_read(runtime, path, &bytes, &info, &error))
        cni_script_throw(lua, &error);
    CniScriptModule module = {.state = cni_script_lua_of(lua),
                              .size_bytes = info.size_bytes,
                              .modified_ns = info.modified_ns,
                              .hash = cn_hash_bytes(bytes.data, bytes.size, 0)};
    module.path_hash = hash_of(path);
    cn_copy_text(module.path, sizeof module.path, cn_text(path));
    Loading loading = {{(const char *)bytes.data, bytes.size}, path, LUA_NOREF};
    bool fits = !module.state->sandboxed || bytes.size <= CNI_SCRIPT_MAX_TEXT_BYTES;
    bool noted = fits && note_module(runtime, &module);
    int result = noted ? lua_cpcall(lua, compile, &loading) : 0;
    size_t size = bytes.size;
    cn_file_bytes_free(&bytes);
    if (!fits)
        luaL_error(lua, "%s has more than %d KiB", path, CNI_SCRIPT_MAX_TEXT_BYTES / 1024);
    if (!noted)
        luaL_error(lua, "%s: more than %d modules", path, (int)MAX_MODULES);
    if (result)
        lua_error(lua);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, loading.function);
    luaL_unref(lua, LUA_REGISTRYINDEX, loading.function);
    cni_script_budget_charge(lua, MODULE_COST + size * COST_PER_BYTE);
}

/* ---- Who uses what ---- */

/* The file that requires: the module that is being loaded, or the script that runs. */
static const char *user_of(const CniScriptRuntime *runtime, const CniScriptLuaState *state)
{
    const CniScriptInstance *instance = cni_script_instance_find(runtime, runtime->shared.current);
    if (state->loading_count)
        return state->loading[state->loading_count - 1];
    return instance && instance->file ? instance->file->path : NULL;
}

static uint64_t key_of(const CniScriptUse *use)
{
    return cn_hash_mix(use->user ^ cn_hash_mix(use->used ^ cn_hash_mix(use->state->number)));
}

/* Remembers that the running file uses a module. */
static void note_use(lua_State *lua, CniScriptRuntime *runtime, const char *path)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    const char *user = user_of(runtime, state);
    if (!user)
        return; /* a console */
    CniScriptUse use = {state, hash_of(user), hash_of(path)};
    if (cn_hash_map_get(&runtime->is_used, key_of(&use)))
        return;
    if (state->use_count == MAX_USES)
        luaL_error(lua, "%s: files of one owner use modules more than %d times", path,
                   (int)MAX_USES);
    if (!cn_array_push(&runtime->uses, use) ||
        !cn_hash_map_set(&runtime->is_used, key_of(&use), &(bool){true}))
        cni_script_throw_out_of_memory(lua);
    state->use_count++;
}

static bool is_of(const CniScriptUse *use, const CniScriptLuaState *state, const uint64_t *user)
{
    return use->state == state && (!user || use->user == *user);
}

/* Forgets what a file requires, or all files of a state (NULL). */
static void forget_uses(CniScriptRuntime *runtime, CniScriptLuaState *state, const uint64_t *user)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < runtime->uses.count; i++) {
        const CniScriptUse use = runtime->uses.items[i];
        if (!is_of(&use, state, user)) {
            runtime->uses.items[kept++] = use;
            continue;
        }
        cn_hash_map_remove(&runtime->is_used, key_of(&use));
        state->use_count--;
    }
    runtime->uses.count = kept;
}

/* Throws with the chain of files if a module is being loaded. */
static void check_cycle(lua_State *lua, const CniScriptLuaState *state, const char *path)
{
    uint32_t first = 0;
    while (first < state->loading_count && strcmp(state->loading[first], path))
        first++;
    if (first == state->loading_count && first < CNI_SCRIPT_MAX_REQUIRES)
        return;
    if (first == state->loading_count)
        luaL_error(lua, "%s: more than %d modules require each other", path,
                   (int)CNI_SCRIPT_MAX_REQUIRES);
    lua_pushstring(lua, "");
    for (uint32_t i = first; i < state->loading_count; i++) {
        lua_pushfstring(lua, "%s requires ", state->loading[i]);
        lua_concat(lua, 2);
    }
    luaL_error(lua, "modules require each other: %s%s", lua_tostring(lua, -1), path);
}

/* Runs the function on the stack as the body of a module, without an object. */
static void run_module(lua_State *lua, CniScriptRuntime *runtime, const char *path)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    cni_script_push_environment(lua);
    lua_setfenv(lua, -2);
    CnEntity current = runtime->shared.current;
    bool defining = runtime->shared.defining;
    cn_copy_text(state->loading[state->loading_count++], CNI_SCRIPT_PATH_BYTES, cn_text(path));
    runtime->shared.current = CN_NO_PARENT;
    runtime->shared.defining = true;
    int result = lua_pcall(lua, 0, 1, 0);
    runtime->shared.current = current;
    runtime->shared.defining = defining;
    state->loading_count--;
    if (result)
        lua_error(lua);
}

static int require_plain(lua_State *lua)
{
    lua_getfield(lua, LUA_REGISTRYINDEX, CNI_SCRIPT_PLAIN_REQUIRE);
    lua_pushvalue(lua, 1);
    lua_call(lua, 1, 1);
    return 1;
}

int cni_script_require(lua_State *lua)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    CniScriptRuntime *runtime = cni_script_runtime(state->scripts);
    char path[CNI_SCRIPT_PATH_BYTES];
    size_t size;
    const char *name = luaL_checklstring(lua, 1, &size);
    if (strlen(name) != size)
        return luaL_argerror(lua, 1, "the name of a module has no zero bytes");
    lua_settop(lua, 1);
    if (!state->sandboxed && !strstr(name, "://"))
        return require_plain(lua);
    write_path(lua, runtime, name, path);
    note_use(lua, runtime, path);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, state->modules);
    lua_getfield(lua, 2, path);
    if (!lua_isnil(lua, 3))
        return 1;
    lua_settop(lua, 2);
    check_cycle(lua, state, path);
    cni_script_check_stack(lua);
    push_function(lua, runtime, path);
    run_module(lua, runtime, path);
    if (lua_isnil(lua, -1)) {
        lua_pop(lua, 1);
        lua_pushboolean(lua, 1);
    }
    lua_pushvalue(lua, -1);
    lua_setfield(lua, 2, path);
    return 1;
}

/* ---- Reloading ---- */

static void clear_cache(lua_State *lua, void *user)
{
    CniScriptLuaState *state = user;
    lua_newtable(lua);
    lua_rawseti(lua, LUA_REGISTRYINDEX, state->modules);
}

void cni_script_modules_clear(CniScriptRuntime *runtime, CniScriptLuaState *state)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < runtime->modules.count; i++)
        if (runtime->modules.items[i].state != state)
            runtime->modules.items[kept++] = runtime->modules.items[i];
    runtime->modules.count = kept;
    forget_uses(runtime, state, NULL);
    if (state->lua)
        cni_script_protected(state, clear_cache, state);
}

/* Returns whether the content of a module is another one, and compiles. */
static bool has_changed(CniScriptRuntime *runtime, CniScriptModule *module)
{
    CnFileSystem *files = runtime->shared.desc->files;
    CnFileBytes bytes = {0};
    CnFileInfo info;
    CnError error = {0};
    char message[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES];
    if (!files || !files->info(files, module->path, &info, NULL) ||
        (info.size_bytes == module->size_bytes && info.modified_ns == module->modified_ns) ||
        !cni_script_file_read(runtime, module->path, &bytes, &info, NULL))
        return false;
    module->size_bytes = info.size_bytes;
    module->modified_ns = info.modified_ns;
    uint64_t hash = cn_hash_bytes(bytes.data, bytes.size, 0);
    bool is_other = hash != module->hash;
    int function = LUA_NOREF;
    module->hash = hash;
    if (is_other &&
        !cni_script_load_text(module->state, module->path,
                              (CnText){(const char *)bytes.data, bytes.size}, &function, &error)) {
        CN_LOG_ERROR("script", "%s; the old version stays in use",
                     cn_error_text(&error, message, sizeof message));
        is_other = false;
    }
    cni_script_unref(module->state, &function);
    cn_file_bytes_free(&bytes);
    return is_other;
}

/* Whether a file requires a module that is read again. */
static bool uses_changed(const CniScriptRuntime *runtime, const CniScriptLuaState *state,
                         uint64_t user)
{
    for (uint32_t i = 0; i < runtime->uses.count; i++) {
        const CniScriptUse *use = &runtime->uses.items[i];
        for (uint32_t k = 0; use->state == state && use->user == user && k < runtime->modules.count;
             k++) {
            const CniScriptModule *module = &runtime->modules.items[k];
            if (module->state == state && module->has_changed && module->path_hash == use->used)
                return true;
        }
    }
    return false;
}

/* Marks the modules that require those that have changed, and those that require them. */
static void mark_users(CniScriptRuntime *runtime, const CniScriptLuaState *state)
{
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < runtime->modules.count; i++) {
            CniScriptModule *module = &runtime->modules.items[i];
            if (module->state != state || module->has_changed ||
                !uses_changed(runtime, state, module->path_hash))
                continue;
            module->has_changed = any = true;
        }
    }
}

typedef struct Forget {
    const CniScriptRuntime *runtime;
    const CniScriptLuaState *state;
} Forget;

static void forget_results(lua_State *lua, void *user)
{
    const Forget *job = user;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, job->state->modules);
    for (uint32_t i = 0; i < job->runtime->modules.count; i++) {
        const CniScriptModule *module = &job->runtime->modules.items[i];
        if (module->state != job->state || !module->has_changed)
            continue;
        lua_pushnil(lua);
        lua_setfield(lua, -2, module->path);
    }
}

/* Forgets what modules that have changed returned and required. */
static void forget_changed(CniScriptRuntime *runtime, CniScriptLuaState *state)
{
    uint32_t kept = 0;
    if (!cni_script_protected(state, forget_results, &(Forget){runtime, state}))
        CN_LOG_ERROR("script", "modules of %s: %s", state->owner, state->fault.message);
    for (uint32_t i = 0; i < runtime->modules.count; i++)
        if (runtime->modules.items[i].state != state || !runtime->modules.items[i].has_changed)
            runtime->modules.items[kept++] = runtime->modules.items[i];
    runtime->modules.count = kept;
}

/* Marks the files whose scripts start over. */
static void mark_files(CniScriptRuntime *runtime, CniScriptLuaState *state)
{
    for (uint32_t i = 0; i < runtime->script_files.count; i++) {
        CniScriptFile *file = runtime->script_files.items[i];
        file->starts_over =
            file->state == state && uses_changed(runtime, state, hash_of(file->path));
    }
    for (uint32_t i = 0; i < runtime->script_files.count; i++) {
        uint64_t user = hash_of(runtime->script_files.items[i]->path);
        if (runtime->script_files.items[i]->starts_over)
            forget_uses(runtime, state, &user);
    }
    for (uint32_t i = 0; i < runtime->modules.count; i++) {
        const CniScriptModule *module = &runtime->modules.items[i];
        if (module->state == state && module->has_changed)
            forget_uses(runtime, state, &module->path_hash);
    }
}

static uint32_t redefine_users(CniScriptRuntime *runtime, const CniScriptLuaState *state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < runtime->instances.count; i++) {
        CniScriptInstance *instance = runtime->instances.items[i];
        if (!instance->file || instance->file->state != state || !instance->file->starts_over)
            continue;
        count++;
        if (instance->begun)
            cni_script_instance_redefine(runtime, instance);
        else
            instance->status = CN_SCRIPT_WAITING;
    }
    return count;
}

uint32_t cni_script_modules_reload(CniScriptRuntime *runtime)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < cni_script_state_count(runtime); s++) {
        CniScriptLuaState *state = cni_script_state_at(runtime, s);
        bool any = false;
        for (uint32_t i = 0; i < runtime->modules.count; i++) {
            CniScriptModule *module = &runtime->modules.items[i];
            if (module->state != state)
                continue;
            module->has_changed = has_changed(runtime, module);
            any |= module->has_changed;
        }
        if (!any)
            continue;
        mark_users(runtime, state);
        mark_files(runtime, state);
        forget_changed(runtime, state);
        count += redefine_users(runtime, state);
    }
    return count;
}

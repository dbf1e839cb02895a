/*
 * The contents of this.state as bytes, saved and restored with the state of the simulation.
 *
 *     u32 version, u32 number of scripts; for each, in order of objects:
 *     u64 object, u8 status, u8 begun; if it failed: u8 code, u32 line, text file, text message
 *     u8 whether a value follows, value
 *
 * A text: u32 size, bytes. A value: see script_value.c. Values that cannot be saved are omitted.
 *
 * After a restore, the body of each script runs again, followed by on_reload, so that its functions
 * and subscriptions exist again. Neither may change the world.
 */
#include "script/runtime/runtime.h"
#include "script/runtime/script_value.h"

#include <cairn/base/bytes.h>
#include <cairn/sim/loop.h>

#define VERSION 1u
#define MAX_BYTES (256u << 20)

/* ---- Saving ---- */

static bool append(CnU8Array *bytes, const void *data, size_t size)
{
    return size <= MAX_BYTES - bytes->count && cn_bytes_append(bytes, data, size);
}

typedef struct Saving {
    CniScriptValueWriter writer;
    const CniScriptInstance *instance;
} Saving;

static void put_state(lua_State *lua, void *user)
{
    Saving *saving = user;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, saving->instance->state_table);
    cni_script_value_write(lua, &saving->writer, lua_gettop(lua));
}

static bool append_error(CnU8Array *bytes, const CnError *error)
{
    CnError none = {.code = CN_ERROR_MEMORY};
    error = error ? error : &none;
    uint32_t file = (uint32_t)strlen(error->file), message = (uint32_t)strlen(error->message);
    return append(bytes, &(uint8_t){(uint8_t)error->code}, 1) &&
           append(bytes, &(uint32_t){(uint32_t)error->line}, 4) && append(bytes, &file, 4) &&
           append(bytes, error->file, file) && append(bytes, &message, 4) &&
           append(bytes, error->message, message);
}

/* Appends this.state, or that there is none. A script whose state cannot be saved must not affect
 * others. */
static bool append_state(const CniScriptInstance *instance, CnU8Array *bytes)
{
    Saving saving = {
        {.bytes = bytes, .max_bytes = MAX_BYTES, .max_depth = CNI_SCRIPT_VALUE_MAX_DEPTH},
        instance};
    uint32_t start = bytes->count;
    if (instance->state_table == LUA_NOREF)
        return append(bytes, &(uint8_t){0}, 1);
    if (!append(bytes, &(uint8_t){1}, 1))
        return false;
    CniScriptLuaState *state = instance->file->state;
    bool done = cni_script_protected(state, put_state, &saving);
    if (!done) {
        CN_LOG_ERROR("script", "%s: this.state is not saved: %s", instance->file->path,
                     state->fault.message);
        bytes->count = start;
        return append(bytes, &(uint8_t){0}, 1);
    }
    if (saving.writer.left_out)
        CN_LOG_WARNING("script", "%s: %u entries of this.state cannot be saved",
                       instance->file->path, saving.writer.left_out);
    return true;
}

static bool append_instance(const CniScriptInstance *instance, CnU8Array *bytes)
{
    uint8_t status = (uint8_t)instance->status, begun = instance->begun;
    return append(bytes, &instance->object.id, 8) && append(bytes, &status, 1) &&
           append(bytes, &begun, 1) &&
           (status != CN_SCRIPT_FAILED || append_error(bytes, instance->error)) &&
           append_state(instance, bytes);
}

static bool save(void *user, CnU8Array *bytes, CnError *error)
{
    CniScriptRuntime *runtime = user;
    uint32_t header[2] = {VERSION, 0};
    uint32_t start = bytes->count;
    bool done = append(bytes, header, sizeof header);
    for (uint32_t i = 0; i < runtime->instances.count && done; i++) {
        const CniScriptInstance *instance = runtime->instances.items[i];
        if (instance->status == CN_SCRIPT_WAITING || instance->gone || !instance->file)
            continue;
        header[1]++;
        done = append_instance(instance, bytes);
    }
    if (done)
        memcpy(bytes->items + start, header, sizeof header);
    return done || cn_error_memory(error, "saving scripts");
}

/* ---- Restoring ---- */

typedef struct Restoring {
    CniScriptValueReader reader;
    CniScriptInstance *instance;
} Restoring;

static const uint8_t *take(Restoring *from, size_t size)
{
    return cni_script_value_take(&from->reader, size);
}

static void get_state(lua_State *lua, void *user)
{
    Restoring *from = user;
    cni_script_value_read(lua, &from->reader);
    if (lua_istable(lua, -1))
        from->instance->state_table = luaL_ref(lua, LUA_REGISTRYINDEX);
}

static bool take_text(Restoring *from, char *text, size_t text_bytes)
{
    const uint8_t *size = take(from, 4);
    const uint8_t *data = size ? take(from, cn_load_u32(size)) : NULL;
    if (!data)
        return false;
    cn_copy_text(text, text_bytes, (CnText){(const char *)data, cn_load_u32(size)});
    return true;
}

static bool take_error(Restoring *from, CnError *error)
{
    const uint8_t *head = take(from, 5);
    *error = (CnError){0};
    if (!head)
        return false;
    error->code = head[0] < CN_ERROR_CODE_COUNT ? (CnErrorCode)head[0] : CN_ERROR_FORMAT;
    error->line = (int)cn_load_u32(head + 1);
    return take_text(from, error->file, sizeof error->file) &&
           take_text(from, error->message, sizeof error->message);
}

/* Restores the script's state into the Lua state to which its file now belongs. */
static bool take_state(CniScriptRuntime *runtime, Restoring *from, CniScriptInstance *instance,
                       CnError *error)
{
    const uint8_t *has = take(from, 1);
    if (!has)
        return cn_error_set(error, CN_ERROR_FORMAT, "the saved state of scripts is truncated");
    if (!*has || !cni_script_file_open_state(runtime, instance->file, error))
        return !*has;
    CniScriptLuaState *state = instance->file->state;
    from->instance = instance;
    if (cni_script_protected(state, get_state, from))
        return true;
    return cn_error_set(error, CN_ERROR_FORMAT, "%s", state->fault.message);
}

static bool take_instance(CniScriptRuntime *runtime, Restoring *from, CnError *error)
{
    const uint8_t *head = take(from, 10);
    CnEntity object = {head ? cn_load_u64(head) : 0};
    const CnScript *script = cn_get(runtime->shared.world, object, CnScript);
    if (!head || !script || head[8] < CN_SCRIPT_RUNNING || head[8] > CN_SCRIPT_FAILED ||
        cni_script_instance_find(runtime, object))
        return cn_error_set(error, CN_ERROR_FORMAT, "the saved state of scripts is damaged");
    CnError failure;
    bool failed = head[8] == CN_SCRIPT_FAILED;
    if (failed && !take_error(from, &failure))
        return cn_error_set(error, CN_ERROR_FORMAT, "the saved state of scripts is truncated");
    CniScriptInstance *instance = cni_script_instance_add(runtime, object);
    if (instance && !instance->file)
        instance->file = cni_script_file_acquire(runtime, script->script_path);
    if (!instance || !instance->file)
        return cn_error_memory(error, "scripts");
    instance->begun = head[9] != 0;
    if (!take_state(runtime, from, instance, error))
        return false;
    if (!failed)
        return true;
    instance->status = CN_SCRIPT_FAILED;
    if (!instance->error)
        instance->error = cn_alloc(runtime->shared.allocator, sizeof failure);
    if (instance->error)
        *instance->error = failure;
    return true;
}

static bool take_instances(CniScriptRuntime *runtime, Restoring *from, CnError *error)
{
    const uint8_t *header = take(from, 8);
    if (!header || cn_load_u32(header) != VERSION)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "the saved state of scripts has another version");
    for (uint32_t i = cn_load_u32(header + 4); i > 0; i--)
        if (!take_instance(runtime, from, error))
            return false;
    return true;
}

static bool restore_instances(CniScriptRuntime *runtime, const uint8_t *bytes, size_t size,
                              CnError *error)
{
    Restoring from = {.reader = {.bytes = bytes, .size = size}};
    if (!take_instances(runtime, &from, error)) {
        cni_script_instances_clear(runtime); /* all begin anew */
        return false;
    }
    for (uint32_t i = 0; i < runtime->instances.count; i++) {
        CniScriptInstance *instance = runtime->instances.items[i];
        if (instance->begun && instance->status == CN_SCRIPT_WAITING)
            cni_script_instance_redefine(runtime, instance);
    }
    return true;
}

static bool restore(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    CniScriptRuntime *runtime = user;
    cni_script_instances_clear(runtime);
    for (uint32_t i = 0; i < cni_script_state_count(runtime); i++)
        cni_script_modules_clear(runtime, cni_script_state_at(runtime, i));
    runtime->stale = true; /* waiting scripts are found by the next tick */
    bool done = !size || restore_instances(runtime, bytes, size, error);
    return cni_script_owners_restored(runtime, done ? error : NULL) && done;
}

static const char section_name[] = "Script";

bool cni_script_state_section_begin(CniScriptRuntime *runtime, CnError *error)
{
    CnStateSection section = {section_name, save, restore, runtime};
    return cn_sim_add_state_section(runtime->sim, &section, error);
}

void cni_script_state_section_end(CniScriptRuntime *runtime)
{
    cn_sim_remove_state_section(runtime->sim, section_name);
}

/*
 * The contents of this.state as bytes, saved and restored with the state of the simulation.
 *
 *     u32 version, u32 number of scripts; for each, in order of objects:
 *     u64 object, u8 status, u8 begun; if it failed: u8 code, u32 line, text file, text message
 *     u8 whether a value follows, value
 *
 * A text: u32 size, bytes. A value: u8 tag, data. A table that was already written is represented
 * by its number, so that shared tables and cycles are preserved. Values that cannot be saved are
 * omitted.
 *
 * After a restore, the body of each script runs again, followed by on_reload, so that its functions
 * and subscriptions exist again. Neither may change the world.
 */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#include <cairn/base/bytes.h>
#include <cairn/sim/loop.h>

#define VERSION 1u
#define MAX_DEPTH 64
#define MAX_BYTES (256u << 20)

typedef enum Tag { FALSE, TRUE, NUMBER, TEXT, FLOATS, OBJECT, TABLE, AGAIN, END } Tag;

/* ---- Saving ---- */

typedef struct Saving {
    CnU8Array *bytes;
    const CniScriptInstance *instance;
    const CniScriptBindings *bound;
    int numbers; /* stack index of a table from tables to their numbers */
    int count;
    uint32_t left_out;
} Saving;

static bool append(CnU8Array *bytes, const void *data, size_t size)
{
    uint64_t needed = (uint64_t)bytes->count + size;
    if (needed > MAX_BYTES || !cn_array_reserve(bytes, needed))
        return false;
    if (size)
        memcpy(bytes->items + bytes->count, data, size);
    bytes->count += (uint32_t)size;
    return true;
}

static void put(lua_State *lua, Saving *saving, const void *data, size_t size)
{
    if (!append(saving->bytes, data, size))
        luaL_error(lua, "too large to be saved, or out of memory");
}

static void put_tag(lua_State *lua, Saving *saving, Tag tag)
{
    put(lua, saving, &(uint8_t){(uint8_t)tag}, 1);
}

static void put_text(lua_State *lua, Saving *saving, const char *text, size_t size)
{
    put(lua, saving, &(uint32_t){(uint32_t)size}, sizeof(uint32_t));
    put(lua, saving, text, size);
}

static bool can_be_saved(lua_State *lua, const Saving *saving, int index)
{
    int kind = lua_type(lua, index);
    if (kind == LUA_TUSERDATA) {
        for (CniScriptClass class = CNI_SCRIPT_CLASS_OBJECT; class <= CNI_SCRIPT_CLASS_QUAT;
             class ++)
            if (cni_script_to_class(lua, saving->bound, index, class))
                return true;
        return false;
    }
    return kind == LUA_TBOOLEAN || kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TTABLE;
}

static void put_userdata(lua_State *lua, Saving *saving, int index)
{
    const CniScriptLuaObject *object =
        cni_script_to_class(lua, saving->bound, index, CNI_SCRIPT_CLASS_OBJECT);
    if (object) {
        put_tag(lua, saving, OBJECT);
        put(lua, saving, &object->entity, sizeof object->entity);
        return;
    }
    for (CniScriptClass kind = CNI_SCRIPT_CLASS_VEC2; kind <= CNI_SCRIPT_CLASS_QUAT; kind++) {
        const float *floats = cni_script_to_class(lua, saving->bound, index, kind);
        if (!floats)
            continue;
        put_tag(lua, saving, FLOATS);
        put(lua, saving, &(uint8_t){(uint8_t)kind}, 1);
        put(lua, saving, floats, cni_script_floats_of(kind) * sizeof *floats);
    }
}

static void put_value(lua_State *lua, Saving *saving, int index, int depth);

/* Returns true if the table was already written, and writes its number. */
static bool put_number_of(lua_State *lua, Saving *saving, int table)
{
    lua_pushvalue(lua, table);
    lua_rawget(lua, saving->numbers);
    uint32_t number = (uint32_t)lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    if (number) {
        put_tag(lua, saving, AGAIN);
        put(lua, saving, &number, sizeof number);
        return true;
    }
    lua_pushvalue(lua, table);
    lua_pushinteger(lua, ++saving->count);
    lua_rawset(lua, saving->numbers);
    return false;
}

/* Omits a pair if its key or value cannot be saved. */
static void put_pair(lua_State *lua, Saving *saving, int key, int depth)
{
    if (!can_be_saved(lua, saving, key) || !can_be_saved(lua, saving, key + 1)) {
        saving->left_out++;
        return;
    }
    put_value(lua, saving, key, depth);
    put_value(lua, saving, key + 1, depth);
}

static void put_table(lua_State *lua, Saving *saving, int table, int depth)
{
    if (depth == MAX_DEPTH)
        luaL_error(lua, "tables can be nested at most %d levels deep", MAX_DEPTH);
    if (put_number_of(lua, saving, table))
        return;
    luaL_checkstack(lua, 8, "tables are nested too deeply");
    put_tag(lua, saving, TABLE);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)saving->bound);
    lua_pushcclosure(lua, cni_script_pairs, 1);
    lua_pushvalue(lua, table);
    lua_call(lua, 1, 1);
    int next = lua_gettop(lua);
    for (;;) {
        lua_pushvalue(lua, next);
        lua_call(lua, 0, 2);
        if (lua_isnil(lua, -2))
            break;
        put_pair(lua, saving, next + 1, depth + 1);
        lua_settop(lua, next);
    }
    lua_settop(lua, next - 1);
    put_tag(lua, saving, END);
}

static void put_value(lua_State *lua, Saving *saving, int index, int depth)
{
    size_t size;
    double number;
    switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
        put_tag(lua, saving, lua_toboolean(lua, index) ? TRUE : FALSE);
        break;
    case LUA_TNUMBER:
        number = lua_tonumber(lua, index);
        put_tag(lua, saving, NUMBER);
        put(lua, saving, &number, sizeof number);
        break;
    case LUA_TSTRING: {
        const char *text = lua_tolstring(lua, index, &size);
        put_tag(lua, saving, TEXT);
        put_text(lua, saving, text, size);
        break;
    }
    case LUA_TTABLE:
        put_table(lua, saving, index, depth);
        break;
    default:
        put_userdata(lua, saving, index);
    }
}

static void put_state(lua_State *lua, void *user)
{
    Saving *saving = user;
    lua_newtable(lua);
    saving->numbers = lua_gettop(lua);
    saving->bound = cni_script_bindings_of(lua);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, saving->instance->state_table);
    put_value(lua, saving, lua_gettop(lua), 0);
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
    Saving saving = {.bytes = bytes, .instance = instance};
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
    if (saving.left_out)
        CN_LOG_WARNING("script", "%s: %u entries of this.state cannot be saved",
                       instance->file->path, saving.left_out);
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
    const uint8_t *bytes;
    size_t size, at;
    const CniScriptBindings *bound;
    CniScriptInstance *instance;
    int tables; /* stack index of a table from numbers to tables */
    int count;
} Restoring;

static const uint8_t *take(Restoring *from, size_t size)
{
    if (size > from->size - from->at)
        return NULL;
    from->at += size;
    return from->bytes + from->at - size;
}

static const uint8_t *get(lua_State *lua, Restoring *from, size_t size)
{
    const uint8_t *bytes = take(from, size);
    if (!bytes)
        luaL_error(lua, "the saved state of scripts is truncated");
    return bytes;
}

static void get_floats(lua_State *lua, Restoring *from)
{
    float values[4];
    CniScriptClass kind = (CniScriptClass)*get(lua, from, 1);
    if (kind < CNI_SCRIPT_CLASS_VEC2 || kind > CNI_SCRIPT_CLASS_QUAT)
        luaL_error(lua, "the saved state of scripts is damaged");
    size_t size = cni_script_floats_of(kind) * sizeof *values;
    memcpy(values, get(lua, from, size), size);
    cni_script_push_floats(lua, from->bound, kind, values);
}

static void get_value(lua_State *lua, Restoring *from, int depth);

static void get_table(lua_State *lua, Restoring *from, int depth)
{
    if (depth == MAX_DEPTH)
        luaL_error(lua, "the saved state of scripts is damaged");
    luaL_checkstack(lua, 6, "tables are nested too deeply");
    lua_newtable(lua);
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, from->tables, ++from->count);
    while (*get(lua, from, 1) != END) {
        from->at--;
        get_value(lua, from, depth + 1);
        if (lua_type(lua, -1) == LUA_TNUMBER && lua_tonumber(lua, -1) != lua_tonumber(lua, -1))
            luaL_error(lua, "the saved state of scripts is damaged"); /* NaN is no key */
        get_value(lua, from, depth + 1);
        lua_rawset(lua, -3);
    }
}

static void get_value(lua_State *lua, Restoring *from, int depth)
{
    double number;
    CnEntity entity;
    uint32_t size;
    switch ((Tag)*get(lua, from, 1)) {
    case FALSE:
    case TRUE:
        lua_pushboolean(lua, from->bytes[from->at - 1] == TRUE);
        return;
    case NUMBER:
        memcpy(&number, get(lua, from, sizeof number), sizeof number);
        lua_pushnumber(lua, number);
        return;
    case TEXT:
        size = cn_load_u32(get(lua, from, 4));
        lua_pushlstring(lua, (const char *)get(lua, from, size), size);
        return;
    case FLOATS:
        get_floats(lua, from);
        return;
    case OBJECT:
        memcpy(&entity, get(lua, from, sizeof entity), sizeof entity);
        cni_script_push_object(lua, entity);
        return;
    case TABLE:
        get_table(lua, from, depth);
        return;
    case AGAIN:
        size = cn_load_u32(get(lua, from, 4));
        if (size >= 1 && size <= (uint32_t)from->count) {
            lua_rawgeti(lua, from->tables, (int)size);
            return;
        }
        break;
    case END:
        break;
    }
    luaL_error(lua, "the saved state of scripts is damaged");
}

static void get_state(lua_State *lua, void *user)
{
    Restoring *from = user;
    lua_newtable(lua);
    from->tables = lua_gettop(lua);
    from->bound = cni_script_bindings_of(lua);
    get_value(lua, from, 0);
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
    CniScriptLuaState *state = instance->file->state;
    if (!*has || !cni_script_lua_open(runtime, state, error))
        return !*has;
    from->instance = instance;
    from->count = 0;
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

static bool restore(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    CniScriptRuntime *runtime = user;
    cni_script_instances_clear(runtime);
    runtime->stale = true; /* waiting scripts are found by the next tick */
    if (!size)
        return true;
    Restoring from = {.bytes = bytes, .size = size};
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

/* The Lua state of a plugin file: creation, protected calls, errors with lines. */
#include "script/system/plugin_code.h"

#include <lauxlib.h>
#include <lualib.h>

#define PRELUDE_NAME "cairn" /* of the chunk; its lines are not those of the author */
#define MAX_LOG_BYTES 2000u

static CniScriptPluginCode *code_of(lua_State *lua)
{
    void *user;
    lua_getallocf(lua, &user);
    return user;
}

static void *allocate(void *user, void *block, size_t old_bytes, size_t new_bytes)
{
    CniScriptPluginCode *code = user;
    return cni_script_lua_allocator_resize(&code->blocks, code->allocator, block,
                                           block ? old_bytes : 0, new_bytes);
}

/* ---- Errors: nothing here uses Lua's memory, which may be the cause ---- */

/* Removes "file:12: " from the front of a message and returns the line; 0: there is none. */
static int take_line(CnText *message)
{
    for (size_t i = 0; i + 2 < message->size; i++) {
        if (message->data[i] != ':')
            continue;
        int line = 0;
        size_t end = i + 1;
        while (end < message->size && end < i + 8 && message->data[end] >= '0' &&
               message->data[end] <= '9')
            line = line * 10 + (message->data[end++] - '0');
        if (!line || end + 1 >= message->size || message->data[end] != ':' ||
            message->data[end + 1] != ' ')
            continue;
        *message = (CnText){message->data + end + 2, message->size - end - 2};
        return line;
    }
    return 0;
}

static void note(CniScriptPluginCode *code, CnErrorCode error, CnText message, int line)
{
    code->is_noted = true;
    cn_error_set_at(&code->fault, error, code->path, line, 0, "%.*s", (int)message.size,
                    message.data);
}

/* Returns the line of the innermost call that is in the file. */
static int find_line(lua_State *lua)
{
    lua_Debug info;
    for (int level = 1; lua_getstack(lua, level, &info); level++) {
        lua_getinfo(lua, "Sl", &info);
        if (info.currentline > 0 && info.source[0] == '@')
            return info.currentline;
    }
    return 0;
}

static void note_value(CniScriptPluginCode *code, lua_State *lua, int index, int line)
{
    char other[64];
    CnText message;
    if (lua_type(lua, index) == LUA_TSTRING) {
        message.data = lua_tolstring(lua, index, &message.size);
        int own = take_line(&message);
        note(code, CN_ERROR_FORMAT, message, line ? line : own);
        return;
    }
    cn_format(other, sizeof other, "a %s was thrown", luaL_typename(lua, index));
    note(code, CN_ERROR_FORMAT, cn_text(other), line);
}

static int handle_error(lua_State *lua)
{
    note_value(code_of(lua), lua, 1, find_line(lua));
    return 1;
}

bool cni_script_plugin_call(CniScriptPluginCode *code)
{
    lua_State *lua = code->lua;
    int base = lua_gettop(lua);
    code->is_noted = false;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, code->handler);
    lua_insert(lua, base);
    int result = lua_pcall(lua, 0, 0, base);
    if (result == LUA_ERRMEM)
        note(code, CN_ERROR_MEMORY, cn_text("out of memory"), 0);
    else if (result && !code->is_noted)
        note_value(code, lua, -1, 0);
    lua_settop(lua, base - 1);
    return result == 0;
}

static int trampoline(lua_State *lua)
{
    CniScriptPluginCode *code = code_of(lua);
    code->job(lua, code, code->job_user);
    return 0;
}

bool cni_script_plugin_protected(CniScriptPluginCode *code, CniScriptPluginJob *job, void *user)
{
    code->job = job;
    code->job_user = user;
    lua_rawgeti(code->lua, LUA_REGISTRYINDEX, code->trampoline);
    return cni_script_plugin_call(code);
}

/* ---- Functions for the prelude ---- */

static int write_log(lua_State *lua)
{
    static const char *const levels[] = {"debug", "info", "warning", "error", NULL};
    static const CnLogLevel values[] = {CN_LOG_LEVEL_DEBUG, CN_LOG_LEVEL_INFO, CN_LOG_LEVEL_WARNING,
                                        CN_LOG_LEVEL_ERROR};
    int level = luaL_checkoption(lua, 1, "info", levels);
    char line[MAX_LOG_BYTES];
    size_t size;
    const char *text = luaL_checklstring(lua, 2, &size);
    size = size < sizeof line - 1 ? size : sizeof line - 1;
    for (size_t i = 0; i < size; i++) {
        bool is_control = (unsigned char)text[i] < 32 && text[i] != '\t' && text[i] != '\n';
        line[i] = is_control || text[i] == 127 ? '?' : text[i];
    }
    line[size] = 0;
    CN_LOG(values[level], "script", "%s:%d: %s", code_of(lua)->path, find_line(lua), line);
    return 0;
}

/* ---- Opening ---- */

static int function_reference(lua_State *lua, lua_CFunction function)
{
    lua_pushcfunction(lua, function);
    return luaL_ref(lua, LUA_REGISTRYINDEX);
}

static int open_state(lua_State *lua)
{
    CniScriptPluginCode *code = lua_touserdata(lua, 1);
    luaL_openlibs(lua);
    code->handler = function_reference(lua, handle_error);
    code->trampoline = function_reference(lua, trampoline);
    luaL_unref(lua, LUA_REGISTRYINDEX, function_reference(lua, trampoline)); /* reserves a slot */
    return 0;
}

/* LuaJIT leaks a block if memory runs out while it creates the FFI, so the reserve of lua_newstate
 * serves it as well. */
static int open_ffi(lua_State *lua)
{
    lua_pushcfunction(lua, luaopen_ffi);
    lua_pushstring(lua, LUA_FFILIBNAME);
    lua_call(lua, 1, 0);
    return 0;
}

static void run_prelude(lua_State *lua, CniScriptPluginCode *code, void *user)
{
    (void)user;
    if (luaL_loadbuffer(lua, (const char *)cni_script_prelude, cni_script_prelude_size,
                        "=" PRELUDE_NAME))
        lua_error(lua);
    lua_newtable(lua);
    lua_pushlightuserdata(lua, &code->api);
    lua_setfield(lua, -2, "api");
    lua_pushcfunction(lua, cni_script_plugin_describe);
    lua_setfield(lua, -2, "describe");
    lua_pushcfunction(lua, write_log);
    lua_setfield(lua, -2, "log");
    lua_pushboolean(lua, code->is_checked);
    lua_call(lua, 2, 2);
    code->bind = luaL_ref(lua, LUA_REGISTRYINDEX);
    code->declarations = luaL_ref(lua, LUA_REGISTRYINDEX);
}

static void run_file(lua_State *lua, CniScriptPluginCode *code, void *user)
{
    const CnText *text = user;
    lua_pushfstring(lua, "@%s", code->path);
    if (luaL_loadbufferx(lua, text->data, text->size, lua_tostring(lua, -1), "t"))
        lua_error(lua);
    lua_call(lua, 0, 0);
}

static bool open_lua(CniScriptPluginCode *code)
{
    if (!cni_script_lua_allocator_init(&code->blocks, code->allocator, SIZE_MAX / 2))
        return false;
    code->lua = lua_newstate(allocate, code);
    cni_script_lua_allocator_opened(&code->blocks);
    if (!code->lua || lua_cpcall(code->lua, open_state, code))
        return false;
    code->blocks.opening = true;
    int result = lua_cpcall(code->lua, open_ffi, NULL);
    cni_script_lua_allocator_opened(&code->blocks);
    lua_settop(code->lua, 0);
    return result == 0;
}

void cni_script_plugin_code_free(CniScriptPluginCode *code)
{
    if (!code)
        return;
    if (code->lua)
        lua_close(code->lua);
    if (code->blocks.bootstrap)
        cni_script_lua_allocator_fini(&code->blocks, code->allocator);
    cn_free(code->allocator, code->systems, code->system_count * sizeof *code->systems);
    cn_array_fini(&code->columns);
    cn_array_fini(&code->batches);
    cn_array_fini(&code->addresses);
    cn_free(code->allocator, code, sizeof *code);
}

CniScriptPluginCode *cni_script_plugin_compile(CnWorld *world, CnAllocator *allocator,
                                               const char *path, CnText text, bool is_checked,
                                               CnError *error)
{
    CniScriptPluginCode *code = cn_alloc_zeroed(allocator, sizeof *code);
    if (!code) {
        cn_error_memory(error, "%s", path);
        return NULL;
    }
    code->allocator = allocator;
    code->world = world;
    code->path = path;
    code->is_checked = is_checked;
    code->names = LUA_NOREF;
    cn_array_init(&code->columns, allocator);
    cn_array_init(&code->batches, allocator);
    cn_array_init(&code->addresses, allocator);
    cni_script_plugin_api_init(code);
    bool done = false;
    if (!open_lua(code))
        cn_error_memory(error, "the Lua state of %s", path);
    else
        done = cni_script_plugin_protected(code, run_prelude, NULL) &&
               cni_script_plugin_protected(code, run_file, &text);
    if (done)
        return code;
    if (error && code->is_noted)
        *error = code->fault;
    cni_script_plugin_code_free(code);
    return NULL;
}

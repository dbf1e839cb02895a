/* Creating a Lua state, running jobs in protected mode, and reading its errors. */
#include "script/runtime/runtime.h"

#include <cairn/sim/loop.h>

#include <luajit.h>
#include <lualib.h>

CniScriptLuaState *cni_script_lua_of(lua_State *lua)
{
    void *user;
    lua_getallocf(lua, &user);
    return user;
}

CniScriptContext *cni_script_context_of(lua_State *lua)
{
    return cni_script_lua_of(lua)->scripts;
}

/* ---- Errors: nothing here uses Lua's memory, which may be the cause of the error ---- */

static const char *source_name(const lua_Debug *info)
{
    return info->source[0] == '@' || info->source[0] == '=' ? info->source + 1 : info->short_src;
}

/* Formats one line of the stack trace; returns false if there is nothing to report. */
static bool describe_call(const lua_Debug *info, char *line, size_t line_bytes)
{
    if (info->currentline <= 0) {
        if (info->name)
            cn_format(line, line_bytes, "\n    in %s", info->name);
        return info->name != NULL;
    }
    char what[64] = "the body";
    if (info->name)
        cn_format(what, sizeof what, "function %s", info->name);
    else if (strcmp(info->what, "main"))
        cn_format(what, sizeof what, "the function at line %d", info->linedefined);
    cn_format(line, line_bytes, "\n    %s:%d: in %s", source_name(info), info->currentline, what);
    return true;
}

static void note_trace(CniScriptFault *fault, lua_State *lua, int level)
{
    lua_Debug info;
    size_t used = 0;
    fault->trace[0] = 0;
    for (int end = level + 12; level < end && lua_getstack(lua, level, &info); level++) {
        lua_getinfo(lua, "nSl", &info);
        char line[CNI_SCRIPT_PATH_BYTES + 96];
        if (!describe_call(&info, line, sizeof line))
            continue;
        if (!cn_format(fault->trace + used, sizeof fault->trace - used, "%s", line))
            return;
        used += strlen(line);
    }
}

void cni_script_fault_locate(CniScriptLuaState *state, lua_State *lua, int first_level)
{
    CniScriptFault *fault = &state->fault;
    lua_Debug info;
    fault->code = CN_ERROR_FORMAT;
    fault->line = 0;
    fault->file[0] = 0;
    for (int level = first_level; fault->line <= 0 && lua_getstack(lua, level, &info); level++) {
        lua_getinfo(lua, "Sl", &info);
        fault->line = info.currentline;
        cn_copy_text(fault->file, sizeof fault->file, cn_text(source_name(&info)));
    }
    note_trace(fault, lua, first_level);
    fault->noted = true;
}

/* Removes "file:12: " from the front of a message; returns true when it was there. The file may be
 * truncated. */
static bool take_place(CnText *message, CnText *file, int *line)
{
    for (size_t i = 0; i + 2 < message->size; i++) {
        if (message->data[i] != ':' || message->data[i + 1] < '1' || message->data[i + 1] > '9')
            continue;
        int number = 0;
        size_t end = i + 1;
        while (end < message->size && end < i + 8 && message->data[end] >= '0' &&
               message->data[end] <= '9')
            number = number * 10 + (message->data[end++] - '0');
        if (end + 1 >= message->size || message->data[end] != ':' || message->data[end + 1] != ' ')
            continue;
        *file = (CnText){message->data, i};
        *line = number;
        *message = (CnText){message->data + end + 2, message->size - end - 2};
        return true;
    }
    return false;
}

static void note_message(CniScriptFault *fault, CnText message)
{
    CnText file;
    int line;
    if (take_place(&message, &file, &line)) {
        fault->line = line;
        if (!cn_text_starts_with(file, cn_text("...")))
            cn_copy_text(fault->file, sizeof fault->file, file);
    }
    cn_copy_text(fault->message, sizeof fault->message, message);
}

/* Records any thrown value; its metamethods are not called. */
static void note_value(CniScriptFault *fault, lua_State *lua, int index)
{
    size_t size;
    if (lua_type(lua, index) == LUA_TSTRING) {
        const char *text = lua_tolstring(lua, index, &size);
        note_message(fault, (CnText){text, size});
    } else if (lua_type(lua, index) == LUA_TNUMBER) {
        cn_format(fault->message, sizeof fault->message, "%.14g", lua_tonumber(lua, index));
    } else {
        cn_format(fault->message, sizeof fault->message, "a %s was thrown",
                  luaL_typename(lua, index));
    }
}

static int handle_error(lua_State *lua)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    if (!state->stop || !state->fault.noted) {
        cni_script_fault_locate(state, lua, 1); /* 0 is this handler */
        note_value(&state->fault, lua, 1);
    }
    return 1;
}

/* Called after a failed call, with its error on the stack, which it pops. */
static void settle_fault(CniScriptLuaState *state, lua_State *lua, int result)
{
    if (!state->fault.noted) {
        state->fault = (CniScriptFault){.noted = true, .code = CN_ERROR_FORMAT};
        note_value(&state->fault, lua, -1);
        if (result == LUA_ERRMEM) {
            state->fault.code = CN_ERROR_MEMORY;
            cn_copy_text(state->fault.message, sizeof state->fault.message,
                         cn_text("out of memory"));
        }
    }
    lua_pop(lua, 1);
}

void cni_script_fault_to_error(const CniScriptFault *fault, CnError *error)
{
    cn_error_set_at(error, fault->code, fault->file, fault->line, 0, "%s", fault->message);
}

/* ---- Protected calls ---- */

bool cni_script_pcall(CniScriptLuaState *state, lua_State *lua, int arguments)
{
    int base = lua_gettop(lua) - arguments;
    CN_ASSERT(base > 0, "a call with %d arguments has no function", arguments);
    CN_ASSERT(state->lua, "a call in a Lua state that is closed");
    state->fault.noted = false;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, state->handler);
    lua_insert(lua, base);
    int result = lua_pcall(lua, arguments, 0, base);
    if (result)
        settle_fault(state, lua, result);
    lua_remove(lua, base);
    CN_ASSERT(lua_gettop(lua) == base - 1, "a protected call leaves %d values",
              lua_gettop(lua) - base + 1);
    CN_ASSERT(!result || state->fault.noted, "a protected call failed and recorded no error");
    return result == 0;
}

typedef struct Job {
    CniScriptProtectedFn *run;
    void *user;
} Job;

static int trampoline(lua_State *lua)
{
    Job *job = cni_script_lua_of(lua)->argument;
    CN_ASSERT(job && job->run, "a protected job has no function");
    job->run(lua, job->user);
    return 0;
}

bool cni_script_protected(CniScriptLuaState *state, CniScriptProtectedFn *job, void *user)
{
    CN_ASSERT(state->lua && job, "a protected job needs a Lua state and a function");
    Job request = {job, user};
    lua_rawgeti(state->lua, LUA_REGISTRYINDEX, state->trampoline);
    state->argument = &request;
    return cni_script_pcall(state, state->lua, 0);
}

void cni_script_unref(CniScriptLuaState *state, int *reference)
{
    if (state && state->lua && *reference != LUA_NOREF)
        luaL_unref(state->lua, LUA_REGISTRYINDEX, *reference);
    *reference = LUA_NOREF;
}

void cni_script_compile(lua_State *lua, CnText text, const char *name)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    lua_pushfstring(lua, "@%s", name);
    const char *chunk = lua_tostring(lua, -1);
    if (luaL_loadbufferx(lua, text.data, text.size, chunk, "t"))
        lua_error(lua);
    if (state->sandboxed && !cni_script_hidden_work_add(&state->hidden, lua, chunk))
        luaL_error(lua, "out of memory");
    lua_remove(lua, -2);
}

void cni_script_watchdog_stopped(CniScriptLuaState *state)
{
    CN_LOG_ERROR("script",
                 "%s; from now on this run is not reproducible, and its recording is not valid",
                 state->fault.message);
    if (state->scripts->on_watchdog)
        state->scripts->on_watchdog(state->scripts, state->fault.message);
    if (state->scripts->world)
        cn_sim_mark_not_reproducible(cni_script_runtime(state->scripts)->sim, state->fault.message);
}

/* ---- Opening ---- */

/* The whole library is available only as upvalues: it never leaves this function. */
static void open_sandbox(lua_State *lua)
{
    static const struct {
        const char *name;
        lua_CFunction open;
    } libraries[] = {{"", luaopen_base},
                     {LUA_TABLIBNAME, luaopen_table},
                     {LUA_STRLIBNAME, luaopen_string},
                     {LUA_MATHLIBNAME, luaopen_math},
                     {LUA_BITLIBNAME, luaopen_bit}};
    for (uint32_t i = 0; i < CN_COUNT_OF(libraries); i++) {
        lua_pushcfunction(lua, libraries[i].open);
        lua_pushstring(lua, libraries[i].name);
        lua_call(lua, 1, 0);
    }
    cni_script_push_sandbox(lua);
    /* Only the sandbox remains. */
    lua_newtable(lua);
    lua_replace(lua, LUA_GLOBALSINDEX);
    lua_pushnil(lua);
    lua_setfield(lua, LUA_REGISTRYINDEX, "_LOADED");
}

static void open_trusted(lua_State *lua)
{
    luaL_openlibs(lua);
    lua_getglobal(lua, "require"); /* for names that are not paths */
    lua_setfield(lua, LUA_REGISTRYINDEX, CNI_SCRIPT_PLAIN_REQUIRE);
    lua_pushvalue(lua, LUA_GLOBALSINDEX);
    cni_script_bind_all(lua);
}

static const char *const callback_names[CNI_SCRIPT_CALLBACK_COUNT] = {
    [CNI_SCRIPT_ON_INIT] = "on_init",
    [CNI_SCRIPT_ON_UPDATE] = "on_update",
    [CNI_SCRIPT_ON_FIXEDUPDATE] = "on_fixedupdate",
    [CNI_SCRIPT_ON_COLLISIONENTER] = "on_collisionenter",
    [CNI_SCRIPT_ON_COLLISIONSTAY] = "on_collisionstay",
    [CNI_SCRIPT_ON_COLLISIONLEAVE] = "on_collisionleave",
    [CNI_SCRIPT_ON_SOUNDEND] = "on_soundend",
    [CNI_SCRIPT_ON_ANIMATIONEND] = "on_animationend",
    [CNI_SCRIPT_ON_PAUSED] = "on_paused",
    [CNI_SCRIPT_ON_RELOAD] = "on_reload",
    [CNI_SCRIPT_ON_DESTROY] = "on_destroy",
};

static int function_reference(lua_State *lua, lua_CFunction function)
{
    lua_pushcfunction(lua, function);
    return luaL_ref(lua, LUA_REGISTRYINDEX);
}

void cni_script_push_environment(lua_State *lua)
{
    const CniScriptLuaState *state = cni_script_lua_of(lua);
    CN_ASSERT(state->metatable != LUA_NOREF, "the metatable of environments is missing");
    lua_newtable(lua);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, state->metatable);
    lua_setmetatable(lua, -2);
    if (state->sandboxed) {
        lua_pushvalue(lua, -1);
        lua_setfield(lua, -2, "_G");
    }
}

static int open_state(lua_State *lua)
{
    CniScriptLuaState *state = lua_touserdata(lua, 1);
    lua_settop(lua, 0);
    if (state->sandboxed)
        open_sandbox(lua);
    else
        open_trusted(lua);
    lua_newtable(lua);
    lua_insert(lua, -2);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    state->metatable = luaL_ref(lua, LUA_REGISTRYINDEX);
    for (uint32_t i = 0; i < CNI_SCRIPT_CALLBACK_COUNT; i++) {
        lua_pushstring(lua, callback_names[i]);
        state->names[i] = luaL_ref(lua, LUA_REGISTRYINDEX);
    }
    lua_newtable(lua);
    state->modules = luaL_ref(lua, LUA_REGISTRYINDEX);
    state->handler = function_reference(lua, handle_error);
    state->trampoline = function_reference(lua, trampoline);
    state->object_call = function_reference(lua, cni_script_call_with_object);
    state->pushed_call = function_reference(lua, cni_script_call_pushed);
    state->define = function_reference(lua, cni_script_define);
    luaL_unref(lua, LUA_REGISTRYINDEX, function_reference(lua, trampoline)); /* reserves a slot */
    CN_ASSERT(lua_gettop(lua) == 0, "opening a Lua state leaves %d values", lua_gettop(lua));
    return 0;
}

static void set_limits(CniScriptLuaState *state, const CniScriptLimits *limits)
{
    state->hard_bytes = limits->memory_bytes;
    state->soft_bytes = state->hard_bytes - state->hard_bytes / 16;
    CN_ASSERT(state->soft_bytes <= state->hard_bytes, "scripts stop after the memory is used up");
    state->block_bytes = state->hard_bytes / 8;
    if (state->block_bytes > CNI_SCRIPT_MAX_BLOCK_BYTES)
        state->block_bytes = CNI_SCRIPT_MAX_BLOCK_BYTES;
    state->watchdog_ns = limits->watchdog_ns ? limits->watchdog_ns : CNI_SCRIPT_WATCHDOG_NS;
    state->call_limit = limits->instructions_per_call;
    state->tick_limit = limits->instructions_per_tick;
}

bool cni_script_lua_open(CniScriptLuaState *state, const CniScriptLuaDesc *desc, CnError *error)
{
    if (state->lua)
        return true;
    *state = (CniScriptLuaState){.scripts = desc->scripts, .sandboxed = desc->sandboxed};
    cn_copy_text(state->owner, sizeof state->owner, cn_text(desc->owner));
    uint64_t seed = desc->scripts->world ? cn_sim_seed(cni_script_runtime(desc->scripts)->sim) : 0;
    cni_script_hidden_work_init(&state->hidden, desc->scripts->allocator,
                                (uint32_t)cn_hash_bytes(state->owner, strlen(state->owner), seed));
    state->number = desc->number;
    if (state->sandboxed)
        set_limits(state, &desc->limits);
    size_t max_slab_bytes = state->sandboxed ? state->hard_bytes / 8 : SIZE_MAX / 2;
    bool room =
        cni_script_lua_allocator_init(&state->blocks, desc->scripts->allocator, max_slab_bytes);
    state->lua = room ? lua_newstate(cni_script_lua_alloc, state) : NULL;
    cni_script_lua_allocator_opened(&state->blocks);
    if (!state->lua) {
        cni_script_lua_close(state);
        return cn_error_memory(error, "a Lua state");
    }
    int result = lua_cpcall(state->lua, open_state, state);
    if (result) {
        CnErrorCode code = result == LUA_ERRMEM ? CN_ERROR_MEMORY : CN_ERROR_MISMATCH;
        const char *text = lua_tostring(state->lua, -1);
        cn_error_set(error, code, "a Lua state: %s", text ? text : "an error");
        cni_script_lua_close(state);
        return false;
    }
    if (state->sandboxed) {
        luaJIT_setmode(state->lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
        lua_gc(state->lua, LUA_GCSETPAUSE, 120);
        lua_gc(state->lua, LUA_GCSETSTEPMUL, 400);
    }
    return true;
}

void cni_script_lua_close(CniScriptLuaState *state)
{
    CN_ASSERT(!state->depth, "a Lua state is closed while %u calls run", state->depth);
    if (state->lua)
        lua_close(state->lua);
    state->lua = NULL;
    if (!state->scripts)
        return; /* never opened */
    cni_script_lua_allocator_fini(&state->blocks, state->scripts->allocator);
    cni_script_hidden_work_fini(&state->hidden);
}

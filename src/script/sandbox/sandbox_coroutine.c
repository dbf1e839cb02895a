/* Coroutines of sandboxed scripts: Lua's nest without a limit, and each level uses C stack. */
#include "script/runtime/runtime.h"

static lua_State *check_thread(lua_State *lua, int index)
{
    lua_State *thread = lua_tothread(lua, index);
    luaL_argcheck(lua, thread != NULL, index, "coroutine expected");
    return thread;
}

static const char *status_of(lua_State *lua, lua_State *thread)
{
    lua_Debug info;
    if (thread == lua)
        return "running";
    if (lua_status(thread) == LUA_YIELD)
        return "suspended";
    if (lua_status(thread) != 0)
        return "dead";
    if (lua_getstack(thread, 0, &info) > 0)
        return "normal";
    return lua_gettop(thread) > 0 ? "suspended" : "dead";
}

static int coroutine_create(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TFUNCTION);
    lua_State *thread = lua_newthread(lua);
    lua_pushvalue(lua, 1);
    lua_xmove(lua, thread, 1);
    return 1;
}

/* Resumes with the `arguments` on top of the stack; leaves the results or an error there.
 * Returns the number of results, or -1. */
static int resume(lua_State *lua, lua_State *thread, int arguments)
{
    const char *status = status_of(lua, thread);
    cni_script_check_stack(lua);
    cni_script_budget_charge(lua, 32 + (uint64_t)arguments);
    if (strcmp(status, "suspended") != 0) {
        lua_pop(lua, arguments);
        lua_pushfstring(lua, "cannot resume %s coroutine", status);
        return -1;
    }
    if (!lua_checkstack(thread, arguments + 1))
        return luaL_error(lua, "too many arguments to resume");
    lua_xmove(lua, thread, arguments);
    int result = lua_resume(thread, arguments);
    if (result != 0 && result != LUA_YIELD) {
        lua_xmove(thread, lua, 1);
        return -1;
    }
    int count = lua_gettop(thread);
    luaL_checkstack(lua, count + 1, "too many results to resume");
    lua_xmove(thread, lua, count);
    return count;
}

static int coroutine_resume(lua_State *lua)
{
    lua_State *thread = check_thread(lua, 1);
    int count = resume(lua, thread, lua_gettop(lua) - 1);
    lua_pushboolean(lua, count >= 0);
    lua_insert(lua, count >= 0 ? -(count + 1) : -2);
    return count >= 0 ? count + 1 : 2;
}

static int resume_wrapped(lua_State *lua)
{
    lua_State *thread = lua_tothread(lua, lua_upvalueindex(1));
    int count = resume(lua, thread, lua_gettop(lua));
    return count >= 0 ? count : lua_error(lua);
}

static int coroutine_wrap(lua_State *lua)
{
    coroutine_create(lua);
    lua_pushcclosure(lua, resume_wrapped, 1);
    return 1;
}

static int coroutine_yield(lua_State *lua)
{
    return lua_yield(lua, lua_gettop(lua));
}

static int coroutine_status(lua_State *lua)
{
    lua_pushstring(lua, status_of(lua, check_thread(lua, 1)));
    return 1;
}

static int coroutine_running(lua_State *lua)
{
    if (lua_pushthread(lua))
        lua_pushnil(lua); /* the main thread is not for scripts */
    return 1;
}

void cni_script_sandbox_coroutines(lua_State *lua, int sandbox)
{
    static const luaL_Reg functions[] = {
        {"create", coroutine_create},
        {"resume", coroutine_resume},
        {"running", coroutine_running},
        {"status", coroutine_status},
        {"wrap", coroutine_wrap},
        {"yield", coroutine_yield},
        {NULL, NULL},
    };
    lua_newtable(lua);
    luaL_register(lua, NULL, functions);
    lua_setfield(lua, sandbox, "coroutine");
}

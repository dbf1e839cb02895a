/*
 * The sandbox: selected functions of Lua's library, some of them replaced because Lua's versions
 * take long, reveal addresses or escape the sandbox; and the bindings. Tables of functions are
 * exposed through userdata that is read-only.
 */
#include "script/runtime/runtime.h"

#include <lualib.h>

static const char *const plain_functions[] = {
    "assert", "getmetatable", "ipairs",       "pcall", "rawequal", "rawget",
    "rawset", "select",       "setmetatable", "type",  NULL,
};

static const char *const math_functions[] = {
    "abs", "ceil", "deg",  "floor", "fmod", "frexp", "huge", "ldexp",
    "max", "min",  "modf", "pi",    "rad",  "sqrt",  NULL,
};

static const char *const bit_functions[] = {
    "tobit",  "tohex",   "bnot", "band", "bor",   "bxor", "lshift",
    "rshift", "arshift", "rol",  "ror",  "bswap", NULL,
};

/* Copies fields of the table at `from` into the one at `into`. */
static void copy_fields(lua_State *lua, int from, int into, const char *const *names)
{
    for (; *names; names++) {
        lua_getfield(lua, from, *names);
        lua_setfield(lua, into, *names);
    }
}

static void copy_library(lua_State *lua, int sandbox, const char *library, const char *const *names)
{
    lua_newtable(lua);
    lua_getfield(lua, LUA_GLOBALSINDEX, library);
    copy_fields(lua, lua_gettop(lua), lua_gettop(lua) - 1, names);
    lua_pop(lua, 1);
    lua_setfield(lua, sandbox, library);
}

/* ---- Text ---- */

const char *cni_script_push_text(lua_State *lua, int index, size_t *size)
{
    if (index < 0)
        index = lua_gettop(lua) + index + 1;
    if (luaL_getmetafield(lua, index, "__tostring")) {
        cni_script_check_stack(lua);
        lua_pushvalue(lua, index);
        lua_call(lua, 1, 1);
        if (!lua_isstring(lua, -1))
            luaL_error(lua, "'__tostring' must return a string");
    } else {
        switch (lua_type(lua, index)) {
        case LUA_TSTRING:
        case LUA_TNUMBER:
            lua_pushvalue(lua, index);
            break;
        case LUA_TBOOLEAN:
            lua_pushstring(lua, lua_toboolean(lua, index) ? "true" : "false");
            break;
        default:
            lua_pushstring(lua, luaL_typename(lua, index));
        }
    }
    return lua_tolstring(lua, -1, size);
}

static int sandbox_tostring(lua_State *lua)
{
    luaL_checkany(lua, 1);
    cni_script_push_text(lua, 1, NULL);
    return 1;
}

/* Lua's own function, upvalue 1, with the length counted. */
static int sandbox_tonumber(lua_State *lua)
{
    luaL_checkany(lua, 1);
    cni_script_budget_charge(lua, lua_type(lua, 1) == LUA_TSTRING ? lua_objlen(lua, 1) / 4 : 0);
    lua_settop(lua, 2);
    int arguments = lua_isnil(lua, 2) ? 1 : 2;
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_settop(lua, 1 + arguments);
    lua_call(lua, arguments, 1);
    return 1;
}

static int sandbox_error(lua_State *lua)
{
    cni_script_budget_charge(lua, CNI_SCRIPT_THROW_COST);
    lua_settop(lua, 2);
    int level = (int)luaL_optnumber(lua, 2, 1);
    if (lua_type(lua, 1) == LUA_TSTRING && level > 0 && level < 100) {
        luaL_where(lua, level);
        lua_pushvalue(lua, 1);
        lua_concat(lua, 2);
    } else {
        lua_pushvalue(lua, 1);
    }
    return lua_error(lua);
}

/* Lua's own version calls the handler where the error is thrown. If the counting hook throws it,
 * this would be inside the hook, where nothing is counted. */
static int sandbox_xpcall(lua_State *lua)
{
    luaL_checkany(lua, 2);
    cni_script_check_stack(lua);
    int arguments = lua_gettop(lua) - 2;
    lua_pushvalue(lua, 1);
    lua_insert(lua, 3); /* the handler stays below */
    bool done = lua_pcall(lua, arguments, LUA_MULTRET, 0) == 0;
    if (!done) {
        lua_pushvalue(lua, 2);
        lua_insert(lua, -2);
        lua_pcall(lua, 1, 1, 0);
    }
    lua_pushboolean(lua, done);
    lua_replace(lua, 2);
    return lua_gettop(lua) - 1;
}

#define MAX_UNPACKED 255

static int sandbox_unpack(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_Number first = luaL_optnumber(lua, 2, 1);
    lua_Number last =
        lua_isnoneornil(lua, 3) ? (lua_Number)lua_objlen(lua, 1) : luaL_checknumber(lua, 3);
    if (!(first <= last))
        return 0;
    if (!(last - first < MAX_UNPACKED) || first < -1e9 || last > 1e9)
        return luaL_error(lua, "more than %d values to unpack", MAX_UNPACKED);
    int count = (int)(last - first) + 1;
    cni_script_budget_charge(lua, (uint64_t)count * 2);
    luaL_checkstack(lua, count, "too many values to unpack");
    for (int i = 0; i < count; i++)
        lua_rawgeti(lua, 1, (int)first + i);
    return count;
}

/* ---- Read-only tables ---- */

static int refuse_write(lua_State *lua)
{
    return luaL_error(lua, "%s is read-only", lua_tostring(lua, lua_upvalueindex(1)));
}

/* Replaces the table in a field of the sandbox by an object that reads from it. */
static void protect(lua_State *lua, int sandbox, const char *name)
{
    lua_newuserdata(lua, 1);
    lua_newtable(lua);
    lua_getfield(lua, sandbox, name);
    lua_setfield(lua, -2, "__index");
    lua_pushstring(lua, name);
    lua_pushcclosure(lua, refuse_write, 1);
    lua_setfield(lua, -2, "__newindex");
    lua_pushstring(lua, name);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    lua_setfield(lua, sandbox, name);
}

/* Methods of strings come from the sandbox; the table itself is not reachable. */
static void set_string_methods(lua_State *lua, int sandbox)
{
    lua_pushliteral(lua, "");
    lua_getmetatable(lua, -1);
    lua_getfield(lua, sandbox, "string");
    lua_setfield(lua, -2, "__index");
    lua_pushliteral(lua, "string");
    lua_setfield(lua, -2, "__metatable");
    lua_pop(lua, 2);
}

static void replace_function(lua_State *lua, int sandbox, const char *name, lua_CFunction function)
{
    lua_getfield(lua, LUA_GLOBALSINDEX, name);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, sandbox, name);
}

void cni_script_push_sandbox(lua_State *lua)
{
    lua_newtable(lua);
    int sandbox = lua_gettop(lua);
    copy_fields(lua, LUA_GLOBALSINDEX, sandbox, plain_functions);
    copy_library(lua, sandbox, LUA_MATHLIBNAME, math_functions);
    copy_library(lua, sandbox, LUA_BITLIBNAME, bit_functions);
    replace_function(lua, sandbox, "tostring", sandbox_tostring);
    replace_function(lua, sandbox, "tonumber", sandbox_tonumber);
    replace_function(lua, sandbox, "unpack", sandbox_unpack);
    replace_function(lua, sandbox, "xpcall", sandbox_xpcall);
    replace_function(lua, sandbox, "error", sandbox_error);
    cni_script_sandbox_strings(lua, sandbox);
    cni_script_sandbox_tables(lua, sandbox);
    cni_script_sandbox_coroutines(lua, sandbox);
    if (cni_script_context_of(lua)->world)
        cni_script_bind_all(lua);
    else
        cni_script_bind_library(lua);
    set_string_methods(lua, sandbox);
    static const char *const tables[] = {"string", "table", "math", "bit", "coroutine"};
    for (uint32_t i = 0; i < CN_COUNT_OF(tables); i++)
        protect(lua, sandbox, tables[i]);
}

/* The table library of sandboxed scripts: work that grows with a table is charged. */
#include "script/runtime/runtime.h"

static int length_of(lua_State *lua, int index)
{
    luaL_checktype(lua, index, LUA_TTABLE);
    return (int)lua_objlen(lua, index);
}

/* Returns an integer argument that is in range. */
static int check_index(lua_State *lua, int index)
{
    lua_Number value = luaL_checknumber(lua, index);
    luaL_argcheck(lua, value >= -1e9 && value <= 1e9, index, "out of range");
    return (int)value;
}

static int table_insert(lua_State *lua)
{
    int size = length_of(lua, 1), place = size + 1;
    int arguments = lua_gettop(lua);
    if (arguments == 3) {
        place = check_index(lua, 2);
        luaL_argcheck(lua, place >= 1 && place <= size + 1, 2, "position out of bounds");
        cni_script_budget_charge(lua, (uint64_t)(size - place + 1));
    } else if (arguments != 2) {
        return luaL_error(lua, "wrong number of arguments to 'insert'");
    }
    for (int i = size; i >= place; i--) {
        lua_rawgeti(lua, 1, i);
        lua_rawseti(lua, 1, i + 1);
    }
    lua_pushvalue(lua, arguments);
    lua_rawseti(lua, 1, place);
    return 0;
}

static int table_remove(lua_State *lua)
{
    int size = length_of(lua, 1);
    int place = lua_isnoneornil(lua, 2) ? size : check_index(lua, 2);
    if (place < 1 || place > size)
        return 0;
    cni_script_budget_charge(lua, (uint64_t)(size - place));
    lua_rawgeti(lua, 1, place);
    for (int i = place; i < size; i++) {
        lua_rawgeti(lua, 1, i + 1);
        lua_rawseti(lua, 1, i);
    }
    lua_pushnil(lua);
    lua_rawseti(lua, 1, size);
    return 1;
}

static int table_concat(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    size_t between_size = 0;
    const char *between = luaL_optlstring(lua, 2, "", &between_size);
    int first = lua_isnoneornil(lua, 3) ? 1 : check_index(lua, 3);
    int last = lua_isnoneornil(lua, 4) ? length_of(lua, 1) : check_index(lua, 4);
    luaL_Buffer buffer;
    luaL_buffinit(lua, &buffer);
    for (int i = first; i <= last; i++) {
        lua_rawgeti(lua, 1, i);
        if (!lua_isstring(lua, -1))
            return luaL_error(lua, "invalid value (%s) at index %d in table for 'concat'",
                              luaL_typename(lua, -1), i);
        size_t size = lua_type(lua, -1) == LUA_TSTRING ? lua_objlen(lua, -1) : 0;
        cni_script_budget_charge(lua, 4 + (size + between_size) / 16);
        luaL_addvalue(&buffer);
        if (i < last)
            luaL_addlstring(&buffer, between, between_size);
    }
    luaL_pushresult(&buffer);
    return 1;
}

/* ---- Sorting: heapsort, which takes n log n steps even with inconsistent comparisons ---- */

/* Returns whether the value at stack index `a` comes before the one at `b`. */
static bool comes_before(lua_State *lua, int a, int b)
{
    cni_script_budget_charge(lua, lua_type(lua, a) == LUA_TSTRING ? 8 + lua_objlen(lua, a) / 8 : 8);
    cni_script_check_stack(lua);
    if (lua_isnil(lua, 2))
        return lua_lessthan(lua, a, b);
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, a);
    lua_pushvalue(lua, b);
    lua_call(lua, 2, 1);
    bool result = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return result;
}

/* Sinks the value on top of the stack from `root` in the heap of the first `size` items; pops
 * it. */
static void sink(lua_State *lua, int root, int size)
{
    int value = lua_gettop(lua);
    for (int child = 2 * root; child <= size; child = 2 * root) {
        lua_rawgeti(lua, 1, child);
        if (child < size) {
            lua_rawgeti(lua, 1, child + 1);
            if (comes_before(lua, value + 1, value + 2)) {
                child++;
                lua_remove(lua, value + 1);
            } else {
                lua_pop(lua, 1);
            }
        }
        if (!comes_before(lua, value, value + 1)) {
            lua_pop(lua, 1);
            break;
        }
        lua_rawseti(lua, 1, root);
        root = child;
    }
    lua_rawseti(lua, 1, root);
}

static int table_sort(lua_State *lua)
{
    int size = length_of(lua, 1);
    if (!lua_isnoneornil(lua, 2))
        luaL_checktype(lua, 2, LUA_TFUNCTION);
    lua_settop(lua, 2);
    luaL_checkstack(lua, 12, "sort");
    for (int root = size / 2; root >= 1; root--) {
        lua_rawgeti(lua, 1, root);
        sink(lua, root, size);
    }
    for (int last = size; last > 1; last--) {
        lua_rawgeti(lua, 1, last);
        lua_rawgeti(lua, 1, 1);
        lua_rawseti(lua, 1, last);
        sink(lua, 1, last - 1);
    }
    return 0;
}

void cni_script_sandbox_tables(lua_State *lua, int sandbox)
{
    static const luaL_Reg functions[] = {
        {"concat", table_concat},
        {"insert", table_insert},
        {"remove", table_remove},
        {"sort", table_sort},
        {NULL, NULL},
    };
    lua_newtable(lua);
    luaL_register(lua, NULL, functions);
    lua_setfield(lua, sandbox, "table");
}

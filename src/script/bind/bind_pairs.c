/*
 * Ordered iteration over tables: the order of Lua's own pairs depends on addresses and on the
 * history of a table. Numbers come first, ascending, then strings by bytes, then false and true,
 * then objects by entity.
 */
#include "script/bind/bind.h"

#include <string.h>

typedef enum Rank { OF_NUMBER, OF_STRING, OF_BOOLEAN, OF_OBJECT } Rank;

/* A key of a table; the table owns its text. */
typedef struct Key {
    Rank rank;
    uint32_t size;
    int place;     /* index among the keys in Lua's order, from 1 */
    double number; /* or 0, 1 */
    union {
        const char *text;
        uint64_t entity;
    };
} Key;

static Key key_at(lua_State *lua, const CniScriptBindings *bound, int index)
{
    size_t size;
    const CniScriptLuaObject *object;
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
        return (Key){.rank = OF_NUMBER, .number = lua_tonumber(lua, index)};
    case LUA_TSTRING: {
        const char *text = lua_tolstring(lua, index, &size);
        return (Key){.rank = OF_STRING, .size = (uint32_t)size, .text = text};
    }
    case LUA_TBOOLEAN:
        return (Key){.rank = OF_BOOLEAN, .number = lua_toboolean(lua, index)};
    case LUA_TUSERDATA:
        object = cni_script_to_class(lua, bound, index, CNI_SCRIPT_CLASS_OBJECT);
        if (object)
            return (Key){.rank = OF_OBJECT, .entity = object->entity.id};
        break;
    default:
        break;
    }
    luaL_error(lua, "a key is a %s, which has no order; use numbers as keys",
               cni_script_type_name(lua, index));
    return (Key){0};
}

static bool is_less(const Key *a, const Key *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank;
    if (a->rank == OF_STRING) {
        uint32_t shared = a->size < b->size ? a->size : b->size;
        int order = memcmp(a->text, b->text, shared);
        return order ? order < 0 : a->size < b->size;
    }
    return a->rank == OF_OBJECT ? a->entity < b->entity : a->number < b->number;
}

/* ---- pairs ---- */

/* Bottom-up, with a second array of the same size. */
static Key *merge_sort(Key *from, Key *to, uint32_t count)
{
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t low = 0; low < count; low += 2 * width) {
            uint32_t middle = low + width < count ? low + width : count;
            uint32_t high = low + 2 * width < count ? low + 2 * width : count;
            uint32_t a = low, b = middle;
            for (uint32_t k = low; k < high; k++)
                to[k] = a < middle && (b == high || !is_less(&from[b], &from[a])) ? from[a++]
                                                                                  : from[b++];
        }
        Key *kept = from;
        from = to;
        to = kept;
    }
    return from;
}

/* Upvalues: bound, the table, its keys in order, how many were visited. */
static int next_pair(lua_State *lua)
{
    int visited = (int)lua_tointeger(lua, lua_upvalueindex(4));
    for (;;) {
        lua_settop(lua, 0);
        lua_rawgeti(lua, lua_upvalueindex(3), ++visited);
        if (lua_isnil(lua, -1))
            return 1;
        lua_pushvalue(lua, -1);
        lua_rawget(lua, lua_upvalueindex(2));
        if (!lua_isnil(lua, -1)) /* otherwise it was removed meanwhile */
            break;
    }
    lua_pushinteger(lua, visited);
    lua_replace(lua, lua_upvalueindex(4));
    return 2;
}

static uint32_t count_keys(lua_State *lua, int table)
{
    uint32_t count = 0;
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1))
        count++;
    return count;
}

/* Pushes a key that is no object. Its text exists, so nothing is allocated. */
static void push_plain(lua_State *lua, const Key *key)
{
    if (key->rank == OF_NUMBER)
        lua_pushnumber(lua, key->number);
    else if (key->rank == OF_STRING)
        lua_pushlstring(lua, key->text, key->size);
    else
        lua_pushboolean(lua, key->number > 0);
}

/* Pushes a table of the keys in Lua's order, which is needed for objects only. */
static void push_places(lua_State *lua, uint32_t count)
{
    int n = 0;
    lua_createtable(lua, (int)count, 0);
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        lua_pushvalue(lua, -2);
        lua_rawseti(lua, -4, ++n);
    }
}

/* What is allocated, and so charged, depends on the keys and never on Lua's order of them, which
 * differs between processes and follows from the history of a table. */
int cni_script_pairs(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    uint32_t count = count_keys(lua, 1), n = 0;
    cni_script_budget_charge(lua, (uint64_t)count * 20);
    Key *keys = lua_newuserdata(lua, (2 * (size_t)count + 1) * sizeof *keys);
    bool in_order = true, has_objects = false;
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        keys[n] = key_at(lua, bound, -2);
        in_order = in_order && (n == 0 || is_less(&keys[n - 1], &keys[n]));
        has_objects |= keys[n].rank == OF_OBJECT;
        keys[n].place = (int)n + 1;
        n++;
    }
    if (!in_order)
        keys = merge_sort(keys, keys + count, count);
    if (has_objects)
        push_places(lua, count); /* at 3 */
    lua_pushlightuserdata(lua, cni_script_bindings(lua));
    lua_pushvalue(lua, 1);
    lua_createtable(lua, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (has_objects)
            lua_rawgeti(lua, 3, keys[i].place);
        else
            push_plain(lua, &keys[i]);
        lua_rawseti(lua, -2, (int)i + 1);
    }
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, next_pair, 4);
    return 1;
}

/* ---- next ---- */

int cni_script_next(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 3); /* at 3: the smallest key so far */
    bool any = false, after = !lua_isnil(lua, 2);
    Key last = after ? key_at(lua, bound, 2) : (Key){0}, least = {0};
    uint32_t count = 0;
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1), count++) {
        Key key = key_at(lua, bound, -2);
        if ((after && !is_less(&last, &key)) || (any && !is_less(&key, &least)))
            continue;
        least = key;
        any = true;
        lua_pushvalue(lua, -2);
        lua_replace(lua, 3);
    }
    cni_script_budget_charge(lua, (uint64_t)count * 5);
    if (!any) {
        lua_pushnil(lua);
        return 1;
    }
    lua_pushvalue(lua, 3);
    lua_rawget(lua, 1);
    return 2;
}

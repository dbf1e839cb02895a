/* Values between Lua and a game: tables as JSON, functions as numbers. */
#include "script/host/lua_sandbox.h"

#include "script/bind/bind.h"

#define MAX_VALUES 100000u
#define MAX_BYTES (1u << 20)
#define VALUE_COST 8u

typedef struct Writer {
    CnLuaSandbox *sandbox;
    CnTextBuilder *text;
    uint32_t values, begin;
} Writer;

static void put(lua_State *lua, Writer *writer, CnText text)
{
    if (writer->text->count - writer->begin + text.size > MAX_BYTES)
        luaL_error(lua, "a table has more than %d KiB as text", MAX_BYTES / 1024);
    if (!cn_text_append(writer->text, text))
        cni_script_throw_out_of_memory(lua);
}

/* ---- Writing ---- */

static void put_string(lua_State *lua, Writer *writer, CnText text)
{
    static const char digits[] = "0123456789abcdef";
    if (!cn_text_is_utf8(text))
        luaL_error(lua, "a text is not UTF-8");
    put(lua, writer, cn_text("\""));
    size_t from = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c >= 32 && c != '"' && c != '\\')
            continue;
        char escape[6] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
        put(lua, writer, (CnText){text.data + from, i - from});
        if (c < 32)
            put(lua, writer, (CnText){escape, sizeof escape});
        else
            put(lua, writer, c == '"' ? cn_text("\\\"") : cn_text("\\\\"));
        from = i + 1;
    }
    put(lua, writer, (CnText){text.data + from, text.size - from});
    put(lua, writer, cn_text("\""));
}

#define MAX_WHOLE 9007199254740992.0 /* 2^53 */

static void put_number(lua_State *lua, Writer *writer, double number)
{
    char whole[32];
    if (!(number - number == 0)) {
        luaL_error(lua, "a number is not finite");
    } else if (number > -MAX_WHOLE && number < MAX_WHOLE && number == (double)(int64_t)number) {
        cn_format(whole, sizeof whole, "%lld", (long long)number);
        put(lua, writer, cn_text(whole));
    } else if (!cn_text_append_double(writer->text, number)) {
        cni_script_throw_out_of_memory(lua);
    }
}

static void put_value(lua_State *lua, Writer *writer, int index, uint32_t depth);

static void put_list(lua_State *lua, Writer *writer, int table, size_t size, uint32_t depth)
{
    put(lua, writer, cn_text("["));
    for (size_t i = 1; i <= size; i++) {
        if (i > 1)
            put(lua, writer, cn_text(","));
        lua_rawgeti(lua, table, (int)i);
        put_value(lua, writer, lua_gettop(lua), depth);
        lua_pop(lua, 1);
    }
    put(lua, writer, cn_text("]"));
}

static void put_object(lua_State *lua, Writer *writer, int table, uint32_t depth)
{
    lua_pushlightuserdata(lua, cni_script_bindings_of(lua));
    lua_pushcclosure(lua, cni_script_pairs, 1);
    lua_pushvalue(lua, table);
    lua_call(lua, 1, 1);
    int next = lua_gettop(lua);
    for (bool first = true;; first = false) {
        lua_pushvalue(lua, next);
        lua_call(lua, 0, 2);
        if (lua_isnil(lua, -2))
            break;
        if (lua_type(lua, -2) != LUA_TSTRING)
            luaL_error(lua, "a table must be a list, from 1 without gaps, or have texts as keys");
        size_t size;
        const char *key = lua_tolstring(lua, -2, &size);
        put(lua, writer, first ? cn_text("{") : cn_text(","));
        put_string(lua, writer, (CnText){key, size});
        put(lua, writer, cn_text(":"));
        put_value(lua, writer, next + 2, depth);
        lua_settop(lua, next);
    }
    lua_settop(lua, next - 1);
    put(lua, writer, cn_text("}"));
}

static size_t count_pairs(lua_State *lua, int table)
{
    size_t count = 0;
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1))
        count++;
    return count;
}

/* An empty table is an empty list. */
static void put_table(lua_State *lua, Writer *writer, int table, uint32_t depth)
{
    if (depth == CN_LUA_MAX_DEPTH)
        luaL_error(lua, "tables are nested more than %d deep", CN_LUA_MAX_DEPTH);
    luaL_checkstack(lua, 8, "tables are nested too deeply");
    size_t size = lua_objlen(lua, table), pairs = count_pairs(lua, table);
    cni_script_budget_charge(lua, pairs);
    if (pairs == size)
        put_list(lua, writer, table, size, depth + 1);
    else
        put_object(lua, writer, table, depth + 1);
}

static void put_function(lua_State *lua, Writer *writer, int index)
{
    char text[48];
    cn_format(text, sizeof text, "{\"function\":%u}",
              cni_lua_take_handler(lua, writer->sandbox, index));
    put(lua, writer, cn_text(text));
}

static void put_value(lua_State *lua, Writer *writer, int index, uint32_t depth)
{
    size_t size;
    const char *data;
    if (++writer->values > MAX_VALUES)
        luaL_error(lua, "a table has more than %d values", MAX_VALUES);
    cni_script_budget_charge(lua, VALUE_COST);
    switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
        put(lua, writer, cn_text(lua_toboolean(lua, index) ? "true" : "false"));
        break;
    case LUA_TNUMBER:
        put_number(lua, writer, lua_tonumber(lua, index));
        break;
    case LUA_TSTRING:
        data = lua_tolstring(lua, index, &size);
        cni_script_budget_charge(lua, size / 8);
        put_string(lua, writer, (CnText){data, size});
        break;
    case LUA_TTABLE:
        put_table(lua, writer, index, depth);
        break;
    case LUA_TFUNCTION:
        put_function(lua, writer, index);
        break;
    case LUA_TNIL:
        put(lua, writer, cn_text("null"));
        break;
    default:
        luaL_error(lua, "a %s cannot be passed to the game", luaL_typename(lua, index));
    }
}

void cni_lua_write_json(lua_State *lua, CnLuaSandbox *sandbox, CnTextBuilder *text, int index)
{
    Writer writer = {.sandbox = sandbox, .text = text, .begin = text->count};
    put_value(lua, &writer, index, 0);
}

/* ---- Reading ---- */

json_t *cni_lua_parse_json(CnText text, CnError *error)
{
    json_error_t wrong;
    json_t *value = json_loadb(text.data, text.size, JSON_DECODE_ANY, &wrong);
    if (!value && json_error_code(&wrong) == json_error_out_of_memory)
        cn_error_memory(error, "a value for Lua");
    else if (!value)
        cn_error_set_at(error, CN_ERROR_FORMAT, NULL, wrong.line, wrong.column, "%s", wrong.text);
    return value;
}

void cni_lua_push_json(lua_State *lua, const json_t *value)
{
    luaL_checkstack(lua, 4, "a value is nested too deeply");
    switch (json_typeof(value)) {
    case JSON_OBJECT: {
        const char *key;
        json_t *member, *object = (json_t *)(uintptr_t)value;
        lua_createtable(lua, 0, (int)json_object_size(value));
        json_object_foreach(object, key, member)
        {
            cni_lua_push_json(lua, member);
            lua_setfield(lua, -2, key);
        }
        break;
    }
    case JSON_ARRAY:
        lua_createtable(lua, (int)json_array_size(value), 0);
        for (size_t i = 0; i < json_array_size(value); i++) {
            cni_lua_push_json(lua, json_array_get(value, i));
            lua_rawseti(lua, -2, (int)i + 1);
        }
        break;
    case JSON_STRING:
        lua_pushlstring(lua, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        lua_pushnumber(lua, json_number_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        lua_pushboolean(lua, json_is_true(value));
        break;
    case JSON_NULL:
        lua_pushnil(lua);
        break;
    }
}

/* ---- Handlers ---- */

uint32_t cni_lua_take_handler(lua_State *lua, CnLuaSandbox *sandbox, int index)
{
    if (!sandbox->loading)
        luaL_error(lua, "functions are registered while the files are loaded, not later");
    if (sandbox->handlers.count == CN_LUA_MAX_HANDLERS)
        luaL_error(lua, "more than %d functions are registered", CN_LUA_MAX_HANDLERS);
    lua_pushvalue(lua, index);
    int reference = luaL_ref(lua, LUA_REGISTRYINDEX);
    if (!cn_array_push(&sandbox->handlers, reference)) {
        luaL_unref(lua, LUA_REGISTRYINDEX, reference);
        cni_script_throw_out_of_memory(lua);
    }
    return sandbox->handlers.count;
}

/*
 * Lua values as bytes. A value: u8 tag, data; a text: u32 size, bytes. A table that was already
 * written is represented by its number, so that shared tables and cycles are preserved.
 */
#include "script/runtime/script_value.h"

#include <cairn/base/bytes.h>

typedef enum Tag { FALSE, TRUE, NUMBER, TEXT, FLOATS, OBJECT, TABLE, AGAIN, END } Tag;

/* ---- Writing ---- */

static void put(lua_State *lua, CniScriptValueWriter *writer, const void *data, size_t size)
{
    uint64_t needed = (uint64_t)writer->bytes->count + size;
    if (needed > writer->max_bytes)
        luaL_error(lua, "too large to be saved");
    if (!cn_array_reserve(writer->bytes, needed))
        cni_script_throw_out_of_memory(lua);
    if (size)
        memcpy(writer->bytes->items + writer->bytes->count, data, size);
    writer->bytes->count += (uint32_t)size;
}

static void put_tag(lua_State *lua, CniScriptValueWriter *writer, Tag tag)
{
    put(lua, writer, &(uint8_t){(uint8_t)tag}, 1);
}

static void put_text(lua_State *lua, CniScriptValueWriter *writer, const char *text, size_t size)
{
    put(lua, writer, &(uint32_t){(uint32_t)size}, sizeof(uint32_t));
    put(lua, writer, text, size);
}

static bool can_be_saved(lua_State *lua, const CniScriptValueWriter *writer, int index)
{
    int kind = lua_type(lua, index);
    if (kind == LUA_TUSERDATA) {
        for (CniScriptClass class = CNI_SCRIPT_CLASS_OBJECT; class <= CNI_SCRIPT_CLASS_QUAT;
             class ++)
            if (cni_script_to_class(lua, writer->bound, index, class))
                return true;
        return false;
    }
    return kind == LUA_TBOOLEAN || kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TTABLE;
}

static void put_userdata(lua_State *lua, CniScriptValueWriter *writer, int index)
{
    const CniScriptLuaObject *object =
        cni_script_to_class(lua, writer->bound, index, CNI_SCRIPT_CLASS_OBJECT);
    if (object) {
        put_tag(lua, writer, OBJECT);
        put(lua, writer, &object->entity, sizeof object->entity);
        return;
    }
    for (CniScriptClass kind = CNI_SCRIPT_CLASS_VEC2; kind <= CNI_SCRIPT_CLASS_QUAT; kind++) {
        const float *floats = cni_script_to_class(lua, writer->bound, index, kind);
        if (!floats)
            continue;
        put_tag(lua, writer, FLOATS);
        put(lua, writer, &(uint8_t){(uint8_t)kind}, 1);
        put(lua, writer, floats, cni_script_floats_of(kind) * sizeof *floats);
    }
}

static void put_value(lua_State *lua, CniScriptValueWriter *writer, int index, int depth);

/* Returns true if the table was already written, and writes its number. */
static bool put_number_of(lua_State *lua, CniScriptValueWriter *writer, int table)
{
    lua_pushvalue(lua, table);
    lua_rawget(lua, writer->numbers);
    uint32_t number = (uint32_t)lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    if (number) {
        put_tag(lua, writer, AGAIN);
        put(lua, writer, &number, sizeof number);
        return true;
    }
    lua_pushvalue(lua, table);
    lua_pushinteger(lua, ++writer->count);
    lua_rawset(lua, writer->numbers);
    return false;
}

/* Omits a pair if its key or value cannot be saved. */
static void put_pair(lua_State *lua, CniScriptValueWriter *writer, int key, int depth)
{
    if (!can_be_saved(lua, writer, key) || !can_be_saved(lua, writer, key + 1)) {
        if (writer->refuses)
            luaL_error(lua, "a table with a %s cannot be saved",
                       luaL_typename(lua, can_be_saved(lua, writer, key) ? key + 1 : key));
        writer->left_out++;
        return;
    }
    put_value(lua, writer, key, depth);
    put_value(lua, writer, key + 1, depth);
}

static void put_table(lua_State *lua, CniScriptValueWriter *writer, int table, int depth)
{
    if (depth == writer->max_depth)
        luaL_error(lua, "tables can be nested at most %d levels deep", writer->max_depth);
    if (put_number_of(lua, writer, table))
        return;
    luaL_checkstack(lua, 8, "tables are nested too deeply");
    put_tag(lua, writer, TABLE);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)writer->bound);
    lua_pushcclosure(lua, cni_script_pairs, 1);
    lua_pushvalue(lua, table);
    lua_call(lua, 1, 1);
    int next = lua_gettop(lua);
    for (;;) {
        lua_pushvalue(lua, next);
        lua_call(lua, 0, 2);
        if (lua_isnil(lua, -2))
            break;
        put_pair(lua, writer, next + 1, depth + 1);
        lua_settop(lua, next);
    }
    lua_settop(lua, next - 1);
    put_tag(lua, writer, END);
}

static void put_value(lua_State *lua, CniScriptValueWriter *writer, int index, int depth)
{
    size_t size;
    double number;
    switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
        put_tag(lua, writer, lua_toboolean(lua, index) ? TRUE : FALSE);
        break;
    case LUA_TNUMBER:
        number = lua_tonumber(lua, index);
        put_tag(lua, writer, NUMBER);
        put(lua, writer, &number, sizeof number);
        break;
    case LUA_TSTRING: {
        const char *text = lua_tolstring(lua, index, &size);
        put_tag(lua, writer, TEXT);
        put_text(lua, writer, text, size);
        break;
    }
    case LUA_TTABLE:
        put_table(lua, writer, index, depth);
        break;
    default:
        put_userdata(lua, writer, index);
    }
}

void cni_script_value_write(lua_State *lua, CniScriptValueWriter *writer, int index)
{
    writer->bound = cni_script_bindings_of(lua);
    writer->count = 0;
    lua_pushvalue(lua, index);
    lua_newtable(lua);
    writer->numbers = lua_gettop(lua);
    put_value(lua, writer, writer->numbers - 1, 0);
    lua_settop(lua, writer->numbers - 2);
}

/* ---- Reading ---- */

const uint8_t *cni_script_value_take(CniScriptValueReader *from, size_t size)
{
    if (size > from->size - from->at)
        return NULL;
    from->at += size;
    return from->bytes + from->at - size;
}

static const uint8_t *get(lua_State *lua, CniScriptValueReader *from, size_t size)
{
    const uint8_t *bytes = cni_script_value_take(from, size);
    if (!bytes)
        luaL_error(lua, "the saved state of scripts is truncated");
    return bytes;
}

static void get_floats(lua_State *lua, CniScriptValueReader *from)
{
    float values[4];
    CniScriptClass kind = (CniScriptClass)*get(lua, from, 1);
    if (kind < CNI_SCRIPT_CLASS_VEC2 || kind > CNI_SCRIPT_CLASS_QUAT)
        luaL_error(lua, "the saved state of scripts is damaged");
    size_t size = cni_script_floats_of(kind) * sizeof *values;
    memcpy(values, get(lua, from, size), size);
    cni_script_push_floats(lua, from->bound, kind, values);
}

static void get_value(lua_State *lua, CniScriptValueReader *from, int depth);

static void get_table(lua_State *lua, CniScriptValueReader *from, int depth)
{
    if (depth == CNI_SCRIPT_VALUE_MAX_DEPTH)
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

static void get_value(lua_State *lua, CniScriptValueReader *from, int depth)
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

void cni_script_value_read(lua_State *lua, CniScriptValueReader *reader)
{
    reader->bound = cni_script_bindings_of(lua);
    reader->count = 0;
    lua_newtable(lua);
    reader->tables = lua_gettop(lua);
    get_value(lua, reader, 0);
    lua_remove(lua, reader->tables);
}

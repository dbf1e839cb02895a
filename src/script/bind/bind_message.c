/*
 * Messages between scripts. A value is packed into bytes when it is sent and unpacked for each
 * receiver: scripts share no tables, and trusted and sandboxed scripts can communicate.
 *
 * A message: u32 total size, u8 size of the name, name, value. A value: a tag, then its data.
 */
#include "script/bind/bind.h"

#include <string.h>

#define MAX_MESSAGE_BYTES (1u << 20) /* queued at the same time */
#define MAX_DEPTH 8                  /* of nested tables */

typedef enum Tag { NIL, FALSE, TRUE, NUMBER, STRING, FLOATS, OBJECT, TABLE, END } Tag;

static CniScriptMessageQueue *messages_of(const CniScriptBindings *bound)
{
    return &bound->scripts->messages;
}

bool cni_script_messages_join(CniScriptBindings *bound)
{
    CniScriptMessageQueue *messages = messages_of(bound);
    messages->bytes.allocator = messages->readers.allocator = bound->scripts->allocator;
    bound->read = messages->committed;
    return cn_array_push(&messages->readers, bound);
}

void cni_script_messages_leave(CniScriptBindings *bound)
{
    CniScriptMessageQueue *messages = messages_of(bound);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < messages->readers.count; i++)
        if (messages->readers.items[i] != bound)
            messages->readers.items[kept++] = messages->readers.items[i];
    messages->readers.count = kept;
    if (kept)
        return;
    cn_array_fini(&messages->readers);
    cn_array_fini(&messages->bytes);
    messages->committed = 0;
}

/* ---- Packing ---- */

static void append(lua_State *lua, CniScriptMessageQueue *messages, const void *data, size_t size)
{
    uint64_t needed = (uint64_t)messages->bytes.count + size;
    if (needed > MAX_MESSAGE_BYTES)
        luaL_error(lua, "more than %d bytes of events are waiting", (int)MAX_MESSAGE_BYTES);
    if (!cn_array_reserve(&messages->bytes, needed))
        cni_script_throw_out_of_memory(lua);
    if (size)
        memcpy(messages->bytes.items + messages->bytes.count, data, size);
    messages->bytes.count += (uint32_t)size;
    CN_ASSERT(messages->bytes.count <= MAX_MESSAGE_BYTES, "messages exceed their limit");
}

static void append_tag(lua_State *lua, CniScriptMessageQueue *messages, Tag tag)
{
    append(lua, messages, &(uint8_t){(uint8_t)tag}, 1);
}

static void pack(lua_State *lua, const CniScriptBindings *bound, int index, int depth);

static void pack_table(lua_State *lua, const CniScriptBindings *bound, int index, int depth)
{
    CniScriptMessageQueue *messages = messages_of(bound);
    if (depth == MAX_DEPTH)
        luaL_error(lua, "tables in an event can be nested at most %d levels deep", MAX_DEPTH);
    luaL_checkstack(lua, 4, NULL);
    append_tag(lua, messages, TABLE);
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
        int top = lua_gettop(lua);
        pack(lua, bound, top - 1, depth + 1);
        pack(lua, bound, top, depth + 1);
    }
    append_tag(lua, messages, END);
}

static void pack_userdata(lua_State *lua, const CniScriptBindings *bound, int index)
{
    CniScriptMessageQueue *messages = messages_of(bound);
    const CniScriptLuaObject *object =
        cni_script_to_class(lua, bound, index, CNI_SCRIPT_CLASS_OBJECT);
    if (object) {
        append_tag(lua, messages, OBJECT);
        append(lua, messages, &object->entity, sizeof object->entity);
        return;
    }
    for (CniScriptClass kind = CNI_SCRIPT_CLASS_VEC2; kind <= CNI_SCRIPT_CLASS_QUAT; kind++) {
        const float *floats = cni_script_to_class(lua, bound, index, kind);
        if (!floats)
            continue;
        append_tag(lua, messages, FLOATS);
        append(lua, messages, &(uint8_t){(uint8_t)kind}, 1);
        append(lua, messages, floats, cni_script_floats_of(kind) * sizeof *floats);
        return;
    }
    luaL_error(lua, "a %s cannot be sent in an event", cni_script_type_name(lua, index));
}

static void pack(lua_State *lua, const CniScriptBindings *bound, int index, int depth)
{
    CniScriptMessageQueue *messages = messages_of(bound);
    switch (lua_type(lua, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
        append_tag(lua, messages, NIL);
        return;
    case LUA_TBOOLEAN:
        append_tag(lua, messages, lua_toboolean(lua, index) ? TRUE : FALSE);
        return;
    case LUA_TNUMBER: {
        double number = lua_tonumber(lua, index);
        append_tag(lua, messages, NUMBER);
        append(lua, messages, &number, sizeof number);
        return;
    }
    case LUA_TSTRING: {
        size_t size;
        const char *text = lua_tolstring(lua, index, &size);
        uint32_t bytes = size < MAX_MESSAGE_BYTES ? (uint32_t)size : MAX_MESSAGE_BYTES;
        append_tag(lua, messages, STRING);
        append(lua, messages, &bytes, sizeof bytes);
        append(lua, messages, text, size);
        return;
    }
    case LUA_TTABLE:
        pack_table(lua, bound, index, depth);
        return;
    case LUA_TUSERDATA:
        pack_userdata(lua, bound, index);
        return;
    default:
        luaL_error(lua, "a %s cannot be sent in an event", luaL_typename(lua, index));
    }
}

void cni_script_message_send(lua_State *lua, CniScriptBindings *bound, CnText name, int index)
{
    CniScriptMessageQueue *messages = messages_of(bound);
    CN_ASSERT(messages->committed <= messages->bytes.count, "messages that were sent are lost");
    messages->bytes.count = messages->committed; /* removes what an error left behind */
    append(lua, messages, &(uint32_t){0}, sizeof(uint32_t));
    append(lua, messages, &(uint8_t){(uint8_t)name.size}, 1);
    append(lua, messages, name.data, name.size);
    pack(lua, bound, index, 0);
    uint32_t size = messages->bytes.count - messages->committed;
    CN_ASSERT(size > sizeof size + name.size, "a message of %u bytes has no value", size);
    memcpy(messages->bytes.items + messages->committed, &size, sizeof size);
    cni_script_budget_charge(lua, size);
    messages->committed = messages->bytes.count;
}

/* ---- Unpacking: the queue contains only what was packed here ---- */

static const uint8_t *unpack(lua_State *lua, const CniScriptBindings *bound, const uint8_t *at)
{
    uint32_t size;
    double number;
    float floats[4];
    CnEntity entity;
    CniScriptClass kind;
    switch ((Tag)*at++) {
    case FALSE:
        lua_pushboolean(lua, 0);
        return at;
    case TRUE:
        lua_pushboolean(lua, 1);
        return at;
    case NUMBER:
        memcpy(&number, at, sizeof number);
        lua_pushnumber(lua, number);
        return at + sizeof number;
    case STRING:
        memcpy(&size, at, sizeof size);
        lua_pushlstring(lua, (const char *)at + sizeof size, size);
        return at + sizeof size + size;
    case FLOATS:
        kind = (CniScriptClass)*at++;
        size = cni_script_floats_of(kind) * (uint32_t)sizeof(float);
        memcpy(floats, at, size);
        cni_script_push_floats(lua, bound, kind, floats);
        return at + size;
    case OBJECT:
        memcpy(&entity, at, sizeof entity);
        cni_script_push_object(lua, entity);
        return at + sizeof entity;
    case TABLE:
        lua_newtable(lua);
        luaL_checkstack(lua, 4, NULL);
        while (*at != END) {
            at = unpack(lua, bound, at);
            at = unpack(lua, bound, at);
            lua_rawset(lua, -3);
        }
        return at + 1;
    case NIL:
    case END:
        break;
    }
    lua_pushnil(lua);
    return at;
}

/* Removes messages after all states have read them. */
static void clear_if_delivered(CniScriptMessageQueue *messages)
{
    for (uint32_t i = 0; i < messages->readers.count; i++)
        if (messages->readers.items[i]->read < messages->committed)
            return;
    for (uint32_t i = 0; i < messages->readers.count; i++)
        messages->readers.items[i]->read = 0;
    messages->committed = messages->bytes.count = 0;
}

bool cni_script_message_next(CniScriptBindings *bound, CniScriptMessage *message)
{
    CniScriptMessageQueue *messages = messages_of(bound);
    uint32_t at = bound->read;
    if (at == messages->committed) {
        clear_if_delivered(messages);
        return false;
    }
    uint32_t size;
    memcpy(&size, messages->bytes.items + at, sizeof size);
    uint8_t name_size = messages->bytes.items[at + sizeof size];
    memcpy(message->name, messages->bytes.items + at + sizeof size + 1, name_size);
    message->name[name_size] = 0;
    message->value = at + (uint32_t)sizeof size + 1 + name_size;
    bound->read = at + size;
    return true;
}

void cni_script_message_push_value(lua_State *lua, const CniScriptBindings *bound,
                                   const CniScriptMessage *message)
{
    /* Pushing may run finalizers, but never scripts that send: the bytes do not move. */
    unpack(lua, bound, messages_of(bound)->bytes.items + message->value);
}

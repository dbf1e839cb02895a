/*
 * Messages between scripts. A value is packed into bytes when it is sent and unpacked for each
 * receiver: scripts share no tables, and trusted and sandboxed scripts can communicate.
 *
 * A message: u32 total size, u8 size of the name, name, value. A value: a tag, then its data.
 */
#include "script/bind/bind.h"

#include <string.h>

#define MAX_MAIL_BYTES (1u << 20) /* queued at the same time */
#define MAX_DEPTH 8               /* of nested tables */

typedef enum Tag { NIL, FALSE, TRUE, NUMBER, STRING, FLOATS, OBJECT, TABLE, END } Tag;

static CniMail *mail_of(const CniBound *bound)
{
    return &bound->scripts->mail;
}

void cni_mail_join(CniBound *bound)
{
    CniMail *mail = mail_of(bound);
    mail->bytes.allocator = bound->scripts->allocator;
    bound->reader = mail->reads[0] ? 1 : 0;
    CN_ASSERT(!mail->reads[bound->reader], "a world has at most two Lua states");
    mail->reads[bound->reader] = true;
    mail->read[bound->reader] = mail->committed;
}

void cni_mail_leave(CniBound *bound)
{
    CniMail *mail = mail_of(bound);
    mail->reads[bound->reader] = false;
    for (uint32_t i = 0; i < CNI_MAIL_READERS; i++)
        if (mail->reads[i])
            return;
    cn_array_fini(&mail->bytes);
    mail->committed = 0;
}

/* ---- Packing ---- */

static void append(lua_State *lua, CniMail *mail, const void *data, size_t size)
{
    uint64_t needed = (uint64_t)mail->bytes.count + size;
    if (needed > MAX_MAIL_BYTES)
        luaL_error(lua, "more than %d bytes of events are waiting", (int)MAX_MAIL_BYTES);
    if (!cn_array_reserve(&mail->bytes, needed))
        cni_out_of_memory(lua);
    if (size)
        memcpy(mail->bytes.items + mail->bytes.count, data, size);
    mail->bytes.count += (uint32_t)size;
}

static void append_tag(lua_State *lua, CniMail *mail, Tag tag)
{
    append(lua, mail, &(uint8_t){(uint8_t)tag}, 1);
}

static void pack(lua_State *lua, const CniBound *bound, int index, int depth);

static void pack_table(lua_State *lua, const CniBound *bound, int index, int depth)
{
    CniMail *mail = mail_of(bound);
    if (depth == MAX_DEPTH)
        luaL_error(lua, "tables in an event can be nested at most %d levels deep", MAX_DEPTH);
    luaL_checkstack(lua, 4, NULL);
    append_tag(lua, mail, TABLE);
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
        int top = lua_gettop(lua);
        pack(lua, bound, top - 1, depth + 1);
        pack(lua, bound, top, depth + 1);
    }
    append_tag(lua, mail, END);
}

static void pack_userdata(lua_State *lua, const CniBound *bound, int index)
{
    CniMail *mail = mail_of(bound);
    const CniLuaObject *object = cni_as(lua, bound, index, CNI_OBJECT);
    if (object) {
        append_tag(lua, mail, OBJECT);
        append(lua, mail, &object->entity, sizeof object->entity);
        return;
    }
    for (CniClass kind = CNI_VEC2; kind <= CNI_QUAT; kind++) {
        const float *floats = cni_as(lua, bound, index, kind);
        if (!floats)
            continue;
        append_tag(lua, mail, FLOATS);
        append(lua, mail, &(uint8_t){(uint8_t)kind}, 1);
        append(lua, mail, floats, cni_floats_of(kind) * sizeof *floats);
        return;
    }
    luaL_error(lua, "a %s cannot be sent in an event", cni_type_name(lua, index));
}

static void pack(lua_State *lua, const CniBound *bound, int index, int depth)
{
    CniMail *mail = mail_of(bound);
    switch (lua_type(lua, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
        append_tag(lua, mail, NIL);
        return;
    case LUA_TBOOLEAN:
        append_tag(lua, mail, lua_toboolean(lua, index) ? TRUE : FALSE);
        return;
    case LUA_TNUMBER: {
        double number = lua_tonumber(lua, index);
        append_tag(lua, mail, NUMBER);
        append(lua, mail, &number, sizeof number);
        return;
    }
    case LUA_TSTRING: {
        size_t size;
        const char *text = lua_tolstring(lua, index, &size);
        uint32_t bytes = size < MAX_MAIL_BYTES ? (uint32_t)size : MAX_MAIL_BYTES;
        append_tag(lua, mail, STRING);
        append(lua, mail, &bytes, sizeof bytes);
        append(lua, mail, text, size);
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

void cni_mail_send(lua_State *lua, CniBound *bound, CnText name, int index)
{
    CniMail *mail = mail_of(bound);
    mail->bytes.count = mail->committed; /* removes what an error left behind */
    append(lua, mail, &(uint32_t){0}, sizeof(uint32_t));
    append(lua, mail, &(uint8_t){(uint8_t)name.size}, 1);
    append(lua, mail, name.data, name.size);
    pack(lua, bound, index, 0);
    uint32_t size = mail->bytes.count - mail->committed;
    memcpy(mail->bytes.items + mail->committed, &size, sizeof size);
    cni_charge(lua, size);
    mail->committed = mail->bytes.count;
}

/* ---- Unpacking: the queue contains only what was packed here ---- */

static const uint8_t *unpack(lua_State *lua, const CniBound *bound, const uint8_t *at)
{
    uint32_t size;
    double number;
    float floats[4];
    CnEntity entity;
    CniClass kind;
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
        kind = (CniClass)*at++;
        size = cni_floats_of(kind) * (uint32_t)sizeof(float);
        memcpy(floats, at, size);
        cni_push_floats(lua, bound, kind, floats);
        return at + size;
    case OBJECT:
        memcpy(&entity, at, sizeof entity);
        cni_push_object(lua, entity);
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
static void clear_if_read(CniMail *mail)
{
    for (uint32_t i = 0; i < CNI_MAIL_READERS; i++)
        if (mail->reads[i] && mail->read[i] < mail->committed)
            return;
    for (uint32_t i = 0; i < CNI_MAIL_READERS; i++)
        mail->read[i] = 0;
    mail->committed = mail->bytes.count = 0;
}

bool cni_mail_next(CniBound *bound, CniLetter *letter)
{
    CniMail *mail = mail_of(bound);
    uint32_t at = mail->read[bound->reader];
    if (at == mail->committed) {
        clear_if_read(mail);
        return false;
    }
    uint32_t size;
    memcpy(&size, mail->bytes.items + at, sizeof size);
    uint8_t name_size = mail->bytes.items[at + sizeof size];
    memcpy(letter->name, mail->bytes.items + at + sizeof size + 1, name_size);
    letter->name[name_size] = 0;
    letter->value = at + (uint32_t)sizeof size + 1 + name_size;
    mail->read[bound->reader] = at + size;
    return true;
}

void cni_mail_push(lua_State *lua, const CniBound *bound, const CniLetter *letter)
{
    /* Pushing may run finalizers, but never scripts that send: the bytes do not move. */
    unpack(lua, bound, mail_of(bound)->bytes.items + letter->value);
}

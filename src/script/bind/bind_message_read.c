/* Reading packed values: as keys of filters, as values of Lua, and whether they are valid at all.
 */
#include "script/bind/bind_message.h"

#include <string.h>

/* ---- Walking over values, which may be damaged ---- */

static const uint8_t *skip(const uint8_t *at, const uint8_t *end, int depth)
{
    uint32_t size;
    if (at == end)
        return NULL;
    size_t left = (size_t)(end - at) - 1, data = 0;
    switch ((CniScriptTag)*at++) {
    case CNI_SCRIPT_TAG_NIL:
    case CNI_SCRIPT_TAG_FALSE:
    case CNI_SCRIPT_TAG_TRUE:
        return at;
    case CNI_SCRIPT_TAG_NUMBER:
        data = sizeof(double);
        break;
    case CNI_SCRIPT_TAG_STRING:
        if (left < sizeof size)
            return NULL;
        memcpy(&size, at, sizeof size);
        data = sizeof size + (size_t)size;
        break;
    case CNI_SCRIPT_TAG_FLOATS:
        if (!left || *at < CNI_SCRIPT_CLASS_VEC2 || *at > CNI_SCRIPT_CLASS_QUAT)
            return NULL;
        data = 1 + cni_script_floats_of((CniScriptClass)*at) * sizeof(float);
        break;
    case CNI_SCRIPT_TAG_OBJECT:
        data = sizeof(CnEntity);
        break;
    case CNI_SCRIPT_TAG_TABLE:
        while (at && at < end && *at != CNI_SCRIPT_TAG_END) {
            at = depth < CNI_SCRIPT_MESSAGE_DEPTH ? skip(at, end, depth + 1) : NULL;
            at = at ? skip(at, end, depth + 1) : NULL;
        }
        return at && at < end ? at + 1 : NULL;
    case CNI_SCRIPT_TAG_END:
    default:
        return NULL;
    }
    return data <= left ? at + data : NULL;
}

static bool is_valid(const uint8_t *at, const CniScriptMessage *head)
{
    const uint8_t *end = at + head->size, *value = at + sizeof *head + head->name_size;
    return head->name_size && head->name_size < CN_MAX_NAME_BYTES &&
           (head->is_event || skip(value, end, 0) == end);
}

bool cni_script_messages_are_valid(const uint8_t *bytes, size_t size, uint32_t senders)
{
    CniScriptMessage head;
    for (size_t at = 0; at < size; at += head.size) {
        if (size - at < sizeof head)
            return false;
        if (bytes[at + offsetof(CniScriptMessage, is_event)] > 1)
            return false;
        memcpy(&head, bytes + at, sizeof head);
        if (head.size > size - at || head.size < sizeof head + head.name_size ||
            head.sender >= senders || !is_valid(bytes + at, &head))
            return false;
    }
    return true;
}

/* ---- Keys of filters ---- */

static bool read_key(const uint8_t *at, CniScriptKey *key)
{
    double number;
    uint32_t size;
    *key = (CniScriptKey){0};
    switch ((CniScriptTag)*at++) {
    case CNI_SCRIPT_TAG_FALSE:
    case CNI_SCRIPT_TAG_TRUE:
        *key =
            (CniScriptKey){.bits = at[-1] == CNI_SCRIPT_TAG_TRUE, .kind = CNI_SCRIPT_KEY_BOOLEAN};
        return true;
    case CNI_SCRIPT_TAG_NUMBER:
        memcpy(&number, at, sizeof number);
        number += 0.0; /* -0 is 0 */
        memcpy(&key->bits, &number, sizeof number);
        key->kind = CNI_SCRIPT_KEY_NUMBER;
        return number == number;
    case CNI_SCRIPT_TAG_STRING:
        memcpy(&size, at, sizeof size);
        *key = (CniScriptKey){.bits = cn_hash_bytes(at + sizeof size, size, 0),
                              .kind = CNI_SCRIPT_KEY_TEXT};
        return true;
    case CNI_SCRIPT_TAG_OBJECT:
        memcpy(&key->bits, at, sizeof key->bits);
        key->kind = CNI_SCRIPT_KEY_OBJECT;
        return true;
    default:
        return false;
    }
}

static bool is_text(const uint8_t *at, const char *text, size_t size)
{
    uint32_t own;
    if (*at != CNI_SCRIPT_TAG_STRING)
        return false;
    memcpy(&own, at + 1, sizeof own);
    return own == size && !memcmp(at + 1 + sizeof own, text, size);
}

bool cni_script_message_key(const uint8_t *value, size_t bytes, const char *field,
                            CniScriptKey *key)
{
    const uint8_t *end = value + bytes, *at = value + 1;
    size_t size = strlen(field);
    *key = (CniScriptKey){0};
    if (!bytes || *value != CNI_SCRIPT_TAG_TABLE)
        return false;
    while (at && at < end && *at != CNI_SCRIPT_TAG_END) {
        const uint8_t *entry = skip(at, end, 1);
        if (entry && entry < end && is_text(at, field, size))
            return read_key(entry, key);
        at = entry ? skip(entry, end, 1) : NULL;
    }
    return false;
}

/* ---- Unpacking: an inbox contains only what was packed here, or was checked ---- */

static const uint8_t *unpack(lua_State *lua, const CniScriptBindings *bound, const uint8_t *at)
{
    uint32_t size;
    double number;
    float floats[4];
    CnEntity entity;
    CniScriptClass kind;
    switch ((CniScriptTag)*at++) {
    case CNI_SCRIPT_TAG_FALSE:
        lua_pushboolean(lua, 0);
        return at;
    case CNI_SCRIPT_TAG_TRUE:
        lua_pushboolean(lua, 1);
        return at;
    case CNI_SCRIPT_TAG_NUMBER:
        memcpy(&number, at, sizeof number);
        lua_pushnumber(lua, number);
        return at + sizeof number;
    case CNI_SCRIPT_TAG_STRING:
        memcpy(&size, at, sizeof size);
        lua_pushlstring(lua, (const char *)at + sizeof size, size);
        return at + sizeof size + size;
    case CNI_SCRIPT_TAG_FLOATS:
        kind = (CniScriptClass)*at++;
        size = cni_script_floats_of(kind) * (uint32_t)sizeof(float);
        memcpy(floats, at, size);
        cni_script_push_floats(lua, bound, kind, floats);
        return at + size;
    case CNI_SCRIPT_TAG_OBJECT:
        memcpy(&entity, at, sizeof entity);
        cni_script_push_object(lua, entity);
        return at + sizeof entity;
    case CNI_SCRIPT_TAG_TABLE:
        lua_newtable(lua);
        luaL_checkstack(lua, 4, NULL);
        while (*at != CNI_SCRIPT_TAG_END) {
            at = unpack(lua, bound, at);
            at = unpack(lua, bound, at);
            lua_rawset(lua, -3);
        }
        return at + 1;
    case CNI_SCRIPT_TAG_NIL:
    case CNI_SCRIPT_TAG_END:
        break;
    }
    lua_pushnil(lua);
    return at;
}

void cni_script_message_push_value(lua_State *lua, const CniScriptBindings *bound,
                                   const uint8_t *at)
{
    /* Pushing may run finalizers, but never scripts that send: the bytes do not move. */
    unpack(lua, bound, at);
}

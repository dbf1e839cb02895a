/*
 * Messages between scripts. A value is packed into bytes when it is sent and unpacked for each
 * receiver: scripts share no tables, and trusted and sandboxed scripts can communicate.
 *
 * What scripts send is first collected, in order, and then distributed to the inboxes of the states
 * that subscribe. What an owner may have in the collection and in each inbox is limited, so that
 * nobody can take the room of others, and a state that does not empty its inbox loses only its own
 * messages.
 *
 * A message: CniScriptMessage, name, value. A value: a tag, then its data.
 */
#include "script/bind/bind_message.h"

#include <string.h>

#define MAX_SENT_BYTES (1u << 20)      /* by an owner between distributions */
#define MAX_TRUSTED_BYTES (16u << 20)  /* the same for trusted scripts */
#define MAX_FOREIGN_BYTES (128u << 10) /* of another owner in an inbox */

static CniScriptMessages *messages_of(const CniScriptBindings *bound)
{
    return &bound->scripts->messages;
}

void cni_script_messages_init(CniScriptContext *scripts)
{
    CniScriptMessages *messages = &scripts->messages;
    cn_hash_map_init_keyed(&messages->topic_of, scripts->allocator, sizeof(uint32_t));
    cn_array_init(&messages->topics, scripts->allocator);
    cn_array_init(&messages->free_topics, scripts->allocator);
    cn_array_init(&messages->sent, scripts->allocator);
}

void cni_script_messages_fini(CniScriptContext *scripts)
{
    CniScriptMessages *messages = &scripts->messages;
    cn_hash_map_fini(&messages->topic_of);
    cn_array_fini(&messages->topics);
    cn_array_fini(&messages->free_topics);
    cn_array_fini(&messages->sent);
}

void cni_script_messages_join(CniScriptBindings *bound)
{
    CN_ASSERT(bound->number < CNI_SCRIPT_MAX_STATES, "state %u", bound->number);
    cn_array_init(&bound->inbox.bytes, bound->scripts->allocator);
    cn_array_init(&bound->topic_of, bound->scripts->allocator);
    messages_of(bound)->readers[bound->number] = bound;
}

void cni_script_messages_leave(CniScriptBindings *bound)
{
    if (messages_of(bound)->readers[bound->number] != bound)
        return;
    for (uint32_t i = 0; i < messages_of(bound)->topics.count; i++)
        cni_script_topic_leave(messages_of(bound), i, bound->number);
    messages_of(bound)->readers[bound->number] = NULL;
    cn_array_fini(&bound->inbox.bytes);
    cn_array_fini(&bound->topic_of);
}

/* ---- Names that have subscribers ---- */

static uint64_t hash_of(CnText name)
{
    return cn_hash_bytes(name.data, name.size, 0);
}

uint32_t cni_script_topic_find(const CniScriptMessages *messages, CnText name)
{
    const uint32_t *place = cn_hash_map_get(&messages->topic_of, hash_of(name));
    if (!place || !cn_text_equal(cn_text(messages->topics.items[*place].name), name))
        return UINT32_MAX;
    return *place;
}

uint32_t cni_script_topic_open(CniScriptMessages *messages, CnText name)
{
    uint32_t place = cni_script_topic_find(messages, name);
    if (place != UINT32_MAX)
        return place;
    uint32_t count = messages->topics.count, unused = messages->free_topics.count;
    /* Room to release every topic, so that releasing never fails. */
    if (!unused && (!cn_array_reserve(&messages->topics, count + 1u) ||
                    !cn_array_reserve(&messages->free_topics, count + 1u)))
        return UINT32_MAX;
    place = unused ? messages->free_topics.items[unused - 1] : count;
    if (cn_hash_map_get(&messages->topic_of, hash_of(name)) ||
        !cn_hash_map_set(&messages->topic_of, hash_of(name), &place))
        return UINT32_MAX;
    if (unused)
        messages->free_topics.count--;
    else
        messages->topics.count++;
    CniScriptTopicName *topic = &messages->topics.items[place];
    *topic = (CniScriptTopicName){0};
    cn_copy_text(topic->name, sizeof topic->name, name);
    return place;
}

void cni_script_topic_read(CniScriptMessages *messages, uint32_t topic, uint32_t state)
{
    messages->topics.items[topic].readers |= UINT64_C(1) << state;
}

void cni_script_topic_leave(CniScriptMessages *messages, uint32_t topic, uint32_t state)
{
    CniScriptTopicName *entry = &messages->topics.items[topic];
    if (!(entry->readers & UINT64_C(1) << state))
        return;
    entry->readers &= ~(UINT64_C(1) << state);
    if (entry->readers)
        return;
    cn_hash_map_remove(&messages->topic_of, hash_of(cn_text(entry->name)));
    messages->free_topics.items[messages->free_topics.count++] = topic;
}

/* ---- Packing ---- */

static uint32_t waiting_bytes(const CniScriptBindings *bound)
{
    return messages_of(bound)->sent_bytes[bound->number] + bound->inbox.bytes_from[bound->number];
}

static void append(lua_State *lua, const CniScriptBindings *bound, const void *data, size_t size)
{
    CniScriptMessages *messages = messages_of(bound);
    uint64_t own = messages->sent.count - messages->committed + size + waiting_bytes(bound);
    uint32_t limit = bound->number ? MAX_SENT_BYTES : MAX_TRUSTED_BYTES;
    if (own > limit)
        luaL_error(lua, "more than %d bytes of events are waiting", (int)limit);
    if (!cn_array_reserve(&messages->sent, messages->sent.count + (uint64_t)size))
        cni_script_throw_out_of_memory(lua);
    if (size)
        memcpy(messages->sent.items + messages->sent.count, data, size);
    messages->sent.count += (uint32_t)size;
}

static void append_tag(lua_State *lua, const CniScriptBindings *bound, CniScriptTag tag)
{
    append(lua, bound, &(uint8_t){(uint8_t)tag}, 1);
}

static void pack(lua_State *lua, const CniScriptBindings *bound, int index, int depth);

static void pack_table(lua_State *lua, const CniScriptBindings *bound, int index, int depth)
{
    if (depth == CNI_SCRIPT_MESSAGE_DEPTH)
        luaL_error(lua, "tables in an event can be nested at most %d levels deep",
                   CNI_SCRIPT_MESSAGE_DEPTH);
    luaL_checkstack(lua, 4, NULL);
    append_tag(lua, bound, CNI_SCRIPT_TAG_TABLE);
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
        int top = lua_gettop(lua);
        pack(lua, bound, top - 1, depth + 1);
        pack(lua, bound, top, depth + 1);
    }
    append_tag(lua, bound, CNI_SCRIPT_TAG_END);
}

static void pack_userdata(lua_State *lua, const CniScriptBindings *bound, int index)
{
    const CniScriptLuaObject *object =
        cni_script_to_class(lua, bound, index, CNI_SCRIPT_CLASS_OBJECT);
    if (object) {
        append_tag(lua, bound, CNI_SCRIPT_TAG_OBJECT);
        append(lua, bound, &object->entity, sizeof object->entity);
        return;
    }
    for (CniScriptClass kind = CNI_SCRIPT_CLASS_VEC2; kind <= CNI_SCRIPT_CLASS_QUAT; kind++) {
        const float *floats = cni_script_to_class(lua, bound, index, kind);
        if (!floats)
            continue;
        append_tag(lua, bound, CNI_SCRIPT_TAG_FLOATS);
        append(lua, bound, &(uint8_t){(uint8_t)kind}, 1);
        append(lua, bound, floats, cni_script_floats_of(kind) * sizeof *floats);
        return;
    }
    luaL_error(lua, "a %s cannot be sent in an event", cni_script_type_name(lua, index));
}

static void pack(lua_State *lua, const CniScriptBindings *bound, int index, int depth)
{
    switch (lua_type(lua, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
        append_tag(lua, bound, CNI_SCRIPT_TAG_NIL);
        return;
    case LUA_TBOOLEAN:
        append_tag(lua, bound,
                   lua_toboolean(lua, index) ? CNI_SCRIPT_TAG_TRUE : CNI_SCRIPT_TAG_FALSE);
        return;
    case LUA_TNUMBER: {
        double number = lua_tonumber(lua, index);
        append_tag(lua, bound, CNI_SCRIPT_TAG_NUMBER);
        append(lua, bound, &number, sizeof number);
        return;
    }
    case LUA_TSTRING: {
        size_t size;
        const char *text = lua_tolstring(lua, index, &size);
        uint32_t bytes = size < MAX_TRUSTED_BYTES ? (uint32_t)size : MAX_TRUSTED_BYTES;
        append_tag(lua, bound, CNI_SCRIPT_TAG_STRING);
        append(lua, bound, &bytes, sizeof bytes);
        append(lua, bound, text, size);
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

void cni_script_message_send(lua_State *lua, CniScriptBindings *bound, CnText name, CnEntity target,
                             int index)
{
    CniScriptMessages *messages = messages_of(bound);
    CN_ASSERT(messages->committed <= messages->sent.count, "messages that were sent are lost");
    messages->sent.count = messages->committed; /* removes what an error left behind */
    CniScriptMessage head = {
        .sender = (uint8_t)bound->number, .name_size = (uint8_t)name.size, .target = target};
    append(lua, bound, &head, sizeof head);
    append(lua, bound, name.data, name.size);
    pack(lua, bound, index, 0);
    head.size = messages->sent.count - messages->committed;
    CN_ASSERT(head.size > sizeof head + name.size, "a message of %u bytes has no value", head.size);
    memcpy(messages->sent.items + messages->committed, &head, sizeof head);
    cni_script_budget_charge(lua, head.size);
    messages->sent_bytes[bound->number] += head.size;
    messages->committed = messages->sent.count;
}

/* ---- Distribution ---- */

/* Returns whether a message of this size has room. */
static bool has_room(const CniScriptBindings *bound, uint32_t sender, uint32_t size)
{
    uint32_t limit = MAX_FOREIGN_BYTES;
    if (!bound->number)
        limit = sender ? MAX_SENT_BYTES : MAX_TRUSTED_BYTES;
    else if (!sender || sender == bound->number)
        limit = MAX_SENT_BYTES;
    /* A message that is larger than the limit arrives when it is alone. */
    return !bound->inbox.bytes_from[sender] || bound->inbox.bytes_from[sender] + size <= limit;
}

/* Returns the states whose scripts receive a message. */
static uint64_t readers_of(CniScriptContext *scripts, const CniScriptMessage *head, CnText name)
{
    const CniScriptMessages *messages = &scripts->messages;
    uint32_t topic = cni_script_topic_find(messages, name);
    uint64_t readers = topic == UINT32_MAX ? 0 : messages->topics.items[topic].readers;
    if (!head->target.id)
        return readers;
    const CniScriptBound *bound = cni_script_bound_of(scripts, head->target);
    return bound && bound->first ? readers & UINT64_C(1) << bound->number : 0;
}

static void hand_over(CniScriptBindings *bound, const CniScriptMessage *head, const uint8_t *data)
{
    CniScriptInbox *inbox = &bound->inbox;
    if (!has_room(bound, head->sender, head->size) ||
        !cn_array_reserve(&inbox->bytes, (uint64_t)inbox->bytes.count + head->size)) {
        inbox->lost++;
        return;
    }
    memcpy(inbox->bytes.items + inbox->bytes.count, data, head->size);
    inbox->bytes.count += head->size;
    inbox->bytes_from[head->sender] += head->size;
}

bool cni_script_messages_distribute(CniScriptContext *scripts)
{
    CniScriptMessages *messages = &scripts->messages;
    uint32_t end = messages->committed;
    CniScriptMessage head;
    for (uint32_t at = 0; at < end; at += head.size) {
        const uint8_t *data = messages->sent.items + at;
        memcpy(&head, data, sizeof head);
        uint64_t readers =
            readers_of(scripts, &head, (CnText){(const char *)data + sizeof head, head.name_size});
        for (uint32_t i = 0; readers; i++, readers >>= 1)
            if (readers & 1 && messages->readers[i])
                hand_over(messages->readers[i], &head, data);
    }
    memset(messages->sent_bytes, 0, sizeof messages->sent_bytes);
    messages->committed = messages->sent.count = 0;
    return end > 0;
}

void cni_script_message_keep(lua_State *lua, CniScriptBindings *bound,
                             const CniScriptMessage *message, CnText name, const void *value)
{
    CniScriptInbox *inbox = &bound->inbox;
    uint32_t own = inbox->bytes_from[bound->number];
    uint64_t end = (uint64_t)inbox->bytes.count + message->size;
    if (own + message->size > MAX_SENT_BYTES || !cn_array_reserve(&inbox->bytes, end)) {
        cni_script_count_lost(lua, 1);
        return;
    }
    uint8_t *at = inbox->bytes.items + inbox->bytes.count;
    memcpy(at, message, sizeof *message);
    memcpy(at + sizeof *message, name.data, name.size);
    size_t size = message->size - sizeof *message - name.size;
    if (size)
        memcpy(at + sizeof *message + name.size, value, size);
    inbox->bytes.count = (uint32_t)end;
    inbox->bytes_from[bound->number] += message->size;
}

/*
 * Events: channels of the world, and names that only scripts use.
 *
 * Delivery is in PostUpdate: first the channels, in the order of their first subscription, each
 * event in the order of sending, then the messages that scripts sent under other names, in the
 * order of sending. Receivers are called in the order of their subscriptions. What handlers send is
 * delivered in the same tick; channels and messages are bounded, so delivery terminates.
 */
#include "script/bind/bind.h"

#include <string.h>

#define MAX_TOPICS 1024u
#define MAX_SUBSCRIPTIONS 65536u
#define MAX_ROUNDS 1000u /* events delivered in one call for one state */

static CniScriptTopic *topic_at(const CniScriptBindings *bound, uint32_t index)
{
    CN_ASSERT(index < bound->topics.count, "topic %u of %u", index, bound->topics.count);
    return (CniScriptTopic *)bound->topics.items + index;
}

static CniScriptSubscription *subscription_at(const CniScriptBindings *bound, uint32_t index)
{
    CN_ASSERT(index < bound->subscriptions.count, "subscription %u of %u", index,
              bound->subscriptions.count);
    return (CniScriptSubscription *)bound->subscriptions.items + index;
}

static CnText check_event_name(lua_State *lua, int index)
{
    size_t size;
    const char *name = luaL_checklstring(lua, index, &size);
    if (size == 0 || size >= CN_MAX_NAME_BYTES || memchr(name, 0, size))
        luaL_argerror(lua, index, "the name of an event must have 1 to 63 bytes");
    return (CnText){name, size};
}

static CnChannel *open_channel(lua_State *lua, CniScriptBindings *bound, CnComponent component)
{
    CnChannel *channel = cn_channel_open(bound->world, &(CnChannelDesc){.component = component});
    if (!channel)
        cni_script_throw_out_of_memory(lua);
    return channel;
}

/* Returns whether it is a type of the world. A type that is not available to scripts is an
 * error: such an event would neither come from the engine nor reach it. */
static bool find_type(lua_State *lua, const CniScriptBindings *bound, CnText name,
                      CnReflectedComponent *reflected)
{
    char type[CN_MAX_NAME_BYTES];
    if (cn_reflection_find(bound->world, name, reflected))
        return true;
    cn_copy_text(type, sizeof type, name);
    if (cn_component_find(bound->world, type).id)
        luaL_error(lua, "events '%s' are not available to scripts", type);
    return false;
}

/* ---- Sending ---- */

static int send(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnText name = check_event_name(lua, 1);
    cni_script_check_may_change(lua, bound);
    CnReflectedComponent reflected;
    if (!find_type(lua, bound, name, &reflected)) {
        lua_settop(lua, 2);
        cni_script_message_send(lua, bound, name, 2);
        return 0;
    }
    const CniScriptComponentView *view = cni_script_view_of(lua, bound, &reflected);
    CnChannel *channel = open_channel(lua, bound, reflected.component);
    cni_script_budget_charge(lua, 50);
    if (!view->info.size) {
        cn_signal(channel);
        return 0;
    }
    lua_settop(lua, 2);
    void *value = cni_script_push_default(lua, view);
    cni_script_read_fields(lua, bound, 2, view, value);
    if (!cn_send_value(channel, value))
        return luaL_error(lua, "too many events '%s' in this tick", view->reflected.name);
    return 0;
}

/* ---- Subscribing ---- */

static uint32_t find_topic(const CniScriptBindings *bound, CnText name)
{
    for (uint32_t i = 0; i < bound->topics.count; i++)
        if (cn_text_equal(cn_text(topic_at(bound, i)->name), name))
            return i;
    return UINT32_MAX;
}

static uint32_t make_topic(lua_State *lua, CniScriptBindings *bound, CnText name)
{
    uint32_t found = find_topic(bound, name);
    if (found != UINT32_MAX)
        return found;
    if (bound->topics.count == MAX_TOPICS)
        luaL_error(lua, "more than %d kinds of events have subscribers", (int)MAX_TOPICS);
    CniScriptTopic topic = {.tick = UINT64_MAX};
    CnReflectedComponent reflected;
    if (find_type(lua, bound, name, &reflected)) {
        topic.view = cni_script_view_of(lua, bound, &reflected);
        topic.channel = open_channel(lua, bound, reflected.component);
    }
    CN_ASSERT(name.size < sizeof topic.name, "the name of an event has %zu bytes", name.size);
    memcpy(topic.name, name.data, name.size);
    CniScriptTopic *place = cni_script_lua_array_push(lua, &bound->topics, sizeof topic);
    *place = topic;
    return bound->topics.count - 1;
}

static int subscribe(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnText name = check_event_name(lua, 1);
    luaL_checktype(lua, 2, LUA_TFUNCTION);
    if (!bound->scripts->current.id)
        return luaL_error(lua, "only scripts of objects can subscribe to events");
    if (bound->subscriptions.count == MAX_SUBSCRIPTIONS)
        return luaL_error(lua, "more than %d subscriptions", (int)MAX_SUBSCRIPTIONS);
    uint32_t topic = make_topic(lua, bound, name);
    cni_script_lua_array_reserve(lua, &bound->subscriptions, sizeof(CniScriptSubscription),
                                 bound->subscriptions.count + 1);
    lua_pushvalue(lua, 2);
    int function = luaL_ref(lua, LUA_REGISTRYINDEX);
    CniScriptSubscription *place =
        cni_script_lua_array_push(lua, &bound->subscriptions, sizeof(CniScriptSubscription));
    *place = (CniScriptSubscription){++bound->last_id, bound->scripts->current, function, topic};
    lua_pushnumber(lua, (lua_Number)bound->last_id);
    return 1;
}

static void end_subscription(lua_State *lua, CniScriptSubscription *subscription)
{
    luaL_unref(lua, LUA_REGISTRYINDEX, subscription->function);
    subscription->function = LUA_NOREF;
}

static int unsubscribe(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    lua_Number id = luaL_checknumber(lua, 1);
    for (uint32_t i = 0; i < bound->subscriptions.count; i++) {
        CniScriptSubscription *subscription = subscription_at(bound, i);
        bool own = subscription->owner.id == bound->scripts->current.id;
        if (own && (lua_Number)subscription->id == id)
            end_subscription(lua, subscription);
    }
    cni_script_budget_charge(lua, bound->subscriptions.count);
    return 0;
}

void cni_script_drop_subscriptions(lua_State *lua, CniScriptBindings *bound, CnEntity owner)
{
    for (uint32_t i = 0; i < bound->subscriptions.count; i++)
        if (subscription_at(bound, i)->owner.id == owner.id)
            end_subscription(lua, subscription_at(bound, i));
}

/* ---- Delivering ---- */

/* Pushes the table key for a part of a field's key: elements of an array of structs count from
 * 1. */
static void push_part(lua_State *lua, CnText part)
{
    bool is_index = part.data[0] >= '0' && part.data[0] <= '9';
    lua_Number index = 0;
    for (size_t i = 0; is_index && i < part.size; i++)
        index = index * 10 + (part.data[i] - '0');
    if (is_index)
        lua_pushnumber(lua, index + 1);
    else
        lua_pushlstring(lua, part.data, part.size);
}

/* Replaces the table on the stack by its subtable for this part of a key, created if necessary. */
static void enter_table(lua_State *lua, CnText part)
{
    push_part(lua, part);
    lua_rawget(lua, -2);
    if (lua_isnil(lua, -1)) {
        lua_pop(lua, 1);
        lua_newtable(lua);
        push_part(lua, part);
        lua_pushvalue(lua, -2);
        lua_rawset(lua, -4);
    }
    lua_remove(lua, -2);
}

/* Pushes an event of a channel as a table. Keys with a '.' become nested tables. */
static void push_event(lua_State *lua, CniScriptBindings *bound, const CniScriptTopic *topic,
                       const uint8_t *value)
{
    const CniScriptComponentView *view = topic->view;
    luaL_checkstack(lua, 8, NULL);
    lua_newtable(lua);
    for (uint32_t i = 0; i < view->field_count; i++) {
        const CnReflectedMember *item = &view->items[i];
        if (item->reflected.kind == CN_REFLECTED_HIDDEN)
            continue;
        const char *key = item->reflected.key;
        lua_pushvalue(lua, -1);
        for (const char *dot; (dot = strchr(key, '.')); key = dot + 1)
            enter_table(lua, (CnText){key, (size_t)(dot - key)});
        cni_script_push_field(lua, bound, item, value + item->field->offset);
        lua_setfield(lua, -2, key);
        lua_pop(lua, 1);
    }
}

/* What is being delivered: an event of a channel, or a message. */
typedef struct Delivery {
    uint32_t topic;
    const uint8_t *value;            /* of a channel's event; NULL: an event without fields, or */
    const CniScriptMessage *message; /* a message */
} Delivery;

static void deliver(lua_State *lua, CniScriptBindings *bound, const Delivery *delivery)
{
    uint32_t count = bound->subscriptions.count; /* new subscribers receive later events */
    for (uint32_t i = 0; i < count; i++) {
        CniScriptSubscription subscription = *subscription_at(bound, i);
        if (subscription.topic != delivery->topic || subscription.function == LUA_NOREF)
            continue;
        lua_rawgeti(lua, LUA_REGISTRYINDEX, subscription.function);
        if (delivery->message)
            cni_script_message_push_value(lua, bound, delivery->message);
        else if (delivery->value)
            push_event(lua, bound, topic_at(bound, delivery->topic), delivery->value);
        else
            lua_newtable(lua);
        cni_script_call(lua, subscription.owner, 1);
    }
}

/* Copies an event out of its channel, because handlers may send, which moves the rows. */
static void read_event(const CniScriptTopic *topic, uint32_t index, uint8_t *value)
{
    const CnChannel *channel = topic->channel;
    const CnComponentInfo *info = &topic->view->info;
    if (info->layout == CN_LAYOUT_PACKED) {
        memcpy(value, (const uint8_t *)cni_ecs_event_rows(channel) + (size_t)index * info->size,
               info->size);
        return;
    }
    for (uint32_t f = 0; f < info->field_count; f++) {
        const CnField *field = &info->fields[f];
        memcpy(value + field->offset,
               (const uint8_t *)cni_ecs_event_column(channel, field->offset) +
                   (size_t)index * field->size,
               field->size);
    }
}

/* Returns true when events were delivered. */
static bool deliver_channel(lua_State *lua, CniScriptBindings *bound, uint32_t index)
{
    uint64_t now = cni_script_tick_now(bound);
    CniScriptTopic *topic = topic_at(bound, index);
    if (!topic->channel)
        return false;
    if (topic->tick != now) {
        topic->tick = now;
        topic->delivered = 0;
    }
    if (topic->delivered >= cn_event_count(topic->channel))
        return false;
    uint32_t size = topic->view->info.size;
    uint8_t *value = lua_newuserdata(lua, size + 1);
    while (topic_at(bound, index)->delivered < cn_event_count(topic_at(bound, index)->channel)) {
        topic = topic_at(bound, index); /* subscribing may move it */
        uint32_t event = topic->delivered++;
        if (size)
            read_event(topic, event, value);
        deliver(lua, bound, &(Delivery){.topic = index, .value = size ? value : NULL});
    }
    lua_pop(lua, 1);
    return true;
}

static void remove_ended(CniScriptBindings *bound)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bound->subscriptions.count; i++)
        if (subscription_at(bound, i)->function != LUA_NOREF)
            *subscription_at(bound, kept++) = *subscription_at(bound, i);
    bound->subscriptions.count = kept;
}

bool cni_script_bind_events(lua_State *lua)
{
    bool any = false;
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    for (uint32_t i = 0; i < bound->topics.count; i++)
        any |= deliver_channel(lua, bound, i);
    CniScriptMessage message;
    for (uint32_t n = 0; n < MAX_ROUNDS && cni_script_message_next(bound, &message); n++) {
        any = true;
        uint32_t topic = find_topic(bound, cn_text(message.name));
        if (topic != UINT32_MAX)
            deliver(lua, bound, &(Delivery){.topic = topic, .message = &message});
    }
    remove_ended(bound);
    return any;
}

static const CniScriptBinding rows[] = {
    {"send", CNI_SCRIPT_FUNCTION, send, NULL, "(name: string, fields?: table)",
     "Sends an event: an event type of the world with its fields, or any other name with plain "
     "values. It is "
     "delivered in the same tick, after all scripts have run."},
    {"subscribe", CNI_SCRIPT_FUNCTION, subscribe, NULL,
     "(name: string, handler: fun(event: table)): number",
     "Calls the function for each event of this name. Call it in the body of the script, so that "
     "it is called "
     "again when the script is reloaded."},
    {"unsubscribe", CNI_SCRIPT_FUNCTION, unsubscribe, NULL, "(subscription: number)",
     "Removes a subscription."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_event = {NULL, "Events", rows};

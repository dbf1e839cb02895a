/*
 * Delivering events.
 *
 * Delivery is in PostUpdate: first what waits since the last tick, then the channels, in the order
 * of their first subscription, each event in the order of sending, then the messages that scripts
 * sent under other names, in the order of sending. Receivers are called in the order of their
 * subscriptions; those whose filter does not match are not looked at. What handlers send is
 * delivered in the same tick; channels and messages are bounded, so delivery terminates.
 *
 * When the owner of the receivers has used up its tick, the rest waits for the next one, oldest
 * first. Messages of other owners may use an eighth of the receivers' tick per sender, so that a
 * flood delays only itself.
 */
#include "script/bind/bind_event.h"

#include <string.h>

#define MAX_ROUNDS 1000u /* messages delivered in one call for one state */
#define DELIVERY_COST 30u
#define FOREIGN_SHARE 8u
#define BYTES_PER_COUNT 16u /* of a message in which the field of a filter is looked for */

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
    CniScriptBindings *bound;
    uint32_t topic;
    const uint8_t *event; /* of a channel; NULL: a message in the inbox, at */
    uint32_t at, bytes;   /* of the value */
    CniScriptMessage head;
    bool is_empty; /* an event without fields */
} Delivery;

static int push_delivery(lua_State *lua, void *user)
{
    const Delivery *delivery = user;
    CniScriptBindings *bound = delivery->bound;
    if (delivery->is_empty)
        lua_newtable(lua);
    else if (delivery->event)
        push_event(lua, bound, cni_script_topic_at(bound, delivery->topic), delivery->event);
    else
        cni_script_message_push_value(lua, bound, bound->inbox.bytes.items + delivery->at);
    return 1;
}

/* Reads the value of a field of an event as a key; false if it has none that can be one. */
static bool key_of_event(lua_State *lua, CniScriptBindings *bound,
                         const CniScriptComponentView *view, const uint8_t *event,
                         const char *field, CniScriptKey *key)
{
    const CnReflectedMember *item = cni_script_view_item(view, cn_text(field));
    if (!item)
        return false;
    cni_script_push_field(lua, bound, item, event + item->field->offset);
    bool is_key = cni_script_key_of_value(lua, bound, lua_gettop(lua), key);
    lua_pop(lua, 1);
    return is_key;
}

#define LISTS (1 + CNI_SCRIPT_MAX_FILTER_FIELDS)

/* The receivers of an event: a list of those without a filter, and one for each field that filters
 * compare, with the value that the event has there. */
typedef struct Receivers {
    CniScriptKey keys[LISTS]; /* the first one is none */
    uint32_t places[LISTS];   /* the next subscription of each list; 0: none */
} Receivers;

static void read_keys(lua_State *lua, const Delivery *delivery, Receivers *receivers)
{
    CniScriptBindings *bound = delivery->bound;
    const CniScriptTopic *topic = cni_script_topic_at(bound, delivery->topic);
    for (uint32_t i = 0; i < CNI_SCRIPT_MAX_FILTER_FIELDS; i++) {
        CniScriptKey *key = &receivers->keys[i + 1];
        const char *field = topic->fields[i].name;
        if (!topic->fields[i].count)
            continue;
        cni_script_charge_state(lua, 1 + delivery->head.size / BYTES_PER_COUNT);
        bool has = delivery->event
                       ? key_of_event(lua, bound, topic->view, delivery->event, field, key)
                       : cni_script_message_key(bound->inbox.bytes.items + delivery->at,
                                                delivery->bytes, field, key);
        if (!has)
            *key = (CniScriptKey){0};
        key->field = (uint8_t)i;
    }
}

/* Whether a subscription receives the event, as far as its filter is concerned. */
static bool matches(const Receivers *receivers, const CniScriptSubscription *own)
{
    return !own->key.kind || cni_script_key_equal(&own->key, &receivers->keys[own->key.field + 1u]);
}

static void begin_lists(const Delivery *delivery, const CniScriptBound *target,
                        Receivers *receivers)
{
    const CniScriptBindings *bound = delivery->bound;
    receivers->places[0] =
        target ? target->first : cni_script_topic_at(bound, delivery->topic)->first;
    for (uint32_t i = 1; i < LISTS && !target; i++)
        if (receivers->keys[i].kind)
            receivers->places[i] =
                cni_script_bucket_first(bound, delivery->topic, &receivers->keys[i]);
}

/* Takes the receiver with the lowest id that has not received the event; 0: none. */
static uint32_t next_receiver(lua_State *lua, const Delivery *delivery, bool is_for_one,
                              Receivers *receivers)
{
    const CniScriptBindings *bound = delivery->bound;
    uint32_t best = 0;
    for (uint32_t i = 0; i < LISTS; i++) {
        uint32_t place = receivers->places[i], steps = 0;
        for (; place; steps++) {
            const CniScriptSubscription *own = cni_script_subscription_at(bound, place);
            if (own->topic == delivery->topic && own->id > delivery->head.done &&
                own->id <= delivery->head.until && own->function != LUA_NOREF &&
                own->key.kind == (is_for_one ? own->key.kind : receivers->keys[i].kind) &&
                matches(receivers, own))
                break;
            place = is_for_one ? own->next_of_owner : own->next;
        }
        cni_script_charge_state(lua, steps / 4);
        receivers->places[i] = place;
        if (place && (!best || cni_script_subscription_at(bound, place)->id <
                                   cni_script_subscription_at(bound, best)->id))
            best = place;
    }
    return best;
}

/* Calls the remaining receivers; new subscribers receive later events. Returns false when the owner
 * has used up its tick, with what was done in `head`. */
static bool deliver(lua_State *lua, Delivery *delivery)
{
    CniScriptBindings *bound = delivery->bound;
    const CniScriptBound *target = NULL;
    bool is_for_one = delivery->head.target.id != 0;
    if (is_for_one)
        target = cni_script_bound_of(bound->scripts, delivery->head.target);
    if (is_for_one && (!target || target->number != bound->number))
        return true;
    if (!delivery->head.until)
        delivery->head.until = bound->last_id;
    Receivers receivers = {0};
    read_keys(lua, delivery, &receivers);
    begin_lists(delivery, target, &receivers);
    for (uint32_t place; (place = next_receiver(lua, delivery, is_for_one, &receivers));) {
        if (cni_script_is_spent(lua))
            return false;
        CniScriptSubscription own = *cni_script_subscription_at(bound, place);
        cni_script_charge_state(lua, DELIVERY_COST);
        lua_rawgeti(lua, LUA_REGISTRYINDEX, own.function);
        cni_script_call_with(lua, own.owner, push_delivery, delivery);
        delivery->head.done = own.id;
    }
    return true;
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

/* Keeps an event, from its first receiver that was not called, for the next tick. */
static void keep_event(lua_State *lua, const Delivery *delivery)
{
    CniScriptBindings *bound = delivery->bound;
    CnText name = cn_text(
        bound->scripts->messages.topics.items[cni_script_topic_at(bound, delivery->topic)->name]
            .name);
    uint32_t size =
        delivery->is_empty ? 0 : cni_script_topic_at(bound, delivery->topic)->view->info.size;
    CniScriptMessage head = delivery->head;
    head.sender = (uint8_t)bound->number;
    head.is_event = true;
    head.name_size = (uint8_t)name.size;
    head.size = (uint32_t)(sizeof head + name.size + size);
    head.until = head.until ? head.until : bound->last_id;
    cni_script_message_keep(lua, bound, &head, name, delivery->event);
}

/* Returns true when events were delivered. */
static bool deliver_channel(lua_State *lua, CniScriptBindings *bound, uint32_t index)
{
    uint64_t now = cni_script_tick_now(bound);
    CniScriptTopic *topic = cni_script_topic_at(bound, index);
    if (topic->tick != now) {
        topic->tick = now;
        topic->delivered = 0;
    }
    if (topic->delivered >= cn_event_count(topic->channel))
        return false;
    uint32_t size = topic->view->info.size;
    uint8_t *value = lua_newuserdata(lua, size + 1);
    while (cni_script_topic_at(bound, index)->count &&
           cni_script_topic_at(bound, index)->delivered <
               cn_event_count(cni_script_topic_at(bound, index)->channel)) {
        topic = cni_script_topic_at(bound, index); /* subscribing may move it */
        uint32_t event = topic->delivered++;
        if (size)
            read_event(topic, event, value);
        Delivery delivery = {.bound = bound, .topic = index, .event = value, .is_empty = !size};
        if (!deliver(lua, &delivery))
            keep_event(lua, &delivery);
    }
    lua_pop(lua, 1);
    return true;
}

/* Returns whether messages of this sender must wait for the next tick. */
static bool must_wait(lua_State *lua, CniScriptBindings *bound, uint32_t sender)
{
    if (cni_script_is_spent(lua))
        return true;
    bool is_foreign = sender && sender != bound->number && cni_script_is_sandboxed(lua);
    return is_foreign && bound->inbox.used_for[sender] > cni_script_tick_limit(lua) / FOREIGN_SHARE;
}

/* Returns whether a message was delivered to all its receivers, or has none any more. */
static bool deliver_message(lua_State *lua, CniScriptBindings *bound, uint32_t at)
{
    Delivery delivery = {.bound = bound};
    memcpy(&delivery.head, bound->inbox.bytes.items + at, sizeof delivery.head);
    CniScriptMessage *head = &delivery.head;
    const char *name = (const char *)bound->inbox.bytes.items + at + sizeof *head;
    delivery.topic = cni_script_topic_here(bound, (CnText){name, head->name_size});
    if (delivery.topic == UINT32_MAX)
        return true;
    delivery.at = at + (uint32_t)sizeof *head + head->name_size;
    delivery.bytes = head->size - (uint32_t)sizeof *head - head->name_size;
    if (head->is_event) {
        uint32_t size = head->size - (uint32_t)sizeof *head - head->name_size;
        const CniScriptTopic *topic = cni_script_topic_at(bound, delivery.topic);
        if (!topic->view || topic->view->info.size != size)
            return true;
        uint8_t *value = lua_newuserdata(lua, size + 1);
        memcpy(value, bound->inbox.bytes.items + delivery.at, size);
        delivery.event = value;
        delivery.is_empty = !size;
    }
    uint64_t used = cni_script_tick_used(lua);
    bool done = deliver(lua, &delivery);
    bound->inbox.used_for[head->sender] += cni_script_tick_used(lua) - used;
    lua_pop(lua, head->is_event);
    memcpy(bound->inbox.bytes.items + at, head, sizeof *head);
    return done;
}

/* Closes the gap that delivered messages left, also after an error. */
static void compact(CniScriptInbox *inbox)
{
    CN_ASSERT(inbox->kept <= inbox->next && inbox->next <= inbox->bytes.count,
              "the inbox is damaged");
    if (inbox->next > inbox->kept)
        memmove(inbox->bytes.items + inbox->kept, inbox->bytes.items + inbox->next,
                inbox->bytes.count - inbox->next);
    inbox->bytes.count -= inbox->next - inbox->kept;
    inbox->kept = inbox->next = 0;
}

static void begin_inbox(CniScriptInbox *inbox, uint64_t tick)
{
    compact(inbox);
    if (inbox->tick != tick)
        memset(inbox->used_for, 0, sizeof inbox->used_for);
    inbox->tick = tick;
}

/* Delivers what is in the inbox, and keeps what has to wait. */
static bool deliver_inbox(lua_State *lua, CniScriptBindings *bound)
{
    CniScriptInbox *inbox = &bound->inbox;
    begin_inbox(inbox, cni_script_tick_now(bound));
    uint32_t end = inbox->bytes.count, rounds = 0;
    CniScriptMessage head;
    for (uint32_t at = 0; at < end; at += head.size) {
        memcpy(&head, inbox->bytes.items + at, sizeof head);
        inbox->next = at + head.size;
        inbox->bytes_from[head.sender] -= head.size;
        bool waits = rounds == MAX_ROUNDS || must_wait(lua, bound, head.sender);
        rounds += !waits;
        if (!waits && deliver_message(lua, bound, at))
            continue;
        inbox->bytes_from[head.sender] += head.size;
        memmove(inbox->bytes.items + inbox->kept, inbox->bytes.items + at, head.size);
        inbox->kept += head.size;
    }
    compact(inbox);
    return rounds > 0;
}

bool cni_script_bind_events(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    bound->delivering = true;
    bool any = deliver_inbox(lua, bound);
    for (uint32_t i = 0; i < bound->channels.count; i++)
        any |= deliver_channel(lua, bound, *cni_script_channel_at(bound, i));
    bound->delivering = false;
    cni_script_subscriptions_remove_ended(lua, bound);
    return any;
}

void cni_script_bind_count_waiting(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    CniScriptInbox *inbox = &bound->inbox;
    CniScriptMessage head;
    uint32_t count = 0;
    for (uint32_t at = 0; at < inbox->bytes.count; at += head.size, count++)
        memcpy(&head, inbox->bytes.items + at, sizeof head);
    if (count)
        cni_script_count_deferred(lua, count);
    if (inbox->lost)
        cni_script_count_lost(lua, inbox->lost);
    inbox->lost = 0;
}

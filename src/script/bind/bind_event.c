/*
 * Events: channels of the world, and names that only scripts use.
 *
 * Delivery is in PostUpdate: first what waits since the last tick, then the channels, in the order
 * of their first subscription, each event in the order of sending, then the messages that scripts
 * sent under other names, in the order of sending. Receivers are called in the order of their
 * subscriptions. What handlers send is delivered in the same tick; channels and messages are
 * bounded, so delivery terminates.
 *
 * When the owner of the receivers has used up its tick, the rest waits for the next one, oldest
 * first. Messages of other owners may use an eighth of the receivers' tick per sender, so that a
 * flood delays only itself.
 */
#include "script/bind/bind.h"

#include <string.h>

#define MAX_TOPICS 1024u
#define MAX_SUBSCRIPTIONS 65536u
#define MAX_SENT_EVENTS 8192u /* of a sandboxed owner to channels of the world in a tick */
#define MAX_ROUNDS 1000u      /* messages delivered in one call for one state */
#define SEND_COST 50u         /* instructions */
#define SUBSCRIBE_COST 100u
#define DELIVERY_COST 30u
#define FOREIGN_SHARE 8u

static CniScriptTopic *topic_at(const CniScriptBindings *bound, uint32_t index)
{
    CN_ASSERT(index < bound->topics.count, "topic %u of %u", index, bound->topics.count);
    return (CniScriptTopic *)bound->topics.items + index;
}

static CniScriptSubscription *subscription_at(const CniScriptBindings *bound, uint32_t index)
{
    CN_ASSERT(index && index < bound->subscriptions.count, "subscription %u of %u", index,
              bound->subscriptions.count);
    return (CniScriptSubscription *)bound->subscriptions.items + index;
}

static uint32_t *channel_at(const CniScriptBindings *bound, uint32_t index)
{
    CN_ASSERT(index < bound->channels.count, "channel %u of %u", index, bound->channels.count);
    return (uint32_t *)bound->channels.items + index;
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

/* Nobody fills a channel that others use. */
static void take_event(lua_State *lua, CniScriptBindings *bound, const char *name)
{
    uint64_t now = cni_script_tick_now(bound);
    if (bound->sent_tick != now)
        bound->sent_events = 0;
    bound->sent_tick = now;
    if (cni_script_is_sandboxed(lua) && bound->sent_events == MAX_SENT_EVENTS)
        luaL_error(lua, "too many events '%s' in this tick: %d are possible", name,
                   (int)MAX_SENT_EVENTS);
    bound->sent_events++;
}

static void send_to_channel(lua_State *lua, CniScriptBindings *bound,
                            const CnReflectedComponent *reflected)
{
    const CniScriptComponentView *view = cni_script_view_of(lua, bound, reflected);
    CnChannel *channel = open_channel(lua, bound, reflected->component);
    take_event(lua, bound, view->reflected.name);
    if (!view->info.size) {
        cn_signal(channel);
        return;
    }
    lua_settop(lua, 2);
    void *value = cni_script_push_default(lua, view);
    cni_script_read_fields(lua, bound, 2, view, value);
    if (!cn_send_value(channel, value))
        luaL_error(lua, "too many events '%s' in this tick", view->reflected.name);
}

/* send(name, value), or send(object, name, value) */
static int send(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity target = CN_NO_PARENT;
    if (cni_script_to_class(lua, bound, 1, CNI_SCRIPT_CLASS_OBJECT)) {
        target = cni_script_check_entity(lua, 1);
        lua_remove(lua, 1);
    }
    CnText name = check_event_name(lua, 1);
    cni_script_check_may_change(lua, bound);
    cni_script_budget_charge(lua, SEND_COST);
    CnReflectedComponent reflected;
    if (!find_type(lua, bound, name, &reflected)) {
        lua_settop(lua, 2);
        cni_script_message_send(lua, bound, name, target, 2);
        return 0;
    }
    if (target.id)
        return luaL_error(lua,
                          "events '%s' are for everyone; an object receives names that are "
                          "not components",
                          reflected.type ? reflected.type->name : lua_tostring(lua, 1));
    send_to_channel(lua, bound, &reflected);
    return 0;
}

/* ---- Subscribing ---- */

/* Returns the place of a topic, with its entry for this state. */
static uint32_t open_topic(lua_State *lua, CniScriptBindings *bound, CnText name)
{
    CniScriptMessages *messages = &bound->scripts->messages;
    CnReflectedComponent reflected;
    const CniScriptComponentView *view = NULL;
    CnChannel *channel = NULL;
    if (find_type(lua, bound, name, &reflected)) {
        view = cni_script_view_of(lua, bound, &reflected);
        channel = open_channel(lua, bound, reflected.component);
        cni_script_lua_array_reserve(lua, &bound->channels, sizeof(uint32_t),
                                     bound->channels.count + 1);
    }
    uint32_t place = cni_script_topic_find(messages, name);
    bool is_new =
        place == UINT32_MAX || place >= bound->topics.count || !topic_at(bound, place)->first;
    if (is_new && bound->topic_count == MAX_TOPICS)
        luaL_error(lua, "more than %d kinds of events have subscribers", (int)MAX_TOPICS);
    /* Room first: nothing throws after the name was added. */
    uint32_t room = place == UINT32_MAX ? messages->topics.count + 1 : place + 1;
    cni_script_lua_array_reserve(lua, &bound->topics, sizeof(CniScriptTopic), room);
    place = cni_script_topic_open(messages, name);
    if (place == UINT32_MAX)
        cni_script_throw_out_of_memory(lua);
    while (bound->topics.count <= place)
        ((CniScriptTopic *)bound->topics.items)[bound->topics.count++] = (CniScriptTopic){0};
    if (is_new) {
        *topic_at(bound, place) =
            (CniScriptTopic){.channel = channel, .view = view, .tick = UINT64_MAX};
        bound->topic_count++;
        if (channel)
            ((uint32_t *)bound->channels.items)[bound->channels.count++] = place;
    }
    cni_script_topic_read(messages, place, bound->number);
    return place;
}

/* Returns an unused place in the array; there is room. */
static uint32_t take_place(CniScriptBindings *bound)
{
    uint32_t place = bound->free_subscription;
    if (place)
        bound->free_subscription = subscription_at(bound, place)->next;
    else
        place = bound->subscriptions.count++;
    bound->subscription_count++;
    return place;
}

static void link_subscription(CniScriptBindings *bound, uint32_t place, CniScriptBound *owner)
{
    CniScriptSubscription *own = subscription_at(bound, place);
    CniScriptTopic *topic = topic_at(bound, own->topic);
    own->previous = topic->last;
    if (topic->last)
        subscription_at(bound, topic->last)->next = place;
    else
        topic->first = place;
    topic->last = place;
    if (owner->last)
        subscription_at(bound, owner->last)->next_of_owner = place;
    else
        owner->first = place;
    owner->last = place;
}

static int subscribe(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnText name = check_event_name(lua, 1);
    luaL_checktype(lua, 2, LUA_TFUNCTION);
    CniScriptBound *owner = cni_script_bound_of(bound->scripts, bound->scripts->current);
    if (!owner)
        return luaL_error(lua, "only scripts of objects can subscribe to events");
    if (bound->subscription_count == MAX_SUBSCRIPTIONS)
        return luaL_error(lua, "more than %d subscriptions", (int)MAX_SUBSCRIPTIONS);
    cni_script_budget_charge(lua, SUBSCRIBE_COST);
    if (!bound->subscriptions.count)
        memset(cni_script_lua_array_push(lua, &bound->subscriptions, sizeof(CniScriptSubscription)),
               0, sizeof(CniScriptSubscription)); /* place 0 */
    cni_script_lua_array_reserve(lua, &bound->subscriptions, sizeof(CniScriptSubscription),
                                 bound->subscriptions.count + 1);
    lua_pushvalue(lua, 2);
    int function = luaL_ref(lua, LUA_REGISTRYINDEX);
    uint32_t topic = open_topic(lua, bound, name);
    uint32_t place = take_place(bound);
    *subscription_at(bound, place) = (CniScriptSubscription){.id = ++bound->last_id,
                                                             .owner = bound->scripts->current,
                                                             .function = function,
                                                             .topic = topic};
    link_subscription(bound, place, owner);
    lua_pushnumber(lua, (lua_Number)bound->last_id);
    return 1;
}

/* ---- Ending subscriptions ---- */

static void close_topic(CniScriptBindings *bound, uint32_t place)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bound->channels.count; i++)
        if (*channel_at(bound, i) != place)
            *channel_at(bound, kept++) = *channel_at(bound, i);
    bound->channels.count = kept;
    bound->topic_count--;
    *topic_at(bound, place) = (CniScriptTopic){0};
    cni_script_topic_leave(&bound->scripts->messages, place, bound->number);
}

/* Removes a subscription, which no script's list contains, from that of its topic. */
static void unlink_subscription(CniScriptBindings *bound, uint32_t place)
{
    CniScriptSubscription own = *subscription_at(bound, place);
    CniScriptTopic *topic = topic_at(bound, own.topic);
    if (own.previous)
        subscription_at(bound, own.previous)->next = own.next;
    else
        topic->first = own.next;
    if (own.next)
        subscription_at(bound, own.next)->previous = own.previous;
    else
        topic->last = own.previous;
    if (!topic->first)
        close_topic(bound, own.topic);
    *subscription_at(bound, place) =
        (CniScriptSubscription){.function = LUA_NOREF, .next = bound->free_subscription};
    bound->free_subscription = place;
    CN_ASSERT(bound->subscription_count, "more subscriptions end than begin");
    bound->subscription_count--;
}

/* While events are delivered, ended subscriptions stay in the list of their topic. */
static void end_subscription(lua_State *lua, CniScriptBindings *bound, uint32_t place)
{
    CniScriptSubscription *own = subscription_at(bound, place);
    luaL_unref(lua, LUA_REGISTRYINDEX, own->function);
    own->function = LUA_NOREF;
    own->owner = CN_NO_PARENT;
    if (bound->delivering)
        bound->ended_count++;
    else
        unlink_subscription(bound, place);
}

static int unsubscribe(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    lua_Number id = luaL_checknumber(lua, 1);
    CniScriptBound *owner = cni_script_bound_of(bound->scripts, bound->scripts->current);
    uint32_t steps = 0, before = 0;
    uint32_t place = owner ? owner->first : 0;
    while (place && (lua_Number)subscription_at(bound, place)->id != id) {
        before = place;
        place = subscription_at(bound, place)->next_of_owner;
        steps++;
    }
    cni_script_budget_charge(lua, steps);
    if (!place)
        return 0;
    uint32_t next = subscription_at(bound, place)->next_of_owner;
    if (before)
        subscription_at(bound, before)->next_of_owner = next;
    else
        owner->first = next;
    if (owner->last == place)
        owner->last = before;
    end_subscription(lua, bound, place);
    return 0;
}

void cni_script_drop_subscriptions(lua_State *lua, CniScriptBindings *bound, CnEntity object)
{
    CniScriptBound *owner = cni_script_bound_of(bound->scripts, object);
    uint32_t count = 0;
    for (uint32_t place = owner ? owner->first : 0, next; place; place = next, count++) {
        next = subscription_at(bound, place)->next_of_owner;
        end_subscription(lua, bound, place);
    }
    if (owner)
        owner->first = owner->last = 0;
    cni_script_charge_state(lua, count);
}

static void remove_ended(lua_State *lua, CniScriptBindings *bound)
{
    if (!bound->ended_count)
        return;
    bound->ended_count = 0;
    cni_script_charge_state(lua, bound->subscriptions.count / 4);
    for (uint32_t place = 1; place < bound->subscriptions.count; place++)
        if (subscription_at(bound, place)->id &&
            subscription_at(bound, place)->function == LUA_NOREF)
            unlink_subscription(bound, place);
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
    CniScriptBindings *bound;
    uint32_t topic;
    const uint8_t *event; /* of a channel; NULL: a message in the inbox, at */
    uint32_t at;
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
        push_event(lua, bound, topic_at(bound, delivery->topic), delivery->event);
    else
        cni_script_message_push_value(lua, bound, bound->inbox.bytes.items + delivery->at);
    return 1;
}

/* Calls the remaining receivers; new subscribers receive later events. Returns false when the owner
 * has used up its tick, with what was done in `head`. */
static bool deliver(lua_State *lua, Delivery *delivery)
{
    CniScriptBindings *bound = delivery->bound;
    const CniScriptBound *target = NULL;
    if (delivery->head.target.id)
        target = cni_script_bound_of(bound->scripts, delivery->head.target);
    if (delivery->head.target.id && (!target || target->number != bound->number))
        return true;
    if (!delivery->head.until)
        delivery->head.until = bound->last_id;
    uint32_t place = target ? target->first : topic_at(bound, delivery->topic)->first;
    while (place) {
        CniScriptSubscription own = *subscription_at(bound, place);
        bool receives = own.topic == delivery->topic && own.id > delivery->head.done &&
                        own.id <= delivery->head.until && own.function != LUA_NOREF;
        if (receives) {
            if (cni_script_is_spent(lua))
                return false;
            cni_script_charge_state(lua, DELIVERY_COST);
            lua_rawgeti(lua, LUA_REGISTRYINDEX, own.function);
            cni_script_call_with(lua, own.owner, push_delivery, delivery);
            delivery->head.done = own.id;
            own = *subscription_at(bound, place); /* with what was added behind it */
        }
        place = target ? own.next_of_owner : own.next;
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
    CnText name = cn_text(bound->scripts->messages.topics.items[delivery->topic].name);
    uint32_t size = delivery->is_empty ? 0 : topic_at(bound, delivery->topic)->view->info.size;
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
    CniScriptTopic *topic = topic_at(bound, index);
    if (topic->tick != now) {
        topic->tick = now;
        topic->delivered = 0;
    }
    if (topic->delivered >= cn_event_count(topic->channel))
        return false;
    uint32_t size = topic->view->info.size;
    uint8_t *value = lua_newuserdata(lua, size + 1);
    while (topic_at(bound, index)->first &&
           topic_at(bound, index)->delivered < cn_event_count(topic_at(bound, index)->channel)) {
        topic = topic_at(bound, index); /* subscribing may move it */
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
    delivery.topic =
        cni_script_topic_find(&bound->scripts->messages, (CnText){name, head->name_size});
    if (delivery.topic >= bound->topics.count || !topic_at(bound, delivery.topic)->first)
        return true;
    delivery.at = at + (uint32_t)sizeof *head + head->name_size;
    if (head->is_event) {
        uint32_t size = head->size - (uint32_t)sizeof *head - head->name_size;
        const CniScriptTopic *topic = topic_at(bound, delivery.topic);
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
        any |= deliver_channel(lua, bound, *channel_at(bound, i));
    bound->delivering = false;
    remove_ended(lua, bound);
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

static const CniScriptBinding rows[] = {
    {"send", CNI_SCRIPT_FUNCTION, send, NULL, "(name: string|Object, fields?: any, value?: any)",
     "Sends an event: an event type of the world with its fields, or any other name with plain "
     "values. It is delivered in the same tick, after all scripts have run. send(object, name, "
     "value) sends to the script of one object only."},
    {"subscribe", CNI_SCRIPT_FUNCTION, subscribe, NULL,
     "(name: string, handler: fun(event: any)): number",
     "Calls the function for each event of this name. Call it in the body of the script, so that "
     "it is called "
     "again when the script is reloaded."},
    {"unsubscribe", CNI_SCRIPT_FUNCTION, unsubscribe, NULL, "(subscription: number)",
     "Removes a subscription."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_event = {NULL, "Events", rows};

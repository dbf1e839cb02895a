/*
 * Subscriptions to events. Those without a filter are in the list of their topic; those with one
 * are found by the hash of what the filter compares, so that an event costs nothing for those it
 * does not concern.
 *
 * What the body of a script subscribes is numbered. After a restore the body runs again, and each
 * subscription takes over its id, and so its place among the receivers: see script_owners_save.c.
 */
#include "script/bind/bind_event.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TOPICS 1024u
#define MAX_SUBSCRIPTIONS 65536u
#define SUBSCRIBE_COST 100u /* instructions */

/* ---- Lists of subscriptions ---- */

static uint64_t hash_of(uint32_t topic, const CniScriptKey *key)
{
    return cn_hash_mix(cn_hash_mix(key->bits) ^ (uint64_t)topic << 16 ^ (uint64_t)key->kind << 8 ^
                       key->field);
}

static CniScriptBucket *bucket_of(const CniScriptBindings *bound, uint32_t topic,
                                  const CniScriptKey *key)
{
    CN_ASSERT(bound->buckets.count, "a key is looked for without buckets");
    uint64_t place = hash_of(topic, key) & (bound->buckets.count - 1);
    return (CniScriptBucket *)bound->buckets.items + place;
}

uint32_t cni_script_bucket_first(const CniScriptBindings *bound, uint32_t topic,
                                 const CniScriptKey *key)
{
    return bound->buckets.count ? bucket_of(bound, topic, key)->first : 0;
}

/* Stores the ends of the list in which a subscription is. */
static void ends_of(const CniScriptBindings *bound, const CniScriptSubscription *own,
                    uint32_t **first, uint32_t **last)
{
    CniScriptTopic *topic = cni_script_topic_at(bound, own->topic);
    CniScriptBucket *bucket = own->key.kind ? bucket_of(bound, own->topic, &own->key) : NULL;
    *first = bucket ? &bucket->first : &topic->first;
    *last = bucket ? &bucket->last : &topic->last;
}

static void append(CniScriptBindings *bound, uint32_t place)
{
    CniScriptSubscription *own = cni_script_subscription_at(bound, place);
    uint32_t *first, *last;
    ends_of(bound, own, &first, &last);
    own->previous = *last;
    own->next = 0;
    if (*last)
        cni_script_subscription_at(bound, *last)->next = place;
    else
        *first = place;
    *last = place;
}

static void unlink_subscription(CniScriptBindings *bound, uint32_t place)
{
    CniScriptSubscription own = *cni_script_subscription_at(bound, place);
    uint32_t *first, *last;
    ends_of(bound, &own, &first, &last);
    if (own.previous)
        cni_script_subscription_at(bound, own.previous)->next = own.next;
    else
        *first = own.next;
    if (own.next)
        cni_script_subscription_at(bound, own.next)->previous = own.previous;
    else
        *last = own.previous;
}

/* Distributes all keys over twice as many buckets; each list splits and keeps its order. */
static void grow_buckets(lua_State *lua, CniScriptBindings *bound)
{
    CniScriptLuaArray old = bound->buckets, more = {0};
    if (bound->filter_count < old.count)
        return;
    cni_script_lua_array_reserve(lua, &more, sizeof(CniScriptBucket),
                                 old.count ? old.count * 2 : 16);
    more.count = more.capacity;
    memset(more.items, 0, more.count * sizeof(CniScriptBucket));
    cni_script_budget_charge(lua, more.count);
    bound->buckets = more;
    for (uint32_t i = 0; i < old.count; i++)
        for (uint32_t place = ((CniScriptBucket *)old.items)[i].first, next; place; place = next) {
            next = cni_script_subscription_at(bound, place)->next;
            append(bound, place);
        }
    if (old.items)
        luaL_unref(lua, LUA_REGISTRYINDEX, old.reference);
}

/* ---- Keys ---- */

bool cni_script_key_of_value(lua_State *lua, const CniScriptBindings *bound, int index,
                             CniScriptKey *key)
{
    *key = (CniScriptKey){0};
    int type = lua_type(lua, index);
    if (type == LUA_TBOOLEAN) {
        *key = (CniScriptKey){.bits = (uint64_t)lua_toboolean(lua, index),
                              .kind = CNI_SCRIPT_KEY_BOOLEAN};
    } else if (type == LUA_TNUMBER) {
        double number = lua_tonumber(lua, index) + 0.0; /* -0 is 0 */
        key->kind = number == number ? CNI_SCRIPT_KEY_NUMBER : CNI_SCRIPT_KEY_NONE;
        memcpy(&key->bits, &number, sizeof number);
    } else if (type == LUA_TSTRING) {
        size_t size;
        const char *text = lua_tolstring(lua, index, &size);
        *key = (CniScriptKey){.bits = cn_hash_bytes(text, size, 0), .kind = CNI_SCRIPT_KEY_TEXT};
    } else {
        const CniScriptLuaObject *object =
            cni_script_to_class(lua, bound, index, CNI_SCRIPT_CLASS_OBJECT);
        if (object)
            *key = (CniScriptKey){.bits = object->entity.id, .kind = CNI_SCRIPT_KEY_OBJECT};
    }
    return key->kind != CNI_SCRIPT_KEY_NONE;
}

typedef struct Filter {
    const char *field; /* NULL: none */
    CniScriptKey key;
} Filter;

static Filter check_filter(lua_State *lua, const CniScriptBindings *bound, int index)
{
    static const char wrong[] = "a filter has one field and its value, such as {target = this}";
    Filter filter = {0};
    size_t size = 0;
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
        if (filter.field || lua_type(lua, -2) != LUA_TSTRING)
            luaL_argerror(lua, index, wrong);
        filter.field = lua_tolstring(lua, -2, &size);
        if (!size || size >= CNI_SCRIPT_FIELD_BYTES || memchr(filter.field, 0, size))
            luaL_argerror(lua, index, "a field of a filter has a name of 1 to 31 bytes");
        if (!cni_script_key_of_value(lua, bound, lua_gettop(lua), &filter.key))
            luaL_argerror(lua, index, "a filter compares a number, a text, a boolean or an object");
    }
    if (!filter.field)
        luaL_argerror(lua, index, wrong);
    return filter;
}

/* Stores which field of the topic the filter compares; there is a free one. */
static void open_field(CniScriptTopic *topic, Filter *filter)
{
    uint32_t place = CNI_SCRIPT_MAX_FILTER_FIELDS;
    for (uint32_t i = CNI_SCRIPT_MAX_FILTER_FIELDS; i-- > 0;)
        if (!topic->fields[i].count)
            place = i;
    for (uint32_t i = 0; i < CNI_SCRIPT_MAX_FILTER_FIELDS; i++)
        if (topic->fields[i].count && !strcmp(topic->fields[i].name, filter->field))
            place = i;
    CN_ASSERT(place < CNI_SCRIPT_MAX_FILTER_FIELDS, "a topic has no room for a field");
    filter->key.field = (uint8_t)place;
    cn_copy_text(topic->fields[place].name, CNI_SCRIPT_FIELD_BYTES, cn_text(filter->field));
    topic->fields[place].count++;
}

/* Throws if the field cannot be one of this topic. */
static void check_field(lua_State *lua, const CniScriptTopic *topic, const Filter *filter)
{
    bool has_room = false;
    if (topic->view) {
        const CnReflectedMember *item = cni_script_view_item(topic->view, cn_text(filter->field));
        CnReflectedShape shape = item ? cn_reflection_shape(item) : (CnReflectedShape){0};
        if (!item || shape.elements != 1 || shape.form == CN_REFLECTED_VECTOR)
            luaL_error(lua, "events '%s' have no field '%s' that a filter can compare",
                       topic->view->reflected.name, filter->field);
    }
    for (uint32_t i = 0; i < CNI_SCRIPT_MAX_FILTER_FIELDS; i++)
        has_room |= !topic->fields[i].count || !strcmp(topic->fields[i].name, filter->field);
    if (!has_room)
        luaL_error(lua, "filters of one kind of event compare at most %d different fields",
                   (int)CNI_SCRIPT_MAX_FILTER_FIELDS);
}

/* ---- Topics ---- */

static uint32_t tag_of(CnText name)
{
    return (uint32_t)cn_hash_bytes(name.data, name.size, 0);
}

uint32_t cni_script_subscription_tag(const CniScriptBindings *bound,
                                     const CniScriptSubscription *subscription)
{
    uint32_t name = cni_script_topic_at(bound, subscription->topic)->name;
    return tag_of(cn_text(bound->scripts->messages.topics.items[name].name));
}

uint32_t cni_script_topic_here(const CniScriptBindings *bound, CnText name)
{
    uint32_t place = cni_script_topic_find(&bound->scripts->messages, name);
    if (place >= bound->topic_of.count || !bound->topic_of.items[place])
        return UINT32_MAX;
    return bound->topic_of.items[place] - 1;
}

/* Adds a name to those of the world, and returns its place. Nothing throws afterwards. */
static uint32_t open_name(lua_State *lua, CniScriptBindings *bound, CnText name)
{
    CniScriptMessages *messages = &bound->scripts->messages;
    uint64_t room = (uint64_t)messages->topics.count + 1;
    if (!cn_array_reserve(&bound->topic_of, room))
        cni_script_throw_out_of_memory(lua);
    uint32_t place = cni_script_topic_open(messages, name);
    if (place == UINT32_MAX)
        cni_script_throw_out_of_memory(lua);
    while (bound->topic_of.count <= place)
        bound->topic_of.items[bound->topic_of.count++] = 0;
    return place;
}

/* Returns an unused entry; there is room for one. */
static uint32_t take_topic(CniScriptBindings *bound)
{
    uint32_t place = 0;
    while (place < bound->topics.count && cni_script_topic_at(bound, place)->count)
        place++;
    bound->topics.count += place == bound->topics.count;
    return place;
}

/* Returns the topic of a name in this state; a new one has no subscriptions yet. */
static uint32_t open_topic(lua_State *lua, CniScriptBindings *bound, CnText name,
                           const Filter *filter)
{
    CnReflectedComponent reflected;
    uint32_t place = cni_script_topic_here(bound, name);
    if (place != UINT32_MAX) {
        if (filter->field)
            check_field(lua, cni_script_topic_at(bound, place), filter);
        return place;
    }
    if (bound->topic_count == MAX_TOPICS)
        luaL_error(lua, "more than %d kinds of events have subscribers", (int)MAX_TOPICS);
    CniScriptTopic topic = {.tick = UINT64_MAX};
    if (cni_script_find_event(lua, bound, name, &reflected)) {
        topic.view = cni_script_view_of(lua, bound, &reflected);
        topic.channel = cni_script_event_channel(lua, bound, reflected.component);
    }
    if (filter->field)
        check_field(lua, &topic, filter);
    cni_script_lua_array_reserve(lua, &bound->topics, sizeof topic, bound->topics.count + 1);
    cni_script_lua_array_reserve(lua, &bound->channels, sizeof(uint32_t),
                                 bound->channels.count + 1);
    topic.name = open_name(lua, bound, name);
    place = take_topic(bound);
    *cni_script_topic_at(bound, place) = topic;
    bound->topic_of.items[topic.name] = place + 1;
    bound->topic_count++;
    if (topic.channel)
        ((uint32_t *)bound->channels.items)[bound->channels.count++] = place;
    cni_script_topic_read(&bound->scripts->messages, topic.name, bound->number);
    return place;
}

static void close_topic(CniScriptBindings *bound, uint32_t place)
{
    uint32_t kept = 0, name = cni_script_topic_at(bound, place)->name;
    for (uint32_t i = 0; i < bound->channels.count; i++)
        if (*cni_script_channel_at(bound, i) != place)
            *cni_script_channel_at(bound, kept++) = *cni_script_channel_at(bound, i);
    bound->channels.count = kept;
    bound->topic_count--;
    bound->topic_of.items[name] = 0;
    *cni_script_topic_at(bound, place) = (CniScriptTopic){0};
    cni_script_topic_leave(&bound->scripts->messages, name, bound->number);
}

/* ---- Subscribing ---- */

/* Returns an unused place in the array; there is room. */
static uint32_t take_place(CniScriptBindings *bound)
{
    uint32_t place = bound->free_subscription;
    if (place)
        bound->free_subscription = cni_script_subscription_at(bound, place)->next;
    else
        place = bound->subscriptions.count++;
    bound->subscription_count++;
    return place;
}

static void link_to_owner(CniScriptBindings *bound, uint32_t place, CniScriptBound *owner)
{
    if (owner->last)
        cni_script_subscription_at(bound, owner->last)->next_of_owner = place;
    else
        owner->first = place;
    owner->last = place;
}

/* Makes room for one more, so that nothing throws later. */
static void reserve(lua_State *lua, CniScriptBindings *bound, const Filter *filter)
{
    size_t bytes = sizeof(CniScriptSubscription);
    if (!bound->subscriptions.count)
        memset(cni_script_lua_array_push(lua, &bound->subscriptions, bytes), 0, bytes);
    cni_script_lua_array_reserve(lua, &bound->subscriptions, bytes, bound->subscriptions.count + 1);
    if (filter->field)
        grow_buckets(lua, bound);
}

static uint64_t add(lua_State *lua, CniScriptBindings *bound, CniScriptBound *owner, CnText name,
                    Filter *filter, CniScriptKept kept)
{
    reserve(lua, bound, filter);
    lua_pushvalue(lua, lua_gettop(lua));
    int function = luaL_ref(lua, LUA_REGISTRYINDEX);
    uint32_t topic = open_topic(lua, bound, name, filter);
    if (filter->field)
        open_field(cni_script_topic_at(bound, topic), filter);
    bound->filter_count += filter->field != NULL;
    cni_script_topic_at(bound, topic)->count++;
    uint32_t place = take_place(bound);
    uint64_t id = kept.id ? kept.id : ++bound->last_id;
    *cni_script_subscription_at(bound, place) =
        (CniScriptSubscription){.id = id,
                                .owner = bound->scripts->current,
                                .key = filter->key,
                                .function = function,
                                .topic = topic,
                                .number = kept.number};
    append(bound, place);
    link_to_owner(bound, place, owner);
    return id;
}

/* subscribe(name, handler), or subscribe(name, filter, handler) */
int cni_script_subscribe(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnText name = cni_script_check_event_name(lua, 1);
    Filter filter = {0};
    if (lua_istable(lua, 2)) {
        lua_settop(lua, 3);
        filter = check_filter(lua, bound, 2);
    } else {
        lua_settop(lua, 2);
    }
    luaL_checktype(lua, lua_gettop(lua), LUA_TFUNCTION);
    CniScriptBound *owner = cni_script_bound_of(bound->scripts, bound->scripts->current);
    if (!owner)
        return luaL_error(lua, "only scripts of objects can subscribe to events");
    if (bound->subscription_count == MAX_SUBSCRIPTIONS)
        return luaL_error(lua, "more than %d subscriptions", (int)MAX_SUBSCRIPTIONS);
    cni_script_budget_charge(lua, SUBSCRIBE_COST);
    CniScriptKept kept = cni_script_take_kept(bound->scripts, owner, tag_of(name));
    uint64_t id = kept.has_ended ? 0 : add(lua, bound, owner, name, &filter, kept);
    lua_pushnumber(lua, (lua_Number)id);
    return 1;
}

/* ---- Ending subscriptions ---- */

/* Removes a subscription, which no script's list contains, from that of its topic. */
static void remove_subscription(CniScriptBindings *bound, uint32_t place)
{
    CniScriptSubscription own = *cni_script_subscription_at(bound, place);
    CniScriptTopic *topic = cni_script_topic_at(bound, own.topic);
    CN_ASSERT(topic->count && bound->subscription_count, "more subscriptions end than begin");
    unlink_subscription(bound, place);
    if (own.key.kind) {
        topic->fields[own.key.field].count--;
        bound->filter_count--;
    }
    if (!--topic->count)
        close_topic(bound, own.topic);
    *cni_script_subscription_at(bound, place) =
        (CniScriptSubscription){.function = LUA_NOREF, .next = bound->free_subscription};
    bound->free_subscription = place;
    bound->subscription_count--;
}

/* While events are delivered, ended subscriptions stay in the list of their topic. */
static void end_subscription(lua_State *lua, CniScriptBindings *bound, uint32_t place)
{
    CniScriptSubscription *own = cni_script_subscription_at(bound, place);
    luaL_unref(lua, LUA_REGISTRYINDEX, own->function);
    own->function = LUA_NOREF;
    own->owner = CN_NO_PARENT;
    if (bound->delivering)
        bound->ended_count++;
    else
        remove_subscription(bound, place);
}

int cni_script_unsubscribe(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    lua_Number id = luaL_checknumber(lua, 1);
    CniScriptBound *owner = cni_script_bound_of(bound->scripts, bound->scripts->current);
    uint32_t steps = 0, before = 0;
    uint32_t place = owner ? owner->first : 0;
    while (place && (lua_Number)cni_script_subscription_at(bound, place)->id != id) {
        before = place;
        place = cni_script_subscription_at(bound, place)->next_of_owner;
        steps++;
    }
    cni_script_budget_charge(lua, steps);
    if (!place)
        return 0;
    uint32_t next = cni_script_subscription_at(bound, place)->next_of_owner;
    if (before)
        cni_script_subscription_at(bound, before)->next_of_owner = next;
    else
        owner->first = next;
    if (owner->last == place)
        owner->last = before;
    const CniScriptSubscription *own = cni_script_subscription_at(bound, place);
    cni_script_note_ended(bound->scripts, own->owner, own->number,
                          cni_script_subscription_tag(bound, own));
    end_subscription(lua, bound, place);
    return 0;
}

void cni_script_drop_subscriptions(lua_State *lua, CniScriptBindings *bound, CnEntity object)
{
    CniScriptBound *owner = cni_script_bound_of(bound->scripts, object);
    uint32_t count = 0;
    for (uint32_t place = owner ? owner->first : 0, next; place; place = next, count++) {
        next = cni_script_subscription_at(bound, place)->next_of_owner;
        end_subscription(lua, bound, place);
    }
    if (owner)
        owner->first = owner->last = 0;
    cni_script_charge_state(lua, count);
}

void cni_script_subscriptions_remove_ended(lua_State *lua, CniScriptBindings *bound)
{
    if (!bound->ended_count)
        return;
    bound->ended_count = 0;
    cni_script_charge_state(lua, bound->subscriptions.count / 4);
    for (uint32_t place = 1; place < bound->subscriptions.count; place++)
        if (cni_script_subscription_at(bound, place)->id &&
            cni_script_subscription_at(bound, place)->function == LUA_NOREF)
            remove_subscription(bound, place);
}

/* ---- After a restore ---- */

typedef struct Order {
    uint64_t id;
    uint32_t place;
} Order;

static int compare(const void *left, const void *right)
{
    const Order *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

bool cni_script_subscriptions_sort(CniScriptBindings *bound)
{
    uint32_t count = 0, size = bound->subscription_count;
    if (!size)
        return true;
    Order *order = cn_alloc(bound->scripts->allocator, size * sizeof *order);
    if (!order)
        return false;
    for (uint32_t place = 1; place < bound->subscriptions.count && count < size; place++)
        if (cni_script_subscription_at(bound, place)->id)
            order[count++] = (Order){cni_script_subscription_at(bound, place)->id, place};
    qsort(order, count, sizeof *order, compare);
    for (uint32_t i = 0; i < bound->topics.count; i++)
        cni_script_topic_at(bound, i)->first = cni_script_topic_at(bound, i)->last = 0;
    if (bound->buckets.count)
        memset(bound->buckets.items, 0, bound->buckets.count * sizeof(CniScriptBucket));
    for (uint32_t i = 0; i < count; i++)
        append(bound, order[i].place);
    cn_free(bound->scripts->allocator, order, size * sizeof *order);
    return true;
}

/* Returns the place of a channel's name in the list, or its length. */
static uint32_t rank_of(const CniScriptBindings *bound, uint32_t channel,
                        const char (*names)[CN_MAX_NAME_BYTES], uint32_t count)
{
    uint32_t rank = 0, name = cni_script_topic_at(bound, channel)->name;
    while (rank < count && strcmp(names[rank], bound->scripts->messages.topics.items[name].name))
        rank++;
    return rank;
}

void cni_script_channels_sort(CniScriptBindings *bound, const char (*names)[CN_MAX_NAME_BYTES],
                              uint32_t count)
{
    uint32_t *items = bound->channels.items;
    for (uint32_t i = 1; i < bound->channels.count; i++)
        for (uint32_t k = i; k && rank_of(bound, items[k - 1], names, count) >
                                      rank_of(bound, items[k], names, count);
             k--) {
            uint32_t other = items[k];
            items[k] = items[k - 1];
            items[k - 1] = other;
        }
}

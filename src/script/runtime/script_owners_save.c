/*
 * What the engine keeps for the owners of scripts, as a state section:
 *
 *     u32 version
 *     u32 owners; for each: u8 size, name ("": trusted scripts), u64 key and u64 counter of random
 *         numbers, u64 last id, u32 objects, u64 each, u32 channels, u8 size and name of each,
 *         u32 size of its inbox, messages
 *     u32 size, messages that were sent after the last delivery
 *     u32 things that bodies made; for each a SavedKept
 *
 * Senders in messages are places in the list of owners. The section is restored before bodies of
 * scripts run again. What a body then makes takes over the id of what it made the first time, and
 * timers their time; what has ended since is not made again. So receivers are called in the same
 * order, and an event that was delivered to some of them continues with the others. Without
 * anything to save, the section is empty, as in states of older versions.
 */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#include <cairn/base/bytes.h>
#include <cairn/sim/loop.h>
#include <stdlib.h>

#define VERSION 1u
#define MAX_CHANNELS 1024u
#define MAX_KEPT (1u << 22)

typedef struct SavedKept {
    uint64_t object, id, due;
    uint32_t number, tag, has_ended, zero;
} SavedKept;
_Static_assert(sizeof(SavedKept) == 40, "what bodies made is saved without padding");

/* ---- What bodies of scripts made ---- */

static int compare(const void *left, const void *right)
{
    const CniScriptKept *a = left, *b = right;
    if (a->object.id != b->object.id)
        return a->object.id < b->object.id ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void note_ended(CniScriptRuntime *runtime, CniScriptBound *bound, CniScriptKept kept)
{
    kept.id = kept.due = 0;
    kept.has_ended = true;
    bound->ended += cn_array_push(&runtime->ended, kept); /* without memory, it begins again */
}

void cni_script_note_ended(CniScriptContext *scripts, CnEntity object, uint32_t number,
                           uint32_t tag)
{
    CniScriptBound *bound = number ? cni_script_bound_of(scripts, object) : NULL;
    if (bound)
        note_ended(cni_script_runtime(scripts), bound,
                   (CniScriptKept){.object = object, .number = number, .tag = tag});
}

void cni_script_forget_ended(CniScriptContext *scripts, CnEntity object)
{
    CniScriptRuntime *runtime = cni_script_runtime(scripts);
    CniScriptBound *bound = cni_script_bound_of(scripts, object);
    uint32_t count = 0;
    if (!bound || !bound->ended)
        return;
    for (uint32_t i = 0; i < runtime->ended.count; i++)
        if (runtime->ended.items[i].object.id != object.id)
            runtime->ended.items[count++] = runtime->ended.items[i];
    runtime->ended.count = count;
    bound->ended = 0;
}

CniScriptKept cni_script_take_kept(CniScriptContext *scripts, CniScriptBound *bound, uint32_t tag)
{
    CniScriptRuntime *runtime = cni_script_runtime(scripts);
    CniScriptKept fresh = {.object = scripts->body, .tag = tag};
    if (!scripts->body.id || !cn_entity_equal(scripts->body, scripts->current))
        return (CniScriptKept){0};
    fresh.number = ++bound->made;
    const CniScriptKept *kept =
        runtime->kept.count
            ? bsearch(&fresh, runtime->kept.items, runtime->kept.count, sizeof fresh, compare)
            : NULL;
    if (!kept || kept->tag != tag)
        return fresh;
    if (kept->has_ended)
        note_ended(runtime, bound, *kept);
    return *kept;
}

/* ---- Saving ---- */

static bool put(CnU8Array *bytes, const void *data, size_t size)
{
    return cn_bytes_append(bytes, data, size);
}

static bool put_u32(CnU8Array *bytes, uint32_t value)
{
    return put(bytes, &value, sizeof value);
}

static bool put_name(CnU8Array *bytes, const char *name)
{
    uint8_t size = (uint8_t)strlen(name);
    return put(bytes, &size, 1) && put(bytes, name, size);
}

static bool is_idle(const CniScriptLuaState *state, const CniScriptBindings *bound)
{
    return !state->random.counter && !bound->last_id && !bound->spawned.count &&
           !bound->inbox.bytes.count;
}

/* Lists all states, because any may be a sender, and stores where each is in the list. Returns 0 if
 * none has anything to save. */
static uint32_t list_states(CniScriptRuntime *runtime, CniScriptLuaState **list,
                            uint8_t place_of[CNI_SCRIPT_MAX_STATES])
{
    uint32_t count = 0;
    bool has_something = runtime->shared.messages.committed > 0;
    for (uint32_t i = 0; i < cni_script_state_count(runtime); i++) {
        CniScriptLuaState *state = cni_script_state_at(runtime, i);
        if (!state->lua)
            continue;
        has_something |= !is_idle(state, cni_script_bindings_of(state->lua));
        place_of[state->number] = (uint8_t)count;
        list[count++] = state;
    }
    return has_something ? count : 0;
}

static bool put_messages(CnU8Array *bytes, const uint8_t *messages, uint32_t size,
                         const uint8_t place_of[CNI_SCRIPT_MAX_STATES])
{
    bool done = put_u32(bytes, size);
    CniScriptMessage head;
    for (uint32_t at = 0; at < size && done; at += head.size) {
        CniScriptMessage saved;
        memcpy(&head, messages + at, sizeof head);
        memset(&saved, 0, sizeof saved); /* the padding, too */
        saved.size = head.size;
        saved.sender = place_of[head.sender];
        saved.name_size = head.name_size;
        saved.is_event = head.is_event;
        saved.target = head.target;
        saved.until = head.until;
        saved.done = head.done;
        done = put(bytes, &saved, sizeof saved) &&
               put(bytes, messages + at + sizeof head, head.size - sizeof head);
    }
    return done;
}

static bool put_channels(CnU8Array *bytes, const CniScriptBindings *bound)
{
    bool done = put_u32(bytes, bound->channels.count);
    for (uint32_t i = 0; i < bound->channels.count && done; i++) {
        uint32_t topic = ((const uint32_t *)bound->channels.items)[i];
        uint32_t name = ((const CniScriptTopic *)bound->topics.items)[topic].name;
        done = put_name(bytes, bound->scripts->messages.topics.items[name].name);
    }
    return done;
}

static bool put_owner(CnU8Array *bytes, const CniScriptLuaState *state,
                      const uint8_t place_of[CNI_SCRIPT_MAX_STATES])
{
    const CniScriptBindings *bound = cni_script_bindings_of(state->lua);
    return put_name(bytes, state->sandboxed ? state->owner : "") &&
           put(bytes, &state->random.key, 8) && put(bytes, &state->random.counter, 8) &&
           put(bytes, &bound->last_id, 8) && put_u32(bytes, bound->spawned.count) &&
           (!bound->spawned.count ||
            put(bytes, bound->spawned.items, bound->spawned.count * sizeof(CnEntity))) &&
           put_channels(bytes, bound) &&
           put_messages(bytes, bound->inbox.bytes.items, bound->inbox.bytes.count, place_of);
}

static bool add_kept(CniScriptRuntime *runtime, const CniScriptLuaState *state)
{
    const CniScriptBindings *bound = cni_script_bindings_of(state->lua);
    const CniScriptSubscription *subscription = bound->subscriptions.items;
    const CniScriptTimer *timer = bound->timers.items;
    bool done = true;
    for (uint32_t i = 1; i < bound->subscriptions.count && done; i++)
        if (subscription[i].number && subscription[i].function != LUA_NOREF)
            done = cn_array_push(
                &runtime->kept,
                ((CniScriptKept){.object = subscription[i].owner,
                                 .id = subscription[i].id,
                                 .number = subscription[i].number,
                                 .tag = cni_script_subscription_tag(bound, &subscription[i])}));
    for (uint32_t i = 0; i < bound->timers.count && done; i++)
        if (timer[i].number && timer[i].function != LUA_NOREF)
            done = cn_array_push(&runtime->kept, ((CniScriptKept){.object = timer[i].owner,
                                                                  .id = timer[i].id,
                                                                  .due = timer[i].due,
                                                                  .number = timer[i].number,
                                                                  .tag = timer[i].tag}));
    return done;
}

/* Saves what bodies made, in order of objects; runtime->kept is only used as memory. */
static bool put_kept(CnU8Array *bytes, CniScriptRuntime *runtime)
{
    bool done = true;
    cn_array_clear(&runtime->kept);
    for (uint32_t i = 0; i < cni_script_state_count(runtime) && done; i++)
        if (cni_script_state_at(runtime, i)->lua)
            done = add_kept(runtime, cni_script_state_at(runtime, i));
    for (uint32_t i = 0; i < runtime->ended.count && done; i++)
        done = cn_array_push(&runtime->kept, runtime->ended.items[i]);
    if (done && runtime->kept.count)
        qsort(runtime->kept.items, runtime->kept.count, sizeof *runtime->kept.items, compare);
    done = done && put_u32(bytes, runtime->kept.count);
    for (uint32_t i = 0; i < runtime->kept.count && done; i++) {
        const CniScriptKept *kept = &runtime->kept.items[i];
        SavedKept saved = {kept->object.id, kept->id,        kept->due, kept->number,
                           kept->tag,       kept->has_ended, 0};
        done = put(bytes, &saved, sizeof saved);
    }
    cn_array_clear(&runtime->kept);
    return done;
}

static bool save(void *user, CnU8Array *bytes, CnError *error)
{
    CniScriptRuntime *runtime = user;
    const CniScriptMessages *messages = &runtime->shared.messages;
    CniScriptLuaState *states[CNI_SCRIPT_MAX_STATES];
    uint8_t place_of[CNI_SCRIPT_MAX_STATES] = {0};
    uint32_t count = list_states(runtime, states, place_of);
    if (!count)
        return true;
    bool done = put_u32(bytes, VERSION) && put_u32(bytes, count);
    for (uint32_t i = 0; i < count && done; i++)
        done = put_owner(bytes, states[i], place_of);
    done = done && put_messages(bytes, messages->sent.items, messages->committed, place_of) &&
           put_kept(bytes, runtime);
    return done || cn_error_memory(error, "saving what owners of scripts have");
}

/* ---- Restoring ---- */

typedef struct Restoring {
    const uint8_t *bytes;
    size_t size, at;
    CniScriptLuaState *states[CNI_SCRIPT_MAX_STATES];
    uint32_t count;
    /* Of the owner that is being read. */
    uint32_t objects;
    const uint8_t *object_ids;
} Restoring;

static bool damaged(CnError *error)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "the saved state of owners of scripts is damaged");
}

static const uint8_t *take(Restoring *from, size_t size)
{
    if (size > from->size - from->at)
        return NULL;
    from->at += size;
    return from->bytes + from->at - size;
}

static bool take_u32(Restoring *from, uint32_t *value)
{
    const uint8_t *bytes = take(from, 4);
    *value = bytes ? cn_load_u32(bytes) : 0;
    return bytes != NULL;
}

static bool take_u64(Restoring *from, uint64_t *value)
{
    const uint8_t *bytes = take(from, 8);
    *value = bytes ? cn_load_u64(bytes) : 0;
    return bytes != NULL;
}

static bool take_name(Restoring *from, char *name, size_t name_bytes)
{
    const uint8_t *size = take(from, 1), *text = size ? take(from, *size) : NULL;
    return text && !memchr(text, 0, *size) &&
           cn_copy_text(name, name_bytes, (CnText){(const char *)text, *size});
}

static void reset(CniScriptLuaState *state)
{
    CniScriptBindings *bound = state->lua ? cni_script_bindings_of(state->lua) : NULL;
    state->random = (CnRandom){0};
    if (!bound)
        return;
    bound->last_id = 0;
    bound->spawned.count = bound->pending.count = bound->timers.count = 0;
    bound->timer_count = 0;
    cn_array_clear(&bound->inbox.bytes);
    memset(bound->inbox.bytes_from, 0, sizeof bound->inbox.bytes_from);
    bound->inbox.kept = bound->inbox.next = 0;
    bound->inbox.tick = bound->sent_tick = bound->log_tick = UINT64_MAX;
}

static void reset_all(CniScriptRuntime *runtime)
{
    CniScriptMessages *messages = &runtime->shared.messages;
    cni_script_instances_clear(runtime); /* ends timers and subscriptions */
    for (uint32_t i = 0; i < cni_script_state_count(runtime); i++)
        reset(cni_script_state_at(runtime, i));
    messages->committed = messages->sent.count = 0;
    memset(messages->sent_bytes, 0, sizeof messages->sent_bytes);
    cn_array_clear(&runtime->kept);
    cn_array_clear(&runtime->ended);
    cn_array_clear(&runtime->channel_names);
}

static void load_objects(lua_State *lua, void *user)
{
    const Restoring *from = user;
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    cni_script_lua_array_reserve(lua, &bound->spawned, sizeof(CnEntity), from->objects);
    memcpy(bound->spawned.items, from->object_ids, from->objects * sizeof(CnEntity));
    bound->spawned.count = from->objects;
}

static bool take_objects(Restoring *from, CniScriptLuaState *state, CnError *error)
{
    if (!take_u32(from, &from->objects) || from->objects > CNI_SCRIPT_MAX_OBJECTS ||
        !(from->object_ids = take(from, from->objects * sizeof(CnEntity))))
        return damaged(error);
    if (from->objects && !cni_script_protected(state, load_objects, from))
        return cn_error_set(error, state->fault.code, "%s", state->fault.message);
    return true;
}

static bool take_channels(CniScriptRuntime *runtime, Restoring *from, CniScriptLuaState *state,
                          CnError *error)
{
    uint32_t count;
    if (!take_u32(from, &count) || count > MAX_CHANNELS)
        return damaged(error);
    for (uint32_t i = 0; i < count; i++) {
        CniScriptChannelName name = {.state = state->number};
        if (!take_name(from, name.name, sizeof name.name))
            return damaged(error);
        if (!cn_array_push(&runtime->channel_names, name))
            return cn_error_memory(error, "channels of scripts");
    }
    return true;
}

/* An event of a channel is kept if the world still has that type, and the value is one of it. */
static bool is_usable(const CniScriptRuntime *runtime, const CniScriptMessage *head,
                      const uint8_t *data)
{
    CnReflectedComponent reflected;
    CnComponentInfo info;
    const char *name = (const char *)data + sizeof *head;
    uint32_t size = head->size - (uint32_t)sizeof *head - head->name_size;
    if (!head->is_event)
        return true;
    if (!cn_reflection_find(runtime->shared.world, (CnText){name, head->name_size}, &reflected) ||
        !cn_component_info(runtime->shared.world, reflected.component, &info) || info.size != size)
        return false;
    if (!size)
        return true;
    void *value = cn_alloc(runtime->shared.allocator, size); /* aligned */
    if (!value)
        return false;
    memcpy(value, data + sizeof *head + head->name_size, size);
    bool good = cn_reflection_check(&reflected, value, NULL);
    cn_free(runtime->shared.allocator, value, size);
    return good;
}

/* Appends messages with the numbers that states have now, and counts their bytes by sender. */
static bool take_messages(CniScriptRuntime *runtime, Restoring *from, const uint8_t *messages,
                          uint32_t size, CnU8Array *bytes, uint32_t *bytes_from)
{
    CniScriptMessage head;
    for (uint32_t at = 0; at < size; at += head.size) {
        memcpy(&head, messages + at, sizeof head);
        uint32_t saved_size = head.size;
        head.sender = (uint8_t)from->states[head.sender]->number;
        if (!is_usable(runtime, &head, messages + at))
            continue;
        if (!cn_bytes_append(bytes, &head, sizeof head) ||
            !cn_bytes_append(bytes, messages + at + sizeof head, saved_size - sizeof head))
            return false;
        bytes_from[head.sender] += saved_size;
    }
    return true;
}

static bool skip_messages(Restoring *from, uint32_t owners, const uint8_t **messages,
                          uint32_t *size)
{
    return take_u32(from, size) && (*messages = take(from, *size)) &&
           cni_script_messages_are_valid(*messages, *size, owners);
}

typedef struct SavedInbox {
    const uint8_t *messages;
    uint32_t size;
} SavedInbox;

static bool take_owner(CniScriptRuntime *runtime, Restoring *from, uint32_t owners,
                       SavedInbox *inbox, CnError *error)
{
    char name[CNI_SCRIPT_OWNER_BYTES];
    if (!take_name(from, name, sizeof name))
        return damaged(error);
    CniScriptLuaState *state = *name ? cni_script_owner_open(runtime, name, error)
                                     : cni_script_trusted_open(runtime, error);
    if (!state)
        return false;
    for (uint32_t i = 0; i < from->count; i++)
        if (from->states[i] == state)
            return damaged(error);
    from->states[from->count++] = state;
    if (!take_u64(from, &state->random.key) || !take_u64(from, &state->random.counter) ||
        !take_u64(from, &cni_script_bindings_of(state->lua)->last_id))
        return damaged(error);
    if (!take_objects(from, state, error) || !take_channels(runtime, from, state, error))
        return false;
    return skip_messages(from, owners, &inbox->messages, &inbox->size) || damaged(error);
}

static bool take_kept(CniScriptRuntime *runtime, Restoring *from, CnError *error)
{
    uint32_t count;
    const uint8_t *data;
    if (!take_u32(from, &count) || count > MAX_KEPT ||
        !(data = take(from, count * sizeof(SavedKept))) || from->at != from->size)
        return damaged(error);
    if (!cn_array_reserve(&runtime->kept, count))
        return cn_error_memory(error, "what scripts made");
    for (uint32_t i = 0; i < count; i++) {
        SavedKept saved;
        memcpy(&saved, data + i * sizeof saved, sizeof saved);
        CniScriptKept kept = {.object = {saved.object},
                              .id = saved.id,
                              .due = saved.due,
                              .number = saved.number,
                              .tag = saved.tag,
                              .has_ended = saved.has_ended != 0};
        if (!kept.number || (!kept.id && !kept.has_ended) ||
            (i && compare(&runtime->kept.items[i - 1], &kept) >= 0))
            return damaged(error);
        runtime->kept.items[runtime->kept.count++] = kept;
    }
    return true;
}

static bool take_all(CniScriptRuntime *runtime, Restoring *from, CnError *error)
{
    CniScriptMessages *messages = &runtime->shared.messages;
    SavedInbox inboxes[CNI_SCRIPT_MAX_STATES], sent;
    uint32_t version, owners;
    if (!take_u32(from, &version) || !take_u32(from, &owners))
        return damaged(error);
    if (version != VERSION)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "the saved state of owners of scripts has another version");
    if (!owners || owners > CNI_SCRIPT_MAX_STATES)
        return damaged(error);
    for (uint32_t i = 0; i < owners; i++)
        if (!take_owner(runtime, from, owners, &inboxes[i], error))
            return false;
    if (!skip_messages(from, owners, &sent.messages, &sent.size))
        return damaged(error);
    bool done = take_messages(runtime, from, sent.messages, sent.size, &messages->sent,
                              messages->sent_bytes);
    messages->committed = messages->sent.count;
    for (uint32_t i = 0; i < owners && done; i++) {
        CniScriptInbox *inbox = &cni_script_bindings_of(from->states[i]->lua)->inbox;
        done = take_messages(runtime, from, inboxes[i].messages, inboxes[i].size, &inbox->bytes,
                             inbox->bytes_from);
    }
    if (!done)
        return cn_error_memory(error, "events of scripts");
    return take_kept(runtime, from, error);
}

static bool restore(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    CniScriptRuntime *runtime = user;
    Restoring from = {.bytes = bytes, .size = size};
    reset_all(runtime);
    if (!size || take_all(runtime, &from, error))
        return true;
    reset_all(runtime);
    return false;
}

bool cni_script_owners_restored(CniScriptRuntime *runtime, CnError *error)
{
    bool done = true;
    char(*names)[CN_MAX_NAME_BYTES] = NULL;
    size_t bytes = (runtime->channel_names.count + 1) * sizeof *names;
    names = cn_alloc(runtime->shared.allocator, bytes);
    for (uint32_t i = 0; i < cni_script_state_count(runtime) && names && done; i++) {
        const CniScriptLuaState *state = cni_script_state_at(runtime, i);
        uint32_t count = 0;
        if (!state->lua)
            continue;
        for (uint32_t k = 0; k < runtime->channel_names.count; k++)
            if (runtime->channel_names.items[k].state == state->number)
                memcpy(names[count++], runtime->channel_names.items[k].name, sizeof *names);
        done = cni_script_subscriptions_sort(cni_script_bindings_of(state->lua));
        cni_script_channels_sort(cni_script_bindings_of(state->lua),
                                 (const char(*)[CN_MAX_NAME_BYTES])names, count);
    }
    done = done && names;
    cn_free(runtime->shared.allocator, names, bytes);
    cn_array_fini(&runtime->kept);
    cn_array_fini(&runtime->channel_names);
    return done || cn_error_memory(error, "subscriptions of scripts");
}

static const char section_name[] = "ScriptOwners";

bool cni_script_owners_section_begin(CniScriptRuntime *runtime, CnError *error)
{
    CnStateSection section = {section_name, save, restore, runtime};
    return cn_sim_add_state_section(runtime->sim, &section, error);
}

void cni_script_owners_section_end(CniScriptRuntime *runtime)
{
    cn_sim_remove_state_section(runtime->sim, section_name);
}

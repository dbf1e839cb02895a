/* Captures: the states of all shared entities, and their network ids. */
#include "net/replication_internal.h"

#include <cairn/base/linear.h>

/* ---- Network ids ---- */

static bool is_free(const CnNetReplication *r, uint32_t slot)
{
    return !(r->flags.items[slot] & CNI_NET_SLOT_ALIVE) && r->slots.items[slot].clients == 0;
}

void cni_net_slot_release(CnNetReplication *r, uint32_t slot)
{
    if (!is_free(r, slot))
        return;
    r->stats.reserved--;
    if (slot < r->lowest_free)
        r->lowest_free = slot;
}

/* Makes room in all arrays, so that adding a slot cannot fail halfway. */
static bool reserve_slot(CnNetReplication *r)
{
    const uint32_t count = r->slots.count + 1;
    return cn_array_reserve(&r->slots, count) && cn_array_reserve(&r->flags, count) &&
           cn_array_reserve(&r->positions, (uint64_t)count * 3) &&
           cn_array_reserve(&r->cache, (uint64_t)count * CNI_NET_CACHED_BODIES);
}

/* Returns a free slot, UINT32_MAX if there is none. */
static uint32_t take_slot(CnNetReplication *r, CnError *error)
{
    uint32_t slot = r->lowest_free;
    while (slot < r->slots.count && !is_free(r, slot))
        slot++;
    r->lowest_free = slot;
    if (slot == CN_NET_MAX_SHARED) {
        cn_error_set(error, CN_ERROR_LIMIT, "more than %u entities are shared", CN_NET_MAX_SHARED);
        return UINT32_MAX;
    }
    if (slot < r->slots.count)
        return slot;
    if (!reserve_slot(r)) {
        cn_error_memory(error, "the network id of an entity");
        return UINT32_MAX;
    }
    memset(&r->slots.items[slot], 0, sizeof r->slots.items[slot]);
    memset(&r->cache.items[(size_t)slot * CNI_NET_CACHED_BODIES], 0,
           CNI_NET_CACHED_BODIES * sizeof *r->cache.items);
    memset(&r->positions.items[(size_t)slot * 3], 0, 3 * sizeof(float));
    r->flags.items[slot] = 0;
    r->slots.count = r->flags.count = slot + 1;
    r->positions.count = 3 * r->slots.count;
    r->cache.count = CNI_NET_CACHED_BODIES * r->slots.count;
    return slot;
}

static uint32_t add_entity(CnNetReplication *r, CnEntity entity, CnError *error)
{
    const uint32_t slot = take_slot(r, error);
    if (slot == UINT32_MAX)
        return slot;
    if (!cn_hash_map_set(&r->slot_of, entity.id, &slot)) {
        cn_error_memory(error, "the network id of an entity");
        return UINT32_MAX;
    }
    r->slots.items[slot] = (CniNetSlot){.entity = entity, .born = r->number + 1};
    r->flags.items[slot] = CNI_NET_SLOT_ALIVE;
    r->stats.reserved++;
    return slot;
}

uint32_t cn_net_replication_id(const CnNetReplication *r, CnEntity entity)
{
    const uint32_t *slot = cn_hash_map_get(&r->slot_of, entity.id);
    return slot ? *slot : UINT32_MAX;
}

static uint32_t reference_of(void *user, CnEntity entity)
{
    return entity.id ? cn_net_replication_id(user, entity) + 1 : 0;
}

/* Lists an entity as one of a kind. Returns false if it got no slot. */
static bool list_entity(CnNetReplication *r, CnEntity entity, uint32_t kind, CnError *error)
{
    uint32_t slot = cn_net_replication_id(r, entity);
    if (slot == UINT32_MAX)
        slot = add_entity(r, entity, error);
    if (slot == UINT32_MAX) {
        r->stats.unshared++;
        return false;
    }
    if (r->slots.items[slot].seen == r->attempts) /* of an earlier kind */
        return true;
    r->slots.items[slot].seen = r->attempts;
    r->slots.items[slot].kind = kind;
    r->order.items[r->order.count++] = slot;
    return true;
}

/* Lists the shared entities of the world. Returns false if some got no slot. */
static bool find_entities(CnNetReplication *r, CnError *error)
{
    CnChunkView view;
    bool complete = true;
    r->stats.unshared = 0;
    for (uint32_t kind = 0; kind < r->query_count; kind++)
        for (CnQueryIter it = cn_query_iter(r->queries[kind]); cn_query_next(&it, &view);)
            for (uint32_t i = 0; i < view.count; i++)
                complete &= list_entity(r, view.entities[i], kind, error);
    return complete;
}

static void drop_entities(CnNetReplication *r)
{
    for (uint32_t slot = 0; slot < r->slots.count; slot++) {
        if (!(r->flags.items[slot] & CNI_NET_SLOT_ALIVE) ||
            r->slots.items[slot].seen == r->attempts)
            continue;
        cn_hash_map_remove(&r->slot_of, r->slots.items[slot].entity.id);
        r->flags.items[slot] = 0;
        cni_net_slot_release(r, slot);
    }
}

/* ---- States ---- */

/* The CnNetShared that the kind of an entity stands for. */
static const void *shared_value(CnNetReplication *r, const CniNetSlot *slot)
{
    const CnNetKind *kind = &r->kinds[slot->kind];
    CnNetShared *shared = r->value;
    *shared = (CnNetShared){.kind = kind->kind,
                            .owner = kind->owner ? kind->owner(r->world, slot->entity) : 0};
    return shared;
}

static const void *find_value(CnNetReplication *r, CnEntity entity, uint32_t component)
{
    if (!r->layout->components[component].size)
        return cn_has_component(r->world, entity, r->ids[component]) ? r->value : NULL;
    if (!r->by_fields[component])
        return cn_get_component(r->world, entity, r->ids[component]);
    return cn_read_component(r->world, entity, r->ids[component], r->value) ? r->value : NULL;
}

/* Sets the row of a component. Returns false when out of memory; the row is then the previous
 * one. */
static bool capture_component(CnNetReplication *r, uint32_t slot, uint32_t component,
                              const CniNetState *previous, CniNetState *state)
{
    const CniNetReferences references = {.id_of = reference_of, .user = r};
    const CniNetLayoutComponent *layout = &r->layout->components[component];
    CniNetRows *rows = &r->rows[component];
    const uint32_t before = previous ? previous->rows[component] : 0;
    const void *value = component == 0 && r->has_kinds
                            ? shared_value(r, &r->slots.items[slot])
                            : find_value(r, r->slots.items[slot].entity, component);
    state->rows[component] = 0;
    if (!value)
        return true;
    cni_net_quantize(layout, value, r->words, &references);
    if (component == 0)
        r->slots.items[slot].owner = r->words[1];
    if (component == r->layout->position_component) {
        const CnVec3 p = cni_net_position(&layout->fields[r->layout->position_field], value);
        memcpy(&r->positions.items[(size_t)slot * 3], &p, sizeof p);
        r->flags.items[slot] |= CNI_NET_SLOT_HAS_POSITION;
    }
    const bool is_equal =
        before && (!layout->word_count || !memcmp(cni_net_row(rows, before), r->words,
                                                  layout->word_count * sizeof *r->words));
    if (is_equal || !cni_net_rows_reserve(rows, 1)) {
        state->rows[component] = cni_net_rows_share(rows, before);
        return is_equal;
    }
    state->rows[component] = cni_net_rows_add(rows, r->words);
    return true;
}

static bool capture_entity(CnNetReplication *r, uint32_t slot, CniNetState *state)
{
    const CniNetCapture *last = &r->captures[(r->number - 1) % CN_NET_HISTORY];
    const bool is_new = r->slots.items[slot].born == r->number;
    const CniNetState *previous = is_new ? NULL : cni_net_state(r, last, slot);
    bool complete = true;
    uint32_t changed = 0;
    r->flags.items[slot] = CNI_NET_SLOT_ALIVE;
    for (uint32_t i = 0; i < r->layout->component_count; i++) {
        complete &= capture_component(r, slot, i, previous, state);
        if (!previous || state->rows[i] != previous->rows[i])
            changed |= 1u << i;
    }
    if (!previous && !complete) { /* not shared yet */
        for (uint32_t i = 0; i < r->layout->component_count; i++) {
            cni_net_rows_release(&r->rows[i], state->rows[i]);
            state->rows[i] = 0;
        }
        r->slots.items[slot].born = r->number + 1;
        r->stats.unshared++;
        return false;
    }
    const bool for_all = !previous || changed & r->layout->public_mask;
    state->public_version = for_all ? r->number : previous->public_version;
    state->owner_version = !previous || changed ? r->number : previous->owner_version;
    return complete;
}

static void release_states(CnNetReplication *r, CniNetCapture *capture)
{
    for (uint32_t slot = 0; slot < capture->count; slot++) {
        const CniNetState *state = cni_net_state(r, capture, slot);
        for (uint32_t i = 0; i < r->layout->component_count; i++)
            cni_net_rows_release(&r->rows[i], state->rows[i]);
    }
    capture->count = 0;
}

static bool reserve_states(CnNetReplication *r, CniNetCapture *capture)
{
    const size_t state_bytes = cni_net_state_words(r) * sizeof(uint32_t);
    uint32_t capacity = capture->capacity ? capture->capacity : 16;
    if (r->slots.count <= capture->capacity)
        return true;
    while (capacity < r->slots.count)
        capacity *= 2;
    cn_free(r->allocator, capture->states, capture->capacity * state_bytes);
    capture->states = cn_alloc(r->allocator, capacity * state_bytes);
    capture->capacity = capture->states ? capacity : 0;
    return capture->states;
}

bool cn_net_replication_capture(CnNetReplication *r, uint64_t tick, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", cn_world_unhandled_errors(r->world));
    CniNetCapture *capture = &r->captures[(r->number + 1) % CN_NET_HISTORY];
    CN_ASSERT(!r->number || tick > cni_net_last_capture(r)->tick, "ticks of captures must rise");
    r->attempts++;
    cn_array_clear(&r->order);
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->query_count; i++)
        count += cn_query_count(r->queries[i]);
    if (!cn_array_reserve(&r->order, count))
        return cn_error_memory(error, "the list of shared entities");
    bool complete = find_entities(r, error);
    release_states(r, capture);
    capture->number = 0;
    if (!reserve_states(r, capture))
        return cn_error_memory(error, "the state of shared entities");
    capture->number = ++r->number;
    capture->tick = tick;
    capture->count = r->slots.count;
    if (capture->count)
        memset(capture->states, 0,
               (size_t)capture->count * cni_net_state_words(r) * sizeof(uint32_t));
    drop_entities(r);
    for (uint32_t i = 0; i < r->order.count; i++)
        if (!capture_entity(r, r->order.items[i], cni_net_state(r, capture, r->order.items[i])))
            complete = cn_error_memory(error, "the state of shared entities");
    r->stats.shared = r->order.count;
    r->generation++;
    cn_array_clear(&r->bodies);
    return complete;
}

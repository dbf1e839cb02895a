/* Replications and their clients: creation, settings, acknowledgements. */
#include "net/replication_internal.h"

/* ---- Creation ---- */

static bool find_components(CnNetReplication *r, CnError *error)
{
    for (uint32_t i = 0; i < r->layout->component_count; i++) {
        const CniNetLayoutComponent *component = &r->layout->components[i];
        CnComponentInfo info;
        r->ids[i] = cn_component_ensure(r->world, component->type);
        if (!cn_component_info(r->world, r->ids[i], &info) || info.size != component->size)
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "component %s of the network layout differs from that of the world",
                                component->type->name);
        r->by_fields[i] = info.layout == CN_LAYOUT_FIELDS;
        cni_net_rows_init(&r->rows[i], r->allocator, component->word_count);
    }
    return true;
}

static bool acquire_queries(CnNetReplication *r, const CnNetReplicationDesc *desc, CnError *error)
{
    const CnNetKind marked = {.all = {&cn_type_CnNetShared}};
    r->has_kinds = desc->kind_count > 0;
    r->query_count = r->has_kinds ? desc->kind_count : 1;
    CN_ASSERT(r->query_count <= CN_NET_MAX_KINDS, "at most %u kinds", CN_NET_MAX_KINDS);
    for (uint32_t i = 0; i < r->query_count; i++) {
        CnQueryDesc query = {0};
        r->kinds[i] = r->has_kinds ? desc->kinds[i] : marked;
        for (uint32_t k = 0; k < CN_COUNT_OF(r->kinds[i].all) && r->kinds[i].all[k]; k++)
            query.all[k] = (CnTerm){.type = r->kinds[i].all[k], .access = CN_ACCESS_READ};
        r->queries[i] = cn_query_acquire(r->world, &query, error);
        if (!r->queries[i])
            return false;
    }
    return true;
}

CnNetReplication *cn_net_replication_create(const CnNetReplicationDesc *desc, CnError *error)
{
    CN_ASSERT(desc->world && desc->layout, "a replication needs a world and a layout");
    CN_REPORT_UNHANDLED(error, "net", cn_world_unhandled_errors(desc->world));
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_world_allocator(desc->world);
    CnNetReplication *r = cn_alloc_zeroed(allocator, sizeof *r);
    if (!r) {
        cn_error_memory(error, "a replication");
        return NULL;
    }
    r->allocator = allocator;
    r->world = desc->world;
    r->layout = desc->layout;
    r->generation = 1;
    cn_hash_map_init(&r->slot_of, allocator, sizeof(uint32_t));
    cn_array_init(&r->slots, allocator);
    cn_array_init(&r->flags, allocator);
    cn_array_init(&r->positions, allocator);
    cn_array_init(&r->order, allocator);
    cn_array_init(&r->candidates, allocator);
    cn_array_init(&r->sorted, allocator);
    cn_array_init(&r->bodies, allocator);
    cn_array_init(&r->cache, allocator);
    cn_slot_table_init(&r->clients, allocator, sizeof(CniNetClient), CN_NET_MAX_CLIENTS);
    r->value = cn_alloc_zeroed(allocator, r->layout->max_value_bytes);
    r->words = cn_alloc_zeroed(allocator, CN_NET_MAX_WORDS * sizeof *r->words);
    if (find_components(r, error)) {
        if (!r->value || !r->words)
            cn_error_memory(error, "a replication");
        else if (acquire_queries(r, desc, error))
            return r;
    }
    cn_net_replication_destroy(r);
    return NULL;
}

static void free_client(CnNetReplication *r, CniNetClient *client)
{
    cn_free(r->allocator, client->known, client->known_capacity * sizeof *client->known);
    cn_free(r->allocator, client->index, client->index_capacity * sizeof *client->index);
}

void cn_net_replication_destroy(CnNetReplication *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < r->clients.count; i++) {
        CniNetClient *client = cn_slot_table_live_at(&r->clients, i);
        if (client)
            free_client(r, client);
    }
    for (uint32_t i = 0; i < CN_NET_HISTORY; i++)
        cn_free(r->allocator, r->captures[i].states,
                (size_t)r->captures[i].capacity * cni_net_state_words(r) * sizeof(uint32_t));
    for (uint32_t i = 0; i < r->layout->component_count; i++)
        cni_net_rows_fini(&r->rows[i]);
    cn_slot_table_fini(&r->clients);
    cn_hash_map_fini(&r->slot_of);
    cn_array_fini(&r->slots);
    cn_array_fini(&r->flags);
    cn_array_fini(&r->positions);
    cn_array_fini(&r->order);
    cn_array_fini(&r->candidates);
    cn_array_fini(&r->sorted);
    cn_array_fini(&r->bodies);
    cn_array_fini(&r->cache);
    cn_free(r->allocator, r->value, r->layout->max_value_bytes);
    cn_free(r->allocator, r->words, CN_NET_MAX_WORDS * sizeof *r->words);
    for (uint32_t i = 0; i < r->query_count; i++)
        if (r->queries[i])
            cn_query_release(r->queries[i]);
    cn_free(r->allocator, r, sizeof *r);
}

/* ---- Clients ---- */

uint32_t cn_net_replication_client_add(CnNetReplication *r, const CnNetClientDesc *desc,
                                       CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", cn_world_unhandled_errors(r->world));
    uint32_t number;
    if (r->stats.clients == CN_NET_MAX_CLIENTS) {
        cn_error_set(error, CN_ERROR_LIMIT, "the replication has %u clients already",
                     CN_NET_MAX_CLIENTS);
        return 0;
    }
    if (!cn_slot_table_acquire(&r->clients, &number)) {
        cn_error_memory(error, "a client of the replication");
        return 0;
    }
    r->stats.clients++;
    cn_net_replication_client_set(r, number, desc);
    return number;
}

static CniNetClient *find_client(const CnNetReplication *r, uint32_t number)
{
    CniNetClient *client = cn_slot_table_get(&r->clients, number);
    CN_ASSERT(client, "the replication has no client %u", number);
    return client;
}

void cn_net_replication_client_set(CnNetReplication *r, uint32_t number,
                                   const CnNetClientDesc *desc)
{
    CniNetClient *client = find_client(r, number);
    if (!client)
        return;
    client->desc = *desc;
    if (!client->desc.resend_after)
        client->desc.resend_after = CNI_NET_DEFAULT_RESEND;
    if (!client->desc.max_entities)
        client->desc.max_entities = CNI_NET_DEFAULT_ENTITIES;
}

void cn_net_replication_client_remove(CnNetReplication *r, uint32_t number)
{
    CniNetClient *client = find_client(r, number);
    if (!client)
        return;
    while (client->known_count)
        cni_net_forget(r, client, client->known_count - 1);
    free_client(r, client);
    r->stats.clients--;
    cn_slot_table_release(&r->clients, cn_slot_index(number));
}

void cn_net_replication_client_reset(CnNetReplication *r, uint32_t number)
{
    CniNetClient *client = find_client(r, number);
    for (uint32_t i = 0; client && i < client->known_count; i++) {
        CniNetKnown *known = &client->known[i];
        known->base = known->last_sent = 0;
        known->sent = 0;
    }
    if (client)
        client->last_acknowledged = 0;
}

void cni_net_forget(CnNetReplication *r, CniNetClient *client, uint32_t known)
{
    const uint32_t slot = client->known[known].slot;
    const uint32_t last = --client->known_count;
    client->index[slot] = 0;
    if (known != last) {
        client->known[known] = client->known[last];
        client->index[client->known[known].slot] = (uint16_t)(known + 1);
    }
    r->slots.items[slot].clients--;
    cni_net_slot_release(r, slot);
}

/* ---- Acknowledgements ---- */

/* Returns whether the snapshot was written for the client and is not too old. */
static bool was_written(const CnNetReplication *r, const CniNetClient *client, uint32_t snapshot)
{
    return snapshot && snapshot <= r->number && r->number - snapshot < CN_NET_HISTORY &&
           client->written[snapshot % CN_NET_HISTORY] == snapshot;
}

static void acknowledge(CnNetReplication *r, CniNetClient *client, uint32_t snapshot)
{
    const uint64_t bit = (uint64_t)1 << snapshot % CN_NET_HISTORY;
    client->written[snapshot % CN_NET_HISTORY] = 0; /* repetitions have no effect */
    if (snapshot > client->last_acknowledged)
        client->last_acknowledged = snapshot;
    for (uint32_t i = client->known_count; i-- > 0;) {
        CniNetKnown *known = &client->known[i];
        if (!(known->sent & bit))
            continue;
        known->sent &= ~bit;
        if (known->flags & CNI_NET_KNOWN_REMOVING)
            cni_net_forget(r, client, i);
        else if (snapshot > known->base)
            known->base = snapshot;
    }
}

void cn_net_replication_acknowledge(CnNetReplication *r, uint32_t number, const CnNetAcks *acks)
{
    CniNetClient *client = find_client(r, number);
    if (!client || !acks->newest)
        return;
    for (uint32_t i = 0; i <= 32; i++) {
        if (i && !(acks->before >> (i - 1) & 1))
            continue;
        if (acks->newest > i && was_written(r, client, acks->newest - i))
            acknowledge(r, client, acks->newest - i);
    }
}

void cn_net_replication_lost(CnNetReplication *r, uint32_t number, uint32_t snapshot)
{
    CniNetClient *client = find_client(r, number);
    if (!client || !was_written(r, client, snapshot))
        return;
    for (uint32_t i = 0; i < client->known_count; i++)
        if (client->known[i].last_sent == snapshot)
            client->known[i].last_sent = 0;
}

/* ---- Numbers ---- */

uint64_t cn_net_replication_client_hash(const CnNetReplication *r, uint32_t number)
{
    const CniNetClient *client = find_client(r, number);
    uint64_t hash = 0;
    if (!client || !client->last_written || r->number - client->last_written >= CN_NET_HISTORY)
        return 0;
    const CniNetCapture *capture = &r->captures[client->last_written % CN_NET_HISTORY];
    for (uint32_t slot = 0; slot < capture->count && slot < client->index_capacity; slot++) {
        if (!client->index[slot])
            continue;
        const CniNetKnown *known = &client->known[client->index[slot] - 1];
        if (known->flags & CNI_NET_KNOWN_REMOVING)
            continue;
        const CniNetState *state = cni_net_state(r, capture, slot);
        const bool owned = known->flags & CNI_NET_KNOWN_OWNED;
        hash = cn_hash_bytes(&slot, sizeof slot, hash);
        for (uint32_t i = 0; i < r->layout->component_count; i++) {
            if (!state->rows[i] || !(owned || r->layout->public_mask >> i & 1))
                continue;
            hash = cn_hash_bytes(&i, sizeof i, hash);
            if (r->rows[i].word_count)
                hash = cn_hash_bytes(cni_net_row(&r->rows[i], state->rows[i]),
                                     r->rows[i].word_count * sizeof(uint32_t), hash);
        }
    }
    return hash;
}

CnNetReplicationStats cn_net_replication_stats(const CnNetReplication *r)
{
    return r->stats;
}

CnNetClientStats cn_net_replication_client_stats(const CnNetReplication *r, uint32_t number)
{
    const CniNetClient *client = find_client(r, number);
    if (!client)
        return (CnNetClientStats){0};
    CnNetClientStats stats = client->stats;
    stats.known = client->known_count;
    stats.memory_bytes = sizeof *client + client->known_capacity * sizeof *client->known +
                         client->index_capacity * sizeof *client->index;
    return stats;
}

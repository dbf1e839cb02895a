/* Replicas: creation, and what can be asked about entities. */
#include "net/replica_internal.h"

#define MAX_KEPT 32u

static bool make_default_rows(CnNetReplica *replica)
{
    for (uint32_t i = 0; i < replica->layout->component_count; i++) {
        const CniNetLayoutComponent *component = &replica->layout->components[i];
        cni_net_rows_init(&replica->rows[i], replica->allocator, component->word_count);
    }
    for (uint32_t i = 0; i < replica->layout->component_count; i++) {
        if (!cni_net_rows_reserve(&replica->rows[i], 1))
            return false;
        replica->default_rows[i] =
            cni_net_rows_add(&replica->rows[i], replica->layout->components[i].defaults);
    }
    return true;
}

static void set_defaults(CnNetReplicaDesc *desc)
{
    if (!desc->max_entities || desc->max_entities > UINT16_MAX)
        desc->max_entities = desc->max_entities ? UINT16_MAX : 4096;
    if (!desc->kept_states)
        desc->kept_states = 8;
    if (desc->kept_states > MAX_KEPT)
        desc->kept_states = MAX_KEPT;
    if (!desc->extrapolated_ticks)
        desc->extrapolated_ticks = 6;
    if (desc->extrapolated_ticks == UINT32_MAX)
        desc->extrapolated_ticks = 0;
}

CnNetReplica *cn_net_replica_create(const CnNetReplicaDesc *desc, CnError *error)
{
    CN_ASSERT(desc->layout, "a replica needs a layout");
    CN_REPORT_UNHANDLED(error, "net", NULL);
    CnNetReplica *replica = cn_alloc_zeroed(desc->allocator, sizeof *replica);
    if (!replica) {
        cn_error_memory(error, "a replica");
        return NULL;
    }
    replica->allocator = desc->allocator;
    replica->layout = desc->layout;
    replica->desc = *desc;
    set_defaults(&replica->desc);
    replica->state_bytes =
        (sizeof(CniNetReplicaState) + desc->layout->component_count * sizeof(uint32_t) + 7) &
        ~(size_t)7;
    cn_array_init(&replica->entities, desc->allocator);
    cn_array_init(&replica->entity_of, desc->allocator);
    cn_array_init(&replica->leaving, desc->allocator);
    cn_array_init(&replica->records, desc->allocator);
    cn_array_init(&replica->words, desc->allocator);
    cn_hash_map_init(&replica->ids, desc->allocator, sizeof(uint32_t));
    replica->value = cn_alloc_zeroed(desc->allocator, replica->layout->max_value_bytes);
    replica->values = cn_alloc_zeroed(desc->allocator, replica->layout->values_bytes);
    if (make_default_rows(replica) && replica->value && replica->values)
        return replica;
    cn_error_memory(error, "a replica");
    cn_net_replica_destroy(replica);
    return NULL;
}

void cni_net_release_state(CnNetReplica *replica, const CniNetReplicaState *state)
{
    for (uint32_t i = 0; i < replica->layout->component_count; i++)
        cni_net_rows_release(&replica->rows[i], state->rows[i]);
}

void cn_net_replica_destroy(CnNetReplica *replica)
{
    if (!replica)
        return;
    for (uint32_t i = 0; i < replica->entities.count; i++)
        cn_free(replica->allocator, replica->entities.items[i].states,
                replica->entities.items[i].capacity * replica->state_bytes);
    for (uint32_t i = 0; i < replica->layout->component_count; i++)
        cni_net_rows_fini(&replica->rows[i]);
    cn_array_fini(&replica->entities);
    cn_array_fini(&replica->entity_of);
    cn_array_fini(&replica->leaving);
    cn_array_fini(&replica->records);
    cn_array_fini(&replica->words);
    cn_hash_map_fini(&replica->ids);
    cn_free(replica->allocator, replica->value, replica->layout->max_value_bytes);
    cn_free(replica->allocator, replica->values, replica->layout->values_bytes);
    cn_free(replica->allocator, replica, sizeof *replica);
}

/* ---- Entities ---- */

CnNetAcks cn_net_replica_acks(const CnNetReplica *replica)
{
    return replica->acks;
}

CnEntity cn_net_replica_entity(const CnNetReplica *replica, uint32_t id)
{
    const uint32_t index = cni_net_replica_find(replica, id);
    return index == UINT32_MAX ? (CnEntity){0} : replica->entities.items[index].entity;
}

CnEntity cni_net_entity_of(void *replica, uint32_t id_plus_one)
{
    return id_plus_one ? cn_net_replica_entity(replica, id_plus_one - 1) : (CnEntity){0};
}

uint32_t cn_net_replica_id(const CnNetReplica *replica, CnEntity entity)
{
    const uint32_t *id = cn_hash_map_get(&replica->ids, entity.id);
    return id ? *id : CN_NET_NO_ID;
}

uint32_t cn_net_replica_next(const CnNetReplica *replica, uint32_t id)
{
    for (; id < replica->entity_of.count; id++)
        if (replica->entity_of.items[id])
            return id;
    return CN_NET_NO_ID;
}

uint32_t cn_net_replica_owned(const CnNetReplica *replica, uint32_t owner)
{
    for (uint32_t id = 0; (id = cn_net_replica_next(replica, id)) != CN_NET_NO_ID; id++) {
        const uint32_t index = cni_net_replica_find(replica, id);
        const uint32_t row =
            cni_net_newest_state(replica, &replica->entities.items[index])->rows[0];
        if (row && cni_net_row(&replica->rows[0], row)[1] == owner)
            return id;
    }
    return CN_NET_NO_ID;
}

bool cn_net_replica_value(const CnNetReplica *replica, uint32_t id, const CnType *type, void *value,
                          uint64_t *tick)
{
    const uint32_t index = cni_net_replica_find(replica, id);
    const CniNetReferences references = {.entity_of = cni_net_entity_of,
                                         .user = (void *)(uintptr_t)replica};
    uint32_t component = 0;
    while (component < replica->layout->component_count &&
           strcmp(replica->layout->components[component].type->name, type->name) != 0)
        component++;
    if (index == UINT32_MAX || component == replica->layout->component_count)
        return false;
    const CniNetReplicaState *state =
        cni_net_newest_state(replica, &replica->entities.items[index]);
    if (!state->rows[component])
        return false;
    cni_net_dequantize(&replica->layout->components[component],
                       cni_net_row(&replica->rows[component], state->rows[component]), value,
                       &references);
    if (tick)
        *tick = state->tick;
    return true;
}

uint64_t cn_net_replica_hash(const CnNetReplica *replica)
{
    uint64_t hash = 0;
    for (uint32_t id = 0; (id = cn_net_replica_next(replica, id)) != CN_NET_NO_ID; id++) {
        const uint32_t index = cni_net_replica_find(replica, id);
        const CniNetReplicaState *state =
            cni_net_newest_state(replica, &replica->entities.items[index]);
        hash = cn_hash_bytes(&id, sizeof id, hash);
        for (uint32_t i = 0; i < replica->layout->component_count; i++) {
            const CniNetRows *rows = &replica->rows[i];
            if (!state->rows[i])
                continue;
            hash = cn_hash_bytes(&i, sizeof i, hash);
            if (rows->word_count)
                hash = cn_hash_bytes(cni_net_row(rows, state->rows[i]),
                                     rows->word_count * sizeof(uint32_t), hash);
        }
    }
    return hash;
}

CnNetReplicaStats cn_net_replica_stats(const CnNetReplica *replica)
{
    CnNetReplicaStats stats = replica->stats;
    stats.entities = replica->entities.count;
    stats.states = 0;
    for (uint32_t i = 0; i < replica->entities.count; i++)
        stats.states += replica->entities.items[i].count;
    return stats;
}

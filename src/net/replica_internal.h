/*
 * The inside of a replica. Each entity has its last states in the order of their snapshots: those
 * that the server may use as a base, and a few for interpolation. An entity that is removed leaves
 * the replica at once; its entity in the world waits in `leaving` for the tick of the removal.
 */
#ifndef CAIRN_NET_REPLICA_INTERNAL_H
#define CAIRN_NET_REPLICA_INTERNAL_H

#include "net/component_rows.h"
#include "net/layout_internal.h"

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/net/replica.h>

typedef struct CniNetReplicaState {
    uint32_t snapshot;
    uint64_t tick;
    uint64_t from_tick; /* the motion from the state before begins here */
    uint32_t rows[];    /* one for each component; 0: absent */
} CniNetReplicaState;

typedef struct CniNetReplicaEntity {
    CnEntity entity; /* null: not in the world yet */
    uint16_t id;
    uint16_t count, capacity; /* states */
    uint32_t applied;         /* snapshot of the state in the world */
    uint32_t settled;         /* components with exactly the values of that state */
    uint8_t *states;
} CniNetReplicaEntity;

typedef struct CniNetLeaving {
    CnEntity entity;
    uint64_t tick;
} CniNetLeaving;

/* A record of the snapshot that is being read. */
typedef struct CniNetReplicaRecord {
    uint32_t record;            /* CniNetRecord */
    uint32_t id, entity;        /* position; UINT32_MAX: new */
    uint32_t base;              /* snapshot */
    uint32_t base_state;        /* position among the states */
    uint32_t presence, changed; /* components; changed ones have words below */
    uint32_t words;
} CniNetReplicaRecord;

struct CnNetReplica {
    CnAllocator *allocator;
    const CnNetLayout *layout;
    CnNetReplicaDesc desc;
    size_t state_bytes;
    CniNetRows rows[CNI_NET_COMPONENTS];
    uint32_t default_rows[CNI_NET_COMPONENTS];
    CN_ARRAY(CniNetReplicaEntity) entities;
    CnU16Array entity_of; /* by id: position + 1 */
    CN_ARRAY(CniNetLeaving) leaving;
    CnHashMap ids; /* of entities in the world */
    CnNetAcks acks;
    uint64_t newest_tick, complete_tick; /* of the last snapshot, and of one with all changes */
    CN_ARRAY(CniNetReplicaRecord) records;
    CnU32Array words;
    uint8_t *value, *values; /* of one component, of each component */
    CnNetReplicaStats stats;
};

static inline CniNetReplicaState *cni_net_replica_state(const CnNetReplica *replica,
                                                        const CniNetReplicaEntity *entity,
                                                        uint32_t state)
{
    return (CniNetReplicaState *)(void *)(entity->states + state * replica->state_bytes);
}

static inline CniNetReplicaState *cni_net_newest_state(const CnNetReplica *replica,
                                                       const CniNetReplicaEntity *entity)
{
    return cni_net_replica_state(replica, entity, entity->count - 1u);
}

/* Returns the position of an entity, UINT32_MAX if the id is unknown. */
static inline uint32_t cni_net_replica_find(const CnNetReplica *replica, uint32_t id)
{
    return id < replica->entity_of.count ? replica->entity_of.items[id] - 1u : UINT32_MAX;
}

void cni_net_release_state(CnNetReplica *replica, const CniNetReplicaState *state);
/* For references in values. */
CnEntity cni_net_entity_of(void *replica, uint32_t id_plus_one);

#endif

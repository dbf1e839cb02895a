/*
 * Replication, the client's side: reads snapshots and applies them to a world.
 *
 *     CnNetReplica *replica = cn_net_replica_create(&(CnNetReplicaDesc){.layout = layout}, NULL);
 *
 *     CnNetSnapshot snapshot;
 *     if (cn_net_replica_read(replica, bytes, size, &snapshot, NULL))
 *         acks = cn_net_replica_acks(replica); // send them to the server
 *
 *     // every frame or tick, a little behind the newest snapshot:
 *     cn_net_replica_apply(replica, world, tick - 6.0, NULL);
 *
 * The replica keeps the last states of each entity with their ticks. Applying at a tick spawns and
 * destroys entities and writes their components: positions, angles and rotations are interpolated
 * between the states before and after the tick, other values are those of the state before it.
 * Beyond the newest state, a motion continues for at most extrapolated_ticks and then stops.
 *
 * Everything in a snapshot is checked before anything changes. A snapshot that is not newer than
 * the last one is ignored.
 */
#ifndef CAIRN_NET_REPLICA_H
#define CAIRN_NET_REPLICA_H

#include <cairn/net/replication.h>

CN_EXTERN_C_BEGIN

typedef struct CnNetReplica CnNetReplica;

typedef struct CnNetReplicaDesc {
    const CnNetLayout *layout; /* must live as long as the replica */
    CnAllocator *allocator;    /* NULL: the system allocator */
    uint32_t owner;            /* number of this player; 0: owns nothing */
    bool skips_own;            /* entities of the owner are not applied: the program has its own */
    uint32_t max_entities;     /* 0: 4096; a snapshot with more is refused */
    uint32_t kept_states;      /* of an entity for interpolation, 1 to 32; 0: 8 */
    uint32_t extrapolated_ticks; /* 0: 6, 100 ms at 60 ticks a second; UINT32_MAX: none */
} CnNetReplicaDesc;

CN_API CnNetReplica *cn_net_replica_create(const CnNetReplicaDesc *desc, CnError *error);
/* Leaves the entities in the world. NULL is ignored. */
CN_API void cn_net_replica_destroy(CnNetReplica *replica);

typedef struct CnNetSnapshot {
    uint32_t number;
    uint64_t tick;
    uint32_t records; /* entities and removals in it */
    bool is_new;      /* false: it is not newer than the last one and was ignored */
} CnNetSnapshot;

/* Reads a snapshot. Returns false and an error if it is invalid, is based on a state that this
 * replica does not have (see cn_net_replication_client_reset), exceeds max_entities, or when out of
 * memory; nothing has changed then. */
CN_API bool cn_net_replica_read(CnNetReplica *replica, const void *bytes, size_t size,
                                CnNetSnapshot *snapshot, CnError *error);
/* Returns which snapshots were read, for cn_net_replication_acknowledge. */
CN_API CnNetAcks cn_net_replica_acks(const CnNetReplica *replica);

/* Applies the state at a tick to a world, always the same one. Entities of the replica's owner get
 * the newest state instead, and components with CN_NET_PREDICTED only when they are spawned. An
 * entity that was destroyed by others is spawned again. Fields that are not in the layout keep
 * their values. Returns false and an error when out of memory; the next call continues. Call it
 * between ticks or in a system that runs exclusively. */
CN_API bool cn_net_replica_apply(CnNetReplica *replica, CnWorld *world, double tick,
                                 CnError *error);

/* ---- Entities ---- */

#define CN_NET_NO_ID UINT32_MAX

/* Returns the entity in the world, null if the id is unknown or was not applied yet. */
CN_API CnEntity cn_net_replica_entity(const CnNetReplica *replica, uint32_t id);
/* Returns the network id of an entity that was applied, CN_NET_NO_ID for others. */
CN_API uint32_t cn_net_replica_id(const CnNetReplica *replica, CnEntity entity);
/* Returns the lowest id of an entity of this owner in the newest states, CN_NET_NO_ID if there is
 * none. */
CN_API uint32_t cn_net_replica_owned(const CnNetReplica *replica, uint32_t owner);
/* Returns the ids of all entities, one after the other in rising order: the lowest one that is not
 * less than `id`, CN_NET_NO_ID after the last. */
CN_API uint32_t cn_net_replica_next(const CnNetReplica *replica, uint32_t id);

/* Reads the newest value of a component of an entity: that of the newest snapshot, unless a change
 * was lost and has not been sent again. Fields that are not in the layout keep what `value`
 * contains. References to entities are resolved as in the last call of cn_net_replica_apply.
 * Returns false if the entity is unknown or does not have the component. `tick` receives the tick
 * of the snapshot that contained the state and may be NULL. */
CN_API bool cn_net_replica_value(const CnNetReplica *replica, uint32_t id, const CnType *type,
                                 void *value, uint64_t *tick);

/* Returns a hash of the newest states; see cn_net_replication_client_hash. */
CN_API uint64_t cn_net_replica_hash(const CnNetReplica *replica);

typedef struct CnNetReplicaStats {
    uint32_t entities;
    uint32_t states;    /* of all entities */
    uint64_t snapshots; /* that were read */
    uint64_t ignored;   /* that were not newer than the last one */
} CnNetReplicaStats;

CN_API CnNetReplicaStats cn_net_replica_stats(const CnNetReplica *replica);

CN_EXTERN_C_END

#endif

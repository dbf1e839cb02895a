/*
 * Replication, the server's side: the state of shared entities for many clients.
 *
 *     uint32_t number = cn_net_replication_client_add(replication, &(CnNetClientDesc){
 *                           .owner = 1, .viewer = player, .view_distance = 96,
 *                           .bytes_per_snapshot = 800}, NULL);
 *
 *     // 20 times a second:
 *     cn_net_replication_capture(replication, tick, NULL);
 *     uint8_t packet[1200];
 *     CnNetWritten written;
 *     cn_net_replication_write(replication, number, packet, sizeof packet, &written, NULL);
 *
 *     // when the client has reported what it read:
 *     cn_net_replication_acknowledge(replication, number, &acks);
 *
 * Every entity with a CnNetShared is shared, with those of its components that the layout lists. A
 * capture records the states of all of them for all clients. A snapshot is a packet for one client:
 * the entities that it sees, as differences from the last state of each entity that this client has
 * acknowledged. Snapshots may be lost, duplicated and reordered; a client ends up with exactly the
 * captured state as soon as enough of them arrive.
 *
 * Only the client's own report counts as an acknowledgement, not that of the transport: a client
 * ignores a snapshot that is older than one it has read.
 *
 * Entities with a position are visible within the client's view distance, and remain visible up to
 * a slightly larger one. Entities without a position, those that the client owns and its viewer are
 * always visible. If not everything fits into a snapshot, the own entities come first, then
 * removals, then entities by distance and time since they were last sent; time wins in the end.
 *
 * A replication belongs to the thread that owns its world. Writing for known clients allocates
 * nothing once all buffers have their size.
 */
#ifndef CAIRN_NET_REPLICATION_H
#define CAIRN_NET_REPLICATION_H

#include <cairn/net/layout.h>

CN_EXTERN_C_BEGIN

#define CN_NET_HISTORY 64u       /* captures; older states are sent as a whole */
#define CN_NET_MAX_SHARED 65535u /* entities, including those whose removal is not acknowledged */
#define CN_NET_MAX_CLIENTS 4096u
#define CN_NET_MIN_SNAPSHOT_BYTES 64u
#define CN_NET_MAX_SNAPSHOT_BYTES 65535u

typedef struct CnNetReplication CnNetReplication;

/* Entities that are shared without a CnNetShared: a simulation that must not depend on whether
 * somebody observes it cannot get components for that. Clients see a CnNetShared with `kind` and
 * the result of `owner`. */
typedef struct CnNetKind {
    const CnType *all[4]; /* components that such an entity has; NULL: none */
    uint32_t kind;
    uint32_t (*owner)(const CnWorld *world, CnEntity entity); /* NULL: nobody */
} CnNetKind;
#define CN_NET_MAX_KINDS 16u

typedef struct CnNetReplicationDesc {
    CnWorld *world;
    const CnNetLayout *layout; /* must live as long as the replication */
    const CnNetKind *kinds;    /* an entity is of the first one that it matches; copied */
    uint32_t kind_count;       /* 0: the entities with a CnNetShared are shared */
    CnAllocator *allocator;    /* NULL: that of the world */
} CnNetReplicationDesc;

CN_API CnNetReplication *cn_net_replication_create(const CnNetReplicationDesc *desc,
                                                   CnError *error);
CN_API void cn_net_replication_destroy(CnNetReplication *replication); /* NULL is ignored */

/* Records the state of all shared entities. `tick` must be greater than that of the capture before.
 * Returns false and an error when out of memory or out of network ids; entities that could not be
 * recorded keep their previous state or are not shared yet, and the next capture tries again. */
CN_API bool cn_net_replication_capture(CnNetReplication *replication, uint64_t tick,
                                       CnError *error);
/* Returns the network id of a shared entity, as of the last capture; UINT32_MAX if it has none. */
CN_API uint32_t cn_net_replication_id(const CnNetReplication *replication, CnEntity entity);

/* ---- Clients ---- */

typedef struct CnNetClientDesc {
    uint32_t owner;              /* number of the player; 0: owns nothing */
    CnEntity viewer;             /* null: it sees from `position` */
    CnVec3 position;             /* used without a viewer, or while that is not shared */
    float view_distance;         /* 0: unlimited */
    uint32_t bytes_per_snapshot; /* 0: no limit but that of the buffer */
    uint32_t resend_after;       /* snapshots until what was not acknowledged is sent again; 0: 5 */
    uint32_t max_entities;       /* that it knows at the same time; 0: 4096 */
} CnNetClientDesc;

/* Adds a client that knows nothing yet. Returns its number, 0 and an error when out of memory or
 * clients. */
CN_API uint32_t cn_net_replication_client_add(CnNetReplication *replication,
                                              const CnNetClientDesc *desc, CnError *error);
CN_API void cn_net_replication_client_remove(CnNetReplication *replication, uint32_t client);
/* Replaces the settings. */
CN_API void cn_net_replication_client_set(CnNetReplication *replication, uint32_t client,
                                          const CnNetClientDesc *desc);
/* Forgets what the client has acknowledged: everything is sent again as a whole. For a client that
 * reports that it cannot read a snapshot. */
CN_API void cn_net_replication_client_reset(CnNetReplication *replication, uint32_t client);

typedef struct CnNetWritten {
    size_t size;       /* bytes */
    uint32_t snapshot; /* its number, that of the capture */
    uint32_t records;  /* entities and removals in it */
    uint32_t waiting;  /* entities that changed and did not fit */
} CnNetWritten;

/* Writes the snapshot of the last capture for a client; at most once for each capture: a second
 * call writes nothing. `capacity` is at least CN_NET_MIN_SNAPSHOT_BYTES. An entity that does not
 * even fit into an empty snapshot of this capacity (see cn_net_layout_max_bytes) is never sent. The
 * client's limit of bytes does not apply to the first entity of a snapshot. Returns false and an
 * error when out of memory; nothing was written then. */
CN_API bool cn_net_replication_write(CnNetReplication *replication, uint32_t client, void *buffer,
                                     size_t capacity, CnNetWritten *written, CnError *error);

/* What a client has read: the newest snapshot, and the 32 before it as bits (bit 0: newest - 1). */
typedef struct CnNetAcks {
    uint32_t newest; /* 0: none */
    uint32_t before;
} CnNetAcks;

/* Repeated, late and invented acknowledgements are harmless. */
CN_API void cn_net_replication_acknowledge(CnNetReplication *replication, uint32_t client,
                                           const CnNetAcks *acks);
/* Reports that a snapshot was probably lost, so that its contents are sent again at once. */
CN_API void cn_net_replication_lost(CnNetReplication *replication, uint32_t client,
                                    uint32_t snapshot);

/* Returns a hash of what the client should have after it has read everything: ids and numbers of
 * the entities that it sees, as of the last snapshot written for it. Equals cn_net_replica_hash. */
CN_API uint64_t cn_net_replication_client_hash(const CnNetReplication *replication,
                                               uint32_t client);

typedef struct CnNetReplicationStats {
    uint32_t shared;   /* entities in the last capture */
    uint32_t unshared; /* entities in the last capture that got no network id or no memory */
    uint32_t reserved; /* network ids in use, including those whose removal is not acknowledged */
    uint32_t clients;
    uint64_t encoded; /* entities that were encoded since creation */
    uint64_t copied;  /* entities whose encoding was taken from that for another client */
} CnNetReplicationStats;

CN_API CnNetReplicationStats cn_net_replication_stats(const CnNetReplication *replication);

typedef struct CnNetClientStats {
    uint32_t known;     /* entities, including removals that are not acknowledged */
    uint32_t refused;   /* entities in view beyond max_entities, in the last snapshot */
    uint32_t oversized; /* entities that did not fit into an empty snapshot, in the last snapshot */
    size_t memory_bytes;
} CnNetClientStats;

CN_API CnNetClientStats cn_net_replication_client_stats(const CnNetReplication *replication,
                                                        uint32_t client);

CN_EXTERN_C_END

#endif

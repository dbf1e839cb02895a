/*
 * The inside of a replication.
 *
 * A slot is a network id. A capture holds for each slot a state: two version numbers and a row for
 * each component (0: absent). The versions are the numbers of the captures in which the entity last
 * changed for everyone, and for its owner.
 *
 * What a client has of an entity is the state in the capture `base`, the last snapshot with this
 * entity that it acknowledged. No states are stored for clients.
 */
#ifndef CAIRN_NET_REPLICATION_INTERNAL_H
#define CAIRN_NET_REPLICATION_INTERNAL_H

#include "net/component_rows.h"
#include "net/layout_internal.h"

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/slot_table.h>
#include <cairn/ecs/query.h>
#include <cairn/net/replication.h>

#define CNI_NET_DEFAULT_RESEND 5u
#define CNI_NET_DEFAULT_ENTITIES 4096u
#define CNI_NET_CACHED_BODIES 8u /* per slot */

typedef struct CniNetState {
    uint32_t public_version, owner_version;
    uint32_t rows[]; /* one for each component */
} CniNetState;

typedef struct CniNetCapture {
    uint32_t number; /* 0: none */
    uint64_t tick;
    uint32_t count, capacity; /* slots */
    uint32_t *states;
} CniNetCapture;

enum { CNI_NET_SLOT_ALIVE = 1, CNI_NET_SLOT_HAS_POSITION = 2 };

typedef struct CniNetSlot {
    CnEntity entity;
    uint32_t owner;
    uint32_t born;    /* the first capture */
    uint32_t seen;    /* the last capture in which the entity existed */
    uint32_t clients; /* that know it */
    uint32_t kind;    /* index of its kind */
} CniNetSlot;

/* The encoding of a state for clients that have the state `base`; see replication_write.c. */
typedef struct CniNetBody {
    uint32_t generation; /* of all encodings; others are out of date */
    uint32_t base;
    uint32_t offset; /* in the bodies, in bytes */
    uint32_t bits;
} CniNetBody;

enum {
    CNI_NET_KNOWN_REMOVING = 1,  /* out of view or destroyed */
    CNI_NET_KNOWN_ANNOUNCED = 2, /* was sent at least once */
    CNI_NET_KNOWN_OWNED = 4,     /* receives components for the owner */
};

/* An entity that a client knows, or is going to know. */
typedef struct CniNetKnown {
    uint16_t slot;
    uint8_t flags;
    uint32_t base;      /* acknowledged snapshot with this entity; 0: none */
    uint32_t last_sent; /* snapshot; 0: must be sent */
    uint32_t attention; /* snapshot in which it was sent last, or became known */
    uint64_t sent;      /* bit n % 64: snapshot n contains it and may still be acknowledged */
} CniNetKnown;

typedef struct CniNetClient {
    CnSlot slot;
    CnNetClientDesc desc;
    CniNetKnown *known;
    uint32_t known_count, known_capacity;
    uint16_t *index; /* by slot: position in `known` + 1 */
    uint32_t index_capacity;
    uint32_t written[CN_NET_HISTORY]; /* snapshot n at n % 64 */
    uint32_t last_written, last_acknowledged;
    CnNetClientStats stats;
} CniNetClient;

/* Something to write into a snapshot. */
typedef struct CniNetCandidate {
    uint32_t known;      /* position; set when it is chosen */
    uint32_t body, bits; /* offset and size of the encoding */
    uint16_t slot;
    uint16_t priority;
    uint8_t record; /* CniNetRecord */
    bool is_chosen;
} CniNetCandidate;

struct CnNetReplication {
    CnAllocator *allocator;
    CnWorld *world;
    const CnNetLayout *layout;
    CnNetKind kinds[CN_NET_MAX_KINDS];
    CnQuery *queries[CN_NET_MAX_KINDS]; /* of the kinds; without kinds, of all with CnNetShared */
    uint32_t query_count;
    bool has_kinds;
    CnComponent ids[CNI_NET_COMPONENTS];
    bool by_fields[CNI_NET_COMPONENTS];

    CniNetRows rows[CNI_NET_COMPONENTS];
    CniNetCapture captures[CN_NET_HISTORY];
    uint32_t number;   /* of the last capture */
    uint32_t attempts; /* captures, including those that failed */

    CnHashMap slot_of; /* entity: uint32_t */
    CN_ARRAY(CniNetSlot) slots;
    CnU8Array flags;      /* of slots; a plain array for the loops of each client */
    CnF32Array positions; /* x, y, z of slots */
    uint32_t lowest_free; /* no slot below it is free */
    CnU32Array order;     /* slots of the entities in the order of the query */

    CnSlotTable clients;
    void *value;                          /* of a component, when it is not stored as one */
    uint32_t *words;                      /* of a component */
    CN_ARRAY(CniNetCandidate) candidates; /* by rising slot */
    CnU32Array sorted;          /* priorities and positions of candidates; room for two of each */
    CnU8Array bodies;           /* of the last capture */
    CN_ARRAY(CniNetBody) cache; /* CNI_NET_CACHED_BODIES per slot */
    uint32_t generation;
    CnNetReplicationStats stats;
};

static inline uint32_t cni_net_state_words(const CnNetReplication *r)
{
    return (uint32_t)(sizeof(CniNetState) / sizeof(uint32_t)) + r->layout->component_count;
}

/* Returns the state of a slot in a capture, NULL if the capture does not have the slot. */
static inline CniNetState *cni_net_state(const CnNetReplication *r, const CniNetCapture *capture,
                                         uint32_t slot)
{
    return slot < capture->count
               ? (CniNetState *)(void *)(capture->states + (size_t)slot * cni_net_state_words(r))
               : NULL;
}

static inline CniNetCapture *cni_net_last_capture(CnNetReplication *r)
{
    return &r->captures[r->number % CN_NET_HISTORY];
}

/* Frees the network id if nothing refers to it. */
void cni_net_slot_release(CnNetReplication *r, uint32_t slot);
/* Removes an entity from those that a client knows; the last one takes its position. */
void cni_net_forget(CnNetReplication *r, CniNetClient *client, uint32_t known);
/* Finds what a client may need. Returns false when out of memory. */
bool cni_net_select(CnNetReplication *r, CniNetClient *client);
/* Fills `sorted`: the low 16 bits are positions of candidates, by descending priority. */
void cni_net_sort(CnNetReplication *r);

#endif

/* The internal structure of command buffers, shared by command_buffer.c (recording) and
 * command_flush.c (applying). */
#ifndef CAIRN_SRC_ECS_COMMAND_COMMAND_BUFFER_H
#define CAIRN_SRC_ECS_COMMAND_COMMAND_BUFFER_H

#include "ecs/world/world_internal.h"

#define CNI_ECS_COMMAND_BLOCK_BYTES ((size_t)64 << 10)

/* OP_RESET adds a component or overwrites it with its default value, as a spawn without data
 * does. */
typedef enum CniEcsCommandOp {
    CNI_ECS_OP_ADD,
    CNI_ECS_OP_SET,
    CNI_ECS_OP_REMOVE,
    CNI_ECS_OP_RESET
} CniEcsCommandOp;

/* One step on an entity. Its value follows, padded to 8 bytes: inline, or as a pointer into the
 * batch's arena if it is larger than CN_COMMAND_SLOT_BYTES. */
typedef struct CniEcsCommandItem {
    uint32_t component;
    uint32_t op : 2;
    uint32_t in_arena : 1;
    uint32_t value_bytes : 29; /* bytes that follow */
} CniEcsCommandItem;

enum { CNI_ECS_RECORD_SPAWN = 1, CNI_ECS_RECORD_CONTINUES = 2 };

/* Consecutive steps on one entity. A flush links it to records with later steps on the same
 * entity. */
typedef struct CniEcsCommandRecord {
    CnEntity entity;
    struct CniEcsCommandRecord *next;
    uint32_t item_bytes; /* all items with their values */
    uint16_t item_count;
    uint16_t flags;
} CniEcsCommandRecord;

/* Consecutive spawns with the same components: the items once, without values, then a row per
 * entity, which consists of its id and the values without gaps, padded to 8 bytes. */
typedef struct CniEcsSpawnRecord {
    CniEcsCommandRecord head; /* without an entity; item_bytes counts everything after it */
    uint32_t row_bytes, row_count;
    CniEcsCommandItem items[];
} CniEcsSpawnRecord;

struct CniEcsCommandBlock {
    CniEcsCommandBlock *next;
    size_t used;
    _Alignas(16) uint8_t bytes[];
};

typedef struct CniEcsParentLink {
    CnEntity child, parent;
} CniEcsParentLink;

typedef struct CniEcsCommandBatch {
    CniEcsCommandBlock *first, *current;
    CniEcsCommandRecord *last; /* receives further steps on its entity */
    CniEcsSpawnRecord *spawns; /* receives further rows; the last record, or NULL */
    CN_ARRAY(CnEntity) destroyed;
    CN_ARRAY(CniEcsParentLink) parents;
    CnArena large;
    uint32_t count, spawned;
    /* A step may refer to an entity whose index is not higher than the previous one. Otherwise
     * every entity occurs once, and a flush need not search for further steps on it. */
    bool unordered;
} CniEcsCommandBatch;

/* Indices for spawned entities are taken in units, so that the indices of a buffer depend only on
 * its position among the buffers and on its own commands. Buffers that have spawned before share
 * the free stack in stripes of 64. Others, and those that the stack cannot serve, take whole pages,
 * which are also striped over all buffers. cni_ecs_commands_resolve_ids turns reserved indices into
 * owned ones. */
#define CNI_ECS_STRIPE 64u

/* The components of the last spawn, because the next one usually has the same. */
typedef struct CniEcsSpawnTemplate {
    bool known;
    uint32_t count;
    uint32_t row_bytes;
    const CnType *types[CN_MAX_VALUES];
    CniEcsCommandItem items[CN_MAX_VALUES];
} CniEcsSpawnTemplate;

struct CnCommands {
    CnWorld *world; /* first: see cn_commands_world */
    CniEcsCommandBatch batches[2];
    uint32_t active; /* the batch being recorded; a flush applies the other */
    uint32_t order;  /* position among the world's buffers */
    uint32_t rank;   /* position among buffers that have spawned; 0: none yet */
    uint32_t stripes_taken;
    CnU32Array pages_taken;
    uint32_t stripe_left;         /* of the last stripe */
    uint32_t stripe_next;         /* its next index is below this position of the free stack */
    uint32_t page_next, page_end; /* remainder of the last page */
    CnU32Array owned;             /* the next one is last */
    CnU32Array rest;              /* unused indices of units taken for shares; likewise */
    CniEcsSplit *split;           /* created by the first parallel loop that may record here */
    CniEcsSplit *share_of;        /* for the buffer of a share: source of its units of 64 indices */
    uint32_t share;               /* the number of the share */
    uint32_t units_taken;
    /* Number of running parallel loops that could record here. Their lanes record into the buffers
     * of their shares, or are refused. Atomic, because loops of one wave change it concurrently. */
    uint32_t is_split;
    bool is_loose; /* does not belong to a system */
    CniEcsSpawnTemplate spawn;
    bool has_spawned;
    bool destroy_pending; /* to be destroyed later: see cni_ecs_commands_reap */
    bool arranged;        /* used by cni_ecs_commands_reorder */
};

static inline CniEcsCommandItem *cni_ecs_record_items(const CniEcsCommandRecord *record)
{
    return (CniEcsCommandItem *)(uintptr_t)(record + 1);
}

static inline CniEcsCommandItem *cni_ecs_item_next(const CniEcsCommandItem *item)
{
    return (CniEcsCommandItem *)((uintptr_t)(item + 1) + ((item->value_bytes + 7u) & ~7u));
}

/* Returns the value of an item; `stored` is its data in the buffer. */
static inline const void *cni_ecs_stored_value(const CniEcsCommandItem *item, const void *stored)
{
    if (item->in_arena) {
        void *value;
        memcpy(&value, stored, sizeof value);
        return value;
    }
    return stored;
}

static inline const void *cni_ecs_item_value(const CniEcsCommandItem *item)
{
    return cni_ecs_stored_value(item, item + 1);
}

/* Returns the id of a spawned entity, which its values follow. */
static inline const CnEntity *cni_ecs_spawn_row(const CniEcsSpawnRecord *spawns, uint32_t row)
{
    const uint8_t *rows = (const uint8_t *)(spawns->items + spawns->head.item_count);
    return (const CnEntity *)(const void *)(rows + (size_t)row * spawns->row_bytes);
}

void cni_ecs_batch_reset(CniEcsCommandBatch *batch);
/* Creates the buffer of a share, which is not in the world's list. Returns NULL when out of
 * memory. */
CnCommands *cni_ecs_share_commands_create(CniEcsSplit *split, uint32_t share);
/* Appends the commands of a share to the buffer of its system. */
void cni_ecs_commands_append_share(CnCommands *own, CnCommands *share);

#endif

/* The inside of a command buffer, shared by command_buffer.c (recording) and command_flush.c
 * (applying). */
#ifndef CAIRN_SRC_ECS_COMMAND_COMMAND_BUFFER_H
#define CAIRN_SRC_ECS_COMMAND_COMMAND_BUFFER_H

#include "ecs/world/world_internal.h"

#define CNI_ECS_COMMAND_BLOCK_BYTES ((size_t)64 << 10)

/* OP_RESET adds or overwrites with the default value: what a spawn without data does. */
typedef enum CniEcsCommandOp {
    CNI_ECS_OP_ADD,
    CNI_ECS_OP_SET,
    CNI_ECS_OP_REMOVE,
    CNI_ECS_OP_RESET
} CniEcsCommandOp;

/* One step on an entity; the value follows, padded to 8 bytes: in line, or as a pointer into the
 * batch's arena when it is larger than a slot. */
typedef struct CniEcsCommandItem {
    uint32_t component;
    uint32_t op : 2;
    uint32_t in_arena : 1;
    uint32_t value_bytes : 29; /* that follow */
} CniEcsCommandItem;

enum { CNI_ECS_RECORD_SPAWN = 1, CNI_ECS_RECORD_CONTINUES = 2 };

/* Consecutive steps on one entity. Steps recorded later on the same entity are chained by a flush.
 */
typedef struct CniEcsCommandRecord {
    CnEntity entity;
    struct CniEcsCommandRecord *next;
    uint32_t item_bytes; /* all items with their values */
    uint16_t item_count;
    uint16_t flags;
} CniEcsCommandRecord;

/* Entities spawned with the same components, behind one another: the items once, without values,
 * then a row for each, which is its id and the values without gaps, padded to 8 bytes. */
typedef struct CniEcsSpawnRecord {
    CniEcsCommandRecord head; /* of no entity; item_bytes counts all that follows it */
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
    CniEcsCommandRecord *last; /* takes further steps on its entity */
    CniEcsSpawnRecord *spawns; /* takes further rows; at the end of what is recorded, or NULL */
    CN_ARRAY(CnEntity) destroyed;
    CN_ARRAY(CniEcsParentLink) parents;
    CnArena large;
    uint32_t count, spawned;
    /* Some step may name an entity with no higher index than the one before. Otherwise no entity is
     * named twice, and a flush does not have to look for further steps on the same one. */
    bool unordered;
} CniEcsCommandBatch;

/* Numbers for spawned entities are taken in units, so that which number a buffer gets depends on
 * its place among the buffers and on its own commands alone. Buffers that have spawned before share
 * the free stack in stripes of 64; others, and those the stack cannot serve, take whole pages, in
 * stripes over all buffers. cni_ecs_commands_resolve_ids turns what was taken into owned numbers.
 */
#define CNI_ECS_STRIPE 64u

/* What the last spawn looked like: the next one is mostly alike. */
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
    uint32_t active; /* the one being recorded; a flush applies the other */
    uint32_t order;  /* among the world's buffers */
    uint32_t rank;   /* among those that have spawned; 0: none yet */
    uint32_t stripes_taken;
    CnU32Array pages_taken;
    uint32_t stripe_left;         /* of the last stripe */
    uint32_t stripe_next;         /* its next number is below this place on the free stack */
    uint32_t page_next, page_end; /* rest of the last page */
    CnU32Array owned;             /* the next one is last */
    CnU32Array rest;              /* numbers of units taken for shares and not used; likewise */
    CniEcsSplit *split;           /* made by the first parallel loop that may record here */
    CniEcsSplit *share_of;        /* of a share's buffer: it takes units of 64 numbers from here */
    uint32_t share;               /* its number */
    uint32_t units_taken;
    /* Parallel loops that run and could record here: their lanes record into buffers of their
     * shares, or are refused. Loops of one wave change it at the same time: atomic. */
    uint32_t is_split;
    bool is_loose; /* of no system */
    CniEcsSpawnTemplate spawn;
    bool has_spawned;
    bool destroy_pending; /* destroyed while that was not possible: see cni_ecs_commands_reap */
    bool arranged;        /* scratch of cni_ecs_commands_reorder */
};

static inline CniEcsCommandItem *cni_ecs_record_items(const CniEcsCommandRecord *record)
{
    return (CniEcsCommandItem *)(uintptr_t)(record + 1);
}

static inline CniEcsCommandItem *cni_ecs_item_next(const CniEcsCommandItem *item)
{
    return (CniEcsCommandItem *)((uintptr_t)(item + 1) + ((item->value_bytes + 7u) & ~7u));
}

/* The value of an item, of which `stored` lies in the buffer. */
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

/* The id of a spawned entity; its values follow. */
static inline const CnEntity *cni_ecs_spawn_row(const CniEcsSpawnRecord *spawns, uint32_t row)
{
    const uint8_t *rows = (const uint8_t *)(spawns->items + spawns->head.item_count);
    return (const CnEntity *)(const void *)(rows + (size_t)row * spawns->row_bytes);
}

void cni_ecs_batch_reset(CniEcsCommandBatch *batch);
/* The buffer of a share, which is not one of the world's; NULL when out of memory. */
CnCommands *cni_ecs_share_commands_create(CniEcsSplit *split, uint32_t share);
/* Appends what a share has recorded to the buffer of its system. */
void cni_ecs_commands_append_share(CnCommands *own, CnCommands *share);

#endif

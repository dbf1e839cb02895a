/*
 * Tables of things with handles of 32 bits: a slot and its generation. An id that is dead stays dead: a slot
 * whose generation would wrap is given up. A dead thing keeps its slot until the GPU is done with it.
 */
#ifndef CAIRN_SRC_GPU_TABLE_H
#define CAIRN_SRC_GPU_TABLE_H

#include <cairn/base/memory.h>

#define CNI_GPU_INDEX_BITS 18u
#define CNI_GPU_MAX_ITEMS ((1u << CNI_GPU_INDEX_BITS) - 1u)
#define CNI_GPU_MAX_GENERATION ((1u << (32u - CNI_GPU_INDEX_BITS)) - 1u)
#define CNI_GPU_NAME_BYTES 48u

/* The first field of every item. */
typedef struct CniGpuSlot {
    uint32_t generation; /* 0: given up */
    uint32_t next_free;  /* index + 1 */
    bool is_live;        /* its id is good */
    bool is_used;        /* the slot is taken */
    char name[CNI_GPU_NAME_BYTES];
} CniGpuSlot;

typedef struct CniTable {
    CnAllocator *allocator;
    char *items;
    uint32_t item_bytes;
    uint32_t count, capacity;
    uint32_t first_free, last_free; /* index + 1; oldest first, so that generations last */
    uint32_t live;
} CniTable;

void cni_table_init(CniTable *table, CnAllocator *allocator, size_t item_bytes);
void cni_table_fini(CniTable *table);
/* A zeroed item with its name, and its id; NULL when out of memory or slots. Moves the others. */
void *cni_table_take(CniTable *table, const char *name, uint32_t *id);
/* NULL for ids that are 0 or dead. */
void *cni_table_get(const CniTable *table, uint32_t id);
/* The id is dead from now on; the slot stays taken. */
void cni_table_kill(CniTable *table, uint32_t index);
void cni_table_release(CniTable *table, uint32_t index);

static inline uint32_t cni_table_index(uint32_t id)
{
    return (id & CNI_GPU_MAX_ITEMS) - 1u;
}

static inline void *cni_table_at(const CniTable *table, uint32_t index)
{
    return table->items + (size_t)index * table->item_bytes;
}

/* The id of the live item in this slot. */
static inline uint32_t cni_table_id(const CniTable *table, uint32_t index)
{
    const CniGpuSlot *slot = (const CniGpuSlot *)cni_table_at(table, index);
    return slot->generation << CNI_GPU_INDEX_BITS | (index + 1u);
}

#endif

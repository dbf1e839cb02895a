/*
 * Slot tables: items of one size that are identified by 32-bit ids. An id consists of the index of
 * a slot and the generation of that slot, so the id of a released item is recognized as stale, even
 * after the slot has been reused. Id 0 is null.
 *
 *     typedef struct Texture {
 *         CnSlot slot; // the first member of every item
 *         uint32_t width, height;
 *     } Texture;
 *
 *     CnSlotTable textures;
 *     uint32_t id;
 *     cn_slot_table_init(&textures, NULL, sizeof(Texture), 4096);
 *     Texture *texture = cn_slot_table_acquire(&textures, &id);   // NULL: no memory or slots
 *     cn_slot_table_release(&textures, cn_slot_index(id));
 *     texture = cn_slot_table_get(&textures, id);                 // NULL
 *     cn_slot_table_fini(&textures);
 *
 * A slot whose generation would wrap is retired. Only one thread at a time may use a table.
 */
#ifndef CAIRN_BASE_SLOT_TABLE_H
#define CAIRN_BASE_SLOT_TABLE_H

#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

#define CN_SLOT_INDEX_BITS 18u
#define CN_SLOT_MAX_COUNT ((1u << CN_SLOT_INDEX_BITS) - 1u)
#define CN_SLOT_MAX_GENERATION ((1u << (32u - CN_SLOT_INDEX_BITS)) - 1u)

/* The first member of every item. Only the table writes it. */
typedef struct CnSlot {
    uint32_t generation; /* 0: retired */
    uint32_t next_free;  /* index + 1; 0: none */
    bool is_live;        /* its id is valid */
    bool is_used;        /* live, or killed and not released yet */
} CnSlot;

typedef struct CnSlotTable {
    CnAllocator *allocator;
    char *items;
    uint32_t item_bytes;
    uint32_t count, capacity; /* slots that were ever used, slots allocated */
    uint32_t limit;           /* of slots */
    /* index + 1; the oldest is reused first, so that generations last longer */
    uint32_t first_free, last_free;
    uint32_t live; /* items with a valid id */
} CnSlotTable;

/* `limit` is the largest number of items, at most CN_SLOT_MAX_COUNT. Allocates nothing. */
CN_API void cn_slot_table_init(CnSlotTable *table, CnAllocator *allocator, size_t item_bytes,
                               uint32_t limit);
/* Frees all items. */
CN_API void cn_slot_table_fini(CnSlotTable *table);

/* Returns a zeroed item and stores its id; returns NULL when out of memory or slots. May move
 * other items. */
CN_API void *cn_slot_table_acquire(CnSlotTable *table, uint32_t *id);
/* Returns NULL for 0 and for stale ids. */
CN_API void *cn_slot_table_get(const CnSlotTable *table, uint32_t id);
/* Invalidates the id of a live item; its slot stays in use until it is released. */
CN_API void cn_slot_table_kill(CnSlotTable *table, uint32_t index);
/* Frees the slot of an item that is live or killed. Never allocates. */
CN_API void cn_slot_table_release(CnSlotTable *table, uint32_t index);

static inline uint32_t cn_slot_index(uint32_t id)
{
    return (id & CN_SLOT_MAX_COUNT) - 1u;
}

/* Returns the item at an index below `count`, whatever its state. */
static inline void *cn_slot_table_at(const CnSlotTable *table, uint32_t index)
{
    return table->items + (size_t)index * table->item_bytes;
}

/* Returns the live item at an index, or NULL if it is not live. */
static inline void *cn_slot_table_live_at(const CnSlotTable *table, uint32_t index)
{
    CnSlot *slot = (CnSlot *)cn_slot_table_at(table, index);
    return slot->is_live ? slot : NULL;
}

/* Returns the id of the live item at an index. */
static inline uint32_t cn_slot_table_id(const CnSlotTable *table, uint32_t index)
{
    const CnSlot *slot = (const CnSlot *)cn_slot_table_at(table, index);
    return slot->generation << CN_SLOT_INDEX_BITS | (index + 1u);
}

CN_EXTERN_C_END

#endif

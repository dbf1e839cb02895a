/*
 * The raw side: the smallest program that gives the guarantees of a world. It has ids with
 * generations that never become valid again, a slot table that locates an entity's row, tables kept
 * dense by moving the last row into a hole, ids next to the rows so that a loop knows its entities,
 * and room for any number. Unlike in a world, everything is known at compile time.
 */
#ifndef CAIRN_BENCH_ECS_RAW_H
#define CAIRN_BENCH_ECS_RAW_H

#include "bench.h"

/* Zeroed and aligned to 64 bytes; on huge pages from 2 MiB on, like the memory of a world. */
void *raw_alloc(size_t bytes);
void raw_free(void *block);

typedef struct RawSlot {
    uint32_t generation; /* odd: alive */
    uint32_t row;        /* with RAW_MARKED in the second table */
} RawSlot;

#define RAW_MARKED 0x80000000u

/* Rows of one archetype. `extra` is used by workloads that add a component with data. */
typedef struct RawTable {
    CnEntity *entities;
    Position *positions;
    Velocity *velocities;
    Extra *extras;
    uint32_t count, capacity;
} RawTable;

typedef struct RawStore {
    RawSlot *slots;
    uint32_t *free; /* a stack; room for every slot */
    uint32_t slot_count, slot_capacity, free_count;
    RawTable plain, marked;
} RawStore;

void raw_store_init(RawStore *store, uint32_t capacity);
void raw_store_fini(RawStore *store);
void raw_slots_grow(RawStore *store, uint32_t needed);
void raw_table_grow(RawTable *table, uint32_t needed);
/* Adds n rows with Position and Velocity to the plain table. */
void raw_add_movers(RawStore *store, uint32_t n, CnEntity *entities);

static inline CnEntity raw_slot_acquire(RawStore *store, uint32_t row)
{
    uint32_t index;
    if (CN_LIKELY(store->free_count)) {
        index = store->free[--store->free_count];
    } else {
        if (CN_UNLIKELY(store->slot_count == store->slot_capacity))
            raw_slots_grow(store, store->slot_count + 1);
        index = store->slot_count++;
    }
    RawSlot *slot = &store->slots[index];
    slot->row = row;
    return cn_entity_make(index, ++slot->generation);
}

static inline RawSlot *raw_find(const RawStore *store, CnEntity entity)
{
    uint32_t index = cn_entity_index(entity);
    if (CN_UNLIKELY(index >= store->slot_count))
        return NULL;
    RawSlot *slot = &store->slots[index];
    return CN_LIKELY(slot->generation == cn_entity_generation(entity)) ? slot : NULL;
}

static inline uint32_t raw_append(RawTable *table)
{
    if (CN_UNLIKELY(table->count == table->capacity))
        raw_table_grow(table, table->count + 1);
    return table->count++;
}

static inline CnEntity raw_create(RawStore *store, Position position, Velocity velocity)
{
    RawTable *table = &store->plain;
    uint32_t row = raw_append(table);
    CnEntity entity = raw_slot_acquire(store, row);
    table->entities[row] = entity;
    table->positions[row] = position;
    table->velocities[row] = velocity;
    return entity;
}

/* Moves the last row into the hole. `flag` is RAW_MARKED for the second table, else 0. */
static inline void raw_row_remove(RawStore *store, RawTable *table, uint32_t row, uint32_t flag,
                                  bool with_extra)
{
    uint32_t last = --table->count;
    CnEntity moved = table->entities[last];
    table->entities[row] = moved;
    table->positions[row] = table->positions[last];
    table->velocities[row] = table->velocities[last];
    if (with_extra)
        table->extras[row] = table->extras[last];
    store->slots[cn_entity_index(moved)].row = row | flag;
}

static inline bool raw_destroy(RawStore *store, CnEntity entity)
{
    RawSlot *slot = raw_find(store, entity);
    if (CN_UNLIKELY(!slot))
        return false;
    raw_row_remove(store, &store->plain, slot->row, 0, false);
    if (CN_LIKELY(++slot->generation != 0)) /* otherwise the slot is retired */
        store->free[store->free_count++] = cn_entity_index(entity);
    return true;
}

/* From the plain table to the marked one. */
static inline bool raw_mark(RawStore *store, CnEntity entity, bool with_extra, Extra extra)
{
    RawSlot *slot = raw_find(store, entity);
    if (CN_UNLIKELY(!slot || (slot->row & RAW_MARKED)))
        return slot != NULL;
    RawTable *from = &store->plain, *to = &store->marked;
    uint32_t from_row = slot->row, to_row = raw_append(to);
    to->entities[to_row] = entity;
    to->positions[to_row] = from->positions[from_row];
    to->velocities[to_row] = from->velocities[from_row];
    if (with_extra)
        to->extras[to_row] = extra;
    raw_row_remove(store, from, from_row, 0, false);
    slot->row = to_row | RAW_MARKED;
    return true;
}

/* And back. */
static inline bool raw_unmark(RawStore *store, CnEntity entity, bool with_extra)
{
    RawSlot *slot = raw_find(store, entity);
    if (CN_UNLIKELY(!slot || !(slot->row & RAW_MARKED)))
        return slot != NULL;
    RawTable *from = &store->marked, *to = &store->plain;
    uint32_t from_row = slot->row & ~RAW_MARKED, to_row = raw_append(to);
    to->entities[to_row] = entity;
    to->positions[to_row] = from->positions[from_row];
    to->velocities[to_row] = from->velocities[from_row];
    raw_row_remove(store, from, from_row, RAW_MARKED, with_extra);
    slot->row = to_row;
    return true;
}

#endif

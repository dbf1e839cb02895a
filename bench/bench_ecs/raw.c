#include "raw.h"

#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE_BYTES ((size_t)2 << 20)

void *raw_alloc(size_t bytes)
{
    size_t alignment = bytes >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : 64;
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void *block = need(aligned_alloc(alignment, rounded));
    if (alignment == HUGE_PAGE_BYTES)
        madvise(block, rounded, MADV_HUGEPAGE);
    memset(block, 0, rounded);
    return block;
}

void raw_free(void *block)
{
    free(block);
}

static void *grown(void *old, size_t old_bytes, size_t bytes)
{
    void *block = raw_alloc(bytes);
    if (old)
        memcpy(block, old, old_bytes);
    free(old);
    return block;
}

void raw_slots_grow(RawStore *store, uint32_t needed)
{
    uint32_t old = store->slot_capacity, capacity = old * 2 > needed ? old * 2 : needed;
    store->slots = grown(store->slots, old * sizeof(RawSlot), capacity * sizeof(RawSlot));
    store->free = grown(store->free, old * sizeof(uint32_t), capacity * sizeof(uint32_t));
    store->slot_capacity = capacity;
}

void raw_table_grow(RawTable *table, uint32_t needed)
{
    uint32_t old = table->capacity, capacity = old * 2 > needed ? old * 2 : needed;
    table->entities = grown(table->entities, old * sizeof(CnEntity), capacity * sizeof(CnEntity));
    table->positions = grown(table->positions, old * sizeof(Position), capacity * sizeof(Position));
    table->velocities =
        grown(table->velocities, old * sizeof(Velocity), capacity * sizeof(Velocity));
    table->extras = grown(table->extras, old * sizeof(Extra), capacity * sizeof(Extra));
    table->capacity = capacity;
}

void raw_store_init(RawStore *store, uint32_t capacity)
{
    memset(store, 0, sizeof *store);
    raw_slots_grow(store, capacity);
    raw_table_grow(&store->plain, capacity);
    raw_table_grow(&store->marked, capacity);
}

static void table_fini(RawTable *table)
{
    free(table->entities);
    free(table->positions);
    free(table->velocities);
    free(table->extras);
}

void raw_store_fini(RawStore *store)
{
    free(store->slots);
    free(store->free);
    table_fini(&store->plain);
    table_fini(&store->marked);
}

void raw_add_movers(RawStore *store, uint32_t n, CnEntity *entities)
{
    for (uint32_t i = 0; i < n; i++) {
        CnEntity entity =
            raw_create(store, (Position){(float)i, 1, 2}, (Velocity){1, (float)(i & 15), 3});
        if (entities)
            entities[i] = entity;
    }
}

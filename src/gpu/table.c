#include "table.h"

#include <cairn/base/assert.h>
#include <cairn/base/text.h>

#define FIRST_CAPACITY 32u

static CniGpuSlot *slot_at(const CniTable *table, uint32_t index)
{
    return cni_table_at(table, index);
}

void cni_table_init(CniTable *table, CnAllocator *allocator, size_t item_bytes)
{
    *table = (CniTable){.allocator = allocator, .item_bytes = (uint32_t)item_bytes};
}

void cni_table_fini(CniTable *table)
{
    cn_free(table->allocator, table->items, (size_t)table->capacity * table->item_bytes);
    *table = (CniTable){0};
}

static bool grow(CniTable *table)
{
    uint32_t capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
    if (capacity > CNI_GPU_MAX_ITEMS)
        capacity = CNI_GPU_MAX_ITEMS;
    if (capacity == table->capacity)
        return false;
    void *items =
        cn_realloc(table->allocator, table->items, (size_t)table->capacity * table->item_bytes,
                   (size_t)capacity * table->item_bytes);
    if (!items)
        return false;
    table->items = items;
    table->capacity = capacity;
    return true;
}

static bool take_index(CniTable *table, uint32_t *index, uint32_t *generation)
{
    if (table->first_free) {
        *index = table->first_free - 1;
        CniGpuSlot *slot = slot_at(table, *index);
        *generation = slot->generation;
        table->first_free = slot->next_free;
        if (!table->first_free)
            table->last_free = 0;
        return true;
    }
    if (table->count == table->capacity && !grow(table))
        return false;
    *index = table->count++;
    *generation = 1;
    return true;
}

void *cni_table_take(CniTable *table, const char *name, uint32_t *id)
{
    uint32_t index, generation;
    if (!take_index(table, &index, &generation))
        return NULL;
    CniGpuSlot *slot = slot_at(table, index);
    memset(slot, 0, table->item_bytes);
    slot->generation = generation;
    slot->is_live = slot->is_used = true;
    cn_copy_text(slot->name, sizeof slot->name, cn_text(name ? name : "unnamed"));
    table->live++;
    *id = cni_table_id(table, index);
    return slot;
}

void *cni_table_get(const CniTable *table, uint32_t id)
{
    uint32_t index = cni_table_index(id);
    if (index >= table->count)
        return NULL;
    CniGpuSlot *slot = slot_at(table, index);
    return slot->is_live && slot->generation == id >> CNI_GPU_INDEX_BITS ? slot : NULL;
}

void cni_table_kill(CniTable *table, uint32_t index)
{
    CniGpuSlot *slot = slot_at(table, index);
    CN_ASSERT(slot->is_live, "%s is dead already", slot->name);
    slot->is_live = false;
    table->live--;
}

void cni_table_release(CniTable *table, uint32_t index)
{
    CniGpuSlot *slot = slot_at(table, index);
    if (slot->is_live)
        cni_table_kill(table, index);
    slot->is_used = false;
    slot->next_free = 0;
    if (slot->generation == CNI_GPU_MAX_GENERATION) {
        slot->generation = 0;
        return;
    }
    slot->generation++;
    if (table->last_free)
        slot_at(table, table->last_free - 1)->next_free = index + 1;
    else
        table->first_free = index + 1;
    table->last_free = index + 1;
}

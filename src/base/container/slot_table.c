#include <cairn/base/assert.h>
#include <cairn/base/slot_table.h>

#include <string.h>

#define FIRST_CAPACITY 16u

static CnSlot *slot_at(const CnSlotTable *table, uint32_t index)
{
    return cn_slot_table_at(table, index);
}

void cn_slot_table_init(CnSlotTable *table, CnAllocator *allocator, size_t item_bytes,
                        uint32_t limit)
{
    CN_ASSERT(limit <= CN_SLOT_MAX_COUNT, "an id holds %u slots, not %u", CN_SLOT_MAX_COUNT, limit);
    CN_ASSERT(item_bytes >= sizeof(CnSlot), "an item of %zu bytes has no CnSlot", item_bytes);
    if (limit > CN_SLOT_MAX_COUNT)
        limit = CN_SLOT_MAX_COUNT;
    *table =
        (CnSlotTable){.allocator = allocator, .item_bytes = (uint32_t)item_bytes, .limit = limit};
}

void cn_slot_table_fini(CnSlotTable *table)
{
    cn_free(table->allocator, table->items, (size_t)table->capacity * table->item_bytes);
    *table = (CnSlotTable){0};
}

static bool grow(CnSlotTable *table)
{
    uint32_t capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
    if (capacity > table->limit)
        capacity = table->limit;
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

static bool acquire_index(CnSlotTable *table, uint32_t *index, uint32_t *generation)
{
    if (table->first_free) {
        *index = table->first_free - 1;
        const CnSlot *slot = slot_at(table, *index);
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

void *cn_slot_table_acquire(CnSlotTable *table, uint32_t *id)
{
    uint32_t index, generation;
    if (!acquire_index(table, &index, &generation))
        return NULL;
    CnSlot *slot = slot_at(table, index);
    memset(slot, 0, table->item_bytes);
    slot->generation = generation;
    slot->is_live = slot->is_used = true;
    table->live++;
    *id = cn_slot_table_id(table, index);
    return slot;
}

void *cn_slot_table_get(const CnSlotTable *table, uint32_t id)
{
    uint32_t index = cn_slot_index(id);
    if (index >= table->count)
        return NULL;
    CnSlot *slot = slot_at(table, index);
    return slot->is_live && slot->generation == id >> CN_SLOT_INDEX_BITS ? slot : NULL;
}

void cn_slot_table_kill(CnSlotTable *table, uint32_t index)
{
    CN_ASSERT(index < table->count, "there is no slot %u", index);
    CnSlot *slot = slot_at(table, index);
    CN_ASSERT(slot->is_live, "the item of slot %u was killed before", index);
    slot->is_live = false;
    table->live--;
}

void cn_slot_table_release(CnSlotTable *table, uint32_t index)
{
    CN_ASSERT(index < table->count, "there is no slot %u", index);
    CnSlot *slot = slot_at(table, index);
    CN_ASSERT(slot->is_used, "slot %u is released twice", index);
    if (slot->is_live)
        cn_slot_table_kill(table, index);
    slot->is_used = false;
    slot->next_free = 0;
    if (slot->generation == CN_SLOT_MAX_GENERATION) {
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

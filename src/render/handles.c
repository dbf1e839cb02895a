#include "handles.h"

#include <cairn/base/assert.h>

#include <string.h>

#define FIRST_CAPACITY 16u

void cni_handles_init(CniHandles *slots, CnAllocator *allocator, size_t item_bytes, uint32_t limit)
{
    CN_ASSERT(limit <= CNI_MAX_SLOTS, "%u are more than a handle can tell apart", limit);
    *slots =
        (CniHandles){.allocator = allocator, .item_bytes = (uint32_t)item_bytes, .limit = limit};
}

void cni_handles_fini(CniHandles *slots)
{
    cn_free(slots->allocator, slots->items, (size_t)slots->capacity * slots->item_bytes);
    *slots = (CniHandles){0};
}

static CniSlotHead *head_at(const CniHandles *slots, uint32_t index)
{
    return (CniSlotHead *)(void *)(slots->items + (size_t)index * slots->item_bytes);
}

static bool grow(CniHandles *slots)
{
    uint32_t capacity = slots->capacity ? slots->capacity * 2 : FIRST_CAPACITY;
    if (capacity > slots->limit)
        capacity = slots->limit;
    if (capacity == slots->capacity)
        return false;
    void *items =
        cn_realloc(slots->allocator, slots->items, (size_t)slots->capacity * slots->item_bytes,
                   (size_t)capacity * slots->item_bytes);
    if (!items)
        return false;
    slots->items = items;
    slots->capacity = capacity;
    return true;
}

void *cni_handles_take(CniHandles *slots, uint32_t *id)
{
    uint32_t index, generation = 1;
    if (slots->first_free) {
        index = slots->first_free - 1;
        generation = head_at(slots, index)->generation;
        slots->first_free = head_at(slots, index)->next_free;
    } else {
        if (slots->count == slots->capacity && !grow(slots))
            return NULL;
        index = slots->count++;
    }
    CniSlotHead *head = head_at(slots, index);
    memset(head, 0, slots->item_bytes);
    head->generation = generation;
    head->is_live = true;
    slots->live++;
    *id = cni_slot_id(slots, index);
    return head;
}

void *cni_handles_get(const CniHandles *slots, uint32_t id)
{
    uint32_t index = cni_slot_index(id);
    if (index >= slots->count)
        return NULL;
    CniSlotHead *head = head_at(slots, index);
    return head->is_live && head->generation == id >> CNI_SLOT_BITS ? head : NULL;
}

void cni_handles_release(CniHandles *slots, uint32_t index)
{
    CniSlotHead *head = head_at(slots, index);
    CN_ASSERT(head->is_live, "a slot is released twice");
    head->is_live = false;
    slots->live--;
    if (head->generation == CNI_MAX_SLOT_GENERATION) {
        head->generation = 0;
        return;
    }
    head->generation++;
    head->next_free = slots->first_free;
    slots->first_free = index + 1;
}

/* entity_slots.c: entity ids. */
#ifndef CAIRN_SRC_ECS_STORAGE_ENTITY_SLOTS_H
#define CAIRN_SRC_ECS_STORAGE_ENTITY_SLOTS_H

#include "ecs/storage/block_allocator.h"

#define CNI_ECS_PAGE_CLASS 15u /* 4,096 slots of 8 bytes */

/* Slot indices come from the free stack, then from the rest of the current page, then from a new
 * page. Skipped page numbers are in `holes`; such pages point to a shared empty one. */
typedef struct CniEcsSlots {
    CniEcsWorldHead *head; /* contains the pages and their number */
    uint32_t page_capacity;
    CnU32Array free;
    CnU32Array holes;
    uint32_t fresh_next, fresh_end;
    uint32_t first_lost; /* index + 1: freed while the stack could not grow; linked by location */
    uint32_t first_generation;
    uint32_t alive, retired;
    CnAllocator *allocator;
    CniEcsBlockAllocator *blocks;
    bool reserved;    /* a command buffer reserved indices; see cni_ecs_commands_resolve_ids */
    uint32_t striped; /* height of the free stack at the first reservation */
} CniEcsSlots;

void cni_ecs_slots_init(CniEcsSlots *slots, CniEcsWorldHead *head, CnAllocator *allocator,
                        CniEcsBlockAllocator *blocks, uint32_t first_generation);
void cni_ecs_slots_fini(CniEcsSlots *slots);
/* Acquires an index if the free stack is empty. Returns false when out of memory or slots. */
bool cni_ecs_slot_take_unused(CniEcsSlots *slots, uint32_t *index);
/* Returns an index to the stack when the stack is full. */
void cni_ecs_slot_return_slow(CniEcsSlots *slots, uint32_t index);
/* Like cni_ecs_slot_release, but never allocates. */
void cni_ecs_slot_release_without_growing(CniEcsSlots *slots, uint32_t index);
/* Returns the page at position `nth` of the sequence: holes (last first), then new pages. */
uint32_t cni_ecs_slots_nth_page(const CniEcsSlots *slots, uint32_t nth);
/* Creates the page; all its slots are dead and belong to the caller. */
bool cni_ecs_slots_install_page(CniEcsSlots *slots, uint32_t page);
/* Ensures that `count` pages up to `last` can be installed. */
bool cni_ecs_slots_reserve(CniEcsSlots *slots, uint32_t count, uint32_t last);
/* Ensures that `count` indices can be acquired. */
bool cni_ecs_slots_reserve_numbers(CniEcsSlots *slots, uint32_t count);
/* Whether the id has the next generation of its slot, which a pending spawn may have reserved. */
bool cni_ecs_slot_is_reserved(const CniEcsSlots *slots, CnEntity entity);
/* For guards only: whether the id was ever alive. */
bool cni_ecs_slot_was_used(const CniEcsSlots *slots, CnEntity entity);
/* Cancels the reservation of an index for an entity that was never created; its id is not
 * reused. */
void cni_ecs_slot_cancel_reservation(CniEcsSlots *slots, uint32_t index);
void cni_ecs_slots_drain_lost(CniEcsSlots *slots);
/* Replaces the contents of an array of numbers. Returns false when out of memory. */
bool cni_ecs_numbers_copy(CnU32Array *to, const CnU32Array *from);
/* Fills new slots of another world. Locations are those of the original. */
bool cni_ecs_slots_copy(CniEcsSlots *to, const CniEcsSlots *from);

static inline CniEcsSlot *cni_ecs_slots_at(const CniEcsSlots *slots, uint32_t index)
{
    return &slots->head->pages[index / CNI_ECS_PAGE_SLOTS][index % CNI_ECS_PAGE_SLOTS];
}

/* Acquires a live slot and stores its index. Returns false when out of memory or slots. */
static inline bool cni_ecs_slot_acquire(CniEcsSlots *slots, uint32_t *index)
{
    if (CN_LIKELY(slots->free.count))
        *index = slots->free.items[--slots->free.count];
    else if (!cni_ecs_slot_take_unused(slots, index))
        return false;
    cni_ecs_slots_at(slots, *index)->generation++;
    slots->alive++;
    return true;
}

/* Puts a dead index on the free stack. */
static inline void cni_ecs_slot_return(CniEcsSlots *slots, uint32_t index)
{
    if (CN_LIKELY(slots->free.count < slots->free.capacity))
        slots->free.items[slots->free.count++] = index;
    else
        cni_ecs_slot_return_slow(slots, index);
}

/* Releases a slot: its index becomes free, or is retired if its generation would wrap. */
static inline void cni_ecs_slot_release(CniEcsSlots *slots, uint32_t index)
{
    slots->alive--;
    if (CN_LIKELY(++cni_ecs_slots_at(slots, index)->generation != 0))
        cni_ecs_slot_return(slots, index);
    else
        slots->retired++;
}

#endif

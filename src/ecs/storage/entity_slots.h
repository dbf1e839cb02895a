/* entity_slots.c: entity ids. */
#ifndef CAIRN_SRC_ECS_STORAGE_ENTITY_SLOTS_H
#define CAIRN_SRC_ECS_STORAGE_ENTITY_SLOTS_H

#include "ecs/storage/block_allocator.h"

#define CNI_ECS_PAGE_CLASS 15u /* 4,096 slots of 8 bytes */

/* Slot numbers come from the free stack, then from the rest of the current page, then from a new
 * page. Page numbers that were skipped lie in `holes`; such pages point to a shared empty one. */
typedef struct CniEcsSlots {
    CniEcsWorldHead *head; /* has the pages and their number */
    uint32_t page_capacity;
    CnU32Array free;
    CnU32Array holes;
    uint32_t fresh_next, fresh_end;
    uint32_t first_lost; /* index + 1: freed while the stack could not grow; chained by location */
    uint32_t first_generation;
    uint32_t alive, retired;
    CnAllocator *allocator;
    CniEcsBlockAllocator *blocks;
    bool reserved;    /* some command buffer has taken numbers; see cni_ecs_commands_resolve_ids */
    uint32_t striped; /* height of the free stack when the first one did */
} CniEcsSlots;

void cni_ecs_slots_init(CniEcsSlots *slots, CniEcsWorldHead *head, CnAllocator *allocator,
                        CniEcsBlockAllocator *blocks, uint32_t first_generation);
void cni_ecs_slots_fini(CniEcsSlots *slots);
/* A number when the free stack is empty; false when out of memory or slots. */
bool cni_ecs_slot_take_unused(CniEcsSlots *slots, uint32_t *index);
/* Puts a number back on the stack when that is full. */
void cni_ecs_slot_return_slow(CniEcsSlots *slots, uint32_t index);
/* cni_ecs_slot_release that never asks for memory. */
void cni_ecs_slot_release_without_growing(CniEcsSlots *slots, uint32_t index);
/* The page that number `nth` in the sequence holes (last first), then new pages. */
uint32_t cni_ecs_slots_nth_page(const CniEcsSlots *slots, uint32_t nth);
/* Makes the page exist; all its slots are dead and belong to the caller. */
bool cni_ecs_slots_install_page(CniEcsSlots *slots, uint32_t page);
/* Makes sure that `count` pages up to `last` can be installed. */
bool cni_ecs_slots_reserve(CniEcsSlots *slots, uint32_t count, uint32_t last);
/* Makes sure that `count` numbers can be acquired. */
bool cni_ecs_slots_reserve_numbers(CniEcsSlots *slots, uint32_t count);
/* Whether the id is the next life of its slot, which a spawn that waits may have promised. */
bool cni_ecs_slot_is_reserved(const CniEcsSlots *slots, CnEntity entity);
/* Guards only: whether the id was alive once. */
bool cni_ecs_slot_was_used(const CniEcsSlots *slots, CnEntity entity);
/* Gives up a number that was promised to an entity which never came to life: its id is used up. */
void cni_ecs_slot_cancel_reservation(CniEcsSlots *slots, uint32_t index);
void cni_ecs_slots_drain_lost(CniEcsSlots *slots);
/* Fills new slots of another world. Locations are those of the original. */
bool cni_ecs_slots_copy(CniEcsSlots *to, const CniEcsSlots *from);

static inline CniEcsSlot *cni_ecs_slots_at(const CniEcsSlots *slots, uint32_t index)
{
    return &slots->head->pages[index / CNI_ECS_PAGE_SLOTS][index % CNI_ECS_PAGE_SLOTS];
}

/* Makes `*index` a live slot; false when out of memory or slots. */
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

/* Puts a number that does not live on the stack. */
static inline void cni_ecs_slot_return(CniEcsSlots *slots, uint32_t index)
{
    if (CN_LIKELY(slots->free.count < slots->free.capacity))
        slots->free.items[slots->free.count++] = index;
    else
        cni_ecs_slot_return_slow(slots, index);
}

/* Ends a life: the number is free again, or retired when its generation would wrap. */
static inline void cni_ecs_slot_release(CniEcsSlots *slots, uint32_t index)
{
    slots->alive--;
    if (CN_LIKELY(++cni_ecs_slots_at(slots, index)->generation != 0))
        cni_ecs_slot_return(slots, index);
    else
        slots->retired++;
}

#endif

/* entity_slots.c: entity ids. */
#ifndef CAIRN_SRC_ECS_STORAGE_ENTITY_SLOTS_H
#define CAIRN_SRC_ECS_STORAGE_ENTITY_SLOTS_H

#include "ecs/storage/block_allocator.h"

#define CNI_PAGE_CLASS 15u /* 4,096 slots of 8 bytes */

typedef CniSlot Slot;

/* Slot numbers come from the free stack, then from the rest of the current page, then from a new
 * page. Page numbers that were skipped lie in `holes`; such pages point to a shared empty one. */
typedef struct Slots {
    CniWorldHead *head; /* has the pages and their number */
    uint32_t page_capacity;
    CnU32Array free;
    CnU32Array holes;
    uint32_t fresh_next, fresh_end;
    uint32_t first_lost; /* index + 1: freed while the stack could not grow; chained by location */
    uint32_t first_generation;
    uint32_t alive, retired;
    CnAllocator *allocator;
    Blocks *blocks;
    bool reserved;    /* some command buffer has taken numbers; see cni_commands_settle */
    uint32_t striped; /* height of the free stack when the first one did */
} Slots;

void cni_slots_init(Slots *slots, CniWorldHead *head, CnAllocator *allocator, Blocks *blocks,
                    uint32_t first_generation);
void cni_slots_fini(Slots *slots);
/* A number when the free stack is empty; false when out of memory or slots. */
bool cni_slot_fresh(Slots *slots, uint32_t *index);
/* Puts a number back on the stack when that is full. */
void cni_slot_return_slow(Slots *slots, uint32_t index);
/* cni_slot_release that never asks for memory. */
void cni_slot_release_without_growing(Slots *slots, uint32_t index);
/* The page that number `nth` in the sequence holes (last first), then new pages. */
uint32_t cni_slots_nth_page(const Slots *slots, uint32_t nth);
/* Makes the page exist; all its slots are dead and belong to the caller. */
bool cni_slots_install_page(Slots *slots, uint32_t page);
/* Makes sure that `count` pages up to `last` can be installed. */
bool cni_slots_reserve(Slots *slots, uint32_t count, uint32_t last);
/* Makes sure that `count` numbers can be acquired. */
bool cni_slots_reserve_numbers(Slots *slots, uint32_t count);
/* Whether the id is the next life of its slot, which a spawn that waits may have promised. */
bool cni_slot_is_promised(const Slots *slots, CnEntity entity);
/* Guards only: whether the id was alive once. */
bool cni_slot_was_used(const Slots *slots, CnEntity entity);
/* Gives up a number that was promised to an entity which never came to life: its id is used up. */
void cni_slot_break_promise(Slots *slots, uint32_t index);
void cni_slots_drain_lost(Slots *slots);
/* Fills new slots of another world. Locations are those of the original. */
bool cni_slots_copy(Slots *to, const Slots *from);

static inline Slot *cni_slot(const Slots *slots, uint32_t index)
{
    return &slots->head->pages[index / CNI_PAGE_SLOTS][index % CNI_PAGE_SLOTS];
}

/* Makes `*index` a live slot; false when out of memory or slots. */
static inline bool cni_slot_acquire(Slots *slots, uint32_t *index)
{
    if (CN_LIKELY(slots->free.count))
        *index = slots->free.items[--slots->free.count];
    else if (!cni_slot_fresh(slots, index))
        return false;
    cni_slot(slots, *index)->generation++;
    slots->alive++;
    return true;
}

/* Puts a number that does not live on the stack. */
static inline void cni_slot_return(Slots *slots, uint32_t index)
{
    if (CN_LIKELY(slots->free.count < slots->free.capacity))
        slots->free.items[slots->free.count++] = index;
    else
        cni_slot_return_slow(slots, index);
}

/* Ends a life: the number is free again, or retired when its generation would wrap. */
static inline void cni_slot_release(Slots *slots, uint32_t index)
{
    slots->alive--;
    if (CN_LIKELY(++cni_slot(slots, index)->generation != 0))
        cni_slot_return(slots, index);
    else
        slots->retired++;
}

#endif

#include "ecs/world/world_internal.h"

/* Stands in for pages that do not exist: all slots dead. Never written. */
static CniEcsSlot empty_page[CNI_ECS_PAGE_SLOTS];

void cni_ecs_slots_init(CniEcsSlots *slots, CniEcsWorldHead *head, CnAllocator *allocator,
                        CniEcsBlockAllocator *blocks, uint32_t first_generation)
{
    memset(slots, 0, sizeof *slots);
    slots->head = head;
    slots->allocator = allocator;
    slots->blocks = blocks;
    slots->first_generation = (first_generation ? first_generation : 1u) | 1u;
    cn_array_init(&slots->free, allocator);
    cn_array_init(&slots->holes, allocator);
}

void cni_ecs_slots_fini(CniEcsSlots *slots)
{
    for (uint32_t i = 0; i < slots->head->page_count; i++)
        if (slots->head->pages[i] != empty_page)
            cni_ecs_block_release(slots->blocks, slots->head->pages[i], CNI_ECS_PAGE_CLASS);
    cn_free(slots->allocator, slots->head->pages,
            slots->page_capacity * sizeof *slots->head->pages);
    cn_array_fini(&slots->free);
    cn_array_fini(&slots->holes);
}

uint32_t cni_ecs_slots_nth_page(const CniEcsSlots *slots, uint32_t nth)
{
    if (nth < slots->holes.count)
        return slots->holes.items[slots->holes.count - 1 - nth];
    return slots->head->page_count + (nth - slots->holes.count);
}

static bool reserve_pages(CniEcsSlots *slots, uint32_t count)
{
    if (count <= slots->page_capacity)
        return true;
    uint32_t capacity = slots->page_capacity ? slots->page_capacity * 2 : 8;
    while (capacity < count)
        capacity *= 2;
    CniEcsSlot **pages = cn_realloc(slots->allocator, slots->head->pages,
                                    slots->page_capacity * sizeof *pages, capacity * sizeof *pages);
    if (!pages)
        return false;
    slots->head->pages = pages;
    slots->page_capacity = capacity;
    return true;
}

static void remove_hole(CniEcsSlots *slots, uint32_t page)
{
    for (uint32_t i = slots->holes.count; i-- > 0;) {
        if (slots->holes.items[i] != page)
            continue;
        memmove(&slots->holes.items[i], &slots->holes.items[i + 1],
                (slots->holes.count - i - 1) * sizeof(uint32_t));
        slots->holes.count--;
        return;
    }
}

bool cni_ecs_slots_install_page(CniEcsSlots *slots, uint32_t page)
{
    if (page >= CN_MAX_ENTITIES / CNI_ECS_PAGE_SLOTS)
        return false;
    if (page < slots->head->page_count && slots->head->pages[page] != empty_page)
        return true;
    uint32_t skipped = page > slots->head->page_count ? page - slots->head->page_count : 0;
    if (!reserve_pages(slots, page + 1) ||
        !cn_array_reserve(&slots->holes, (uint64_t)slots->holes.count + skipped))
        return false;
    CniEcsSlot *memory = cni_ecs_block_acquire(slots->blocks, CNI_ECS_PAGE_CLASS);
    if (!memory)
        return false;
    for (uint32_t i = 0; i < CNI_ECS_PAGE_SLOTS; i++)
        memory[i] = (CniEcsSlot){slots->first_generation - 1u, 0};
    if (page < slots->head->page_count) {
        remove_hole(slots, page);
    } else {
        /* Highest first, so that the lowest is assigned first. */
        for (uint32_t hole = page; hole-- > slots->head->page_count;)
            slots->holes.items[slots->holes.count++] = hole;
        for (uint32_t hole = slots->head->page_count; hole < page; hole++)
            slots->head->pages[hole] = empty_page;
        slots->head->page_count = page + 1;
    }
    slots->head->pages[page] = memory;
    return true;
}

bool cni_ecs_slots_reserve(CniEcsSlots *slots, uint32_t count, uint32_t last)
{
    uint32_t skipped = last > slots->head->page_count ? last - slots->head->page_count : 0;
    return reserve_pages(slots, last + 1) &&
           cn_array_reserve(&slots->holes, (uint64_t)slots->holes.count + skipped) &&
           cni_ecs_blocks_reserve(slots->blocks, CNI_ECS_PAGE_CLASS, count);
}

bool cni_ecs_slots_reserve_numbers(CniEcsSlots *slots, uint32_t count)
{
    uint32_t at_hand = slots->free.count + (slots->fresh_end - slots->fresh_next);
    if (count <= at_hand)
        return true;
    uint32_t pages = (count - at_hand + CNI_ECS_PAGE_SLOTS - 1) / CNI_ECS_PAGE_SLOTS, last = 0;
    for (uint32_t i = 0; i < pages; i++) {
        uint32_t page = cni_ecs_slots_nth_page(slots, i);
        last = page > last ? page : last;
    }
    return last < CN_MAX_ENTITIES / CNI_ECS_PAGE_SLOTS && cni_ecs_slots_reserve(slots, pages, last);
}

bool cni_ecs_slot_is_reserved(const CniEcsSlots *slots, CnEntity entity)
{
    uint32_t index = cn_entity_index(entity), generation = cn_entity_generation(entity);
    if (slots->reserved && generation == slots->first_generation)
        return true; /* may be in a page that does not exist yet */
    return index / CNI_ECS_PAGE_SLOTS < slots->head->page_count && (generation & 1u) &&
           cni_ecs_slots_at(slots, index)->generation + 1 == generation;
}

bool cni_ecs_slot_was_used(const CniEcsSlots *slots, CnEntity entity)
{
    uint32_t index = cn_entity_index(entity), generation = cn_entity_generation(entity);
    return index / CNI_ECS_PAGE_SLOTS < slots->head->page_count && (generation & 1u) &&
           generation >= slots->first_generation &&
           generation < cni_ecs_slots_at(slots, index)->generation;
}

void cni_ecs_slot_cancel_reservation(CniEcsSlots *slots, uint32_t index)
{
    CniEcsSlot *slot = cni_ecs_slots_at(slots, index);
    slot->generation += 2;
    if (slot->generation != 0)
        cni_ecs_slot_return(slots, index);
    else
        slots->retired++;
}

void cni_ecs_slots_drain_lost(CniEcsSlots *slots)
{
    while (slots->first_lost && cn_array_reserve(&slots->free, (uint64_t)slots->free.count + 1)) {
        uint32_t index = slots->first_lost - 1;
        slots->first_lost = cni_ecs_slots_at(slots, index)->location;
        slots->free.items[slots->free.count++] = index;
    }
}

bool cni_ecs_slot_take_unused(CniEcsSlots *slots, uint32_t *index)
{
    if (slots->first_lost) {
        *index = slots->first_lost - 1;
        slots->first_lost = cni_ecs_slots_at(slots, *index)->location;
        return true;
    }
    if (slots->fresh_next == slots->fresh_end) {
        uint32_t page = cni_ecs_slots_nth_page(slots, 0);
        if (!cni_ecs_slots_install_page(slots, page))
            return false;
        slots->fresh_next = page * CNI_ECS_PAGE_SLOTS;
        slots->fresh_end = slots->fresh_next + CNI_ECS_PAGE_SLOTS;
    }
    *index = slots->fresh_next++;
    return true;
}

static void push_lost(CniEcsSlots *slots, uint32_t index)
{
    cni_ecs_slots_at(slots, index)->location = slots->first_lost;
    slots->first_lost = index + 1;
}

void cni_ecs_slot_return_slow(CniEcsSlots *slots, uint32_t index)
{
    if (CN_LIKELY(cn_array_reserve(&slots->free, (uint64_t)slots->free.count + 1)))
        slots->free.items[slots->free.count++] = index;
    else
        push_lost(slots, index);
}

void cni_ecs_slot_release_without_growing(CniEcsSlots *slots, uint32_t index)
{
    slots->alive--;
    if (++cni_ecs_slots_at(slots, index)->generation == 0)
        slots->retired++;
    else if (slots->free.count < slots->free.capacity)
        slots->free.items[slots->free.count++] = index;
    else
        push_lost(slots, index);
}

bool cni_ecs_numbers_copy(CnU32Array *to, const CnU32Array *from)
{
    if (!cn_array_reserve(to, from->count))
        return false;
    if (from->count)
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    to->count = from->count;
    return true;
}

bool cni_ecs_slots_copy(CniEcsSlots *to, const CniEcsSlots *from)
{
    if (!cni_ecs_numbers_copy(&to->free, &from->free) ||
        !cni_ecs_numbers_copy(&to->holes, &from->holes) ||
        !reserve_pages(to, from->head->page_count))
        return false;
    for (uint32_t page = 0; page < from->head->page_count; page++) {
        CniEcsSlot *memory = empty_page;
        if (from->head->pages[page] != empty_page) {
            memory = cni_ecs_block_acquire(to->blocks, CNI_ECS_PAGE_CLASS);
            if (!memory)
                return false;
            memcpy(memory, from->head->pages[page], CNI_ECS_PAGE_SLOTS * sizeof *memory);
        }
        to->head->pages[page] = memory;
        to->head->page_count = page + 1;
    }
    to->fresh_next = from->fresh_next;
    to->fresh_end = from->fresh_end;
    to->first_lost = from->first_lost;
    to->first_generation = from->first_generation;
    to->alive = from->alive;
    to->retired = from->retired;
    to->reserved = from->reserved;
    to->striped = from->striped;
    return true;
}

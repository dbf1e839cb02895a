/*
 * Tables of things with handles of 32 bits: a slot and its generation. An id that is dead stays dead: a slot
 * whose generation would wrap is given up.
 */
#ifndef CAIRN_SRC_RENDER_HANDLES_H
#define CAIRN_SRC_RENDER_HANDLES_H

#include <cairn/base/memory.h>

#define CNI_SLOT_BITS 18u
#define CNI_MAX_SLOTS ((1u << CNI_SLOT_BITS) - 1u)
#define CNI_MAX_SLOT_GENERATION ((1u << (32u - CNI_SLOT_BITS)) - 1u)

/* The first field of every item. */
typedef struct CniSlotHead {
    uint32_t generation; /* 0: given up */
    uint32_t next_free;  /* index + 1 */
    bool is_live;
} CniSlotHead;

typedef struct CniHandles {
    CnAllocator *allocator;
    char *items;
    uint32_t item_bytes;
    uint32_t count, capacity; /* of slots that were ever used */
    uint32_t limit;
    uint32_t first_free; /* index + 1 */
    uint32_t live;
} CniHandles;

void cni_handles_init(CniHandles *slots, CnAllocator *allocator, size_t item_bytes, uint32_t limit);
void cni_handles_fini(CniHandles *slots);
/* A zeroed item and its id; NULL when out of memory or slots. Moves the others. */
void *cni_handles_take(CniHandles *slots, uint32_t *id);
/* NULL for ids that are 0 or dead. */
void *cni_handles_get(const CniHandles *slots, uint32_t id);
void cni_handles_release(CniHandles *slots, uint32_t index);

static inline uint32_t cni_slot_index(uint32_t id)
{
    return (id & CNI_MAX_SLOTS) - 1u;
}

/* NULL where nothing lives. */
static inline void *cni_handles_at(const CniHandles *slots, uint32_t index)
{
    CniSlotHead *head = (CniSlotHead *)(void *)(slots->items + (size_t)index * slots->item_bytes);
    return head->is_live ? head : NULL;
}

/* The id of the live item in this slot. */
static inline uint32_t cni_slot_id(const CniHandles *slots, uint32_t index)
{
    const CniSlotHead *head = cni_handles_at(slots, index);
    return head->generation << CNI_SLOT_BITS | (index + 1u);
}

#endif

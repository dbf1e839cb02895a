#include "base/memory/poison.h"

#include <cairn/base/assert.h>
#include <cairn/base/memory.h>

#define USUAL_SLAB_BYTES ((size_t)16 << 10)
#define LEAST_ITEMS_PER_SLAB 8u

/* The items follow the header. A free item begins with the address of the next free one. */
struct CnPoolSlab {
    CnPoolSlab *next;
};

#define HEADER_BYTES ((size_t)CN_DEFAULT_ALIGNMENT)
_Static_assert(sizeof(CnPoolSlab) <= HEADER_BYTES, "the items of a slab must stay aligned");

static size_t slab_bytes(const CnPool *pool)
{
    return HEADER_BYTES + pool->item_bytes * pool->items_per_slab;
}

static void *next_of(const void *item)
{
    void *next;
    memcpy(&next, item, sizeof next);
    return next;
}

static void push_free(CnPool *pool, void *item)
{
    cni_base_fill_memory(item, CNI_BASE_DEAD_BYTE, pool->item_bytes);
    memcpy(item, &pool->free_list, sizeof pool->free_list);
    pool->free_list = item;
}

/* The next three functions are used only by assertions. */
__attribute__((unused)) static bool is_from_pool(const CnPool *pool, const void *item)
{
    for (const CnPoolSlab *slab = pool->slabs; slab; slab = slab->next) {
        size_t offset = (uintptr_t)item - ((uintptr_t)slab + HEADER_BYTES);
        if (offset < pool->item_bytes * pool->items_per_slab)
            return offset % pool->item_bytes == 0;
    }
    return false;
}

/* Returns true when nothing was written behind the link of a free item. */
__attribute__((unused)) static bool looks_free(const CnPool *pool, const void *item)
{
    if (pool->item_bytes > CNI_BASE_POISON_LIMIT)
        return true;
    const unsigned char *bytes = item;
    for (size_t i = sizeof(void *); i < pool->item_bytes; i++) {
        if (bytes[i] != CNI_BASE_DEAD_BYTE)
            return false;
    }
    return true;
}

__attribute__((unused)) static bool is_free(const CnPool *pool, const void *item)
{
    if (!looks_free(pool, item))
        return false;
    for (const void *free_item = pool->free_list; free_item; free_item = next_of(free_item)) {
        if (free_item == item)
            return true;
    }
    return false;
}

static bool add_slab(CnPool *pool)
{
    /* A size that wraps is less than its parts. */
    bool wraps = slab_bytes(pool) / pool->items_per_slab < pool->item_bytes;
    CnPoolSlab *slab = wraps ? NULL : cn_alloc(pool->allocator, slab_bytes(pool));
    if (!slab)
        return false;
    slab->next = pool->slabs;
    pool->slabs = slab;
    /* From last to first, so that items are acquired in order of address. */
    for (size_t i = pool->items_per_slab; i-- > 0;)
        push_free(pool, (char *)slab + HEADER_BYTES + i * pool->item_bytes);
    return true;
}

void cn_pool_init(CnPool *pool, CnAllocator *allocator, size_t item_bytes, uint32_t items_per_slab)
{
    /* Sizes are multiples of the required alignment: rounding up to a link keeps every item of
     * 16 bytes or more aligned as its type requires. */
    size_t link_bytes = sizeof(void *);
    CN_ASSERT(item_bytes > 0 && item_bytes <= PTRDIFF_MAX / 2,
              "invalid item size of a pool: %zu bytes", item_bytes);
    if (item_bytes == 0)
        item_bytes = link_bytes;
    item_bytes = (item_bytes + link_bytes - 1) / link_bytes * link_bytes;
    if (items_per_slab == 0) {
        size_t fitting = (USUAL_SLAB_BYTES - HEADER_BYTES) / item_bytes;
        items_per_slab = fitting > LEAST_ITEMS_PER_SLAB ? (uint32_t)fitting : LEAST_ITEMS_PER_SLAB;
    }
    *pool = (CnPool){
        .allocator = allocator, .item_bytes = item_bytes, .items_per_slab = items_per_slab};
}

void cn_pool_fini(CnPool *pool)
{
    for (CnPoolSlab *slab = pool->slabs; slab;) {
        CnPoolSlab *next = slab->next;
        cn_free(pool->allocator, slab, slab_bytes(pool));
        slab = next;
    }
    pool->slabs = NULL;
    pool->free_list = NULL;
    pool->live_items = 0;
}

void *cn_pool_acquire(CnPool *pool)
{
    if (!pool->free_list && !add_slab(pool))
        return NULL;
    void *item = pool->free_list;
    CN_ASSERT(looks_free(pool, item), "an item of %zu bytes was written to after it was released",
              pool->item_bytes);
    pool->free_list = next_of(item);
    pool->live_items++;
    cni_base_fill_memory(item, CNI_BASE_FRESH_BYTE, pool->item_bytes);
    return item;
}

void cn_pool_release(CnPool *pool, void *item)
{
    if (!item)
        return;
    CN_ASSERT(is_from_pool(pool, item), "%p is not an item of this pool", item);
    CN_ASSERT(!is_free(pool, item), "item %p is released twice", item);
    pool->live_items--;
    push_free(pool, item);
}

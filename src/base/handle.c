#include <cairn/base/handle.h>

#include <string.h>

#define FIRST_CAPACITY 16u
/* A slot is an index + 1 in 32 bits. */
#define MAX_CAPACITY (UINT32_MAX - 1)

/* Generations and free links share one block, so that growing either happens or does not. */
static size_t store_bytes(uint32_t capacity)
{
    return (size_t)capacity * 2 * sizeof(uint32_t);
}

static bool grow(CnHandlePool *pool)
{
    if (pool->capacity == MAX_CAPACITY)
        return false;
    uint32_t capacity = FIRST_CAPACITY;
    if (pool->capacity > 0)
        capacity = pool->capacity > MAX_CAPACITY / 2 ? MAX_CAPACITY : pool->capacity * 2;
    uint32_t *store = cn_alloc(pool->allocator, store_bytes(capacity));
    if (!store)
        return false;
    if (pool->count > 0) {
        memcpy(store, pool->generations, pool->count * sizeof *store);
        memcpy(store + capacity, pool->next_free, pool->count * sizeof *store);
    }
    cn_free(pool->allocator, pool->generations, store_bytes(pool->capacity));
    pool->generations = store;
    pool->next_free = store + capacity;
    pool->capacity = capacity;
    return true;
}

void cn_handle_pool_init(CnHandlePool *pool, CnAllocator *allocator)
{
    *pool = (CnHandlePool){.allocator = allocator};
}

void cn_handle_pool_fini(CnHandlePool *pool)
{
    cn_free(pool->allocator, pool->generations, store_bytes(pool->capacity));
    cn_handle_pool_init(pool, pool->allocator);
}

CnHandle cn_handle_acquire(CnHandlePool *pool)
{
    uint32_t index;
    if (pool->first_free) {
        index = pool->first_free - 1;
        pool->first_free = pool->next_free[index];
    } else {
        if (pool->count == pool->capacity && !grow(pool))
            return (CnHandle){0};
        index = pool->count++;
        pool->generations[index] = 0;
    }
    pool->next_free[index] = 0;
    pool->live++;
    return (CnHandle){.slot = index + 1, .generation = ++pool->generations[index]};
}

bool cn_handle_release(CnHandlePool *pool, CnHandle handle)
{
    if (!cn_handle_is_live(pool, handle))
        return false;
    uint32_t index = cn_handle_index(handle);
    pool->live--;
    if (++pool->generations[index] == 0) {
        /* A reused slot would bring back handles of its first life. */
        pool->retired++;
        return true;
    }
    pool->next_free[index] = pool->first_free;
    pool->first_free = index + 1;
    return true;
}

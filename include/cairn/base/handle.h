/*
 * Handles: an index and a generation, passed by value; the zero handle is null. A handle may
 * outlive its object: once the object is released, every copy of its handle is recognized as
 * stale.
 *
 *     CnHandlePool textures;
 *     cn_handle_pool_init(&textures, NULL);
 *     CnHandle handle = cn_handle_acquire(&textures);
 *     uint32_t index = cn_handle_index(handle);           // into the caller's own array
 *     cn_handle_release(&textures, handle);
 *     bool live = cn_handle_is_live(&textures, handle);   // false
 *     cn_handle_pool_fini(&textures);
 *
 * A module wraps CnHandle in a struct of its own, so that handles of different kinds have
 * different types.
 */
#ifndef CAIRN_BASE_HANDLE_H
#define CAIRN_BASE_HANDLE_H

#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnHandle {
    uint32_t slot;       /* index + 1; 0 is the null handle */
    uint32_t generation; /* odd while live */
} CnHandle;

typedef struct CnHandlePool {
    CnAllocator *allocator;
    uint32_t *generations; /* per slot; odd: live, even: free */
    uint32_t *next_free;
    uint32_t count, capacity;
    uint32_t first_free; /* index + 1; 0: none */
    uint32_t live;
    uint32_t retired; /* slots that are no longer used because their generation would wrap */
} CnHandlePool;

static inline bool cn_handle_is_null(CnHandle handle)
{
    return handle.slot == 0;
}

static inline uint32_t cn_handle_index(CnHandle handle)
{
    return handle.slot - 1u;
}

static inline bool cn_handle_equal(CnHandle a, CnHandle b)
{
    return a.slot == b.slot && a.generation == b.generation;
}

CN_API void cn_handle_pool_init(CnHandlePool *pool, CnAllocator *allocator);
CN_API void cn_handle_pool_fini(CnHandlePool *pool);
/* Returns a new handle, or the null handle when out of memory. */
CN_API CnHandle cn_handle_acquire(CnHandlePool *pool);
/* Releases a handle. Returns false, and changes nothing, for a stale or null handle. Never
 * allocates. */
CN_API bool cn_handle_release(CnHandlePool *pool, CnHandle handle);

static inline bool cn_handle_is_live(const CnHandlePool *pool, CnHandle handle)
{
    return handle.slot - 1u < pool->count && (handle.generation & 1u) &&
           pool->generations[handle.slot - 1u] == handle.generation;
}

CN_EXTERN_C_END

#endif

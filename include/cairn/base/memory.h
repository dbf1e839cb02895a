/*
 * Memory: the allocator interface and its implementations.
 *
 *     CnHeap *heap = cn_heap_create(NULL, NULL);
 *     CnAllocator *meshes = cn_heap_tag(heap, "meshes");
 *     float *vertices = cn_alloc(meshes, 64 * sizeof *vertices);
 *     cn_free(meshes, vertices, 64 * sizeof *vertices);
 *     cn_heap_destroy(heap);                 // with guards, reports blocks that are still live
 *
 * Every module receives its allocator from its owner. The caller passes the size when freeing,
 * so that statistics are exact and allocators need no block headers.
 */
#ifndef CAIRN_BASE_MEMORY_H
#define CAIRN_BASE_MEMORY_H

#include <cairn/base/error.h>

CN_EXTERN_C_BEGIN

typedef struct CnAllocator CnAllocator;

struct CnAllocator {
    /* Allocates if `block` is NULL, frees and returns NULL if new_bytes is 0, and otherwise
     * resizes, keeping the first min(old_bytes, new_bytes) bytes. Returns NULL when out of
     * memory; the old block is then unchanged. `alignment` is a power of two and the same in
     * every call for a block. */
    void *(*resize)(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                    size_t alignment);
};

#define CN_DEFAULT_ALIGNMENT 16

/* Returns the allocator of the C library's heap. Thread-safe. */
CN_API CnAllocator *cn_system_allocator(void);

/* Return NULL when out of memory or when `bytes` is 0. A NULL allocator selects the system
 * allocator. */
CN_API void *cn_alloc(CnAllocator *allocator, size_t bytes);
CN_API void *cn_alloc_zeroed(CnAllocator *allocator, size_t bytes);
CN_API void *cn_alloc_aligned(CnAllocator *allocator, size_t bytes, size_t alignment);
/* Resizes a block, which may move. On failure the old block is unchanged. */
CN_API void *cn_realloc(CnAllocator *allocator, void *block, size_t old_bytes, size_t new_bytes);
/* Freeing NULL does nothing. `bytes` is the size that was allocated. */
CN_API void cn_free(CnAllocator *allocator, void *block, size_t bytes);
CN_API void cn_free_aligned(CnAllocator *allocator, void *block, size_t bytes, size_t alignment);

/* ---- Heap: a general-purpose allocator with statistics per tag and fault injection.
 * Thread-safe. ---- */

typedef struct CnHeap CnHeap;

typedef struct CnHeapStats {
    uint64_t live_bytes;
    uint64_t live_blocks;
    uint64_t peak_bytes;
    uint64_t calls; /* allocations and resizes so far, including failed ones; frees do not count */
} CnHeapStats;

#define CN_HEAP_MAX_TAGS 64

typedef struct CnHeapDesc {
    CnAllocator *parent; /* where the heap takes its memory from; NULL: the system allocator */
} CnHeapDesc;

/* Creates a heap. `desc` may be NULL. Returns NULL and sets the error when out of memory. */
CN_API CnHeap *cn_heap_create(const CnHeapDesc *desc, CnError *error);
/* Destroys a heap. With guards, reports blocks that are still live. NULL is ignored. */
CN_API void cn_heap_destroy(CnHeap *heap);
/* Returns the allocator that counts under `tag` (copied; at most 31 characters). The same tag
 * always returns the same allocator. Tags beyond CN_HEAP_MAX_TAGS share the tag "other". */
CN_API CnAllocator *cn_heap_tag(CnHeap *heap, const char *tag);
/* Return the statistics of the heap, and of one tag. */
CN_API CnHeapStats cn_heap_stats(const CnHeap *heap);
CN_API CnHeapStats cn_heap_tag_stats(const CnHeap *heap, const char *tag);
/* Visits the tags in order of creation. */
CN_API void cn_heap_each_tag(const CnHeap *heap,
                             void (*visit)(const char *tag, CnHeapStats stats, void *user),
                             void *user);
/* Lets the next `count` allocations succeed and all later ones fail; CN_HEAP_NEVER_FAIL turns
 * this off. Freeing and shrinking never fail. */
#define CN_HEAP_NEVER_FAIL UINT64_MAX
CN_API void cn_heap_fail_after(CnHeap *heap, uint64_t count);

/* ---- Arena: a linear allocator, freed as a whole. One thread at a time. ---- */

typedef struct CnArenaBlock CnArenaBlock;

typedef struct CnArena {
    CnAllocator *allocator;
    CnArenaBlock *first, *current;
    size_t block_bytes;
    size_t used_bytes; /* allocated since the last reset */
} CnArena;

typedef struct CnArenaMark {
    CnArenaBlock *block;
    size_t block_used, used_bytes;
} CnArenaMark;

/* `block_bytes` 0 selects the default, 64 KiB. Allocates nothing yet. */
CN_API void cn_arena_init(CnArena *arena, CnAllocator *allocator, size_t block_bytes);
/* Frees all blocks. */
CN_API void cn_arena_fini(CnArena *arena);
/* Returns uninitialized memory, or NULL when out of memory. */
CN_API void *cn_arena_alloc(CnArena *arena, size_t bytes, size_t alignment);
/* Copies a text and terminates it. Returns NULL when out of memory. */
CN_API char *cn_arena_copy_text(CnArena *arena, const char *text, size_t size);
/* Discards all allocations and keeps the blocks, so that reusing them makes no heap call. */
CN_API void cn_arena_reset(CnArena *arena);
/* Returns the current position; cn_arena_rewind discards everything allocated after it. */
CN_API CnArenaMark cn_arena_mark(const CnArena *arena);
CN_API void cn_arena_rewind(CnArena *arena, CnArenaMark mark);

/* ---- Pool: items of one size, with a free list. One thread at a time. ---- */

typedef struct CnPoolSlab CnPoolSlab;

typedef struct CnPool {
    CnAllocator *allocator;
    CnPoolSlab *slabs;
    void *free_list;
    size_t item_bytes;
    uint32_t items_per_slab;
    uint32_t live_items;
} CnPool;

/* `items_per_slab` 0 selects the number that fits into 16 KiB, at least 8. */
CN_API void cn_pool_init(CnPool *pool, CnAllocator *allocator, size_t item_bytes,
                         uint32_t items_per_slab);
/* Frees all items. */
CN_API void cn_pool_fini(CnPool *pool);
CN_API void *cn_pool_acquire(CnPool *pool); /* uninitialized; NULL when out of memory */
CN_API void cn_pool_release(CnPool *pool, void *item);

CN_EXTERN_C_END

#endif

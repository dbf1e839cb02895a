/*
 * Memory: one allocator interface, and the allocators behind it.
 *
 *     CnHeap *heap = cn_heap_create(NULL);
 *     CnAllocator *meshes = cn_heap_tag(heap, "meshes");
 *     float *v = cn_alloc(meshes, 64 * sizeof *v);
 *     ...
 *     cn_free(meshes, v, 64 * sizeof *v);
 *     cn_heap_destroy(heap);                 // guards report what is still live
 *
 * Every module takes its allocator from its owner. Sizes are passed back when freeing, so that
 * counting is exact and an allocator needs no headers of its own.
 */
#ifndef CAIRN_BASE_MEMORY_H
#define CAIRN_BASE_MEMORY_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef struct CnAllocator CnAllocator;

struct CnAllocator {
    /* block NULL: allocate; new_bytes 0: free and return NULL; otherwise resize, keeping the first
     * min(old, new) bytes. Returns NULL when out of memory, and the old block is then untouched.
     * `alignment` is a power of two and the same for every call on one block. */
    void *(*resize)(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                    size_t alignment);
};

#define CN_DEFAULT_ALIGNMENT 16

/* The C library's heap. Thread-safe. */
CN_API CnAllocator *cn_system_allocator(void);

/* All return NULL when out of memory or when bytes is 0. A NULL allocator means the system's. */
CN_API void *cn_alloc(CnAllocator *allocator, size_t bytes);
CN_API void *cn_alloc_zeroed(CnAllocator *allocator, size_t bytes);
CN_API void *cn_alloc_aligned(CnAllocator *allocator, size_t bytes, size_t alignment);
CN_API void *cn_realloc(CnAllocator *allocator, void *block, size_t old_bytes, size_t new_bytes);
/* Freeing NULL does nothing. */
CN_API void cn_free(CnAllocator *allocator, void *block, size_t bytes);
CN_API void cn_free_aligned(CnAllocator *allocator, void *block, size_t bytes, size_t alignment);

/* ---- Heap: a general allocator that counts, by tag, and can fail on purpose. Thread-safe. ---- */

typedef struct CnHeap CnHeap;

typedef struct CnHeapStats {
    uint64_t live_bytes;
    uint64_t live_blocks;
    uint64_t peak_bytes;
    uint64_t calls; /* allocations and resizes so far, failed ones included; frees do not count */
} CnHeapStats;

#define CN_HEAP_MAX_TAGS 64

/* Takes its memory from `parent` (NULL: the system). NULL when out of memory. */
CN_API CnHeap *cn_heap_create(CnAllocator *parent);
/* Guards report blocks that are still live. */
CN_API void cn_heap_destroy(CnHeap *heap);
/* The allocator that counts under `tag` (copied, at most 31 characters); the same tag gives the
 * same allocator. Tags beyond CN_HEAP_MAX_TAGS share the tag "other". */
CN_API CnAllocator *cn_heap_tag(CnHeap *heap, const char *tag);
/* Totals, or those of one tag. */
CN_API CnHeapStats cn_heap_stats(const CnHeap *heap);
CN_API CnHeapStats cn_heap_tag_stats(const CnHeap *heap, const char *tag);
/* Visits the tags in order of creation. */
CN_API void cn_heap_each_tag(const CnHeap *heap,
                             void (*visit)(const char *tag, CnHeapStats stats, void *user),
                             void *user);
/* Lets `count` further allocations succeed and fails every one after them; CN_HEAP_NEVER_FAIL
 * switches it off. Frees and shrinking never fail. */
#define CN_HEAP_NEVER_FAIL UINT64_MAX
CN_API void cn_heap_fail_after(CnHeap *heap, uint64_t count);

/* ---- Arena: linear, freed as a whole. One thread at a time. ---- */

typedef struct CnArenaBlock CnArenaBlock;

typedef struct CnArena {
    CnAllocator *allocator;
    CnArenaBlock *first, *current;
    size_t block_bytes;
    size_t used_bytes; /* handed out since the last reset */
} CnArena;

typedef struct CnArenaMark {
    CnArenaBlock *block;
    size_t block_used, used_bytes;
} CnArenaMark;

/* `block_bytes` 0 means 64 KiB. Allocates nothing yet. */
CN_API void cn_arena_init(CnArena *arena, CnAllocator *allocator, size_t block_bytes);
CN_API void cn_arena_fini(CnArena *arena);
/* NULL when out of memory. Contents are undefined. */
CN_API void *cn_arena_alloc(CnArena *arena, size_t bytes, size_t alignment);
CN_API char *cn_arena_copy_text(CnArena *arena, const char *text, size_t size);
/* Forgets all allocations and keeps the blocks: the next round makes no heap call. */
CN_API void cn_arena_reset(CnArena *arena);
/* Everything allocated after the mark is forgotten by rewind. */
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

/* `items_per_slab` 0 means as many as fit into 16 KiB, at least 8. */
CN_API void cn_pool_init(CnPool *pool, CnAllocator *allocator, size_t item_bytes,
                         uint32_t items_per_slab);
CN_API void cn_pool_fini(CnPool *pool);
CN_API void *cn_pool_acquire(CnPool *pool); /* NULL when out of memory; contents undefined */
CN_API void cn_pool_release(CnPool *pool, void *item);

CN_EXTERN_C_END

#endif

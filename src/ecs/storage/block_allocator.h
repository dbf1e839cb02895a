/* block_allocator.c: memory for chunks, slot pages and data that each tick reads. */
#ifndef CAIRN_SRC_ECS_STORAGE_BLOCK_ALLOCATOR_H
#define CAIRN_SRC_ECS_STORAGE_BLOCK_ALLOCATOR_H

#include <cairn/ecs.h>

#define CNI_ECS_BLOCK_MIN_CLASS 6u /* a cache line */
#define CNI_ECS_CHUNK_MIN_CLASS 10u
#define CNI_ECS_BLOCK_CLASSES 32u

typedef struct CniEcsSlab {
    void *memory;
    size_t bytes;
    size_t cut_bytes;  /* divided into blocks, now or later */
    size_t free_bytes; /* used by cni_ecs_blocks_trim */
} CniEcsSlab;

/* Blocks of 2^class bytes, aligned to 64, from slabs that grow up to 2 MiB (huge pages) or from
 * slabs of their own. A released block is kept for the next request of its class. */
typedef struct CniEcsBlockAllocator {
    CnAllocator *allocator;
    CN_ARRAY(CniEcsSlab) slabs;
    void *free[CNI_ECS_BLOCK_CLASSES];
    uint8_t *cursor, *end;
    size_t next_slab_bytes;
} CniEcsBlockAllocator;

void cni_ecs_blocks_init(CniEcsBlockAllocator *blocks, CnAllocator *allocator,
                         size_t first_slab_bytes);
void cni_ecs_blocks_fini(CniEcsBlockAllocator *blocks);
void *cni_ecs_block_acquire(CniEcsBlockAllocator *blocks,
                            uint32_t block_class); /* NULL when out of memory */
void cni_ecs_block_release(CniEcsBlockAllocator *blocks, void *block, uint32_t block_class);
/* The same for a block that was replaced by a larger one; its memory is freed if possible. */
void cni_ecs_block_release_outgrown(CniEcsBlockAllocator *blocks, void *block,
                                    uint32_t block_class);
/* Ensures that the next `count` blocks of this class can be acquired without failure. */
bool cni_ecs_blocks_reserve(CniEcsBlockAllocator *blocks, uint32_t block_class, uint32_t count);
/* Frees slabs without live blocks. */
void cni_ecs_blocks_trim(CniEcsBlockAllocator *blocks);

static inline uint32_t cni_ecs_block_class(size_t bytes)
{
    if (bytes <= (size_t)1 << CNI_ECS_BLOCK_MIN_CLASS)
        return CNI_ECS_BLOCK_MIN_CLASS;
    return 64u - (uint32_t)__builtin_clzll((unsigned long long)bytes - 1u);
}

#endif

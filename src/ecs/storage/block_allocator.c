#include "ecs/world/world_internal.h"

#include <sys/mman.h>

#define HUGE_PAGE_BYTES ((size_t)2 << 20)
#define PAGE_BYTES ((size_t)4 << 10)
#define BLOCK_ALIGNMENT 64u
#define LARGE_BYTES ((size_t)64 << 10)

void cni_ecs_blocks_init(CniEcsBlockAllocator *blocks, CnAllocator *allocator,
                         size_t first_slab_bytes)
{
    memset(blocks, 0, sizeof *blocks);
    blocks->allocator = allocator;
    blocks->next_slab_bytes = first_slab_bytes;
    cn_array_init(&blocks->slabs, allocator);
}

/* Blocks smaller than a page have an additional cache line, unless that is much for their size: at
 * distances of a power of two, equal offsets in many blocks would compete for a few sets of the L1
 * cache. */
static size_t block_bytes(uint32_t block_class)
{
    size_t bytes = (size_t)1 << block_class;
    return bytes >= PAGE_BYTES / 8 && bytes < PAGE_BYTES ? bytes + BLOCK_ALIGNMENT : bytes;
}

/* Blocks that will be replaced by larger ones have a slab each, which can be freed with them. Slabs
 * of huge pages are filled with blocks of the final size. */
static bool has_own_slab(size_t bytes)
{
    return (bytes >= LARGE_BYTES && bytes < CN_EXTENT_BYTES) || bytes >= HUGE_PAGE_BYTES;
}

static size_t slab_alignment(size_t bytes)
{
    return bytes >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : BLOCK_ALIGNMENT;
}

static void slab_free(CniEcsBlockAllocator *blocks, const CniEcsSlab *slab)
{
    cn_free_aligned(blocks->allocator, slab->memory, slab->bytes, slab_alignment(slab->bytes));
}

void cni_ecs_blocks_fini(CniEcsBlockAllocator *blocks)
{
    for (uint32_t i = 0; i < blocks->slabs.count; i++)
        slab_free(blocks, &blocks->slabs.items[i]);
    cn_array_fini(&blocks->slabs);
}

static uint8_t *slab_create(CniEcsBlockAllocator *blocks, size_t bytes)
{
    if (!cn_array_reserve(&blocks->slabs, (uint64_t)blocks->slabs.count + 1))
        return NULL;
    uint8_t *memory = cn_alloc_aligned(blocks->allocator, bytes, slab_alignment(bytes));
    if (!memory)
        return NULL;
#ifdef MADV_HUGEPAGE
    /* Random access by id touches every page; huge pages save most of the TLB misses. */
    if (bytes >= HUGE_PAGE_BYTES)
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    blocks->slabs.items[blocks->slabs.count++] = (CniEcsSlab){memory, bytes, bytes, 0};
    return memory;
}

static CniEcsSlab *slab_of(const CniEcsBlockAllocator *blocks, const uint8_t *block)
{
    for (uint32_t i = 0; i < blocks->slabs.count; i++) {
        CniEcsSlab *slab = &blocks->slabs.items[i];
        if ((size_t)(block - (const uint8_t *)slab->memory) < slab->bytes)
            return slab;
    }
    return NULL;
}

static void push_free(CniEcsBlockAllocator *blocks, void *block, uint32_t block_class)
{
    memcpy(block, &blocks->free[block_class], sizeof(void *));
    blocks->free[block_class] = block;
}

/* Puts the remainder of the current slab on the free lists. */
static void retire_cursor(CniEcsBlockAllocator *blocks)
{
    size_t left = (size_t)(blocks->end - blocks->cursor);
    uint32_t block_class = left ? 63u - (uint32_t)__builtin_clzll((unsigned long long)left) : 0;
    for (; block_class >= CNI_ECS_BLOCK_MIN_CLASS; block_class--) {
        while (left >= block_bytes(block_class)) {
            push_free(blocks, blocks->cursor, block_class);
            blocks->cursor += block_bytes(block_class);
            left -= block_bytes(block_class);
        }
    }
    if (left) /* too little for a block */
        slab_of(blocks, blocks->cursor)->cut_bytes -= left;
}

void *cni_ecs_block_acquire(CniEcsBlockAllocator *blocks, uint32_t block_class)
{
    void *block = blocks->free[block_class];
    if (block) {
        memcpy(&blocks->free[block_class], block, sizeof(void *));
        return block;
    }
    size_t bytes = block_bytes(block_class);
    if (has_own_slab(bytes))
        return slab_create(blocks, bytes);
    if ((size_t)(blocks->end - blocks->cursor) < bytes) {
        size_t slab_bytes = blocks->next_slab_bytes;
        while (slab_bytes < bytes)
            slab_bytes *= 2;
        uint8_t *memory = slab_create(blocks, slab_bytes);
        if (!memory)
            return NULL;
        retire_cursor(blocks);
        blocks->cursor = memory;
        blocks->end = memory + slab_bytes;
        if (blocks->next_slab_bytes < HUGE_PAGE_BYTES)
            blocks->next_slab_bytes *= 2;
    }
    block = blocks->cursor;
    blocks->cursor += bytes;
    return block;
}

void cni_ecs_block_release(CniEcsBlockAllocator *blocks, void *block, uint32_t block_class)
{
    push_free(blocks, block, block_class);
}

void cni_ecs_block_release_outgrown(CniEcsBlockAllocator *blocks, void *block, uint32_t block_class)
{
    size_t bytes = block_bytes(block_class);
    CniEcsSlab *slab = has_own_slab(bytes) ? slab_of(blocks, block) : NULL;
    if (slab && slab->bytes == bytes) {
        slab_free(blocks, slab);
        *slab = blocks->slabs.items[--blocks->slabs.count];
    } else {
        push_free(blocks, block,
                  block_class); /* also the remainder of a slab, divided into blocks */
    }
}

bool cni_ecs_blocks_reserve(CniEcsBlockAllocator *blocks, uint32_t block_class, uint32_t count)
{
    uint8_t *held = NULL;
    bool done = true;
    for (uint32_t i = 0; i < count && done; i++) {
        uint8_t *block = cni_ecs_block_acquire(blocks, block_class);
        done = block != NULL;
        if (done) {
            memcpy(block, &held, sizeof held);
            held = block;
        }
    }
    while (held) {
        uint8_t *next;
        memcpy(&next, held, sizeof next);
        cni_ecs_block_release(blocks, held, block_class);
        held = next;
    }
    return done;
}

/* ---- Freeing slabs ---- */

void cni_ecs_blocks_trim(CniEcsBlockAllocator *blocks)
{
    retire_cursor(blocks);
    blocks->cursor = blocks->end = NULL;
    for (uint32_t i = 0; i < blocks->slabs.count; i++)
        blocks->slabs.items[i].free_bytes = 0;
    for (uint32_t c = 0; c < CNI_ECS_BLOCK_CLASSES; c++)
        for (uint8_t *block = blocks->free[c]; block; memcpy(&block, block, sizeof(void *)))
            slab_of(blocks, block)->free_bytes += block_bytes(c);
    /* Blocks of completely free slabs are removed from the lists; the others keep their order. */
    for (uint32_t c = 0; c < CNI_ECS_BLOCK_CLASSES; c++) {
        uint8_t *retained = NULL, *block = blocks->free[c];
        blocks->free[c] = NULL;
        while (block) {
            uint8_t *next;
            memcpy(&next, block, sizeof(void *));
            const CniEcsSlab *slab = slab_of(blocks, block);
            if (slab->free_bytes < slab->cut_bytes) {
                uint8_t *end = NULL;
                memcpy(block, &end, sizeof end);
                if (retained)
                    memcpy(retained, &block, sizeof block);
                else
                    blocks->free[c] = block;
                retained = block;
            }
            block = next;
        }
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < blocks->slabs.count; i++) {
        if (blocks->slabs.items[i].free_bytes == blocks->slabs.items[i].cut_bytes)
            slab_free(blocks, &blocks->slabs.items[i]);
        else
            blocks->slabs.items[n++] = blocks->slabs.items[i];
    }
    blocks->slabs.count = n;
}

#include "store.h"

#include <sys/mman.h>

#define FIRST_SLAB_BYTES ((size_t)64 << 10)
#define HUGE_PAGE_BYTES ((size_t)2 << 20)
#define BLOCK_ALIGNMENT 64u

void cni_blocks_init(Blocks *blocks, CnAllocator *allocator)
{
    memset(blocks, 0, sizeof *blocks);
    blocks->allocator = allocator;
    blocks->next_slab_bytes = FIRST_SLAB_BYTES;
    cn_array_init(&blocks->slabs, allocator);
}

static size_t slab_alignment(size_t bytes)
{
    return bytes >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : BLOCK_ALIGNMENT;
}

static void release_slabs(Blocks *blocks)
{
    for (uint32_t i = 0; i < blocks->slabs.count; i++) {
        Slab *slab = &blocks->slabs.items[i];
        cn_free_aligned(blocks->allocator, slab->memory, slab->bytes, slab_alignment(slab->bytes));
    }
    cn_array_fini(&blocks->slabs);
}

void cni_blocks_fini(Blocks *blocks)
{
    release_slabs(blocks);
}

void cni_blocks_trim(Blocks *blocks)
{
    if (blocks->live)
        return;
    release_slabs(blocks);
    cni_blocks_init(blocks, blocks->allocator);
}

static uint8_t *slab_create(Blocks *blocks, size_t bytes)
{
    if (!cn_array_reserve(&blocks->slabs, (uint64_t)blocks->slabs.count + 1))
        return NULL;
    uint8_t *memory = cn_alloc_aligned(blocks->allocator, bytes, slab_alignment(bytes));
    if (!memory)
        return NULL;
#ifdef MADV_HUGEPAGE
    /* Random access by id touches every page: huge ones save most of the address look-ups. */
    if (bytes >= HUGE_PAGE_BYTES)
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    blocks->slabs.items[blocks->slabs.count++] = (Slab){memory, bytes};
    return memory;
}

static void push_free(Blocks *blocks, void *block, uint32_t block_class)
{
    memcpy(block, &blocks->free[block_class], sizeof(void *));
    blocks->free[block_class] = block;
}

/* Puts what is left of the current slab on the free lists. */
static void retire_cursor(Blocks *blocks)
{
    while (blocks->end - blocks->cursor >= (ptrdiff_t)1 << CNI_BLOCK_MIN_CLASS) {
        size_t left = (size_t)(blocks->end - blocks->cursor);
        uint32_t block_class = 63u - (uint32_t)__builtin_clzll((unsigned long long)left);
        push_free(blocks, blocks->cursor, block_class);
        blocks->cursor += (size_t)1 << block_class;
    }
}

void *cni_block_acquire(Blocks *blocks, uint32_t block_class)
{
    void *block = blocks->free[block_class];
    if (block) {
        memcpy(&blocks->free[block_class], block, sizeof(void *));
        blocks->live++;
        return block;
    }
    size_t bytes = (size_t)1 << block_class;
    if (bytes >= HUGE_PAGE_BYTES) {
        block = slab_create(blocks, bytes);
        blocks->live += block != NULL;
        return block;
    }
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
    blocks->live++;
    return block;
}

void cni_block_release(Blocks *blocks, void *block, uint32_t block_class)
{
    push_free(blocks, block, block_class);
    blocks->live--;
}

#include "buffer_memory.h"

#include <string.h>

/* Bytes of the block that holds a buffer of so many bytes. */
static size_t block_bytes(size_t bytes)
{
    size_t block = CRAFTY_BUFFER_MIN_BYTES;
    if (bytes < CRAFTY_BUFFER_MIN_BYTES || bytes > SIZE_MAX / 2)
        return bytes;
    while (block < bytes)
        block *= 2;
    return block;
}

/* The blocks that are kept of this size; NULL: none. */
static void **kept_of(CraftyBufferMemory *memory, size_t block)
{
    if (block < CRAFTY_BUFFER_MIN_BYTES || block > CRAFTY_BUFFER_MAX_KEPT_BYTES)
        return NULL;
    return memory->kept[__builtin_ctzll(block / CRAFTY_BUFFER_MIN_BYTES)];
}

static void *take(CraftyBufferMemory *memory, size_t block, size_t alignment)
{
    void **kept = kept_of(memory, block), *taken = NULL;
    pthread_mutex_lock(&memory->lock);
    for (uint32_t i = 0; kept && i < CRAFTY_BUFFER_KEPT && !taken; i++) {
        taken = kept[i];
        kept[i] = NULL;
    }
    pthread_mutex_unlock(&memory->lock);
    return taken ? taken : cn_alloc_aligned(cn_system_allocator(), block, alignment);
}

static void give(CraftyBufferMemory *memory, void *bytes, size_t block, size_t alignment)
{
    void **kept = kept_of(memory, block);
    size_t most = CRAFTY_BUFFER_KEPT_BYTES / block < 2 ? 2 : CRAFTY_BUFFER_KEPT_BYTES / block;
    pthread_mutex_lock(&memory->lock);
    for (uint32_t i = 0; kept && i < most && bytes; i++) {
        if (kept[i])
            continue;
        kept[i] = bytes;
        bytes = NULL;
    }
    pthread_mutex_unlock(&memory->lock);
    cn_free_aligned(cn_system_allocator(), bytes, block, alignment);
}

static void *resize(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                    size_t alignment)
{
    CraftyBufferMemory *memory = (CraftyBufferMemory *)self;
    CnAllocator *system = cn_system_allocator();
    size_t old_block = block ? block_bytes(old_bytes) : 0, new_block = block_bytes(new_bytes);
    bool is_plain = old_block < CRAFTY_BUFFER_MIN_BYTES && new_block < CRAFTY_BUFFER_MIN_BYTES;
    if (is_plain || alignment > CN_DEFAULT_ALIGNMENT)
        return system->resize(system, block, old_block, new_block, alignment);
    if (block && old_block == new_block)
        return block;
    void *resized = new_block > 0 ? take(memory, new_block, alignment) : NULL;
    if (new_block > 0 && !resized)
        return NULL;
    if (block && resized)
        memcpy(resized, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    if (block)
        give(memory, block, old_block, alignment);
    return resized;
}

void crafty_buffer_memory_init(CraftyBufferMemory *memory)
{
    *memory = (CraftyBufferMemory){.allocator = {resize}};
    pthread_mutex_init(&memory->lock, NULL);
}

void crafty_buffer_memory_fini(CraftyBufferMemory *memory)
{
    for (uint32_t class = 0; class < CRAFTY_BUFFER_CLASSES; class ++)
        for (uint32_t i = 0; i < CRAFTY_BUFFER_KEPT; i++)
            cn_free(cn_system_allocator(), memory->kept[class][i],
                    (size_t)CRAFTY_BUFFER_MIN_BYTES << class);
    pthread_mutex_destroy(&memory->lock);
}

#include "base/memory/heap_block.h"

#include "base/memory/poison.h"

#include <cairn/base/assert.h>

#ifndef CN_GUARDS

void *cni_base_heap_block_resize(CnAllocator *parent, const char *owner, void *block,
                                 size_t old_bytes, size_t new_bytes, size_t alignment)
{
    (void)owner;
    return parent->resize(parent, block, old_bytes, new_bytes, alignment);
}

#else

#define LIVE_MAGIC 0x6b636f6c62766c63u
#define DEAD_MAGIC 0x6b636f6c62646564u
#define END_MAGIC 0x646e656b636f6c62u

typedef struct Header {
    uint64_t magic;
    size_t bytes;
    const char *owner;
    size_t alignment;
} Header;

/* Returns the size of the area before the block: padding for the alignment, then the header. */
static size_t front_bytes(size_t alignment)
{
    return alignment > sizeof(Header) ? alignment : sizeof(Header);
}

static size_t full_bytes(size_t bytes, size_t alignment)
{
    return front_bytes(alignment) + bytes + sizeof(uint64_t);
}

static Header *header_of(void *block)
{
    return (Header *)block - 1;
}

static void open_block(void *block, size_t bytes, size_t alignment)
{
    CNI_BASE_UNPOISON_MEMORY((char *)block - front_bytes(alignment), full_bytes(bytes, alignment));
}

static void *seal_block(char *base, const char *owner, size_t bytes, size_t alignment)
{
    char *block = base + front_bytes(alignment);
    uint64_t end = END_MAGIC;
    *header_of(block) = (Header){LIVE_MAGIC, bytes, owner, alignment};
    memcpy(block + bytes, &end, sizeof end);
    CNI_BASE_POISON_MEMORY(base, front_bytes(alignment));
    CNI_BASE_POISON_MEMORY(block + bytes, sizeof end);
    return block;
}

/* Unpoisons the block for reading and returns its true size. */
static size_t check_block(void *block, const char *owner, size_t bytes, size_t alignment)
{
    CNI_BASE_UNPOISON_MEMORY(header_of(block), sizeof(Header));
    Header header = *header_of(block);
    bool is_live = header.magic == LIVE_MAGIC;
    CN_ASSERT(is_live, "block %p of \"%s\" is not live: freed twice, or not from this heap", block,
              owner);
    if (!is_live)
        return bytes;

    open_block(block, header.bytes, header.alignment);
    uint64_t end;
    memcpy(&end, (char *)block + header.bytes, sizeof end);
    CN_ASSERT(end == END_MAGIC, "a write past the end of a block of %zu bytes of \"%s\"",
              header.bytes, owner);
    CN_ASSERT(header.owner == owner, "a block of \"%s\" is freed through \"%s\"", header.owner,
              owner);
    CN_ASSERT(header.bytes == bytes, "a block of %zu bytes of \"%s\" is freed as %zu bytes",
              header.bytes, owner, bytes);
    CN_ASSERT(header.alignment == alignment,
              "a block aligned to %zu of \"%s\" is freed as aligned to %zu", header.alignment,
              owner, alignment);
    return header.bytes;
}

static void *new_block(CnAllocator *parent, const char *owner, size_t bytes, size_t alignment)
{
    size_t overhead = full_bytes(0, alignment);
    if (bytes > (size_t)PTRDIFF_MAX - overhead)
        return NULL;
    char *base = parent->resize(parent, NULL, 0, overhead + bytes, alignment);
    if (!base)
        return NULL;
    cni_base_fill_memory(base + front_bytes(alignment), CNI_BASE_FRESH_BYTE, bytes);
    return seal_block(base, owner, bytes, alignment);
}

static void free_block(CnAllocator *parent, void *block, size_t bytes, size_t alignment)
{
    header_of(block)->magic = DEAD_MAGIC;
    cni_base_fill_memory(block, CNI_BASE_DEAD_BYTE, bytes);
    parent->resize(parent, (char *)block - front_bytes(alignment), full_bytes(bytes, alignment), 0,
                   alignment);
}

static void *shrink_block(CnAllocator *parent, const char *owner, void *block, size_t old_bytes,
                          size_t new_bytes, size_t alignment)
{
    char *base = (char *)block - front_bytes(alignment);
    char *shrunk = parent->resize(parent, base, full_bytes(old_bytes, alignment),
                                  full_bytes(new_bytes, alignment), alignment);
    return seal_block(shrunk ? shrunk : base, owner, new_bytes, alignment);
}

void *cni_base_heap_block_resize(CnAllocator *parent, const char *owner, void *block,
                                 size_t old_bytes, size_t new_bytes, size_t alignment)
{
    if (!block)
        return new_block(parent, owner, new_bytes, alignment);
    old_bytes = check_block(block, owner, old_bytes, alignment);
    if (new_bytes == 0) {
        free_block(parent, block, old_bytes, alignment);
        return NULL;
    }
    if (new_bytes <= old_bytes)
        return shrink_block(parent, owner, block, old_bytes, new_bytes, alignment);

    void *moved = new_block(parent, owner, new_bytes, alignment);
    if (!moved) {
        seal_block((char *)block - front_bytes(alignment), owner, old_bytes, alignment);
        return NULL;
    }
    memcpy(moved, block, old_bytes);
    free_block(parent, block, old_bytes, alignment);
    return moved;
}

#endif

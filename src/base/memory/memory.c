#include <cairn/base/assert.h>
#include <cairn/base/memory.h>

#include <stdlib.h>
#include <string.h>

/* No object is larger than this: a greater size results from a subtraction that wrapped. */
#define MAX_BYTES ((size_t)PTRDIFF_MAX)

static void *aligned_new(size_t bytes, size_t alignment)
{
    void *block = NULL;
    return posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

/* The C library cannot resize a block and keep an alignment of its own. */
static void *aligned_resize(void *block, size_t old_bytes, size_t new_bytes, size_t alignment)
{
    void *moved = aligned_new(new_bytes, alignment);
    if (!moved)
        return NULL;
    if (block) {
        memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
        free(block);
    }
    return moved;
}

static void *system_resize(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                           size_t alignment)
{
    (void)self;
    if (new_bytes == 0) {
        free(block);
        return NULL;
    }
    if (new_bytes > MAX_BYTES)
        return NULL;
    void *resized = alignment <= CN_DEFAULT_ALIGNMENT
                        ? realloc(block, new_bytes)
                        : aligned_resize(block, old_bytes, new_bytes, alignment);
    /* Shrinking never fails: the larger block is kept. */
    return resized || !block || new_bytes > old_bytes ? resized : block;
}

static CnAllocator system_allocator = {system_resize};

CnAllocator *cn_system_allocator(void)
{
    return &system_allocator;
}

static void *resize(CnAllocator *allocator, void *block, size_t old_bytes, size_t new_bytes,
                    size_t alignment)
{
    if (!allocator)
        allocator = &system_allocator;
    return allocator->resize(allocator, block, old_bytes, new_bytes, alignment);
}

void *cn_alloc(CnAllocator *allocator, size_t bytes)
{
    return cn_alloc_aligned(allocator, bytes, CN_DEFAULT_ALIGNMENT);
}

void *cn_alloc_zeroed(CnAllocator *allocator, size_t bytes)
{
    if (bytes == 0 || bytes > MAX_BYTES)
        return NULL;
    if (!allocator || allocator == &system_allocator)
        return calloc(1, bytes);
    void *block = cn_alloc(allocator, bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

void *cn_alloc_aligned(CnAllocator *allocator, size_t bytes, size_t alignment)
{
    CN_ASSERT(alignment && (alignment & (alignment - 1)) == 0,
              "alignment %zu is not a power of two", alignment);
    if (bytes == 0 || bytes > MAX_BYTES)
        return NULL;
    return resize(allocator, NULL, 0, bytes, alignment);
}

void *cn_realloc(CnAllocator *allocator, void *block, size_t old_bytes, size_t new_bytes)
{
    if (!block)
        return cn_alloc(allocator, new_bytes);
    if (new_bytes > MAX_BYTES)
        return NULL;
    return resize(allocator, block, old_bytes, new_bytes, CN_DEFAULT_ALIGNMENT);
}

void cn_free(CnAllocator *allocator, void *block, size_t bytes)
{
    cn_free_aligned(allocator, block, bytes, CN_DEFAULT_ALIGNMENT);
}

void cn_free_aligned(CnAllocator *allocator, void *block, size_t bytes, size_t alignment)
{
    if (block)
        resize(allocator, block, bytes, 0, alignment);
}

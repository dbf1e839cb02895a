#include "render/asset/bulk_memory.h"

#include <cairn/base/assert.h>

#include <string.h>
#include <sys/mman.h>

#define PAGE_BYTES ((size_t)4096)
#define HUGE_PAGE_BYTES ((size_t)2 << 20)
#define SLAB_BYTES ((size_t)8 << 20) /* at least */

/* AddressSanitizer sees only blocks of the C library. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_ADDRESS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_ADDRESS_SANITIZED true
#endif
#endif
#ifndef IS_ADDRESS_SANITIZED
#define IS_ADDRESS_SANITIZED false
#endif

static uint32_t pages_of(size_t bytes)
{
    return (uint32_t)((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
}

static const CniRenderBulkSlab *slab_of(const CniRenderBulkMemory *bulk, const uint8_t *block)
{
    for (uint32_t i = 0; i < bulk->slabs.count; i++) {
        const CniRenderBulkSlab *slab = &bulk->slabs.items[i];
        if ((uintptr_t)block - (uintptr_t)slab->memory < slab->bytes)
            return slab;
    }
    return NULL;
}

/* Returns memory that begins at a huge page. It comes from the system directly: the C library
 * would keep the memory of freed slabs, and leave gaps between aligned blocks. */
static uint8_t *map_slab(size_t bytes)
{
    size_t whole = bytes + HUGE_PAGE_BYTES;
    uint8_t *memory = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t)memory & (HUGE_PAGE_BYTES - 1);
    if (before)
        munmap(memory, before);
    if (before < HUGE_PAGE_BYTES)
        munmap(memory + before + bytes, HUGE_PAGE_BYTES - before);
    memory += before;
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE); /* only advice: small pages work, too */
#endif
    return memory;
}

static bool add_slab(CniRenderBulkMemory *bulk, size_t least)
{
    size_t bytes = least < SLAB_BYTES ? SLAB_BYTES : least;
    bytes = (bytes + HUGE_PAGE_BYTES - 1) & ~(HUGE_PAGE_BYTES - 1);
    if (bytes / PAGE_BYTES >= UINT32_MAX - bulk->page_count ||
        !cn_array_reserve(&bulk->slabs, (uint64_t)bulk->slabs.count + 1) ||
        !cni_render_ranges_reserve(&bulk->pages))
        return false;
    uint8_t *memory = map_slab(bytes);
    if (!memory)
        return false;
    CniRenderBulkSlab slab = {memory, bytes, bulk->page_count};
    bulk->slabs.items[bulk->slabs.count++] = slab;
    bulk->page_count += pages_of(bytes) + 1;
    return cni_render_ranges_append(&bulk->pages, slab.first_page, pages_of(bytes));
}

static void *take(CniRenderBulkMemory *bulk, size_t bytes, size_t alignment)
{
    bool is_large = bytes >= CNI_RENDER_BULK_LEAST_BYTES && bytes < PAGE_BYTES * (UINT32_MAX / 2);
    if (!is_large || alignment > PAGE_BYTES || IS_ADDRESS_SANITIZED)
        return cn_alloc_aligned(bulk->parent, bytes, alignment);
    uint32_t first = cni_render_ranges_alloc(&bulk->pages, pages_of(bytes));
    if (first == CNI_RENDER_NO_RANGE && add_slab(bulk, bytes))
        first = cni_render_ranges_alloc(&bulk->pages, pages_of(bytes));
    if (first == CNI_RENDER_NO_RANGE)
        return cn_alloc_aligned(bulk->parent, bytes, alignment);
    uint32_t i = bulk->slabs.count - 1;
    while (bulk->slabs.items[i].first_page > first)
        i--;
    return bulk->slabs.items[i].memory + (first - bulk->slabs.items[i].first_page) * PAGE_BYTES;
}

static void give(CniRenderBulkMemory *bulk, uint8_t *block, size_t bytes, size_t alignment)
{
    const CniRenderBulkSlab *slab = slab_of(bulk, block);
    if (!slab)
        cn_free_aligned(bulk->parent, block, bytes, alignment);
    else
        cni_render_ranges_free(&bulk->pages,
                               slab->first_page +
                                   (uint32_t)((size_t)(block - slab->memory) / PAGE_BYTES),
                               pages_of(bytes));
}

static void *resize(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                    size_t alignment)
{
    CniRenderBulkMemory *bulk = (CniRenderBulkMemory *)(void *)self;
    if (block && new_bytes) {
        bool is_bulk = slab_of(bulk, block) != NULL;
        if (is_bulk && pages_of(old_bytes) == pages_of(new_bytes))
            return block;
        if (!is_bulk && new_bytes < CNI_RENDER_BULK_LEAST_BYTES)
            return bulk->parent->resize(bulk->parent, block, old_bytes, new_bytes, alignment);
    }
    void *moved = new_bytes ? take(bulk, new_bytes, alignment) : NULL;
    if (new_bytes && !moved) /* shrinking never fails */
        return new_bytes <= old_bytes ? block : NULL;
    if (block && moved)
        memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    if (block)
        give(bulk, block, old_bytes, alignment);
    return moved;
}

void cni_render_bulk_init(CniRenderBulkMemory *bulk, CnAllocator *parent)
{
    *bulk = (CniRenderBulkMemory){.allocator = {resize},
                                  .parent = parent ? parent : cn_system_allocator()};
    cn_array_init(&bulk->slabs, bulk->parent);
    cni_render_ranges_init(&bulk->pages, bulk->parent, 0);
}

void cni_render_bulk_fini(CniRenderBulkMemory *bulk)
{
    CN_ASSERT(!bulk->pages.allocated, "%u blocks of bulk memory are not freed",
              bulk->pages.allocated);
    for (uint32_t i = 0; i < bulk->slabs.count; i++)
        munmap(bulk->slabs.items[i].memory, bulk->slabs.items[i].bytes);
    cn_array_fini(&bulk->slabs);
    cni_render_ranges_fini(&bulk->pages);
}

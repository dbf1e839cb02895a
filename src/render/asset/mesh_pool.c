/* Vertices, indices and skins of all meshes: one growing buffer each. Free ranges are reused
 * first. */
#include "render/core/renderer_internal.h"

#include <cairn/base/assert.h>

#define FIRST_CAPACITY 4096u
#define MAX_POOL_BYTES (1ull << 31)

void cni_render_pools_init(CnRenderer *renderer)
{
    static const CniRenderMeshPool kinds[CNI_RENDER_POOL_COUNT] = {
        [CNI_RENDER_POOL_VERTICES] = {.name = "vertices",
                                      .item_bytes = sizeof(CniRenderVertex),
                                      .usage = CN_GPU_USE_STORAGE,
                                      .access = CN_GPU_ACCESS_READ},
        [CNI_RENDER_POOL_INDICES] = {.name = "indices",
                                     .item_bytes = sizeof(uint32_t),
                                     .usage = CN_GPU_USE_VERTEX,
                                     .access = CN_GPU_ACCESS_VERTEX},
        [CNI_RENDER_POOL_SKINS] = {.name = "skins",
                                   .item_bytes = sizeof(CnVertexSkin),
                                   .usage = CN_GPU_USE_STORAGE,
                                   .access = CN_GPU_ACCESS_READ}};
    for (uint32_t i = 0; i < CNI_RENDER_POOL_COUNT; i++) {
        renderer->pools[i] = kinds[i];
        cn_array_init(&renderer->pools[i].free, renderer->allocator);
    }
}

void cni_render_pools_fini(CnRenderer *renderer)
{
    for (uint32_t i = 0; i < CNI_RENDER_POOL_COUNT; i++) {
        CniRenderMeshPool *pool = &renderer->pools[i];
        if (pool->written.id && pool->written.id != pool->buffer.id)
            cn_gpu_buffer_destroy(renderer->gpu, pool->written);
        if (pool->buffer.id)
            cn_gpu_buffer_destroy(renderer->gpu, pool->buffer);
        cn_array_fini(&pool->free);
    }
}

uint64_t cni_render_pools_bytes(const CnRenderer *renderer)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < CNI_RENDER_POOL_COUNT; i++)
        bytes += (uint64_t)renderer->pools[i].capacity * renderer->pools[i].item_bytes;
    return bytes;
}

/* Adds a free range; capacity is reserved. */
static void add_free(CniRenderMeshPool *pool, uint32_t first, uint32_t count)
{
    uint32_t at = 0;
    while (at < pool->free.count && pool->free.items[at].first < first)
        at++;
    CniRenderPoolRange *before = at ? &pool->free.items[at - 1] : NULL;
    CniRenderPoolRange *after = at < pool->free.count ? &pool->free.items[at] : NULL;
    bool joins_before = before && before->first + before->count == first;
    bool joins_after = after && first + count == after->first;
    if (joins_before && joins_after) {
        before->count += count + after->count;
        for (uint32_t i = at; i + 1 < pool->free.count; i++)
            pool->free.items[i] = pool->free.items[i + 1];
        pool->free.count--;
    } else if (joins_before) {
        before->count += count;
    } else if (joins_after) {
        after->first = first;
        after->count += count;
    } else {
        for (uint32_t i = pool->free.count++; i > at; i--)
            pool->free.items[i] = pool->free.items[i - 1];
        pool->free.items[at] = (CniRenderPoolRange){first, count};
    }
}

static bool grow(CnRenderer *renderer, CniRenderMeshPool *pool, uint32_t count, CnError *error)
{
    uint64_t capacity = pool->capacity ? pool->capacity : FIRST_CAPACITY;
    while (capacity < (uint64_t)pool->capacity + count)
        capacity *= 2;
    if (capacity * pool->item_bytes > MAX_POOL_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "too many %s: more than %llu bytes", pool->name,
                            MAX_POOL_BYTES);
    CnGpuBuffer buffer = cn_gpu_buffer_create(
        renderer->gpu,
        &(CnGpuBufferDesc){.name = pool->name,
                           .size = capacity * pool->item_bytes,
                           .usage = pool->usage | CN_GPU_USE_COPY_TO | CN_GPU_USE_COPY_FROM},
        error);
    if (!buffer.id)
        return false;
    if (pool->buffer.id && pool->buffer.id != pool->written.id)
        cn_gpu_buffer_destroy(renderer->gpu, pool->buffer); /* not used by any frame yet */
    pool->buffer = buffer;
    add_free(pool, pool->capacity, (uint32_t)capacity - pool->capacity);
    pool->capacity = (uint32_t)capacity;
    return true;
}

bool cni_render_pool_alloc(CnRenderer *renderer, CniRenderPoolKind kind, uint32_t count,
                           uint32_t *first, CnError *error)
{
    CniRenderMeshPool *pool = &renderer->pools[kind];
    /* Reserves for the range added by growing now, and for those freed later: each mesh splits one
     * range at most. */
    if (!cn_array_reserve(&pool->free, pool->free.count + (uint64_t)renderer->meshes.live + 2))
        return cn_error_memory(error, "a list of %s", pool->name);
    for (int attempt = 0; attempt < 2; attempt++) {
        for (uint32_t i = 0; i < pool->free.count; i++) {
            CniRenderPoolRange *range = &pool->free.items[i];
            if (range->count < count)
                continue;
            *first = range->first;
            range->first += count;
            range->count -= count;
            if (!range->count) {
                for (; i + 1 < pool->free.count; i++)
                    pool->free.items[i] = pool->free.items[i + 1];
                pool->free.count--;
            }
            return true;
        }
        if (attempt == 0 && !grow(renderer, pool, count, error))
            return false;
    }
    return cn_error_set(error, CN_ERROR_MEMORY, "not enough memory for %u %s", count, pool->name);
}

/* Cancels staged data that has no reader any more. */
static void unstage(CnRenderer *renderer, CniRenderPoolKind kind, uint32_t first, uint32_t count)
{
    CniRenderStaging *staging = &renderer->staging;
    uint64_t begin = (uint64_t)first * renderer->pools[kind].item_bytes;
    uint64_t end = begin + (uint64_t)count * renderer->pools[kind].item_bytes;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < staging->staged.count; i++) {
        CniRenderStagedCopy staged = staging->staged.items[i];
        if (staged.texture.id || staged.pool != kind || staged.to < begin || staged.to >= end)
            staging->staged.items[kept++] = staged;
    }
    staging->staged.count = kept;
}

void cni_render_pool_free(CnRenderer *renderer, CniRenderPoolKind kind, uint32_t first,
                          uint32_t count)
{
    CniRenderMeshPool *pool = &renderer->pools[kind];
    unstage(renderer, kind, first, count);
    CN_ASSERT(pool->free.count < pool->free.capacity, "the free list of %s is full", pool->name);
    if (pool->free.count < pool->free.capacity)
        add_free(pool, first, count);
}

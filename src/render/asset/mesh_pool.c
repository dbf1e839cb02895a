/* Vertices, indices and skins of all meshes: one growing buffer each. Free ranges are reused
 * first. Morph targets are in the buffer of skins. */
#include "render/core/renderer_internal.h"

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
        cni_render_ranges_init(&renderer->pools[i].ranges, renderer->allocator, 0);
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
        cni_render_ranges_fini(&pool->ranges);
    }
}

uint64_t cni_render_pools_bytes(const CnRenderer *renderer)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < CNI_RENDER_POOL_COUNT; i++)
        bytes += (uint64_t)renderer->pools[i].capacity * renderer->pools[i].item_bytes;
    return bytes;
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
    uint32_t first = pool->capacity;
    pool->capacity = (uint32_t)capacity;
    return cni_render_ranges_append(&pool->ranges, first, (uint32_t)capacity - first);
}

bool cni_render_pool_alloc(CnRenderer *renderer, CniRenderPoolKind kind, uint32_t count,
                           uint32_t *first, CnError *error)
{
    CN_ASSERT((unsigned)kind < CNI_RENDER_POOL_COUNT && count, "%u items of pool %d", count,
              (int)kind);
    CniRenderMeshPool *pool = &renderer->pools[kind];
    if (!cni_render_ranges_reserve(&pool->ranges))
        return cn_error_memory(error, "a list of %s", pool->name);
    *first = cni_render_ranges_alloc(&pool->ranges, count);
    if (*first == CNI_RENDER_NO_RANGE && grow(renderer, pool, count, error))
        *first = cni_render_ranges_alloc(&pool->ranges, count); /* succeeds: memory is reserved */
    return *first != CNI_RENDER_NO_RANGE;
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
        if (staged.texture.id || staged.buffer.id || staged.pool != kind || staged.to < begin ||
            staged.to >= end)
            staging->staged.items[kept++] = staged;
    }
    staging->staged.count = kept;
}

void cni_render_pool_free(CnRenderer *renderer, CniRenderPoolKind kind, uint32_t first,
                          uint32_t count)
{
    CniRenderMeshPool *pool = &renderer->pools[kind];
    CN_ASSERT((uint64_t)first + count <= pool->capacity, "%u %s from %u exceed the pool", count,
              pool->name, first);
    unstage(renderer, kind, first, count);
    cni_render_ranges_free(&pool->ranges, first, count);
}

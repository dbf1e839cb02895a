/* Staged data: copied when it is given, and uploaded when the next frame begins. */
#include "render/core/renderer_internal.h"

#include <string.h>

#define ALIGNMENT 16u /* of every texel */

static bool keep_bytes(CniRenderStaging *staging, const void *bytes, uint64_t size, uint64_t *from,
                       CnError *error)
{
    uint64_t begin = ((uint64_t)staging->bytes.count + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
    if (!cn_array_reserve(&staging->staged, (uint64_t)staging->staged.count + 1) ||
        begin + size > UINT32_MAX || !cn_array_reserve(&staging->bytes, begin + size))
        return cn_error_memory(error, "uploading %llu bytes", (unsigned long long)size);
    memcpy(staging->bytes.items + begin, bytes, size);
    staging->bytes.count = (uint32_t)(begin + size);
    *from = begin;
    return true;
}

bool cni_render_stage_pool(CnRenderer *renderer, CniRenderPoolKind kind, uint64_t offset,
                           const void *bytes, uint64_t size, CnError *error)
{
    CniRenderStagedCopy staged = {.pool = kind, .to = offset, .size = size};
    return keep_bytes(&renderer->staging, bytes, size, &staged.from, error) &&
           cn_array_push(&renderer->staging.staged, staged);
}

bool cni_render_stage_texture(CnRenderer *renderer, CnGpuTexture texture, const void *pixels,
                              uint64_t size, bool make_mips, CnError *error)
{
    CniRenderStagedCopy staged = {.texture = texture, .size = size, .make_mips = make_mips};
    return keep_bytes(&renderer->staging, pixels, size, &staged.from, error) &&
           cn_array_push(&renderer->staging.staged, staged);
}

void cni_render_stage_cancel(CnRenderer *renderer, CnGpuTexture texture)
{
    CniRenderStaging *staging = &renderer->staging;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < staging->staged.count; i++) {
        if (staging->staged.items[i].texture.id != texture.id)
            staging->staged.items[kept++] = staging->staged.items[i];
    }
    staging->staged.count = kept;
}

/* ---- Upload ---- */

static void barrier(CnGpuCommands *commands, CnGpuBuffer buffer, CnGpuAccess before,
                    CnGpuAccess after)
{
    cn_gpu_barriers(commands, &(CnGpuBarrier){.buffer = buffer, .before = before, .after = after},
                    1);
}

/* Copies the contents of a pool into its new, larger buffer. */
static void move_pool(CnRenderer *renderer, CnGpuCommands *commands, CniRenderMeshPool *pool)
{
    if (pool->written.id == pool->buffer.id)
        return;
    barrier(commands, pool->buffer, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    if (pool->written.id) {
        barrier(commands, pool->written, pool->access, CN_GPU_ACCESS_COPY_FROM);
        cn_gpu_copy_buffer(commands, pool->written, 0, pool->buffer, 0,
                           (uint64_t)pool->written_capacity * pool->item_bytes);
        cn_gpu_buffer_destroy(renderer->gpu, pool->written);
    }
    barrier(commands, pool->buffer, CN_GPU_ACCESS_COPY_TO, pool->access);
    pool->written = pool->buffer;
    pool->written_capacity = pool->capacity;
}

static void send_pool(CnRenderer *renderer, CnGpuCommands *commands, CniRenderPoolKind kind,
                      CnGpuBuffer source)
{
    CniRenderMeshPool *pool = &renderer->pools[kind];
    const CniRenderStaging *staging = &renderer->staging;
    if (!pool->buffer.id)
        return;
    move_pool(renderer, commands, pool);
    bool begun = false;
    for (uint32_t i = 0; i < staging->staged.count; i++) {
        const CniRenderStagedCopy *staged = &staging->staged.items[i];
        if (staged->texture.id || staged->pool != kind)
            continue;
        if (!begun)
            barrier(commands, pool->buffer, pool->access, CN_GPU_ACCESS_COPY_TO);
        begun = true;
        cn_gpu_copy_buffer(commands, source, staged->from, pool->buffer, staged->to, staged->size);
    }
    if (begun)
        barrier(commands, pool->buffer, CN_GPU_ACCESS_COPY_TO, pool->access);
}

static void make_mips(CnGpuCommands *commands, CnGpuTexture texture, uint32_t mips)
{
    for (uint32_t mip = 1; mip < mips; mip++) {
        cn_gpu_barriers(commands,
                        &(CnGpuBarrier){.texture = texture,
                                        .before = CN_GPU_ACCESS_COPY_TO,
                                        .after = CN_GPU_ACCESS_COPY_FROM,
                                        .mip = mip - 1,
                                        .mip_count = 1},
                        1);
        cn_gpu_blit(commands, texture, mip - 1, texture, mip, CN_GPU_LINEAR);
    }
    CnGpuBarrier done[2] = {{.texture = texture,
                             .before = CN_GPU_ACCESS_COPY_FROM,
                             .after = CN_GPU_ACCESS_SAMPLE,
                             .mip_count = mips - 1},
                            {.texture = texture,
                             .before = CN_GPU_ACCESS_COPY_TO,
                             .after = CN_GPU_ACCESS_SAMPLE,
                             .mip = mips - 1,
                             .mip_count = 1}};
    cn_gpu_barriers(commands, done, 2);
}

static void send_texture(CnRenderer *renderer, CnGpuCommands *commands,
                         const CniRenderStagedCopy *staged, CnGpuBuffer source)
{
    CnGpuTextureDesc desc = cn_gpu_texture_desc(renderer->gpu, staged->texture);
    cn_gpu_barriers(commands,
                    &(CnGpuBarrier){.texture = staged->texture, .after = CN_GPU_ACCESS_COPY_TO}, 1);
    cn_gpu_copy_to_texture(commands, source, staged->texture,
                           &(CnGpuRegion){.layer_count = desc.layers, .offset = staged->from});
    if (staged->make_mips && desc.mips > 1)
        make_mips(commands, staged->texture, desc.mips);
    else
        cn_gpu_barriers(commands,
                        &(CnGpuBarrier){.texture = staged->texture,
                                        .before = CN_GPU_ACCESS_COPY_TO,
                                        .after = CN_GPU_ACCESS_SAMPLE},
                        1);
    /* Also for compute shaders: read accesses accumulate. */
    cn_gpu_barriers(commands,
                    &(CnGpuBarrier){.texture = staged->texture,
                                    .before = CN_GPU_ACCESS_SAMPLE,
                                    .after = CN_GPU_ACCESS_SAMPLE_COMPUTE},
                    1);
}

bool cni_render_stage_flush(CnRenderer *renderer, CnGpuCommands *commands, CnError *error)
{
    CniRenderStaging *staging = &renderer->staging;
    CnGpuBuffer source = {0};
    if (staging->staged.count) {
        source = cn_gpu_buffer_create(renderer->gpu,
                                      &(CnGpuBufferDesc){.name = "staging",
                                                         .size = staging->bytes.count,
                                                         .usage = CN_GPU_USE_COPY_FROM,
                                                         .memory = CN_GPU_MEMORY_UPLOAD},
                                      error);
        if (!source.id)
            return false;
        memcpy(cn_gpu_buffer_data(renderer->gpu, source), staging->bytes.items,
               staging->bytes.count);
    }
    for (uint32_t kind = 0; kind < CNI_RENDER_POOL_COUNT; kind++)
        send_pool(renderer, commands, (CniRenderPoolKind)kind, source);
    for (uint32_t i = 0; i < staging->staged.count; i++) {
        if (staging->staged.items[i].texture.id)
            send_texture(renderer, commands, &staging->staged.items[i], source);
    }
    if (source.id) {
        cn_gpu_buffer_destroy(renderer->gpu, source);
        cn_array_fini(&staging->bytes);
        cn_array_clear(&staging->staged);
    }
    return true;
}

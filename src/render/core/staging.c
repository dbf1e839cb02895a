/* Staged data: copied when it is given, and uploaded when the next frame begins. */
#include "render/core/renderer_internal.h"

#include <string.h>
#include <sys/mman.h>

#define ALIGNMENT 16u /* of every texel */
#define PAGE_BYTES 4096u
#define POPULATE_BYTES (128u << 10) /* at least */

/* Lets the system provide all pages at once, which takes less time than one fault for each. */
static void populate(uint8_t *memory, uint64_t size)
{
#ifdef MADV_POPULATE_WRITE
    uintptr_t first = ((uintptr_t)memory + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1);
    uintptr_t end = ((uintptr_t)memory + size) & ~(uintptr_t)(PAGE_BYTES - 1);
    if (size >= POPULATE_BYTES)
        madvise((void *)first, end - first, MADV_POPULATE_WRITE); /* fails on older systems */
#else
    (void)memory, (void)size;
#endif
}

/* Adds a copy and returns memory for its data. */
static void *add_copy(CniRenderStaging *staging, CniRenderStagedCopy copy, CnError *error)
{
    copy.from = ((uint64_t)staging->bytes.count + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
    uint64_t end = copy.from + copy.size;
    if (!cn_array_reserve(&staging->staged, (uint64_t)staging->staged.count + 1) ||
        end > UINT32_MAX || !cn_array_reserve(&staging->bytes, end)) {
        cn_error_memory(error, "uploading %llu bytes", (unsigned long long)copy.size);
        return NULL;
    }
    staging->bytes.count = (uint32_t)end;
    cn_array_push(&staging->staged, copy); /* has room */
    populate(staging->bytes.items + copy.from, copy.size);
    return staging->bytes.items + copy.from;
}

static bool stage(CnRenderer *renderer, CniRenderStagedCopy copy, const void *bytes, CnError *error)
{
    CN_ASSERT(bytes && copy.size, "nothing is staged");
    void *memory = add_copy(&renderer->staging, copy, error);
    if (memory)
        memcpy(memory, bytes, copy.size);
    return memory != NULL;
}

void *cni_render_stage_pool_memory(CnRenderer *renderer, CniRenderPoolKind kind, uint64_t offset,
                                   uint64_t size, CnError *error)
{
    CN_ASSERT((unsigned)kind < CNI_RENDER_POOL_COUNT, "pool %d does not exist", (int)kind);
    CN_ASSERT(offset + size <=
                  (uint64_t)renderer->pools[kind].capacity * renderer->pools[kind].item_bytes,
              "staged data ends behind the pool of %s", renderer->pools[kind].name);
    return add_copy(&renderer->staging,
                    (CniRenderStagedCopy){.pool = kind, .to = offset, .size = size}, error);
}

bool cni_render_stage_pool(CnRenderer *renderer, CniRenderPoolKind kind, uint64_t offset,
                           const void *bytes, uint64_t size, CnError *error)
{
    CN_ASSERT(bytes && size, "nothing is staged");
    void *memory = cni_render_stage_pool_memory(renderer, kind, offset, size, error);
    if (memory)
        memcpy(memory, bytes, size);
    return memory != NULL;
}

bool cni_render_stage_texture(CnRenderer *renderer, CnGpuTexture texture, const void *pixels,
                              uint64_t size, bool make_mips, CnError *error)
{
    return stage(renderer,
                 (CniRenderStagedCopy){.texture = texture, .size = size, .make_mips = make_mips},
                 pixels, error);
}

bool cni_render_stage_mip(CnRenderer *renderer, CnGpuTexture texture, uint32_t mip,
                          const void *pixels, uint64_t size, CnError *error)
{
    return stage(
        renderer,
        (CniRenderStagedCopy){.texture = texture, .mip = mip, .mip_count = 1, .size = size}, pixels,
        error);
}

void *cni_render_stage_buffer(CnRenderer *renderer, CnGpuBuffer buffer, uint64_t size,
                              CnGpuAccess access, CnError *error)
{
    return add_copy(&renderer->staging,
                    (CniRenderStagedCopy){.buffer = buffer, .size = size, .access = access}, error);
}

static void cancel(CniRenderStaging *staging, CnGpuTexture texture, CnGpuBuffer buffer)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < staging->staged.count; i++) {
        CniRenderStagedCopy copy = staging->staged.items[i];
        if (!(texture.id && copy.texture.id == texture.id) &&
            !(buffer.id && copy.buffer.id == buffer.id))
            staging->staged.items[kept++] = copy;
    }
    staging->staged.count = kept;
}

void cni_render_stage_cancel(CnRenderer *renderer, CnGpuTexture texture)
{
    cancel(&renderer->staging, texture, (CnGpuBuffer){0});
}

void cni_render_stage_cancel_buffer(CnRenderer *renderer, CnGpuBuffer buffer)
{
    cancel(&renderer->staging, (CnGpuTexture){0}, buffer);
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
    CN_ASSERT(pool->written_capacity <= pool->capacity, "the pool of %s has shrunk", pool->name);
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
        if (staged->texture.id || staged->buffer.id || staged->pool != kind)
            continue;
        if (!begun)
            barrier(commands, pool->buffer, pool->access, CN_GPU_ACCESS_COPY_TO);
        begun = true;
        cn_gpu_copy_buffer(commands, source, staged->from, pool->buffer, staged->to, staged->size);
    }
    if (begun)
        barrier(commands, pool->buffer, CN_GPU_ACCESS_COPY_TO, pool->access);
}

static void send_buffer(CnGpuCommands *commands, const CniRenderStagedCopy *staged,
                        CnGpuBuffer source)
{
    barrier(commands, staged->buffer, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_buffer(commands, source, staged->from, staged->buffer, 0, staged->size);
    barrier(commands, staged->buffer, CN_GPU_ACCESS_COPY_TO, staged->access);
    if (staged->access == CN_GPU_ACCESS_READ) /* read accesses accumulate */
        barrier(commands, staged->buffer, CN_GPU_ACCESS_READ, CN_GPU_ACCESS_READ_COMPUTE);
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
    CnGpuBarrier step = {.texture = staged->texture,
                         .after = CN_GPU_ACCESS_COPY_TO,
                         .mip = staged->mip,
                         .mip_count = staged->mip_count};
    cn_gpu_barriers(commands, &step, 1);
    cn_gpu_copy_to_texture(
        commands, source, staged->texture,
        &(CnGpuRegion){.mip = staged->mip, .layer_count = desc.layers, .offset = staged->from});
    step.before = CN_GPU_ACCESS_COPY_TO;
    step.after = CN_GPU_ACCESS_SAMPLE;
    if (staged->make_mips && desc.mips > 1)
        make_mips(commands, staged->texture, desc.mips);
    else
        cn_gpu_barriers(commands, &step, 1);
    step.before = CN_GPU_ACCESS_SAMPLE;
    step.after = CN_GPU_ACCESS_SAMPLE_COMPUTE; /* also there: read accesses accumulate */
    cn_gpu_barriers(commands, &step, 1);
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
        const CniRenderStagedCopy *staged = &staging->staged.items[i];
        if (staged->texture.id)
            send_texture(renderer, commands, staged, source);
        else if (staged->buffer.id)
            send_buffer(commands, staged, source);
    }
    if (source.id) {
        cn_gpu_buffer_destroy(renderer->gpu, source);
        cn_array_fini(&staging->bytes);
        cn_array_clear(&staging->staged);
    }
    return true;
}

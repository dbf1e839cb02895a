/*
 * The null backend does nothing but keep a log. Device memory is only counted; upload and readback
 * memory is real, so that programs can write and read it. A frame is complete when it has ended.
 */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/text.h>

#define BLOCK_BYTES (64ull << 20)
#define MAPPED_BLOCK_BYTES (1ull << 20)
#define ALIGNMENT 256u
#define MAX_TEXTURE_SIZE 16384u
#define MAX_STORAGE_BYTES (1ull << 27) /* the minimum that Vulkan guarantees */
/* A named constant, so that tests of limits can rely on it. */
#define DEVICE_BYTES (4ull << 30)

struct CniGpuNullDevice {
    CN_ARRAY(CnGpuLogEntry) log;
    uint64_t done;
    CnGpuTexture window;
    uint32_t width, height;
};

/* ---- The log ---- */

/* If memory runs out, the rest of the frame's log is lost. */
static void log_command(CnGpu *gpu, const char *command, const char *name, CnGpuTexture texture,
                        CnGpuBuffer buffer, const uint32_t numbers[4])
{
    CnGpuLogEntry entry = {.command = command, .barrier = {.texture = texture, .buffer = buffer}};
    cn_copy_text(entry.name, sizeof entry.name, cn_text(name ? name : ""));
    memcpy(entry.numbers, numbers, sizeof entry.numbers);
    (void)cn_array_push(&gpu->null->log, entry);
}

#define LOG_COMMAND(gpu, command, name, ...)                                                       \
    log_command(gpu, command, name, (CnGpuTexture){0}, (CnGpuBuffer){0},                           \
                (const uint32_t[4]){__VA_ARGS__})

static CnGpuBuffer id_of_buffer(const CnGpu *gpu, const CniGpuBuffer *buffer)
{
    const CnSlotTable *table = &gpu->tables[CNI_GPU_OBJECT_BUFFER];
    size_t offset = (size_t)((const char *)buffer - table->items);
    return (CnGpuBuffer){cn_slot_table_id(table, (uint32_t)(offset / table->item_bytes))};
}

static CnGpuTexture id_of_texture(const CnGpu *gpu, const CniGpuTexture *texture)
{
    const CnSlotTable *table = &gpu->tables[CNI_GPU_OBJECT_TEXTURE];
    size_t offset = (size_t)((const char *)texture - table->items);
    return (CnGpuTexture){cn_slot_table_id(table, (uint32_t)(offset / table->item_bytes))};
}

const CnGpuLogEntry *cn_gpu_command_log(const CnGpu *gpu, uint32_t *count)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    *count = gpu->null ? gpu->null->log.count : 0;
    return gpu->null ? gpu->null->log.items : NULL;
}

/* ---- Frames ---- */

static void destroy(CnGpu *gpu)
{
    cn_array_fini(&gpu->null->log);
    cn_free(gpu->allocator, gpu->null, sizeof *gpu->null);
}

static bool frame_begin(CnGpu *gpu, CnError *error)
{
    (void)error;
    cn_array_clear(&gpu->null->log);
    return true;
}

static bool frame_end(CnGpu *gpu, CnError *error)
{
    (void)error;
    gpu->null->done = gpu->frame;
    return true;
}

static bool wait(CnGpu *gpu, CnError *error)
{
    (void)gpu, (void)error;
    return true;
}

static uint64_t frame_done(const CnGpu *gpu)
{
    return gpu->null->done;
}

static bool read_timers(CnGpu *gpu, uint32_t frame_slot, uint32_t count, uint64_t (*times)[2])
{
    (void)gpu, (void)frame_slot;
    memset(times, 0, count * sizeof *times);
    return true;
}

/* A texture of the window's size, recreated when the size changes. */
static CnGpuTexture window_texture(CnGpu *gpu)
{
    CniGpuNullDevice *null = gpu->null;
    uint32_t width = 0, height = 0;
    gpu->window.size(&width, &height, gpu->window.user);
    if (null->window.id && (width != null->width || height != null->height)) {
        cni_gpu_destroy_now(gpu, CNI_GPU_OBJECT_TEXTURE, cn_slot_index(null->window.id));
        null->window = (CnGpuTexture){0};
    }
    if (!width || !height || null->window.id)
        return null->window;
    CnGpuTextureDesc desc = {.name = "window",
                             .format = CN_GPU_FORMAT_BGRA8_SRGB,
                             .width = width,
                             .height = height,
                             .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_COPY_TO};
    if (!cni_gpu_swapchain_texture(gpu, &desc, &null->window))
        null->window = (CnGpuTexture){0};
    null->width = width;
    null->height = height;
    return null->window;
}

static void vsync_changed(CnGpu *gpu)
{
    (void)gpu;
}

/* ---- Memory ---- */

static uint32_t memory_types(const CnGpu *gpu, const CniGpuMemoryRequest *need, uint32_t types[32])
{
    (void)gpu;
    types[0] = need->memory;
    return 1;
}

static uint64_t block_bytes(const CnGpu *gpu, uint32_t type)
{
    (void)gpu;
    return type == CN_GPU_MEMORY_DEVICE ? BLOCK_BYTES : MAPPED_BLOCK_BYTES;
}

static bool block_create(CnGpu *gpu, CniGpuMemoryBlock *block, const CniGpuMemoryRequest *need)
{
    if (need->memory == CN_GPU_MEMORY_DEVICE)
        return gpu->reserved_bytes + block->size <= DEVICE_BYTES;
    block->mapped = cn_alloc_aligned(gpu->allocator, (size_t)block->size, ALIGNMENT);
    return block->mapped != NULL;
}

static void block_destroy(CnGpu *gpu, CniGpuMemoryBlock *block)
{
    cn_free_aligned(gpu->allocator, block->mapped, (size_t)block->size, ALIGNMENT);
}

static uint64_t texture_bytes(const CnGpuTextureDesc *desc)
{
    uint64_t texels = 0;
    for (uint32_t mip = 0; mip < desc->mips; mip++)
        texels += (uint64_t)cni_gpu_mip_size(desc->width, mip) *
                  cni_gpu_mip_size(desc->height, mip) * cni_gpu_mip_size(desc->depth, mip);
    return texels * desc->layers * cn_gpu_format_bytes(desc->format);
}

static uint64_t aligned(uint64_t size)
{
    return (size + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

static bool buffer_memory_requirements(CnGpu *gpu, const CnGpuBufferDesc *desc,
                                       CnGpuMemoryRequirements *need)
{
    (void)gpu;
    *need = (CnGpuMemoryRequirements){.size = aligned(desc->size), .alignment = ALIGNMENT};
    return true;
}

static bool texture_memory_requirements(CnGpu *gpu, const CnGpuTextureDesc *desc,
                                        CnGpuMemoryRequirements *need)
{
    (void)gpu;
    *need = (CnGpuMemoryRequirements){.size = aligned(texture_bytes(desc)), .alignment = ALIGNMENT};
    return true;
}

static CniGpuMemoryRequest heap_memory_request(CnGpu *gpu, uint64_t size)
{
    (void)gpu;
    return (CniGpuMemoryRequest){.size = size, .alignment = ALIGNMENT, .whole = true};
}

/* ---- Resources ---- */

static bool buffer_create(CnGpu *gpu, CniGpuBuffer *buffer, const CniGpuHeap *heap, uint64_t offset,
                          CnError *error)
{
    (void)offset;
    if (heap)
        return true;
    CniGpuMemoryRequest need = {.size = aligned(buffer->desc.size),
                                .alignment = ALIGNMENT,
                                .memory = buffer->desc.memory,
                                .tiling = CNI_GPU_TILING_LINEAR};
    if (!cni_gpu_memory_alloc(gpu, &need, buffer->slot.name, &buffer->memory, error))
        return false;
    const CniGpuMemoryBlock *block = cni_gpu_memory_block(gpu, &buffer->memory);
    if (block->mapped)
        buffer->mapped = block->mapped + buffer->memory.offset;
    return true;
}

static bool texture_create(CnGpu *gpu, CniGpuTexture *texture, const CniGpuHeap *heap,
                           uint64_t offset, CnError *error)
{
    (void)offset;
    CniGpuMemoryRequest need = {.size = aligned(texture_bytes(&texture->desc)),
                                .alignment = ALIGNMENT,
                                .tiling = CNI_GPU_TILING_OPTIMAL};
    return heap || cni_gpu_memory_alloc(gpu, &need, texture->slot.name, &texture->memory, error);
}

static bool sampler_create(CnGpu *gpu, CniGpuSampler *sampler, CnError *error)
{
    (void)gpu, (void)sampler, (void)error;
    return true;
}

static bool graphics_create(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuGraphicsDesc *desc,
                            CnError *error)
{
    (void)gpu, (void)pipeline, (void)desc, (void)error;
    return true;
}

static bool compute_create(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuComputeDesc *desc,
                           CnError *error)
{
    (void)gpu, (void)pipeline, (void)desc, (void)error;
    return true;
}

static void buffer_destroy(CnGpu *gpu, CniGpuBuffer *buffer)
{
    (void)gpu, (void)buffer;
}

static void texture_destroy(CnGpu *gpu, CniGpuTexture *texture)
{
    (void)gpu, (void)texture;
}

static void sampler_destroy(CnGpu *gpu, CniGpuSampler *sampler)
{
    (void)gpu, (void)sampler;
}

static void pipeline_destroy(CnGpu *gpu, CniGpuPipeline *pipeline)
{
    (void)gpu, (void)pipeline;
}

static bool save_pipelines(CnGpu *gpu, CnError *error)
{
    (void)gpu, (void)error;
    return true;
}

/* ---- Commands ---- */

static void barriers(CnGpu *gpu, const CniGpuBarrier *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const CniGpuBarrier *one = &all[i];
        CnGpuLogEntry entry = {.command = "barrier",
                               .barrier = {.before = one->layout,
                                           .after = one->after,
                                           .mip = one->mip,
                                           .mip_count = one->mip_count,
                                           .layer = one->layer,
                                           .layer_count = one->layer_count}};
        entry.barrier.waits_for =
            one->waits_for_all ? UINT32_MAX : one->before & ~CNI_GPU_ACCESS_BIT(CN_GPU_ACCESS_NONE);
        if (one->texture)
            entry.barrier.texture = id_of_texture(gpu, one->texture);
        else
            entry.barrier.buffer = id_of_buffer(gpu, one->buffer);
        cn_copy_text(entry.name, sizeof entry.name,
                     cn_text(one->texture ? one->texture->slot.name : one->buffer->slot.name));
        (void)cn_array_push(&gpu->null->log, entry);
    }
}

static void begin_rendering(CnGpu *gpu, const CnGpuRendering *rendering, uint32_t color_count)
{
    CnGpuTexture first = color_count ? rendering->color[0].texture : rendering->depth.texture;
    log_command(
        gpu, "begin_rendering", rendering->name, first, (CnGpuBuffer){0},
        (const uint32_t[4]){rendering->width, rendering->height, rendering->layers, color_count});
}

static void end_rendering(CnGpu *gpu)
{
    LOG_COMMAND(gpu, "end_rendering", "", 0);
}

static void viewport(CnGpu *gpu, float x, float y, float width, float height)
{
    LOG_COMMAND(gpu, "set_viewport", "", (uint32_t)(int32_t)x, (uint32_t)(int32_t)y,
                (uint32_t)width, (uint32_t)height);
}

static void scissor(CnGpu *gpu, int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    LOG_COMMAND(gpu, "set_scissor", "", (uint32_t)x, (uint32_t)y, width, height);
}

static void bind_pipeline(CnGpu *gpu, const CniGpuPipeline *pipeline)
{
    LOG_COMMAND(gpu, "bind_pipeline", pipeline->slot.name, 0);
}

/* Logs the bindings that changed since the last draw or dispatch. */
static void bind(CnGpu *gpu, const CniGpuPipeline *pipeline, uint32_t dirty)
{
    static const char *const commands[] = {"", "bind_buffer", "bind_buffer", "bind_texture",
                                           "bind_storage_texture"};
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const CniGpuBoundResource *binding = &gpu->commands.bindings[i];
        if (!(dirty & 1u << i))
            continue;
        const CniGpuBuffer *buffer = cni_gpu_buffer(gpu, binding->buffer);
        const CniGpuTexture *texture = cni_gpu_texture(gpu, binding->texture);
        log_command(gpu, commands[binding->kind], buffer ? buffer->slot.name : texture->slot.name,
                    binding->texture, binding->buffer,
                    (const uint32_t[4]){i, buffer ? (uint32_t)binding->offset : binding->mip,
                                        buffer ? (uint32_t)binding->size : binding->mip_count});
    }
}

static void constants(CnGpu *gpu, const void *data, uint32_t bytes)
{
    (void)data;
    LOG_COMMAND(gpu, "push_constants", "", bytes);
}

static void bind_indices(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset,
                         CnGpuFormat format)
{
    log_command(gpu, "bind_indices", buffer->slot.name, (CnGpuTexture){0},
                id_of_buffer(gpu, buffer), (const uint32_t[4]){(uint32_t)offset, format});
}

static void draw(CnGpu *gpu, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
                 uint32_t first_instance)
{
    LOG_COMMAND(gpu, "draw", "", vertices, instances, first_vertex, first_instance);
}

static void draw_indexed(CnGpu *gpu, uint32_t indices, uint32_t instances, uint32_t first_index,
                         int32_t vertex_offset, uint32_t first_instance)
{
    (void)first_instance;
    LOG_COMMAND(gpu, "draw_indexed", "", indices, instances, first_index, (uint32_t)vertex_offset);
}

static void draw_indirect(CnGpu *gpu, const CniGpuIndirectDraw *draws)
{
    static const char *const commands[2][2] = {
        {"draw_indirect", "draw_indexed_indirect"},
        {"draw_indirect_count", "draw_indexed_indirect_count"}};
    const char *command = commands[draws->count_buffer != NULL][draws->indexed];
    log_command(gpu, command, draws->buffer->slot.name, (CnGpuTexture){0},
                id_of_buffer(gpu, draws->buffer),
                (const uint32_t[4]){(uint32_t)draws->offset, draws->count, draws->stride});
}

static void dispatch(CnGpu *gpu, uint32_t x, uint32_t y, uint32_t z)
{
    LOG_COMMAND(gpu, "dispatch", "", x, y, z);
}

static void dispatch_indirect(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset)
{
    log_command(gpu, "dispatch_indirect", buffer->slot.name, (CnGpuTexture){0},
                id_of_buffer(gpu, buffer), (const uint32_t[4]){(uint32_t)offset});
}

static void copy_buffer(CnGpu *gpu, const CniGpuBuffer *from, uint64_t from_offset,
                        const CniGpuBuffer *to, uint64_t to_offset, uint64_t size)
{
    (void)from;
    log_command(gpu, "copy_buffer", to->slot.name, (CnGpuTexture){0}, id_of_buffer(gpu, to),
                (const uint32_t[4]){(uint32_t)from_offset, (uint32_t)to_offset, (uint32_t)size});
}

static void fill_buffer(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset, uint64_t size,
                        uint32_t value)
{
    log_command(gpu, "fill_buffer", buffer->slot.name, (CnGpuTexture){0}, id_of_buffer(gpu, buffer),
                (const uint32_t[4]){(uint32_t)offset, (uint32_t)size, value});
}

static void copy_to_texture(CnGpu *gpu, const CniGpuBuffer *from, const CniGpuTexture *to,
                            const CnGpuRegion *region)
{
    log_command(gpu, "copy_to_texture", to->slot.name, id_of_texture(gpu, to),
                id_of_buffer(gpu, from),
                (const uint32_t[4]){region->mip, region->layer, region->width, region->height});
}

static void copy_from_texture(CnGpu *gpu, const CniGpuTexture *from, const CniGpuBuffer *to,
                              const CnGpuRegion *region)
{
    log_command(gpu, "copy_from_texture", from->slot.name, id_of_texture(gpu, from),
                id_of_buffer(gpu, to),
                (const uint32_t[4]){region->mip, region->layer, region->width, region->height});
}

static void blit(CnGpu *gpu, const CniGpuTexture *from, uint32_t from_mip, const CniGpuTexture *to,
                 uint32_t to_mip, CnGpuFilter filter)
{
    (void)from;
    log_command(gpu, "blit", to->slot.name, id_of_texture(gpu, to), (CnGpuBuffer){0},
                (const uint32_t[4]){from_mip, to_mip, filter});
}

static void begin_label(CnGpu *gpu, const char *name)
{
    LOG_COMMAND(gpu, "begin_label", name, 0);
}

static void end_label(CnGpu *gpu)
{
    LOG_COMMAND(gpu, "end_label", "", 0);
}

static void timestamp(CnGpu *gpu, uint32_t timer, bool is_end)
{
    const CniGpuFrame *frame = &gpu->frames[gpu->frame % CN_GPU_FRAMES];
    LOG_COMMAND(gpu, is_end ? "end_timer" : "begin_timer", frame->timers[timer].name, timer);
}

static const CniGpuBackend backend = {
    .destroy = destroy,
    .frame_begin = frame_begin,
    .frame_end = frame_end,
    .wait = wait,
    .frame_done = frame_done,
    .read_timers = read_timers,
    .window_texture = window_texture,
    .vsync_changed = vsync_changed,
    .memory_types = memory_types,
    .block_bytes = block_bytes,
    .block_create = block_create,
    .block_destroy = block_destroy,
    .heap_memory_request = heap_memory_request,
    .buffer_memory_requirements = buffer_memory_requirements,
    .texture_memory_requirements = texture_memory_requirements,
    .buffer_create = buffer_create,
    .texture_create = texture_create,
    .sampler_create = sampler_create,
    .graphics_create = graphics_create,
    .compute_create = compute_create,
    .buffer_destroy = buffer_destroy,
    .texture_destroy = texture_destroy,
    .sampler_destroy = sampler_destroy,
    .pipeline_destroy = pipeline_destroy,
    .save_pipelines = save_pipelines,
    .barriers = barriers,
    .begin_rendering = begin_rendering,
    .end_rendering = end_rendering,
    .viewport = viewport,
    .scissor = scissor,
    .bind_pipeline = bind_pipeline,
    .bind = bind,
    .constants = constants,
    .bind_indices = bind_indices,
    .draw = draw,
    .draw_indexed = draw_indexed,
    .draw_indirect = draw_indirect,
    .dispatch = dispatch,
    .dispatch_indirect = dispatch_indirect,
    .copy_buffer = copy_buffer,
    .fill_buffer = fill_buffer,
    .copy_to_texture = copy_to_texture,
    .copy_from_texture = copy_from_texture,
    .blit = blit,
    .begin_label = begin_label,
    .end_label = end_label,
    .timestamp = timestamp,
};

bool cni_gpu_null_create(CnGpu *gpu, CnError *error)
{
    gpu->null = cn_alloc_zeroed(gpu->allocator, sizeof *gpu->null);
    if (!gpu->null)
        return cn_error_memory(error, "a GPU");
    cn_array_init(&gpu->null->log, gpu->allocator);
    gpu->backend = &backend;
    gpu->info = (CnGpuInfo){.name = "null",
                            .driver = "null",
                            .kind = CN_GPU_KIND_NULL,
                            .memory_bytes = DEVICE_BYTES,
                            .max_texture_size = MAX_TEXTURE_SIZE,
                            .max_storage_bytes = MAX_STORAGE_BYTES,
                            .timestamp_ns = 1.0f,
                            .max_anisotropy = 16.0f,
                            .bind_alignment = ALIGNMENT,
                            .indirect_count = true,
                            .atomics_64 = true};
    return true;
}

/* Rendering, bindings, draws and dispatches. */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* ---- Rendering ---- */

static bool check_attachment(CnGpuCommands *commands, const CnGpuAttachment *attachment,
                             const CnGpuRendering *rendering, CnGpuAccess access, bool is_depth)
{
    CnGpu *gpu = commands->gpu;
    const CniGpuTexture *texture = cni_gpu_check_texture(commands, attachment->texture,
                                                         CN_GPU_USE_ATTACHMENT, "begin_rendering");
    if (!texture)
        return false;
    const char *name = texture->slot.name;
    const CnGpuTextureDesc *desc = &texture->desc;
    if (cn_gpu_format_is_depth(desc->format) != is_depth)
        return cni_gpu_wrong_call(gpu, "begin_rendering: %s cannot be used for %s", name,
                                  is_depth ? "depth" : "color");
    if ((uint32_t)attachment->load > CN_GPU_DISCARD)
        return cni_gpu_wrong_call(gpu, "begin_rendering: %s: there is no load operation %d", name,
                                  (int)attachment->load);
    if (attachment->mip >= desc->mips || attachment->layer >= desc->layers ||
        rendering->layers > desc->layers - attachment->layer)
        return cni_gpu_wrong_call(gpu, "begin_rendering: %s has no mip %u, layer %u", name,
                                  attachment->mip, attachment->layer);
    if (rendering->width > cni_gpu_mip_size(desc->width, attachment->mip) ||
        rendering->height > cni_gpu_mip_size(desc->height, attachment->mip))
        return cni_gpu_wrong_call(gpu, "begin_rendering: %s is smaller than %u x %u", name,
                                  rendering->width, rendering->height);
    return cni_gpu_check_texture_access(gpu, texture, attachment->mip, 1, attachment->layer,
                                        rendering->layers, access, "begin_rendering");
}

static bool check_attachments(CnGpuCommands *commands, const CnGpuRendering *rendering,
                              uint32_t color_count)
{
    for (uint32_t i = 0; i < color_count; i++) {
        if (!check_attachment(commands, &rendering->color[i], rendering, CN_GPU_ACCESS_COLOR,
                              false))
            return false;
    }
    if (rendering->depth_read_only && rendering->depth.load != CN_GPU_LOAD)
        return cni_gpu_wrong_call(commands->gpu, "begin_rendering: read-only depth must be loaded");
    CnGpuAccess depth = rendering->depth_read_only ? CN_GPU_ACCESS_DEPTH_READ : CN_GPU_ACCESS_DEPTH;
    return !rendering->depth.texture.id ||
           check_attachment(commands, &rendering->depth, rendering, depth, true);
}

void cn_gpu_begin_rendering(CnGpuCommands *commands, const CnGpuRendering *rendering)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    CN_ASSERT(rendering, "%s: rendering is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_OUTSIDE_RENDERING, "begin_rendering"))
        return;
    CnGpu *gpu = commands->gpu;
    CnGpuRendering all = *rendering;
    all.layers = all.layers ? all.layers : 1;
    uint32_t count = 0;
    while (count < CN_GPU_MAX_COLORS && all.color[count].texture.id)
        count++;
    if (!all.width || !all.height) {
        cni_gpu_wrong_call(gpu, "begin_rendering: %s has no size", all.name ? all.name : "it");
        return;
    }
    if (!check_attachments(commands, &all, count))
        return;
    commands->rendering = all;
    commands->color_count = count;
    commands->is_rendering = true;
    commands->pipeline_fits = false;
    gpu->backend->begin_rendering(gpu, &all, count);
    gpu->backend->viewport(gpu, 0, 0, (float)all.width, (float)all.height);
    gpu->backend->scissor(gpu, 0, 0, all.width, all.height);
}

void cn_gpu_end_rendering(CnGpuCommands *commands)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_INSIDE_RENDERING, "end_rendering"))
        return;
    commands->is_rendering = false;
    commands->gpu->backend->end_rendering(commands->gpu);
}

void cn_gpu_set_viewport(CnGpuCommands *commands, float x, float y, float width, float height)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_INSIDE_RENDERING, "set_viewport"))
        return;
    if (!(width > 0) || !(height > 0))
        cni_gpu_wrong_call(commands->gpu, "viewport: the size is 0");
    else
        commands->gpu->backend->viewport(commands->gpu, x, y, width, height);
}

void cn_gpu_set_scissor(CnGpuCommands *commands, int32_t x, int32_t y, uint32_t width,
                        uint32_t height)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_INSIDE_RENDERING, "set_scissor"))
        return;
    if (x < 0 || y < 0 || width > (uint32_t)INT32_MAX - (uint32_t)x ||
        height > (uint32_t)INT32_MAX - (uint32_t)y)
        cni_gpu_wrong_call(commands->gpu, "scissor: the rectangle is out of range");
    else
        commands->gpu->backend->scissor(commands->gpu, x, y, width, height);
}

/* ---- Bindings ---- */

static bool has_same_bindings(const CniGpuPipeline *a, const CniGpuPipeline *b)
{
    return a->is_compute == b->is_compute && a->binding_count == b->binding_count &&
           !memcmp(a->bindings, b->bindings, sizeof a->bindings);
}

void cn_gpu_bind_pipeline(CnGpuCommands *commands, CnGpuPipeline pipeline)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "bind_pipeline"))
        return;
    const CniGpuPipeline *found = cni_gpu_pipeline(commands->gpu, pipeline);
    if (!found) {
        cni_gpu_wrong_call(commands->gpu, "bind_pipeline: the pipeline is %s",
                           pipeline.id ? "stale" : "null");
        return;
    }
    if (pipeline.id == commands->pipeline.id)
        return;
    const CniGpuPipeline *before = cni_gpu_pipeline(commands->gpu, commands->pipeline);
    if (!before || !has_same_bindings(before, found))
        commands->dirty = UINT32_MAX >> (32 - CN_GPU_MAX_BINDINGS);
    commands->pipeline = pipeline;
    commands->pipeline_fits = false;
    commands->gpu->backend->bind_pipeline(commands->gpu, found);
}

static void set_binding(CnGpuCommands *commands, uint32_t number,
                        const CniGpuBoundResource *binding)
{
    if (number >= CN_GPU_MAX_BINDINGS) {
        cni_gpu_wrong_call(commands->gpu, "bind: there is no binding %u", number);
        return;
    }
    commands->bindings[number] = *binding;
    commands->dirty |= 1u << number;
}

void cn_gpu_bind_buffer(CnGpuCommands *commands, uint32_t binding, CnGpuBuffer buffer,
                        uint64_t offset, uint64_t size)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "bind_buffer"))
        return;
    CniGpuBuffer *found = cni_gpu_check_buffer(
        commands, buffer, CN_GPU_USE_STORAGE | CN_GPU_USE_UNIFORM, "bind_buffer");
    if (!found)
        return;
    if (offset >= found->desc.size || size > found->desc.size - offset) {
        cni_gpu_wrong_call(commands->gpu, "bind_buffer: beyond the end of %s", found->slot.name);
        return;
    }
    if (offset % commands->gpu->info.bind_alignment) {
        cni_gpu_wrong_call(commands->gpu, "bind_buffer: offset %llu in %s is not a multiple of %u",
                           (unsigned long long)offset, found->slot.name,
                           commands->gpu->info.bind_alignment);
        return;
    }
    set_binding(commands, binding,
                &(CniGpuBoundResource){.kind = CN_GPU_BIND_STORAGE,
                                       .buffer = buffer,
                                       .offset = offset,
                                       .size = size ? size : found->desc.size - offset});
}

static void bind_sampled(CnGpuCommands *commands, uint32_t binding, CnGpuTexture texture,
                         uint32_t mip, bool one_mip, CnGpuSampler sampler)
{
    CniGpuTexture *found =
        cni_gpu_check_texture(commands, texture, CN_GPU_USE_SAMPLED, "bind_texture");
    if (!found)
        return;
    if (!cni_gpu_sampler(commands->gpu, sampler)) {
        cni_gpu_wrong_call(commands->gpu, "bind_texture: %s has no sampler", found->slot.name);
        return;
    }
    if (mip >= found->desc.mips) {
        cni_gpu_wrong_call(commands->gpu, "bind_texture: %s has no mip %u", found->slot.name, mip);
        return;
    }
    set_binding(commands, binding,
                &(CniGpuBoundResource){.kind = CN_GPU_BIND_TEXTURE,
                                       .texture = texture,
                                       .sampler = sampler,
                                       .mip = mip,
                                       .mip_count = one_mip ? 1 : found->desc.mips});
}

void cn_gpu_bind_texture(CnGpuCommands *commands, uint32_t binding, CnGpuTexture texture,
                         CnGpuSampler sampler)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "bind_texture"))
        bind_sampled(commands, binding, texture, 0, false, sampler);
}

void cn_gpu_bind_texture_mip(CnGpuCommands *commands, uint32_t binding, CnGpuTexture texture,
                             uint32_t mip, CnGpuSampler sampler)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "bind_texture_mip"))
        bind_sampled(commands, binding, texture, mip, true, sampler);
}

void cn_gpu_bind_storage_texture(CnGpuCommands *commands, uint32_t binding, CnGpuTexture texture,
                                 uint32_t mip)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "bind_storage_texture"))
        return;
    CniGpuTexture *found =
        cni_gpu_check_texture(commands, texture, CN_GPU_USE_STORAGE, "bind_storage_texture");
    if (!found)
        return;
    if (mip >= found->desc.mips) {
        cni_gpu_wrong_call(commands->gpu, "bind_storage_texture: %s has no mip %u",
                           found->slot.name, mip);
        return;
    }
    set_binding(
        commands, binding,
        &(CniGpuBoundResource){
            .kind = CN_GPU_BIND_STORAGE_TEXTURE, .texture = texture, .mip = mip, .mip_count = 1});
}

void cn_gpu_push_constants(CnGpuCommands *commands, const void *data, uint32_t bytes)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "push_constants"))
        return;
    if (!bytes || bytes > CN_GPU_MAX_CONSTANT_BYTES || bytes % 4) {
        cni_gpu_wrong_call(commands->gpu,
                           "constants: %u bytes; must be a multiple of 4, at most %u", bytes,
                           CN_GPU_MAX_CONSTANT_BYTES);
        return;
    }
    if (bytes > commands->constant_bytes)
        commands->constant_bytes = bytes;
    commands->gpu->backend->constants(commands->gpu, data, bytes);
}

/* ---- Before a draw or dispatch ---- */

static bool check_bound_buffer(CnGpu *gpu, const CniGpuPipeline *pipeline, uint32_t number,
                               const CniGpuBoundResource *binding, const char *what)
{
    const CniGpuBuffer *buffer = cni_gpu_buffer(gpu, binding->buffer);
    if (!buffer)
        return cni_gpu_wrong_call(gpu, "%s: the buffer at binding %u of %s is stale", what, number,
                                  pipeline->slot.name);
    uint32_t usage =
        pipeline->bindings[number] == CN_GPU_BIND_UNIFORM ? CN_GPU_USE_UNIFORM : CN_GPU_USE_STORAGE;
    if (!(buffer->desc.usage & usage))
        return cni_gpu_wrong_call(gpu, "%s: the buffer %s at binding %u of %s lacks the usage",
                                  what, buffer->slot.name, number, pipeline->slot.name);
    CnGpuAccess access = pipeline->is_compute ? CN_GPU_ACCESS_READ_COMPUTE : CN_GPU_ACCESS_READ;
    return cni_gpu_check_buffer_access(gpu, buffer, access, what);
}

static bool check_bound_texture(CnGpu *gpu, const CniGpuPipeline *pipeline, uint32_t number,
                                const CniGpuBoundResource *binding, const char *what)
{
    const CniGpuTexture *texture = cni_gpu_texture(gpu, binding->texture);
    if (!texture)
        return cni_gpu_wrong_call(gpu, "%s: the texture at binding %u of %s is stale", what, number,
                                  pipeline->slot.name);
    CnGpuAccess access = pipeline->is_compute ? CN_GPU_ACCESS_SAMPLE_COMPUTE : CN_GPU_ACCESS_SAMPLE;
    if (binding->kind == CN_GPU_BIND_STORAGE_TEXTURE)
        access = pipeline->is_compute ? CN_GPU_ACCESS_READ_COMPUTE : CN_GPU_ACCESS_READ;
    return cni_gpu_check_texture_access(gpu, texture, binding->mip, binding->mip_count, 0,
                                        texture->desc.layers, access, what);
}

/* A buffer is bound without its purpose; the pipeline determines whether it is uniform or
 * storage. */
static bool is_of_kind(const CniGpuBoundResource *binding, CnGpuBindingKind wanted)
{
    return binding->kind == wanted ||
           (binding->kind == CN_GPU_BIND_STORAGE && wanted == CN_GPU_BIND_UNIFORM);
}

static bool check_bindings(CnGpuCommands *commands, const CniGpuPipeline *pipeline,
                           const char *what)
{
    CnGpu *gpu = commands->gpu;
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const CniGpuBoundResource *binding = &commands->bindings[i];
        if (!is_of_kind(binding, pipeline->bindings[i]))
            return cni_gpu_wrong_call(gpu, "%s: binding %u of %s %s", what, i, pipeline->slot.name,
                                      binding->kind ? "has another kind" : "is missing");
        if (!gpu->is_strict && !(commands->dirty & 1u << i))
            continue;
        bool ok = binding->kind == CN_GPU_BIND_STORAGE
                      ? check_bound_buffer(gpu, pipeline, i, binding, what)
                      : check_bound_texture(gpu, pipeline, i, binding, what);
        if (!ok)
            return false;
    }
    if (commands->constant_bytes < pipeline->constants)
        return cni_gpu_wrong_call(gpu, "%s: %s needs %u bytes of constants", what,
                                  pipeline->slot.name, pipeline->constants);
    return true;
}

static bool check_fit(CnGpuCommands *commands, const CniGpuPipeline *pipeline, const char *what)
{
    CnGpu *gpu = commands->gpu;
    if (commands->pipeline_fits)
        return true;
    const CnGpuRendering *rendering = &commands->rendering;
    for (uint32_t i = 0; i < CN_GPU_MAX_COLORS; i++) {
        const CniGpuTexture *color =
            i < commands->color_count ? cni_gpu_texture(gpu, rendering->color[i].texture) : NULL;
        if ((color ? color->desc.format : CN_GPU_FORMAT_NONE) != pipeline->color[i])
            return cni_gpu_wrong_call(
                gpu, "%s: %s draws color %u as %s, the rendering has %s", what, pipeline->slot.name,
                i, cn_gpu_format_name(pipeline->color[i]),
                cn_gpu_format_name(color ? color->desc.format : CN_GPU_FORMAT_NONE));
    }
    const CniGpuTexture *depth = cni_gpu_texture(gpu, rendering->depth.texture);
    if ((depth ? depth->desc.format : CN_GPU_FORMAT_NONE) != pipeline->depth)
        return cni_gpu_wrong_call(gpu, "%s: %s and the rendering have different depth formats",
                                  what, pipeline->slot.name);
    if (pipeline->depth_write && rendering->depth_read_only)
        return cni_gpu_wrong_call(gpu, "%s: %s writes depth that is read-only", what,
                                  pipeline->slot.name);
    commands->pipeline_fits = true;
    return true;
}

static bool prepare(CnGpuCommands *commands, bool is_compute, const char *what)
{
    CnGpu *gpu = commands->gpu;
    if (!cni_gpu_check_recording(
            commands, is_compute ? CNI_GPU_OUTSIDE_RENDERING : CNI_GPU_INSIDE_RENDERING, what))
        return false;
    const CniGpuPipeline *pipeline = cni_gpu_pipeline(gpu, commands->pipeline);
    if (!pipeline || pipeline->is_compute != is_compute)
        return cni_gpu_wrong_call(gpu, "%s: no %s pipeline is bound", what,
                                  is_compute ? "compute" : "graphics");
    if (!check_bindings(commands, pipeline, what) ||
        (!is_compute && !check_fit(commands, pipeline, what)))
        return false;
    uint32_t used = pipeline->binding_count ? UINT32_MAX >> (32 - pipeline->binding_count) : 0;
    if (commands->dirty & used)
        gpu->backend->bind(gpu, pipeline, commands->dirty & used);
    commands->dirty &= ~used;
    commands->draw_calls += !is_compute;
    return true;
}

static bool prepare_indices(CnGpuCommands *commands, const char *what)
{
    const CniGpuBuffer *indices = cni_gpu_buffer(commands->gpu, commands->indices);
    if (!indices)
        return cni_gpu_wrong_call(commands->gpu, "%s: no indices are bound", what);
    return cni_gpu_check_buffer_access(commands->gpu, indices, CN_GPU_ACCESS_VERTEX, what);
}

/* ---- Draws ---- */

void cn_gpu_draw(CnGpuCommands *commands, uint32_t vertices, uint32_t instances,
                 uint32_t first_vertex, uint32_t first_instance)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (prepare(commands, false, "draw"))
        commands->gpu->backend->draw(commands->gpu, vertices, instances, first_vertex,
                                     first_instance);
}

void cn_gpu_bind_indices(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                         CnGpuFormat format)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "bind_indices"))
        return;
    CniGpuBuffer *found = cni_gpu_check_buffer(commands, buffer, CN_GPU_USE_VERTEX, "bind_indices");
    if (!found)
        return;
    if ((format != CN_GPU_FORMAT_R16U && format != CN_GPU_FORMAT_R32U) ||
        offset >= found->desc.size || offset % cn_gpu_format_bytes(format)) {
        cni_gpu_wrong_call(commands->gpu, "bind_indices: invalid format %s or offset %llu in %s",
                           cn_gpu_format_name(format), (unsigned long long)offset,
                           found->slot.name);
        return;
    }
    commands->indices = buffer;
    commands->index_offset = offset;
    commands->gpu->backend->bind_indices(commands->gpu, found, offset, format);
}

void cn_gpu_draw_indexed(CnGpuCommands *commands, uint32_t indices, uint32_t instances,
                         uint32_t first_index, int32_t vertex_offset, uint32_t first_instance)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (prepare(commands, false, "draw_indexed") && prepare_indices(commands, "draw_indexed"))
        commands->gpu->backend->draw_indexed(commands->gpu, indices, instances, first_index,
                                             vertex_offset, first_instance);
}

static bool check_indirect(CnGpuCommands *commands, CnGpuBuffer buffer, CniGpuBuffer **found,
                           uint64_t offset, uint64_t bytes, const char *what)
{
    *found = cni_gpu_check_buffer(commands, buffer, CN_GPU_USE_INDIRECT, what);
    if (!*found)
        return false;
    if (offset % 4 || offset > (*found)->desc.size || bytes > (*found)->desc.size - offset)
        return cni_gpu_wrong_call(commands->gpu, "%s: beyond the end of %s", what,
                                  (*found)->slot.name);
    return cni_gpu_check_buffer_access(commands->gpu, *found, CN_GPU_ACCESS_INDIRECT, what);
}

static void draw_indirect(CnGpuCommands *commands, CniGpuIndirectDraw draws, CnGpuBuffer buffer,
                          CnGpuBuffer count_buffer, const char *what)
{
    uint32_t bytes = draws.indexed ? 20 : 16;
    if (!prepare(commands, false, what) || (draws.indexed && !prepare_indices(commands, what)) ||
        !draws.count)
        return;
    if (draws.indexed && commands->index_offset) {
        /* lavapipe of Mesa 22.3 ignores the offset. */
        cni_gpu_wrong_call(commands->gpu, "%s: indices are bound at offset %llu, not at 0", what,
                           (unsigned long long)commands->index_offset);
        return;
    }
    if (draws.stride < bytes || draws.stride % 4) {
        cni_gpu_wrong_call(commands->gpu, "%s: invalid stride %u", what, draws.stride);
        return;
    }
    uint64_t all = (uint64_t)draws.stride * (draws.count - 1) + bytes;
    if (check_indirect(commands, buffer, &draws.buffer, draws.offset, all, what) &&
        (!count_buffer.id ||
         check_indirect(commands, count_buffer, &draws.count_buffer, draws.count_offset, 4, what)))
        commands->gpu->backend->draw_indirect(commands->gpu, &draws);
}

void cn_gpu_draw_indirect(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                          uint32_t count, uint32_t stride)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    draw_indirect(commands,
                  (CniGpuIndirectDraw){.offset = offset, .count = count, .stride = stride}, buffer,
                  (CnGpuBuffer){0}, "draw_indirect");
}

void cn_gpu_draw_indexed_indirect(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                                  uint32_t count, uint32_t stride)
{
    draw_indirect(
        commands,
        (CniGpuIndirectDraw){.offset = offset, .count = count, .stride = stride, .indexed = true},
        buffer, (CnGpuBuffer){0}, "draw_indexed_indirect");
}

static void draw_counted(CnGpuCommands *commands, CniGpuIndirectDraw draws, CnGpuBuffer buffer,
                         CnGpuBuffer count_buffer, const char *what)
{
    if (commands->gpu->info.indirect_count && count_buffer.id)
        draw_indirect(commands, draws, buffer, count_buffer, what);
    else
        cni_gpu_wrong_call(commands->gpu, "%s: %s", what,
                           count_buffer.id ? "not supported by this device"
                                           : "the count buffer is null");
}

void cn_gpu_draw_indirect_count(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset,
                                CnGpuBuffer count_buffer, uint64_t count_offset, uint32_t max_count,
                                uint32_t stride)
{
    draw_counted(
        commands,
        (CniGpuIndirectDraw){
            .offset = offset, .count_offset = count_offset, .count = max_count, .stride = stride},
        buffer, count_buffer, "draw_indirect_count");
}

void cn_gpu_draw_indexed_indirect_count(CnGpuCommands *commands, CnGpuBuffer buffer,
                                        uint64_t offset, CnGpuBuffer count_buffer,
                                        uint64_t count_offset, uint32_t max_count, uint32_t stride)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    draw_counted(commands,
                 (CniGpuIndirectDraw){.offset = offset,
                                      .count_offset = count_offset,
                                      .count = max_count,
                                      .stride = stride,
                                      .indexed = true},
                 buffer, count_buffer, "draw_indexed_indirect_count");
}

void cn_gpu_dispatch(CnGpuCommands *commands, uint32_t x, uint32_t y, uint32_t z)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (x > CN_GPU_MAX_GROUPS || y > CN_GPU_MAX_GROUPS || z > CN_GPU_MAX_GROUPS) {
        cni_gpu_wrong_call(commands->gpu, "dispatch: %u x %u x %u groups; at most %u per dimension",
                           x, y, z, CN_GPU_MAX_GROUPS);
        return;
    }
    if (prepare(commands, true, "dispatch"))
        commands->gpu->backend->dispatch(commands->gpu, x, y, z);
}

void cn_gpu_dispatch_indirect(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    CniGpuBuffer *found;
    if (prepare(commands, true, "dispatch_indirect") &&
        check_indirect(commands, buffer, &found, offset, 12, "dispatch_indirect"))
        commands->gpu->backend->dispatch_indirect(commands->gpu, found, offset);
}

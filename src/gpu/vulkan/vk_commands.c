/* Recording of commands, and the function table of the backend. */
#include "gpu/vulkan/vk_internal.h"

#define API(gpu) (&(gpu)->vulkan->api)
#define COMMANDS(gpu) ((gpu)->vulkan->commands)

/* ---- Rendering ---- */

static VkRenderingAttachmentInfo attachment_info(CnGpu *gpu, const CnGpuAttachment *attachment,
                                                 uint32_t layers, CnGpuAccess access)
{
    static const VkAttachmentLoadOp loads[] = {[CN_GPU_LOAD] = VK_ATTACHMENT_LOAD_OP_LOAD,
                                               [CN_GPU_CLEAR] = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               [CN_GPU_DISCARD] = VK_ATTACHMENT_LOAD_OP_DONT_CARE};
    CniGpuTexture *texture = cni_gpu_texture(gpu, attachment->texture);
    bool is_depth = cn_gpu_format_is_depth(texture->desc.format);
    VkRenderingAttachmentInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView =
            cni_gpu_vk_attachment_view(gpu, texture, attachment->mip, attachment->layer, layers),
        .imageLayout = cni_gpu_vk_layout(access, is_depth),
        .loadOp = loads[attachment->load],
        .storeOp = attachment->discard_after ? VK_ATTACHMENT_STORE_OP_DONT_CARE
                                             : VK_ATTACHMENT_STORE_OP_STORE};
    if (access == CN_GPU_ACCESS_DEPTH_READ)
        info.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
    for (uint32_t i = 0; i < 4; i++) {
        if (cni_gpu_format_is_integer(texture->desc.format))
            info.clearValue.color.uint32[i] = (uint32_t)attachment->clear[i];
        else
            info.clearValue.color.float32[i] = attachment->clear[i];
    }
    if (is_depth)
        info.clearValue.depthStencil.depth = attachment->clear[0];
    return info;
}

static void begin_label(CnGpu *gpu, const char *name)
{
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = name};
    if (gpu->vulkan->instance.has_debug_utils)
        gpu->vulkan->instance.CmdBeginDebugUtilsLabelEXT(COMMANDS(gpu), &label);
}

static void end_label(CnGpu *gpu)
{
    if (gpu->vulkan->instance.has_debug_utils)
        gpu->vulkan->instance.CmdEndDebugUtilsLabelEXT(COMMANDS(gpu));
}

static void begin_rendering(CnGpu *gpu, const CnGpuRendering *rendering, uint32_t color_count)
{
    VkRenderingAttachmentInfo colors[CN_GPU_MAX_COLORS], depth;
    for (uint32_t i = 0; i < color_count; i++)
        colors[i] =
            attachment_info(gpu, &rendering->color[i], rendering->layers, CN_GPU_ACCESS_COLOR);
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .renderArea = {.extent = {rendering->width, rendering->height}},
                            .layerCount = rendering->layers,
                            .colorAttachmentCount = color_count,
                            .pColorAttachments = colors};
    if (rendering->depth.texture.id) {
        depth = attachment_info(gpu, &rendering->depth, rendering->layers,
                                rendering->depth_read_only ? CN_GPU_ACCESS_DEPTH_READ
                                                           : CN_GPU_ACCESS_DEPTH);
        info.pDepthAttachment = &depth;
    }
    begin_label(gpu, rendering->name ? rendering->name : "rendering");
    API(gpu)->vkCmdBeginRendering(COMMANDS(gpu), &info);
}

static void end_rendering(CnGpu *gpu)
{
    API(gpu)->vkCmdEndRendering(COMMANDS(gpu));
    end_label(gpu);
}

static void viewport(CnGpu *gpu, float x, float y, float width, float height)
{
    VkViewport all = {.x = x, .y = y, .width = width, .height = height, .maxDepth = 1.0f};
    API(gpu)->vkCmdSetViewport(COMMANDS(gpu), 0, 1, &all);
}

static void scissor(CnGpu *gpu, int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    VkRect2D all = {.offset = {x, y}, .extent = {width, height}};
    API(gpu)->vkCmdSetScissor(COMMANDS(gpu), 0, 1, &all);
}

/* ---- Bindings ---- */

static VkPipelineBindPoint bind_point(const CniGpuPipeline *pipeline)
{
    return pipeline->is_compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
}

static void bind_pipeline(CnGpu *gpu, const CniGpuPipeline *pipeline)
{
    API(gpu)->vkCmdBindPipeline(COMMANDS(gpu), bind_point(pipeline), pipeline->vk);
}

static VkDescriptorBufferInfo buffer_info(const CnGpu *gpu, const CniGpuBoundResource *binding,
                                          CnGpuBindingKind kind)
{
    const VkPhysicalDeviceLimits *limits = &gpu->vulkan->properties.limits;
    uint64_t most =
        kind == CN_GPU_BIND_UNIFORM ? limits->maxUniformBufferRange : limits->maxStorageBufferRange;
    return (VkDescriptorBufferInfo){.buffer = cni_gpu_buffer(gpu, binding->buffer)->vk,
                                    .offset = binding->offset,
                                    .range = binding->size < most ? binding->size : most};
}

static VkDescriptorImageInfo image_info(CnGpu *gpu, const CniGpuBoundResource *binding)
{
    CniGpuTexture *texture = cni_gpu_texture(gpu, binding->texture);
    if (binding->kind == CN_GPU_BIND_STORAGE_TEXTURE)
        return (VkDescriptorImageInfo){.imageView =
                                           cni_gpu_vk_storage_view(gpu, texture, binding->mip),
                                       .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    return (VkDescriptorImageInfo){
        .sampler = cni_gpu_sampler(gpu, binding->sampler)->vk,
        .imageView = cni_gpu_vk_sampled_view(gpu, texture, binding->mip, binding->mip_count),
        .imageLayout =
            cni_gpu_vk_layout(CN_GPU_ACCESS_SAMPLE, cn_gpu_format_is_depth(texture->desc.format))};
}

static void bind(CnGpu *gpu, const CniGpuPipeline *pipeline, uint32_t dirty)
{
    static const VkDescriptorType types[] = {
        [CN_GPU_BIND_UNIFORM] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        [CN_GPU_BIND_STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [CN_GPU_BIND_TEXTURE] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        [CN_GPU_BIND_STORAGE_TEXTURE] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
    VkWriteDescriptorSet writes[CN_GPU_MAX_BINDINGS];
    VkDescriptorBufferInfo buffers[CN_GPU_MAX_BINDINGS];
    VkDescriptorImageInfo images[CN_GPU_MAX_BINDINGS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const CniGpuBoundResource *binding = &gpu->commands.bindings[i];
        if (!(dirty & 1u << i))
            continue;
        VkWriteDescriptorSet *write = &writes[count];
        *write = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstBinding = i,
                                        .descriptorCount = 1,
                                        .descriptorType = types[pipeline->bindings[i]]};
        if (binding->kind == CN_GPU_BIND_STORAGE) {
            buffers[count] = buffer_info(gpu, binding, pipeline->bindings[i]);
            write->pBufferInfo = &buffers[count];
        } else {
            images[count] = image_info(gpu, binding);
            write->pImageInfo = &images[count];
        }
        count++;
    }
    if (!gpu->is_lost)
        API(gpu)->vkCmdPushDescriptorSetKHR(COMMANDS(gpu), bind_point(pipeline),
                                            pipeline->vk_layout, 0, count, writes);
}

static void constants(CnGpu *gpu, const void *data, uint32_t bytes)
{
    API(gpu)->vkCmdPushConstants(COMMANDS(gpu), gpu->vulkan->constants,
                                 cni_gpu_vk_constant_range().stageFlags, 0, bytes, data);
}

static void bind_indices(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset,
                         CnGpuFormat format)
{
    API(gpu)->vkCmdBindIndexBuffer(COMMANDS(gpu), buffer->vk, offset,
                                   format == CN_GPU_FORMAT_R16U ? VK_INDEX_TYPE_UINT16
                                                                : VK_INDEX_TYPE_UINT32);
}

/* ---- Draws ---- */

static void draw(CnGpu *gpu, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
                 uint32_t first_instance)
{
    API(gpu)->vkCmdDraw(COMMANDS(gpu), vertices, instances, first_vertex, first_instance);
}

static void draw_indexed(CnGpu *gpu, uint32_t indices, uint32_t instances, uint32_t first_index,
                         int32_t vertex_offset, uint32_t first_instance)
{
    API(gpu)->vkCmdDrawIndexed(COMMANDS(gpu), indices, instances, first_index, vertex_offset,
                               first_instance);
}

static void draw_indirect(CnGpu *gpu, const CniGpuIndirectDraw *draws)
{
    if (draws->count_buffer && draws->indexed)
        API(gpu)->vkCmdDrawIndexedIndirectCount(COMMANDS(gpu), draws->buffer->vk, draws->offset,
                                                draws->count_buffer->vk, draws->count_offset,
                                                draws->count, draws->stride);
    else if (draws->count_buffer)
        API(gpu)->vkCmdDrawIndirectCount(COMMANDS(gpu), draws->buffer->vk, draws->offset,
                                         draws->count_buffer->vk, draws->count_offset, draws->count,
                                         draws->stride);
    else if (draws->indexed)
        API(gpu)->vkCmdDrawIndexedIndirect(COMMANDS(gpu), draws->buffer->vk, draws->offset,
                                           draws->count, draws->stride);
    else
        API(gpu)->vkCmdDrawIndirect(COMMANDS(gpu), draws->buffer->vk, draws->offset, draws->count,
                                    draws->stride);
}

static void dispatch(CnGpu *gpu, uint32_t x, uint32_t y, uint32_t z)
{
    API(gpu)->vkCmdDispatch(COMMANDS(gpu), x, y, z);
}

static void dispatch_indirect(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset)
{
    API(gpu)->vkCmdDispatchIndirect(COMMANDS(gpu), buffer->vk, offset);
}

/* ---- Copies ---- */

static void copy_buffer(CnGpu *gpu, const CniGpuBuffer *from, uint64_t from_offset,
                        const CniGpuBuffer *to, uint64_t to_offset, uint64_t size)
{
    VkBufferCopy region = {.srcOffset = from_offset, .dstOffset = to_offset, .size = size};
    API(gpu)->vkCmdCopyBuffer(COMMANDS(gpu), from->vk, to->vk, 1, &region);
}

static void fill_buffer(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset, uint64_t size,
                        uint32_t value)
{
    API(gpu)->vkCmdFillBuffer(COMMANDS(gpu), buffer->vk, offset, size, value);
}

static VkImageSubresourceLayers layers_of(const CniGpuTexture *texture, uint32_t mip,
                                          uint32_t layer, uint32_t count)
{
    return (VkImageSubresourceLayers){.aspectMask = cn_gpu_format_is_depth(texture->desc.format)
                                                        ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                        : VK_IMAGE_ASPECT_COLOR_BIT,
                                      .mipLevel = mip,
                                      .baseArrayLayer = layer,
                                      .layerCount = count};
}

static VkBufferImageCopy copy_region(const CniGpuTexture *texture, const CnGpuRegion *region)
{
    return (VkBufferImageCopy){
        .bufferOffset = region->offset,
        .imageSubresource = layers_of(texture, region->mip, region->layer, region->layer_count),
        .imageOffset = {(int32_t)region->x, (int32_t)region->y, (int32_t)region->z},
        .imageExtent = {region->width, region->height, region->depth}};
}

static void copy_to_texture(CnGpu *gpu, const CniGpuBuffer *from, const CniGpuTexture *to,
                            const CnGpuRegion *region)
{
    VkBufferImageCopy copy = copy_region(to, region);
    API(gpu)->vkCmdCopyBufferToImage(COMMANDS(gpu), from->vk, to->vk,
                                     VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
}

static void copy_from_texture(CnGpu *gpu, const CniGpuTexture *from, const CniGpuBuffer *to,
                              const CnGpuRegion *region)
{
    VkBufferImageCopy copy = copy_region(from, region);
    API(gpu)->vkCmdCopyImageToBuffer(COMMANDS(gpu), from->vk, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                     to->vk, 1, &copy);
}

static VkOffset3D far_corner(const CniGpuTexture *texture, uint32_t mip)
{
    return (VkOffset3D){(int32_t)cni_gpu_mip_size(texture->desc.width, mip),
                        (int32_t)cni_gpu_mip_size(texture->desc.height, mip),
                        (int32_t)cni_gpu_mip_size(texture->desc.depth, mip)};
}

static void blit(CnGpu *gpu, const CniGpuTexture *from, uint32_t from_mip, const CniGpuTexture *to,
                 uint32_t to_mip, CnGpuFilter filter)
{
    VkImageBlit region = {
        .srcSubresource = layers_of(from, from_mip, 0, from->desc.layers),
        .srcOffsets = {{0, 0, 0}, far_corner(from, from_mip)},
        .dstSubresource = layers_of(to, to_mip, 0, to->desc.layers),
        .dstOffsets = {{0, 0, 0}, far_corner(to, to_mip)},
    };
    API(gpu)->vkCmdBlitImage(COMMANDS(gpu), from->vk, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to->vk,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region,
                             filter == CN_GPU_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST);
}

const CniGpuBackend cni_gpu_vk_backend = {
    .destroy = cni_gpu_vk_destroy,
    .frame_begin = cni_gpu_vk_frame_begin,
    .frame_end = cni_gpu_vk_frame_end,
    .wait = cni_gpu_vk_wait,
    .frame_done = cni_gpu_vk_frame_done,
    .read_timers = cni_gpu_vk_read_timers,
    .window_texture = cni_gpu_vk_window_texture,
    .vsync_changed = cni_gpu_vk_vsync_changed,
    .memory_types = cni_gpu_vk_memory_types,
    .block_bytes = cni_gpu_vk_block_bytes,
    .block_create = cni_gpu_vk_block_create,
    .block_destroy = cni_gpu_vk_block_destroy,
    .heap_memory_request = cni_gpu_vk_heap_memory_request,
    .buffer_memory_requirements = cni_gpu_vk_buffer_memory_requirements,
    .texture_memory_requirements = cni_gpu_vk_texture_memory_requirements,
    .buffer_create = cni_gpu_vk_buffer_create,
    .texture_create = cni_gpu_vk_texture_create,
    .sampler_create = cni_gpu_vk_sampler_create,
    .graphics_create = cni_gpu_vk_graphics_create,
    .compute_create = cni_gpu_vk_compute_create,
    .buffer_destroy = cni_gpu_vk_buffer_destroy,
    .texture_destroy = cni_gpu_vk_texture_destroy,
    .sampler_destroy = cni_gpu_vk_sampler_destroy,
    .pipeline_destroy = cni_gpu_vk_pipeline_destroy,
    .save_pipelines = cni_gpu_vk_save_pipelines,
    .barriers = cni_gpu_vk_barriers,
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
    .timestamp = cni_gpu_vk_timestamp,
};

/* Barriers: converts accesses to stages, access masks and layouts. */
#include "gpu/vulkan/vk_internal.h"

#define SHADERS (VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT)
#define DEPTH_TESTS                                                                                \
    (VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT)
#define STORAGE_READ (VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT)
#define STORAGE_WRITE (VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)

static const struct {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 accesses;
    VkImageLayout layout, depth_layout;
} scopes[CN_GPU_ACCESS_COUNT] = {
    [CN_GPU_ACCESS_NONE] = {VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_NONE, VK_IMAGE_LAYOUT_UNDEFINED,
                            VK_IMAGE_LAYOUT_UNDEFINED},
    [CN_GPU_ACCESS_COLOR] = {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                             VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                             VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_UNDEFINED},
    [CN_GPU_ACCESS_DEPTH] = {DEPTH_TESTS,
                             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                 VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                             VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL},
    [CN_GPU_ACCESS_DEPTH_READ] = {DEPTH_TESTS | SHADERS,
                                  VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                      VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                                  VK_IMAGE_LAYOUT_UNDEFINED,
                                  VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL},
    [CN_GPU_ACCESS_SAMPLE] = {SHADERS, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                              VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                              VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL},
    [CN_GPU_ACCESS_SAMPLE_COMPUTE] = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                      VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                                      VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL},
    [CN_GPU_ACCESS_READ] = {SHADERS, STORAGE_READ, VK_IMAGE_LAYOUT_GENERAL,
                            VK_IMAGE_LAYOUT_GENERAL},
    [CN_GPU_ACCESS_READ_COMPUTE] = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, STORAGE_READ,
                                    VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL},
    [CN_GPU_ACCESS_WRITE] = {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, STORAGE_WRITE,
                             VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL},
    [CN_GPU_ACCESS_WRITE_COMPUTE] = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, STORAGE_WRITE,
                                     VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL},
    [CN_GPU_ACCESS_VERTEX] = {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
                              VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT,
                              VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED},
    [CN_GPU_ACCESS_INDIRECT] = {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                                VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, VK_IMAGE_LAYOUT_UNDEFINED,
                                VK_IMAGE_LAYOUT_UNDEFINED},
    [CN_GPU_ACCESS_COPY_FROM] = {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                 VK_ACCESS_2_TRANSFER_READ_BIT,
                                 VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                 VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
    [CN_GPU_ACCESS_COPY_TO] = {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
    [CN_GPU_ACCESS_PRESENT] = {VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_NONE,
                               VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, VK_IMAGE_LAYOUT_UNDEFINED},
    [CN_GPU_ACCESS_HOST] = {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT,
                            VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED},
};

VkImageLayout cni_gpu_vk_layout(CnGpuAccess access, bool is_depth)
{
    return is_depth ? scopes[access].depth_layout : scopes[access].layout;
}

typedef struct Source {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 accesses;
} Source;

/* What to wait for: execution of accesses that only read; of others, also their memory writes. */
static Source source_of(const CniGpuBarrier *barrier)
{
    Source source = {VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_NONE};
    if (barrier->waits_for_all)
        return (Source){VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT};
    for (uint32_t i = 0; i < CN_GPU_ACCESS_COUNT; i++) {
        if (!(barrier->before & CNI_GPU_ACCESS_BIT(i)))
            continue;
        source.stages |= scopes[i].stages;
        if (cn_gpu_access_writes((CnGpuAccess)i))
            source.accesses |= scopes[i].accesses;
    }
    /* The stage at which the submission waits for the swapchain image. */
    if (barrier->texture && barrier->texture->is_window && barrier->layout == CN_GPU_ACCESS_NONE)
        source.stages |= VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    return source;
}

static VkImageMemoryBarrier2 image_barrier(const CniGpuBarrier *barrier, Source source)
{
    const CniGpuTexture *texture = barrier->texture;
    bool is_depth = cn_gpu_format_is_depth(texture->desc.format);
    return (VkImageMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = source.stages,
        .srcAccessMask = source.accesses,
        .dstStageMask = scopes[barrier->after].stages,
        .dstAccessMask = scopes[barrier->after].accesses,
        .oldLayout = cni_gpu_vk_layout(barrier->layout, is_depth),
        .newLayout = cni_gpu_vk_layout(barrier->after, is_depth),
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = texture->vk,
        .subresourceRange = {.aspectMask =
                                 is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT,
                             .baseMipLevel = barrier->mip,
                             .levelCount = barrier->mip_count,
                             .baseArrayLayer = barrier->layer,
                             .layerCount = barrier->layer_count}};
}

static VkBufferMemoryBarrier2 buffer_barrier(const CniGpuBarrier *barrier, Source source)
{
    return (VkBufferMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                    .srcStageMask = source.stages,
                                    .srcAccessMask = source.accesses,
                                    .dstStageMask = scopes[barrier->after].stages,
                                    .dstAccessMask = scopes[barrier->after].accesses,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .buffer = barrier->buffer->vk,
                                    .size = VK_WHOLE_SIZE};
}

void cni_gpu_vk_barriers(CnGpu *gpu, const CniGpuBarrier *barriers, uint32_t count)
{
    VkImageMemoryBarrier2 images[CNI_GPU_BARRIER_BATCH];
    VkBufferMemoryBarrier2 buffers[CNI_GPU_BARRIER_BATCH];
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .pImageMemoryBarriers = images,
                             .pBufferMemoryBarriers = buffers};
    for (uint32_t i = 0; i < count; i++) {
        Source source = source_of(&barriers[i]);
        if (barriers[i].texture)
            images[info.imageMemoryBarrierCount++] = image_barrier(&barriers[i], source);
        else
            buffers[info.bufferMemoryBarrierCount++] = buffer_barrier(&barriers[i], source);
    }
    gpu->vulkan->api.vkCmdPipelineBarrier2(gpu->vulkan->commands, &info);
}

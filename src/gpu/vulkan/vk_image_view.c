/* Texture views: created on first use, cached, and destroyed with the texture. */
#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/log.h>

typedef struct ViewKey {
    VkImageViewType type;
    uint32_t mip, mip_count, layer, layer_count;
} ViewKey;

static uint64_t key_number(const ViewKey *key)
{
    return (uint64_t)key->type << 56 | (uint64_t)key->mip << 50 | (uint64_t)key->mip_count << 44 |
           (uint64_t)key->layer << 22 | key->layer_count;
}

static VkImageView make_view(CnGpu *gpu, CniGpuTexture *texture, const ViewKey *key)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = texture->vk,
        .viewType = key->type,
        .format = cni_gpu_vk_format(texture->desc.format),
        .subresourceRange = {.aspectMask = cn_gpu_format_is_depth(texture->desc.format)
                                               ? VK_IMAGE_ASPECT_DEPTH_BIT
                                               : VK_IMAGE_ASPECT_COLOR_BIT,
                             .baseMipLevel = key->mip,
                             .levelCount = key->mip_count,
                             .baseArrayLayer = key->layer,
                             .layerCount = key->layer_count}};
    VkImageView view = NULL;
    if (!cn_array_reserve(&texture->views, (uint64_t)texture->views.count + 1) ||
        vulkan->api.vkCreateImageView(vulkan->device, &info, NULL, &view)) {
        CN_LOG_ERROR("gpu", "out of memory for a view of %s", texture->slot.name);
        gpu->is_lost = true; /* commands without their view must not be submitted */
        return NULL;
    }
    CNI_GPU_VK_NAME(gpu, IMAGE_VIEW, view, texture->slot.name);
    texture->views.items[texture->views.count++] =
        (CniGpuImageView){.key = key_number(key), .vk = view};
    return view;
}

static VkImageView find_view(CnGpu *gpu, CniGpuTexture *texture, ViewKey key)
{
    uint64_t number = key_number(&key);
    for (uint32_t i = 0; i < texture->views.count; i++) {
        if (texture->views.items[i].key == number)
            return texture->views.items[i].vk;
    }
    return make_view(gpu, texture, &key);
}

VkImageView cni_gpu_vk_sampled_view(CnGpu *gpu, CniGpuTexture *texture, uint32_t mip,
                                    uint32_t mip_count)
{
    const CnGpuTextureDesc *desc = &texture->desc;
    VkImageViewType type = desc->depth > 1    ? VK_IMAGE_VIEW_TYPE_3D
                           : desc->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                              : VK_IMAGE_VIEW_TYPE_2D;
    if (desc->cube)
        type = desc->layers > 6 ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    return find_view(gpu, texture, (ViewKey){type, mip, mip_count, 0, desc->layers});
}

VkImageView cni_gpu_vk_storage_view(CnGpu *gpu, CniGpuTexture *texture, uint32_t mip)
{
    const CnGpuTextureDesc *desc = &texture->desc;
    VkImageViewType type = desc->depth > 1    ? VK_IMAGE_VIEW_TYPE_3D
                           : desc->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                              : VK_IMAGE_VIEW_TYPE_2D;
    return find_view(gpu, texture, (ViewKey){type, mip, 1, 0, desc->layers});
}

VkImageView cni_gpu_vk_attachment_view(CnGpu *gpu, CniGpuTexture *texture, uint32_t mip,
                                       uint32_t layer, uint32_t layer_count)
{
    VkImageViewType type = layer_count > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    return find_view(gpu, texture, (ViewKey){type, mip, 1, layer, layer_count});
}

/* Buffers, images and samplers, with their memory. */
#include "gpu/vulkan/vk_internal.h"

static VkBufferUsageFlags buffer_usage(uint32_t usage)
{
    VkBufferUsageFlags flags = 0;
    if (usage & CN_GPU_USE_COPY_FROM)
        flags |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    if (usage & CN_GPU_USE_COPY_TO)
        flags |= VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (usage & CN_GPU_USE_STORAGE)
        flags |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (usage & CN_GPU_USE_UNIFORM)
        flags |= VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    if (usage & CN_GPU_USE_VERTEX)
        flags |= VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    if (usage & CN_GPU_USE_INDIRECT)
        flags |= VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    return flags;
}

VkBufferCreateInfo cni_gpu_vk_buffer_info(const CnGpuBufferDesc *desc)
{
    return (VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .size = desc->size,
                                .usage = buffer_usage(desc->usage),
                                .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
}

static VkImageUsageFlags image_usage(const CnGpuTextureDesc *desc)
{
    VkImageUsageFlags flags = 0;
    if (desc->usage & CN_GPU_USE_COPY_FROM)
        flags |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (desc->usage & CN_GPU_USE_COPY_TO)
        flags |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (desc->usage & CN_GPU_USE_STORAGE)
        flags |= VK_IMAGE_USAGE_STORAGE_BIT;
    if (desc->usage & CN_GPU_USE_SAMPLED)
        flags |= VK_IMAGE_USAGE_SAMPLED_BIT;
    if (desc->usage & CN_GPU_USE_ATTACHMENT)
        flags |= cn_gpu_format_is_depth(desc->format) ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                      : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    return flags;
}

VkImageCreateInfo cni_gpu_vk_image_info(const CnGpuTextureDesc *desc)
{
    return (VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .flags = desc->cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                               .imageType = desc->depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
                               .format = cni_gpu_vk_format(desc->format),
                               .extent = {desc->width, desc->height, desc->depth},
                               .mipLevels = desc->mips,
                               .arrayLayers = desc->layers,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .tiling = VK_IMAGE_TILING_OPTIMAL,
                               .usage = image_usage(desc),
                               .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                               .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
}

/* ---- Memory requirements ---- */

/* In heaps, where buffers and textures may be adjacent, they must not share pages. */
static CnGpuMemoryRequirements heap_offset(const CnGpu *gpu, const VkMemoryRequirements *needs)
{
    VkDeviceSize page = gpu->vulkan->properties.limits.bufferImageGranularity;
    VkDeviceSize alignment = needs->alignment > page ? needs->alignment : page;
    return (CnGpuMemoryRequirements){.size = (needs->size + alignment - 1) / alignment * alignment,
                                     .alignment = alignment};
}

bool cni_gpu_vk_buffer_memory_requirements(CnGpu *gpu, const CnGpuBufferDesc *desc,
                                           CnGpuMemoryRequirements *need)
{
    VkBufferCreateInfo info = cni_gpu_vk_buffer_info(desc);
    VkDeviceBufferMemoryRequirements asked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    gpu->vulkan->api.vkGetDeviceBufferMemoryRequirements(gpu->vulkan->device, &asked, &needs);
    *need = heap_offset(gpu, &needs.memoryRequirements);
    return true;
}

static bool supports(const CnGpu *gpu, const VkImageCreateInfo *info)
{
    VkImageFormatProperties properties;
    return gpu->vulkan->instance.GetPhysicalDeviceImageFormatProperties(
               gpu->vulkan->physical, info->format, info->imageType, info->tiling, info->usage,
               info->flags, &properties) == VK_SUCCESS &&
           info->extent.width <= properties.maxExtent.width &&
           info->extent.height <= properties.maxExtent.height &&
           info->extent.depth <= properties.maxExtent.depth &&
           info->mipLevels <= properties.maxMipLevels &&
           info->arrayLayers <= properties.maxArrayLayers;
}

bool cni_gpu_vk_texture_memory_requirements(CnGpu *gpu, const CnGpuTextureDesc *desc,
                                            CnGpuMemoryRequirements *need)
{
    VkImageCreateInfo info = cni_gpu_vk_image_info(desc);
    if (!supports(gpu, &info))
        return false;
    VkDeviceImageMemoryRequirements asked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    gpu->vulkan->api.vkGetDeviceImageMemoryRequirements(gpu->vulkan->device, &asked, &needs);
    *need = heap_offset(gpu, &needs.memoryRequirements);
    return true;
}

static CniGpuMemoryRequest own_request(const VkMemoryRequirements2 *needs,
                                       const VkMemoryDedicatedRequirements *dedicated)
{
    return (CniGpuMemoryRequest){.size = needs->memoryRequirements.size,
                                 .alignment = needs->memoryRequirements.alignment,
                                 .types = needs->memoryRequirements.memoryTypeBits,
                                 .whole = dedicated->requiresDedicatedAllocation ||
                                          dedicated->prefersDedicatedAllocation};
}

static bool fits_heap(const CnGpu *gpu, const CniGpuHeap *heap, uint32_t types, const char *name,
                      CnError *error)
{
    if (types & 1u << cni_gpu_memory_block(gpu, &heap->memory)->type)
        return true;
    return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                        "%s cannot be placed in the heap %s on this GPU", name, heap->slot.name);
}

typedef struct Requirements {
    VkMemoryDedicatedRequirements dedicated;
    VkMemoryRequirements2 needs;
} Requirements;

static void requirements_init(Requirements *requirements)
{
    *requirements =
        (Requirements){.dedicated = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS},
                       .needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
                                 .pNext = &requirements->dedicated}};
}

/* Finds the memory of a resource: in the heap at *offset, or its own, which is allocated. `wanted`
 * has what the requirements do not tell. Returns NULL and an error if there is none. */
static const CniGpuMemoryBlock *find_memory(CnGpu *gpu, const Requirements *requirements,
                                            const CniGpuMemoryRequest *wanted,
                                            const CniGpuHeap *heap, const char *name,
                                            CniGpuAllocation *own, uint64_t *offset, CnError *error)
{
    const VkMemoryRequirements2 *needs = &requirements->needs;
    if (heap)
        return fits_heap(gpu, heap, needs->memoryRequirements.memoryTypeBits, name, error)
                   ? cni_gpu_memory_block(gpu, &heap->memory)
                   : NULL;
    CniGpuMemoryRequest request = own_request(needs, &requirements->dedicated);
    request.memory = wanted->memory;
    request.tiling = wanted->tiling;
    request.vk_buffer = wanted->vk_buffer;
    request.vk_image = wanted->vk_image;
    if (!cni_gpu_memory_alloc(gpu, &request, name, own, error))
        return NULL;
    *offset = own->offset;
    return cni_gpu_memory_block(gpu, own);
}

/* ---- Buffers ---- */

static bool buffer_memory(CnGpu *gpu, CniGpuBuffer *buffer, const CniGpuHeap *heap, uint64_t offset,
                          CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    Requirements requirements;
    requirements_init(&requirements);
    VkBufferMemoryRequirementsInfo2 asked = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2, .buffer = buffer->vk};
    vulkan->api.vkGetBufferMemoryRequirements2(vulkan->device, &asked, &requirements.needs);
    CniGpuMemoryRequest wanted = {
        .memory = buffer->desc.memory, .tiling = CNI_GPU_TILING_LINEAR, .vk_buffer = buffer->vk};
    const CniGpuMemoryBlock *block = find_memory(
        gpu, &requirements, &wanted, heap, buffer->slot.name, &buffer->memory, &offset, error);
    if (!block)
        return false;
    VkResult result = vulkan->api.vkBindBufferMemory(vulkan->device, buffer->vk, block->vk, offset);
    if (result) {
        cni_gpu_memory_free(gpu, &buffer->memory);
        return cni_gpu_vk_error(gpu, result, buffer->slot.name, error);
    }
    if (block->mapped)
        buffer->mapped = block->mapped + offset;
    return true;
}

bool cni_gpu_vk_buffer_create(CnGpu *gpu, CniGpuBuffer *buffer, const CniGpuHeap *heap,
                              uint64_t offset, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkBufferCreateInfo info = cni_gpu_vk_buffer_info(&buffer->desc);
    VkResult result = vulkan->api.vkCreateBuffer(vulkan->device, &info, NULL, &buffer->vk);
    if (result)
        return cni_gpu_vk_error(gpu, result, buffer->slot.name, error);
    CNI_GPU_VK_NAME(gpu, BUFFER, buffer->vk, buffer->slot.name);
    if (!buffer_memory(gpu, buffer, heap, offset, error)) {
        cni_gpu_vk_buffer_destroy(gpu, buffer);
        return false;
    }
    if (buffer->desc.usage & CN_GPU_USE_STORAGE) {
        VkBufferDeviceAddressInfo asked = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                           .buffer = buffer->vk};
        buffer->address = vulkan->api.vkGetBufferDeviceAddress(vulkan->device, &asked);
    }
    return true;
}

void cni_gpu_vk_buffer_destroy(CnGpu *gpu, CniGpuBuffer *buffer)
{
    gpu->vulkan->api.vkDestroyBuffer(gpu->vulkan->device, buffer->vk, NULL);
}

/* ---- Textures ---- */

static bool texture_memory(CnGpu *gpu, CniGpuTexture *texture, const CniGpuHeap *heap,
                           uint64_t offset, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    Requirements requirements;
    requirements_init(&requirements);
    VkImageMemoryRequirementsInfo2 asked = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, .image = texture->vk};
    vulkan->api.vkGetImageMemoryRequirements2(vulkan->device, &asked, &requirements.needs);
    CniGpuMemoryRequest wanted = {.tiling = CNI_GPU_TILING_OPTIMAL, .vk_image = texture->vk};
    const CniGpuMemoryBlock *block = find_memory(
        gpu, &requirements, &wanted, heap, texture->slot.name, &texture->memory, &offset, error);
    if (!block)
        return false;
    VkResult result = vulkan->api.vkBindImageMemory(vulkan->device, texture->vk, block->vk, offset);
    if (result) {
        cni_gpu_memory_free(gpu, &texture->memory);
        return cni_gpu_vk_error(gpu, result, texture->slot.name, error);
    }
    return true;
}

bool cni_gpu_vk_texture_create(CnGpu *gpu, CniGpuTexture *texture, const CniGpuHeap *heap,
                               uint64_t offset, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkImageCreateInfo info = cni_gpu_vk_image_info(&texture->desc);
    if (!supports(gpu, &info))
        return cn_error_set(
            error, CN_ERROR_UNSUPPORTED,
            "the GPU does not support the texture %s: %s, usages %x, %u x %u x %u, %u layers",
            texture->slot.name, cn_gpu_format_name(texture->desc.format),
            (unsigned)texture->desc.usage, texture->desc.width, texture->desc.height,
            texture->desc.depth, texture->desc.layers);
    /* Views are created while commands are recorded; reserving here avoids heap calls in those
     * frames. */
    if (!cn_array_reserve(&texture->views, 1))
        return cn_error_memory(error, "%s", texture->slot.name);
    VkResult result = vulkan->api.vkCreateImage(vulkan->device, &info, NULL, &texture->vk);
    if (result)
        return cni_gpu_vk_error(gpu, result, texture->slot.name, error);
    CNI_GPU_VK_NAME(gpu, IMAGE, texture->vk, texture->slot.name);
    if (texture_memory(gpu, texture, heap, offset, error))
        return true;
    cni_gpu_vk_texture_destroy(gpu, texture);
    return false;
}

void cni_gpu_vk_texture_destroy(CnGpu *gpu, CniGpuTexture *texture)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    for (uint32_t i = 0; i < texture->views.count; i++)
        vulkan->api.vkDestroyImageView(vulkan->device, texture->views.items[i].vk, NULL);
    if (!texture->is_window)
        vulkan->api.vkDestroyImage(vulkan->device, texture->vk, NULL);
}

/* ---- Samplers ---- */

bool cni_gpu_vk_sampler_create(CnGpu *gpu, CniGpuSampler *sampler, CnError *error)
{
    static const VkSamplerAddressMode modes[] = {
        [CN_GPU_REPEAT] = VK_SAMPLER_ADDRESS_MODE_REPEAT,
        [CN_GPU_CLAMP] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        [CN_GPU_BORDER] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        [CN_GPU_MIRROR] = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT};
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    const CnGpuSamplerDesc *desc = &sampler->desc;
    static const VkFilter filters[] = {
        [CN_GPU_NEAREST] = VK_FILTER_NEAREST, [CN_GPU_LINEAR] = VK_FILTER_LINEAR};
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = filters[desc->magnify_filter],
                                .minFilter = filters[desc->filter],
                                .mipmapMode = desc->mip_filter == CN_GPU_LINEAR
                                                  ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                  : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                .addressModeU = modes[desc->wrap],
                                .addressModeV = modes[desc->wrap_v],
                                .addressModeW = modes[desc->wrap],
                                .anisotropyEnable = desc->anisotropy > 1.0f,
                                .maxAnisotropy = desc->anisotropy,
                                .compareEnable = desc->compare != CN_GPU_COMPARE_NONE,
                                .compareOp = cni_gpu_vk_compare(desc->compare),
                                .maxLod = VK_LOD_CLAMP_NONE,
                                .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
    VkResult result = vulkan->api.vkCreateSampler(vulkan->device, &info, NULL, &sampler->vk);
    if (result)
        return cni_gpu_vk_error(gpu, result, "a sampler", error);
    CNI_GPU_VK_NAME(gpu, SAMPLER, sampler->vk, sampler->slot.name);
    return true;
}

void cni_gpu_vk_sampler_destroy(CnGpu *gpu, CniGpuSampler *sampler)
{
    gpu->vulkan->api.vkDestroySampler(gpu->vulkan->device, sampler->vk, NULL);
}

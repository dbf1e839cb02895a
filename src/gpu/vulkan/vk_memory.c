/* Blocks of device memory, and the choice of memory types. */
#include "gpu/vulkan/vk_internal.h"

#define BLOCK_BYTES (64ull << 20)

/* Requested flags, in order of preference. Mapped memory is always coherent, so that it need not
 * be flushed; Vulkan guarantees such a type. */
static const VkMemoryPropertyFlags preferences[][2] = {
    [CN_GPU_MEMORY_DEVICE] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0},
    [CN_GPU_MEMORY_UPLOAD] = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                              VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT},
    [CN_GPU_MEMORY_READBACK] = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                    VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                    VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                                VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                    VK_MEMORY_PROPERTY_HOST_COHERENT_BIT},
};

uint32_t cni_gpu_vk_memory_types(const CnGpu *gpu, const CniGpuMemoryRequest *need,
                                 uint32_t types[32])
{
    /* Protected, lazily allocated and similar types must be requested explicitly. */
    const VkMemoryPropertyFlags usual =
        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
        VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    const VkPhysicalDeviceMemoryProperties *memory = &gpu->vulkan->memory;
    uint32_t count = 0, taken = 0;
    for (uint32_t w = 0; w < 2; w++) {
        VkMemoryPropertyFlags requested = preferences[need->memory][w];
        for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
            VkMemoryPropertyFlags flags = memory->memoryTypes[i].propertyFlags;
            if ((need->types & ~taken & 1u << i) && (flags & requested) == requested &&
                !(flags & ~usual)) {
                taken |= 1u << i;
                types[count++] = i;
            }
        }
    }
    return count;
}

uint64_t cni_gpu_vk_block_bytes(const CnGpu *gpu, uint32_t type)
{
    const VkPhysicalDeviceMemoryProperties *memory = &gpu->vulkan->memory;
    uint64_t heap = memory->memoryHeaps[memory->memoryTypes[type].heapIndex].size;
    uint64_t bytes = BLOCK_BYTES;
    while (bytes > (1u << 20) && bytes > heap / 16)
        bytes /= 2;
    return bytes;
}

bool cni_gpu_vk_block_create(CnGpu *gpu, CniGpuMemoryBlock *block, const CniGpuMemoryRequest *need)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkMemoryDedicatedAllocateInfo dedicated = {.sType =
                                                   VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                               .image = need->vk_image,
                                               .buffer = need->vk_buffer};
    bool is_dedicated = need->whole && (need->vk_image || need->vk_buffer);
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .pNext = is_dedicated ? &dedicated : NULL,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &flags,
                                 .allocationSize = block->size,
                                 .memoryTypeIndex = block->type};
    if (need->tiling == CNI_GPU_TILING_OPTIMAL)
        flags.flags = 0;
    if (vulkan->api.vkAllocateMemory(vulkan->device, &info, NULL, &block->vk))
        return false;
    CNI_GPU_VK_NAME(gpu, DEVICE_MEMORY, block->vk, need->whole ? "dedicated block" : "block");
    if (need->memory == CN_GPU_MEMORY_DEVICE)
        return true;
    void *mapped;
    if (vulkan->api.vkMapMemory(vulkan->device, block->vk, 0, VK_WHOLE_SIZE, 0, &mapped)) {
        vulkan->api.vkFreeMemory(vulkan->device, block->vk, NULL);
        return false;
    }
    block->mapped = mapped;
    return true;
}

void cni_gpu_vk_block_destroy(CnGpu *gpu, CniGpuMemoryBlock *block)
{
    gpu->vulkan->api.vkFreeMemory(gpu->vulkan->device, block->vk, NULL);
}

/* ---- Heaps ---- */

CniGpuMemoryRequest cni_gpu_vk_heap_memory_request(CnGpu *gpu, uint64_t size)
{
    return (CniGpuMemoryRequest){
        .size = size, .alignment = 1, .types = gpu->vulkan->heap_types, .whole = true};
}

/* Drivers do not report what all resources have in common; a few that differ most represent
 * them. */
bool cni_gpu_vk_find_heap_types(CnGpu *gpu, CnError *error)
{
    static const CnGpuTextureDesc textures[] = {
        {.format = CN_GPU_FORMAT_RGBA16F,
         .width = 64,
         .height = 64,
         .depth = 1,
         .layers = 1,
         .mips = 1,
         .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED | CN_GPU_USE_STORAGE},
        {.format = CN_GPU_FORMAT_D32F,
         .width = 64,
         .height = 64,
         .depth = 1,
         .layers = 1,
         .mips = 1,
         .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED},
    };
    static const CnGpuBufferDesc buffer = {.size = 256,
                                           .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_INDIRECT};
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vulkan->heap_types = UINT32_MAX;
    for (uint32_t i = 0; i < CN_COUNT_OF(textures); i++) {
        VkImageCreateInfo image = cni_gpu_vk_image_info(&textures[i]);
        VkDeviceImageMemoryRequirements asked = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, .pCreateInfo = &image};
        vulkan->api.vkGetDeviceImageMemoryRequirements(vulkan->device, &asked, &needs);
        vulkan->heap_types &= needs.memoryRequirements.memoryTypeBits;
    }
    VkBufferCreateInfo info = cni_gpu_vk_buffer_info(&buffer);
    VkDeviceBufferMemoryRequirements asked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
    vulkan->api.vkGetDeviceBufferMemoryRequirements(vulkan->device, &asked, &needs);
    vulkan->heap_types &= needs.memoryRequirements.memoryTypeBits;
    if (!vulkan->heap_types)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "the GPU has no memory that all resources can share");
    return true;
}

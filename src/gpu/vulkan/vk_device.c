/* Creation of the Vulkan device, from the instance to the first frame. */
#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/log.h>

static bool make_surface(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    if (!gpu->window.size)
        return true;
    uint64_t surface = gpu->window.create_surface(vulkan->instance.vk, gpu->window.user);
    vulkan->swapchain.surface = (VkSurfaceKHR)(uintptr_t)surface;
    if (!surface)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the window has no Vulkan surface");
    return true;
}

static bool choose_device(CnGpu *gpu, const char *requested, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkCandidate candidates[CNI_GPU_VK_MAX_DEVICES];
    uint32_t count = 0, chosen = 0;
    if (!cni_gpu_vk_enumerate_devices(&vulkan->instance, vulkan->swapchain.surface, candidates,
                                      &count, error) ||
        !cni_gpu_vk_select_device(candidates, count, requested, &chosen, error))
        return false;
    vulkan->physical = candidates[chosen].vk;
    vulkan->family = candidates[chosen].family;
    gpu->info = candidates[chosen].info;
    gpu->info.validation = vulkan->instance.has_validation;
    VkPhysicalDeviceProperties2 properties = {.sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    vulkan->instance.GetPhysicalDeviceProperties2(vulkan->physical, &properties);
    vulkan->properties = properties.properties;
    vulkan->instance.GetPhysicalDeviceMemoryProperties(vulkan->physical, &vulkan->memory);
    return true;
}

static bool make_device(CnGpu *gpu, CnError *error)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                             VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkFeatures features;
    cni_gpu_vk_enabled_features(&vulkan->instance, vulkan->physical, &features);
    gpu->info.indirect_count = features.v12.drawIndirectCount;
    gpu->info.atomics_64 =
        features.base.features.shaderInt64 && features.v12.shaderBufferInt64Atomics;
    gpu->info.max_anisotropy = features.base.features.samplerAnisotropy
                                   ? vulkan->properties.limits.maxSamplerAnisotropy
                                   : 1.0f;
    gpu->info.max_storage_bytes = vulkan->properties.limits.maxStorageBufferRange;
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = vulkan->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features.base,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = gpu->window.size ? 2 : 1,
                               .ppEnabledExtensionNames = extensions};
    VkResult result = vulkan->instance.CreateDevice(vulkan->physical, &info, NULL, &vulkan->device);
    if (result) {
        vulkan->device = NULL;
        return cni_gpu_vk_error(gpu, result, gpu->info.name, error);
    }
    if (!cni_gpu_vk_load_device(&vulkan->instance, vulkan->device, &vulkan->api))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "%s lacks functions that it advertises",
                            gpu->info.name);
    vulkan->api.vkGetDeviceQueue(vulkan->device, vulkan->family, 0, &vulkan->queue);
    CNI_GPU_VK_NAME(gpu, DEVICE, vulkan->device, gpu->info.name);
    CNI_GPU_VK_NAME(gpu, QUEUE, vulkan->queue, "queue");
    return true;
}

static bool make_constants(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkPushConstantRange range = cni_gpu_vk_constant_range();
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
    VkResult result =
        vulkan->api.vkCreatePipelineLayout(vulkan->device, &info, NULL, &vulkan->constants);
    if (result)
        return cni_gpu_vk_error(gpu, result, "a layout", error);
    CNI_GPU_VK_NAME(gpu, PIPELINE_LAYOUT, vulkan->constants, "constants");
    return true;
}

bool cni_gpu_vulkan_create(CnGpu *gpu, const CnGpuDesc *desc, CnError *error)
{
    gpu->vulkan = cn_alloc_zeroed(gpu->allocator, sizeof *gpu->vulkan);
    if (!gpu->vulkan)
        return cn_error_memory(error, "a GPU");
    if (!cni_gpu_vk_instance_create(&gpu->vulkan->instance, gpu, desc, error) ||
        !make_surface(gpu, error) || !choose_device(gpu, desc->device, error) ||
        !make_device(gpu, error) || !make_constants(gpu, error) ||
        !cni_gpu_vk_frames_create(gpu, error) || !cni_gpu_vk_cache_create(gpu, error) ||
        !cni_gpu_vk_find_heap_types(gpu, error)) {
        cni_gpu_vk_destroy(gpu);
        return false;
    }
    gpu->backend = &cni_gpu_vk_backend;
    CN_LOG_INFO("gpu", "%s, %s%s", gpu->info.name, gpu->info.driver,
                gpu->info.validation ? ", validated" : "");
    return true;
}

void cni_gpu_vk_destroy(CnGpu *gpu)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    if (vulkan->device && vulkan->api.vkDestroyDevice) {
        vulkan->api.vkDeviceWaitIdle(vulkan->device);
        cni_gpu_vk_swapchain_destroy(gpu);
        cni_gpu_vk_frames_destroy(gpu);
        vulkan->api.vkDestroyPipelineLayout(vulkan->device, vulkan->constants, NULL);
        vulkan->api.vkDestroyPipelineCache(vulkan->device, vulkan->cache, NULL);
        vulkan->api.vkDestroyDevice(vulkan->device, NULL);
    }
    if (vulkan->swapchain.surface)
        vulkan->instance.DestroySurfaceKHR(vulkan->instance.vk, vulkan->swapchain.surface, NULL);
    cni_gpu_vk_instance_destroy(&vulkan->instance);
    cn_free(gpu->allocator, vulkan, sizeof *vulkan);
    gpu->vulkan = NULL;
}

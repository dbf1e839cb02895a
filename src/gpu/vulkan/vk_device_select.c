/* Selection of a device. */
#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/text.h>

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

static CnGpuKind kind_of(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return CN_GPU_KIND_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return CN_GPU_KIND_CPU;
    default:
        return CN_GPU_KIND_INTEGRATED;
    }
}

static uint64_t device_memory(const CniGpuVkInstance *instance, VkPhysicalDevice device)
{
    VkPhysicalDeviceMemoryProperties memory;
    instance->GetPhysicalDeviceMemoryProperties(device, &memory);
    uint64_t largest = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
        bool is_device = memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
        if (is_device && memory.memoryHeaps[i].size > largest)
            largest = memory.memoryHeaps[i].size;
    }
    return largest;
}

static bool find_family(const CniGpuVkInstance *instance, VkPhysicalDevice device,
                        VkSurfaceKHR surface, uint32_t *family, bool *has_timestamps)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = CN_COUNT_OF(families);
    instance->GetPhysicalDeviceQueueFamilyProperties(device, &count, families);
    const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (uint32_t i = 0; i < count; i++) {
        VkBool32 presents = VK_TRUE;
        if (surface)
            instance->GetPhysicalDeviceSurfaceSupportKHR(device, i, surface, &presents);
        if ((families[i].queueFlags & wanted) == wanted && presents) {
            *family = i;
            *has_timestamps = families[i].timestampValidBits > 0;
            return true;
        }
    }
    return false;
}

static void inspect(const CniGpuVkInstance *instance, VkSurfaceKHR surface,
                    CniGpuVkCandidate *candidate)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &driver};
    instance->GetPhysicalDeviceProperties2(candidate->vk, &all);
    const VkPhysicalDeviceProperties *properties = &all.properties;
    bool has_timestamps = false;
    if (properties->apiVersion < VK_API_VERSION_1_3)
        cn_copy_text(candidate->missing, sizeof candidate->missing, cn_text("Vulkan 1.3"));
    else if (!find_family(instance, candidate->vk, surface, &candidate->family, &has_timestamps))
        cn_copy_text(
            candidate->missing, sizeof candidate->missing,
            cn_text(surface ? "a graphics queue that presents to the window" : "a graphics queue"));
    else
        cn_copy_text(candidate->missing, sizeof candidate->missing,
                     cn_text(cni_gpu_vk_missing_feature(instance, candidate->vk)));
    CnGpuInfo *info = &candidate->info;
    cn_copy_text(info->name, sizeof info->name, cn_text(properties->deviceName));
    cn_format(info->driver, sizeof info->driver, "%s %s", driver.driverName, driver.driverInfo);
    info->kind = kind_of(properties->deviceType);
    info->memory_bytes = device_memory(instance, candidate->vk);
    info->max_texture_size = properties->limits.maxImageDimension2D;
    info->timestamp_ns = has_timestamps ? properties->limits.timestampPeriod : 0.0f;
    VkDeviceSize uniform = properties->limits.minUniformBufferOffsetAlignment;
    VkDeviceSize storage = properties->limits.minStorageBufferOffsetAlignment;
    info->bind_alignment = (uint32_t)(uniform > storage ? uniform : storage);
    if (info->bind_alignment < 16)
        info->bind_alignment = 16; /* the largest texel of all formats */
}

bool cni_gpu_vk_enumerate_devices(const CniGpuVkInstance *instance, VkSurfaceKHR surface,
                                  CniGpuVkCandidate candidates[CNI_GPU_VK_MAX_DEVICES],
                                  uint32_t *count, CnError *error)
{
    VkPhysicalDevice devices[CNI_GPU_VK_MAX_DEVICES];
    *count = CNI_GPU_VK_MAX_DEVICES;
    VkResult result = instance->EnumeratePhysicalDevices(instance->vk, count, devices);
    if (result < 0) {
        *count = 0;
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "Vulkan finds no devices: %s (%d)",
                            cni_gpu_vk_result_name(result), (int)result);
    }
    for (uint32_t i = 0; i < *count; i++) {
        candidates[i] = (CniGpuVkCandidate){.vk = devices[i]};
        inspect(instance, surface, &candidates[i]);
    }
    return true;
}

/* "0: llvmpipe; 1: other, lacks Vulkan 1.3" */
static bool set_error(const CniGpuVkCandidate *candidates, uint32_t count, const char *why,
                      CnError *error)
{
    char list[CN_ERROR_MESSAGE_BYTES];
    size_t used = 0;
    list[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        const CniGpuVkCandidate *one = &candidates[i];
        cn_format(list + used, sizeof list - used, "%s%u: %s%s%s", i ? "; " : "", i, one->info.name,
                  one->missing[0] ? ", lacks " : "", one->missing);
        used += strlen(list + used);
    }
    return cn_error_set(error, CN_ERROR_NOT_FOUND, "%s; available: %s", why,
                        count ? list : "no Vulkan devices");
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++) {
        if (!strncasecmp(text, part, length))
            return true;
    }
    return false;
}

static bool is_number(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (!isdigit((unsigned char)*c))
            return false;
    }
    return text[0] && strlen(text) < 4;
}

/* Returns whether the user or program selects this device. */
static bool is_meant(const CniGpuVkCandidate *candidate, uint32_t index, const char *requested)
{
    if (!requested || !requested[0])
        return true;
    if (is_number(requested))
        return (uint32_t)atoi(requested) == index;
    return contains(candidate->info.name, requested);
}

bool cni_gpu_vk_select_device(const CniGpuVkCandidate *candidates, uint32_t count,
                              const char *requested, uint32_t *chosen, CnError *error)
{
    bool found = false, any_meant = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_meant(&candidates[i], i, requested))
            continue;
        any_meant = true;
        if (candidates[i].missing[0] ||
            (found && candidates[*chosen].info.kind <= candidates[i].info.kind))
            continue;
        *chosen = i;
        found = true;
    }
    if (found)
        return true;
    char why[160];
    if (requested && requested[0])
        cn_format(why, sizeof why,
                  any_meant ? "the GPU '%s' cannot be used" : "there is no GPU '%s'", requested);
    else
        cn_copy_text(why, sizeof why, cn_text("no GPU can be used"));
    return set_error(candidates, count, why, error);
}

bool cni_gpu_vulkan_list(void (*visit)(const CnGpuInfo *info, void *user), void *user,
                         CnError *error)
{
    CniGpuVkInstance instance;
    CniGpuVkCandidate candidates[CNI_GPU_VK_MAX_DEVICES];
    uint32_t count = 0;
    if (!cni_gpu_vk_instance_create(&instance, NULL, &(CnGpuDesc){.name = "cairn"}, error))
        return false;
    bool ok = cni_gpu_vk_enumerate_devices(&instance, NULL, candidates, &count, error);
    for (uint32_t i = 0; i < count; i++)
        visit(&candidates[i].info, user);
    cni_gpu_vk_instance_destroy(&instance);
    return ok;
}

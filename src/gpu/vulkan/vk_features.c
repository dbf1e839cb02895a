/* Features that a device must have, and optional ones that are used where available. */
#include "gpu/vulkan/vk_internal.h"

#include <string.h>

/* X(structure, feature) */
#define REQUIRED(X)                                                                                \
    X(base.features, multiDrawIndirect)                                                            \
    X(base.features, drawIndirectFirstInstance)                                                    \
    X(base.features, independentBlend)                                                             \
    X(base.features, depthClamp)                                                                   \
    X(base.features, imageCubeArray)                                                               \
    X(v12, timelineSemaphore)                                                                      \
    X(v12, bufferDeviceAddress)                                                                    \
    X(v13, maintenance4)                                                                           \
    X(v13, dynamicRendering)                                                                       \
    X(v13, synchronization2)

#define OPTIONAL(X)                                                                                \
    X(base.features, samplerAnisotropy)                                                            \
    X(base.features, vertexPipelineStoresAndAtomics)                                               \
    X(base.features, fragmentStoresAndAtomics)                                                     \
    X(base.features, shaderStorageImageExtendedFormats)                                            \
    X(base.features, shaderStorageImageReadWithoutFormat)                                          \
    X(base.features, shaderStorageImageWriteWithoutFormat)                                         \
    X(base.features, shaderInt64)                                                                  \
    X(v12, drawIndirectCount)                                                                      \
    X(v12, shaderBufferInt64Atomics)                                                               \
    X(v12, scalarBlockLayout)                                                                      \
    X(v12, shaderOutputLayer)

static void chain(CniGpuVkFeatures *features)
{
    *features = (CniGpuVkFeatures){
        .base = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features->v12},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                .pNext = &features->v13},
        .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES}};
}

static bool has_push_descriptors(const CniGpuVkInstance *instance, VkPhysicalDevice device)
{
    VkExtensionProperties extensions[512];
    uint32_t count = CN_COUNT_OF(extensions);
    if (instance->EnumerateDeviceExtensionProperties(device, NULL, &count, extensions) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(extensions[i].extensionName, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
            return true;
    }
    return false;
}

const char *cni_gpu_vk_missing_feature(const CniGpuVkInstance *instance, VkPhysicalDevice device)
{
    CniGpuVkFeatures have;
    chain(&have);
    instance->GetPhysicalDeviceFeatures2(device, &have.base);
#define CHECK(part, feature)                                                                       \
    if (!have.part.feature)                                                                        \
        return #feature;
    REQUIRED(CHECK)
#undef CHECK
    return has_push_descriptors(instance, device) ? NULL : VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
}

void cni_gpu_vk_enabled_features(const CniGpuVkInstance *instance, VkPhysicalDevice device,
                                 CniGpuVkFeatures *features)
{
    CniGpuVkFeatures have;
    chain(&have);
    instance->GetPhysicalDeviceFeatures2(device, &have.base);
    chain(features);
#define TAKE(part, feature) features->part.feature = have.part.feature;
    REQUIRED(TAKE)
    OPTIONAL(TAKE)
#undef TAKE
}

/* The pipeline cache between runs. Drivers validate little of its data, so it comes from a CnCache,
 * which returns only what a process of this user has written. */
#include "gpu/pipeline_cache.h"
#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#include <string.h>

#define ENTRY_NAME "pipelines"
#define MAX_BYTES (256u << 20)

static CniGpuPipelineCacheId id_of(const CnGpu *gpu)
{
    const VkPhysicalDeviceProperties *properties = &gpu->vulkan->properties;
    CniGpuPipelineCacheId id = {.vendor = properties->vendorID,
                                .device = properties->deviceID,
                                .driver = properties->driverVersion};
    _Static_assert(sizeof id.uuid == VK_UUID_SIZE, "the UUID of a pipeline cache has 16 bytes");
    memcpy(id.uuid, properties->pipelineCacheUUID, VK_UUID_SIZE);
    return id;
}

bool cni_gpu_vk_cache_create(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CnFileBytes file = {0};
    size_t size = 0;
    const uint8_t *bytes = NULL;
    if (gpu->cache && cn_cache_read(gpu->cache, ENTRY_NAME, gpu->allocator, &file)) {
        CniGpuPipelineCacheId id = id_of(gpu);
        bytes = cni_gpu_pipeline_cache_find_data(&id, file.data, file.size, &size);
        if (bytes)
            vulkan->cache_hash = cn_hash_bytes(bytes, size, 0);
        else
            CN_LOG_INFO("gpu", "the cached pipelines belong to another device or driver");
    }
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                      .initialDataSize = size,
                                      .pInitialData = bytes};
    VkResult result =
        vulkan->api.vkCreatePipelineCache(vulkan->device, &info, NULL, &vulkan->cache);
    cn_file_bytes_free(&file);
    if (result)
        return cni_gpu_vk_error(gpu, result, "a pipeline cache", error);
    CNI_GPU_VK_NAME(gpu, PIPELINE_CACHE, vulkan->cache, "pipelines");
    return true;
}

static bool write_cache(CnGpu *gpu, uint8_t *file, size_t size, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuPipelineCacheId id = id_of(gpu);
    CniGpuPipelineCacheHeader header;
    uint8_t *bytes = file + sizeof header;
    VkResult result =
        vulkan->api.vkGetPipelineCacheData(vulkan->device, vulkan->cache, &size, bytes);
    if (result)
        return cni_gpu_vk_error(gpu, result, "a copy of the pipeline cache", error);
    uint64_t hash = cn_hash_bytes(bytes, size, 0);
    if (hash == vulkan->cache_hash)
        return true;
    header = cni_gpu_pipeline_cache_header(&id, size);
    memcpy(file, &header, sizeof header);
    if (!cn_cache_write(gpu->cache, ENTRY_NAME, file, sizeof header + size, error))
        return false;
    vulkan->cache_hash = hash;
    return true;
}

bool cni_gpu_vk_save_pipelines(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    size_t size = 0;
    VkResult result =
        vulkan->api.vkGetPipelineCacheData(vulkan->device, vulkan->cache, &size, NULL);
    if (result)
        return cni_gpu_vk_error(gpu, result, "a copy of the pipeline cache", error);
    if (size > MAX_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "the pipeline cache is larger than 256 MiB");
    size_t bytes = sizeof(CniGpuPipelineCacheHeader) + size;
    uint8_t *file = cn_alloc(gpu->allocator, bytes);
    if (!file)
        return cn_error_memory(error, "the pipeline cache");
    bool ok = write_cache(gpu, file, size, error);
    cn_free(gpu->allocator, file, bytes);
    return ok;
}

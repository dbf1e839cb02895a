/*
 * The pipeline cache in a file: our header, then the data of the driver. Drivers validate little of
 * it, so the header identifies the device and driver and contains a hash of the data; a file that
 * does not match is ignored.
 */
#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#include <string.h>

#define MAGIC 0x43504e43u /* "CNPC" */
#define VERSION 1u
#define MAX_BYTES (256u << 20)

typedef struct CacheHeader {
    uint32_t magic, version;
    uint32_t vendor, device, driver;
    uint8_t uuid[VK_UUID_SIZE];
    uint32_t padding;
    uint64_t size, hash; /* of the data that follows */
} CacheHeader;

static CacheHeader header_of(const CnGpu *gpu, const void *bytes, size_t size)
{
    const VkPhysicalDeviceProperties *properties = &gpu->vulkan->properties;
    CacheHeader header = {.magic = MAGIC,
                          .version = VERSION,
                          .vendor = properties->vendorID,
                          .device = properties->deviceID,
                          .driver = properties->driverVersion,
                          .size = size,
                          .hash = cn_hash_bytes(bytes, size, 0)};
    memcpy(header.uuid, properties->pipelineCacheUUID, VK_UUID_SIZE);
    return header;
}

/* Returns the driver's data in the file; NULL and 0 when it cannot be used. */
static const uint8_t *usable_part(const CnGpu *gpu, const CnFileBytes *file, size_t *size)
{
    *size = 0;
    if (file->size < sizeof(CacheHeader))
        return NULL;
    const uint8_t *bytes = file->data + sizeof(CacheHeader);
    size_t rest = file->size - sizeof(CacheHeader);
    CacheHeader wanted = header_of(gpu, bytes, rest);
    if (memcmp(&wanted, file->data, sizeof wanted))
        return NULL;
    *size = rest;
    return bytes;
}

bool cni_gpu_vk_cache_create(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CnFileBytes file = {0};
    size_t size = 0;
    const uint8_t *bytes = NULL;
    if (gpu->cache_path &&
        cn_file_read_all(gpu->files, gpu->cache_path, gpu->allocator, &file, NULL)) {
        bytes = usable_part(gpu, &file, &size);
        if (bytes)
            vulkan->cache_hash = cn_hash_bytes(bytes, size, 0);
        else
            CN_LOG_INFO("gpu", "%s is damaged or belongs to another device: it is ignored",
                        gpu->cache_path);
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
    uint8_t *bytes = file + sizeof(CacheHeader);
    VkResult result =
        vulkan->api.vkGetPipelineCacheData(vulkan->device, vulkan->cache, &size, bytes);
    if (result)
        return cni_gpu_vk_error(gpu, result, "a copy of the pipeline cache", error);
    CacheHeader header = header_of(gpu, bytes, size);
    if (header.hash == vulkan->cache_hash)
        return true;
    memcpy(file, &header, sizeof header);
    if (!cn_file_write_all(gpu->files, gpu->cache_path, file, sizeof header + size, error))
        return false;
    vulkan->cache_hash = header.hash;
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
    size_t bytes = sizeof(CacheHeader) + size;
    uint8_t *file = cn_alloc(gpu->allocator, bytes);
    if (!file)
        return cn_error_memory(error, "the pipeline cache");
    bool ok = write_cache(gpu, file, size, error);
    cn_free(gpu->allocator, file, bytes);
    return ok;
}

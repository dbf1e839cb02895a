#include "gpu/pipeline_cache.h"

#include <cairn/base/bytes.h>

#include <string.h>

#define MAGIC 0x43504e43u /* "CNPC" */
#define VERSION 2u

/* The driver's data begins with VkPipelineCacheHeaderVersionOne. */
#define VULKAN_HEADER_BYTES 32u
#define VULKAN_HEADER_VERSION 1u

CniGpuPipelineCacheHeader cni_gpu_pipeline_cache_header(const CniGpuPipelineCacheId *id,
                                                        size_t size)
{
    CniGpuPipelineCacheHeader header;
    memset(&header, 0, sizeof header);
    header.magic = MAGIC;
    header.version = VERSION;
    header.id = *id;
    header.size = size;
    return header;
}

static bool has_vulkan_header(const CniGpuPipelineCacheId *id, const uint8_t *data, size_t size)
{
    return size >= VULKAN_HEADER_BYTES && cn_load_u32(data) == VULKAN_HEADER_BYTES &&
           cn_load_u32(data + 4) == VULKAN_HEADER_VERSION && cn_load_u32(data + 8) == id->vendor &&
           cn_load_u32(data + 12) == id->device &&
           memcmp(data + 16, id->uuid, sizeof id->uuid) == 0;
}

const uint8_t *cni_gpu_pipeline_cache_find_data(const CniGpuPipelineCacheId *id,
                                                const uint8_t *file, size_t file_bytes,
                                                size_t *size)
{
    CniGpuPipelineCacheHeader wanted;
    *size = 0;
    if (file_bytes < sizeof wanted)
        return NULL;
    size_t rest = file_bytes - sizeof wanted;
    wanted = cni_gpu_pipeline_cache_header(id, rest);
    if (memcmp(&wanted, file, sizeof wanted) != 0 ||
        !has_vulkan_header(id, file + sizeof wanted, rest))
        return NULL;
    *size = rest;
    return file + sizeof wanted;
}

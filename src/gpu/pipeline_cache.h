/* The file format of cached pipelines: a header of ours that identifies the device and the driver,
 * then the data of the driver. */
#ifndef CAIRN_SRC_GPU_PIPELINE_CACHE_H
#define CAIRN_SRC_GPU_PIPELINE_CACHE_H

#include <cairn/base/api.h>

#define CNI_GPU_PIPELINE_CACHE_UUID_BYTES 16u

/* What the driver's data depends on. */
typedef struct CniGpuPipelineCacheId {
    uint32_t vendor, device, driver;
    uint8_t uuid[CNI_GPU_PIPELINE_CACHE_UUID_BYTES];
} CniGpuPipelineCacheId;

typedef struct CniGpuPipelineCacheHeader {
    uint32_t magic, version;
    CniGpuPipelineCacheId id;
    uint32_t padding;
    uint64_t size; /* of the data that follows */
} CniGpuPipelineCacheHeader;

CniGpuPipelineCacheHeader cni_gpu_pipeline_cache_header(const CniGpuPipelineCacheId *id,
                                                        size_t size);
/* Returns the driver's data in a file, and its size; NULL and 0 if the file was written for another
 * device or driver, or if the data does not begin as the Vulkan specification says. */
const uint8_t *cni_gpu_pipeline_cache_find_data(const CniGpuPipelineCacheId *id,
                                                const uint8_t *file, size_t file_bytes,
                                                size_t *size);

#endif

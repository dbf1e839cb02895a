/* Cached pipelines: data is found only behind the right headers, and lies inside of the file. */
#include "fuzz_surface.h"

#include "gpu/pipeline_cache.h"

#include <string.h>

static const CniGpuPipelineCacheId id = {
    .vendor = 0x10005, .device = 9, .driver = 7, .uuid = {1, 2, 3, 4, 5, 6, 7, 8, 9}};

static void add_seeds(FuzzSeeds *seeds)
{
    struct {
        CniGpuPipelineCacheHeader header;
        uint32_t vulkan[4];
        uint8_t uuid[sizeof id.uuid];
        uint8_t data[16];
    } file = {.vulkan = {32, 1, id.vendor, id.device}};
    file.header = cni_gpu_pipeline_cache_header(&id, sizeof file - sizeof file.header);
    memcpy(file.uuid, id.uuid, sizeof id.uuid);
    fuzz_add(seeds, &file, sizeof file);
}

static bool run(const uint8_t *bytes, size_t size)
{
    size_t found;
    const uint8_t *data = cni_gpu_pipeline_cache_find_data(&id, bytes, size, &found);
    if (!data) {
        FUZZ_CHECK(found == 0);
        return false;
    }
    CniGpuPipelineCacheHeader header = cni_gpu_pipeline_cache_header(&id, found);
    FUZZ_CHECK(data == bytes + sizeof header && found == size - sizeof header);
    FUZZ_CHECK(!memcmp(bytes, &header, sizeof header));
    FUZZ_CHECK(!memcmp(data + 16, id.uuid, sizeof id.uuid));
    return true;
}

const FuzzSurface fuzz_surface = {.max_bytes = 256, .add_seeds = add_seeds, .run = run};

#include "gpu_memory_hog.h"

static bool take(GpuMemoryHog *hog, uint64_t size)
{
    CnGpuBufferDesc desc = {.name = "hog", .size = size, .usage = CN_GPU_USE_STORAGE};
    CnGpuBuffer part = cn_gpu_buffer_create(hog->gpu, &desc, NULL);
    if (part.id)
        hog->parts[hog->count++] = part;
    return part.id != 0;
}

void gpu_memory_hog_take_all(GpuMemoryHog *hog)
{
    const uint64_t least = 1024;
    assert_true(take(hog, least)); /* makes the block of memory that small ones share */
    for (uint64_t size = UINT64_C(2) << 30; size >= least; size /= 2) {
        while (hog->count < GPU_HOG_MOST_PARTS && take(hog, size))
            ;
    }
    assert_true(hog->count < GPU_HOG_MOST_PARTS);
}

void gpu_memory_hog_give_back(GpuMemoryHog *hog, uint32_t parts)
{
    for (; parts > 0 && hog->count > 0; parts--)
        cn_gpu_buffer_destroy(hog->gpu, hog->parts[--hog->count]);
    cn_gpu_wait(hog->gpu, NULL);
}

#include "gpu_memory_filler.h"

static bool take(GpuMemoryFiller *filler, uint64_t size)
{
    CnGpuBufferDesc desc = {.name = "filler", .size = size, .usage = CN_GPU_USE_STORAGE};
    CnGpuBuffer part = cn_gpu_buffer_create(filler->gpu, &desc, NULL);
    if (part.id)
        filler->parts[filler->count++] = part;
    return part.id != 0;
}

void gpu_memory_filler_take_all(GpuMemoryFiller *filler)
{
    const uint64_t least = 1024;
    assert_true(take(filler, least)); /* makes the block of memory that small ones share */
    for (uint64_t size = UINT64_C(2) << 30; size >= least; size /= 2) {
        while (filler->count < GPU_FILLER_MAX_PARTS && take(filler, size))
            ;
    }
    assert_true(filler->count < GPU_FILLER_MAX_PARTS);
}

void gpu_memory_filler_give_back(GpuMemoryFiller *filler, uint32_t parts)
{
    for (; parts > 0 && filler->count > 0; parts--)
        cn_gpu_buffer_destroy(filler->gpu, filler->parts[--filler->count]);
    cn_gpu_wait(filler->gpu, NULL);
}

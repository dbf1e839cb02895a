#include "gpu_device.h"

#include "gpu/gpu_internal.h"

#include <cairn/base/memory.h>

/* A device of make_vulkan and the heap that counts its blocks, for end_gpu. */
typedef struct CountedGpu {
    const CnGpu *gpu;
    CnHeap *heap;
} CountedGpu;

static CountedGpu counted[8];

static CountedGpu *find_counted(const CnGpu *gpu)
{
    for (size_t i = 0; i < CN_COUNT_OF(counted); i++) {
        if (counted[i].gpu == gpu)
            return &counted[i];
    }
    return NULL;
}

static void count_device(const CnGpuInfo *info, void *user)
{
    (void)info;
    ++*(uint32_t *)user;
}

CnGpu *make_vulkan(const CnGpuDesc *desc)
{
    CnError error = {0};
    uint32_t devices = 0;
    if (!cn_gpu_list(count_device, &devices, &error) || !devices) {
        print_message("%s\n", error.message);
        cannot_run("Vulkan device");
        return NULL;
    }
    CnGpuDesc all = desc ? *desc : (CnGpuDesc){0};
    all.name = "tests";
    all.backend = CN_GPU_VULKAN;
    all.validation = true;
    CountedGpu *free_entry = find_counted(NULL);
    assert_non_null(free_entry); /* more devices at a time than there are entries */
    CnHeap *heap = NULL;
    if (!all.allocator) {
        heap = cn_heap_create(NULL, NULL);
        assert_non_null(heap);
        all.allocator = cn_heap_tag(heap, "gpu");
    }
    CnGpu *gpu = cn_gpu_create(&all, &error);
    if (!gpu)
        fail_msg("%s", error.message);
    if (heap)
        *free_entry = (CountedGpu){gpu, heap};
    if (!cn_gpu_info(gpu).validation)
        fail_msg("the validation layer is not installed");
    return gpu;
}

CnGpu *make_null(void)
{
    CnGpu *gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL}, NULL);
    assert_non_null(gpu);
    return gpu;
}

void lose_gpu(CnGpu *gpu)
{
    gpu->is_lost = true;
}

void end_gpu(CnGpu *gpu)
{
    CnGpuStats stats = cn_gpu_stats(gpu);
    CountedGpu *entry = find_counted(gpu);
    cn_gpu_destroy(gpu);
    if (entry) {
        uint64_t live_blocks = cn_heap_stats(entry->heap).live_blocks;
        if (live_blocks)
            fail_msg("%llu blocks are left of a device", (unsigned long long)live_blocks);
        cn_heap_destroy(entry->heap);
        *entry = (CountedGpu){0};
    }
    assert_int_equal(stats.validation_messages, 0);
    assert_int_equal(stats.wrong_calls, 0);
}

CnGpuBuffer make_readback(CnGpu *gpu, uint64_t size)
{
    CnGpuBuffer buffer = cn_gpu_buffer_create(gpu,
                                              &(CnGpuBufferDesc){.name = "readback",
                                                                 .size = size,
                                                                 .usage = CN_GPU_USE_COPY_TO,
                                                                 .memory = CN_GPU_MEMORY_READBACK},
                                              NULL);
    assert_int_not_equal(buffer.id, 0);
    return buffer;
}

CnGpuCommands *begin_frame(CnGpu *gpu)
{
    CnError error = {0};
    CnGpuCommands *commands = cn_gpu_begin_frame(gpu, &error);
    if (!commands)
        fail_msg("%s", error.message);
    return commands;
}

void end_frame(CnGpu *gpu)
{
    CnError error = {0};
    if (!cn_gpu_end_frame(gpu, &error) || !cn_gpu_wait(gpu, &error))
        fail_msg("%s", error.message);
}

void buffer_barrier(CnGpuCommands *commands, CnGpuBuffer buffer, CnGpuAccess before,
                    CnGpuAccess after)
{
    cn_gpu_barriers(commands, &(CnGpuBarrier){.buffer = buffer, .before = before, .after = after},
                    1);
}

void texture_barrier(CnGpuCommands *commands, CnGpuTexture texture, CnGpuAccess before,
                     CnGpuAccess after)
{
    cn_gpu_barriers(commands, &(CnGpuBarrier){.texture = texture, .before = before, .after = after},
                    1);
}

#include "gpu_device.h"

#include "gpu/gpu.h"

#include <dlfcn.h>

/* What the validation layer, drivers and libraries of windows leak themselves. All of ours is in C. */
CN_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libVkLayer_khronos_validation\nleak:libvulkan\nleak:libLLVM\nleak:libstdc++\n"
           "leak:libdbus\nleak:libX11\n";
}

/* Keeps them loaded when the last instance goes: LeakSanitizer cannot name what is no longer there. */
static void keep_drivers(void)
{
    static const char *const names[] = {"libvulkan.so.1", "libvulkan_lvp.so",
                                        "libVkLayer_khronos_validation.so"};
    for (size_t i = 0; i < CN_COUNT_OF(names); i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_NODELETE);
        if (library)
            dlclose(library);
    }
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
    keep_drivers();
    if (!cn_gpu_list(count_device, &devices, &error) || !devices) {
        print_message("skipped: there is no Vulkan device (%s)\n", error.message);
        return NULL;
    }
    CnGpuDesc all = desc ? *desc : (CnGpuDesc){0};
    all.name = "tests";
    all.backend = CN_GPU_VULKAN;
    all.validation = true;
    CnGpu *gpu = cn_gpu_create(&all, &error);
    if (!gpu)
        fail_msg("%s", error.message);
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
    cn_gpu_destroy(gpu);
    assert_int_equal(stats.validation_messages, 0);
    assert_int_equal(stats.wrong_calls, 0);
}

CnGpuBuffer make_readback(CnGpu *gpu, uint64_t size)
{
    CnGpuBuffer buffer = cn_gpu_buffer(gpu,
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
    CnGpuCommands *commands = cn_gpu_begin(gpu, &error);
    if (!commands)
        fail_msg("%s", error.message);
    return commands;
}

void end_frame(CnGpu *gpu)
{
    CnError error = {0};
    if (!cn_gpu_end(gpu, &error) || !cn_gpu_wait(gpu, &error))
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

/* Every allocation of the null backend, and of our side of the Vulkan one, may fail. */
#include "gpu_device.h"

#include "failing_heap.h"

#include "shaders/tests/numbers.comp.h"

#include <cairn/base/log.h>

typedef struct Things {
    CnGpuBuffer buffer;
    CnGpuTexture texture, placed;
    CnGpuHeap heap;
    CnGpuPipeline pipeline;
    CnGpuSampler sampler;
} Things;

static bool out_of_memory(const CnError *error)
{
    assert_int_equal(error->code, CN_ERROR_MEMORY);
    assert_int_not_equal(error->message[0], '\0');
    return false;
}

static bool make_things(CnGpu *gpu, Things *things, CnError *error)
{
    CnGpuTextureDesc desc = {.name = "texture",
                             .format = CN_GPU_FORMAT_RGBA8,
                             .width = 16,
                             .height = 16,
                             .mips = CN_GPU_ALL_MIPS,
                             .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED};
    things->buffer = cn_gpu_buffer_create(gpu,
                                          &(CnGpuBufferDesc){.name = "buffer",
                                                             .size = 4096,
                                                             .usage = CN_GPU_USE_STORAGE,
                                                             .memory = CN_GPU_MEMORY_DEVICE},
                                          error);
    if (!things->buffer.id)
        return false;
    things->texture = cn_gpu_texture_create(gpu, &desc, error);
    if (!things->texture.id)
        return false;
    things->heap =
        cn_gpu_heap_create(gpu, &(CnGpuHeapDesc){.size = 1 << 20, .name = "heap"}, error);
    if (!things->heap.id)
        return false;
    things->placed = cn_gpu_texture_create_in(gpu, &desc, things->heap, 0, error);
    if (!things->placed.id)
        return false;
    things->pipeline = cn_gpu_compute_pipeline_create(
        gpu,
        &(CnGpuComputeDesc){
            .name = "numbers",
            .shader = {cn_shader_tests_numbers_comp, sizeof cn_shader_tests_numbers_comp},
            .bindings = {CN_GPU_BIND_STORAGE},
            .constants = 12},
        error);
    if (!things->pipeline.id)
        return false;
    things->sampler = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, error);
    return things->sampler.id != 0;
}

static bool record(CnGpu *gpu, const Things *things, CnError *error)
{
    CnGpuCommands *commands = cn_gpu_begin_frame(gpu, error);
    if (!commands)
        return false;
    buffer_barrier(commands, things->buffer, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_pipeline(commands, things->pipeline);
    cn_gpu_bind_buffer(commands, 0, things->buffer, 0, 0);
    cn_gpu_push_constants(commands, (const uint32_t[]){64, 0, 1}, 12);
    cn_gpu_dispatch(commands, 1, 1, 1);
    return cn_gpu_end_frame(gpu, error);
}

static bool use_a_gpu(CnAllocator *allocator, void *user)
{
    CnError error = {0};
    Things things = {0};
    CnGpu *gpu = cn_gpu_create(&(CnGpuDesc){.allocator = allocator,
                                            .backend = *(CnGpuBackend *)user,
                                            .upload_bytes = 4096},
                               &error);
    if (!gpu)
        return out_of_memory(&error);
    bool ok = make_things(gpu, &things, &error) && record(gpu, &things, &error) &&
              cn_gpu_wait(gpu, &error);
    /* What was not made is null, and destroying null does nothing. */
    cn_gpu_buffer_destroy(gpu, things.buffer);
    cn_gpu_texture_destroy(gpu, things.texture);
    cn_gpu_texture_destroy(gpu, things.placed);
    cn_gpu_heap_destroy(gpu, things.heap);
    cn_gpu_pipeline_destroy(gpu, things.pipeline);
    assert_int_equal(cn_gpu_stats(gpu).wrong_calls, 0);
    assert_int_equal(cn_gpu_stats(gpu).buffers, 1);
    assert_int_equal(cn_gpu_stats(gpu).textures, 0);
    cn_gpu_destroy(gpu);
    return ok || out_of_memory(&error);
}

static void every_allocation_of_the_null_backend_may_fail(void **state)
{
    (void)state;
    CnGpuBackend backend = CN_GPU_NULL;
    assert_true(run_with_failing_allocations(use_a_gpu, &backend) > 8);
}

static void every_allocation_of_the_vulkan_backend_may_fail(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        skip();
    end_gpu(gpu);
    CnGpuBackend backend = CN_GPU_VULKAN;
    cn_log_set_level(CN_LOG_LEVEL_WARNING);
    assert_true(run_with_failing_allocations(use_a_gpu, &backend) > 8);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_the_null_backend_may_fail),
        cmocka_unit_test(every_allocation_of_the_vulkan_backend_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

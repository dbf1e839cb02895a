/* A device that is lost: every call that can fail does, and the rest does no harm. */
#include "gpu_device.h"

#include "gpu/gpu_internal.h"

static void use_lost(CnGpu *gpu)
{
    CnError error = {0};
    CnGpuBuffer buffer = cn_gpu_buffer_create(
        gpu, &(CnGpuBufferDesc){.name = "b", .size = 64, .usage = CN_GPU_USE_COPY_TO}, &error);
    CnGpuCommands *commands = begin_frame(gpu);
    gpu->is_lost = true;
    buffer_barrier(commands, buffer, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_fill_buffer(commands, buffer, 0, 64, 0);
    bool ended = cn_gpu_end_frame(gpu, &error);
    if (gpu->vulkan) {
        assert_false(ended);
        assert_int_equal(error.code, CN_ERROR_IO);
    }
    static const CnGpuTextureDesc texture = {
        .format = CN_GPU_FORMAT_R8, .width = 4, .height = 4, .usage = CN_GPU_USE_SAMPLED};
    error = (CnError){0};
    assert_null(cn_gpu_begin_frame(gpu, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    error = (CnError){0};
    assert_false(cn_gpu_wait(gpu, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    error = (CnError){0};
    assert_int_equal(cn_gpu_texture_create(gpu, &texture, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_int_equal(cn_gpu_buffer_create(
                         gpu, &(CnGpuBufferDesc){.size = 4, .usage = CN_GPU_USE_STORAGE}, &error)
                         .id,
                     0);
    assert_int_equal(
        cn_gpu_heap_create(gpu, &(CnGpuHeapDesc){.size = 4096, .name = "heap"}, &error).id, 0);
    assert_int_equal(cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_BORDER}, &error).id,
                     0);
    assert_int_equal(cn_gpu_compute_pipeline_create(gpu, &(CnGpuComputeDesc){0}, &error).id, 0);
    assert_int_equal(cn_gpu_graphics_pipeline_create(gpu, &(CnGpuGraphicsDesc){0}, &error).id, 0);
    assert_false(cn_gpu_save_pipeline_cache(gpu, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    cn_gpu_buffer_destroy(gpu, buffer);
    end_gpu(gpu);
}

static void a_lost_null_device_fails_and_can_be_destroyed(void **state)
{
    (void)state;
    use_lost(make_null());
}

static void a_lost_vulkan_device_fails_and_can_be_destroyed_and_made_again(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        CnGpu *gpu = make_vulkan(NULL);
        if (!gpu)
            skip();
        use_lost(gpu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_null_device_fails_and_can_be_destroyed),
        cmocka_unit_test(a_lost_vulkan_device_fails_and_can_be_destroyed_and_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Compute on a real device: what shaders write can be read back. */
#include "gpu_device.h"

#include "shaders/tests/numbers.comp.h"

static CnGpuPipeline make_numbers(CnGpu *gpu)
{
    CnError error = {0};
    CnGpuPipeline pipeline = cn_gpu_compute_pipeline_create(
        gpu,
        &(CnGpuComputeDesc){
            .name = "numbers",
            .shader = {cn_shader_tests_numbers_comp, sizeof cn_shader_tests_numbers_comp},
            .bindings = {CN_GPU_BIND_STORAGE},
            .constants = 12},
        &error);
    if (!pipeline.id)
        fail_msg("%s", error.message);
    return pipeline;
}

static CnGpuBuffer make_storage(CnGpu *gpu, uint64_t size)
{
    CnGpuBuffer buffer = cn_gpu_buffer_create(
        gpu,
        &(CnGpuBufferDesc){
            .name = "numbers", .size = size, .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_FROM},
        NULL);
    assert_int_not_equal(buffer.id, 0);
    return buffer;
}

static void a_dispatch_writes_numbers(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        skip();
    enum { COUNT = 1000 };
    CnGpuPipeline pipeline = make_numbers(gpu);
    CnGpuBuffer numbers = make_storage(gpu, COUNT * 4), readback = make_readback(gpu, COUNT * 4);
    CnGpuCommands *commands = begin_frame(gpu);
    buffer_barrier(commands, numbers, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    buffer_barrier(commands, readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_bind_pipeline(commands, pipeline);
    cn_gpu_bind_buffer(commands, 0, numbers, 0, 0);
    cn_gpu_push_constants(commands, (const uint32_t[]){COUNT, 7, 3}, 12);
    cn_gpu_dispatch(commands, (COUNT + 63) / 64, 1, 1);
    buffer_barrier(commands, numbers, CN_GPU_ACCESS_WRITE_COMPUTE, CN_GPU_ACCESS_COPY_FROM);
    cn_gpu_copy_buffer(commands, numbers, 0, readback, 0, COUNT * 4);
    buffer_barrier(commands, readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
    end_frame(gpu);
    const uint32_t *read = cn_gpu_buffer_data(gpu, readback);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(read[i], 7 + i * 3);
    cn_gpu_buffer_destroy(gpu, numbers);
    cn_gpu_buffer_destroy(gpu, readback);
    cn_gpu_pipeline_destroy(gpu, pipeline);
    end_gpu(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dispatch_writes_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The null backend: frames, its log, its memory, its window. */
#include "gpu_device.h"

#include <string.h>

static const uint32_t spirv[] = {0x07230203u, 0x10600u, 0, 1, 0};

static CnGpuPipeline make_compute(CnGpu *gpu)
{
    return cn_gpu_compute_pipeline_create(gpu,
                                          &(CnGpuComputeDesc){.name = "compute",
                                                              .shader = {spirv, sizeof spirv},
                                                              .bindings = {CN_GPU_BIND_STORAGE}},
                                          NULL);
}

static CnGpuBuffer make_storage(CnGpu *gpu)
{
    return cn_gpu_buffer_create(
        gpu, &(CnGpuBufferDesc){.name = "numbers", .size = 1024, .usage = CN_GPU_USE_STORAGE},
        NULL);
}

static void frames_are_numbered_from_one_and_done_when_they_end(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    assert_int_equal(cn_gpu_current_frame(gpu), 0);
    for (uint64_t i = 1; i < 5; i++) {
        begin_frame(gpu);
        assert_int_equal(cn_gpu_current_frame(gpu), i);
        assert_int_equal(cn_gpu_completed_frame(gpu), i - 1);
        assert_true(cn_gpu_end_frame(gpu, NULL));
        assert_int_equal(cn_gpu_completed_frame(gpu), i);
    }
    assert_int_equal(cn_gpu_stats(gpu).frames, 4);
    end_gpu(gpu);
}

static void the_log_has_what_the_frame_recorded_in_order(void **state)
{
    (void)state;
    static const char *const wanted[] = {"barrier",  "bind_pipeline", "bind_buffer",
                                         "dispatch", "barrier",       "dispatch"};
    CnGpu *gpu = make_null();
    CnGpuPipeline pipeline = make_compute(gpu);
    CnGpuBuffer numbers = make_storage(gpu);
    CnGpuCommands *commands = begin_frame(gpu);
    buffer_barrier(commands, numbers, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_pipeline(commands, pipeline);
    cn_gpu_bind_buffer(commands, 0, numbers, 256, 0);
    cn_gpu_dispatch(commands, 4, 5, 6);
    buffer_barrier(commands, numbers, CN_GPU_ACCESS_WRITE_COMPUTE, CN_GPU_ACCESS_READ_COMPUTE);
    cn_gpu_dispatch(commands, 1, 1, 1);
    end_frame(gpu);
    uint32_t count;
    const CnGpuLogEntry *log = cn_gpu_command_log(gpu, &count);
    assert_int_equal(count, CN_COUNT_OF(wanted));
    for (uint32_t i = 0; i < count; i++)
        assert_string_equal(log[i].command, wanted[i]);
    assert_int_equal(log[0].barrier.buffer.id, numbers.id);
    assert_int_equal(log[0].barrier.after, CN_GPU_ACCESS_WRITE_COMPUTE);
    assert_string_equal(log[0].name, "numbers");
    assert_int_equal(log[2].numbers[1], 256);
    assert_int_equal(log[2].numbers[2], 768);
    assert_int_equal(log[3].numbers[2], 6);
    begin_frame(gpu);
    cn_gpu_command_log(gpu, &count);
    assert_int_equal(count, 0);
    assert_true(cn_gpu_end_frame(gpu, NULL));
    cn_gpu_buffer_destroy(gpu, numbers);
    cn_gpu_pipeline_destroy(gpu, pipeline);
    end_gpu(gpu);
}

static void bindings_persist_and_are_recorded_again_only_when_they_change(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuPipeline pipelines[2] = {make_compute(gpu), make_compute(gpu)};
    CnGpuBuffer numbers = make_storage(gpu);
    CnGpuCommands *commands = begin_frame(gpu);
    buffer_barrier(commands, numbers, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_buffer(commands, 0, numbers, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        cn_gpu_bind_pipeline(commands, pipelines[i % 2]);
        cn_gpu_dispatch(commands, 1, 1, 1);
    }
    end_frame(gpu);
    uint32_t count, recorded = 0;
    const CnGpuLogEntry *log = cn_gpu_command_log(gpu, &count);
    for (uint32_t i = 0; i < count; i++)
        recorded += !strcmp(log[i].command, "bind_buffer");
    assert_int_equal(recorded, 1);
    cn_gpu_buffer_destroy(gpu, numbers);
    cn_gpu_pipeline_destroy(gpu, pipelines[0]);
    cn_gpu_pipeline_destroy(gpu, pipelines[1]);
    end_gpu(gpu);
}

static void uploads_are_aligned_and_refused_when_the_frame_has_used_up_its_part(void **state)
{
    (void)state;
    CnGpu *gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL, .upload_bytes = 4096}, NULL);
    for (uint32_t frame = 0; frame < 5; frame++) {
        CnGpuCommands *commands = begin_frame(gpu);
        CnGpuUpload first = cn_gpu_upload(commands, 10, 0);
        CnGpuUpload second = cn_gpu_upload(commands, 10, 64);
        assert_int_equal(first.offset % 256, 0);
        assert_int_equal(second.offset, first.offset + 64);
        memset(first.data, 1, 10);
        memset(second.data, 2, 10);
        CnGpuUpload rest = cn_gpu_upload(commands, 4096 - 256, 256);
        assert_non_null(rest.data);
        assert_null(cn_gpu_upload(commands, 1, 1).data);
        assert_null(cn_gpu_upload(commands, UINT64_MAX, 1).data);
        assert_true(cn_gpu_end_frame(gpu, NULL));
        assert_int_equal(cn_gpu_stats(gpu).upload_refused, 2 * (frame + 1));
        assert_int_equal(cn_gpu_stats(gpu).upload_bytes, 4096);
    }
    end_gpu(gpu);
}

static void samplers_of_one_kind_are_one(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuSampler a = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR}, NULL);
    CnGpuSampler b = cn_gpu_sampler_get(
        gpu, &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR, .anisotropy = 1.0f}, NULL);
    CnGpuSampler c = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.filter = CN_GPU_NEAREST}, NULL);
    assert_int_equal(a.id, b.id);
    assert_int_not_equal(a.id, c.id);
    assert_int_equal(cn_gpu_stats(gpu).samplers, 2);
    end_gpu(gpu);
}

/* The settings of the second axis and of enlarging are the others, unless they are given. */
static void samplers_may_differ_by_axis_and_by_enlarging(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuSampler a = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, NULL);
    CnGpuSampler b = cn_gpu_sampler_get(
        gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP, .has_wrap_v = true, .wrap_v = CN_GPU_CLAMP},
        NULL);
    CnGpuSampler c = cn_gpu_sampler_get(
        gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP, .has_wrap_v = true, .wrap_v = CN_GPU_MIRROR},
        NULL);
    CnGpuSampler d = cn_gpu_sampler_get(gpu,
                                        &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP,
                                                            .has_magnify_filter = true,
                                                            .magnify_filter = CN_GPU_LINEAR},
                                        NULL);
    assert_int_equal(a.id, b.id);
    assert_int_not_equal(a.id, c.id);
    assert_int_not_equal(a.id, d.id);
    assert_int_not_equal(c.id, d.id);
    end_gpu(gpu);
}

static void descriptions_of_textures_are_completed(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuTexture texture = cn_gpu_texture_create(gpu,
                                                 &(CnGpuTextureDesc){.name = "image",
                                                                     .format = CN_GPU_FORMAT_RGBA8,
                                                                     .width = 100,
                                                                     .height = 30,
                                                                     .mips = CN_GPU_ALL_MIPS,
                                                                     .usage = CN_GPU_USE_SAMPLED},
                                                 NULL);
    CnGpuTextureDesc desc = cn_gpu_texture_desc(gpu, texture);
    assert_string_equal(desc.name, "image");
    assert_int_equal(desc.mips, 7);
    assert_int_equal(desc.layers, 1);
    assert_int_equal(desc.depth, 1);
    cn_gpu_texture_destroy(gpu, texture);
    end_gpu(gpu);
}

static void bad_descriptions_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const CnGpuTextureDesc bad[] = {
        {.width = 4, .height = 4, .usage = CN_GPU_USE_SAMPLED},
        {.format = CN_GPU_FORMAT_RGB32F, .width = 4, .height = 4, .usage = CN_GPU_USE_SAMPLED},
        {.format = CN_GPU_FORMAT_R8, .width = 0, .height = 4, .usage = CN_GPU_USE_SAMPLED},
        {.format = CN_GPU_FORMAT_R8, .width = 1 << 20, .height = 4, .usage = CN_GPU_USE_SAMPLED},
        {.format = CN_GPU_FORMAT_R8,
         .width = 4,
         .height = 4,
         .mips = 4,
         .usage = CN_GPU_USE_SAMPLED},
        {.format = CN_GPU_FORMAT_R8,
         .width = 4,
         .height = 4,
         .depth = 2,
         .layers = 2,
         .usage = CN_GPU_USE_SAMPLED},
        {.format = CN_GPU_FORMAT_R8,
         .width = 4,
         .height = 8,
         .cube = true,
         .usage = CN_GPU_USE_SAMPLED},
        {.format = CN_GPU_FORMAT_R8,
         .width = 4,
         .height = 4,
         .layers = 5,
         .cube = true,
         .usage = CN_GPU_USE_SAMPLED},
        {.format = CN_GPU_FORMAT_R8, .width = 4, .height = 4},
        {.format = CN_GPU_FORMAT_R8, .width = 4, .height = 4, .usage = CN_GPU_USE_UNIFORM},
    };
    CnGpu *gpu = make_null();
    for (uint32_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnError error = {0};
        assert_int_equal(cn_gpu_texture_create(gpu, &bad[i], &error).id, 0);
        assert_int_not_equal(error.code, CN_OK);
        assert_int_not_equal(error.message[0], '\0');
        assert_int_equal(cn_gpu_texture_memory_requirements(gpu, &bad[i]).size, 0);
    }
    CnError error = {0};
    assert_int_equal(
        cn_gpu_buffer_create(gpu, &(CnGpuBufferDesc){.usage = CN_GPU_USE_STORAGE}, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_int_equal(cn_gpu_buffer_create(gpu, &(CnGpuBufferDesc){.size = 4}, &error).id, 0);
    assert_int_equal(
        cn_gpu_heap_create(gpu, &(CnGpuHeapDesc){.size = 0, .name = "none"}, &error).id, 0);
    end_gpu(gpu);
}

static void shaders_that_are_not_spirv_are_refused(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnError error = {0};
    CnGpuComputeDesc desc = {.name = "bad", .shader = {"not a shader, surely", 20}};
    assert_int_equal(cn_gpu_compute_pipeline_create(gpu, &desc, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "compute shader of bad"));
    desc.shader = (CnGpuShader){spirv, 18};
    assert_int_equal(cn_gpu_compute_pipeline_create(gpu, &desc, NULL).id, 0);
    desc.shader = (CnGpuShader){0};
    assert_int_equal(cn_gpu_compute_pipeline_create(gpu, &desc, NULL).id, 0);
    end_gpu(gpu);
}

static void pipelines_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    CnGpuShader shader = {spirv, sizeof spirv};
    const CnGpuGraphicsDesc bad[] = {
        {.vertex = shader, .fragment = shader, .color = {CN_GPU_FORMAT_D32F}},
        {.vertex = shader, .depth = CN_GPU_FORMAT_R8},
        {.vertex = shader, .depth_test = CN_GPU_LESS},
        {.vertex = shader, .color = {CN_GPU_FORMAT_RGBA8}},
        {.vertex = shader, .constants = 132},
        {.vertex = shader, .constants = 3},
    };
    CnGpu *gpu = make_null();
    for (uint32_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnError error = {0};
        assert_int_equal(cn_gpu_graphics_pipeline_create(gpu, &bad[i], &error).id, 0);
        assert_int_not_equal(error.code, CN_OK);
    }
    end_gpu(gpu);
}

/* ---- The window ---- */

static uint32_t window_size[2];

static void give_size(uint32_t *width, uint32_t *height, void *user)
{
    (void)user;
    *width = window_size[0];
    *height = window_size[1];
}

static void the_window_has_an_image_of_its_size_unless_it_is_minimised(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{64, 32}, {64, 32}, {0, 0}, {16, 16}, {0, 16}, {64, 32}};
    CnGpuWindow window = {.size = give_size};
    CnGpu *gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL, .window = &window}, NULL);
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        memcpy(window_size, sizes[i], sizeof window_size);
        CnGpuCommands *commands = begin_frame(gpu);
        CnGpuTexture texture = cn_gpu_window_texture(gpu);
        assert_int_equal(texture.id != 0, sizes[i][0] && sizes[i][1]);
        assert_int_equal(cn_gpu_window_texture(gpu).id, texture.id);
        if (texture.id) {
            assert_int_equal(cn_gpu_texture_desc(gpu, texture).width, sizes[i][0]);
            texture_barrier(commands, texture, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
            texture_barrier(commands, texture, CN_GPU_ACCESS_COLOR, CN_GPU_ACCESS_PRESENT);
        }
        assert_true(cn_gpu_end_frame(gpu, NULL));
    }
    end_gpu(gpu);
}

static void without_a_window_there_is_no_image(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    begin_frame(gpu);
    assert_int_equal(cn_gpu_window_texture(gpu).id, 0);
    end_frame(gpu);
    end_gpu(gpu);
}

static void timers_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuCommands *commands = begin_frame(gpu);
    for (uint32_t i = 0; i < CN_GPU_MAX_TIMERS + 3; i++)
        cn_gpu_end_timer(commands, cn_gpu_begin_timer(commands, "pass"));
    end_frame(gpu);
    assert_int_equal(cn_gpu_stats(gpu).timers_refused, 3);
    CnGpuTiming timings[4];
    assert_int_equal(cn_gpu_timings(gpu, timings, 4), CN_GPU_MAX_TIMERS);
    assert_string_equal(timings[3].name, "pass");
    end_gpu(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_numbered_from_one_and_done_when_they_end),
        cmocka_unit_test(the_log_has_what_the_frame_recorded_in_order),
        cmocka_unit_test(bindings_persist_and_are_recorded_again_only_when_they_change),
        cmocka_unit_test(uploads_are_aligned_and_refused_when_the_frame_has_used_up_its_part),
        cmocka_unit_test(samplers_of_one_kind_are_one),
        cmocka_unit_test(samplers_may_differ_by_axis_and_by_enlarging),
        cmocka_unit_test(descriptions_of_textures_are_completed),
        cmocka_unit_test(bad_descriptions_are_refused_with_a_reason),
        cmocka_unit_test(shaders_that_are_not_spirv_are_refused),
        cmocka_unit_test(pipelines_that_make_no_sense_are_refused),
        cmocka_unit_test(the_window_has_an_image_of_its_size_unless_it_is_minimised),
        cmocka_unit_test(without_a_window_there_is_no_image),
        cmocka_unit_test(timers_beyond_the_limit_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

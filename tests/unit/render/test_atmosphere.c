/* The color of sunlight, and that shaders find the same. */
#include "gpu_device.h"

#include <cairn/base/linear.h>
#include <cairn/render/features.h>

#include "shaders/tests/sun_color.comp.h"

static CnVec3 color_at(float degrees)
{
    float sine, cosine;
    cn_sincosf(degrees * CN_PIF / 180, &sine, &cosine);
    return cn_atmosphere_sun_color(cn_vec3(0, sine, cosine));
}

static void the_sun_at_noon_is_almost_white(void **state)
{
    (void)state;
    CnVec3 color = color_at(90);
    assert_true(color.x > 0.85f && color.y > 0.8f && color.z > 0.7f);
    assert_true(color.x < 1);
}

static void the_setting_sun_is_red(void **state)
{
    (void)state;
    CnVec3 color = color_at(1);
    assert_true(color.x > 4 * color.y);
    assert_true(color.y > 4 * color.z);
}

static void the_lower_the_sun_the_darker(void **state)
{
    (void)state;
    for (float degrees = 89; degrees >= -10; degrees -= 1) {
        CnVec3 color = color_at(degrees), before = color_at(degrees + 1);
        assert_true(color.x <= before.x && color.y <= before.y && color.z <= before.z);
    }
}

static void there_is_no_sun_below_the_horizon(void **state)
{
    (void)state;
    for (float degrees = -4; degrees >= -90; degrees -= 2) {
        CnVec3 color = color_at(degrees);
        assert_true(color.x >= 0 && color.x < 1e-3f);
        assert_true(color.y >= 0 && color.y < 1e-3f);
        assert_true(color.z >= 0 && color.z < 1e-3f);
    }
}

static void the_length_of_the_direction_does_not_matter(void **state)
{
    (void)state;
    CnVec3 unit = cn_atmosphere_sun_color(cn_vec3(0.6f, 0.8f, 0));
    CnVec3 longer = cn_atmosphere_sun_color(cn_vec3(6, 8, 0));
    assert_memory_equal(&unit, &longer, sizeof unit);
}

#define COUNT 64u

typedef struct SunColors {
    CnGpuBuffer rises, colors, readback;
    CnGpuPipeline pipeline;
} SunColors;

static void make_sun_colors(CnGpu *gpu, SunColors *sun)
{
    sun->rises = cn_gpu_buffer_create(gpu,
                                      &(CnGpuBufferDesc){.name = "rises",
                                                         .size = COUNT * 4,
                                                         .usage = CN_GPU_USE_STORAGE,
                                                         .memory = CN_GPU_MEMORY_UPLOAD},
                                      NULL);
    sun->colors =
        cn_gpu_buffer_create(gpu,
                             &(CnGpuBufferDesc){.name = "colors",
                                                .size = COUNT * 16,
                                                .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_FROM},
                             NULL);
    sun->readback = make_readback(gpu, COUNT * 16);
    sun->pipeline = cn_gpu_compute_pipeline_create(
        gpu,
        &(CnGpuComputeDesc){
            .name = "sun color",
            .shader = {cn_shader_tests_sun_color_comp, sizeof cn_shader_tests_sun_color_comp},
            .bindings = {CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE},
            .constants = 4},
        NULL);
    assert_true(sun->rises.id && sun->colors.id && sun->pipeline.id);
}

static void run_sun_colors(CnGpu *gpu, const SunColors *sun)
{
    CnGpuCommands *commands = begin_frame(gpu);
    buffer_barrier(commands, sun->colors, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_pipeline(commands, sun->pipeline);
    cn_gpu_bind_buffer(commands, 0, sun->rises, 0, 0);
    cn_gpu_bind_buffer(commands, 1, sun->colors, 0, 0);
    cn_gpu_push_constants(commands, &(uint32_t){COUNT}, 4);
    cn_gpu_dispatch(commands, 1, 1, 1);
    buffer_barrier(commands, sun->colors, CN_GPU_ACCESS_WRITE_COMPUTE, CN_GPU_ACCESS_COPY_FROM);
    buffer_barrier(commands, sun->readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_buffer(commands, sun->colors, 0, sun->readback, 0, COUNT * 16);
    buffer_barrier(commands, sun->readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
    end_frame(gpu);
}

static void shaders_find_the_same_colors(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        skip();
    SunColors sun;
    make_sun_colors(gpu, &sun);
    float *rises = cn_gpu_buffer_data(gpu, sun.rises);
    for (uint32_t i = 0; i < COUNT; i++)
        rises[i] = -0.25f + 1.25f * (float)i / (COUNT - 1);
    run_sun_colors(gpu, &sun);
    const float *colors = cn_gpu_buffer_data(gpu, sun.readback);
    for (uint32_t i = 0; i < COUNT; i++) {
        float rise = rises[i] < 1 ? rises[i] : 1;
        CnVec3 here = cn_atmosphere_sun_color(cn_vec3(0, rise, cn_sqrtf(1 - rise * rise)));
        assert_float_equal(colors[i * 4], here.x, 1e-3f);
        assert_float_equal(colors[i * 4 + 1], here.y, 1e-3f);
        assert_float_equal(colors[i * 4 + 2], here.z, 1e-3f);
    }
    cn_gpu_buffer_destroy(gpu, sun.rises);
    cn_gpu_buffer_destroy(gpu, sun.colors);
    cn_gpu_buffer_destroy(gpu, sun.readback);
    cn_gpu_pipeline_destroy(gpu, sun.pipeline);
    end_gpu(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sun_at_noon_is_almost_white),
        cmocka_unit_test(the_setting_sun_is_red),
        cmocka_unit_test(the_lower_the_sun_the_darker),
        cmocka_unit_test(there_is_no_sun_below_the_horizon),
        cmocka_unit_test(the_length_of_the_direction_does_not_matter),
        cmocka_unit_test(shaders_find_the_same_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Textures on a real device: formats, mips, layers, cubes, volumes, sampling and storing. */
#include "gpu_device.h"

#include "shaders/tests/sample.comp.h"
#include "shaders/tests/sample_cube.comp.h"
#include "shaders/tests/store.comp.h"

#include <string.h>

#define SHADER(name)                                                                               \
    {                                                                                              \
        name, sizeof name                                                                          \
    }

static CnGpu *gpu;

static int begin(void **state)
{
    (void)state;
    gpu = make_vulkan(NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    if (gpu)
        end_gpu(gpu);
    return 0;
}

static void need_gpu(void)
{
    if (!gpu)
        skip();
}

static CnGpuTexture make_texture(const CnGpuTextureDesc *desc)
{
    CnError error = {0};
    CnGpuTexture texture = cn_gpu_texture_create(gpu, desc, &error);
    if (!texture.id)
        fail_msg("%s", error.message);
    return texture;
}

static CnGpuPipeline make_compute(const CnGpuComputeDesc *desc)
{
    CnError error = {0};
    CnGpuPipeline pipeline = cn_gpu_compute_pipeline_create(gpu, desc, &error);
    if (!pipeline.id)
        fail_msg("%s", error.message);
    return pipeline;
}

/* Bytes through the upload memory into a region. */
static void fill(CnGpuCommands *commands, CnGpuTexture texture, const void *bytes, size_t size,
                 CnGpuRegion region)
{
    CnGpuUpload upload = cn_gpu_upload(commands, size, 16);
    assert_non_null(upload.data);
    memcpy(upload.data, bytes, size);
    region.offset = upload.offset;
    cn_gpu_copy_to_texture(commands, upload.buffer, texture, &region);
}

static void all_formats_can_be_made_filled_and_read(void **state)
{
    (void)state;
    need_gpu();
    for (uint32_t format = 1; format < CN_GPU_FORMAT_COUNT; format++) {
        if (format == CN_GPU_FORMAT_RGB32F)
            continue;
        uint32_t bytes = 4 * 4 * cn_gpu_format_bytes((CnGpuFormat)format);
        CnGpuTexture texture =
            make_texture(&(CnGpuTextureDesc){.name = cn_gpu_format_name((CnGpuFormat)format),
                                             .format = (CnGpuFormat)format,
                                             .width = 4,
                                             .height = 4,
                                             .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_ATTACHMENT |
                                                      CN_GPU_USE_COPY_FROM | CN_GPU_USE_COPY_TO});
        uint8_t wanted[4 * 4 * 16];
        for (uint32_t i = 0; i < bytes; i++)
            wanted[i] = (uint8_t)(i % 60); /* no NaN in any format */
        CnGpuBuffer readback = make_readback(gpu, bytes);
        CnGpuCommands *commands = begin_frame(gpu);
        texture_barrier(commands, texture, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
        buffer_barrier(commands, readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
        fill(commands, texture, wanted, bytes, (CnGpuRegion){0});
        texture_barrier(commands, texture, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_COPY_FROM);
        cn_gpu_copy_from_texture(commands, texture, readback, &(CnGpuRegion){0});
        buffer_barrier(commands, readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
        end_frame(gpu);
        assert_memory_equal(cn_gpu_buffer_data(gpu, readback), wanted, bytes);
        cn_gpu_buffer_destroy(gpu, readback);
        cn_gpu_texture_destroy(gpu, texture);
    }
}

static void what_a_format_cannot_do_is_an_error_that_names_it(void **state)
{
    (void)state;
    need_gpu();
    CnError error = {0};
    CnGpuTextureDesc desc = {.name = "strange",
                             .format = CN_GPU_FORMAT_RGBA8_SRGB,
                             .width = 4,
                             .height = 4,
                             .usage = CN_GPU_USE_STORAGE};
    assert_int_equal(cn_gpu_texture_create(gpu, &desc, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "strange"));
    assert_non_null(strstr(error.message, "rgba8_srgb"));
}

static void blits_make_mips(void **state)
{
    (void)state;
    need_gpu();
    CnGpuTexture texture =
        make_texture(&(CnGpuTextureDesc){.name = "mips",
                                         .format = CN_GPU_FORMAT_RGBA8,
                                         .width = 4,
                                         .height = 4,
                                         .mips = CN_GPU_ALL_MIPS,
                                         .usage = CN_GPU_USE_COPY_FROM | CN_GPU_USE_COPY_TO});
    assert_int_equal(cn_gpu_texture_desc(gpu, texture).mips, 3);
    uint32_t texels[16];
    for (uint32_t i = 0; i < 16; i++)
        texels[i] = 0xff000000u | ((i % 4 / 2) + (i / 8) * 2) * 0x202020u * 2;
    CnGpuBuffer readback = make_readback(gpu, 20);
    CnGpuCommands *commands = begin_frame(gpu);
    texture_barrier(commands, texture, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    buffer_barrier(commands, readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    fill(commands, texture, texels, sizeof texels, (CnGpuRegion){0});
    for (uint32_t mip = 0; mip < 3; mip++) {
        cn_gpu_barriers(commands,
                        &(CnGpuBarrier){.texture = texture,
                                        .before = CN_GPU_ACCESS_COPY_TO,
                                        .after = CN_GPU_ACCESS_COPY_FROM,
                                        .mip = mip,
                                        .mip_count = 1},
                        1);
        if (mip < 2)
            cn_gpu_blit(commands, texture, mip, texture, mip + 1, CN_GPU_LINEAR);
    }
    cn_gpu_copy_from_texture(commands, texture, readback, &(CnGpuRegion){.mip = 1});
    cn_gpu_copy_from_texture(commands, texture, readback, &(CnGpuRegion){.mip = 2, .offset = 16});
    buffer_barrier(commands, readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
    end_frame(gpu);
    const uint32_t *read = cn_gpu_buffer_data(gpu, readback);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(read[i], 0xff000000u | i * 0x404040u);
    assert_int_equal(read[4], 0xff606060u);
    cn_gpu_buffer_destroy(gpu, readback);
    cn_gpu_texture_destroy(gpu, texture);
}

static CnGpuBuffer make_results(uint64_t size)
{
    return cn_gpu_buffer_create(
        gpu,
        &(CnGpuBufferDesc){
            .name = "results", .size = size, .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_FROM},
        NULL);
}

static void copy_results(CnGpuCommands *commands, CnGpuBuffer results, CnGpuBuffer readback)
{
    buffer_barrier(commands, results, CN_GPU_ACCESS_WRITE_COMPUTE, CN_GPU_ACCESS_COPY_FROM);
    buffer_barrier(commands, readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_buffer(commands, results, 0, readback, 0, cn_gpu_buffer_size(gpu, readback));
    buffer_barrier(commands, readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
}

typedef struct SampleConstants {
    uint32_t size[2];
    float lod;
} SampleConstants;

/* The red of the first texel that a shader sees in a texture of two mips: 1 in the first, 1/4 in
 * the second. */
static float sample(bool one_mip, uint32_t mip, float lod)
{
    static const float mips[2][4] = {{1, 1, 1, 1}, {0.25f}};
    CnGpuTexture texture =
        make_texture(&(CnGpuTextureDesc){.name = "sampled",
                                         .format = CN_GPU_FORMAT_R32F,
                                         .width = 2,
                                         .height = 2,
                                         .mips = 2,
                                         .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO});
    CnGpuPipeline pipeline =
        make_compute(&(CnGpuComputeDesc){.name = "sample",
                                         .shader = SHADER(cn_shader_tests_sample_comp),
                                         .bindings = {CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE},
                                         .constants = sizeof(SampleConstants)});
    CnGpuSampler sampler = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, NULL);
    CnGpuBuffer results = make_results(16), readback = make_readback(gpu, 16);
    CnGpuCommands *commands = begin_frame(gpu);
    texture_barrier(commands, texture, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    fill(commands, texture, mips[0], 16, (CnGpuRegion){0});
    fill(commands, texture, mips[1], 4, (CnGpuRegion){.mip = 1});
    texture_barrier(commands, texture, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    buffer_barrier(commands, results, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_pipeline(commands, pipeline);
    if (one_mip)
        cn_gpu_bind_texture_mip(commands, 0, texture, mip, sampler);
    else
        cn_gpu_bind_texture(commands, 0, texture, sampler);
    cn_gpu_bind_buffer(commands, 1, results, 0, 0);
    cn_gpu_push_constants(commands, &(SampleConstants){{1, 1}, lod}, sizeof(SampleConstants));
    cn_gpu_dispatch(commands, 1, 1, 1);
    copy_results(commands, results, readback);
    end_frame(gpu);
    float seen = *(const float *)cn_gpu_buffer_data(gpu, readback);
    cn_gpu_texture_destroy(gpu, texture);
    cn_gpu_pipeline_destroy(gpu, pipeline);
    cn_gpu_buffer_destroy(gpu, results);
    cn_gpu_buffer_destroy(gpu, readback);
    return seen;
}

static void a_texture_is_bound_with_all_its_mips_or_one(void **state)
{
    (void)state;
    need_gpu();
    assert_true(sample(false, 0, 0.0f) == 1.0f);
    assert_true(sample(false, 0, 1.0f) == 0.25f);
    assert_true(sample(true, 1, 0.0f) == 0.25f);
    assert_true(sample(true, 0, 1.0f) == 1.0f);
}

static void cubes_have_six_faces_and_volumes_slices(void **state)
{
    (void)state;
    need_gpu();
    static const float faces[6] = {1, 2, 3, 4, 5, 6}, slices[2] = {7, 8};
    CnGpuTexture cube =
        make_texture(&(CnGpuTextureDesc){.name = "cube",
                                         .format = CN_GPU_FORMAT_R32F,
                                         .width = 1,
                                         .height = 1,
                                         .cube = true,
                                         .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO});
    CnGpuTexture volume =
        make_texture(&(CnGpuTextureDesc){.name = "volume",
                                         .format = CN_GPU_FORMAT_R32F,
                                         .width = 1,
                                         .height = 1,
                                         .depth = 2,
                                         .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO});
    assert_int_equal(cn_gpu_texture_desc(gpu, cube).layers, 6);
    CnGpuPipeline pipeline = make_compute(&(CnGpuComputeDesc){
        .name = "cube",
        .shader = SHADER(cn_shader_tests_sample_cube_comp),
        .bindings = {CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE}});
    CnGpuSampler sampler = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, NULL);
    CnGpuBuffer results = make_results(8 * 16), readback = make_readback(gpu, 8 * 16);
    CnGpuCommands *commands = begin_frame(gpu);
    texture_barrier(commands, cube, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    texture_barrier(commands, volume, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    fill(commands, cube, faces, sizeof faces, (CnGpuRegion){.layer_count = 6});
    fill(commands, volume, slices, sizeof slices, (CnGpuRegion){0});
    texture_barrier(commands, cube, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    texture_barrier(commands, volume, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    buffer_barrier(commands, results, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_pipeline(commands, pipeline);
    cn_gpu_bind_texture(commands, 0, cube, sampler);
    cn_gpu_bind_texture(commands, 1, volume, sampler);
    cn_gpu_bind_buffer(commands, 2, results, 0, 0);
    cn_gpu_dispatch(commands, 1, 1, 1);
    copy_results(commands, results, readback);
    end_frame(gpu);
    const float *seen = cn_gpu_buffer_data(gpu, readback);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(seen[i * 4] == (float)(i + 1));
    cn_gpu_texture_destroy(gpu, cube);
    cn_gpu_texture_destroy(gpu, volume);
    cn_gpu_pipeline_destroy(gpu, pipeline);
    cn_gpu_buffer_destroy(gpu, results);
    cn_gpu_buffer_destroy(gpu, readback);
}

static void shaders_store_into_textures(void **state)
{
    (void)state;
    need_gpu();
    CnGpuTexture texture =
        make_texture(&(CnGpuTextureDesc){.name = "stored",
                                         .format = CN_GPU_FORMAT_RGBA8,
                                         .width = 10,
                                         .height = 10,
                                         .mips = 2,
                                         .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_FROM});
    CnGpuPipeline pipeline =
        make_compute(&(CnGpuComputeDesc){.name = "store",
                                         .shader = SHADER(cn_shader_tests_store_comp),
                                         .bindings = {CN_GPU_BIND_STORAGE_TEXTURE}});
    CnGpuBuffer readback = make_readback(gpu, 25 * 4);
    CnGpuCommands *commands = begin_frame(gpu);
    texture_barrier(commands, texture, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_pipeline(commands, pipeline);
    cn_gpu_bind_storage_texture(commands, 0, texture, 1);
    cn_gpu_dispatch(commands, 2, 2, 1);
    texture_barrier(commands, texture, CN_GPU_ACCESS_WRITE_COMPUTE, CN_GPU_ACCESS_COPY_FROM);
    buffer_barrier(commands, readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_from_texture(commands, texture, readback, &(CnGpuRegion){.mip = 1});
    buffer_barrier(commands, readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
    end_frame(gpu);
    const uint32_t *read = cn_gpu_buffer_data(gpu, readback);
    for (uint32_t i = 0; i < 25; i++)
        assert_int_equal(read[i], 0xff000000u | (i / 5) << 8 | i % 5);
    cn_gpu_texture_destroy(gpu, texture);
    cn_gpu_pipeline_destroy(gpu, pipeline);
    cn_gpu_buffer_destroy(gpu, readback);
}

static void a_region_of_a_texture_can_be_written(void **state)
{
    (void)state;
    need_gpu();
    CnGpuTexture texture =
        make_texture(&(CnGpuTextureDesc){.name = "regions",
                                         .format = CN_GPU_FORMAT_R32U,
                                         .width = 4,
                                         .height = 4,
                                         .layers = 3,
                                         .usage = CN_GPU_USE_COPY_TO | CN_GPU_USE_COPY_FROM});
    static const uint32_t zeros[16], ones[4] = {1, 2, 3, 4};
    CnGpuBuffer readback = make_readback(gpu, 64);
    CnGpuCommands *commands = begin_frame(gpu);
    texture_barrier(commands, texture, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    buffer_barrier(commands, readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    fill(commands, texture, zeros, sizeof zeros, (CnGpuRegion){.layer = 2});
    texture_barrier(commands, texture, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_COPY_TO);
    fill(commands, texture, ones, sizeof ones,
         (CnGpuRegion){.layer = 2, .x = 1, .y = 2, .width = 2, .height = 2});
    texture_barrier(commands, texture, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_COPY_FROM);
    cn_gpu_copy_from_texture(commands, texture, readback, &(CnGpuRegion){.layer = 2});
    buffer_barrier(commands, readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
    end_frame(gpu);
    static const uint32_t wanted[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0};
    assert_memory_equal(cn_gpu_buffer_data(gpu, readback), wanted, sizeof wanted);
    cn_gpu_texture_destroy(gpu, texture);
    cn_gpu_buffer_destroy(gpu, readback);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formats_can_be_made_filled_and_read),
        cmocka_unit_test(what_a_format_cannot_do_is_an_error_that_names_it),
        cmocka_unit_test(blits_make_mips),
        cmocka_unit_test(a_texture_is_bound_with_all_its_mips_or_one),
        cmocka_unit_test(cubes_have_six_faces_and_volumes_slices),
        cmocka_unit_test(shaders_store_into_textures),
        cmocka_unit_test(a_region_of_a_texture_can_be_written),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

/* Shaders that do not fit their pipeline are refused before a driver sees them. */
#include "gpu_device.h"

#include "gpu/spirv_check.h"
#include "random.h"

#include "shaders/tests/address.comp.h"
#include "shaders/tests/color.frag.h"
#include "shaders/tests/numbers.comp.h"
#include "shaders/tests/sample.comp.h"
#include "shaders/tests/sample_cube.comp.h"
#include "shaders/tests/store.comp.h"
#include "shaders/tests/triangle.vert.h"

#include <string.h>

#define SHADER(name)                                                                               \
    (CnGpuShader)                                                                                  \
    {                                                                                              \
        name, sizeof name                                                                          \
    }
#define BIND(...) ((const CnGpuBindingKind[CN_GPU_MAX_BINDINGS]){__VA_ARGS__})

static CnError error;

static bool check(CnGpuShader shader, CniGpuShaderStage stage, const CnGpuBindingKind *bindings,
                  uint32_t constants)
{
    error = (CnError){0};
    return cni_gpu_spirv_check(
        &shader, &(CniGpuShaderInterface){"test", stage, bindings, constants}, &error);
}

static void shaders_that_fit_pass(void **state)
{
    (void)state;
    assert_true(check(SHADER(cn_shader_tests_numbers_comp), CNI_GPU_SHADER_STAGE_COMPUTE,
                      BIND(CN_GPU_BIND_STORAGE), 12));
    assert_true(check(SHADER(cn_shader_tests_address_comp), CNI_GPU_SHADER_STAGE_COMPUTE,
                      BIND(CN_GPU_BIND_STORAGE), 16));
    assert_true(check(SHADER(cn_shader_tests_sample_comp), CNI_GPU_SHADER_STAGE_COMPUTE,
                      BIND(CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE), 12));
    assert_true(check(
        SHADER(cn_shader_tests_sample_cube_comp), CNI_GPU_SHADER_STAGE_COMPUTE,
        BIND(CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE, CN_GPU_BIND_UNIFORM),
        0));
    assert_true(check(SHADER(cn_shader_tests_store_comp), CNI_GPU_SHADER_STAGE_COMPUTE,
                      BIND(CN_GPU_BIND_STORAGE_TEXTURE), 0));
    assert_true(check(SHADER(cn_shader_tests_triangle_vert), CNI_GPU_SHADER_STAGE_VERTEX,
                      BIND(CN_GPU_BIND_STORAGE), 20));
    assert_true(
        check(SHADER(cn_shader_tests_color_frag), CNI_GPU_SHADER_STAGE_FRAGMENT, BIND(0), 20));
    assert_true(cni_gpu_spirv_has_entry(&SHADER(cn_shader_tests_color_frag)));
}

static void a_binding_that_the_pipeline_lacks_is_named(void **state)
{
    (void)state;
    assert_false(check(SHADER(cn_shader_tests_sample_comp), CNI_GPU_SHADER_STAGE_COMPUTE,
                       BIND(CN_GPU_BIND_TEXTURE), 12));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_string_equal(error.message,
                        "the compute shader of test uses binding 1, but the pipeline has 1");
}

static void a_binding_of_another_kind_is_named(void **state)
{
    (void)state;
    assert_false(check(SHADER(cn_shader_tests_store_comp), CNI_GPU_SHADER_STAGE_COMPUTE,
                       BIND(CN_GPU_BIND_TEXTURE), 0));
    assert_string_equal(
        error.message,
        "binding 0 is a storage texture in the compute shader of test, and a texture in the pipeline");
    assert_false(check(SHADER(cn_shader_tests_triangle_vert), CNI_GPU_SHADER_STAGE_VERTEX,
                       BIND(CN_GPU_BIND_UNIFORM), 20));
}

static void constants_that_the_pipeline_lacks_are_found(void **state)
{
    (void)state;
    assert_false(check(SHADER(cn_shader_tests_numbers_comp), CNI_GPU_SHADER_STAGE_COMPUTE,
                       BIND(CN_GPU_BIND_STORAGE), 8));
    assert_string_equal(
        error.message,
        "the compute shader of test has a constant at 8, but the pipeline has 8 bytes");
}

static void a_shader_of_another_stage_is_refused(void **state)
{
    (void)state;
    assert_false(
        check(SHADER(cn_shader_tests_color_frag), CNI_GPU_SHADER_STAGE_VERTEX, BIND(0), 20));
    assert_string_equal(error.message, "the vertex shader of test is for another stage");
}

static void a_shader_that_is_cut_off_is_refused_or_harmless(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < sizeof cn_shader_tests_sample_comp; bytes++) {
        uint32_t copy[sizeof cn_shader_tests_sample_comp / 4];
        memcpy(copy, cn_shader_tests_sample_comp, bytes);
        bool ok = check((CnGpuShader){copy, bytes}, CNI_GPU_SHADER_STAGE_COMPUTE,
                        BIND(CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE), 12);
        if (bytes % 4 || bytes < 20)
            assert_false(ok);
    }
}

static void damaged_words_are_never_followed_outside(void **state)
{
    (void)state;
    TestRandom random = {3};
    uint32_t refused = 0;
    for (uint32_t round = 0; round < 20000; round++) {
        uint32_t copy[sizeof cn_shader_tests_sample_cube_comp / 4];
        memcpy(copy, cn_shader_tests_sample_cube_comp, sizeof copy);
        for (uint32_t i = 0; i < 3; i++)
            copy[test_random_below(&random, CN_COUNT_OF(copy))] = (uint32_t)test_random(&random);
        refused += !check((CnGpuShader){copy, sizeof copy}, CNI_GPU_SHADER_STAGE_COMPUTE,
                          BIND(CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE), 0);
        cni_gpu_spirv_has_entry(&(CnGpuShader){copy, sizeof copy});
    }
    assert_true(refused > 10000);
}

static void the_null_backend_takes_a_header_alone_and_vulkan_does_not(void **state)
{
    (void)state;
    static const uint32_t header[] = {0x07230203u, 0x10600u, 0, 1, 0};
    CnGpuComputeDesc desc = {.name = "empty", .shader = SHADER(header)};
    CnGpu *gpu = make_null();
    CnGpuPipeline pipeline = cn_gpu_compute_pipeline_create(gpu, &desc, NULL);
    assert_int_not_equal(pipeline.id, 0);
    cn_gpu_pipeline_destroy(gpu, pipeline);
    end_gpu(gpu);
    gpu = make_vulkan(NULL);
    if (!gpu)
        skip();
    error = (CnError){0};
    assert_int_equal(cn_gpu_compute_pipeline_create(gpu, &desc, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    end_gpu(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaders_that_fit_pass),
        cmocka_unit_test(a_binding_that_the_pipeline_lacks_is_named),
        cmocka_unit_test(a_binding_of_another_kind_is_named),
        cmocka_unit_test(constants_that_the_pipeline_lacks_are_found),
        cmocka_unit_test(a_shader_of_another_stage_is_refused),
        cmocka_unit_test(a_shader_that_is_cut_off_is_refused_or_harmless),
        cmocka_unit_test(damaged_words_are_never_followed_outside),
        cmocka_unit_test(the_null_backend_takes_a_header_alone_and_vulkan_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Pipelines in a file: written, used again, and not used when it is damaged. */
#include "gpu_device.h"
#include "faulty_files.h"
#include "scratch.h"

#include "shaders/tests/numbers.comp.h"
#include "shaders/tests/store.comp.h"

#include <cairn/base/log.h>

#include <string.h>

static Scratch scratch;
static uint32_t rejections;

static void hear(const CnLogRecord *record, void *user)
{
    (void)user;
    rejections += strstr(record->message, "it is ignored") != NULL;
}

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    rejections = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static CnGpu *make_gpu(CnFileSystem *files)
{
    int sink = cn_log_add_sink(&(CnLogSink){.write = hear, .level = CN_LOG_LEVEL_INFO});
    CnGpu *gpu = make_vulkan(
        &(CnGpuDesc){.files = files, .cache_path = scratch_path(&scratch, "pipelines")});
    cn_log_remove_sink(sink);
    if (!gpu)
        skip();
    return gpu;
}

static void compile(CnGpu *gpu, const uint32_t *code, size_t bytes, CnGpuBindingKind binding)
{
    CnGpuPipeline pipeline = cn_gpu_compute_pipeline_create(
        gpu,
        &(CnGpuComputeDesc){
            .name = "cached", .shader = {code, bytes}, .bindings = {binding}, .constants = 12},
        NULL);
    assert_int_not_equal(pipeline.id, 0);
    cn_gpu_pipeline_destroy(gpu, pipeline);
}

static void compile_numbers(CnGpu *gpu)
{
    compile(gpu, cn_shader_tests_numbers_comp, sizeof cn_shader_tests_numbers_comp,
            CN_GPU_BIND_STORAGE);
}

static CnFileBytes read_cache(void)
{
    CnFileBytes bytes = {0};
    CnError error = {0};
    if (!cn_file_read_all(cn_native_files(), scratch_path(&scratch, "pipelines"), NULL, &bytes,
                          &error))
        fail_msg("%s", error.message);
    return bytes;
}

static void write_cache(const void *bytes, size_t size)
{
    assert_true(cn_file_write_all(cn_native_files(), scratch_path(&scratch, "pipelines"), bytes,
                                  size, NULL));
}

static void the_end_of_a_gpu_writes_its_pipelines_and_the_next_takes_them(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu(cn_native_files());
    compile_numbers(gpu);
    end_gpu(gpu);
    CnFileBytes bytes = read_cache();
    assert_true(bytes.size > 32);
    cn_file_bytes_free(&bytes);
    gpu = make_gpu(cn_native_files());
    compile_numbers(gpu);
    end_gpu(gpu);
    assert_int_equal(rejections, 0);
    assert_int_equal(scratch_count(&scratch), 1); /* nothing temporary is left */
}

static void saving_can_be_requested(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu(cn_native_files());
    compile(gpu, cn_shader_tests_store_comp, sizeof cn_shader_tests_store_comp,
            CN_GPU_BIND_STORAGE_TEXTURE);
    assert_true(cn_gpu_save_pipeline_cache(gpu, NULL));
    CnFileBytes bytes = read_cache();
    assert_true(bytes.size > 32);
    cn_file_bytes_free(&bytes);
    end_gpu(gpu);
    CnError error = {0};
    gpu = make_null();
    assert_false(cn_gpu_save_pipeline_cache(gpu, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    end_gpu(gpu);
}

/* Every byte of the header, some of the rest, and every kind of cut. */
static void a_damaged_file_is_not_used_and_replaced(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu(cn_native_files());
    compile_numbers(gpu);
    end_gpu(gpu);
    CnFileBytes good = read_cache();
    const size_t places[] = {0, 4, 8, 12, 16, 20, 36, 40, 48, 56, good.size - 1};
    const size_t cuts[] = {0, 1, 31, 55, 56, good.size - 1};
    uint32_t tried = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(places); i++) {
        good.data[places[i]] ^= 0x40;
        write_cache(good.data, good.size);
        good.data[places[i]] ^= 0x40;
        gpu = make_gpu(cn_native_files());
        assert_int_equal(rejections, ++tried);
        if (i == 0)
            compile_numbers(gpu);
        end_gpu(gpu);
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(cuts); i++) {
        write_cache(good.data, cuts[i]);
        gpu = make_gpu(cn_native_files());
        assert_int_equal(rejections, ++tried);
        end_gpu(gpu);
    }
    /* The last of them has written a good one. */
    gpu = make_gpu(cn_native_files());
    assert_int_equal(rejections, tried);
    end_gpu(gpu);
    cn_file_bytes_free(&good);
}

static void a_disk_that_fails_costs_the_cache_alone(void **state)
{
    (void)state;
    static const FaultyOperation operations[] = {FAULT_OPEN, FAULT_WRITE, FAULT_SYNC, FAULT_RENAME};
    for (uint32_t i = 0; i < CN_COUNT_OF(operations); i++) {
        FaultyFiles faulty;
        faulty_files_init(&faulty, cn_native_files());
        CnGpu *gpu = make_gpu(&faulty.files);
        compile_numbers(gpu);
        faulty_files_fail(&faulty, operations[i], 0, FAULT_POWER_CUT);
        CnError error = {0};
        assert_false(cn_gpu_save_pipeline_cache(gpu, &error));
        assert_int_equal(error.code, CN_ERROR_IO);
        end_gpu(gpu);
        assert_int_equal(faulty.open_files, 0);
    }
}

#define CACHE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHE(the_end_of_a_gpu_writes_its_pipelines_and_the_next_takes_them),
        CACHE(saving_can_be_requested),
        CACHE(a_damaged_file_is_not_used_and_replaced),
        CACHE(a_disk_that_fails_costs_the_cache_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

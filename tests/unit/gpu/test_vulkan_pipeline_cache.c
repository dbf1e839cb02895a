/* Pipelines in a file: written, used again, and not used when it is damaged. */
#include "gpu_device.h"
#include "scratch.h"

#include "shaders/tests/numbers.comp.h"
#include "shaders/tests/store.comp.h"

#include <cairn/base/log.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static Scratch scratch;
static CnCache *cache;
static uint32_t rejections;

static void hear(const CnLogRecord *record, void *user)
{
    (void)user;
    rejections += strstr(record->message, "is ignored: ") != NULL;
}

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    rejections = 0;
    cache = cn_cache_create(&(CnCacheDesc){.folder = scratch_path(&scratch, "cache")}, NULL);
    return cache ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    cn_cache_destroy(cache);
    scratch_fini(&scratch);
    return 0;
}

static CnGpu *make_gpu(void)
{
    int sink = cn_log_add_sink(&(CnLogSink){.write = hear, .level = CN_LOG_LEVEL_INFO});
    CnGpu *gpu = make_vulkan(&(CnGpuDesc){.cache = cache});
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

static const char *entry_path(void)
{
    return scratch_path(&scratch, "cache/pipelines");
}

static CnFileBytes read_cache(void)
{
    CnFileBytes bytes = {0};
    CnError error = {0};
    if (!cn_file_read_all(cn_native_files(), entry_path(), NULL, &bytes, &error))
        fail_msg("%s", error.message);
    return bytes;
}

static void write_cache(const void *bytes, size_t size)
{
    assert_true(cn_file_write_all(cn_native_files(), entry_path(), bytes, size, NULL));
}

static void the_end_of_a_gpu_writes_its_pipelines_and_the_next_takes_them(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
    compile_numbers(gpu);
    end_gpu(gpu);
    CnFileBytes bytes = read_cache();
    assert_true(bytes.size > 32);
    cn_file_bytes_free(&bytes);
    gpu = make_gpu();
    compile_numbers(gpu);
    end_gpu(gpu);
    assert_int_equal(rejections, 0);
    Scratch folder;
    cn_copy_text(folder.folder, sizeof folder.folder, cn_text(scratch_path(&scratch, "cache")));
    assert_int_equal(scratch_count(&folder), 2); /* the key, the pipelines, nothing temporary */
}

static void saving_can_be_requested(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
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

/* Bytes of every field of the headers, some of the rest, and every kind of cut. */
static void a_damaged_file_is_not_used_and_replaced(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
    compile_numbers(gpu);
    end_gpu(gpu);
    CnFileBytes good = read_cache();
    const size_t places[] = {0, 7, 8, 31, 32, 47, 48, 111, 112, 116, 120, 160, good.size - 1};
    const size_t cuts[] = {0, 1, 111, 112, 113, 160, good.size - 1};
    uint32_t tried = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(places); i++) {
        good.data[places[i]] ^= 0x40;
        write_cache(good.data, good.size);
        good.data[places[i]] ^= 0x40;
        gpu = make_gpu();
        assert_int_equal(rejections, ++tried);
        if (i == 0)
            compile_numbers(gpu);
        end_gpu(gpu);
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(cuts); i++) {
        write_cache(good.data, cuts[i]);
        gpu = make_gpu();
        assert_int_equal(rejections, ++tried);
        end_gpu(gpu);
    }
    /* The last of them has written a good one. */
    gpu = make_gpu();
    assert_int_equal(rejections, tried);
    end_gpu(gpu);
    cn_file_bytes_free(&good);
}

/* The kernel refuses to write more than these bytes to a file. */
static void a_full_disk_costs_the_cache_alone(void **state)
{
    (void)state;
    static const rlim_t room[] = {0, 1, 112, 150};
    struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (uint32_t i = 0; i < CN_COUNT_OF(room); i++) {
        CnGpu *gpu = make_gpu();
        compile_numbers(gpu);
        CnError error = {0};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){room[i], before.rlim_max}), 0);
        bool is_saved = cn_gpu_save_pipeline_cache(gpu, &error);
        end_gpu(gpu);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_false(is_saved);
        assert_int_equal(error.code, CN_ERROR_IO);
        assert_int_not_equal(access(entry_path(), F_OK), 0);
    }
}

/* It has the right code, because this user wrote it, but describes another device. */
static void pipelines_of_another_device_are_not_used(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
    compile_numbers(gpu);
    end_gpu(gpu);
    CnFileBytes good, bytes;
    assert_true(cn_cache_read(cache, "pipelines", NULL, &good));
    assert_true(cn_cache_read(cache, "pipelines", NULL, &bytes));
    bytes.data[12] ^= 1; /* the number of the device */
    assert_true(cn_cache_write(cache, "pipelines", bytes.data, bytes.size, NULL));
    cn_file_bytes_free(&bytes);
    gpu = make_gpu();
    compile_numbers(gpu);
    end_gpu(gpu);
    assert_int_equal(rejections, 0);
    assert_true(cn_cache_read(cache, "pipelines", NULL, &bytes));
    assert_memory_equal(bytes.data, good.data, 40);
    cn_file_bytes_free(&bytes);
    cn_file_bytes_free(&good);
}

#define CACHE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHE(the_end_of_a_gpu_writes_its_pipelines_and_the_next_takes_them),
        CACHE(saving_can_be_requested),
        CACHE(a_damaged_file_is_not_used_and_replaced),
        CACHE(a_full_disk_costs_the_cache_alone),
        CACHE(pipelines_of_another_device_are_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Damaged files of cached pipelines: data is found only in files of this device whose headers are
 * right, and lies inside of the file. The cases come from a seed, so every run tests the same
 * ones. */
#include "cmocka_tests.h"
#include "random.h"

#include "gpu/pipeline_cache.h"

#include <cairn/base/memory.h>

#include <string.h>

enum { CASES = 1000000, DATA_BYTES = 64 };

#define HEADER_BYTES sizeof(CniGpuPipelineCacheHeader)
#define FILE_BYTES (HEADER_BYTES + DATA_BYTES)

static const CniGpuPipelineCacheId id = {
    .vendor = 0x10005, .device = 0, .driver = 7, .uuid = {1, 2, 3, 4, 5, 6, 7, 8, 9}};

static void make_file(uint8_t file[FILE_BYTES])
{
    CniGpuPipelineCacheHeader header = cni_gpu_pipeline_cache_header(&id, DATA_BYTES);
    const uint32_t vulkan[] = {32, 1, id.vendor, id.device};
    memset(file, 0xA5, FILE_BYTES);
    memcpy(file, &header, sizeof header);
    memcpy(file + sizeof header, vulkan, sizeof vulkan);
    memcpy(file + sizeof header + sizeof vulkan, id.uuid, sizeof id.uuid);
}

static void a_right_file_gives_its_data(void **state)
{
    (void)state;
    uint8_t file[FILE_BYTES];
    size_t size;
    make_file(file);
    assert_ptr_equal(cni_gpu_pipeline_cache_find_data(&id, file, sizeof file, &size),
                     file + HEADER_BYTES);
    assert_int_equal(size, DATA_BYTES);
}

static void each_byte_of_the_headers_matters(void **state)
{
    (void)state;
    uint8_t file[FILE_BYTES];
    size_t size;
    for (size_t at = 0; at < HEADER_BYTES + 32; at++) {
        make_file(file);
        file[at] ^= 0x10;
        assert_null(cni_gpu_pipeline_cache_find_data(&id, file, sizeof file, &size));
        assert_int_equal(size, 0);
    }
}

/* Each case is a block of its own size, so that AddressSanitizer sees a read past its end. */
static void damaged_files_give_nothing_or_a_part_of_themselves(void **state)
{
    (void)state;
    TestRandom random = {3};
    uint8_t good[FILE_BYTES];
    make_file(good);
    for (uint32_t i = 0; i < CASES; i++) {
        size_t file_bytes = test_random_chance(&random, 50)
                                ? sizeof good
                                : test_random_below(&random, (uint32_t)sizeof good);
        uint8_t *file = cn_alloc(NULL, file_bytes + 1);
        memcpy(file, good, file_bytes);
        bool is_header_changed = file_bytes < sizeof good;
        for (uint32_t n = test_random_below(&random, 3); n > 0 && file_bytes > 0; n--) {
            size_t at = test_random_below(&random, (uint32_t)file_bytes);
            uint8_t byte = (uint8_t)test_random(&random);
            is_header_changed |= at < HEADER_BYTES + 32 && file[at] != byte;
            file[at] = byte;
        }
        size_t size;
        const uint8_t *data = cni_gpu_pipeline_cache_find_data(&id, file, file_bytes, &size);
        if (data)
            assert_true(data == file + HEADER_BYTES && size == file_bytes - HEADER_BYTES);
        else
            assert_true(is_header_changed && size == 0);
        cn_free(NULL, file, file_bytes + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_file_gives_its_data),
        cmocka_unit_test(each_byte_of_the_headers_matters),
        cmocka_unit_test(damaged_files_give_nothing_or_a_part_of_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

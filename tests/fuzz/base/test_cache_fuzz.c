/* Damaged cache entries: none is ever returned. The cases come from a seed, so every run tests the
 * same ones. */
#include "cmocka_tests.h"
#include "random.h"
#include "scratch.h"

#include <cairn/base/cache.h>
#include <cairn/base/log.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { CASES = 20000, MAX_BYTES = 400 };

static size_t mutate(TestRandom *random, uint8_t *bytes, size_t size)
{
    for (uint32_t n = 1 + test_random_below(random, 4); n > 0; n--) {
        size_t at = test_random_below(random, (uint32_t)size);
        switch (test_random_below(random, 4)) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << test_random_below(random, 8));
            break;
        case 1:
            size = at + 1;
            break;
        case 2:
            while (size < MAX_BYTES && test_random_chance(random, 90))
                bytes[size++] = (uint8_t)test_random(random);
            break;
        default:
            memmove(bytes + at, bytes, size - at);
        }
    }
    return size;
}

static void a_damaged_entry_is_never_returned(void **state)
{
    (void)state;
    Scratch scratch;
    TestRandom random = {18};
    uint8_t good[300], content[150], bytes[MAX_BYTES];
    scratch_init(&scratch);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    CnCache *cache = cn_cache_create(&(CnCacheDesc){.folder = scratch.folder}, NULL);
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (uint8_t)test_random(&random);
    assert_true(cn_cache_write(cache, "a", content, sizeof content, NULL));
    int file = open(scratch_path(&scratch, "a"), O_RDWR);
    ssize_t good_size = pread(file, good, sizeof good, 0);
    assert_int_equal(good_size, 112 + 150);
    for (uint32_t i = 0; i < CASES; i++) {
        memcpy(bytes, good, (size_t)good_size);
        size_t size = mutate(&random, bytes, (size_t)good_size);
        bool is_same = size == (size_t)good_size && !memcmp(bytes, good, size);
        assert_int_equal(pwrite(file, bytes, size, 0), size);
        assert_int_equal(ftruncate(file, (off_t)size), 0);
        CnFileBytes read;
        assert_true(cn_cache_read(cache, "a", NULL, &read) == is_same);
        cn_file_bytes_free(&read);
    }
    close(file);
    cn_cache_destroy(cache);
    scratch_fini(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_damaged_entry_is_never_returned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

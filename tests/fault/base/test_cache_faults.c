/* The cache while memory, the disk or descriptors run out, and while several processes use it. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "scratch.h"

#include <cairn/base/cache.h>
#include <cairn/base/log.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static Scratch scratch;

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static CnCache *open_cache(CnAllocator *allocator, CnError *error)
{
    return cn_cache_create(
        &(CnCacheDesc){.allocator = allocator, .folder = scratch_path(&scratch, "cache")}, error);
}

static bool use_cache(CnAllocator *allocator, void *user)
{
    (void)user;
    CnFileBytes bytes;
    CnCache *cache = open_cache(allocator, NULL);
    bool ok = cache && cn_cache_write(cache, "a", "bytes", 5, NULL) &&
              cn_cache_read(cache, "a", allocator, &bytes);
    if (ok)
        cn_file_bytes_free(&bytes);
    cn_cache_destroy(cache);
    return ok;
}

static void every_lack_of_memory_is_survived(void **state)
{
    (void)state;
    assert_int_equal(run_with_failing_allocations(use_cache, NULL), 2);
}

static void set_limit(int resource, rlim_t most, struct rlimit *before)
{
    assert_int_equal(getrlimit(resource, before), 0);
    assert_int_equal(setrlimit(resource, &(struct rlimit){most, before->rlim_max}), 0);
}

static size_t file_count(void)
{
    Scratch folder;
    cn_copy_text(folder.folder, sizeof folder.folder, cn_text(scratch_path(&scratch, "cache")));
    return scratch_count(&folder);
}

static void a_full_disk_leaves_the_old_entry_and_nothing_else(void **state)
{
    (void)state;
    CnCache *cache = open_cache(NULL, NULL);
    struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    assert_true(cn_cache_write(cache, "a", "old", 3, NULL));
    for (rlim_t room = 0; room < 112 + 5; room++) {
        CnError error = {0};
        set_limit(RLIMIT_FSIZE, room, &before);
        bool ok = cn_cache_write(cache, "a", "bytes", 5, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_false(ok);
        assert_int_equal(error.code, CN_ERROR_IO);
        assert_int_equal(file_count(), 2);
        CnFileBytes bytes;
        assert_true(cn_cache_read(cache, "a", NULL, &bytes));
        assert_int_equal(bytes.size, 3);
        cn_file_bytes_free(&bytes);
    }
    cn_cache_destroy(cache);
}

static void a_key_that_cannot_be_written_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    struct rlimit before;
    CnError error = {0};
    signal(SIGXFSZ, SIG_IGN);
    set_limit(RLIMIT_FSIZE, 31, &before);
    assert_null(open_cache(NULL, &error));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_non_null(strstr(error.message, "create a key"));
    assert_int_equal(file_count(), 0);
    CnCache *cache = open_cache(NULL, NULL);
    assert_non_null(cache);
    cn_cache_destroy(cache);
}

static void a_lack_of_descriptors_is_an_error(void **state)
{
    (void)state;
    CnCache *cache = open_cache(NULL, NULL);
    struct rlimit before;
    CnError error = {0};
    CnFileBytes bytes;
    assert_true(cn_cache_write(cache, "a", "old", 3, NULL));
    set_limit(RLIMIT_NOFILE, 0, &before);
    bool read = cn_cache_read(cache, "a", NULL, &bytes);
    bool written = cn_cache_write(cache, "a", "new", 3, &error);
    CnCache *other = open_cache(NULL, NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(read);
    assert_false(written);
    assert_null(other);
    assert_int_equal(error.code, CN_ERROR_IO);
    cn_cache_destroy(cache);
}

static void a_file_system_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(cn_cache_create(&(CnCacheDesc){.folder = "/proc/cairn"}, &error));
    assert_non_null(strstr(error.message, "/proc/cairn"));
}

/* ---- Several processes ---- */

enum { PROCESSES = 4, ROUNDS = 200, ENTRY_BYTES = 20000 };

/* Writes and reads the same entry as the others: each entry is whole, whoever wrote it. */
static int run_process(uint8_t number)
{
    static uint8_t content[ENTRY_BYTES];
    memset(content, number, sizeof content);
    CnCache *cache = open_cache(NULL, NULL);
    if (!cache)
        return 1;
    int status = 0;
    for (int i = 0; i < ROUNDS && !status; i++) {
        CnFileBytes bytes;
        if (!cn_cache_write(cache, "shared", content, sizeof content, NULL))
            status = 2;
        else if (!cn_cache_read(cache, "shared", NULL, &bytes))
            status = 3;
        else {
            for (size_t k = 0; k < sizeof content && !status; k++)
                status = bytes.size == sizeof content && bytes.data[k] == bytes.data[0] ? 0 : 4;
            cn_file_bytes_free(&bytes);
        }
    }
    cn_cache_destroy(cache);
    return status;
}

static void processes_that_start_and_write_at_once_see_whole_entries(void **state)
{
    (void)state;
    pid_t children[PROCESSES];
    for (uint8_t i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(run_process(i));
    }
    for (uint32_t i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(file_count(), 2);
}

#define CACHE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHE(every_lack_of_memory_is_survived),
        CACHE(a_full_disk_leaves_the_old_entry_and_nothing_else),
        CACHE(a_key_that_cannot_be_written_is_an_error_and_leaves_nothing),
        CACHE(a_lack_of_descriptors_is_an_error),
        CACHE(a_file_system_that_cannot_be_written_is_an_error),
        CACHE(processes_that_start_and_write_at_once_see_whole_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

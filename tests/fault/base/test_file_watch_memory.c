#include "cmocka_tests.h"
#include "failing_heap.h"
#include "scratch.h"

#include <cairn/base/file.h>
#include <cairn/base/file_watch.h>
#include <cairn/base/log.h>

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

static bool write_file(const char *name)
{
    return cn_file_write_all(cn_native_files(), scratch_path(&scratch, name), "x", 1, NULL);
}

/* A change that cannot be noted is counted, and a report that cannot be made is made later. */
static bool use_watch(CnAllocator *allocator, void *user)
{
    (void)user;
    CnFileChanges changes = {0};
    CnFileSystem *files = cn_native_files();
    files->make_folder(files, scratch_path(&scratch, "a/b"), NULL);
    CnFileWatch *watch = cn_file_watch_create(&(CnFileWatchDesc){.allocator = allocator}, NULL);
    bool ok = watch && cn_file_watch_add(watch,
                                         &(CnWatchedFolder){.path = scratch_path(&scratch, "a"),
                                                            .prefix = "a://",
                                                            .is_recursive = true},
                                         NULL);
    if (ok) {
        assert_true(write_file("a/b/x") && write_file("a/y"));
        cn_file_watch_poll(watch, 1000000000, &changes);
        ok = cn_file_watch_poll(watch, 2000000000, &changes) &&
             changes.count == 4; /* with temporary files */
    }
    cn_file_watch_destroy(watch);
    return ok;
}

static void every_lack_of_memory_is_survived(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(use_watch, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_lack_of_memory_is_survived, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Memory, descriptors and disk that run out. */
#include "vfs_fixture.h"

#include "failing_heap.h"
#include "zip_file.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

static const ZipEntry entries[] = {{"a/packed", "packed", false}, {"b", "b", false}};

static int make_files(void **state)
{
    if (make_fixture(state) != 0)
        return -1;
    assert_true(zip_write(real("game.zip"), entries, CN_COUNT_OF(entries)));
    write_real("inside/loose", "loose");
    return 0;
}

static uint32_t count_descriptors(void)
{
    uint32_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* ---- Memory ---- */

static bool out_of_memory(const CnError *error)
{
    assert_int_equal(error->code, CN_ERROR_MEMORY);
    return false;
}

static bool use(CnVfs *vfs, CnAllocator *allocator)
{
    CnError error = {0};
    CnFileSystem *files = cn_vfs_files(vfs);
    CnFileBytes bytes;
    if (!cn_vfs_mount(vfs, "game", real("game.zip"), CN_MOUNT_READ, &error) ||
        !cn_vfs_mount(vfs, "game", real("inside"), CN_MOUNT_WRITE, &error))
        return out_of_memory(&error);
    static const char *const paths[] = {"game://a/packed", "game://loose"};
    for (size_t i = 0; i < CN_COUNT_OF(paths); i++) {
        if (!cn_file_read_all(files, paths[i], allocator, &bytes, &error))
            return out_of_memory(&error);
        cn_file_bytes_free(&bytes);
    }
    if (!cn_file_write_all(files, "game://loose", "loose", 5, &error))
        return out_of_memory(&error);
    CnTextBuilder names;
    cn_array_init(&names, NULL);
    bool ok = files->list(files, "game://", append_name, &names, &error);
    if (ok)
        assert_string_equal(names.items, "a/ b loose ");
    cn_array_fini(&names);
    return ok || out_of_memory(&error);
}

static bool make_and_use(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnVfs *vfs = cn_vfs_create(&(CnVfsDesc){.allocator = allocator}, &error);
    if (!vfs)
        return out_of_memory(&error);
    bool ok = use(vfs, allocator);
    cn_vfs_destroy(vfs);
    assert_true(content_is(cn_native_files(), real("inside/loose"), "loose"));
    return ok;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    uint32_t before = count_descriptors();
    assert_true(run_with_failing_allocations(make_and_use, NULL) > 8);
    assert_int_equal(count_descriptors(), before);
}

/* ---- Descriptors ---- */

static void set_limit(int resource, rlim_t value, struct rlimit *before)
{
    assert_int_equal(getrlimit((__rlimit_resource_t)resource, before), 0);
    struct rlimit limit = {value, before->rlim_max};
    assert_int_equal(setrlimit((__rlimit_resource_t)resource, &limit), 0);
}

/* With 0, 1, 2... descriptors to spare, until everything works. */
static void every_descriptor_may_be_the_last(void **state)
{
    (void)state;
    mount_real("game", "game.zip", CN_MOUNT_READ);
    mount_real("game", "inside", CN_MOUNT_WRITE);
    CnFileSystem *files = fixture.files;
    uint32_t before = count_descriptors(), successes = 0, failures = 0;
    for (rlim_t spare = 0; successes < 6 && spare < 64; spare++) {
        struct rlimit limit;
        CnFileInfo info;
        bool ok[6];
        set_limit(RLIMIT_NOFILE, 3 + spare, &limit);
        ok[0] = read_any("game://a/packed");
        ok[1] = read_any("game://loose");
        ok[2] = write_text("game://loose", "loose");
        ok[3] = files->info(files, "game://loose", &info, NULL);
        ok[4] = files->make_folder(files, "game://x/y/z", NULL);
        ok[5] = files->rename(files, "game://x/y/z", "game://x/y/z", NULL);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
        successes = 0;
        for (int i = 0; i < 6; i++)
            successes += ok[i];
        failures += 6 - successes;
        assert_int_equal(count_descriptors(), before);
        assert_content("game://loose", "loose");
    }
    assert_int_equal(successes, 6);
    assert_true(failures > 0);
}

/* ---- Disk ---- */

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    static char large[8192];
    mount_real("game", "inside", CN_MOUNT_WRITE);
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    set_limit(RLIMIT_FSIZE, 4096, &limit);
    bool ok = cn_file_write_all(fixture.files, "game://loose", large, sizeof large, &fixture.error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_refused(ok, CN_ERROR_IO, "game://loose");
    assert_content("game://loose", "loose");
    assert_listing("game://", "loose ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, make_files, drop_fixture),
        cmocka_unit_test_setup_teardown(every_descriptor_may_be_the_last, make_files, drop_fixture),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_the_old_file, make_files, drop_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Numbers that name nothing: guards catch them, and without guards the result is harmless. */
#include "guards.h"
#include "vfs_fixture.h"

#include <fcntl.h>
#include <unistd.h>

static const int bad[] = {CN_FILE_NEW + 1, 255, 1 << 20, -1};

/* With a mode that is none. */
static void assert_no_file_opens(CnFileSystem *files, const char *path)
{
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnFile *file = NULL;
        CnError error = {0};
#ifdef CN_GUARDS
        EXPECT_GUARD(files->open(files, path, (CnFileMode)bad[i], &file, &error));
        assert_non_null(strstr(guard_message(), "file mode"));
#else
        assert_false(files->open(files, path, (CnFileMode)bad[i], &file, &error));
        assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
#endif
        assert_null(file);
    }
}

static void a_mode_that_is_none_opens_no_virtual_file(void **state)
{
    (void)state;
    write_real("inside/file", "text");
    mount_real("assets", "inside", CN_MOUNT_WRITE);
    assert_no_file_opens(fixture.files, "assets://file");
    assert_content("assets://file", "text");
}

static void a_mode_that_is_none_opens_no_native_file(void **state)
{
    (void)state;
    write_real("inside/file", "text");
    assert_no_file_opens(cn_native_files(), real("inside/file"));
}

static void a_mode_that_is_none_leaves_a_descriptor_to_the_caller(void **state)
{
    (void)state;
    write_real("inside/file", "text");
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        int descriptor = open(real("inside/file"), O_RDONLY);
        CnFile *file = NULL;
        assert_true(descriptor >= 0);
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_native_file_adopt(descriptor, (CnFileMode)bad[i], "file", &file, NULL));
#else
        assert_false(cn_native_file_adopt(descriptor, (CnFileMode)bad[i], "file", &file, NULL));
#endif
        assert_null(file);
        assert_int_equal(close(descriptor), 0);
    }
}

static void a_mode_that_is_none_mounts_nothing(void **state)
{
    (void)state;
    static const int modes[] = {CN_MOUNT_WRITE + 1, 255, 1 << 20, -1};
    write_real("inside/file", "text");
    for (volatile size_t i = 0; i < CN_COUNT_OF(modes); i++) {
#ifdef CN_GUARDS
        EXPECT_GUARD(
            cn_vfs_mount(fixture.vfs, "assets", real("inside"), (CnMountMode)modes[i], NULL));
        assert_non_null(strstr(guard_message(), "mount mode"));
#else
        assert_false(cn_vfs_mount(fixture.vfs, "assets", real("inside"), (CnMountMode)modes[i],
                                  &fixture.error));
        assert_int_equal(fixture.error.code, CN_ERROR_NOT_FOUND);
#endif
        assert_false(read_any("assets://file"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_mode_that_is_none_opens_no_virtual_file, make_fixture,
                                        drop_fixture),
        cmocka_unit_test_setup_teardown(a_mode_that_is_none_opens_no_native_file, make_fixture,
                                        drop_fixture),
        cmocka_unit_test_setup_teardown(a_mode_that_is_none_leaves_a_descriptor_to_the_caller,
                                        make_fixture, drop_fixture),
        cmocka_unit_test_setup_teardown(a_mode_that_is_none_mounts_nothing, make_fixture,
                                        drop_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

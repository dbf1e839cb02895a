#include "vfs_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static CnFileInfo info_of(const char *path)
{
    CnFileInfo info;
    assert_ok(fixture.files->info(fixture.files, path, &info, &fixture.error));
    return info;
}

/* ---- Reading ---- */

static void a_file_below_a_mounted_folder_is_read(void **state)
{
    (void)state;
    make_real_folder("inside/meshes/low");
    write_real("inside/meshes/low/box.mesh", "box");
    mount_real("assets", "inside", CN_MOUNT_READ);
    assert_content("assets://meshes/low/box.mesh", "box");
}

static void what_is_mounted_first_is_looked_in_first(void **state)
{
    (void)state;
    make_real_folder("second");
    write_real("inside/both", "first");
    write_real("second/both", "second");
    write_real("second/only", "only");
    mount_real("assets", "inside", CN_MOUNT_READ);
    mount_real("assets", "second", CN_MOUNT_READ);
    assert_content("assets://both", "first");
    assert_content("assets://only", "only");
}

static void a_missing_file_is_not_found(void **state)
{
    (void)state;
    mount_real("assets", "inside", CN_MOUNT_READ);
    assert_refused(read_any("assets://none"), CN_ERROR_NOT_FOUND, "'assets://none': there is no");
    assert_refused(read_any("assets://no/such/folder"), CN_ERROR_NOT_FOUND, "there is no");
}

static void a_scheme_that_is_not_mounted_is_not_found(void **state)
{
    (void)state;
    assert_refused(read_any("assets://none"), CN_ERROR_NOT_FOUND, "nothing is mounted");
    assert_refused(write_text("assets://none", "x"), CN_ERROR_NOT_FOUND, "nothing is mounted");
}

static void schemes_are_separate(void **state)
{
    (void)state;
    make_real_folder("second");
    write_real("inside/a", "1");
    write_real("second/a", "2");
    mount_real("one", "inside", CN_MOUNT_READ);
    mount_real("two", "second", CN_MOUNT_READ);
    assert_content("one://a", "1");
    assert_content("two://a", "2");
}

static void a_folder_is_not_opened_as_a_file(void **state)
{
    (void)state;
    make_real_folder("inside/a");
    mount_real("assets", "inside", CN_MOUNT_READ);
    CnFile *file;
    assert_refused(read_any("assets://a"), CN_ERROR_IO, "folder");
    assert_refused(read_any("assets://"), CN_ERROR_IO, "folder");
    assert_refused(
        fixture.files->open(fixture.files, "assets://a", CN_FILE_READ, &file, &fixture.error),
        CN_ERROR_IO, "folder");
}

static void a_pipe_is_not_opened(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(real("inside/pipe"), 0600), 0);
    mount_real("assets", "inside", CN_MOUNT_READ);
    CnFile *file;
    assert_refused(
        fixture.files->open(fixture.files, "assets://pipe", CN_FILE_READ, &file, &fixture.error),
        CN_ERROR_IO, "not a regular file");
}

static void reading_goes_by_offset(void **state)
{
    (void)state;
    write_real("inside/a", "0123456789");
    mount_real("assets", "inside", CN_MOUNT_READ);
    CnFile *file;
    char bytes[16];
    size_t done;
    assert_ok(
        fixture.files->open(fixture.files, "assets://a", CN_FILE_READ, &file, &fixture.error));
    assert_ok(fixture.files->read(fixture.files, file, 7, bytes, 16, &done, &fixture.error));
    assert_int_equal(done, 3);
    assert_memory_equal(bytes, "789", 3);
    assert_ok(fixture.files->read(fixture.files, file, 2, bytes, 3, &done, &fixture.error));
    assert_memory_equal(bytes, "234", 3);
    fixture.files->close(fixture.files, file);
}

/* ---- Looking ---- */

static void the_time_of_a_change_has_nanoseconds(void **state)
{
    (void)state;
    write_real("inside/a", "x");
    struct timespec times[2] = {{1700000000, 123456789}, {1700000000, 123456789}};
    assert_int_equal(utimensat(AT_FDCWD, real("inside/a"), times, 0), 0);
    mount_real("assets", "inside", CN_MOUNT_READ);
    assert_true(info_of("assets://a").modified_ns == 1700000000123456789);
}

static void size_and_kind_are_reported(void **state)
{
    (void)state;
    make_real_folder("inside/b");
    write_real("inside/a", "12345");
    mount_real("assets", "inside", CN_MOUNT_READ);
    assert_int_equal(info_of("assets://a").size_bytes, 5);
    assert_false(info_of("assets://a").is_directory);
    assert_true(info_of("assets://b").is_directory);
    assert_true(info_of("assets://").is_directory);
}

static void listings_of_all_mounts_are_one_in_byte_order(void **state)
{
    (void)state;
    make_real_folder("second/b");
    make_real_folder("inside/d");
    write_real("inside/c", "");
    write_real("inside/B", "");
    write_real("second/a", "");
    write_real("second/c", "");
    mount_real("assets", "inside", CN_MOUNT_READ);
    mount_real("assets", "second", CN_MOUNT_READ);
    assert_listing("assets://", "B a b/ c d/ ");
    assert_listing("assets://b", "");
}

static bool stop(const char *name, bool is_directory, void *user)
{
    (void)name, (void)is_directory;
    (*(int *)user)++;
    return false;
}

static void a_listing_can_be_stopped(void **state)
{
    (void)state;
    int count = 0;
    write_real("inside/a", "");
    write_real("inside/b", "");
    mount_real("assets", "inside", CN_MOUNT_READ);
    assert_ok(fixture.files->list(fixture.files, "assets://", stop, &count, &fixture.error));
    assert_int_equal(count, 1);
}

static void a_folder_that_is_not_there_is_not_listed(void **state)
{
    (void)state;
    write_real("inside/a", "");
    mount_real("assets", "inside", CN_MOUNT_READ);
    int count = 0;
    assert_refused(fixture.files->list(fixture.files, "assets://x", stop, &count, &fixture.error),
                   CN_ERROR_NOT_FOUND, "no such");
    assert_refused(fixture.files->list(fixture.files, "assets://a", stop, &count, &fixture.error),
                   CN_ERROR_NOT_FOUND, "no such");
}

/* ---- Writing ---- */

static void what_is_written_is_read(void **state)
{
    (void)state;
    mount_real("project", "inside", CN_MOUNT_WRITE);
    assert_ok(write_text("project://a", "first"));
    assert_ok(write_text("project://a", "second"));
    assert_content("project://a", "second");
    assert_listing("project://", "a "); /* no temporary file is left */
}

static void what_is_mounted_for_reading_is_not_written(void **state)
{
    (void)state;
    write_real("inside/a", "old");
    mount_real("assets", "inside", CN_MOUNT_READ);
    CnFileSystem *files = fixture.files;
    CnFile *file;
    for (CnFileMode mode = CN_FILE_WRITE; mode <= CN_FILE_UPDATE; mode++)
        assert_refused(files->open(files, "assets://a", mode, &file, &fixture.error),
                       CN_ERROR_PERMISSION, "read-only");
    assert_refused(write_text("assets://a", "new"), CN_ERROR_PERMISSION, "read-only");
    assert_refused(files->remove(files, "assets://a", &fixture.error), CN_ERROR_PERMISSION, "only");
    assert_refused(files->rename(files, "assets://a", "assets://b", &fixture.error),
                   CN_ERROR_PERMISSION, "read-only");
    assert_refused(files->make_folder(files, "assets://b", &fixture.error), CN_ERROR_PERMISSION,
                   "read-only");
    assert_content("assets://a", "old");
}

static void writing_goes_into_the_mount_for_writing_wherever_it_stands(void **state)
{
    (void)state;
    make_real_folder("second");
    mount_real("project", "inside", CN_MOUNT_READ);
    mount_real("project", "second", CN_MOUNT_WRITE);
    assert_ok(write_text("project://a", "text"));
    assert_true(content_is(cn_native_files(), real("second/a"), "text"));
    assert_int_equal(access(real("inside/a"), F_OK), -1);
}

static void a_scheme_has_one_folder_for_writing(void **state)
{
    (void)state;
    make_real_folder("second");
    mount_real("project", "inside", CN_MOUNT_WRITE);
    assert_refused(
        cn_vfs_mount(fixture.vfs, "project", real("second"), CN_MOUNT_WRITE, &fixture.error),
        CN_ERROR_EXISTS, "project://");
    mount_real("other", "second", CN_MOUNT_WRITE);
}

static void append_and_update_work_as_with_native_files(void **state)
{
    (void)state;
    mount_real("project", "inside", CN_MOUNT_WRITE);
    CnFileSystem *files = fixture.files;
    CnFile *file;
    assert_refused(files->open(files, "project://a", CN_FILE_UPDATE, &file, &fixture.error),
                   CN_ERROR_NOT_FOUND, "project://a");
    for (int i = 0; i < 2; i++) {
        assert_ok(files->open(files, "project://a", CN_FILE_APPEND, &file, &fixture.error));
        assert_ok(files->write(files, file, 0, "abc", 3, &fixture.error));
        files->close(files, file);
    }
    assert_content("project://a", "abcabc");
    assert_ok(files->open(files, "project://a", CN_FILE_UPDATE, &file, &fixture.error));
    assert_ok(files->write(files, file, 1, "X", 1, &fixture.error));
    assert_ok(files->truncate(files, file, 4, &fixture.error));
    assert_ok(files->sync(files, file, &fixture.error));
    files->close(files, file);
    assert_content("project://a", "aXca");
}

static void folders_are_made_with_their_parents(void **state)
{
    (void)state;
    mount_real("project", "inside", CN_MOUNT_WRITE);
    CnFileSystem *files = fixture.files;
    assert_ok(files->make_folder(files, "project://a/b/c", &fixture.error));
    assert_ok(files->make_folder(files, "project://a/b/c", &fixture.error));
    assert_ok(files->make_folder(files, "project://", &fixture.error));
    assert_ok(write_text("project://a/b/c/d", "deep"));
    assert_content("project://a/b/c/d", "deep");
    assert_refused(files->make_folder(files, "project://a/b/c/d", &fixture.error), CN_ERROR_EXISTS,
                   "a file with this name");
    assert_refused(files->make_folder(files, "project://a/b/c/d/e", &fixture.error),
                   CN_ERROR_EXISTS, "a file with this name");
}

static void files_and_empty_folders_are_removed_and_renamed(void **state)
{
    (void)state;
    mount_real("project", "inside", CN_MOUNT_WRITE);
    CnFileSystem *files = fixture.files;
    assert_ok(files->make_folder(files, "project://a", &fixture.error));
    assert_ok(write_text("project://a/f", "x"));
    assert_false(files->remove(files, "project://a", &fixture.error));
    assert_ok(files->rename(files, "project://a/f", "project://g", &fixture.error));
    assert_ok(files->remove(files, "project://a", &fixture.error));
    assert_listing("project://", "g ");
    assert_ok(files->remove(files, "project://g", &fixture.error));
    assert_refused(files->remove(files, "project://g", &fixture.error), CN_ERROR_NOT_FOUND, "g");
    assert_refused(files->rename(files, "project://g", "project://h", &fixture.error),
                   CN_ERROR_NOT_FOUND, "h");
}

static void the_mounted_folder_itself_stays(void **state)
{
    (void)state;
    mount_real("project", "inside", CN_MOUNT_WRITE);
    CnFileSystem *files = fixture.files;
    assert_refused(files->remove(files, "project://", &fixture.error), CN_ERROR_PERMISSION,
                   "mounted");
    assert_refused(files->rename(files, "project://", "project://a", &fixture.error),
                   CN_ERROR_PERMISSION, "mounted");
    assert_refused(files->rename(files, "project://a", "project://", &fixture.error),
                   CN_ERROR_PERMISSION, "mounted");
}

static void nothing_is_renamed_from_one_scheme_to_another(void **state)
{
    (void)state;
    make_real_folder("second");
    mount_real("one", "inside", CN_MOUNT_WRITE);
    mount_real("two", "second", CN_MOUNT_WRITE);
    assert_ok(write_text("one://a", "x"));
    assert_refused(fixture.files->rename(fixture.files, "one://a", "two://a", &fixture.error),
                   CN_ERROR_UNSUPPORTED, "another scheme");
}

/* ---- Mounting ---- */

static void what_is_not_there_cannot_be_mounted(void **state)
{
    (void)state;
    assert_refused(cn_vfs_mount(fixture.vfs, "a", real("none"), CN_MOUNT_READ, &fixture.error),
                   CN_ERROR_NOT_FOUND, "none");
    assert_refused(cn_vfs_mount(fixture.vfs, "a", "", CN_MOUNT_READ, &fixture.error),
                   CN_ERROR_FORMAT, "no folder or archive");
    assert_refused(cn_vfs_mount(fixture.vfs, "a", NULL, CN_MOUNT_READ, &fixture.error),
                   CN_ERROR_FORMAT, "no folder or archive");
    assert_refused(read_any("a://x"), CN_ERROR_NOT_FOUND, "nothing is mounted");
}

static void schemes_have_small_letters_digits_and_underscores(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",    "A",  "a-b", "a.b",      "a/b",
        "a:b", "..", " ",   "\xc3\xa4", "a123456789012345678901234567890x"};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++)
        assert_refused(
            cn_vfs_mount(fixture.vfs, bad[i], real("inside"), CN_MOUNT_READ, &fixture.error),
            CN_ERROR_FORMAT, "a scheme has");
    assert_refused(cn_vfs_mount(fixture.vfs, NULL, real("inside"), CN_MOUNT_READ, &fixture.error),
                   CN_ERROR_FORMAT, "a scheme has");
    mount_real("a_9", "inside", CN_MOUNT_READ);
}

static void unmounting_takes_the_whole_scheme_away(void **state)
{
    (void)state;
    make_real_folder("second");
    write_real("inside/a", "x");
    mount_real("one", "inside", CN_MOUNT_READ);
    mount_real("two", "inside", CN_MOUNT_READ);
    mount_real("one", "second", CN_MOUNT_WRITE);
    assert_ok(cn_vfs_unmount(fixture.vfs, "one", &fixture.error));
    assert_refused(read_any("one://a"), CN_ERROR_NOT_FOUND, "nothing is mounted");
    assert_content("two://a", "x");
    assert_refused(cn_vfs_unmount(fixture.vfs, "one", &fixture.error), CN_ERROR_NOT_FOUND, "one");
    mount_real("one", "second", CN_MOUNT_WRITE);
}

static void what_has_open_files_is_not_unmounted(void **state)
{
    (void)state;
    write_real("inside/a", "x");
    mount_real("one", "inside", CN_MOUNT_READ);
    CnFile *file;
    assert_ok(fixture.files->open(fixture.files, "one://a", CN_FILE_READ, &file, &fixture.error));
    assert_refused(cn_vfs_unmount(fixture.vfs, "one", &fixture.error), CN_ERROR_PERMISSION, "open");
    fixture.files->close(fixture.files, file);
    assert_ok(cn_vfs_unmount(fixture.vfs, "one", &fixture.error));
}

static void two_of_them_are_separate(void **state)
{
    (void)state;
    make_real_folder("second");
    write_real("inside/a", "1");
    write_real("second/a", "2");
    CnVfs *other = cn_vfs_create(NULL, &fixture.error);
    assert_non_null(other);
    mount_real("game", "inside", CN_MOUNT_READ);
    assert_false(content_is(cn_vfs_files(other), "game://a", "1"));
    assert_ok(cn_vfs_mount(other, "game", real("second"), CN_MOUNT_WRITE, &fixture.error));
    assert_content("game://a", "1");
    assert_true(content_is(cn_vfs_files(other), "game://a", "2"));
    assert_ok(cn_vfs_unmount(fixture.vfs, "game", &fixture.error));
    assert_true(content_is(cn_vfs_files(other), "game://a", "2"));
    cn_vfs_destroy(other);
}

static void a_mounted_folder_may_be_moved(void **state)
{
    (void)state;
    write_real("inside/a", "x");
    mount_real("game", "inside", CN_MOUNT_READ);
    assert_int_equal(rename(real("inside"), real("moved")), 0);
    assert_content("game://a", "x");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_below_a_mounted_folder_is_read),
        TEST(what_is_mounted_first_is_looked_in_first),
        TEST(a_missing_file_is_not_found),
        TEST(a_scheme_that_is_not_mounted_is_not_found),
        TEST(schemes_are_separate),
        TEST(a_folder_is_not_opened_as_a_file),
        TEST(a_pipe_is_not_opened),
        TEST(reading_goes_by_offset),
        TEST(the_time_of_a_change_has_nanoseconds),
        TEST(size_and_kind_are_reported),
        TEST(listings_of_all_mounts_are_one_in_byte_order),
        TEST(a_listing_can_be_stopped),
        TEST(a_folder_that_is_not_there_is_not_listed),
        TEST(what_is_written_is_read),
        TEST(what_is_mounted_for_reading_is_not_written),
        TEST(writing_goes_into_the_mount_for_writing_wherever_it_stands),
        TEST(a_scheme_has_one_folder_for_writing),
        TEST(append_and_update_work_as_with_native_files),
        TEST(folders_are_made_with_their_parents),
        TEST(files_and_empty_folders_are_removed_and_renamed),
        TEST(the_mounted_folder_itself_stays),
        TEST(nothing_is_renamed_from_one_scheme_to_another),
        TEST(what_is_not_there_cannot_be_mounted),
        TEST(schemes_have_small_letters_digits_and_underscores),
        TEST(unmounting_takes_the_whole_scheme_away),
        TEST(what_has_open_files_is_not_unmounted),
        TEST(two_of_them_are_separate),
        TEST(a_mounted_folder_may_be_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

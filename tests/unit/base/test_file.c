#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/base/file.h>
#include <cairn/base/text.h>

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static Scratch scratch;
static CnFileSystem *files;
static CnError error;

static int make_scratch(void **state)
{
    (void)state;
    files = cn_native_files();
    error = (CnError){0};
    scratch_init(&scratch);
    return 0;
}

static int drop_scratch(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static const char *path_of(const char *name)
{
    return scratch_path(&scratch, name);
}

static void write_text(const char *name, const char *text)
{
    if (!cn_file_write_all(files, path_of(name), text, strlen(text), &error))
        fail_msg("%s", error.message);
}

static void assert_content(const char *name, const char *expected)
{
    CnFileBytes bytes;
    if (!cn_file_read_all(files, path_of(name), NULL, &bytes, &error))
        fail_msg("%s", error.message);
    assert_int_equal(bytes.size, strlen(expected));
    assert_string_equal((char *)bytes.data, expected);
    cn_file_bytes_free(&bytes);
}

static void assert_refused(CnErrorCode code, const char *part)
{
    assert_int_equal(error.code, code);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    write_text("a", "hello");
    assert_content("a", "hello");
    write_text("a", "");
    assert_content("a", "");
}

static void read_bytes_end_with_a_zero_that_is_not_counted(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnFileBytes bytes;
    write_text("a", "hello");
    assert_true(cn_file_read_all(files, path_of("a"), cn_heap_tag(heap, "file"), &bytes, &error));
    assert_int_equal(bytes.size, 5);
    assert_int_equal(bytes.data[5], 0);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 6);
    cn_file_bytes_free(&bytes);
    cn_file_bytes_free(&bytes);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 0);
    cn_heap_destroy(heap);
}

static void a_large_file_survives_the_trip(void **state)
{
    (void)state;
    size_t size = (size_t)3 << 20;
    uint8_t *content = malloc(size);
    assert_non_null(content);
    for (size_t i = 0; i < size; i++)
        content[i] = (uint8_t)(i * 31 >> 3);
    assert_true(cn_file_write_all(files, path_of("big"), content, size, &error));
    CnFileBytes bytes;
    assert_true(cn_file_read_all(files, path_of("big"), NULL, &bytes, &error));
    assert_int_equal(bytes.size, size);
    assert_memory_equal(bytes.data, content, size);
    cn_file_bytes_free(&bytes);
    free(content);
}

static void a_file_longer_than_it_says_is_read_to_its_end(void **state)
{
    (void)state;
    CnFileBytes bytes;
    if (access("/proc/self/status", R_OK) != 0)
        skip();
    assert_true(cn_file_read_all(files, "/proc/self/status", NULL, &bytes, &error));
    assert_true(bytes.size > 100);
    assert_int_equal(strlen((char *)bytes.data), bytes.size);
    cn_file_bytes_free(&bytes);
}

static void write_all_leaves_no_other_file(void **state)
{
    (void)state;
    write_text("a", "one");
    write_text("a", "two");
    assert_int_equal(scratch_count(&scratch), 1);
}

static void written_files_are_readable_by_all_and_writable_by_the_owner(void **state)
{
    (void)state;
    mode_t mask = umask(0);
    write_text("a", "x");
    umask(mask);
    struct stat status;
    assert_int_equal(stat(path_of("a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
}

static void a_missing_file_is_not_found(void **state)
{
    (void)state;
    CnFileBytes bytes = {.size = 9};
    assert_false(cn_file_read_all(files, path_of("none"), NULL, &bytes, &error));
    assert_refused(CN_ERROR_NOT_FOUND, "No such file");
    assert_non_null(strstr(error.message, "/none'"));
    assert_null(bytes.data);
    assert_int_equal(bytes.size, 0);
}

static void a_null_error_is_allowed(void **state)
{
    (void)state;
    CnFileBytes bytes;
    CnFileInfo info;
    assert_false(cn_file_read_all(files, path_of("none"), NULL, &bytes, NULL));
    assert_false(files->info(files, path_of("none"), &info, NULL));
    assert_false(cn_file_write_all(files, path_of("no/such/folder"), "x", 1, NULL));
}

static void reading_a_folder_is_refused(void **state)
{
    (void)state;
    CnFileBytes bytes;
    CnFile *file;
    assert_false(cn_file_read_all(files, scratch.folder, NULL, &bytes, &error));
    assert_refused(CN_ERROR_IO, "it is a folder");
    assert_false(files->open(files, scratch.folder, CN_FILE_READ, &file, &error));
    assert_refused(CN_ERROR_IO, "it is a folder");
    assert_null(file);
}

static void opening_a_pipe_is_refused_and_does_not_wait(void **state)
{
    (void)state;
    CnFile *file;
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    assert_false(files->open(files, path_of("pipe"), CN_FILE_READ, &file, &error));
    assert_refused(CN_ERROR_IO, "not a regular file");
}

static void a_file_above_one_gib_is_refused(void **state)
{
    (void)state;
    write_text("sparse", "x");
    if (truncate(path_of("sparse"), ((off_t)1 << 30) + 1) != 0)
        skip();
    CnFileBytes bytes;
    assert_false(cn_file_read_all(files, path_of("sparse"), NULL, &bytes, &error));
    assert_refused(CN_ERROR_LIMIT, "larger than 1 GiB");
}

static void a_path_that_is_null_or_empty_is_refused(void **state)
{
    (void)state;
    const char *const bad[] = {NULL, ""};
    for (int i = 0; i < 2; i++) {
        CnFile *file;
        CnFileInfo info;
        CnFileBytes bytes;
        assert_false(files->open(files, bad[i], CN_FILE_READ, &file, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
        assert_false(files->info(files, bad[i], &info, &error));
        assert_false(files->rename(files, bad[i], "x", &error));
        assert_false(files->rename(files, "x", bad[i], &error));
        assert_false(files->remove(files, bad[i], &error));
        assert_false(files->make_folder(files, bad[i], &error));
        assert_false(files->list(files, bad[i], NULL, NULL, &error));
        assert_false(cn_file_read_all(files, bad[i], NULL, &bytes, &error));
        assert_false(cn_file_write_all(files, bad[i], "x", 1, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

static void a_path_that_is_too_long_is_refused(void **state)
{
    (void)state;
    static char path[PATH_MAX + 100];
    memset(path, 'x', sizeof path - 1);
    CnFile *file;
    CnFileBytes bytes;
    assert_false(files->open(files, path, CN_FILE_READ, &file, &error));
    assert_refused(CN_ERROR_FORMAT, "the path is too long");
    assert_false(files->make_folder(files, path, &error));
    assert_false(cn_file_read_all(files, path, NULL, &bytes, &error));
    assert_false(cn_file_write_all(files, path, "x", 1, &error));
    assert_refused(CN_ERROR_FORMAT, "the path is too long");
}

static void the_reason_is_shown_behind_a_long_path(void **state)
{
    (void)state;
    char path[1000];
    for (size_t i = 0; i + 2 < sizeof path; i += 2)
        memcpy(path + i, "\xC3\xA4", 2);
    memcpy(path, "/a", 2);
    path[998] = '\0';
    for (size_t i = 100; i < 998; i += 100)
        memcpy(path + i, "//", 2);
    CnFileInfo info;
    assert_false(files->info(files, path, &info, &error));
    assert_refused(CN_ERROR_NOT_FOUND, "No such file");
    assert_true(cn_text_is_utf8(cn_text(error.message)));
}

static void a_file_in_the_place_of_a_folder_is_not_found(void **state)
{
    (void)state;
    write_text("a", "x");
    CnFileInfo info;
    assert_false(files->info(files, path_of("a/b"), &info, &error));
    assert_refused(CN_ERROR_NOT_FOUND, "Not a directory");
}

static void what_may_not_be_written_is_a_matter_of_permission(void **state)
{
    (void)state;
    bool is_root = geteuid() == 0; /* to whom nothing is forbidden */
    assert_true(files->make_folder(files, path_of("locked"), &error));
    assert_int_equal(chmod(path_of("locked"), 0500), 0);
    if (is_root && seteuid(65534) != 0)
        skip();
    bool ok = cn_file_write_all(files, path_of("locked/a"), "x", 1, &error);
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    chmod(path_of("locked"), 0700);
    assert_false(ok);
    assert_refused(CN_ERROR_PERMISSION, "Permission denied");
}

static void reads_and_writes_go_to_their_offset(void **state)
{
    (void)state;
    CnFile *file;
    write_text("a", "0123456789");
    assert_true(files->open(files, path_of("a"), CN_FILE_UPDATE, &file, &error));
    assert_true(files->write(files, file, 4, "xy", 2, &error));
    char part[4] = "";
    size_t done;
    assert_true(files->read(files, file, 3, part, 3, &done, &error));
    assert_int_equal(done, 3);
    assert_memory_equal(part, "3xy", 3);
    assert_true(files->sync(files, file, &error));
    files->close(files, file);
    assert_content("a", "0123xy6789");
}

static void a_read_is_short_only_at_the_end(void **state)
{
    (void)state;
    CnFile *file;
    write_text("a", "0123456789");
    assert_true(files->open(files, path_of("a"), CN_FILE_READ, &file, &error));
    char part[8];
    size_t done;
    assert_true(files->read(files, file, 6, part, 8, &done, &error));
    assert_int_equal(done, 4);
    assert_true(files->read(files, file, 100, part, 8, &done, &error));
    assert_int_equal(done, 0);
    assert_true(files->read(files, file, 0, part, 0, &done, &error));
    assert_int_equal(done, 0);
    files->close(files, file);
}

static void writing_beyond_the_end_leaves_zeros_between(void **state)
{
    (void)state;
    CnFile *file;
    assert_true(files->open(files, path_of("a"), CN_FILE_WRITE, &file, &error));
    assert_true(files->write(files, file, 3, "x", 1, &error));
    files->close(files, file);
    CnFileBytes bytes;
    assert_true(cn_file_read_all(files, path_of("a"), NULL, &bytes, &error));
    assert_int_equal(bytes.size, 4);
    assert_memory_equal(bytes.data, "\0\0\0x", 4);
    cn_file_bytes_free(&bytes);
}

static void offsets_beyond_63_bits_are_refused(void **state)
{
    (void)state;
    CnFile *file;
    write_text("a", "x");
    assert_true(files->open(files, path_of("a"), CN_FILE_UPDATE, &file, &error));
    char byte;
    size_t done;
    assert_false(files->read(files, file, UINT64_MAX, &byte, 1, &done, &error));
    assert_false(files->write(files, file, UINT64_MAX, "x", 1, &error));
    assert_false(files->write(files, file, INT64_MAX, "x", 1, &error));
    assert_false(files->truncate(files, file, UINT64_MAX, &error));
    files->close(files, file);
    assert_content("a", "x");
}

static void write_mode_empties_and_append_mode_keeps(void **state)
{
    (void)state;
    CnFile *file;
    write_text("a", "old");
    assert_true(files->open(files, path_of("a"), CN_FILE_APPEND, &file, &error));
    assert_true(files->write(files, file, 0, "er", 2, &error));
    assert_true(files->write(files, file, 0, "!", 1, &error));
    files->close(files, file);
    assert_content("a", "older!");
    assert_true(files->open(files, path_of("a"), CN_FILE_WRITE, &file, &error));
    files->close(files, file);
    assert_content("a", "");
    assert_true(files->open(files, path_of("new"), CN_FILE_APPEND, &file, &error));
    files->close(files, file);
    assert_content("new", "");
}

static void new_mode_creates_a_file_and_refuses_what_exists(void **state)
{
    (void)state;
    CnFileSystem *fs = cn_native_files();
    CnFile *file;
    assert_true(fs->open(fs, scratch_path(&scratch, "new"), CN_FILE_NEW, &file, &error));
    assert_true(fs->write(fs, file, 0, "abc", 3, &error));
    fs->close(fs, file);
    assert_content("new", "abc");
    assert_false(fs->open(fs, scratch_path(&scratch, "new"), CN_FILE_NEW, &file, &error));
    assert_refused(CN_ERROR_EXISTS, "new");
    assert_content("new", "abc");
}

static void new_mode_does_not_follow_links(void **state)
{
    (void)state;
    CnFileSystem *fs = cn_native_files();
    CnFile *file;
    assert_int_equal(symlink("target", scratch_path(&scratch, "link")), 0);
    assert_false(fs->open(fs, scratch_path(&scratch, "link"), CN_FILE_NEW, &file, &error));
    assert_refused(CN_ERROR_EXISTS, "link");
    assert_int_equal(scratch_count(&scratch), 1);
}

static char temporary_names[2][512];
static bool (*native_open)(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                           CnError *error);

static bool remember_open(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                          CnError *why)
{
    assert_int_equal(mode, CN_FILE_NEW);
    cn_copy_text(temporary_names[1], sizeof temporary_names[1], cn_text(temporary_names[0]));
    cn_copy_text(temporary_names[0], sizeof temporary_names[0], cn_text(path));
    return native_open(fs, path, mode, file, why);
}

static void temporary_files_are_new_and_have_other_names_each_time(void **state)
{
    (void)state;
    CnFileSystem watched = *cn_native_files();
    native_open = watched.open;
    watched.open = remember_open;
    for (uint32_t i = 0; i < 2; i++)
        assert_true(cn_file_write_all(&watched, scratch_path(&scratch, "a"), "x", 1, &error));
    const char *digits = strstr(temporary_names[0], "a.tmp-");
    assert_non_null(digits);
    assert_int_equal(strlen(digits), strlen("a.tmp-") + 16);
    assert_string_not_equal(temporary_names[0], temporary_names[1]);
}

static void update_mode_needs_a_file(void **state)
{
    (void)state;
    CnFile *file;
    assert_false(files->open(files, path_of("none"), CN_FILE_UPDATE, &file, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void writing_to_a_file_opened_for_reading_fails(void **state)
{
    (void)state;
    CnFile *file;
    write_text("a", "x");
    assert_true(files->open(files, path_of("a"), CN_FILE_READ, &file, &error));
    assert_false(files->write(files, file, 0, "y", 1, &error));
    assert_refused(CN_ERROR_IO, "cannot write");
    files->close(files, file);
}

static void a_full_disk_fails_the_write(void **state)
{
    (void)state;
    CnFile *file;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_true(files->open(files, "/dev/full", CN_FILE_UPDATE, &file, &error));
    assert_false(files->write(files, file, 0, "x", 1, &error));
    assert_refused(CN_ERROR_IO, "No space left");
    files->close(files, file);
}

static void truncate_cuts_and_extends(void **state)
{
    (void)state;
    CnFile *file;
    write_text("a", "0123456789");
    assert_true(files->open(files, path_of("a"), CN_FILE_UPDATE, &file, &error));
    assert_true(files->truncate(files, file, 4, &error));
    files->close(files, file);
    assert_content("a", "0123");
}

static void info_tells_size_time_and_kind(void **state)
{
    (void)state;
    CnFileInfo info;
    write_text("a", "12345");
    assert_true(files->info(files, path_of("a"), &info, &error));
    assert_int_equal(info.size_bytes, 5);
    assert_false(info.is_directory);
    assert_true(info.modified_ns > (int64_t)1000000000 * 1000000000);
    assert_true(files->info(files, scratch.folder, &info, &error));
    assert_true(info.is_directory);
}

static void rename_replaces_the_target(void **state)
{
    (void)state;
    write_text("a", "new");
    write_text("b", "old");
    assert_true(files->rename(files, path_of("a"), path_of("b"), &error));
    assert_content("b", "new");
    assert_int_equal(scratch_count(&scratch), 1);
    assert_false(files->rename(files, path_of("a"), path_of("b"), &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void paths_without_a_slash_are_beside_the_program(void **state)
{
    (void)state;
    char before[PATH_MAX];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(scratch.folder), 0);
    bool ok = cn_file_write_all(files, "plain", "x", 1, &error);
    assert_int_equal(chdir(before), 0);
    assert_true(ok);
    assert_content("plain", "x");
}

static void remove_takes_files_and_empty_folders(void **state)
{
    (void)state;
    write_text("a", "x");
    assert_true(files->remove(files, path_of("a"), &error));
    assert_false(files->remove(files, path_of("a"), &error));
    assert_true(files->make_folder(files, path_of("f/g"), &error));
    assert_false(files->remove(files, path_of("f"), &error));
    assert_true(files->remove(files, path_of("f/g"), &error));
    assert_true(files->remove(files, path_of("f"), &error));
    assert_int_equal(scratch_count(&scratch), 0);
}

static void make_folder_makes_the_parents_too(void **state)
{
    (void)state;
    CnFileInfo info;
    assert_true(files->make_folder(files, path_of("a/b//c/"), &error));
    assert_true(files->info(files, path_of("a/b/c"), &info, &error));
    assert_true(info.is_directory);
    assert_true(files->make_folder(files, path_of("a/b/c"), &error));
    assert_true(files->make_folder(files, "/", &error));
}

static void a_folder_cannot_take_the_place_of_a_file(void **state)
{
    (void)state;
    write_text("a", "x");
    assert_false(files->make_folder(files, path_of("a"), &error));
    assert_refused(CN_ERROR_EXISTS, "a file with this name exists");
    assert_false(files->make_folder(files, path_of("a/b"), &error));
    assert_content("a", "x");
}

static bool collect(const char *name, bool is_directory, void *user)
{
    return cn_text_append_format(user, "%s%s ", name, is_directory ? "/" : "");
}

static void names_are_listed_in_byte_order(void **state)
{
    (void)state;
    static const char *const names[] = {"b", "a", "Z", "\xC3\xA4", "a.b", ".hidden"};
    for (size_t i = 0; i < CN_COUNT_OF(names); i++)
        write_text(names[i], "");
    assert_true(files->make_folder(files, path_of("dir"), &error));
    assert_int_equal(symlink("dir", path_of("link")), 0);
    assert_int_equal(symlink("nowhere", path_of("lost")), 0);
    CnTextBuilder list;
    cn_array_init(&list, NULL);
    assert_true(files->list(files, scratch.folder, collect, &list, &error));
    assert_string_equal(list.items, ".hidden Z a a.b b dir/ link/ lost \xC3\xA4 ");
    cn_array_fini(&list);
}

static bool stop_at_second(const char *name, bool is_directory, void *user)
{
    (void)name, (void)is_directory;
    return ++*(int *)user < 2;
}

static void listing_stops_when_the_visitor_says_so(void **state)
{
    (void)state;
    write_text("a", "");
    write_text("b", "");
    write_text("c", "");
    int visited = 0;
    assert_true(files->list(files, scratch.folder, stop_at_second, &visited, &error));
    assert_int_equal(visited, 2);
}

static void listing_what_is_no_folder_fails(void **state)
{
    (void)state;
    write_text("a", "");
    int visited = 0;
    assert_false(files->list(files, path_of("a"), stop_at_second, &visited, &error));
    assert_refused(CN_ERROR_NOT_FOUND, "Not a directory");
    assert_false(files->list(files, path_of("none"), stop_at_second, &visited, &error));
    assert_int_equal(visited, 0);
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, make_scratch, drop_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(what_is_written_is_read),
        FILE_TEST(read_bytes_end_with_a_zero_that_is_not_counted),
        FILE_TEST(a_large_file_survives_the_trip),
        FILE_TEST(a_file_longer_than_it_says_is_read_to_its_end),
        FILE_TEST(write_all_leaves_no_other_file),
        FILE_TEST(written_files_are_readable_by_all_and_writable_by_the_owner),
        FILE_TEST(a_missing_file_is_not_found),
        FILE_TEST(a_null_error_is_allowed),
        FILE_TEST(reading_a_folder_is_refused),
        FILE_TEST(opening_a_pipe_is_refused_and_does_not_wait),
        FILE_TEST(a_file_above_one_gib_is_refused),
        FILE_TEST(a_path_that_is_null_or_empty_is_refused),
        FILE_TEST(a_path_that_is_too_long_is_refused),
        FILE_TEST(the_reason_is_shown_behind_a_long_path),
        FILE_TEST(a_file_in_the_place_of_a_folder_is_not_found),
        FILE_TEST(what_may_not_be_written_is_a_matter_of_permission),
        FILE_TEST(reads_and_writes_go_to_their_offset),
        FILE_TEST(a_read_is_short_only_at_the_end),
        FILE_TEST(writing_beyond_the_end_leaves_zeros_between),
        FILE_TEST(offsets_beyond_63_bits_are_refused),
        FILE_TEST(write_mode_empties_and_append_mode_keeps),
        FILE_TEST(new_mode_creates_a_file_and_refuses_what_exists),
        FILE_TEST(new_mode_does_not_follow_links),
        FILE_TEST(temporary_files_are_new_and_have_other_names_each_time),
        FILE_TEST(update_mode_needs_a_file),
        FILE_TEST(writing_to_a_file_opened_for_reading_fails),
        FILE_TEST(a_full_disk_fails_the_write),
        FILE_TEST(truncate_cuts_and_extends),
        FILE_TEST(info_tells_size_time_and_kind),
        FILE_TEST(rename_replaces_the_target),
        FILE_TEST(paths_without_a_slash_are_beside_the_program),
        FILE_TEST(remove_takes_files_and_empty_folders),
        FILE_TEST(make_folder_makes_the_parents_too),
        FILE_TEST(a_folder_cannot_take_the_place_of_a_file),
        FILE_TEST(names_are_listed_in_byte_order),
        FILE_TEST(listing_stops_when_the_visitor_says_so),
        FILE_TEST(listing_what_is_no_folder_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

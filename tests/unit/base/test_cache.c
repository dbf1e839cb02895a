/* The private cache folder: what it returns, and what it refuses to use. */
#include "child.h"
#include "cmocka_tests.h"
#include "scratch.h"

#include "base/cache/cache_folder.h"

#include <cairn/base/cache.h>
#include <cairn/base/log.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_BYTES = 112 }; /* of an entry, before its content */

static Scratch scratch;
static CnCache *cache;
static char last_message[512];

static void hear(const CnLogRecord *record, void *user)
{
    (void)user;
    cn_copy_text(last_message, sizeof last_message, cn_text(record->message));
}

static const char *folder(void)
{
    return scratch_path(&scratch, "cache");
}

static CnCache *open_at(const char *path, CnError *error)
{
    return cn_cache_create(&(CnCacheDesc){.folder = path}, error);
}

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    last_message[0] = '\0';
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    cache = open_at(folder(), NULL);
    return cache ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    cn_cache_destroy(cache);
    scratch_fini(&scratch);
    return 0;
}

static void write_entry(const char *name, const char *text)
{
    assert_true(cn_cache_write(cache, name, text, strlen(text), NULL));
}

/* Asserts that the entry has this content. */
static void assert_entry(const char *name, const char *text)
{
    CnFileBytes bytes;
    assert_true(cn_cache_read(cache, name, NULL, &bytes));
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
    cn_file_bytes_free(&bytes);
}

/* Asserts that the entry is not used, for a reason that the log gives; NULL: it says nothing. */
static void assert_refused(const char *name, const char *reason)
{
    CnFileBytes bytes;
    int sink = cn_log_add_sink(&(CnLogSink){.write = hear, .level = CN_LOG_LEVEL_INFO});
    last_message[0] = '\0';
    assert_false(cn_cache_read(cache, name, NULL, &bytes));
    cn_log_remove_sink(sink);
    assert_null(bytes.data);
    if (reason)
        assert_non_null(strstr(last_message, reason));
    else
        assert_string_equal(last_message, "");
}

static const char *entry(const char *name)
{
    char path[128];
    cn_format(path, sizeof path, "cache/%s", name);
    return scratch_path(&scratch, path);
}

static mode_t permissions(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode & 0777;
}

static size_t file_count(void)
{
    Scratch inner;
    cn_copy_text(inner.folder, sizeof inner.folder, cn_text(folder()));
    return scratch_count(&inner);
}

/* ---- What it keeps ---- */

static void an_entry_is_read_as_it_was_written(void **state)
{
    (void)state;
    write_entry("a", "first");
    assert_entry("a", "first");
    write_entry("a", "second, longer");
    assert_entry("a", "second, longer");
    write_entry("empty", "");
    assert_entry("empty", "");
}

static void entries_remain_for_the_next_process(void **state)
{
    (void)state;
    write_entry("a", "kept");
    cn_cache_destroy(cache);
    cache = open_at(folder(), NULL);
    assert_entry("a", "kept");
}

static void a_missing_entry_is_not_worth_a_message(void **state)
{
    (void)state;
    assert_refused("none", NULL);
}

static void only_the_user_may_read_the_folder_and_its_files(void **state)
{
    (void)state;
    write_entry("a", "x");
    assert_int_equal(permissions(folder()), 0700);
    assert_int_equal(permissions(entry("a")), 0600);
    assert_int_equal(permissions(entry("key")), 0600);
}

static void nothing_temporary_is_left(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        write_entry("a", "again");
    assert_int_equal(file_count(), 2);
}

static void names_depend_on_all_parts_and_their_boundaries(void **state)
{
    (void)state;
    char a[CN_CACHE_NAME_BYTES], b[CN_CACHE_NAME_BYTES], c[CN_CACHE_NAME_BYTES];
    cn_cache_name(cache, "model", (CnText[]){cn_text("ab"), cn_text("c")}, 2, a);
    cn_cache_name(cache, "model", (CnText[]){cn_text("a"), cn_text("bc")}, 2, b);
    cn_cache_name(cache, "model", (CnText[]){cn_text("ab"), cn_text("c")}, 2, c);
    assert_string_not_equal(a, b);
    assert_string_equal(a, c);
    cn_cache_name(cache, "sound", (CnText[]){cn_text("ab"), cn_text("c")}, 2, b);
    assert_memory_not_equal(a, b, 32);
    write_entry(a, "a name that can be used");
}

/* ---- What it refuses ---- */

static void change_byte(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    fputc(byte ^ 1, file);
    fclose(file);
}

static void an_entry_that_was_changed_is_ignored_and_can_be_written_again(void **state)
{
    (void)state;
    for (long at = 0; at < HEADER_BYTES + 5; at++) {
        write_entry("a", "bytes");
        change_byte(entry("a"), at);
        assert_refused("a", at < 8 ? "not an entry of this version" : "changed");
    }
    write_entry("a", "bytes");
    assert_entry("a", "bytes");
}

static void a_truncated_entry_is_ignored(void **state)
{
    (void)state;
    for (long size = 0; size < HEADER_BYTES + 5; size++) {
        write_entry("a", "bytes");
        assert_int_equal(truncate(entry("a"), size), 0);
        assert_refused("a", "is ignored");
    }
}

static void an_entry_under_another_name_is_ignored(void **state)
{
    (void)state;
    write_entry("a", "bytes");
    assert_int_equal(rename(entry("a"), entry("b")), 0);
    assert_refused("b", "changed");
}

static void an_entry_written_with_another_key_is_ignored(void **state)
{
    (void)state;
    CnCache *other = open_at(scratch_path(&scratch, "other"), NULL);
    assert_true(cn_cache_write(other, "a", "bytes", 5, NULL));
    cn_cache_destroy(other);
    assert_int_equal(rename(scratch_path(&scratch, "other/a"), entry("a")), 0);
    assert_refused("a", "another key");
}

static void a_link_in_place_of_an_entry_is_not_followed_and_is_replaced(void **state)
{
    (void)state;
    write_entry("real", "bytes");
    assert_int_equal(symlink("real", entry("a")), 0);
    assert_refused("a", "symbolic link");
    assert_int_equal(unlink(entry("a")), 0);
    /* Not even to write to its target. */
    const char *victim = scratch_path(&scratch, "victim");
    assert_true(cn_file_write_all(cn_native_files(), victim, "safe", 4, NULL));
    assert_int_equal(symlink(victim, entry("a")), 0);
    write_entry("a", "mine");
    assert_entry("a", "mine");
    CnFileBytes bytes;
    assert_true(cn_file_read_all(cn_native_files(), victim, NULL, &bytes, NULL));
    assert_int_equal(bytes.size, 4);
    cn_file_bytes_free(&bytes);
}

static void pipes_and_folders_in_place_of_an_entry_are_refused(void **state)
{
    (void)state;
    CnError error = {0};
    assert_int_equal(mkfifo(entry("pipe"), 0600), 0);
    assert_refused("pipe", "not a regular file");
    write_entry("pipe", "replaced");
    assert_int_equal(mkdir(entry("folder"), 0700), 0);
    assert_refused("folder", "not a regular file");
    assert_false(cn_cache_write(cache, "folder", "x", 1, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_int_equal(file_count(), 3);
}

static void an_entry_that_others_may_write_is_ignored(void **state)
{
    (void)state;
    static const mode_t modes[] = {0606, 0660, 0604};
    for (uint32_t i = 0; i < CN_COUNT_OF(modes); i++) {
        write_entry("a", "bytes");
        assert_int_equal(chmod(entry("a"), modes[i]), 0);
        assert_refused("a", "others have access");
    }
}

static void an_entry_of_another_user_is_ignored(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    write_entry("a", "bytes");
    assert_int_equal(chown(entry("a"), 12345, 12345), 0);
    assert_refused("a", "another user");
}

static void assert_cannot_open(const char *path, const char *reason)
{
    CnError error = {0};
    assert_null(open_at(path, &error));
    assert_non_null(strstr(error.message, reason));
}

static void a_folder_that_others_may_write_is_refused(void **state)
{
    (void)state;
    assert_int_equal(chmod(folder(), 0707), 0);
    assert_cannot_open(folder(), "others have access");
    assert_int_equal(chmod(folder(), 0770), 0);
    assert_cannot_open(folder(), "others have access");
}

static void a_folder_that_others_may_read_becomes_private(void **state)
{
    (void)state;
    assert_int_equal(chmod(folder(), 0755), 0);
    CnCache *again = open_at(folder(), NULL);
    assert_non_null(again);
    cn_cache_destroy(again);
    assert_int_equal(permissions(folder()), 0700);
}

static void a_folder_of_another_user_is_refused(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(folder(), 12345, 12345), 0);
    assert_cannot_open(folder(), "another user");
    assert_int_equal(chown(folder(), 0, 0), 0);
}

static void a_link_in_place_of_the_folder_is_refused(void **state)
{
    (void)state;
    const char *link = scratch_path(&scratch, "link");
    assert_int_equal(symlink(folder(), link), 0);
    assert_cannot_open(link, "symbolic link");
}

static void a_file_in_place_of_the_folder_is_refused(void **state)
{
    (void)state;
    assert_cannot_open(entry("key"), "Not a directory");
    assert_cannot_open(scratch_path(&scratch, "cache/key/below"), "Not a directory");
}

static void a_key_that_others_may_read_is_refused(void **state)
{
    (void)state;
    assert_int_equal(chmod(entry("key"), 0640), 0);
    assert_cannot_open(folder(), "others have access");
}

static void a_key_of_another_size_is_refused(void **state)
{
    (void)state;
    assert_int_equal(truncate(entry("key"), 31), 0);
    assert_cannot_open(folder(), "not a key");
}

static void a_link_in_place_of_the_key_is_refused(void **state)
{
    (void)state;
    assert_int_equal(rename(entry("key"), entry("real")), 0);
    assert_int_equal(symlink("real", entry("key")), 0);
    assert_cannot_open(folder(), "symbolic link");
}

static void two_users_have_two_keys(void **state)
{
    (void)state;
    CnCache *other = open_at(scratch_path(&scratch, "other"), NULL);
    char a[CN_CACHE_NAME_BYTES], b[CN_CACHE_NAME_BYTES];
    cn_cache_name(cache, "model", NULL, 0, a);
    cn_cache_name(other, "model", NULL, 0, b);
    assert_string_not_equal(a, b);
    cn_cache_destroy(other);
}

/* ---- File systems without unnamed files ---- */

static void a_named_temporary_file_serves_as_well(void **state)
{
    (void)state;
    const struct iovec part = {(char[]){'x', 'y'}, 2};
    int place = cni_base_private_folder_open(folder(), NULL);
    assert_int_equal(
        cni_base_private_file_publish_named(place, "n", &part, 1, CNI_BASE_PUBLISH_NEW), 0);
    assert_int_equal(
        cni_base_private_file_publish_named(place, "n", &part, 1, CNI_BASE_PUBLISH_NEW), EEXIST);
    assert_int_equal(
        cni_base_private_file_publish_named(place, "n", &part, 1, CNI_BASE_PUBLISH_REPLACE), 0);
    close(place);
    assert_int_equal(permissions(entry("n")), 0600);
    assert_int_equal(file_count(), 2);
}

/* ---- The folder of the user ---- */

static int print_folder(void)
{
    CnError error = {0};
    char path[CN_FILE_PATH_BYTES];
    bool ok = cni_base_cache_folder_path(path, sizeof path, &error);
    fprintf(stderr, "%s", ok ? path : error.message);
    return ok ? 0 : 1;
}

static void assert_folder_with(const char *cache_home, const char *home, int status,
                               const char *expected)
{
    char output[512];
    assert_int_equal(setenv("HOME", home, 1), 0);
    char setting[128];
    cn_format(setting, sizeof setting, "XDG_CACHE_HOME=%s", cache_home);
    assert_int_equal(child_run("folder", setting, output, sizeof output), status);
    assert_string_equal(output, expected);
}

static void the_folder_is_below_the_cache_home_or_home_and_never_relative(void **state)
{
    (void)state;
    assert_folder_with("/c", "/h", 0, "/c/cairn");
    assert_folder_with("", "/h", 0, "/h/.cache/cairn");
    assert_folder_with(".cache", "/h", 0, "/h/.cache/cairn");
    assert_folder_with("relative", "h", 1, "neither XDG_CACHE_HOME nor HOME is an absolute path");
    assert_folder_with("", "", 1, "neither XDG_CACHE_HOME nor HOME is an absolute path");
}

#define CACHE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 2)
        return print_folder();
    const struct CMUnitTest tests[] = {
        CACHE(an_entry_is_read_as_it_was_written),
        CACHE(entries_remain_for_the_next_process),
        CACHE(a_missing_entry_is_not_worth_a_message),
        CACHE(only_the_user_may_read_the_folder_and_its_files),
        CACHE(nothing_temporary_is_left),
        CACHE(names_depend_on_all_parts_and_their_boundaries),
        CACHE(an_entry_that_was_changed_is_ignored_and_can_be_written_again),
        CACHE(a_truncated_entry_is_ignored),
        CACHE(an_entry_under_another_name_is_ignored),
        CACHE(an_entry_written_with_another_key_is_ignored),
        CACHE(a_link_in_place_of_an_entry_is_not_followed_and_is_replaced),
        CACHE(pipes_and_folders_in_place_of_an_entry_are_refused),
        CACHE(an_entry_that_others_may_write_is_ignored),
        CACHE(an_entry_of_another_user_is_ignored),
        CACHE(a_folder_that_others_may_write_is_refused),
        CACHE(a_folder_that_others_may_read_becomes_private),
        CACHE(a_folder_of_another_user_is_refused),
        CACHE(a_link_in_place_of_the_folder_is_refused),
        CACHE(a_file_in_place_of_the_folder_is_refused),
        CACHE(a_key_that_others_may_read_is_refused),
        CACHE(a_key_of_another_size_is_refused),
        CACHE(a_link_in_place_of_the_key_is_refused),
        CACHE(two_users_have_two_keys),
        CACHE(a_named_temporary_file_serves_as_well),
        CACHE(the_folder_is_below_the_cache_home_or_home_and_never_relative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

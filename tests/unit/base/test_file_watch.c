#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/base/file.h>
#include <cairn/base/file_watch.h>
#include <cairn/base/text.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

static Scratch scratch;
static CnFileWatch *watch;
static CnFileChanges changes;
static uint64_t now;

static const char *real(const char *name)
{
    return scratch_path(&scratch, name);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(real(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(const char *name)
{
    assert_true(cn_native_files()->make_folder(cn_native_files(), real(name), NULL));
}

static bool add(const char *name, const char *prefix, bool is_recursive)
{
    return cn_file_watch_add(
        watch,
        &(CnWatchedFolder){.path = real(name), .prefix = prefix, .is_recursive = is_recursive},
        NULL);
}

/* Collects what has changed and lets it settle. */
static uint32_t look(void)
{
    bool early = cn_file_watch_poll(watch, now, &changes);
    assert_false(early);
    now += 20 * MS;
    cn_file_watch_poll(watch, now, &changes);
    return changes.count;
}

static bool has(const char *path)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < changes.count; i++)
        count += !strcmp(changes.paths[i], path);
    assert_true(count <= 1);
    return count == 1;
}

static int begin(void **state)
{
    (void)state;
    now = 1000 * MS;
    scratch_init(&scratch);
    make_folder("a");
    watch = cn_file_watch_create(NULL, NULL);
    return watch && add("a", "a://", true) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    cn_file_watch_destroy(watch);
    scratch_fini(&scratch);
    return 0;
}

static void nothing_is_reported_without_a_change(void **state)
{
    (void)state;
    assert_int_equal(look(), 0);
}

static void a_new_file_is_reported_with_its_prefix(void **state)
{
    (void)state;
    write_file("a/x.lua", "1");
    assert_int_equal(look(), 1);
    assert_true(has("a://x.lua"));
    assert_int_equal(look(), 0);
}

static void a_file_that_is_written_again_is_reported_again(void **state)
{
    (void)state;
    write_file("a/x.lua", "1");
    look();
    write_file("a/x.lua", "1");
    assert_int_equal(look(), 1);
}

static void a_file_that_is_replaced_by_renaming_is_reported_as_one(void **state)
{
    (void)state;
    write_file("a/x.lua", "1");
    look();
    write_file("a/.x.lua.swp", "2");
    assert_int_equal(rename(real("a/.x.lua.swp"), real("a/x.lua")), 0);
    assert_int_equal(look(), 1);
    assert_true(has("a://x.lua"));
}

static void a_file_that_is_renamed_to_a_backup_and_written_anew_is_reported(void **state)
{
    (void)state;
    write_file("a/x.lua", "1");
    look();
    assert_int_equal(rename(real("a/x.lua"), real("a/x.lua~")), 0);
    write_file("a/x.lua", "2");
    look();
    assert_true(has("a://x.lua"));
    assert_true(has("a://x.lua~"));
}

static void a_file_that_is_removed_and_created_again_is_reported_once(void **state)
{
    (void)state;
    write_file("a/x.lua", "1");
    look();
    assert_int_equal(unlink(real("a/x.lua")), 0);
    write_file("a/x.lua", "2");
    assert_int_equal(look(), 1);
    assert_true(has("a://x.lua"));
}

static void a_burst_is_reported_when_it_is_over(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10; i++) {
        write_file("a/x.lua", "1");
        assert_false(cn_file_watch_poll(watch, now, &changes));
        now += 15 * MS;
        assert_false(cn_file_watch_poll(watch, now, &changes));
    }
    now += 5 * MS;
    assert_true(cn_file_watch_poll(watch, now, &changes));
    assert_int_equal(changes.count, 1);
}

static void a_burst_that_does_not_end_is_reported_after_half_a_second(void **state)
{
    (void)state;
    uint64_t first = now;
    bool is_reported = false;
    for (uint32_t i = 0; i < 100 && !is_reported; i++) {
        write_file("a/x.lua", "1");
        is_reported = cn_file_watch_poll(watch, now, &changes);
        now += 10 * MS;
    }
    assert_true(is_reported);
    assert_int_equal(now - first, 510 * MS);
}

static void a_file_in_a_new_folder_is_reported(void **state)
{
    (void)state;
    make_folder("a/b/c");
    write_file("a/b/c/x.png", "1");
    look();
    assert_true(has("a://b/c/x.png"));
    write_file("a/b/y.png", "1");
    assert_int_equal(look(), 1);
    assert_true(has("a://b/y.png"));
}

static void files_of_a_folder_that_is_moved_in_are_reported(void **state)
{
    (void)state;
    make_folder("outside/b");
    write_file("outside/b/x.png", "1");
    assert_int_equal(rename(real("outside/b"), real("a/b")), 0);
    assert_int_equal(look(), 1);
    assert_true(has("a://b/x.png"));
}

static void a_folder_that_is_renamed_is_reported_with_its_new_name(void **state)
{
    (void)state;
    make_folder("a/old/deep");
    look();
    assert_int_equal(rename(real("a/old"), real("a/new")), 0);
    look();
    write_file("a/new/deep/x.png", "1");
    assert_int_equal(look(), 1);
    assert_true(has("a://new/deep/x.png"));
    assert_int_equal(cn_file_watch_folder_count(watch), 3);
}

static void a_folder_that_is_moved_away_is_not_watched(void **state)
{
    (void)state;
    make_folder("a/b");
    look();
    assert_int_equal(rename(real("a/b"), real("b")), 0);
    look();
    write_file("b/x.png", "1");
    assert_int_equal(look(), 0);
    assert_int_equal(cn_file_watch_folder_count(watch), 1);
}

static void a_folder_that_is_removed_and_created_again_is_watched(void **state)
{
    (void)state;
    make_folder("a/b");
    look();
    assert_int_equal(rmdir(real("a/b")), 0);
    make_folder("a/b");
    look();
    write_file("a/b/x.png", "1");
    assert_int_equal(look(), 1);
}

static void hidden_files_and_folders_are_ignored(void **state)
{
    (void)state;
    make_folder("a/.git");
    write_file("a/.hidden", "1");
    look();
    write_file("a/.git/index", "1");
    assert_int_equal(look(), 0);
    assert_int_equal(cn_file_watch_folder_count(watch), 1);
}

static void symbolic_links_are_not_followed(void **state)
{
    (void)state;
    make_folder("outside");
    assert_int_equal(symlink(real("outside"), real("a/link")), 0);
    look();
    write_file("outside/x.png", "1");
    assert_int_equal(look(), 0);
}

static void a_folder_below_two_prefixes_is_reported_with_both(void **state)
{
    (void)state;
    make_folder("a/b");
    assert_true(add("a/b", "b://", true));
    write_file("a/b/x.png", "1");
    assert_int_equal(look(), 2);
    assert_true(has("a://b/x.png"));
    assert_true(has("b://x.png"));
}

static void without_a_prefix_the_path_of_the_folder_is_reported(void **state)
{
    (void)state;
    make_folder("c/d");
    assert_true(add("c", NULL, false));
    write_file("c/x.so", "1");
    write_file("c/d/y.so", "1");
    assert_int_equal(look(), 1);
    assert_true(has(real("c/x.so")));
}

static void a_folder_is_added_only_once(void **state)
{
    (void)state;
    assert_true(add("a", "a://", true));
    assert_int_equal(cn_file_watch_folder_count(watch), 1);
    write_file("a/x.lua", "1");
    assert_int_equal(look(), 1);
}

static void a_folder_that_does_not_exist_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(cn_file_watch_add(watch, &(CnWatchedFolder){.path = real("none")}, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void a_thousand_files_are_reported(void **state)
{
    (void)state;
    char name[32];
    for (uint32_t i = 0; i < 1000; i++) {
        cn_format(name, sizeof name, "a/%u.png", i);
        write_file(name, "1");
    }
    assert_int_equal(look(), 1000);
    assert_true(has("a://0.png"));
    assert_true(has("a://999.png"));
}

static uint32_t queue_size(void)
{
    uint32_t size = 0;
    FILE *file = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    if (file && fscanf(file, "%u", &size) != 1)
        size = 0;
    if (file)
        fclose(file);
    return size;
}

static void all_files_are_reported_when_changes_were_lost(void **state)
{
    (void)state;
    char name[32];
    uint32_t size = queue_size();
    if (!size || size > 20000)
        skip();
    write_file("a/before.png", "1");
    look();
    for (uint32_t i = 0; i < size + 16; i++) {
        cn_format(name, sizeof name, "a/%u.png", i % 2);
        int file = open(real(name), O_WRONLY | O_CREAT, 0600);
        assert_true(file >= 0 && close(file) == 0);
    }
    look();
    assert_true(has("a://before.png"));
}

static void nothing_is_reported_after_clearing(void **state)
{
    (void)state;
    write_file("a/x.lua", "1");
    assert_false(cn_file_watch_poll(watch, now, &changes));
    cn_file_watch_clear(watch);
    assert_int_equal(look(), 0);
    write_file("a/x.lua", "2");
    assert_int_equal(look(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_reported_without_a_change, begin, end),
        cmocka_unit_test_setup_teardown(a_new_file_is_reported_with_its_prefix, begin, end),
        cmocka_unit_test_setup_teardown(a_file_that_is_written_again_is_reported_again, begin, end),
        cmocka_unit_test_setup_teardown(a_file_that_is_replaced_by_renaming_is_reported_as_one,
                                        begin, end),
        cmocka_unit_test_setup_teardown(
            a_file_that_is_renamed_to_a_backup_and_written_anew_is_reported, begin, end),
        cmocka_unit_test_setup_teardown(a_file_that_is_removed_and_created_again_is_reported_once,
                                        begin, end),
        cmocka_unit_test_setup_teardown(a_burst_is_reported_when_it_is_over, begin, end),
        cmocka_unit_test_setup_teardown(a_burst_that_does_not_end_is_reported_after_half_a_second,
                                        begin, end),
        cmocka_unit_test_setup_teardown(a_file_in_a_new_folder_is_reported, begin, end),
        cmocka_unit_test_setup_teardown(files_of_a_folder_that_is_moved_in_are_reported, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_folder_that_is_renamed_is_reported_with_its_new_name,
                                        begin, end),
        cmocka_unit_test_setup_teardown(a_folder_that_is_moved_away_is_not_watched, begin, end),
        cmocka_unit_test_setup_teardown(a_folder_that_is_removed_and_created_again_is_watched,
                                        begin, end),
        cmocka_unit_test_setup_teardown(hidden_files_and_folders_are_ignored, begin, end),
        cmocka_unit_test_setup_teardown(symbolic_links_are_not_followed, begin, end),
        cmocka_unit_test_setup_teardown(a_folder_below_two_prefixes_is_reported_with_both, begin,
                                        end),
        cmocka_unit_test_setup_teardown(without_a_prefix_the_path_of_the_folder_is_reported, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_folder_is_added_only_once, begin, end),
        cmocka_unit_test_setup_teardown(a_folder_that_does_not_exist_is_an_error, begin, end),
        cmocka_unit_test_setup_teardown(a_thousand_files_are_reported, begin, end),
        cmocka_unit_test_setup_teardown(all_files_are_reported_when_changes_were_lost, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_reported_after_clearing, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

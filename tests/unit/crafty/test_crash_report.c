/* Crash reports and the files of sessions: reading, listing, forgetting. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/crash/crash_report.h>
#include <crafty/crash/session_file.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char whole[] = "Crafty crash report 1\n"
                            "program: crafty\n"
                            "tick: 7\n"
                            "stack:\n"
                            "  0 0x1234 crafty 0x34 abcd\n"
                            "  1 0x9999\n"
                            "log:\n"
                            "  [  0.100] info gpu: a \"quoted\" \\ device\n"
                            "end\n";

static bool reads(const char *text, CraftyReport *report, CnError *error)
{
    *error = (CnError){0};
    return crafty_report_read(report, cn_text(text), error);
}

static void the_parts_of_a_report_are_read(void **state)
{
    (void)state;
    CraftyReport report;
    CnError error;
    assert_true(reads(whole, &report, &error));
    assert_true(report.is_complete);
    assert_int_equal(report.fields.count, 2);
    assert_true(cn_text_equal(report.fields.items[1].value, cn_text("7")));
    assert_int_equal(report.frames.count, 2);
    assert_true(cn_text_equal(report.frames.items[0].offset, cn_text("0x34")));
    assert_int_equal(report.frames.items[1].module.size, 0);
    assert_int_equal(report.log.count, 1);
    crafty_report_fini(&report);
}

static void a_report_that_was_cut_off_is_read_at_every_length(void **state)
{
    (void)state;
    const size_t first = strlen("Crafty crash report 1\n");
    for (size_t size = 0; size <= strlen(whole); size++) {
        CraftyReport report;
        CnError error = {0};
        bool read = crafty_report_read(&report, (CnText){whole, size}, &error);
        assert_int_equal(read, size >= first);
        if (!read)
            continue;
        assert_int_equal(report.is_complete, size == strlen(whole));
        crafty_report_fini(&report);
    }
}

static void json_escapes_quotes_and_backslashes(void **state)
{
    (void)state;
    CraftyReport report;
    CnError error;
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    assert_true(reads(whole, &report, &error));
    assert_true(crafty_report_write_json(&report, &text));
    assert_non_null(strstr(text.items, "a \\\"quoted\\\" \\\\ device"));
    assert_non_null(strstr(text.items, "\"complete\": true"));
    cn_array_fini(&text);
    crafty_report_fini(&report);
}

static void expect_refused(const char *text)
{
    CraftyReport report;
    CnError error;
    assert_false(reads(text, &report, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void malformed_reports_are_refused(void **state)
{
    (void)state;
    expect_refused("another file\n");
    expect_refused("Crafty crash report 1\nno name\n");
    expect_refused("Crafty crash report 1\n  indented\n");
    expect_refused("Crafty crash report 1\nstack:\n  0 0x1 crafty\n");
    expect_refused("Crafty crash report 1\nworld: \x1b[31m\n");
    expect_refused("Crafty crash report 1\nworld: \xff\n");
    expect_refused("Crafty crash report 1\nend\ntick: 1\n");
}

static void dates_are_written(void **state)
{
    (void)state;
    static const struct {
        time_t seconds;
        const char *text;
    } dates[] = {{0, "1970-01-01 00:00:00 UTC"},
                 {951782400, "2000-02-29 00:00:00 UTC"},
                 {1795079642, "2026-11-19 09:14:02 UTC"},
                 {4107542399, "2100-02-28 23:59:59 UTC"},
                 {4107542400, "2100-03-01 00:00:00 UTC"}};
    for (uint32_t i = 0; i < CN_COUNT_OF(dates); i++) {
        char text[CRAFTY_DATE_BYTES];
        crafty_date(dates[i].seconds, text);
        assert_string_equal(text, dates[i].text);
    }
}

/* ---- Sessions ---- */

static Scratch scratch, worlds;
static char world_a[512], world_b[512];

static CraftySessionInfo info_of(const char *path)
{
    CraftySessionInfo info = {.program = "crafty", .world = "Home"};
    cn_copy_text(info.path, sizeof info.path, cn_text(path));
    return info;
}

static void make_session(CraftySessionFile *file, const char *name, const char *path)
{
    CraftySessionInfo info = info_of(path);
    CnError error = {0};
    if (!crafty_session_file_create(file, scratch.folder, name, &info, &error))
        fail_msg("%s", error.message);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(scratch_path(&scratch, name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void a_running_session_is_not_found(void **state)
{
    (void)state;
    CraftySessionFile file;
    CraftyUncleanSession found;
    make_session(&file, "crafty-20260101-000000-1", world_a);
    assert_false(crafty_unclean_session_find(scratch.folder, NULL, &found));
    crafty_session_file_remove(&file);
    assert_int_equal(scratch_count(&scratch), 0);
}

static void an_abandoned_session_is_found_by_its_world(void **state)
{
    (void)state;
    CraftySessionFile a, b;
    CraftyUncleanSession found;
    make_session(&a, "crafty-20260101-000000-1", world_a);
    make_session(&b, "crafty-20260101-000000-2", world_b);
    crafty_session_file_abandon(&a);
    crafty_session_file_abandon(&b);
    assert_true(crafty_unclean_session_find(scratch.folder, world_a, &found));
    assert_string_equal(found.name, "crafty-20260101-000000-1");
    assert_string_equal(found.info.world, "Home");
    assert_int_equal(found.info.attempts, 0);
    assert_false(crafty_unclean_session_find(scratch.folder, "/c.crafty", &found));
}

static void a_session_of_a_deleted_world_is_not_offered(void **state)
{
    (void)state;
    CraftySessionFile file;
    CraftyUncleanSession found;
    make_session(&file, "crafty-20260101-000000-1", world_a);
    crafty_session_file_abandon(&file);
    assert_int_equal(unlink(world_a), 0);
    assert_false(crafty_unclean_session_find(scratch.folder, NULL, &found));
}

static void attempts_are_counted(void **state)
{
    (void)state;
    CraftySessionFile file;
    CraftyUncleanSession found;
    make_session(&file, "crafty-20260101-000000-1", world_a);
    crafty_session_file_abandon(&file);
    assert_true(crafty_unclean_session_find(scratch.folder, NULL, &found));
    assert_true(crafty_unclean_session_attempt(scratch.folder, &found, NULL));
    assert_true(crafty_unclean_session_find(scratch.folder, NULL, &found));
    assert_int_equal(found.info.attempts, 1);
}

static void a_dismissed_session_keeps_its_report(void **state)
{
    (void)state;
    CraftySessionFile file;
    CraftyUncleanSession found;
    make_session(&file, "crafty-20260101-000000-1", world_a);
    write_file("crafty-20260101-000000-1.report", whole);
    write_file("crafty-20260101-000000-1-a.cnr", "recording");
    crafty_session_file_abandon(&file);
    assert_true(crafty_unclean_session_find(scratch.folder, NULL, &found));
    assert_true(found.has_report);
    crafty_unclean_session_dismiss(scratch.folder, &found);
    assert_false(crafty_unclean_session_find(scratch.folder, NULL, &found));
    assert_int_equal(scratch_count(&scratch), 2);
}

static void a_session_without_a_report_leaves_nothing(void **state)
{
    (void)state;
    CraftySessionFile file;
    make_session(&file, "crafty-20260101-000000-1", world_a);
    write_file("crafty-20260101-000000-1.report", "");
    write_file("crafty-20260101-000000-1-a.cnr", "recording");
    write_file("crafty-20260101-000000-1-b.cnr", "recording");
    crafty_session_file_abandon(&file);
    crafty_unclean_sessions_dismiss_world(scratch.folder, world_a);
    assert_int_equal(scratch_count(&scratch), 0);
}

static void malformed_session_files_are_ignored(void **state)
{
    (void)state;
    CraftyUncleanSession found;
    write_file("noise.session", "\x01\x02");
    write_file("empty.session", "");
    write_file("other.session", "Crafty session 1\npath: relative\n");
    assert_false(crafty_unclean_session_find(scratch.folder, NULL, &found));
}

static void a_torn_line_of_a_session_file_is_ignored(void **state)
{
    (void)state;
    CraftySessionInfo info;
    static const char text[] = "Crafty session 1\nworld: W\npath: /w\nattem";
    assert_true(crafty_session_info_read(&info, text, strlen(text), NULL));
    assert_string_equal(info.path, "/w");
    assert_int_equal(info.attempts, 0);
}

static void only_the_newest_reports_are_kept(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_KEPT_REPORTS + 3; i++) {
        char name[64];
        cn_format(name, sizeof name, "crafty-202601%02u-000000-1.report", i + 1);
        write_file(name, whole);
        cn_format(name, sizeof name, "crafty-202601%02u-000000-1-a.cnr", i + 1);
        write_file(name, "recording");
    }
    write_file("crafty-20251201-000000-1.report", "");
    write_file("crafty-20251202-000000-1-b.cnr", "recording of nothing");
    write_file("unrelated.txt", "stays");
    crafty_crash_folder_clean(scratch.folder);
    assert_int_equal(scratch_count(&scratch), 2 * CRAFTY_KEPT_REPORTS + 1);
    assert_int_equal(access(scratch_path(&scratch, "crafty-20260113-000000-1.report"), F_OK), 0);
    assert_int_not_equal(access(scratch_path(&scratch, "crafty-20260103-000000-1.report"), F_OK),
                         0);
}

static int make(void **state)
{
    (void)state;
    scratch_init(&scratch);
    scratch_init(&worlds);
    cn_format(world_a, sizeof world_a, "%s", scratch_path(&worlds, "a.crafty"));
    cn_format(world_b, sizeof world_b, "%s", scratch_path(&worlds, "b.crafty"));
    fclose(fopen(world_a, "w"));
    fclose(fopen(world_b, "w"));
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    scratch_fini(&worlds);
    return 0;
}

#define SESSION_TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_of_a_report_are_read),
        cmocka_unit_test(a_report_that_was_cut_off_is_read_at_every_length),
        cmocka_unit_test(json_escapes_quotes_and_backslashes),
        cmocka_unit_test(malformed_reports_are_refused),
        cmocka_unit_test(dates_are_written),
        SESSION_TEST(a_running_session_is_not_found),
        SESSION_TEST(an_abandoned_session_is_found_by_its_world),
        SESSION_TEST(a_session_of_a_deleted_world_is_not_offered),
        SESSION_TEST(attempts_are_counted),
        SESSION_TEST(a_dismissed_session_keeps_its_report),
        SESSION_TEST(a_session_without_a_report_leaves_nothing),
        SESSION_TEST(malformed_session_files_are_ignored),
        SESSION_TEST(a_torn_line_of_a_session_file_is_ignored),
        SESSION_TEST(only_the_newest_reports_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_tests.h"

#include <cairn/base/error.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

static void set_returns_false_and_fills_the_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(cn_error_set(&error, CN_ERROR_NOT_FOUND, "no %s", "door"));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_string_equal(error.message, "no door");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
}

static void a_null_error_is_ignored(void **state)
{
    (void)state;
    assert_false(cn_error_set(NULL, CN_ERROR_IO, "lost"));
    assert_false(cn_error_set_at(NULL, CN_ERROR_IO, "a", 1, 1, "lost"));
    cn_error_clear(NULL);
}

static void set_forgets_an_earlier_place(void **state)
{
    (void)state;
    CnError error = {0};
    cn_error_set_at(&error, CN_ERROR_FORMAT, "level.json", 3, 9, "comma");
    cn_error_set(&error, CN_ERROR_IO, "disk");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
}

static void the_text_has_place_message_and_code(void **state)
{
    (void)state;
    CnError error = {0};
    char text[128];
    cn_error_set_at(&error, CN_ERROR_FORMAT, "level.json", 3, 9, "comma expected");
    assert_string_equal(cn_error_text(&error, text, sizeof text),
                        "level.json:3:9: comma expected (malformed)");
}

static void unknown_parts_of_the_place_are_left_out(void **state)
{
    (void)state;
    CnError error = {0};
    char text[128];
    cn_error_set(&error, CN_ERROR_IO, "disk full");
    assert_string_equal(cn_error_text(&error, text, sizeof text), "disk full (input/output)");
    cn_error_set_at(&error, CN_ERROR_IO, "a", 0, 0, "b");
    assert_string_equal(cn_error_text(&error, text, sizeof text), "a: b (input/output)");
    cn_error_set_at(&error, CN_ERROR_IO, "a", 4, 0, "b");
    assert_string_equal(cn_error_text(&error, text, sizeof text), "a:4: b (input/output)");
    cn_error_set_at(&error, CN_ERROR_IO, NULL, 4, 2, "b");
    assert_string_equal(cn_error_text(&error, text, sizeof text), "line 4:2: b (input/output)");
}

static void a_long_message_is_cut_at_a_character(void **state)
{
    (void)state;
    char longer[CN_ERROR_MESSAGE_BYTES * 2 + 1];
    for (size_t i = 0; i + 2 < sizeof longer; i += 2)
        memcpy(longer + i, "\xC3\xA4", 2);
    longer[sizeof longer - 1] = '\0';
    CnError error = {0};
    cn_error_set(&error, CN_ERROR_FORMAT, "%s", longer);
    assert_int_equal(strlen(error.message), CN_ERROR_MESSAGE_BYTES - 2);
    assert_true(cn_text_is_utf8(cn_text(error.message)));
}

static void an_error_may_wrap_its_own_message(void **state)
{
    (void)state;
    CnError error = {0};
    cn_error_set_at(&error, CN_ERROR_FORMAT, "a.json", 1, 2, "comma expected");
    cn_error_set_at(&error, error.code, error.file, error.line, error.column, "scene \"%s\": %s",
                    "cave", error.message);
    assert_string_equal(error.message, "scene \"cave\": comma expected");
    assert_string_equal(error.file, "a.json");
}

static void every_code_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < CN_ERROR_CODE_COUNT; i++) {
        assert_non_null(cn_error_code_name((CnErrorCode)i));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(cn_error_code_name((CnErrorCode)i),
                                    cn_error_code_name((CnErrorCode)k));
    }
    assert_string_equal(cn_error_code_name(CN_ERROR_CODE_COUNT), "unknown");
    assert_string_equal(cn_error_code_name(CN_ERROR_NOT_FOUND), "not found");
}

static void clear_makes_it_ok_again(void **state)
{
    (void)state;
    CnError error = {0};
    cn_error_set(&error, CN_ERROR_IO, "disk");
    cn_error_clear(&error);
    assert_int_equal(error.code, CN_OK);
    assert_string_equal(error.message, "");
}

static void a_small_text_buffer_is_terminated(void **state)
{
    (void)state;
    CnError error = {0};
    char text[6] = "xxxxx";
    cn_error_set(&error, CN_ERROR_IO, "disk full");
    assert_string_equal(cn_error_text(&error, text, sizeof text), "disk ");
    assert_string_equal(cn_error_text(&error, text, 0), "");
}

static uint32_t lines;

static void count_line(const CnLogRecord *record, void *user)
{
    (void)record, (void)user;
    lines++;
}

/* Reports so many different errors, each twice; returns how many lines that logs. */
static uint32_t report(CnUnhandledErrors *unhandled, uint32_t causes)
{
    CnError error;
    CnLogLevel level = cn_log_level();
    lines = 0;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    int sink = cn_log_add_sink(&(CnLogSink){.write = count_line, .level = CN_LOG_LEVEL_ERROR});
    for (uint32_t i = 0; i < 2 * causes; i++) {
        cn_error_set(&error, CN_ERROR_IO, "cause %u", i / 2);
        cn_error_report(unhandled, "test", &error);
    }
    cn_log_remove_sink(sink);
    cn_log_set_level(level);
    return lines;
}

static void a_reported_error_is_logged_once_and_counted_each_time(void **state)
{
    (void)state;
    CnUnhandledErrors unhandled = {0};
    assert_int_equal(report(&unhandled, 3), 3);
    assert_int_equal(unhandled.count, 6);
}

static void what_exceeds_the_remembered_causes_is_counted_and_said_once(void **state)
{
    (void)state;
    CnUnhandledErrors unhandled = {0};
    assert_int_equal(report(&unhandled, 1000), CN_UNHANDLED_CAUSES + 1);
    assert_int_equal(unhandled.count, 2000);
}

static void without_an_owner_the_process_counts(void **state)
{
    (void)state;
    uint64_t before = cn_errors_unhandled();
    assert_int_equal(report(NULL, 1), 1);
    assert_int_equal(cn_errors_unhandled(), before + 2);
}

static bool fail_at_the_border(CnUnhandledErrors *unhandled, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "test", unhandled);
    return cn_error_set(error, CN_ERROR_LIMIT, "too many");
}

static void an_error_is_reported_only_where_the_caller_passes_none(void **state)
{
    (void)state;
    CnUnhandledErrors unhandled = {0};
    CnError error = {0};
    fail_at_the_border(&unhandled, &error);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_int_equal(unhandled.count, 0);
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    fail_at_the_border(&unhandled, NULL);
    cn_log_set_level(level);
    assert_int_equal(unhandled.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_returns_false_and_fills_the_error),
        cmocka_unit_test(a_null_error_is_ignored),
        cmocka_unit_test(set_forgets_an_earlier_place),
        cmocka_unit_test(the_text_has_place_message_and_code),
        cmocka_unit_test(unknown_parts_of_the_place_are_left_out),
        cmocka_unit_test(a_long_message_is_cut_at_a_character),
        cmocka_unit_test(an_error_may_wrap_its_own_message),
        cmocka_unit_test(every_code_has_a_name_of_its_own),
        cmocka_unit_test(a_reported_error_is_logged_once_and_counted_each_time),
        cmocka_unit_test(what_exceeds_the_remembered_causes_is_counted_and_said_once),
        cmocka_unit_test(without_an_owner_the_process_counts),
        cmocka_unit_test(an_error_is_reported_only_where_the_caller_passes_none),
        cmocka_unit_test(clear_makes_it_ok_again),
        cmocka_unit_test(a_small_text_buffer_is_terminated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Text from outside, made harmless for logs and terminals: every sink of the library. */
#include "child.h"
#include "cmocka_tests.h"

#include <cairn/base/assert.h>
#include <cairn/base/console.h>
#include <cairn/base/error.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A forged message behind a line break, a color, a C1 sequence, an override of direction, and
 * bytes that are no UTF-8. */
#define HOSTILE                                                                                    \
    "a\n[  9.999] error gpu: forged\x1B[2J\xC2\x9B"                                                \
    "31m\xE2\x80\xAE"                                                                              \
    "\xFF\r\tz"
#define SHOWN_TAIL "[  9.999] error gpu: forged\\x1b[2J\\u{9b}31m\\u{202e}\\xff\\r\\tz"

#define LOGGED_TAIL "[  9.999] error gpu: forged\\x1b[2J\\u{9b}31m\\u{202e}\\xff\\r\tz"

static void assert_escaped(const char *text, const char *expected)
{
    char shown[256], again[256];
    assert_string_equal(cn_text_escape(cn_text(text), shown, sizeof shown), expected);
    assert_string_equal(cn_text_escape(cn_text(shown), again, sizeof again), expected);
}

static void plain_text_stays(void **state)
{
    (void)state;
    assert_escaped("", "");
    assert_escaped("C:\\new\\table \"x\" \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80",
                   "C:\\new\\table \"x\" \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    assert_escaped("\xEF\xBF\xBD", "\xEF\xBF\xBD"); /* U+FFFD itself */
}

static void control_characters_are_escaped(void **state)
{
    (void)state;
    assert_escaped("\n\r\t\a\b\x1B\x7F", "\\n\\r\\t\\x07\\x08\\x1b\\x7f");
    assert_escaped("\xC2\x80\xC2\x9F\xC2\xA0", "\\u{80}\\u{9f}\xC2\xA0");
}

static void direction_marks_and_separators_are_escaped(void **state)
{
    (void)state;
    assert_escaped("\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C\xE2\x80\x8F",
                   "\\u{202e}\\u{2066}\\u{61c}\\u{200f}");
    assert_escaped("\xE2\x80\xA8\xE2\x80\xA9\xEF\xBB\xBF", "\\u{2028}\\u{2029}\\u{feff}");
    assert_escaped("\xF3\xA0\x81\xBF", "\\u{e007f}");
}

static void bytes_that_are_no_utf8_are_escaped(void **state)
{
    (void)state;
    assert_escaped("a\xFF\x80z", "a\\xff\\x80z");
    assert_escaped("\xE2\x82", "\\xe2\\x82");
    assert_escaped("\xF0\x9F\x98", "\\xf0\\x9f\\x98");
    assert_escaped("\xC0\x8A", "\\xc0\\x8a");
    assert_escaped("\xED\xA0\x80", "\\xed\\xa0\\x80");
}

static void no_byte_of_the_result_is_unsafe_or_broken(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 0x10000; i++) {
        char text[3] = {(char)(i >> 8), (char)i, 0}, shown[64];
        cn_text_escape((CnText){text, 2}, shown, sizeof shown);
        assert_true(cn_text_is_utf8(cn_text(shown)));
        for (const char *at = shown; *at; at++)
            assert_true((unsigned char)*at >= 0x20 && *at != 0x7F);
    }
}

static void what_does_not_fit_is_cut_before_it(void **state)
{
    (void)state;
    char shown[8];
    assert_string_equal(cn_text_escape(cn_text("abcd\x1B"), shown, sizeof shown), "abcd");
    assert_string_equal(cn_text_escape(cn_text("abc\x1Bz"), shown, sizeof shown), "abc\\x1b");
    assert_string_equal(cn_text_escape(cn_text("abcdef\xC3\xA4"), shown, sizeof shown), "abcdef");
    assert_string_equal(cn_text_escape(cn_text("x"), NULL, 0), "");
}

/* ---- Sinks ---- */

static char logged[512];

static void remember(const CnLogRecord *record, void *user)
{
    (void)user;
    cn_copy_text(logged, sizeof logged, cn_text(record->message));
}

static void a_sink_gets_escaped_messages(void **state)
{
    (void)state;
    int sink = cn_log_add_sink(&(CnLogSink){.write = remember, .level = CN_LOG_LEVEL_INFO});
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    CN_LOG_INFO("test", "%s", HOSTILE);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    cn_log_remove_sink(sink);
    assert_string_equal(logged, "a\n    | " LOGGED_TAIL);
}

/* Both outputs go to the standard error, where the parent reads. */
static void print_lines(void)
{
    static char filler[5000];
    memset(filler, 0x1B, sizeof filler - 1);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    cn_print("out %s", HOSTILE);
    fflush(stdout);
    cn_print_error("error %s", HOSTILE);
    cn_print_error("%s", filler);
}

static int run_child(const char *kind)
{
    if (strcmp(kind, "log") == 0)
        CN_LOG_INFO("test", "%s", HOSTILE);
    else if (strcmp(kind, "print") == 0)
        print_lines();
    else
        cn_assert_fail("file.c", 1, "no %s", HOSTILE);
    return 0;
}

static void standard_error_gets_lines_that_cannot_be_forged(void **state)
{
    (void)state;
    char output[1024];
    child_run("log", "CAIRN_LOG=info", output, sizeof output);
    assert_non_null(strstr(output, "] info test: a\n    | " LOGGED_TAIL "\n"));
    assert_null(strstr(output, "\n["));
}

static void printed_lines_are_escaped_and_bounded(void **state)
{
    (void)state;
    static char output[30000];
    assert_int_equal(child_run("print", NULL, output, sizeof output), 0);
    static const char lines[] = "out a\\n" SHOWN_TAIL "\nerror a\\n" SHOWN_TAIL "\n";
    assert_memory_equal(output, lines, sizeof lines - 1);
    assert_int_equal(strlen(output + sizeof lines - 1), 4 * 4095 + 1);
}

static void a_guard_prints_one_line(void **state)
{
    (void)state;
    char output[1024];
    child_run("guard", NULL, output, sizeof output);
    assert_non_null(strstr(output, "file.c:1: assertion failed: no a\\n" SHOWN_TAIL "\n"));
}

static void errors_hold_escaped_texts(void **state)
{
    (void)state;
    CnError error = {0};
    cn_error_set_at(&error, CN_ERROR_FORMAT, "fi\nle", 1, 0, "%s", HOSTILE);
    assert_string_equal(error.message, "a\\n" SHOWN_TAIL);
    assert_string_equal(error.file, "fi\\nle");
}

static void error_texts_are_escaped_whoever_wrote_them(void **state)
{
    (void)state;
    CnError error = {.code = CN_ERROR_IO};
    char text[512];
    cn_copy_text(error.file, sizeof error.file, cn_text("a\x1B"));
    cn_copy_text(error.message, sizeof error.message, cn_text("b\n"));
    assert_string_equal(cn_error_text(&error, text, sizeof text), "a\\x1b: b\\n (input/output)");
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return run_child(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_stays),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(direction_marks_and_separators_are_escaped),
        cmocka_unit_test(bytes_that_are_no_utf8_are_escaped),
        cmocka_unit_test(no_byte_of_the_result_is_unsafe_or_broken),
        cmocka_unit_test(what_does_not_fit_is_cut_before_it),
        cmocka_unit_test(a_sink_gets_escaped_messages),
        cmocka_unit_test(standard_error_gets_lines_that_cannot_be_forged),
        cmocka_unit_test(printed_lines_are_escaped_and_bounded),
        cmocka_unit_test(a_guard_prints_one_line),
        cmocka_unit_test(errors_hold_escaped_texts),
        cmocka_unit_test(error_texts_are_escaped_whoever_wrote_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "child.h"
#include "cmocka_tests.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct Capture {
    int count;
    CnLogLevel level;
    char module[32];
    char message[8192];
    uint64_t time_ns;
    int own_id;
} Capture;

static Capture capture;
static int capture_sink;

static void remember(const CnLogRecord *record, void *user)
{
    Capture *into = user;
    into->count++;
    into->level = record->level;
    into->time_ns = record->time_ns;
    cn_copy_text(into->module, sizeof into->module, cn_text(record->module));
    cn_copy_text(into->message, sizeof into->message, cn_text(record->message));
}

static int begin_capture(void **state)
{
    (void)state;
    capture = (Capture){0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    capture_sink = cn_log_add_sink(
        &(CnLogSink){.write = remember, .user = &capture, .level = CN_LOG_LEVEL_DEBUG});
    return capture_sink > 0 ? 0 : -1;
}

static int end_capture(void **state)
{
    (void)state;
    cn_log_remove_sink(capture_sink);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    return 0;
}

static void a_record_has_level_module_and_message(void **state)
{
    (void)state;
    CN_LOG_WARNING("ecs", "%d dropped", 3);
    assert_int_equal(capture.count, 1);
    assert_int_equal(capture.level, CN_LOG_LEVEL_WARNING);
    assert_string_equal(capture.module, "ecs");
    assert_string_equal(capture.message, "3 dropped");
}

static void messages_below_the_level_are_not_written(void **state)
{
    (void)state;
    CN_LOG_TRACE("base", "no");
    assert_int_equal(capture.count, 0);
    CN_LOG_DEBUG("base", "yes");
    CN_LOG_INFO("base", "yes");
    CN_LOG_ERROR("base", "yes");
    assert_int_equal(capture.count, 3);
}

static int count_evaluation(int *evaluations)
{
    return ++*evaluations;
}

static void arguments_of_unwanted_messages_are_not_evaluated(void **state)
{
    (void)state;
    int evaluations = 0;
    CN_LOG_TRACE("base", "%d", count_evaluation(&evaluations));
    assert_int_equal(evaluations, 0);
    CN_LOG_DEBUG("base", "%d", count_evaluation(&evaluations));
    assert_int_equal(evaluations, 1);
}

static void wants_tells_whether_some_sink_listens(void **state)
{
    (void)state;
    assert_false(cn_log_enabled(CN_LOG_LEVEL_TRACE));
    assert_true(cn_log_enabled(CN_LOG_LEVEL_DEBUG));
    assert_true(cn_log_enabled(CN_LOG_LEVEL_ERROR));
    assert_false(cn_log_enabled(CN_LOG_LEVEL_OFF));
    cn_log_remove_sink(capture_sink);
    assert_false(cn_log_enabled(CN_LOG_LEVEL_ERROR));
    cn_log_set_level(CN_LOG_LEVEL_ERROR);
    assert_true(cn_log_enabled(CN_LOG_LEVEL_ERROR));
    assert_false(cn_log_enabled(CN_LOG_LEVEL_WARNING));
}

static void each_sink_gets_the_levels_it_wants(void **state)
{
    (void)state;
    Capture errors = {0};
    int sink = cn_log_add_sink(&(CnLogSink){remember, &errors, CN_LOG_LEVEL_ERROR});
    CN_LOG_INFO("base", "info");
    CN_LOG_ERROR("base", "error");
    cn_log_remove_sink(sink);
    CN_LOG_ERROR("base", "late");
    assert_int_equal(capture.count, 3);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.message, "error");
}

static void there_is_a_limit_to_sinks(void **state)
{
    (void)state;
    Capture other = {0};
    int sinks[CN_LOG_MAX_SINKS];
    int count = 0;
    while (count < CN_LOG_MAX_SINKS) {
        sinks[count] = cn_log_add_sink(&(CnLogSink){remember, &other, CN_LOG_LEVEL_ERROR});
        if (sinks[count] == 0)
            break;
        count++;
    }
    /* Standard error and the capture are two of them. */
    assert_int_equal(count, CN_LOG_MAX_SINKS - 2);
    while (count > 0)
        cn_log_remove_sink(sinks[--count]);
    CN_LOG_ERROR("base", "nobody else");
    assert_int_equal(other.count, 0);
    assert_int_equal(capture.count, 1);
}

static void the_name_of_a_removed_sink_is_not_given_again(void **state)
{
    (void)state;
    Capture other = {0};
    CnLogSink sink = {remember, &other, CN_LOG_LEVEL_ERROR};
    int first = cn_log_add_sink(&sink);
    cn_log_remove_sink(first);
    int second = cn_log_add_sink(&sink);
    assert_int_not_equal(first, second);
    cn_log_remove_sink(first);
    CN_LOG_ERROR("base", "still there");
    assert_int_equal(other.count, 1);
    cn_log_remove_sink(second);
}

static void a_long_message_is_cut_not_overflowed(void **state)
{
    (void)state;
    static char text[20001];
    memset(text, 'x', sizeof text - 1);
    CN_LOG_INFO("base", "%s", text);
    assert_int_equal(strlen(capture.message), 4095);
}

static void newlines_at_the_end_are_taken_off(void **state)
{
    (void)state;
    CN_LOG_INFO("base", "one\ntwo\r\n\n");
    assert_string_equal(capture.message, "one\n    | two");
}

static void time_counts_from_the_start_of_the_process(void **state)
{
    (void)state;
    CN_LOG_INFO("base", "first");
    uint64_t first_ns = capture.time_ns;
    cn_clock_sleep_ns(2000000);
    CN_LOG_INFO("base", "second");
    assert_true(capture.time_ns >= first_ns + 2000000);
    assert_true(cn_seconds(capture.time_ns) < 1000);
}

static void log_again(const CnLogRecord *record, void *user)
{
    remember(record, user);
    CN_LOG_ERROR("sink", "from inside");
}

static void what_a_sink_logs_does_not_come_back_to_it(void **state)
{
    (void)state;
    Capture inner = {0};
    int sink = cn_log_add_sink(&(CnLogSink){log_again, &inner, CN_LOG_LEVEL_DEBUG});
    CN_LOG_INFO("base", "once");
    cn_log_remove_sink(sink);
    assert_int_equal(inner.count, 1);
    assert_int_equal(capture.count, 1);
    CN_LOG_INFO("base", "twice");
    assert_int_equal(capture.count, 2);
}

static void remove_own_sink(const CnLogRecord *record, void *user)
{
    remember(record, user);
    cn_log_remove_sink(((Capture *)user)->own_id);
}

static void a_sink_may_remove_itself(void **state)
{
    (void)state;
    Capture once = {0};
    once.own_id = cn_log_add_sink(&(CnLogSink){remove_own_sink, &once, CN_LOG_LEVEL_DEBUG});
    CN_LOG_INFO("base", "one");
    CN_LOG_INFO("base", "two");
    assert_int_equal(once.count, 1);
    assert_int_equal(capture.count, 2);
}

static void levels_have_names(void **state)
{
    (void)state;
    assert_string_equal(cn_log_level_name(CN_LOG_LEVEL_TRACE), "trace");
    assert_string_equal(cn_log_level_name(CN_LOG_LEVEL_WARNING), "warning");
    assert_string_equal(cn_log_level_name(CN_LOG_LEVEL_OFF), "off");
    assert_string_equal(cn_log_level_name((CnLogLevel)77), "unknown");
}

static void standard_error_cannot_be_removed(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_ERROR);
    cn_log_remove_sink(1);
    cn_log_remove_sink(0);
    cn_log_remove_sink(-1);
    assert_int_equal(cn_log_level(), CN_LOG_LEVEL_ERROR);
}

/* ---- What is read once at the start, in a process of its own ---- */

static int run_child(void)
{
    CN_LOG_DEBUG("ecs", "a debug message");
    CN_LOG_INFO("ecs", "an info message");
    CN_LOG_WARNING("ecs", "a warning");
    CN_LOG_ERROR("ecs", "an error");
    return (int)cn_log_level();
}

static void a_line_has_time_level_module_and_message(void **state)
{
    (void)state;
    char output[1024];
    child_run("child", "CAIRN_LOG=error", output, sizeof output);
    double seconds;
    char level[16], module[16];
    int message_at = 0;
    assert_int_equal(sscanf(output, "[%lf] %15s %15[^:]: %n", &seconds, level, module, &message_at),
                     3);
    assert_true(seconds >= 0 && seconds < 1000);
    assert_int_equal(output[8], ']');
    assert_string_equal(level, "error");
    assert_string_equal(module, "ecs");
    assert_string_equal(output + message_at, "an error\n");
}

static void info_is_the_level_without_a_wish(void **state)
{
    (void)state;
    char output[1024];
    assert_int_equal(child_run("child", "CAIRN_LOG=", output, sizeof output), CN_LOG_LEVEL_INFO);
    assert_null(strstr(output, "debug"));
    assert_non_null(strstr(output, "info ecs: an info message\n"));
    assert_non_null(strstr(output, "warning ecs: a warning\n"));
}

static void the_environment_sets_the_level(void **state)
{
    (void)state;
    char output[1024];
    assert_int_equal(child_run("child", "CAIRN_LOG=trace", output, sizeof output),
                     CN_LOG_LEVEL_TRACE);
    assert_non_null(strstr(output, "debug ecs: a debug message\n"));
    assert_int_equal(child_run("child", "CAIRN_LOG=off", output, sizeof output), CN_LOG_LEVEL_OFF);
    assert_string_equal(output, "");
}

static void an_unknown_level_is_reported(void **state)
{
    (void)state;
    char output[1024];
    assert_int_equal(child_run("child", "CAIRN_LOG=loud", output, sizeof output),
                     CN_LOG_LEVEL_INFO);
    assert_non_null(strstr(output, "warning base: CAIRN_LOG=loud is not a level; using info\n"));
}

#define LOG_TEST(name) cmocka_unit_test_setup_teardown(name, begin_capture, end_capture)

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 2)
        return run_child();
    const struct CMUnitTest tests[] = {
        LOG_TEST(a_record_has_level_module_and_message),
        LOG_TEST(messages_below_the_level_are_not_written),
        LOG_TEST(arguments_of_unwanted_messages_are_not_evaluated),
        LOG_TEST(wants_tells_whether_some_sink_listens),
        LOG_TEST(each_sink_gets_the_levels_it_wants),
        LOG_TEST(there_is_a_limit_to_sinks),
        LOG_TEST(the_name_of_a_removed_sink_is_not_given_again),
        LOG_TEST(a_long_message_is_cut_not_overflowed),
        LOG_TEST(newlines_at_the_end_are_taken_off),
        LOG_TEST(time_counts_from_the_start_of_the_process),
        LOG_TEST(what_a_sink_logs_does_not_come_back_to_it),
        LOG_TEST(a_sink_may_remove_itself),
        LOG_TEST(levels_have_names),
        LOG_TEST(standard_error_cannot_be_removed),
        cmocka_unit_test(a_line_has_time_level_module_and_message),
        cmocka_unit_test(info_is_the_level_without_a_wish),
        cmocka_unit_test(the_environment_sets_the_level),
        cmocka_unit_test(an_unknown_level_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

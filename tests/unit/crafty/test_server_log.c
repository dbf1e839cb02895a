/* Lines of the server's log: fields, escaping, files that are opened again; the service manager. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/server/event_log.h>
#include <crafty/server/line_input.h>
#include <crafty/server/service.h>

#include <cairn/base/file.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char line[CRAFTY_EVENT_BYTES];

static const char *format_as(CraftyLogFormat format, const char *value)
{
    const CraftyEventField fields[] = {CRAFTY_FIELD("player", value), CRAFTY_NUMBER("count", -3)};
    size_t size = crafty_event_format(line, format, 1700000000123, CN_LOG_LEVEL_INFO, "joined",
                                      fields, CN_COUNT_OF(fields));
    assert_int_equal(size, strlen(line));
    return line;
}

static void text_has_time_level_event_and_fields(void **state)
{
    (void)state;
    assert_string_equal(format_as(CRAFTY_LOG_TEXT, "Anna"),
                        "2023-11-14T22:13:20.123Z info joined player=Anna count=-3\n");
    assert_string_equal(format_as(CRAFTY_LOG_TEXT, ""),
                        "2023-11-14T22:13:20.123Z info joined player=\"\" count=-3\n");
}

static void values_cannot_imitate_fields_or_lines(void **state)
{
    (void)state;
    assert_string_equal(format_as(CRAFTY_LOG_TEXT, "a role=x\n\"b\x1b"),
                        "2023-11-14T22:13:20.123Z info joined player=\"a role=x\\\\n\\\"b\\\\x1b\" "
                        "count=-3\n");
}

static void json_is_valid_and_has_the_values(void **state)
{
    (void)state;
    json_t *object = json_loads(format_as(CRAFTY_LOG_JSON, "a \"b\" \\ ü"), 0, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "time")),
                        "2023-11-14T22:13:20.123Z");
    assert_string_equal(json_string_value(json_object_get(object, "level")), "info");
    assert_string_equal(json_string_value(json_object_get(object, "event")), "joined");
    assert_string_equal(json_string_value(json_object_get(object, "player")), "a \"b\" \\ ü");
    assert_int_equal(json_integer_value(json_object_get(object, "count")), -3);
    json_decref(object);
}

static void long_values_are_cut_and_the_line_stays_valid(void **state)
{
    (void)state;
    static const char *const keys[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    char value[6000];
    CraftyEventField fields[CN_COUNT_OF(keys)];
    memset(value, '"', sizeof value);
    value[sizeof value - 1] = '\0';
    for (uint32_t i = 0; i < CN_COUNT_OF(fields); i++)
        fields[i] = CRAFTY_FIELD(keys[i], value);
    size_t size = crafty_event_format(line, CRAFTY_LOG_JSON, 0, CN_LOG_LEVEL_INFO, "event", fields,
                                      CN_COUNT_OF(fields));
    assert_true(size < CRAFTY_EVENT_BYTES);
    json_t *object = json_loads(line, 0, NULL);
    assert_non_null(object);
    json_decref(object);
}

static void bytes_that_are_no_text_are_escaped(void **state)
{
    (void)state;
    json_t *object = json_loads(format_as(CRAFTY_LOG_JSON, "\xff\xe2\x80\xae"), 0, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "player")), "\\xff\\u{202e}");
    json_decref(object);
}

/* ---- Files ---- */

static Scratch scratch;

static int begin(void **state)
{
    (void)state;
    unsetenv("CAIRN_LOG");
    scratch_init(&scratch);
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_event_log_close();
    scratch_fini(&scratch);
    return 0;
}

static void open_log(CraftyLogFormat format, CnLogLevel level)
{
    CnError error = {0};
    if (!crafty_event_log_open(&(CraftyEventLogDesc){.path = scratch_path(&scratch, "log"),
                                                     .level = level,
                                                     .format = format},
                               &error))
        fail_msg("%s", error.message);
}

/* Returns whether a file contains the words. */
static bool file_has(const char *name, const char *words)
{
    CnFileBytes bytes;
    if (!cn_file_read_all(cn_native_files(), scratch_path(&scratch, name), NULL, &bytes, NULL))
        return false;
    bool found = strstr((const char *)bytes.data, words);
    cn_file_bytes_free(&bytes);
    return found;
}

static void messages_of_the_engine_are_in_the_log(void **state)
{
    (void)state;
    open_log(CRAFTY_LOG_TEXT, CN_LOG_LEVEL_INFO);
    CN_LOG_INFO("save", "tick %d is saved", 5);
    assert_true(file_has("log", " info save: tick 5 is saved\n"));
    open_log(CRAFTY_LOG_JSON, CN_LOG_LEVEL_INFO);
    CN_LOG_INFO("save", "tick %d is saved", 6);
    assert_true(file_has("log", "\"event\":\"log\",\"module\":\"save\",\"message\":\"tick 6 is "));
}

static void lower_levels_are_left_out(void **state)
{
    (void)state;
    open_log(CRAFTY_LOG_TEXT, CN_LOG_LEVEL_WARNING);
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "quiet", CRAFTY_NUMBER("n", 1));
    CRAFTY_EVENT(CN_LOG_LEVEL_WARNING, "loud", CRAFTY_NUMBER("n", 1));
    CN_LOG_INFO("test", "quiet");
    assert_false(file_has("log", "quiet"));
    assert_true(file_has("log", "loud"));
}

static void a_file_that_was_moved_is_created_again(void **state)
{
    (void)state;
    open_log(CRAFTY_LOG_TEXT, CN_LOG_LEVEL_INFO);
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "first", CRAFTY_NUMBER("n", 1));
    assert_int_equal(rename(scratch_path(&scratch, "log"), scratch_path(&scratch, "log.1")), 0);
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "second", CRAFTY_NUMBER("n", 1));
    assert_true(crafty_event_log_reopen(NULL));
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "third", CRAFTY_NUMBER("n", 1));
    assert_true(file_has("log.1", "second"));
    assert_true(file_has("log", "third"));
    assert_false(file_has("log", "second"));
}

static void a_log_that_cannot_be_opened_leaves_the_old_one(void **state)
{
    (void)state;
    CnError error = {0};
    open_log(CRAFTY_LOG_TEXT, CN_LOG_LEVEL_INFO);
    assert_false(crafty_event_log_open(
        &(CraftyEventLogDesc){.path = scratch_path(&scratch, "none/log")}, &error));
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "after", CRAFTY_NUMBER("n", 1));
    assert_true(file_has("log", "after"));
}

static void lines_that_cannot_be_written_are_counted(void **state)
{
    (void)state;
    uint64_t before = crafty_event_log_lost();
    assert_true(crafty_event_log_open(&(CraftyEventLogDesc){.path = "/dev/full"}, NULL));
    CRAFTY_EVENT(CN_LOG_LEVEL_ERROR, "lost", CRAFTY_NUMBER("n", 1));
    assert_int_equal(crafty_event_log_lost(), before + 1);
}

/* ---- The console's input ---- */

static void input_is_split_into_lines(void **state)
{
    (void)state;
    CraftyLineInput input = {0};
    char text[CRAFTY_CONSOLE_LINE_BYTES];
    crafty_line_input_add(&input, "li", 2);
    assert_false(crafty_line_input_next(&input, text));
    crafty_line_input_add(&input, "st\r\nstop\nre", 11);
    assert_true(crafty_line_input_next(&input, text));
    assert_string_equal(text, "list");
    assert_true(crafty_line_input_next(&input, text));
    assert_string_equal(text, "stop");
    assert_false(crafty_line_input_next(&input, text));
}

static void lines_that_are_too_long_or_no_text_are_dropped(void **state)
{
    (void)state;
    static char longest[9000];
    CraftyLineInput input = {0};
    char text[CRAFTY_CONSOLE_LINE_BYTES];
    memset(longest, 'x', sizeof longest);
    crafty_line_input_add(&input, "a\n", 2);
    crafty_line_input_add(&input, longest, sizeof longest);
    crafty_line_input_add(&input, "\n\xff\nb\n", 5);
    assert_true(crafty_line_input_next(&input, text));
    assert_string_equal(text, "a");
    assert_true(crafty_line_input_next(&input, text));
    assert_string_equal(text, "b");
    assert_int_equal(input.dropped, 2);
}

/* ---- The service manager ---- */

static void the_service_manager_gets_datagrams(void **state)
{
    (void)state;
    char received[64] = "";
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    cn_format(address.sun_path, sizeof address.sun_path, "%s", scratch_path(&scratch, "notify"));
    assert_int_equal(bind(manager, (struct sockaddr *)&address, sizeof address), 0);
    setenv("NOTIFY_SOCKET", address.sun_path, 1);
    assert_true(crafty_service_notify("READY=1"));
    assert_int_equal(recv(manager, received, sizeof received, 0), 7);
    assert_string_equal(received, "READY=1");
    unsetenv("NOTIFY_SOCKET");
    assert_false(crafty_service_notify("READY=1"));
    close(manager);
}

static void the_watchdog_is_that_of_this_process(void **state)
{
    (void)state;
    char text[32];
    setenv("WATCHDOG_USEC", "30000000", 1);
    assert_int_equal(crafty_service_watchdog_us(), 30000000);
    setenv("WATCHDOG_PID", "1", 1);
    assert_int_equal(crafty_service_watchdog_us(), 0);
    cn_format(text, sizeof text, "%ld", (long)getpid());
    setenv("WATCHDOG_PID", text, 1);
    assert_int_equal(crafty_service_watchdog_us(), 30000000);
    setenv("WATCHDOG_USEC", "x", 1);
    assert_int_equal(crafty_service_watchdog_us(), 0);
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(text_has_time_level_event_and_fields),
        TEST(values_cannot_imitate_fields_or_lines),
        TEST(json_is_valid_and_has_the_values),
        TEST(long_values_are_cut_and_the_line_stays_valid),
        TEST(bytes_that_are_no_text_are_escaped),
        TEST(messages_of_the_engine_are_in_the_log),
        TEST(lower_levels_are_left_out),
        TEST(a_file_that_was_moved_is_created_again),
        TEST(a_log_that_cannot_be_opened_leaves_the_old_one),
        TEST(lines_that_cannot_be_written_are_counted),
        TEST(input_is_split_into_lines),
        TEST(lines_that_are_too_long_or_no_text_are_dropped),
        TEST(the_service_manager_gets_datagrams),
        TEST(the_watchdog_is_that_of_this_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The console of the server: lines of bytes become lines of the chat. */
#include "chat_fixture.h"

#include <crafty/server/console.h>

static CraftyServerConsole console;

static int begin(void **state)
{
    (void)state;
    begin_chat();
    assert_true(crafty_server_console_begin(&console, chat_world, NULL));
    return 0;
}

static int end(void **state)
{
    crafty_server_console_end(&console);
    return end_chat(state);
}

static uint32_t feed(const char *text)
{
    return crafty_server_console_feed(&console, text, strlen(text));
}

static void lines_may_come_in_parts(void **state)
{
    (void)state;
    assert_int_equal(feed("/li"), 0);
    assert_int_equal(feed("st\n\n/seed\r"), 0);
    chat_ticks(1);
    assert_int_equal(chat_count, 1);
    assert_string_equal(last_line()->text, "2 players: player1 player2");
    assert_int_equal(last_line()->to, CRAFTY_CONSOLE);
}

static void lines_that_are_too_long_are_refused_as_a_whole(void **state)
{
    (void)state;
    char text[2 * CRAFTY_COMMAND_TEXT_BYTES];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(feed(text), 0);
    assert_int_equal(feed("\nhello\n"), 1);
    chat_ticks(1);
    assert_int_equal(chat_count, 1);
    assert_string_equal(last_line()->text, "hello");
}

static void bytes_that_are_no_text_are_refused(void **state)
{
    (void)state;
    assert_int_equal(feed("\x1b[31m\n\xff\xfe\n"), 2);
    chat_ticks(1);
    assert_int_equal(chat_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_may_come_in_parts, begin, end),
        cmocka_unit_test_setup_teardown(lines_that_are_too_long_are_refused_as_a_whole, begin, end),
        cmocka_unit_test_setup_teardown(bytes_that_are_no_text_are_refused, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The chat: who sees what, what is refused, and how many lines a player may send. */
#include "chat_fixture.h"

#include <cairn/base/log.h>

static int begin(void **state)
{
    (void)state;
    begin_chat();
    return 0;
}

static void what_a_player_says_is_sent_to_everyone_in_the_next_tick(void **state)
{
    (void)state;
    assert_true(send_line(chat_connection, "  Hello, wörld!  "));
    chat_ticks(1);
    assert_int_equal(chat_count, 1);
    assert_string_equal(last_line()->text, "Hello, wörld!");
    assert_int_equal(last_line()->kind, CRAFTY_CHAT_SAID);
    assert_int_equal(last_line()->from, CRAFTY_FIRST_PLAYER);
    assert_true(crafty_chat_is_for(last_line(), 2) &&
                crafty_chat_is_for(last_line(), CRAFTY_CONSOLE));
}

static void answers_of_commands_are_sent_to_their_sender_only(void **state)
{
    (void)state;
    type("/nonsense");
    assert_int_equal(chat_count, 1);
    assert_int_equal(last_line()->kind, CRAFTY_CHAT_ERROR);
    assert_true(crafty_chat_is_for(last_line(), CRAFTY_FIRST_PLAYER));
    assert_false(crafty_chat_is_for(last_line(), 2));
}

static void text_with_control_characters_or_invalid_utf_8_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "   ",
        "a\nb",
        "a\tb",
        "\x1b[31mred",
        "a\x7f",
        "\xc3",
        "\xff",
        "a\xed\xa0\x80",
        "\xe2\x80\xae"
        "abc",      /* right-to-left override */
        "\xc2\x85", /* next line */
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
        memcpy(command.text, wrong[i], strlen(wrong[i]));
        assert_false(crafty_command_valid(&command));
    }
}

static void text_without_a_terminator_is_refused(void **state)
{
    (void)state;
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    memset(command.text, 'a', sizeof command.text);
    assert_false(crafty_command_valid(&command));
    command.text[sizeof command.text - 1] = '\0';
    assert_true(crafty_command_valid(&command));
}

static uint32_t count_said(void)
{
    uint32_t said = 0;
    for (uint32_t i = 0; i < chat_count; i++)
        said += chat_lines[i].kind == CRAFTY_CHAT_SAID;
    return said;
}

static void a_player_may_send_only_so_many_lines_at_once_and_is_told_so_once(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < 3 * CRAFTY_CHAT_BURST; i++)
        assert_true(send_line(chat_connection, "spam"));
    chat_ticks(1);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_int_equal(count_said(), CRAFTY_CHAT_BURST);
    assert_int_equal(chat_count, CRAFTY_CHAT_BURST + 1);
    assert_int_equal(last_line()->kind, CRAFTY_CHAT_ERROR);
}

static void after_a_burst_one_line_is_allowed_per_interval(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < 2 * CRAFTY_CHAT_BURST; i++)
        assert_true(send_line(chat_connection, "spam"));
    chat_ticks(CRAFTY_CHAT_TICKS);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(send_line(chat_connection, "again"));
    chat_ticks(1);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_int_equal(count_said(), 1);
}

static void another_player_is_not_affected_by_the_limit(void **state)
{
    (void)state;
    CraftyConnection *other = crafty_connection_create(chat_world, 2, NULL);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < 2 * CRAFTY_CHAT_BURST; i++)
        assert_true(send_line(chat_connection, "spam"));
    chat_ticks(1);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_true(send_line(other, "hello"));
    chat_ticks(1);
    assert_int_equal(count_said(), 1);
    assert_int_equal(last_line()->from, 2);
    crafty_connection_destroy(other);
}

static void the_console_has_no_limit(void **state)
{
    (void)state;
    CraftyConnection *console = crafty_connection_create(chat_world, CRAFTY_CONSOLE, NULL);
    for (uint32_t i = 0; i < 3 * CRAFTY_CHAT_BURST; i++)
        assert_true(send_line(console, "announcement"));
    chat_ticks(1);
    assert_int_equal(count_said(), 3 * CRAFTY_CHAT_BURST);
    crafty_connection_destroy(console);
}

static void a_sender_that_is_no_player_is_ignored(void **state)
{
    (void)state;
    CraftyConnection *stranger = crafty_connection_create(chat_world, 99, NULL);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(send_line(stranger, "hello"));
    chat_ticks(1);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_int_equal(chat_count, 0);
    crafty_connection_destroy(stranger);
}

static void names_of_players_are_one_word(void **state)
{
    (void)state;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    assert_string_equal(crafty_player_default_name(7, name), "player7");
    assert_string_equal(crafty_player_default_name(CRAFTY_CONSOLE, name), "console");
}

#define CHAT_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end_chat)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHAT_TEST(what_a_player_says_is_sent_to_everyone_in_the_next_tick),
        CHAT_TEST(answers_of_commands_are_sent_to_their_sender_only),
        cmocka_unit_test(text_with_control_characters_or_invalid_utf_8_is_refused),
        cmocka_unit_test(text_without_a_terminator_is_refused),
        CHAT_TEST(a_player_may_send_only_so_many_lines_at_once_and_is_told_so_once),
        CHAT_TEST(after_a_burst_one_line_is_allowed_per_interval),
        CHAT_TEST(another_player_is_not_affected_by_the_limit),
        CHAT_TEST(the_console_has_no_limit),
        CHAT_TEST(a_sender_that_is_no_player_is_ignored),
        cmocka_unit_test(names_of_players_are_one_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

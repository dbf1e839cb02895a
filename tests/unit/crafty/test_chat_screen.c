/* The chat of a player: keys that open it, typing, completion, history and errors in place. */
#include "menu_fixture.h"

#include <crafty/sim/chat.h>

static MenuFixture fixture;

static int begin(void **state)
{
    (void)state;
    fixture_begin(&fixture);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

/* Types characters, as a window delivers them. */
static void type(const char *text)
{
    for (size_t at = 0; text[at]; at++) {
        CnInputEvent event = {.kind = CN_INPUT_TEXT, .bytes = 1, .data = {(uint8_t)text[at]}};
        fixture_send(&fixture, event);
        run_frames(fixture.engine, 1);
    }
}

static void open_chat(uint32_t key)
{
    fixture_press(&fixture, key);
    run_frames(fixture.engine, 2);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CHAT);
}

static const char *newest(void)
{
    const CraftyChatLogLine *line = crafty_chat_log_at(&fixture.chat.log, 0);
    return line ? line->text : "";
}

static void t_opens_an_empty_line_and_releases_the_mouse(void **state)
{
    (void)state;
    open_chat(CN_KEY_T);
    assert_string_equal(fixture.chat.text, "");
    assert_false(fixture_aims(&fixture));
    assert_false(fixture.menu.is_paused);
}

static void slash_opens_a_command(void **state)
{
    (void)state;
    open_chat(CN_KEY_SLASH);
    assert_string_equal(fixture.chat.text, "/");
    type("se");
    assert_string_equal(fixture.chat.text, "/se");
}

static void return_sends_the_line_and_closes_the_chat(void **state)
{
    (void)state;
    open_chat(CN_KEY_T);
    type("hello");
    fixture_press(&fixture, CN_KEY_RETURN);
    run_frames(fixture.engine, 2);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_string_equal(newest(), "<player1> hello");
    assert_true(fixture_aims(&fixture));
}

static void escape_closes_without_sending(void **state)
{
    (void)state;
    open_chat(CN_KEY_T);
    type("hello");
    fixture_press(&fixture, CN_KEY_ESCAPE);
    run_frames(fixture.engine, 2);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_int_equal(fixture.chat.log.count, 0);
}

static void keys_of_the_game_are_only_typed(void **state)
{
    (void)state;
    open_chat(CN_KEY_T);
    fixture_press(&fixture, CN_KEY_E);
    fixture_press(&fixture, CN_KEY_T);
    fixture_press(&fixture, CN_KEY_SLASH);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CHAT);
}

static void a_wrong_command_is_not_sent_and_its_word_is_marked(void **state)
{
    (void)state;
    open_chat(CN_KEY_SLASH);
    type("gamemode fast");
    fixture_press(&fixture, CN_KEY_RETURN);
    run_frames(fixture.engine, 2);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CHAT);
    assert_true(fixture.chat.shows_errors);
    assert_int_equal(fixture.chat.parse.at, 10);
    assert_int_equal(fixture.chat.parse.bytes, 4);
    assert_int_equal(fixture.chat.log.count, 0);
    type("er"); /* it can be corrected */
    assert_string_equal(fixture.chat.text, "/gamemode faster");
    assert_false(fixture.chat.shows_errors);
}

static void tab_completes_a_single_word_with_a_blank(void **state)
{
    (void)state;
    open_chat(CN_KEY_SLASH);
    type("gam");
    fixture_press(&fixture, CN_KEY_TAB);
    assert_string_equal(fixture.chat.text, "/gamemode ");
    type("cr");
    fixture_press(&fixture, CN_KEY_TAB);
    assert_string_equal(fixture.chat.text, "/gamemode creative ");
}

static void tab_goes_through_several_words_and_shift_tab_back(void **state)
{
    (void)state;
    open_chat(CN_KEY_SLASH);
    type("time ");
    fixture_press(&fixture, CN_KEY_TAB);
    assert_string_equal(fixture.chat.text, "/time set");
    fixture_press(&fixture, CN_KEY_TAB);
    assert_string_equal(fixture.chat.text, "/time add");
    fixture_press(&fixture, CN_KEY_UP);
    assert_string_equal(fixture.chat.text, "/time set");
    type(" noon");
    assert_string_equal(fixture.chat.text, "/time set noon");
}

static void up_and_down_go_through_earlier_lines(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        open_chat(CN_KEY_T);
        type(i ? "second" : "first");
        fixture_press(&fixture, CN_KEY_RETURN);
        run_frames(fixture.engine, 2);
    }
    open_chat(CN_KEY_T);
    type("draft");
    fixture_press(&fixture, CN_KEY_UP);
    assert_string_equal(fixture.chat.text, "second");
    fixture_press(&fixture, CN_KEY_UP);
    assert_string_equal(fixture.chat.text, "first");
    fixture_press(&fixture, CN_KEY_DOWN);
    fixture_press(&fixture, CN_KEY_DOWN);
    assert_string_equal(fixture.chat.text, "draft");
}

static void page_up_scrolls_back(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 60; i++)
        crafty_chat_log_note(&fixture.chat.log, CRAFTY_CHAT_NOTICE, "a line");
    open_chat(CN_KEY_T);
    fixture_press(&fixture, CN_KEY_PAGE_UP);
    assert_true(fixture.chat.scrolled > 0);
    for (uint32_t i = 0; i < 20; i++)
        fixture_press(&fixture, CN_KEY_PAGE_UP);
    assert_true(fixture.chat.scrolled < 60);
    for (uint32_t i = 0; i < 20; i++)
        fixture_press(&fixture, CN_KEY_PAGE_DOWN);
    assert_int_equal(fixture.chat.scrolled, 0);
}

static void lines_for_other_players_are_not_shown(void **state)
{
    (void)state;
    CraftyChatLog *log = &fixture.chat.log;
    crafty_chat_log_add(log, &(CraftyChatLine){.to = 2, .text = "secret"}, 1);
    assert_int_equal(log->count, 0);
    crafty_chat_log_add(log, &(CraftyChatLine){.to = CRAFTY_CHAT_EVERYONE, .text = "hello"}, 1);
    assert_int_equal(log->count, 1);
}

static void the_log_keeps_the_newest_lines(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3 * CRAFTY_CHAT_LOG_LINES; i++) {
        char text[16];
        cn_format(text, sizeof text, "%u", i);
        crafty_chat_log_note(&fixture.chat.log, CRAFTY_CHAT_NOTICE, text);
    }
    assert_int_equal(fixture.chat.log.count, CRAFTY_CHAT_LOG_LINES);
    assert_string_equal(newest(), "383");
    assert_null(crafty_chat_log_at(&fixture.chat.log, CRAFTY_CHAT_LOG_LINES));
}

static void a_gamepad_sends_common_commands_from_a_list(void **state)
{
    (void)state;
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    fixture_send(
        &fixture,
        (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .pressed = 1, .code = CN_GAMEPAD_BACK});
    run_frames(fixture.engine, 1);
    fixture_send(&fixture,
                 (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .code = CN_GAMEPAD_BACK});
    run_frames(fixture.engine, 4);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CHAT);
    static const uint16_t buttons[] = {CN_GAMEPAD_DOWN, CN_GAMEPAD_A}; /* the second command */
    for (uint32_t i = 0; i < CN_COUNT_OF(buttons); i++) {
        fixture_send(
            &fixture,
            (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .pressed = 1, .code = buttons[i]});
        run_frames(fixture.engine, 1);
        fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .code = buttons[i]});
        run_frames(fixture.engine, 4);
    }
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_string_equal(newest(), "The mode of player1 is now creative.");
}

#define CHAT_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHAT_TEST(t_opens_an_empty_line_and_releases_the_mouse),
        CHAT_TEST(slash_opens_a_command),
        CHAT_TEST(return_sends_the_line_and_closes_the_chat),
        CHAT_TEST(escape_closes_without_sending),
        CHAT_TEST(keys_of_the_game_are_only_typed),
        CHAT_TEST(a_wrong_command_is_not_sent_and_its_word_is_marked),
        CHAT_TEST(tab_completes_a_single_word_with_a_blank),
        CHAT_TEST(tab_goes_through_several_words_and_shift_tab_back),
        CHAT_TEST(up_and_down_go_through_earlier_lines),
        CHAT_TEST(page_up_scrolls_back),
        CHAT_TEST(lines_for_other_players_are_not_shown),
        CHAT_TEST(the_log_keeps_the_newest_lines),
        CHAT_TEST(a_gamepad_sends_common_commands_from_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

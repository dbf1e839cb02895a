/*
 * 100,000 keys, characters and clicks at random in the open chat: its text stays valid, and its
 * caret, selection and scrolling stay within their limits. The test makes its cases from a seed, so
 * it always runs the same ones.
 */
#include "menu_fixture.h"
#include "random.h"

#include <crafty/sim/chat.h>

#include <cairn/base/log.h>

#define EVENTS 100000u

static CnInputEvent any_key(TestRandom *random)
{
    static const uint16_t keys[] = {
        CN_KEY_TAB,       CN_KEY_UP,     CN_KEY_DOWN,    CN_KEY_LEFT,      CN_KEY_RIGHT,
        CN_KEY_HOME,      CN_KEY_END,    CN_KEY_PAGE_UP, CN_KEY_PAGE_DOWN, CN_KEY_BACKSPACE,
        CN_KEY_DELETE,    CN_KEY_RETURN, CN_KEY_ESCAPE,  CN_KEY_LEFT_CTRL, CN_KEY_A,
        CN_KEY_C,         CN_KEY_V,      CN_KEY_X,       CN_KEY_T,         CN_KEY_SLASH,
        CN_KEY_LEFT_SHIFT};
    return (CnInputEvent){.kind = CN_INPUT_KEY,
                          .pressed = test_random_chance(random, 50),
                          .code = keys[test_random_below(random, CN_COUNT_OF(keys))]};
}

static CnInputEvent any_text(TestRandom *random)
{
    static const char *const texts[] = {
        "/",    "/give ",  "stone",        " ",      "~",    "/fill ",  "1", "-",     "\xc3\xa4",
        "/tp ", "replace", "\xe2\x82\xac", "/time ", "noon", "player1", ":", "hello", "%n"};
    CnInputEvent event = {.kind = CN_INPUT_TEXT};
    const char *text = texts[test_random_below(random, CN_COUNT_OF(texts))];
    event.bytes = (uint8_t)strlen(text);
    memcpy(event.data, text, event.bytes);
    return event;
}

static CnInputEvent any_event(TestRandom *random)
{
    switch (test_random_below(random, 8)) {
    case 0:
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                              .x = (float)test_random_below(random, FIXTURE_WIDTH),
                              .y = (float)test_random_below(random, FIXTURE_HEIGHT)};
    case 1:
        return (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON,
                              .pressed = test_random_chance(random, 50),
                              .code = CN_MOUSE_LEFT};
    case 2:
        return (CnInputEvent){.kind = CN_INPUT_WHEEL,
                              .dy = (float)test_random_below(random, 9) - 4};
    case 3:
    case 4:
        return any_text(random);
    default:
        return any_key(random);
    }
}

static void check(const CraftyChatScreen *chat)
{
    assert_non_null(memchr(chat->text, 0, sizeof chat->text));
    assert_true(cn_text_is_utf8(cn_text(chat->text)));
    assert_true(chat->caret <= strlen(chat->text));
    assert_true(chat->scrolled <= chat->log.count);
    assert_true(chat->chosen == UINT32_MAX || chat->chosen < chat->completion.count);
    assert_true(chat->history.at <= chat->history.count);
    assert_true(chat->history.count <= CRAFTY_CHAT_HISTORY_LINES);
}

static void random_input_leaves_the_chat_in_order(void **state)
{
    (void)state;
    static MenuFixture fixture;
    TestRandom random = {78};
    uint32_t sent = 0, open = 0;
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* lines that come too fast */
    fixture_begin(&fixture);
    for (uint32_t i = 0; i < EVENTS; i++) {
        fixture_send(&fixture, any_event(&random));
        if (i % 8)
            continue;
        run_frames(fixture.engine, 1);
        check(&fixture.chat);
        open += fixture.menu.page == CRAFTY_MENU_CHAT;
        if (fixture.menu.page != CRAFTY_MENU_CHAT && fixture.menu.page != CRAFTY_MENU_CLOSED)
            fixture_press(&fixture, CN_KEY_ESCAPE);
        if (fixture.menu.page == CRAFTY_MENU_CLOSED)
            fixture_press(&fixture, test_random_chance(&random, 20) ? CN_KEY_T : CN_KEY_SLASH);
        sent = fixture.chat.history.count;
    }
    assert_true(open > EVENTS / 32);
    assert_true(sent > 10);
    fixture_end(&fixture);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_input_leaves_the_chat_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

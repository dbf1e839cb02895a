/* The offers of a villager on the screen, by mouse, keys, gamepad and touch; and the line below the
 * crosshair. */
#include "slot_screen_fixture.h"

#include <crafty/client/toasts.h>
#include <crafty/client/use_prompt.h>
#include <crafty/sim/creature/creature.h>
#include <crafty/sim/trade.h>
#include <crafty/sim/villager.h>

#include <string.h>

/* Of the baker, in the order of the file. */
enum { FLOUR_ROW = 0, BREAD_ROW = 3, PIE_ROW = 6, PIE_STOCK = 6, BREAD_STOCK = 12 };

typedef struct TradeScreen {
    SlotFixture slots;
    CnWorld *world;
    CnEntity villager;
} TradeScreen;

static TradeScreen screen;

/* In creative mode, the player floats where it is. */
static int begin(void **state)
{
    (void)state;
    screen = (TradeScreen){0};
    fixture_begin(&screen.slots, CRAFTY_MODE_CREATIVE);
    screen.world = cn_engine_world(screen.slots.engine);
    cn_resource_mut(screen.world, CraftyItemList)->trades = crafty_world_trades(screen.slots.world);
    CnVec3 eye = cn_get(screen.world, screen.slots.player, CnTransform)->position;
    screen.villager = cn_object(screen.world, "Villager");
    assert_true(cn_set(screen.world, screen.villager, CraftyCreature, {.health = 20}) &&
                cn_set(screen.world, screen.villager, CraftyVillager,
                       {.profession = CRAFTY_BAKER, .activity = CRAFTY_VILLAGER_WORKS}));
    cn_get_mut(screen.world, screen.villager, CnTransform)->position =
        cn_vec3(eye.x, eye.y - 1.6f, eye.z - 2);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&screen.slots);
    return 0;
}

static void open_trade(void)
{
    assert_true(crafty_trade_use(screen.world, screen.slots.player, screen.villager));
    run_frames(screen.slots.engine, 5);
    assert_int_equal(screen.slots.menu.page, CRAFTY_MENU_INVENTORY);
}

static uint32_t owned(const char *item)
{
    return crafty_trade_owned(fixture_player(&screen.slots), fixture_item(&screen.slots, item));
}

static CnRect row(uint32_t index)
{
    CnRect rect = screen.slots.menu.inventory.trade.rows[index];
    assert_true(rect.width > 0);
    return rect;
}

static void click(CnRect rect)
{
    fixture_send(&screen.slots, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                                               .x = rect.x + rect.width / 2,
                                               .y = rect.y + rect.height / 2});
    run_frames(screen.slots.engine, 2);
    fixture_mouse(&screen.slots, CN_MOUSE_LEFT, true);
    fixture_mouse(&screen.slots, CN_MOUSE_LEFT, false);
    run_frames(screen.slots.engine, 2);
}

/* ---- Buying ---- */

static void a_click_buys_once(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "emerald", 5);
    open_trade();
    click(row(BREAD_ROW));
    assert_int_equal(owned("bread"), 4);
    assert_int_equal(owned("emerald"), 4);
}

static void a_click_with_shift_buys_as_often_as_possible(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "emerald", 5);
    open_trade();
    fixture_send(&screen.slots,
                 (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_LEFT_SHIFT});
    click(row(BREAD_ROW));
    assert_int_equal(owned("bread"), 20);
    assert_int_equal(owned("emerald"), 0);
}

static void an_offer_that_is_too_expensive_changes_nothing(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "flour", 7);
    open_trade();
    click(row(FLOUR_ROW));
    assert_int_equal(owned("flour"), 7);
    assert_int_equal(owned("emerald"), 0);
}

static void return_buys_the_offer_with_the_focus(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "emerald", 5);
    open_trade();
    for (uint32_t i = 0; i < 200 && screen.slots.menu.inventory.trade.shown != 4; i++)
        fixture_key(&screen.slots, CN_KEY_TAB);
    assert_int_equal(screen.slots.menu.inventory.trade.shown, 4);
    fixture_key(&screen.slots, CN_KEY_RETURN);
    assert_int_equal(owned("bread"), 4);
}

/* The first offer gets the focus of a gamepad. */
static void a_gamepad_buys_the_first_offer(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "flour", 20);
    fixture_send(&screen.slots, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    fixture_button(&screen.slots, CN_GAMEPAD_RIGHT_STICK);
    open_trade();
    fixture_button(&screen.slots, CN_GAMEPAD_A);
    assert_int_equal(owned("emerald"), 1);
    fixture_button(&screen.slots, CN_GAMEPAD_DOWN);
    assert_int_equal(screen.slots.menu.inventory.trade.shown, 2);
}

static void the_button_buys_as_often_as_possible(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "flour", 20);
    open_trade();
    click(screen.slots.menu.inventory.trade.all);
    assert_int_equal(owned("emerald"), 2);
    assert_int_equal(owned("flour"), 4);
}

static void slots_beside_the_offers_can_be_used(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "flour", 20);
    open_trade();
    fixture_click(&screen.slots, 9, CN_MOUSE_LEFT);
    assert_int_equal(fixture_player(&screen.slots)->carried.count, 20);
}

/* ---- What is shown ---- */

static void expect_note(uint32_t number, const char *expected)
{
    char note[64];
    const CraftyTrades *trades = cn_resource(screen.world, CraftyItemList)->trades;
    CraftyTradeView view = {.world = screen.world, .player = screen.slots.player};
    crafty_trade_note(&view, crafty_trades_find(trades, CRAFTY_BAKER, number), note, sizeof note);
    assert_string_equal(note, expected);
}

static void notes_tell_what_is_missing(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "emerald", 12);
    fixture_give(&screen.slots, 10, "flour", 3);
    open_trade();
    expect_note(1, "You have 3 of 8");
    expect_note(4, "12 left today");
    CraftyCommand all = {.kind = CRAFTY_COMMAND_TRADE, .choice = 7, .count = 64};
    assert_true(crafty_connection_send_command(screen.slots.connection, &all));
    run_frames(screen.slots.engine, 3);
    expect_note(7, "Sold out today");
}

static void the_title_names_profession_and_villager(void **state)
{
    (void)state;
    char title[CRAFTY_TRADE_TITLE_BYTES];
    open_trade();
    crafty_trade_title(screen.world, screen.slots.player, title);
    assert_string_equal(title, "Baker");
    cn_copy_text(cn_get_mut(screen.world, screen.villager, CraftyCreature)->label,
                 CRAFTY_CREATURE_LABEL_BYTES, cn_text("Berta"));
    crafty_trade_title(screen.world, screen.slots.player, title);
    assert_string_equal(title, "Berta, baker");
}

static void a_line_names_what_using_a_villager_does(void **state)
{
    (void)state;
    char text[CRAFTY_USE_PROMPT_BYTES];
    assert_true(crafty_use_prompt_text(screen.world, screen.slots.player, text));
    assert_string_equal(text, "Trade with the baker");
    cn_get_mut(screen.world, screen.villager, CraftyVillager)->activity = CRAFTY_VILLAGER_SLEEPS;
    assert_true(crafty_use_prompt_text(screen.world, screen.slots.player, text));
    assert_string_equal(text, "The baker is asleep");
    cn_get_mut(screen.world, screen.villager, CnTransform)->position.x += 5;
    assert_false(crafty_use_prompt_text(screen.world, screen.slots.player, text));
}

static void expect_toast(CraftyPlayerEvent event, const char *expected)
{
    CraftyToasts toasts = {0};
    crafty_toasts_event(&toasts, screen.slots.sim.items, &event);
    assert_int_equal(toasts.count, 1);
    assert_string_equal(toasts.items[0].text, expected);
}

static void what_happens_in_a_trade_has_a_message(void **state)
{
    (void)state;
    expect_toast((CraftyPlayerEvent){.kind = CRAFTY_PLAYER_TRADED,
                                     .item = fixture_item(&screen.slots, "bread"),
                                     .count = 4},
                 "+4 Bread");
    expect_toast((CraftyPlayerEvent){.kind = CRAFTY_PLAYER_REFUSED,
                                     .item = CRAFTY_BAKER,
                                     .count = CRAFTY_REFUSAL_TRADE_ASLEEP},
                 "The baker is asleep");
    for (uint16_t i = CRAFTY_REFUSAL_TRADE_NOTHING; i < CRAFTY_REFUSAL_COUNT; i++) {
        CraftyToasts toasts = {0};
        crafty_toasts_event(&toasts, screen.slots.sim.items,
                            &(CraftyPlayerEvent){.kind = CRAFTY_PLAYER_REFUSED, .count = i});
        assert_int_equal(toasts.count, 1);
    }
}

/* ---- Closing ---- */

static void the_screen_closes_when_the_villager_is_gone(void **state)
{
    (void)state;
    open_trade();
    cn_destroy(screen.world, screen.villager);
    run_frames(screen.slots.engine, 4);
    assert_int_equal(screen.slots.menu.page, CRAFTY_MENU_CLOSED);
}

static void escape_ends_the_trade(void **state)
{
    (void)state;
    open_trade();
    fixture_key(&screen.slots, CN_KEY_ESCAPE);
    assert_int_equal(screen.slots.menu.page, CRAFTY_MENU_CLOSED);
    assert_int_equal(crafty_trade_partner(screen.world, screen.slots.player).id, 0);
}

/* ---- Steady frames ---- */

static void steady_frames_do_not_allocate(void **state)
{
    (void)state;
    fixture_give(&screen.slots, 9, "emerald", 5);
    open_trade();
    run_frames(screen.slots.engine, 30);
    uint64_t before = cn_heap_stats(screen.slots.heap).calls;
    run_frames(screen.slots.engine, 60);
    assert_true(cn_heap_stats(screen.slots.heap).calls == before);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_click_buys_once),
        TEST(a_click_with_shift_buys_as_often_as_possible),
        TEST(an_offer_that_is_too_expensive_changes_nothing),
        TEST(return_buys_the_offer_with_the_focus),
        TEST(a_gamepad_buys_the_first_offer),
        TEST(the_button_buys_as_often_as_possible),
        TEST(slots_beside_the_offers_can_be_used),
        TEST(notes_tell_what_is_missing),
        TEST(the_title_names_profession_and_villager),
        TEST(a_line_names_what_using_a_villager_does),
        TEST(what_happens_in_a_trade_has_a_message),
        TEST(the_screen_closes_when_the_villager_is_gone),
        TEST(escape_ends_the_trade),
        TEST(steady_frames_do_not_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

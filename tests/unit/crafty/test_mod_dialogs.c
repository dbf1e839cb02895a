/* Dialogs of several mods for one player: whose opens when, and that no mod keeps it. */
#include "cmocka_tests.h"
#include "mod_game.h"

#include <crafty/sim/mod/hud.h>

#include <cairn/base/bytes.h>

#define DIALOG "{\"title\":\"Smith\",\"choices\":[\"Yes\",\"No\"]}"

static ModGame game;
static CraftyModHudView view;

static int begin(void **state)
{
    (void)state;
    mod_game_add(&game, "castle", "on('chat', function() end)");
    mod_game_begin(&game, 1);
    mod_game_ticks(&game, 1);
    crafty_mod_hud_view_init(&view, cn_system_allocator());
    return 0;
}

/* Without a game yet: for tests with mods of their own. */
static int begin_view(void **state)
{
    (void)state;
    crafty_mod_hud_view_init(&view, cn_system_allocator());
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_mod_hud_view_fini(&view);
    mod_game_end(&game);
    return 0;
}

/* Returns whether it is open now. */
static bool ask(const char *mod)
{
    CnError error = {0};
    bool opened;
    if (!crafty_mod_dialog_ask(game.world, 1, mod, cn_text("iron"), cn_text(DIALOG), &opened,
                               &error))
        fail_msg("%s", error.message);
    return opened;
}

/* The mod whose dialog is open; "": none. */
static const char *open_mod(void)
{
    crafty_mod_hud_view_update(&view, game.world, 1);
    return view.dialog.number ? view.dialog.mod : "";
}

static bool choose(uint32_t number, uint32_t choice)
{
    CraftyModChoice answer;
    return crafty_mod_dialog_choose(game.world, 1, number, choice, &answer);
}

static void choose_open(uint32_t choice)
{
    open_mod();
    assert_true(choose(view.dialog.number, choice));
}

/* ---- Order ---- */

static void dialogs_of_other_mods_open_in_the_order_of_asking(void **state)
{
    (void)state;
    assert_true(ask("quest"));
    assert_false(ask("map"));
    assert_false(ask("rail"));
    assert_string_equal(open_mod(), "quest");
    choose_open(1);
    mod_game_ticks(&game, 1);
    assert_string_equal(open_mod(), "map");
    choose_open(2);
    mod_game_ticks(&game, 1);
    assert_string_equal(open_mod(), "rail");
    choose_open(1);
    mod_game_ticks(&game, 1);
    assert_string_equal(open_mod(), "");
}

static void a_mod_that_asks_again_is_last(void **state)
{
    (void)state;
    ask("quest");
    ask("map");
    choose_open(1);
    assert_false(ask("quest"));
    mod_game_ticks(&game, 1);
    assert_string_equal(open_mod(), "map");
    choose_open(1);
    mod_game_ticks(&game, 1);
    assert_string_equal(open_mod(), "quest");
}

static void a_mod_that_closes_its_dialog_and_asks_is_last(void **state)
{
    (void)state;
    ask("quest");
    ask("map");
    assert_true(crafty_mod_dialog_close(game.world, 1, "quest"));
    assert_false(ask("quest"));
    mod_game_ticks(&game, 1);
    assert_string_equal(open_mod(), "map");
}

static void a_mod_has_one_waiting_dialog(void **state)
{
    (void)state;
    ask("quest");
    for (uint32_t i = 0; i < 3; i++)
        assert_false(ask("map"));
    assert_true(crafty_mod_dialog_close(game.world, 1, "map"));
    assert_false(crafty_mod_dialog_close(game.world, 1, "map"));
    choose_open(1);
    mod_game_ticks(&game, 1);
    assert_string_equal(open_mod(), "");
}

static void a_mod_that_does_not_run_does_not_wait(void **state)
{
    (void)state;
    ask("quest");
    ask("map");
    crafty_mod_hud_forget(game.world, "map");
    crafty_mod_hud_forget(game.world, "quest");
    mod_game_ticks(&game, 1);
    assert_string_equal(open_mod(), "");
}

/* ---- Closing ---- */

static void a_dialog_that_is_replaced_again_and_again_can_be_closed(void **state)
{
    (void)state;
    ask("quest");
    open_mod();
    uint32_t seen = view.dialog.number;
    ask("quest");
    assert_false(choose(seen, 1));
    assert_true(choose(seen, 0));
    assert_string_equal(open_mod(), "");
}

static void after_closing_no_dialog_opens_for_a_while(void **state)
{
    (void)state;
    ask("quest");
    ask("map");
    choose_open(0);
    assert_false(ask("quest"));
    mod_game_ticks(&game, CRAFTY_MOD_DIALOG_PAUSE_TICKS - 1);
    assert_string_equal(open_mod(), "");
    mod_game_ticks(&game, 2);
    assert_string_equal(open_mod(), "map");
}

static void a_choice_is_followed_by_the_next_page_at_once(void **state)
{
    (void)state;
    ask("quest");
    choose_open(1);
    assert_true(ask("quest"));
}

static void a_greedy_mod_does_not_keep_the_dialog(void **state)
{
    (void)state;
    mod_game_add(&game, "greedy",
                 "local function ask() hud.ask(1, { choices = { 'Buy' } }, 'buy') end\n"
                 "on('tick', ask, 1)\non('choice', ask)");
    mod_game_add(&game, "honest",
                 "on('join', function(e)\n"
                 "    if e.player == 1 then hud.ask(1, { choices = { 'Hello' } }, 'hi') end\n"
                 "end)");
    mod_game_begin(&game, 1);
    mod_game_ticks(&game, 3);
    const char *first = open_mod();
    bool is_greedy_first = strcmp(first, "greedy") == 0;
    choose_open(is_greedy_first ? 1 : 0);
    mod_game_ticks(&game, CRAFTY_MOD_DIALOG_PAUSE_TICKS + 2);
    assert_string_equal(open_mod(), is_greedy_first ? "honest" : "greedy");
    mod_game_check(&game);
}

/* ---- State ---- */

static void save(CnU8Array *saved)
{
    *saved = (CnU8Array){.allocator = cn_system_allocator()};
    assert_true(crafty_mod_hud_write(game.world, saved, NULL));
}

static void waiting_dialogs_are_restored(void **state)
{
    (void)state;
    CnU8Array saved;
    ask("quest");
    ask("map");
    ask("rail");
    choose_open(0);
    uint64_t hash = crafty_mod_hud_hash(game.world);
    save(&saved);
    crafty_mod_hud_forget(game.world, "map");
    assert_int_not_equal(crafty_mod_hud_hash(game.world), hash);
    assert_true(crafty_mod_hud_restore(game.world, saved.items, saved.count, NULL));
    assert_int_equal(crafty_mod_hud_hash(game.world), hash);
    mod_game_ticks(&game, CRAFTY_MOD_DIALOG_PAUSE_TICKS + 1);
    assert_string_equal(open_mod(), "map");
    cn_array_fini(&saved);
}

static void the_order_of_waiting_dialogs_is_part_of_the_hash(void **state)
{
    (void)state;
    ask("quest");
    ask("map");
    ask("rail");
    uint64_t hash = crafty_mod_hud_hash(game.world);
    crafty_mod_dialog_close(game.world, 1, "map");
    ask("map");
    assert_int_not_equal(crafty_mod_hud_hash(game.world), hash);
}

/* Version, last number, player, no elements, number, lengths of mod, name and JSON, their texts. */
static void the_format_without_waiting_dialogs_is_read(void **state)
{
    (void)state;
    static const uint32_t numbers[] = {1, 7, 1, 0, 7, 5, 4, sizeof DIALOG - 1};
    static const char texts[] = "quest\0iron\0" DIALOG;
    uint8_t bytes[sizeof numbers + sizeof texts];
    memcpy(bytes, numbers, sizeof numbers);
    memcpy(bytes + sizeof numbers, texts, sizeof texts);
    assert_true(crafty_mod_hud_restore(game.world, bytes, sizeof bytes, NULL));
    assert_string_equal(open_mod(), "quest");
    assert_int_equal(view.dialog.number, 7);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(dialogs_of_other_mods_open_in_the_order_of_asking),
        TEST(a_mod_that_asks_again_is_last),
        TEST(a_mod_that_closes_its_dialog_and_asks_is_last),
        TEST(a_mod_has_one_waiting_dialog),
        TEST(a_mod_that_does_not_run_does_not_wait),
        TEST(a_dialog_that_is_replaced_again_and_again_can_be_closed),
        TEST(after_closing_no_dialog_opens_for_a_while),
        TEST(a_choice_is_followed_by_the_next_page_at_once),
        cmocka_unit_test_setup_teardown(a_greedy_mod_does_not_keep_the_dialog, begin_view, end),
        TEST(waiting_dialogs_are_restored),
        TEST(the_order_of_waiting_dialogs_is_part_of_the_hash),
        TEST(the_format_without_waiting_dialogs_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

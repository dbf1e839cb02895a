/* Windows of the player: what opens and closes them, and whose the mouse is. */
#include "menu_fixture.h"
#include "standard_blocks.h"

#include <string.h>

static void escape_pauses_and_plays_on(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_ESCAPE);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_PAUSE);
    assert_false(desk_aims(&desk));
    desk_press(&desk, CN_KEY_ESCAPE);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(desk_aims(&desk));
    desk_end(&desk);
}

static void keys_do_not_move_a_player_during_a_pause(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_ESCAPE);
    desk_press(&desk, CN_KEY_W);
    const CnWorld *world = cn_engine_world(desk.engine);
    assert_float_equal(cn_get(world, desk.eye, CnTransform)->position.z, 0, 0);
    desk_end(&desk);
}

static uint64_t desk_tick(const Desk *desk)
{
    return cn_sim_tick(cn_engine_sim(desk->engine));
}

static void a_world_stands_still_during_a_pause(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_ESCAPE);
    uint64_t tick = desk_tick(&desk), hash = cn_sim_hash(cn_engine_sim(desk.engine));
    double elapsed = cn_engine_time(desk.engine)->elapsed;
    run_frames(desk.engine, 20);
    assert_int_equal(desk_tick(&desk), tick);
    assert_int_equal(cn_sim_hash(cn_engine_sim(desk.engine)), hash);
    assert_float_equal(cn_engine_time(desk.engine)->elapsed, elapsed, 0);
    desk_press(&desk, CN_KEY_ESCAPE);
    run_frames(desk.engine, 5);
    assert_true(desk_tick(&desk) > tick + 4);
    assert_true(cn_engine_time(desk.engine)->elapsed > elapsed);
    desk_end(&desk);
}

static void settings_pause_and_the_item_list_does_not(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_F4);
    uint64_t tick = desk_tick(&desk);
    run_frames(desk.engine, 5);
    assert_int_equal(desk_tick(&desk), tick);
    desk_press(&desk, CN_KEY_F4);
    desk_press(&desk, CN_KEY_B);
    tick = desk_tick(&desk);
    run_frames(desk.engine, 5);
    assert_int_equal(desk_tick(&desk), tick + 5);
    desk_end(&desk);
}

static void a_world_with_other_players_goes_on_during_a_pause(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk.has_company = true;
    desk_press(&desk, CN_KEY_ESCAPE);
    uint64_t tick = desk_tick(&desk);
    run_frames(desk.engine, 5);
    assert_int_equal(desk_tick(&desk), tick + 5);
    desk_end(&desk);
}

static void commands_are_applied_when_the_game_goes_on(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_ESCAPE);
    crafty_connection_send_command(
        desk.connection,
        &(CraftyCommand){.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_PLAYER_WALKS});
    run_frames(desk.engine, 5);
    const CnWorld *world = cn_engine_world(desk.engine);
    assert_non_null(cn_get(world, desk.eye, CnFlyCamera));
    desk_press(&desk, CN_KEY_ESCAPE);
    assert_null(cn_get(world, desk.eye, CnFlyCamera));
    desk_end(&desk);
}

static void motion_during_a_pause_does_not_turn_the_player_later(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_ESCAPE);
    const CnWorld *world = cn_engine_world(desk.engine);
    CnQuat before = cn_get(world, desk.eye, CnTransform)->rotation;
    for (uint32_t i = 0; i < 10; i++) {
        desk_send(&desk, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dx = 50, .dy = 20});
        run_frames(desk.engine, 1);
    }
    desk_press(&desk, CN_KEY_ESCAPE);
    CnQuat after = cn_get(world, desk.eye, CnTransform)->rotation;
    assert_memory_equal(&after, &before, sizeof after);
    desk_end(&desk);
}

static void quit_is_a_wish_that_the_program_fulfils(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_ESCAPE);
    desk_click(&desk, DESK_WIDTH / 2.0f, DESK_HEIGHT * 0.08f + 112);
    assert_true(desk.menu.quits);
    assert_false(cn_engine_is_over(desk.engine));
    desk_end(&desk);
}

static void who_leaves_the_window_pauses(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_send(&desk, (CnInputEvent){.kind = CN_INPUT_FOCUS_LOST});
    run_frames(desk.engine, 2);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_PAUSE);
    assert_false(desk_aims(&desk));
    desk_send(&desk, (CnInputEvent){.kind = CN_INPUT_FOCUS_GAINED});
    run_frames(desk.engine, 2);
    assert_false(desk_aims(&desk)); /* not before somebody says so */
    desk_end(&desk);
}

static void f4_closes_settings_also_after_a_click_on_one(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_F4);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_SETTINGS);
    assert_false(desk_aims(&desk));
    desk_click(&desk, DESK_WIDTH - 380, 219); /* shadows */
    assert_int_equal(desk.changes, 1);
    assert_true(desk.settings.effects & CRAFTY_SHADOWS);
    desk_press(&desk, CN_KEY_F4);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(desk_aims(&desk));
    desk_end(&desk);
}

static void a_click_beside_settings_plays_on(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_F4);
    desk_click(&desk, 20, 200);
    run_frames(desk.engine, 1);
    assert_true(desk_aims(&desk));
    assert_int_equal(desk.menu.page, CRAFTY_MENU_CLOSED);
    desk_end(&desk);
}

static void an_item_that_is_clicked_is_in_the_hand(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_B);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_ITEMS);
    desk_click(&desk, DESK_WIDTH / 2.0f - 9 * 22 + 12,
               DESK_HEIGHT * 0.08f + 100); /* the first: grass */
    assert_int_equal(desk_held(&desk), BLOCK_GRASS);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(desk_aims(&desk));
    desk_end(&desk);
}

static void type(Desk *desk, const char *text)
{
    CnInputEvent event = {.kind = CN_INPUT_TEXT, .bytes = (uint8_t)strlen(text)};
    memcpy(event.data, text, event.bytes);
    desk_send(desk, event);
    run_frames(desk->engine, 1);
}

static void an_item_is_found_by_part_of_its_name(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_send(&desk,
              (CnInputEvent){.kind = CN_INPUT_TEXT, .bytes = 1, .data = "b"}); /* of the key */
    desk_press(&desk, CN_KEY_B);
    type(&desk, "Red w");
    type(&desk, "oo");
    assert_string_equal(desk.menu.search, "Red woo");
    desk_press(&desk, CN_KEY_B); /* is a letter now */
    assert_int_equal(desk.menu.page, CRAFTY_MENU_ITEMS);
    desk_press(&desk, CN_KEY_RETURN);
    assert_int_equal(desk_held(&desk), BLOCK_RED_WOOL);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_CLOSED);
    desk_end(&desk);
}

static void the_field_of_view_is_no_state_of_the_simulation(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    desk_press(&desk, CN_KEY_F4);
    const CnCamera before = *cn_get(cn_engine_world(desk.engine), desk.eye, CnCamera);
    desk_click(&desk, DESK_WIDTH - 150, 130); /* the slider */
    assert_true(desk.lens.fov != 70);
    assert_memory_equal(cn_get(cn_engine_world(desk.engine), desk.eye, CnCamera), &before,
                        sizeof before);
    desk_end(&desk);
}

static void a_menu_stays_open_in_frames_between_two_ticks(void **state)
{
    (void)state;
    Desk desk;
    desk_begin(&desk);
    uint64_t tick = cn_sim_tick(cn_engine_sim(desk.engine));
    desk_send(&desk, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_F4});
    for (uint32_t i = 0; i < 3; i++)
        assert_true(cn_engine_frame_with_delta(desk.engine, 1e-4));
    assert_int_equal(cn_sim_tick(cn_engine_sim(desk.engine)), tick);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_SETTINGS);
    run_frames(desk.engine, 2);
    assert_int_equal(desk.menu.page, CRAFTY_MENU_SETTINGS);
    assert_false(desk_aims(&desk));
    desk_end(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escape_pauses_and_plays_on),
        cmocka_unit_test(keys_do_not_move_a_player_during_a_pause),
        cmocka_unit_test(a_world_stands_still_during_a_pause),
        cmocka_unit_test(settings_pause_and_the_item_list_does_not),
        cmocka_unit_test(a_world_with_other_players_goes_on_during_a_pause),
        cmocka_unit_test(commands_are_applied_when_the_game_goes_on),
        cmocka_unit_test(motion_during_a_pause_does_not_turn_the_player_later),
        cmocka_unit_test(quit_is_a_wish_that_the_program_fulfils),
        cmocka_unit_test(who_leaves_the_window_pauses),
        cmocka_unit_test(f4_closes_settings_also_after_a_click_on_one),
        cmocka_unit_test(a_click_beside_settings_plays_on),
        cmocka_unit_test(an_item_that_is_clicked_is_in_the_hand),
        cmocka_unit_test(an_item_is_found_by_part_of_its_name),
        cmocka_unit_test(the_field_of_view_is_no_state_of_the_simulation),
        cmocka_unit_test(a_menu_stays_open_in_frames_between_two_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

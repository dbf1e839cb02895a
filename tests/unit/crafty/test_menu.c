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

#include "input_fixture.h"

#include <math.h>

/* ---- Gamepads ---- */

static void a_gamepad_button_is_pressed_held_and_released(void **state)
{
    (void)state;
    cn_input_gamepad_connected(source, 2, true);
    cn_input_gamepad_button(source, 2, CN_GAMEPAD_START, true);
    tick();
    assert_true(cn_gamepad_connected(pads, 2));
    assert_false(cn_gamepad_connected(pads, 1));
    assert_pad(2, CN_GAMEPAD_START, true, true, false);
    assert_pad(1, CN_GAMEPAD_START, false, false, false);
    tick();
    assert_pad(2, CN_GAMEPAD_START, true, false, false);
    cn_input_gamepad_button(source, 2, CN_GAMEPAD_START, false);
    tick();
    assert_pad(2, CN_GAMEPAD_START, false, false, true);
}

static void an_axis_keeps_its_value(void **state)
{
    (void)state;
    cn_input_gamepad_connected(source, 3, true);
    cn_input_gamepad_axis(source, 3, CN_GAMEPAD_RIGHT_TRIGGER, 0.25f);
    cn_input_gamepad_axis(source, 3, CN_GAMEPAD_LEFT_X, -1);
    tick();
    tick();
    assert_number(cn_gamepad_axis(pads, 3, CN_GAMEPAD_RIGHT_TRIGGER), 0.25);
    assert_number(cn_gamepad_axis(pads, 3, CN_GAMEPAD_LEFT_X), -1);
    assert_number(cn_gamepad_axis(pads, 0, CN_GAMEPAD_LEFT_X), 0);
}

static void axes_reach_from_minus_1_to_1(void **state)
{
    (void)state;
    cn_input_gamepad_connected(source, 0, true);
    const float bad[] = {NAN, INFINITY, 1.0001f, -1.0001f, 32767};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        assert_false(cn_input_gamepad_axis(source, 0, 0, bad[i]));
        assert_ignored((CnInputEvent){.kind = CN_INPUT_GAMEPAD_AXIS, .x = bad[i]});
    }
    assert_true(cn_input_gamepad_axis(source, 0, 0, 1));
    tick();
    assert_number(cn_gamepad_axis(pads, 0, 0), 1);
}

static void a_gamepad_that_goes_lets_go(void **state)
{
    (void)state;
    cn_input_gamepad_connected(source, 0, true);
    cn_input_gamepad_button(source, 0, CN_GAMEPAD_A, true);
    cn_input_gamepad_axis(source, 0, CN_GAMEPAD_LEFT_Y, 1);
    tick();
    cn_input_gamepad_connected(source, 0, false);
    tick();
    assert_false(cn_gamepad_connected(pads, 0));
    assert_pad(0, CN_GAMEPAD_A, false, false, true);
    assert_number(cn_gamepad_axis(pads, 0, CN_GAMEPAD_LEFT_Y), 0);
}

static void connecting_again_changes_nothing(void **state)
{
    (void)state;
    cn_input_gamepad_connected(source, 0, true);
    cn_input_gamepad_button(source, 0, CN_GAMEPAD_A, true);
    cn_input_gamepad_connected(source, 0, true);
    tick();
    assert_pad(0, CN_GAMEPAD_A, true, true, false);
    assert_int_equal(input->ignored, 0);
}

static void events_of_a_gamepad_that_is_not_connected_are_ignored(void **state)
{
    (void)state;
    assert_true(cn_input_gamepad_button(source, 1, CN_GAMEPAD_A, true));
    assert_true(cn_input_gamepad_axis(source, 1, 0, 1));
    assert_true(cn_input_gamepad_connected(source, 1, false));
    tick_quietly();
    assert_int_equal(input->ignored, 3);
    assert_pad(1, CN_GAMEPAD_A, false, false, false);
}

static void wrong_gamepads_buttons_and_axes_are_ignored(void **state)
{
    (void)state;
    cn_input_gamepad_connected(source, 0, true);
    assert_false(cn_input_gamepad_connected(source, 4, true));
    assert_false(cn_input_gamepad_connected(source, 256, true));
    assert_false(cn_input_gamepad_button(source, 0, CN_GAMEPAD_BUTTON_COUNT, true));
    assert_false(cn_input_gamepad_axis(source, 0, CN_GAMEPAD_AXIS_COUNT, 0));
    assert_ignored((CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED, .device = 4});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_GAMEPAD_DISCONNECTED, .device = 255});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .device = 4, .pressed = 1});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .code = 21, .pressed = 1});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_GAMEPAD_AXIS, .device = 4});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_GAMEPAD_AXIS, .code = 6});
    assert_pad(4, 0, false, false, false);
    assert_pad(0, 21, false, false, false);
    assert_false(cn_gamepad_connected(pads, 4));
    assert_number(cn_gamepad_axis(pads, 4, 0), 0);
    assert_number(cn_gamepad_axis(pads, 0, 6), 0);
}

static void gamepads_have_the_order_of_sdl2(void **state)
{
    (void)state;
    assert_int_equal(CN_GAMEPAD_A, 0);
    assert_int_equal(CN_GAMEPAD_START, 6);
    assert_int_equal(CN_GAMEPAD_UP, 11);
    assert_int_equal(CN_GAMEPAD_TOUCHPAD, 20);
    assert_int_equal(CN_GAMEPAD_TOUCHPAD, CN_GAMEPAD_BUTTON_COUNT - 1);
    assert_int_equal(CN_GAMEPAD_LEFT_TRIGGER, 4);
    assert_int_equal(CN_GAMEPAD_RIGHT_TRIGGER, CN_GAMEPAD_AXIS_COUNT - 1);
}

/* ---- Touches ---- */

static void a_touch_begins_moves_and_ends_in_one_place(void **state)
{
    (void)state;
    cn_input_touch_begin(source, 77, 1, 2);
    tick();
    assert_touch(0, true, true, false);
    assert_true(input->touch_finger[0] == 77);
    cn_input_touch_move(source, 77, 3, 4);
    tick();
    assert_touch(0, true, false, false);
    assert_number(input->touch_x[0], 3);
    assert_number(input->touch_y[0], 4);
    cn_input_touch_end(source, 77, 5, 6);
    tick();
    assert_touch(0, false, false, true);
    assert_number(input->touch_x[0], 5);
    tick();
    assert_touch(0, false, false, false);
    assert_true(input->touch_finger[0] == 0);
    assert_number(input->touch_x[0], 0);
}

static void a_touch_within_one_tick_shows_both(void **state)
{
    (void)state;
    cn_input_touch_begin(source, 1, 0, 0);
    cn_input_touch_end(source, 1, 9, 0);
    tick();
    assert_touch(0, false, true, true);
    assert_number(input->touch_x[0], 9);
}

static void a_finger_that_returns_in_the_same_tick_keeps_its_place(void **state)
{
    (void)state;
    cn_input_touch_begin(source, 1, 0, 0);
    tick();
    cn_input_touch_end(source, 1, 0, 0);
    cn_input_touch_begin(source, 1, 8, 0);
    tick();
    assert_touch(0, true, true, true);
    assert_touch(1, false, false, false);
    assert_number(input->touch_x[0], 8);
}

static void touches_take_the_first_free_place(void **state)
{
    (void)state;
    for (uint64_t finger = 0; finger < 3; finger++)
        cn_input_touch_begin(source, finger, 0, 0);
    tick();
    cn_input_touch_end(source, 1, 0, 0);
    cn_input_touch_begin(source, 50, 0, 0); /* 1 is still shown */
    tick();
    assert_true(input->touch_finger[3] == 50);
    cn_input_touch_begin(source, 51, 0, 0);
    tick();
    assert_true(input->touch_finger[1] == 51);
}

static void a_tenth_touch_is_the_last(void **state)
{
    (void)state;
    for (uint64_t finger = 0; finger < 12; finger++)
        cn_input_touch_begin(source, finger, 0, 0);
    tick_quietly();
    assert_true(input->touch_held == 0x3ff);
    assert_int_equal(input->ignored, 2);
    assert_touch(10, false, false, false);
}

static void touches_that_nobody_began_are_ignored(void **state)
{
    (void)state;
    cn_input_touch_move(source, 1, 0, 0);
    cn_input_touch_end(source, 1, 0, 0);
    tick_quietly();
    assert_int_equal(input->ignored, 2);
    cn_input_touch_begin(source, 1, 0, 0);
    cn_input_touch_end(source, 1, 0, 0);
    cn_input_touch_move(source, 1, 5, 0); /* ended, though still shown */
    tick();
    assert_int_equal(input->ignored, 3);
    assert_number(input->touch_x[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        INPUT_TEST(a_gamepad_button_is_pressed_held_and_released),
        INPUT_TEST(an_axis_keeps_its_value),
        INPUT_TEST(axes_reach_from_minus_1_to_1),
        INPUT_TEST(a_gamepad_that_goes_lets_go),
        INPUT_TEST(connecting_again_changes_nothing),
        INPUT_TEST(events_of_a_gamepad_that_is_not_connected_are_ignored),
        INPUT_TEST(wrong_gamepads_buttons_and_axes_are_ignored),
        INPUT_TEST(gamepads_have_the_order_of_sdl2),
        INPUT_TEST(a_touch_begins_moves_and_ends_in_one_place),
        INPUT_TEST(a_touch_within_one_tick_shows_both),
        INPUT_TEST(a_finger_that_returns_in_the_same_tick_keeps_its_place),
        INPUT_TEST(touches_take_the_first_free_place),
        INPUT_TEST(a_tenth_touch_is_the_last),
        INPUT_TEST(touches_that_nobody_began_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "input_fixture.h"

#include <math.h>
#include <string.h>

/* ---- Keys ---- */

static void a_key_is_pressed_for_one_tick_and_held_until_released(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_W, true);
    tick();
    assert_key(CN_KEY_W, true, true, false);
    tick();
    assert_key(CN_KEY_W, true, false, false);
    cn_input_key(source, CN_KEY_W, false);
    tick();
    assert_key(CN_KEY_W, false, false, true);
    tick();
    assert_key(CN_KEY_W, false, false, false);
}

static void a_press_and_release_in_one_tick_shows_both(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_W, true);
    cn_input_key(source, CN_KEY_W, false);
    tick();
    assert_key(CN_KEY_W, false, true, true);
    tick();
    assert_key(CN_KEY_W, false, false, false);
}

static void a_release_and_press_in_one_tick_shows_both(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_W, true);
    tick();
    cn_input_key(source, CN_KEY_W, false);
    cn_input_key(source, CN_KEY_W, true);
    tick();
    assert_key(CN_KEY_W, true, true, true);
}

static void a_key_that_repeats_is_not_pressed_again(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_W, true);
    tick();
    cn_input_key(source, CN_KEY_W, true);
    tick();
    assert_key(CN_KEY_W, true, false, false);
    assert_int_equal(input->ignored, 0);
}

static void releasing_what_is_not_held_does_nothing(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_W, false);
    tick();
    assert_key(CN_KEY_W, false, false, false);
    assert_int_equal(input->ignored, 0);
}

static void every_key_has_a_bit_of_its_own(void **state)
{
    (void)state;
    for (uint32_t key = 1; key < CN_KEY_COUNT; key++) {
        assert_true(cn_input_key(source, key, true));
        tick();
        for (uint32_t k = 0; k < CN_KEY_COUNT; k++)
            assert_int_equal(cn_key_pressed(input, k), k == key);
        assert_true(cn_key_held(input, key));
    }
}

static void key_0_and_keys_beyond_the_last_are_ignored(void **state)
{
    (void)state;
    uint32_t codes[] = {0, CN_KEY_COUNT, CN_KEY_COUNT + 4, UINT32_MAX};
    for (size_t i = 0; i < CN_COUNT_OF(codes); i++) {
        assert_false(cn_input_key(source, codes[i], true));
        assert_ignored((CnInputEvent){.kind = CN_INPUT_KEY, .code = codes[i], .pressed = 1});
        assert_key(codes[i], false, false, false);
    }
}

static void keys_have_the_numbers_of_usb(void **state)
{
    (void)state;
    assert_int_equal(CN_KEY_A, 0x04);
    assert_int_equal(CN_KEY_Z, 0x1d);
    assert_int_equal(CN_KEY_1, 0x1e);
    assert_int_equal(CN_KEY_0, 0x27);
    assert_int_equal(CN_KEY_SPACE, 0x2c);
    assert_int_equal(CN_KEY_F1, 0x3a);
    assert_int_equal(CN_KEY_F12, 0x45);
    assert_int_equal(CN_KEY_UP, 0x52);
    assert_int_equal(CN_KEY_PAD_ENTER, 0x58);
    assert_int_equal(CN_KEY_PAD_0, 0x62);
    assert_int_equal(CN_KEY_F24, 0x73);
    assert_int_equal(CN_KEY_LEFT_CTRL, 0xe0);
    assert_int_equal(CN_KEY_RIGHT_GUI, 0xe7);
}

/* ---- Mouse ---- */

static void a_mouse_button_is_pressed_held_and_released(void **state)
{
    (void)state;
    cn_input_mouse_button(source, CN_MOUSE_RIGHT, true);
    tick();
    assert_mouse(CN_MOUSE_RIGHT, true, true, false);
    assert_mouse(CN_MOUSE_LEFT, false, false, false);
    tick();
    assert_mouse(CN_MOUSE_RIGHT, true, false, false);
    cn_input_mouse_button(source, CN_MOUSE_RIGHT, false);
    tick();
    assert_mouse(CN_MOUSE_RIGHT, false, false, true);
}

static void a_mouse_has_buttons_1_to_31(void **state)
{
    (void)state;
    for (uint32_t button = 1; button < CN_MOUSE_BUTTON_COUNT; button++)
        assert_true(cn_input_mouse_button(source, button, true));
    tick();
    assert_true(input->mouse_held == 0xfffffffeu);
    assert_false(cn_input_mouse_button(source, 0, true));
    assert_false(cn_input_mouse_button(source, 32, true));
    assert_ignored((CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = 0, .pressed = 1});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = 32, .pressed = 1});
    assert_mouse(32, false, false, false);
}

static void the_mouse_keeps_its_place_and_sums_its_way(void **state)
{
    (void)state;
    cn_input_mouse_move(source, 10, 20, 1, -2);
    cn_input_mouse_move(source, 14, 17, 4, -3);
    tick();
    assert_number(input->mouse_x, 14);
    assert_number(input->mouse_y, 17);
    assert_number(input->mouse_dx, 5);
    assert_number(input->mouse_dy, -5);
    tick();
    assert_number(input->mouse_x, 14);
    assert_number(input->mouse_dx, 0);
    assert_number(input->mouse_dy, 0);
}

static void the_wheel_sums_the_turns_of_a_tick(void **state)
{
    (void)state;
    cn_input_wheel(source, 0.5f, 1);
    cn_input_wheel(source, 0, -3);
    tick();
    assert_number(input->wheel_x, 0.5);
    assert_number(input->wheel_y, -2);
    tick();
    assert_number(input->wheel_x, 0);
    assert_number(input->wheel_y, 0);
}

static void places_that_are_no_numbers_are_ignored(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, CN_INPUT_MAX_COORDINATE * 1.001f, -1e30f};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        assert_false(cn_input_mouse_move(source, 0, 0, 0, bad[i]));
        assert_ignored((CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = bad[i]});
        assert_ignored((CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .y = bad[i]});
        assert_ignored((CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dx = bad[i]});
        assert_ignored((CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dy = bad[i]});
        assert_ignored((CnInputEvent){.kind = CN_INPUT_WHEEL, .dx = bad[i]});
        assert_ignored((CnInputEvent){.kind = CN_INPUT_WHEEL, .dy = bad[i]});
        assert_ignored((CnInputEvent){.kind = CN_INPUT_TOUCH_BEGIN, .x = bad[i]});
        assert_ignored((CnInputEvent){.kind = CN_INPUT_TOUCH_BEGIN, .y = bad[i]});
    }
    assert_number(input->mouse_x, 0);
    assert_true(
        cn_input_mouse_move(source, CN_INPUT_MAX_COORDINATE, -CN_INPUT_MAX_COORDINATE, 0, 0));
}

/* ---- Text ---- */

static void text_is_that_of_the_tick_in_order(void **state)
{
    (void)state;
    cn_input_text(source, "Gr");
    cn_input_text(source, "\xc3\xbc\xc3\x9f"
                          "e");
    tick();
    assert_string_equal(input->text, "Gr\xc3\xbc\xc3\x9f"
                                     "e");
    tick();
    assert_string_equal(input->text, "");
}

static void long_text_is_sent_in_several_events(void **state)
{
    (void)state;
    /* 3 bytes each: no boundary at 32. */
    const char *text = "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
                       "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
                       "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac";
    assert_true(cn_input_text(source, text));
    assert_int_equal(cn_producers_merge(world, NULL, NULL), 2);
    tick();
    assert_string_equal(input->text, text);
}

static void text_of_exactly_32_bytes_is_one_event(void **state)
{
    (void)state;
    assert_true(cn_input_text(source, "0123456789abcdef0123456789ABCDEF"));
    assert_int_equal(cn_producers_merge(world, NULL, NULL), 1);
    tick();
    assert_string_equal(input->text, "0123456789abcdef0123456789ABCDEF");
}

static void too_much_text_is_cut_at_a_character_and_counted(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CN_INPUT_TEXT_BYTES - 2; i++)
        cn_input_text(source, "a");
    cn_input_text(source, "\xe2\x82\xac");
    cn_input_text(source, "b"); /* there is room, but it would stand in the wrong place */
    tick_quietly();
    assert_int_equal(strlen(input->text), CN_INPUT_TEXT_BYTES - 2);
    assert_int_equal(input->text[CN_INPUT_TEXT_BYTES - 3], 'a');
    assert_int_equal(input->ignored, 2);
    cn_input_text(source, "c");
    tick();
    assert_string_equal(input->text, "c");
}

static void text_that_is_broken_is_ignored(void **state)
{
    (void)state;
    assert_false(cn_input_text(source, ""));
    assert_false(cn_input_text(source, NULL));
    assert_false(cn_input_text(source, "a\xff"));
    assert_false(cn_input_text(source, "\xc3"));
    assert_ignored((CnInputEvent){.kind = CN_INPUT_TEXT, .bytes = 0, .data = {'a'}});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_TEXT, .bytes = 33, .data = {'a'}});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_TEXT, .bytes = 255, .data = {'a'}});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_TEXT, .bytes = 2, .data = {'a', 0}});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_TEXT, .bytes = 1, .data = {0xc3, 0xbc}});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_TEXT, .bytes = 3, .data = {0xed, 0xa0, 0x80}});
    assert_string_equal(input->text, "");
}

/* ---- Window ---- */

static void focus_comes_and_goes(void **state)
{
    (void)state;
    cn_input_focus(source, true);
    tick();
    assert_true(input->focused);
    tick();
    assert_true(input->focused);
    cn_input_focus(source, false);
    tick();
    assert_false(input->focused);
}

static void losing_focus_releases_everything_held(void **state)
{
    (void)state;
    cn_input_gamepad_connected(source, 1, true);
    cn_input_gamepad_button(source, 1, CN_GAMEPAD_B, true);
    cn_input_gamepad_axis(source, 1, 0, 1);
    cn_input_key(source, CN_KEY_A, true);
    cn_input_key(source, CN_KEY_RIGHT_GUI, true);
    cn_input_mouse_button(source, CN_MOUSE_LEFT, true);
    cn_input_touch_begin(source, 5, 0, 0);
    tick();
    cn_input_focus(source, false);
    tick();
    assert_key(CN_KEY_A, false, false, true);
    assert_key(CN_KEY_RIGHT_GUI, false, false, true);
    assert_mouse(CN_MOUSE_LEFT, false, false, true);
    assert_touch(0, false, false, true);
    assert_pad(1, CN_GAMEPAD_B, false, false, true);
    assert_number(cn_gamepad_axis(pads, 1, 0), 0);
    assert_true(cn_gamepad_connected(pads, 1));
    tick();
    assert_key(CN_KEY_A, false, false, false);
}

static void a_request_to_quit_shows_for_one_tick(void **state)
{
    (void)state;
    assert_true(cn_input_quit(source));
    tick();
    assert_true(input->quit);
    tick();
    assert_false(input->quit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        INPUT_TEST(a_key_is_pressed_for_one_tick_and_held_until_released),
        INPUT_TEST(a_press_and_release_in_one_tick_shows_both),
        INPUT_TEST(a_release_and_press_in_one_tick_shows_both),
        INPUT_TEST(a_key_that_repeats_is_not_pressed_again),
        INPUT_TEST(releasing_what_is_not_held_does_nothing),
        INPUT_TEST(every_key_has_a_bit_of_its_own),
        INPUT_TEST(key_0_and_keys_beyond_the_last_are_ignored),
        INPUT_TEST(keys_have_the_numbers_of_usb),
        INPUT_TEST(a_mouse_button_is_pressed_held_and_released),
        INPUT_TEST(a_mouse_has_buttons_1_to_31),
        INPUT_TEST(the_mouse_keeps_its_place_and_sums_its_way),
        INPUT_TEST(the_wheel_sums_the_turns_of_a_tick),
        INPUT_TEST(places_that_are_no_numbers_are_ignored),
        INPUT_TEST(text_is_that_of_the_tick_in_order),
        INPUT_TEST(long_text_is_sent_in_several_events),
        INPUT_TEST(text_of_exactly_32_bytes_is_one_event),
        INPUT_TEST(too_much_text_is_cut_at_a_character_and_counted),
        INPUT_TEST(text_that_is_broken_is_ignored),
        INPUT_TEST(focus_comes_and_goes),
        INPUT_TEST(losing_focus_releases_everything_held),
        INPUT_TEST(a_request_to_quit_shows_for_one_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

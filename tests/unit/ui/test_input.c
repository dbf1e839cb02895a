/* From events and states of input to what widgets understand; the overlay's numbers. */
#include "cmocka_tests.h"

#include <cairn/ui.h>

#include <math.h>
#include <string.h>

static void send_key(CnUiInput *input, uint32_t code, bool pressed)
{
    cn_ui_input_event(input,
                      &(CnInputEvent){.kind = CN_INPUT_KEY, .code = code, .pressed = pressed});
}

static void send_text(CnUiInput *input, const char *text)
{
    CnInputEvent event = {.kind = CN_INPUT_TEXT, .bytes = (uint8_t)strlen(text)};
    memcpy(event.data, text, strlen(text));
    cn_ui_input_event(input, &event);
}

static void keys_and_text_are_typed_in_order(void **state)
{
    (void)state;
    CnUiInput input = {0};
    send_text(&input, "\xC3\xA4");
    send_key(&input, CN_KEY_LEFT, true);
    send_text(&input, "b");
    assert_int_equal(input.typed_count, 3);
    assert_int_equal(input.typed[0], 0xE4);
    assert_int_equal(input.typed[1], cn_ui_typed_key(CN_UI_LEFT, 0));
    assert_int_equal(input.typed[2], 'b');
}

static void modifiers_go_with_keys(void **state)
{
    (void)state;
    CnUiInput input = {0};
    send_key(&input, CN_KEY_LEFT_SHIFT, true);
    send_key(&input, CN_KEY_TAB, true);
    send_key(&input, CN_KEY_TAB, false);
    send_key(&input, CN_KEY_RIGHT, true);
    send_key(&input, CN_KEY_LEFT_SHIFT, false);
    send_key(&input, CN_KEY_RIGHT_CTRL, true);
    send_key(&input, CN_KEY_V, true);
    assert_int_equal(input.typed_count, 3);
    assert_int_equal(input.typed[0], cn_ui_typed_key(CN_UI_PREVIOUS, CN_UI_SHIFT));
    assert_int_equal(input.typed[1], cn_ui_typed_key(CN_UI_RIGHT, CN_UI_SHIFT));
    assert_int_equal(input.typed[2], cn_ui_typed_key(CN_UI_PASTE, CN_UI_CTRL));
}

static void a_key_that_repeats_is_typed_once_and_held(void **state)
{
    (void)state;
    CnUiInput input = {0};
    send_key(&input, CN_KEY_DOWN, true);
    send_key(&input, CN_KEY_DOWN, true);
    assert_int_equal(input.typed_count, 1);
    assert_int_equal(input.keys_held, 1u << CN_UI_DOWN);
    send_key(&input, CN_KEY_DOWN, false);
    assert_int_equal(input.keys_held, 0);
}

static void a_letter_with_control_is_released_after_control(void **state)
{
    (void)state;
    CnUiInput input = {0};
    send_key(&input, CN_KEY_LEFT_CTRL, true);
    send_key(&input, CN_KEY_C, true);
    send_key(&input, CN_KEY_LEFT_CTRL, false);
    send_key(&input, CN_KEY_C, false);
    assert_int_equal(input.keys_held, 0);
}

static void the_mouse_moves_presses_and_turns(void **state)
{
    (void)state;
    CnUiInput input = {0};
    cn_ui_input_event(&input, &(CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = 30, .y = 40});
    cn_ui_input_event(
        &input,
        &(CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT, .pressed = 1});
    cn_ui_input_event(&input, &(CnInputEvent){.kind = CN_INPUT_WHEEL, .dy = 2});
    cn_ui_input_event(&input, &(CnInputEvent){.kind = CN_INPUT_WHEEL, .dy = 1});
    assert_float_equal(input.mouse.y, 40, 0);
    assert_int_equal(input.mouse_pressed, 1u << CN_MOUSE_LEFT);
    assert_int_equal(input.mouse_held, 1u << CN_MOUSE_LEFT);
    assert_float_equal(input.wheel.y, 3, 0);
    cn_ui_input_clear(&input);
    assert_int_equal(input.mouse_pressed, 0);
    assert_int_equal(input.mouse_held, 1u << CN_MOUSE_LEFT);
    cn_ui_input_event(&input, &(CnInputEvent){.kind = CN_INPUT_FOCUS_LOST});
    assert_int_equal(input.mouse_held, 0);
    assert_int_equal(input.mouse_released, 1u << CN_MOUSE_LEFT);
}

static void gamepads_navigate(void **state)
{
    (void)state;
    CnUiInput input = {0};
    cn_ui_input_event(
        &input,
        &(CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .code = CN_GAMEPAD_DOWN, .pressed = 1});
    cn_ui_input_event(
        &input,
        &(CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .code = CN_GAMEPAD_B, .pressed = 1});
    assert_int_equal(input.typed[0], cn_ui_typed_key(CN_UI_DOWN, CN_UI_PAD));
    assert_int_equal(input.typed[1], cn_ui_typed_key(CN_UI_CANCEL, CN_UI_PAD));
}

static void a_finger_is_the_left_button(void **state)
{
    (void)state;
    CnUiInput input = {0};
    cn_ui_input_event(&input,
                      &(CnInputEvent){.kind = CN_INPUT_TOUCH_BEGIN, .finger = 1, .x = 5, .y = 6});
    assert_int_equal(input.mouse_held, 1u << CN_MOUSE_LEFT);
    cn_ui_input_event(&input,
                      &(CnInputEvent){.kind = CN_INPUT_TOUCH_END, .finger = 1, .x = 7, .y = 6});
    assert_int_equal(input.mouse_held, 0);
    assert_float_equal(input.mouse.x, 7, 0);
}

static void events_that_are_not_valid_change_nothing(void **state)
{
    (void)state;
    CnUiInput input = {0}, before = {0};
    cn_ui_input_event(&input, &(CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = NAN});
    cn_ui_input_event(&input, &(CnInputEvent){.kind = 200});
    send_text(&input, "\xFF");
    assert_memory_equal(&input, &before, sizeof input);
}

static void what_finds_no_room_is_counted(void **state)
{
    (void)state;
    CnUiInput input = {0};
    for (uint32_t i = 0; i < CN_UI_MAX_TYPED + 5; i++)
        cn_ui_input_key(&input, CN_UI_LEFT, 0);
    assert_int_equal(input.typed_count, CN_UI_MAX_TYPED);
    assert_int_equal(input.typed_lost, 5);
}

static void a_state_of_a_tick_is_as_good_as_events(void **state)
{
    (void)state;
    CnInputState tick = {0};
    CnGamepadState pads = {0};
    tick.keys_pressed[CN_KEY_UP / 64] |= 1ull << (CN_KEY_UP % 64);
    tick.keys_held[CN_KEY_UP / 64] |= 1ull << (CN_KEY_UP % 64);
    strcpy(tick.text, "x");
    tick.mouse_x = 11;
    tick.mouse_pressed = tick.mouse_held = 1ull << CN_MOUSE_LEFT;
    pads.pressed[1] = 1u << CN_GAMEPAD_A;
    CnUiInput input = {0};
    cn_ui_input_state(&input, &tick, &pads);
    assert_int_equal(input.typed_count, 3);
    assert_int_equal(input.typed[0], cn_ui_typed_key(CN_UI_UP, 0));
    assert_int_equal(input.typed[1], 'x');
    assert_int_equal(input.typed[2], cn_ui_typed_key(CN_UI_ACTIVATE, CN_UI_PAD));
    assert_int_equal(input.keys_held, 1u << CN_UI_UP);
    assert_int_equal(input.mouse_pressed, 1u << CN_MOUSE_LEFT);
    assert_float_equal(input.mouse.x, 11, 0);
}

/* ---- The overlay ---- */

static void the_mean_of_the_last_frames_makes_fps(void **state)
{
    (void)state;
    static CnOverlayData data;
    assert_float_equal(cn_overlay_fps(&data), 0, 0);
    for (int i = 0; i < 1000; i++)
        cn_overlay_add_frame(&data, i < 500 ? 100 : 20, 1, 1);
    assert_int_equal(data.frame_count, CN_OVERLAY_FRAMES);
    assert_float_equal(cn_overlay_fps(&data), 50, 0.1);
}

static void the_overlay_draws_only_when_it_is_on(void **state)
{
    (void)state;
    static CnOverlayData data;
    CnFonts *fonts = cn_fonts_create(NULL, NULL);
    CnCanvas *canvas = cn_canvas_create(&(CnCanvasDesc){.fonts = fonts}, NULL);
    for (uint32_t page = 0; page <= CN_OVERLAY_PAGE_COUNT; page++) {
        data.page = (CnOverlayPage)page;
        cn_canvas_begin(canvas, 640, 360, 1);
        cn_overlay_draw(canvas, &data);
        cn_canvas_end(canvas);
        bool is_on = page == CN_OVERLAY_SUMMARY || page == CN_OVERLAY_PASSES;
        assert_int_equal(cn_canvas_stats(canvas).shapes > 0, is_on);
    }
    cn_canvas_destroy(canvas);
    cn_fonts_destroy(fonts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_text_are_typed_in_order),
        cmocka_unit_test(modifiers_go_with_keys),
        cmocka_unit_test(a_key_that_repeats_is_typed_once_and_held),
        cmocka_unit_test(a_letter_with_control_is_released_after_control),
        cmocka_unit_test(the_mouse_moves_presses_and_turns),
        cmocka_unit_test(gamepads_navigate),
        cmocka_unit_test(a_finger_is_the_left_button),
        cmocka_unit_test(events_that_are_not_valid_change_nothing),
        cmocka_unit_test(what_finds_no_room_is_counted),
        cmocka_unit_test(a_state_of_a_tick_is_as_good_as_events),
        cmocka_unit_test(the_mean_of_the_last_frames_makes_fps),
        cmocka_unit_test(the_overlay_draws_only_when_it_is_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

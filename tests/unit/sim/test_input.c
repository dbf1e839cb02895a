#include "cmocka_tests.h"

#include "failing_heap.h"

#include <cairn/ecs/snapshot.h>
#include <cairn/ecs/system.h>
#include <cairn/sim/input.h>

#include <math.h>
#include <string.h>

static CnHeap *heap;
static CnWorld *world;
static CnInputSource source;
static const CnInputState *input;
static const CnGamepadState *pads;

static int make_world(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL);
    world = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")});
    if (!world || !cn_input_add(world, NULL))
        return -1;
    source = cn_input_source(world, cn_producer_create(world, &(CnProducerDesc){.name = "test"}));
    input = cn_resource(world, CnInputState);
    pads = cn_resource(world, CnGamepadState);
    return source.producer && source.channel && input && pads ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

static void tick(void)
{
    CnError error = {0};
    cn_producers_merge(world, NULL, NULL);
    if (!cn_world_update(world, 0.01f, &error))
        fail_msg("%s", error.message);
}

static void tick_quietly(void)
{
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    tick();
    cn_log_set_level(level);
}

/* Past the checks of the functions that send. */
static void send_raw(CnInputEvent event)
{
    assert_true(cn_produce_value(source.producer, source.channel, &event));
}

static void assert_ignored(CnInputEvent event)
{
    uint64_t ignored = input->ignored;
    assert_false(cn_input_event_valid(&event));
    assert_false(cn_input_push(source, &event));
    send_raw(event);
    tick_quietly();
    assert_int_equal(input->ignored, ignored + 1);
}

#define assert_number(a, b) assert_true((double)(a) == (double)(b))

/* held, pressed, released */
#define assert_key(key, h, p, r)                                                                   \
    do {                                                                                           \
        assert_int_equal(cn_key_held(input, key), h);                                              \
        assert_int_equal(cn_key_pressed(input, key), p);                                           \
        assert_int_equal(cn_key_released(input, key), r);                                          \
    } while (0)
#define assert_mouse(button, h, p, r)                                                              \
    do {                                                                                           \
        assert_int_equal(cn_mouse_held(input, button), h);                                         \
        assert_int_equal(cn_mouse_pressed(input, button), p);                                      \
        assert_int_equal(cn_mouse_released(input, button), r);                                     \
    } while (0)
#define assert_touch(touch, h, p, r)                                                               \
    do {                                                                                           \
        assert_int_equal(cn_touch_held(input, touch), h);                                          \
        assert_int_equal(cn_touch_pressed(input, touch), p);                                       \
        assert_int_equal(cn_touch_released(input, touch), r);                                      \
    } while (0)
#define assert_pad(pad, button, h, p, r)                                                           \
    do {                                                                                           \
        assert_int_equal(cn_gamepad_held(pads, pad, button), h);                                   \
        assert_int_equal(cn_gamepad_pressed(pads, pad, button), p);                                \
        assert_int_equal(cn_gamepad_released(pads, pad, button), r);                               \
    } while (0)

/* ---- Adding ---- */

static void everything_begins_at_rest(void **state)
{
    (void)state;
    static const CnInputState no_input;
    static const CnGamepadState no_pads;
    assert_memory_equal(input, &no_input, sizeof no_input);
    assert_memory_equal(pads, &no_pads, sizeof no_pads);
    tick();
    assert_memory_equal(input, &no_input, sizeof no_input);
    assert_memory_equal(pads, &no_pads, sizeof no_pads);
}

static void adding_again_keeps_what_is_there(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_A, true);
    tick();
    assert_true(cn_input_add(world, NULL));
    assert_ptr_equal(cn_resource(world, CnInputState), input);
    assert_key(CN_KEY_A, true, true, false);
}

static void the_drain_runs_in_the_input_stage(void **state)
{
    (void)state;
    CnScheduled systems[2];
    uint32_t count = 0;
    assert_true(cn_stage_systems(world, CN_STAGE_INPUT, systems, 2, &count, NULL));
    assert_int_equal(count, 1);
    assert_string_equal(systems[0].name, "cn_input_drain");
}

static void adding_fails_when_a_name_means_something_else(void **state)
{
    (void)state;
    CnWorld *other = cn_world_create(NULL);
    CnType type = {.name = "CnInputState", .alignment = 1};
    assert_true(cn_component_register(other, &(CnComponentDesc){.type = &type}, NULL).id);
    CnError error = {0};
    assert_false(cn_input_add(other, &error));
    assert_non_null(strstr(error.message, "CnInputState"));
    cn_world_destroy(other);
}

static bool add_input(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *own = cn_world_create(&(CnWorldDesc){.allocator = allocator});
    if (!own)
        return false;
    CnError error = {0};
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    bool added = cn_input_add(own, &error);
    cn_log_set_level(level);
    assert_int_equal(error.code, added ? CN_OK : CN_ERROR_MEMORY);
    cn_world_destroy(own);
    return added;
}

static void adding_without_memory_is_an_error(void **state)
{
    (void)state;
    run_with_failing_allocations(add_input, NULL);
}

static void adding_that_failed_can_be_completed(void **state)
{
    (void)state;
    CnHeap *small = cn_heap_create(NULL);
    CnWorld *own = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(small, "world")});
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint64_t failures = 0;
    for (; cn_heap_fail_after(small, failures), !cn_input_add(own, NULL); failures++)
        assert_true(failures < 1000);
    cn_log_set_level(level);
    cn_heap_fail_after(small, CN_HEAP_NEVER_FAIL);
    assert_true(failures > 0);
    assert_true(cn_input_add(own, NULL));
    assert_non_null(cn_resource(own, CnGamepadState));
    assert_true(cn_world_update(own, 0.01f, NULL));
    cn_world_destroy(own);
    cn_heap_destroy(small);
}

static void an_event_is_64_bytes_without_gaps(void **state)
{
    (void)state;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < cn_type_CnInputEvent.field_count; i++)
        bytes += cn_type_CnInputEvent.fields[i].size;
    assert_int_equal(bytes, 64);
    assert_int_equal(sizeof(CnInputEvent), 64);
}

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

static void a_window_has_its_last_size(void **state)
{
    (void)state;
    assert_true(cn_input_resized(source, 800, 600));
    assert_true(cn_input_resized(source, 1920, 0));
    tick();
    tick();
    assert_int_equal(input->window_width, 1920);
    assert_int_equal(input->window_height, 0);
}

static void a_window_that_cannot_be_is_ignored(void **state)
{
    (void)state;
    assert_false(cn_input_resized(source, 65536, 1));
    assert_false(cn_input_resized(source, 1, UINT32_MAX));
    assert_ignored((CnInputEvent){.kind = CN_INPUT_RESIZED, .x = -1});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_RESIZED, .y = 0.5f});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_RESIZED, .x = NAN});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_RESIZED, .x = 65536});
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

/* ---- Messages ---- */

static void messages_are_read_from_the_channel(void **state)
{
    (void)state;
    assert_true(cn_input_message(source, 7, "one", 4));
    assert_true(cn_input_message(source, 8, NULL, 0));
    cn_input_key(source, 7, true);
    assert_true(cn_input_message(source, 7, "two", 4));
    tick();
    uint32_t index = 0;
    const CnInputEvent *message = cn_input_next_message(source.channel, 7, &index);
    assert_string_equal((const char *)message->data, "one");
    message = cn_input_next_message(source.channel, 7, &index);
    assert_string_equal((const char *)message->data, "two");
    assert_int_equal(message->bytes, 4);
    assert_null(cn_input_next_message(source.channel, 7, &index));
    assert_null(cn_input_next_message(source.channel, 7, &index));
    assert_int_equal(input->ignored, 0);
}

static void a_message_has_at_most_32_bytes(void **state)
{
    (void)state;
    const uint8_t data[300] = {1};
    assert_true(cn_input_message(source, 1, data, 32));
    assert_false(cn_input_message(source, 1, data, 33));
    assert_false(cn_input_message(source, 1, data, 256));
    CnInputEvent bad = {.kind = CN_INPUT_MESSAGE, .code = 2, .bytes = 33};
    send_raw(bad);
    tick_quietly();
    uint32_t index = 0;
    assert_null(cn_input_next_message(source.channel, 2, &index));
    assert_int_equal(input->ignored, 1);
}

/* ---- The world ---- */

static void kinds_that_do_not_exist_are_ignored(void **state)
{
    (void)state;
    for (uint32_t kind = CN_INPUT_KIND_COUNT; kind < 256; kind++)
        assert_ignored((CnInputEvent){.kind = (uint8_t)kind, .code = 4, .pressed = 1});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_NONE});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_KEY, .code = CN_KEY_A, .pressed = 2});
}

static int warnings;

static void count_warning(const CnLogRecord *record, void *user)
{
    (void)user;
    warnings += record->level == CN_LOG_LEVEL_WARNING && strstr(record->message, "ignored");
}

static void the_first_event_that_is_ignored_is_reported(void **state)
{
    (void)state;
    warnings = 0;
    int sink = cn_log_add_sink(&(CnLogSink){.write = count_warning, .level = CN_LOG_LEVEL_WARNING});
    for (int i = 0; i < 3; i++) {
        send_raw((CnInputEvent){0});
        send_raw((CnInputEvent){0});
        tick_quietly();
    }
    cn_log_remove_sink(sink);
    assert_int_equal(warnings, 1);
    assert_int_equal(input->ignored, 6);
}

static void events_wait_for_the_merge(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_A, true);
    cn_world_update(world, 0.01f, NULL);
    assert_key(CN_KEY_A, false, false, false);
    tick();
    assert_key(CN_KEY_A, true, true, false);
}

static void events_of_several_sources_come_in_the_order_of_producers(void **state)
{
    (void)state;
    CnInputSource second = {cn_producer_create(world, &(CnProducerDesc){0}), source.channel};
    cn_input_text(second, "b");
    cn_input_text(source, "a");
    tick();
    assert_string_equal(input->text, "ab");
}

static void a_full_ring_refuses(void **state)
{
    (void)state;
    CnProducer *small = cn_producer_create(world, &(CnProducerDesc){.ring_bytes = 256});
    CnInputSource narrow = cn_input_source(world, small);
    uint32_t sent = 0;
    while (sent < 100 && cn_input_key(narrow, CN_KEY_A, true))
        sent++;
    assert_int_equal(sent, 3);
    assert_int_equal(cn_producer_dropped(small), 1);
}

static bool jumped;

static void jump(CnSystemContext *context)
{
    jumped = cn_key_pressed(cn_resource(context->world, CnInputState), CN_KEY_SPACE);
}

static void systems_of_the_tick_read_the_state(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "jump", .run = jump, .stage = CN_STAGE_UPDATE};
    desc.access[0] = (CnTerm)cn_reads(CnInputState);
    assert_true(cn_system_add(world, &desc, NULL).id);
    cn_input_key(source, CN_KEY_SPACE, true);
    tick();
    assert_true(jumped);
    tick();
    assert_false(jumped);
}

/* ---- Saving ---- */

static void send_a_bit_of_everything(void)
{
    cn_input_focus(source, true);
    cn_input_resized(source, 640, 480);
    cn_input_gamepad_connected(source, 1, true);
    cn_input_gamepad_button(source, 1, CN_GAMEPAD_Y, true);
    cn_input_gamepad_axis(source, 1, CN_GAMEPAD_LEFT_X, 0.5f);
    cn_input_key(source, CN_KEY_A, true);
    cn_input_key(source, 500, true);
    cn_input_mouse_button(source, CN_MOUSE_LEFT, true);
    cn_input_mouse_move(source, 5, 6, 7, 8);
    cn_input_wheel(source, 1, 2);
    cn_input_text(source, "text");
    cn_input_touch_begin(source, 12345678901u, 3, 4);
    cn_input_quit(source);
    send_raw((CnInputEvent){0});
}

static void save_and_load_keep_the_state(void **state)
{
    (void)state;
    send_a_bit_of_everything();
    tick_quietly();
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    CnInputState saved_input = *input;
    CnGamepadState saved_pads = *pads;
    uint64_t hash = cn_world_hash(world);
    cn_input_focus(source, false);
    tick();
    assert_true(cn_world_hash(world) != hash);
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_true(cn_world_hash(world) == hash);
    assert_ptr_equal(cn_resource(world, CnInputState), input);
    assert_memory_equal(input, &saved_input, sizeof saved_input);
    assert_memory_equal(pads, &saved_pads, sizeof saved_pads);
}

static void a_loaded_world_goes_on_alike(void **state)
{
    (void)state;
    send_a_bit_of_everything();
    tick_quietly();
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    uint64_t hashes[2];
    for (int run = 0; run < 2; run++) {
        assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
        cn_input_key(source, CN_KEY_A, false);
        cn_input_touch_end(source, 12345678901u, 0, 0);
        tick();
        assert_key(CN_KEY_A, false, false, true);
        hashes[run] = cn_world_hash(world);
    }
    cn_snapshot_free(&snapshot);
    assert_true(hashes[0] == hashes[1]);
}

static void every_part_of_the_state_is_hashed(void **state)
{
    (void)state;
    CnInputState *writable = cn_resource_mut(world, CnInputState);
    CnComponent id = cn_id(world, CnInputState);
    uint64_t hash = cn_world_hash_component(world, id);
    writable->keys_held[7] ^= 1;
    assert_true(cn_world_hash_component(world, id) != hash);
    writable->keys_held[7] ^= 1;
    assert_true(cn_world_hash_component(world, id) == hash);
    writable->ignored++;
    assert_true(cn_world_hash_component(world, id) != hash);
}

static void a_world_saved_without_input_can_get_it_again(void **state)
{
    (void)state;
    CnWorld *bare = cn_world_create(NULL);
    CnSnapshot snapshot;
    assert_true(cn_world_save(bare, &snapshot, NULL));
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    cn_world_destroy(bare);
    assert_null(cn_resource(world, CnInputState));
    cn_input_key(source, CN_KEY_A, true);
    tick();
    assert_true(cn_input_add(world, NULL));
    input = cn_resource(world, CnInputState);
    cn_input_key(source, CN_KEY_B, true);
    tick();
    assert_key(CN_KEY_B, true, true, false);
    assert_key(CN_KEY_A, false, false, false);
}

/* ---- Memory ---- */

static void a_tick_makes_no_heap_call(void **state)
{
    (void)state;
    uint64_t calls = 0;
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < 20; i++)
            send_a_bit_of_everything();
        tick_quietly();
        if (round == 2)
            calls = cn_heap_stats(heap).calls;
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

#define INPUT_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        INPUT_TEST(everything_begins_at_rest),
        INPUT_TEST(adding_again_keeps_what_is_there),
        INPUT_TEST(the_drain_runs_in_the_input_stage),
        INPUT_TEST(adding_fails_when_a_name_means_something_else),
        INPUT_TEST(adding_without_memory_is_an_error),
        INPUT_TEST(adding_that_failed_can_be_completed),
        INPUT_TEST(an_event_is_64_bytes_without_gaps),
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
        INPUT_TEST(focus_comes_and_goes),
        INPUT_TEST(losing_focus_releases_everything_held),
        INPUT_TEST(a_window_has_its_last_size),
        INPUT_TEST(a_window_that_cannot_be_is_ignored),
        INPUT_TEST(a_request_to_quit_shows_for_one_tick),
        INPUT_TEST(messages_are_read_from_the_channel),
        INPUT_TEST(a_message_has_at_most_32_bytes),
        INPUT_TEST(kinds_that_do_not_exist_are_ignored),
        INPUT_TEST(the_first_event_that_is_ignored_is_reported),
        INPUT_TEST(events_wait_for_the_merge),
        INPUT_TEST(events_of_several_sources_come_in_the_order_of_producers),
        INPUT_TEST(a_full_ring_refuses),
        INPUT_TEST(systems_of_the_tick_read_the_state),
        INPUT_TEST(save_and_load_keep_the_state),
        INPUT_TEST(a_loaded_world_goes_on_alike),
        INPUT_TEST(every_part_of_the_state_is_hashed),
        INPUT_TEST(a_world_saved_without_input_can_get_it_again),
        INPUT_TEST(a_tick_makes_no_heap_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

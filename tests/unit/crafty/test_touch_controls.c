/* Touch controls: which fingers mean which actions. Touches are those of a CnInputState, as the
 * window delivers them; no screen is needed. */
#include "cmocka_tests.h"

#include <crafty/client/hud.h>
#include <crafty/client/touch_controls.h>
#include <crafty/client/controls.h>
#include <crafty/sim/actions.h>

#define FRAME 0.02f

static CraftyTouchControls touch;
static CnInputDevices devices;
static CnActions actions;
static CraftyControls *controls;
static CnActionList list;

static int begin(void **state)
{
    (void)state;
    touch = (CraftyTouchControls){0};
    devices = (CnInputDevices){0};
    controls = crafty_controls_create(NULL, NULL);
    list = cn_action_map_actions(crafty_controls_map(controls));
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_controls_destroy(controls);
    return 0;
}

static void frame(bool plays)
{
    crafty_touch_controls_frame(&touch,
                                &(CraftyTouchView){.input = &devices.input,
                                                   .actions = list,
                                                   .area = {640, 360},
                                                   .scale = 2,
                                                   .seconds = FRAME,
                                                   .plays = plays},
                                &actions);
    cn_input_devices_begin_tick(&devices);
}

/* `x` and `y` in points. */
static void finger(CnInputKind kind, uint64_t number, float x, float y)
{
    CnInputEvent event = {.kind = (uint8_t)kind, .finger = number, .x = 2 * x, .y = 2 * y};
    assert_true(cn_input_devices_apply(&devices, &event));
    frame(true);
}

static bool held(const char *name)
{
    return cn_action_held(&actions, cn_action_find(list, name));
}

static bool pressed(const char *name)
{
    return cn_action_pressed(&actions, cn_action_find(list, name));
}

static CnVec2 axes(const char *name)
{
    CnAction action = cn_action_find(list, name);
    return (CnVec2){actions.axes[action.axis], actions.axes[action.axis + 1u]};
}

static void a_finger_on_the_left_half_moves_the_player(void **state)
{
    (void)state;
    finger(CN_INPUT_TOUCH_BEGIN, 7, 100, 200);
    assert_true(axes("move").x == 0 && axes("move").y == 0);
    finger(CN_INPUT_TOUCH_MOVE, 7, 100, 200 - CRAFTY_TOUCH_STICK);
    assert_true(axes("move").x == 0 && axes("move").y == 1);
    assert_false(held("fast"));
    finger(CN_INPUT_TOUCH_MOVE, 7, 100, 200 - 2 * CRAFTY_TOUCH_STICK);
    assert_true(axes("move").y == 1 && held("fast"));
    finger(CN_INPUT_TOUCH_END, 7, 100, 100);
    assert_true(axes("move").y == 0);
}

static void a_drag_on_the_right_half_looks_around(void **state)
{
    (void)state;
    finger(CN_INPUT_TOUCH_BEGIN, 1, 400, 150);
    finger(CN_INPUT_TOUCH_MOVE, 1, 430, 140);
    assert_true(axes("look").x > 0 && axes("look").y > 0);
    finger(CN_INPUT_TOUCH_END, 1, 430, 140);
    assert_false(pressed("place_block"));
}

static void a_tap_places(void **state)
{
    (void)state;
    finger(CN_INPUT_TOUCH_BEGIN, 1, 400, 150);
    assert_false(pressed("place_block"));
    finger(CN_INPUT_TOUCH_END, 1, 402, 150);
    assert_true(pressed("place_block"));
    frame(true);
    assert_false(pressed("place_block"));
}

static void a_finger_that_rests_breaks_until_it_is_lifted(void **state)
{
    (void)state;
    finger(CN_INPUT_TOUCH_BEGIN, 1, 400, 150);
    uint32_t presses = 0;
    for (uint32_t i = 0; i < 30; i++) {
        frame(true);
        presses += pressed("break_block");
    }
    assert_true(held("break_block"));
    assert_int_equal(presses, 1);
    finger(CN_INPUT_TOUCH_END, 1, 400, 150);
    assert_false(held("break_block"));
    assert_false(pressed("place_block"));
}

static void two_fingers_move_and_look_at_once(void **state)
{
    (void)state;
    finger(CN_INPUT_TOUCH_BEGIN, 1, 100, 200);
    finger(CN_INPUT_TOUCH_BEGIN, 2, 400, 150);
    CnInputEvent left = {.kind = CN_INPUT_TOUCH_MOVE, .finger = 1, .x = 2 * 160, .y = 2 * 200};
    cn_input_devices_apply(&devices, &left);
    finger(CN_INPUT_TOUCH_MOVE, 2, 450, 150);
    assert_true(axes("move").x == 1 && axes("look").x > 0);
}

static void buttons_are_held_and_open_screens(void **state)
{
    (void)state;
    finger(CN_INPUT_TOUCH_BEGIN, 1, 640 - 44, 360 - 100);
    assert_true(held("jump") && pressed("jump"));
    finger(CN_INPUT_TOUCH_END, 1, 640 - 44, 360 - 100);
    assert_false(held("jump"));
    static const struct {
        float x;
        const char *action;
    } top[] = {{640 - 44, "inventory"}, {640 - 108, "chat"}, {640 - 172, "menu"}};
    for (uint32_t i = 0; i < CN_COUNT_OF(top); i++) {
        finger(CN_INPUT_TOUCH_BEGIN, 1, top[i].x, 40);
        assert_true(pressed(top[i].action));
        finger(CN_INPUT_TOUCH_END, 1, top[i].x, 40);
    }
}

static void a_tap_on_the_hotbar_selects_a_slot(void **state)
{
    (void)state;
    finger(CN_INPUT_TOUCH_BEGIN, 1, 320, 360 - 20); /* the middle one */
    assert_true(pressed("slot_5"));
    assert_false(pressed("slot_4"));
}

static void touches_of_a_menu_do_nothing(void **state)
{
    (void)state;
    CnInputEvent event = {.kind = CN_INPUT_TOUCH_BEGIN, .finger = 1, .x = 2 * 400, .y = 2 * 150};
    cn_input_devices_apply(&devices, &event);
    frame(false);
    assert_int_equal(actions.pressed | actions.held, 0);
    for (uint32_t i = 0; i < 30; i++)
        frame(true); /* the menu was closed by this touch, which is still held */
    assert_int_equal(actions.held, 0);
}

static void a_tap_hits_the_slot_that_is_drawn(void **state)
{
    (void)state;
    CnRect first = crafty_hud_slot((CnRect){0, 0, 640, 360}, 0);
    finger(CN_INPUT_TOUCH_BEGIN, 1, first.x + 1, first.y + 1);
    assert_true(pressed("slot_1"));
}

static void added_actions_are_those_of_one_frame(void **state)
{
    (void)state;
    finger(CN_INPUT_TOUCH_BEGIN, 1, 640 - 108, 40);
    crafty_controls_add(controls, &actions);
    crafty_controls_frame(controls, &devices, NULL);
    assert_true(crafty_controls_pressed(controls, NULL, CRAFTY_CLIENT_CHAT));
    crafty_controls_frame(controls, &devices, NULL);
    assert_false(crafty_controls_pressed(controls, NULL, CRAFTY_CLIENT_CHAT));
}

#define TOUCH_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TOUCH_TEST(a_finger_on_the_left_half_moves_the_player),
        TOUCH_TEST(a_drag_on_the_right_half_looks_around),
        TOUCH_TEST(a_tap_places),
        TOUCH_TEST(a_finger_that_rests_breaks_until_it_is_lifted),
        TOUCH_TEST(two_fingers_move_and_look_at_once),
        TOUCH_TEST(buttons_are_held_and_open_screens),
        TOUCH_TEST(a_tap_on_the_hotbar_selects_a_slot),
        TOUCH_TEST(a_tap_hits_the_slot_that_is_drawn),
        TOUCH_TEST(touches_of_a_menu_do_nothing),
        TOUCH_TEST(added_actions_are_those_of_one_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

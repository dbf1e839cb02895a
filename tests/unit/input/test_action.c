/* Evaluation of actions from the state of devices. */
#include "input_fixture.h"

#include <math.h>

static CnInputDevices devices;
static CnActions actions;

static int reset(void **state)
{
    (void)state;
    memset(&devices, 0, sizeof devices);
    memset(&actions, 0, sizeof actions);
    return 0;
}

#define ACTION_TEST(name) cmocka_unit_test_setup(name, reset)

static void evaluate(void)
{
    cn_actions_evaluate(fixture_list, &devices.input, &devices.gamepads, 0, &actions);
}

static void next_tick(void)
{
    cn_input_devices_begin_tick(&devices);
}

static void assert_near(float value, float expected)
{
    if (fabsf(value - expected) > 1e-6f)
        fail_msg("%g instead of %g", (double)value, (double)expected);
}

static float axis(const char *name)
{
    return cn_action_axis(&actions, fixture_action(name));
}

/* ---- Buttons ---- */

static void a_button_is_held_by_any_of_its_controls(void **state)
{
    (void)state;
    CnAction jump = fixture_action("jump");
    connect_gamepad(&devices, 0);
    set_gamepad_button(&devices, 0, CN_GAMEPAD_A, true);
    evaluate();
    assert_true(cn_action_held(&actions, jump));
    set_gamepad_button(&devices, 0, CN_GAMEPAD_A, false);
    set_key(&devices, CN_KEY_SPACE, true);
    evaluate();
    assert_true(cn_action_held(&actions, jump));
    set_key(&devices, CN_KEY_SPACE, false);
    evaluate();
    assert_false(cn_action_held(&actions, jump));
}

static void a_button_is_pressed_in_one_tick(void **state)
{
    (void)state;
    CnAction jump = fixture_action("jump");
    set_key(&devices, CN_KEY_SPACE, true);
    evaluate();
    assert_true(cn_action_pressed(&actions, jump));
    next_tick();
    evaluate();
    assert_false(cn_action_pressed(&actions, jump));
}

static void a_button_is_released_in_one_tick(void **state)
{
    (void)state;
    CnAction jump = fixture_action("jump");
    set_key(&devices, CN_KEY_SPACE, true);
    next_tick();
    set_key(&devices, CN_KEY_SPACE, false);
    evaluate();
    assert_true(cn_action_released(&actions, jump));
    next_tick();
    evaluate();
    assert_false(cn_action_released(&actions, jump));
}

static void a_tap_within_a_tick_is_pressed_but_not_held(void **state)
{
    (void)state;
    CnAction jump = fixture_action("jump");
    set_key(&devices, CN_KEY_SPACE, true);
    set_key(&devices, CN_KEY_SPACE, false);
    evaluate();
    assert_true(cn_action_pressed(&actions, jump) && cn_action_released(&actions, jump));
    assert_false(cn_action_held(&actions, jump));
}

static void a_trigger_beyond_its_press_point_holds_a_button(void **state)
{
    (void)state;
    CnAction fire = fixture_action("fire");
    connect_gamepad(&devices, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_RIGHT_TRIGGER, 0.5f);
    evaluate();
    assert_false(cn_action_held(&actions, fire));
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_RIGHT_TRIGGER, 0.51f);
    evaluate();
    assert_true(cn_action_held(&actions, fire));
}

static void a_trigger_presses_a_button_once(void **state)
{
    (void)state;
    CnAction fire = fixture_action("fire");
    connect_gamepad(&devices, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_RIGHT_TRIGGER, 1);
    evaluate();
    assert_true(cn_action_pressed(&actions, fire));
    next_tick();
    evaluate();
    assert_true(cn_action_held(&actions, fire) && !cn_action_pressed(&actions, fire));
}

static void a_trigger_that_returns_releases_the_button(void **state)
{
    (void)state;
    CnAction fire = fixture_action("fire");
    connect_gamepad(&devices, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_RIGHT_TRIGGER, 1);
    evaluate();
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_RIGHT_TRIGGER, 0);
    evaluate();
    assert_true(cn_action_released(&actions, fire) && !cn_action_held(&actions, fire));
}

static void a_negative_scale_presses_in_the_other_direction(void **state)
{
    (void)state;
    static const CnBinding left[] = {
        {.control = CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_LEFT_X), .scale = -1}};
    static const CnActionDesc desc = {.name = "left", .bindings = left, .binding_count = 1};
    connect_gamepad(&devices, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_LEFT_X, 1);
    cn_actions_evaluate((CnActionList){&desc, 1}, NULL, &devices.gamepads, 0, &actions);
    assert_int_equal(actions.held, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_LEFT_X, -1);
    cn_actions_evaluate((CnActionList){&desc, 1}, NULL, &devices.gamepads, 0, &actions);
    assert_int_equal(actions.held, 1);
}

/* ---- Axes ---- */

static void a_pair_of_keys_drives_an_axis_both_ways(void **state)
{
    (void)state;
    set_key(&devices, CN_KEY_E, true);
    evaluate();
    assert_near(axis("rise"), 1);
    set_key(&devices, CN_KEY_Q, true);
    evaluate();
    assert_near(axis("rise"), 0);
    set_key(&devices, CN_KEY_E, false);
    evaluate();
    assert_near(axis("rise"), -1);
}

static void two_keys_for_one_direction_count_once(void **state)
{
    (void)state;
    set_key(&devices, CN_KEY_E, true);
    set_key(&devices, CN_KEY_UP, true);
    set_key(&devices, CN_KEY_Q, true);
    evaluate();
    assert_near(axis("rise"), 0);
}

static void a_stick_within_its_dead_zone_is_at_rest(void **state)
{
    (void)state;
    connect_gamepad(&devices, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_LEFT_Y, CN_ACTION_DEAD_ZONE);
    evaluate();
    assert_near(axis("rise"), 0);
}

static void a_stick_beyond_its_dead_zone_reaches_one(void **state)
{
    (void)state;
    connect_gamepad(&devices, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_LEFT_Y, -0.575f);
    evaluate();
    assert_near(axis("rise"), 0.5f);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_LEFT_Y, -1);
    evaluate();
    assert_near(axis("rise"), 1);
}

static void a_negative_dead_zone_selects_none(void **state)
{
    (void)state;
    static const CnBinding raw[] = {
        {.control = CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_LEFT_X), .dead_zone = -1}};
    static const CnActionDesc desc = {
        .name = "raw", .kind = CN_ACTION_AXIS, .bindings = raw, .binding_count = 1};
    connect_gamepad(&devices, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_LEFT_X, 0.01f);
    cn_actions_evaluate((CnActionList){&desc, 1}, NULL, &devices.gamepads, 0, &actions);
    assert_near(actions.axes[0], 0.01f);
}

static void a_position_is_at_most_one(void **state)
{
    (void)state;
    connect_gamepad(&devices, 0);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_LEFT_Y, -1);
    set_key(&devices, CN_KEY_E, true);
    evaluate();
    assert_near(axis("rise"), 1);
}

static void mouse_motion_is_scaled_by_its_sensitivity(void **state)
{
    (void)state;
    move_mouse(&devices, 10, 3);
    move_mouse(&devices, 4, 1);
    evaluate();
    CnVec2 look = cn_action_axis2(&actions, fixture_action("look"));
    assert_near(look.x, 7);
    assert_near(look.y, -8);
}

static void mouse_motion_covers_one_tick(void **state)
{
    (void)state;
    move_mouse(&devices, 10, 3);
    next_tick();
    evaluate();
    CnVec2 look = cn_action_axis2(&actions, fixture_action("look"));
    assert_near(look.x, 0);
    assert_near(look.y, 0);
}

static void the_wheel_drives_a_relative_axis(void **state)
{
    (void)state;
    turn_wheel(&devices, 0, 2);
    evaluate();
    assert_near(axis("zoom"), 2);
}

static void a_key_steps_a_relative_axis_once_per_press(void **state)
{
    (void)state;
    set_key(&devices, CN_KEY_PAGE_DOWN, true);
    evaluate();
    assert_near(axis("zoom"), -3);
    next_tick();
    evaluate();
    assert_near(axis("zoom"), 0);
}

/* ---- Gamepads ---- */

static void the_first_connected_gamepad_is_the_default(void **state)
{
    (void)state;
    connect_gamepad(&devices, 2);
    connect_gamepad(&devices, 3);
    set_gamepad_axis(&devices, 2, CN_GAMEPAD_LEFT_Y, -1);
    set_gamepad_axis(&devices, 3, CN_GAMEPAD_LEFT_Y, 1);
    evaluate();
    assert_near(axis("rise"), 1);
}

static void a_selected_gamepad_is_the_only_one(void **state)
{
    (void)state;
    connect_gamepad(&devices, 0);
    connect_gamepad(&devices, 1);
    set_gamepad_axis(&devices, 0, CN_GAMEPAD_LEFT_Y, -1);
    set_gamepad_axis(&devices, 1, CN_GAMEPAD_LEFT_Y, 1);
    cn_actions_evaluate(fixture_list, &devices.input, &devices.gamepads, 2, &actions);
    assert_near(axis("rise"), -1);
}

static void a_gamepad_that_is_not_connected_holds_nothing(void **state)
{
    (void)state;
    connect_gamepad(&devices, 0);
    set_gamepad_button(&devices, 0, CN_GAMEPAD_A, true);
    cn_actions_evaluate(fixture_list, &devices.input, &devices.gamepads, 4, &actions);
    assert_int_equal(actions.held, 0);
}

static void without_devices_nothing_is_held(void **state)
{
    (void)state;
    actions.held = 1;
    actions.axes[0] = 1;
    cn_actions_evaluate(fixture_list, NULL, NULL, 0, &actions);
    assert_int_equal(actions.held, 0);
    assert_near(actions.axes[0], 0);
}

/* ---- Lists ---- */

static void an_unknown_action_reads_as_nothing(void **state)
{
    (void)state;
    CnAction none = cn_action_find(fixture_list, "swim");
    memset(&actions, 0xff, sizeof actions);
    assert_false(cn_action_held(&actions, none));
    assert_near(cn_action_axis(&actions, none), 0);
    assert_near(cn_action_axis2(&actions, none).x, 0);
}

static void relative_axes_are_those_of_relative_actions(void **state)
{
    (void)state;
    assert_int_equal(cn_actions_relative_axes(fixture_list), 0xe); /* rise, look x and y, zoom */
}

static void assert_refused(CnActionDesc desc, const char *part)
{
    CnError error = {0};
    if (cn_action_list_check((CnActionList){&desc, 1}, &error))
        fail_msg("accepted, but should say: %s", part);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say: %s", error.message, part);
}

static void assert_binding_refused(CnActionKind kind, bool relative, CnBinding binding,
                                   const char *part)
{
    assert_refused((CnActionDesc){.name = "a",
                                  .kind = kind,
                                  .relative = relative,
                                  .bindings = &binding,
                                  .binding_count = 1},
                   part);
}

static void names_are_lower_case_words(void **state)
{
    (void)state;
    assert_refused((CnActionDesc){.name = "Jump"}, "lower-case");
    assert_refused((CnActionDesc){.name = ""}, "lower-case");
    assert_refused((CnActionDesc){.name = NULL}, "lower-case");
    assert_refused((CnActionDesc){.name = "a_name_with_more_than_31_letters"}, "lower-case");
}

static void two_actions_have_different_names(void **state)
{
    (void)state;
    const CnActionDesc descs[] = {{.name = "jump"}, {.name = "jump"}};
    CnError error = {0};
    assert_false(cn_action_list_check((CnActionList){descs, 2}, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
}

static void too_many_axes_are_refused(void **state)
{
    (void)state;
    CnActionDesc descs[9];
    char names[9][2];
    for (uint32_t i = 0; i < 9; i++) {
        names[i][0] = (char)('a' + i);
        names[i][1] = 0;
        descs[i] = (CnActionDesc){.name = names[i], .kind = CN_ACTION_AXIS2};
    }
    CnError error = {0};
    assert_true(cn_action_list_check((CnActionList){descs, 8}, &error));
    assert_false(cn_action_list_check((CnActionList){descs, 9}, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void bindings_must_suit_their_action(void **state)
{
    (void)state;
    CnControl key = CN_CONTROL_KEY_OF(CN_KEY_A);
    CnControl mouse = CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_MOTION_X);
    CnControl stick = CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_LEFT_X);
    assert_binding_refused(CN_ACTION_BUTTON, false, (CnBinding){0}, "needs a control");
    assert_binding_refused(CN_ACTION_BUTTON, false,
                           (CnBinding){.control = {CN_CONTROL_KEY, CN_KEY_COUNT}},
                           "no such control");
    assert_binding_refused(CN_ACTION_BUTTON, false, (CnBinding){.negative = key}, "opposite");
    assert_binding_refused(CN_ACTION_BUTTON, false, (CnBinding){.control = mouse}, "button");
    assert_binding_refused(CN_ACTION_BUTTON, false, (CnBinding){.control = key, .scale = 2},
                           "no scale");
    assert_binding_refused(CN_ACTION_AXIS, false, (CnBinding){.control = mouse}, "relative");
    assert_binding_refused(CN_ACTION_AXIS, true, (CnBinding){.control = stick}, "relative");
    assert_binding_refused(CN_ACTION_AXIS, false, (CnBinding){.control = stick, .negative = key},
                           "two keys");
    assert_binding_refused(CN_ACTION_AXIS, false, (CnBinding){.control = key, .scale = -1},
                           "positive");
    assert_binding_refused(CN_ACTION_AXIS, false, (CnBinding){.control = key, .scale = NAN},
                           "number");
    assert_binding_refused(CN_ACTION_AXIS, false, (CnBinding){.control = stick, .dead_zone = 1},
                           "less than 1");
    assert_binding_refused(CN_ACTION_AXIS, false, (CnBinding){.control = key, .dead_zone = 0.1f},
                           "dead zone");
    assert_binding_refused(CN_ACTION_AXIS, false, (CnBinding){.control = key, .component = 1},
                           "component");
}

/* ---- Conflicts ---- */

static void a_control_of_two_actions_is_a_conflict(void **state)
{
    (void)state;
    const CnBinding a[] = {
        {.control = CN_CONTROL_KEY_OF(CN_KEY_A), .negative = CN_CONTROL_KEY_OF(CN_KEY_B)},
        {.control = CN_CONTROL_KEY_OF(CN_KEY_A)}};
    const CnBinding b[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_B)}};
    const CnActionDesc descs[] = {
        {.name = "a", .kind = CN_ACTION_AXIS, .bindings = a, .binding_count = 2},
        {.name = "b", .bindings = b, .binding_count = 1},
        {.name = "c", .bindings = b, .binding_count = 1}};
    CnActionList list = {descs, 3};
    CnActionConflict found[4];
    assert_int_equal(cn_action_conflicts(list, list, found, 4), 3); /* a-b, a-c, b-c */
    assert_int_equal(found[0].first, 0);
    assert_int_equal(found[0].second, 1);
    assert_int_equal(found[2].first, 1);
    assert_int_equal(found[2].second, 2);
    assert_int_equal(found[0].control.code, CN_KEY_B);
}

static void conflicts_beyond_the_capacity_are_counted(void **state)
{
    (void)state;
    CnActionConflict one = {{0}, 7, 7};
    assert_int_equal(cn_action_conflicts(fixture_list, fixture_list, NULL, 0), 0);
    const CnActionDesc copy[] = {fixture_descs[0], fixture_descs[1]};
    assert_int_equal(cn_action_conflicts(fixture_list, (CnActionList){copy, 2}, &one, 1), 4);
    assert_int_equal(one.first, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ACTION_TEST(a_button_is_held_by_any_of_its_controls),
        ACTION_TEST(a_button_is_pressed_in_one_tick),
        ACTION_TEST(a_button_is_released_in_one_tick),
        ACTION_TEST(a_tap_within_a_tick_is_pressed_but_not_held),
        ACTION_TEST(a_trigger_beyond_its_press_point_holds_a_button),
        ACTION_TEST(a_trigger_presses_a_button_once),
        ACTION_TEST(a_trigger_that_returns_releases_the_button),
        ACTION_TEST(a_negative_scale_presses_in_the_other_direction),
        ACTION_TEST(a_pair_of_keys_drives_an_axis_both_ways),
        ACTION_TEST(two_keys_for_one_direction_count_once),
        ACTION_TEST(a_stick_within_its_dead_zone_is_at_rest),
        ACTION_TEST(a_stick_beyond_its_dead_zone_reaches_one),
        ACTION_TEST(a_negative_dead_zone_selects_none),
        ACTION_TEST(a_position_is_at_most_one),
        ACTION_TEST(mouse_motion_is_scaled_by_its_sensitivity),
        ACTION_TEST(mouse_motion_covers_one_tick),
        ACTION_TEST(the_wheel_drives_a_relative_axis),
        ACTION_TEST(a_key_steps_a_relative_axis_once_per_press),
        ACTION_TEST(the_first_connected_gamepad_is_the_default),
        ACTION_TEST(a_selected_gamepad_is_the_only_one),
        ACTION_TEST(a_gamepad_that_is_not_connected_holds_nothing),
        ACTION_TEST(without_devices_nothing_is_held),
        ACTION_TEST(an_unknown_action_reads_as_nothing),
        ACTION_TEST(relative_axes_are_those_of_relative_actions),
        ACTION_TEST(names_are_lower_case_words),
        ACTION_TEST(two_actions_have_different_names),
        ACTION_TEST(too_many_axes_are_refused),
        ACTION_TEST(bindings_must_suit_their_action),
        ACTION_TEST(a_control_of_two_actions_is_a_conflict),
        ACTION_TEST(conflicts_beyond_the_capacity_are_counted),
    };
    return cmocka_run_group_tests_name("action", tests, NULL, NULL);
}

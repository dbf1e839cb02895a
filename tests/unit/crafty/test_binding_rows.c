/* The rows of the list of bindings: what is shown, changed and in conflict. */
#include "cmocka_tests.h"

#include <crafty/client/binding_rows.h>
#include <crafty/sim/actions.h>

#include <string.h>

typedef struct Case {
    CnActionMap *map;
    CraftyBindingRow rows[CRAFTY_MAX_BINDING_ROWS];
    uint32_t count;
} Case;

static Case begin(void)
{
    Case test = {
        .map = cn_action_map_create(
            &(CnActionMapDesc){.lists = {crafty_actions(), crafty_client_actions()}}, NULL)};
    assert_non_null(test.map);
    test.count = crafty_binding_rows(cn_action_map_actions(test.map), test.rows);
    return test;
}

static void end(Case *test)
{
    cn_action_map_destroy(test->map);
}

static uint32_t find(const Case *test, const char *title)
{
    for (uint32_t i = 0; i < test->count; i++)
        if (!strcmp(test->rows[i].title, title))
            return i;
    fail_msg("there is no row \"%s\"", title);
    return 0;
}

static CnActionList list_of(const Case *test)
{
    return cn_action_map_actions(test->map);
}

static CraftyRowControl key(uint16_t code)
{
    return (CraftyRowControl){.control = CN_CONTROL_KEY_OF(code)};
}

/* Asserts that a row has exactly one control in a column. */
static void assert_only(const Case *test, uint32_t row, CraftyColumn column, const char *name)
{
    CraftyRowControl controls[CRAFTY_MAX_ROW_CONTROLS];
    char text[CN_CONTROL_TEXT_BYTES];
    assert_int_equal(crafty_binding_controls(list_of(test), &test->rows[row], column, controls), 1);
    assert_string_equal(cn_control_text(controls[0].control, text), name);
}

static uint32_t conflict(const Case *test, uint32_t row, CraftyColumn column)
{
    return crafty_binding_conflict(list_of(test), test->rows, test->count, row, column);
}

static void every_action_has_a_title(void **state)
{
    (void)state;
    CnActionList lists[] = {crafty_actions(), crafty_client_actions()};
    for (uint32_t i = 0; i < CN_COUNT_OF(lists); i++)
        for (uint32_t k = 0; k < lists[i].count; k++) {
            const char *name = lists[i].actions[k].name;
            if (strcmp(name, "capture_mouse") != 0 && strcmp(name, "release_mouse") != 0)
                assert_string_not_equal(crafty_action_title(name), name);
        }
}

static void directions_have_rows_of_their_own(void **state)
{
    (void)state;
    Case test = begin();
    assert_only(&test, find(&test, "Move forward"), CRAFTY_COLUMN_KEYBOARD, "W");
    assert_only(&test, find(&test, "Move back"), CRAFTY_COLUMN_KEYBOARD, "S");
    assert_only(&test, find(&test, "Move with stick"), CRAFTY_COLUMN_GAMEPAD, "GamepadLeftX");
    assert_only(&test, find(&test, "Change slot with wheel"), CRAFTY_COLUMN_KEYBOARD, "WheelY");
    assert_only(&test, find(&test, "Next slot"), CRAFTY_COLUMN_GAMEPAD, "GamepadRightShoulder");
    end(&test);
}

static void a_new_key_replaces_only_its_direction(void **state)
{
    (void)state;
    Case test = begin();
    uint32_t forward = find(&test, "Move forward");
    assert_true(crafty_binding_set(test.map, &test.rows[forward], CRAFTY_COLUMN_KEYBOARD,
                                   key(CN_KEY_UP), NULL));
    assert_only(&test, forward, CRAFTY_COLUMN_KEYBOARD, "Up");
    assert_only(&test, find(&test, "Move back"), CRAFTY_COLUMN_KEYBOARD, "S");
    assert_only(&test, find(&test, "Move left"), CRAFTY_COLUMN_KEYBOARD, "A");
    assert_only(&test, find(&test, "Move with stick"), CRAFTY_COLUMN_GAMEPAD, "GamepadLeftX");
    end(&test);
}

static void a_row_can_be_cleared(void **state)
{
    (void)state;
    Case test = begin();
    CraftyRowControl controls[CRAFTY_MAX_ROW_CONTROLS];
    uint32_t jump = find(&test, "Jump");
    assert_true(crafty_binding_set(test.map, &test.rows[jump], CRAFTY_COLUMN_KEYBOARD,
                                   (CraftyRowControl){0}, NULL));
    assert_int_equal(
        crafty_binding_controls(list_of(&test), &test.rows[jump], CRAFTY_COLUMN_KEYBOARD, controls),
        0);
    assert_only(&test, jump, CRAFTY_COLUMN_GAMEPAD, "GamepadA");
    end(&test);
}

static void a_stick_moves_with_both_axes(void **state)
{
    (void)state;
    Case test = begin();
    uint32_t stick = find(&test, "Move with stick");
    CraftyRowControl right = {.control = CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_RIGHT_Y)};
    assert_true(
        crafty_binding_set(test.map, &test.rows[stick], CRAFTY_COLUMN_GAMEPAD, right, NULL));
    CnInputDevices devices = {0};
    CnActions actions = {0};
    devices.gamepads.connected[0] = 1;
    devices.gamepads.axes[CN_GAMEPAD_RIGHT_X] = 1;
    devices.gamepads.axes[CN_GAMEPAD_RIGHT_Y] = -1; /* up */
    cn_action_map_evaluate(test.map, &devices.input, &devices.gamepads, &actions);
    CnVec2 move = cn_action_axis2(&actions, cn_action_find(list_of(&test), "move"));
    assert_true(move.x == 1 && move.y == 1);
    end(&test);
}

static void a_trigger_can_be_a_button(void **state)
{
    (void)state;
    Case test = begin();
    CraftyRowControl trigger = {.control = CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_LEFT_TRIGGER)};
    uint32_t jump = find(&test, "Jump");
    assert_true(
        crafty_binding_set(test.map, &test.rows[jump], CRAFTY_COLUMN_GAMEPAD, trigger, NULL));
    assert_only(&test, jump, CRAFTY_COLUMN_GAMEPAD, "GamepadLeftTrigger");
    end(&test);
}

static void a_control_that_does_not_suit_changes_nothing(void **state)
{
    (void)state;
    Case test = begin();
    CnError error = {0};
    CraftyRowControl wheel = {.control = CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_WHEEL_Y)};
    uint32_t forward = find(&test, "Move forward"), stick = find(&test, "Move with stick");
    assert_false(
        crafty_binding_set(test.map, &test.rows[forward], CRAFTY_COLUMN_KEYBOARD, wheel, &error));
    assert_non_null(strstr(error.message, "press a key"));
    assert_false(crafty_binding_set(test.map, &test.rows[stick], CRAFTY_COLUMN_KEYBOARD,
                                    key(CN_KEY_W), &error));
    assert_false(crafty_binding_set(test.map, &test.rows[forward], CRAFTY_COLUMN_GAMEPAD,
                                    key(CN_KEY_W), &error));
    assert_only(&test, forward, CRAFTY_COLUMN_KEYBOARD, "W");
    end(&test);
}

static void the_default_bindings_have_no_conflicts(void **state)
{
    (void)state;
    Case test = begin();
    for (uint32_t i = 0; i < test.count; i++)
        for (uint32_t column = 0; column < CRAFTY_COLUMN_COUNT; column++) {
            uint32_t other = conflict(&test, i, (CraftyColumn)column);
            if (other != UINT32_MAX)
                fail_msg("%s and %s", test.rows[i].title, test.rows[other].title);
        }
    end(&test);
}

static void a_conflict_is_found_from_both_rows(void **state)
{
    (void)state;
    Case test = begin();
    uint32_t chat = find(&test, "Chat"), jump = find(&test, "Jump");
    assert_true(crafty_binding_set(test.map, &test.rows[chat], CRAFTY_COLUMN_KEYBOARD,
                                   key(CN_KEY_SPACE), NULL));
    assert_int_equal(conflict(&test, chat, CRAFTY_COLUMN_KEYBOARD), jump);
    assert_int_equal(conflict(&test, jump, CRAFTY_COLUMN_KEYBOARD), chat);
    assert_int_equal(conflict(&test, jump, CRAFTY_COLUMN_GAMEPAD), UINT32_MAX);
    end(&test);
}

static void reset_restores_all_bindings_of_an_action(void **state)
{
    (void)state;
    Case test = begin();
    uint32_t sprint = find(&test, "Sprint");
    assert_true(crafty_binding_is_default(list_of(&test), &test.rows[sprint]));
    assert_true(crafty_binding_set(test.map, &test.rows[sprint], CRAFTY_COLUMN_KEYBOARD,
                                   key(CN_KEY_Z), NULL));
    assert_false(crafty_binding_is_default(list_of(&test), &test.rows[sprint]));
    assert_true(crafty_binding_reset(test.map, &test.rows[sprint], NULL));
    assert_true(crafty_binding_is_default(list_of(&test), &test.rows[sprint]));
    end(&test);
}

/* Any control in any row: it is bound or refused, and the bindings stay valid. */
static void no_control_makes_bindings_invalid(void **state)
{
    (void)state;
    Case test = begin();
    uint32_t number = 1;
    for (uint32_t i = 0; i < 20000; i++) {
        number = number * 1664525u + 1013904223u;
        uint32_t row = (number >> 8) % test.count;
        CraftyRowControl control = {.control = {(uint16_t)((number >> 12) % CN_CONTROL_KIND_COUNT),
                                                (uint16_t)((number >> 16) % 260)},
                                    .is_negative = number >> 31};
        crafty_binding_set(test.map, &test.rows[row], (CraftyColumn)(number >> 30 & 1), control,
                           NULL);
    }
    CnTextBuilder text;
    CnError error = {0};
    cn_array_init(&text, NULL);
    assert_true(cn_action_map_write_text(test.map, &text, NULL));
    if (!cn_action_map_read_text(test.map, "bindings", (CnText){text.items, text.count}, &error))
        fail_msg("%s", error.message);
    cn_array_fini(&text);
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_action_has_a_title),
        cmocka_unit_test(directions_have_rows_of_their_own),
        cmocka_unit_test(a_new_key_replaces_only_its_direction),
        cmocka_unit_test(a_row_can_be_cleared),
        cmocka_unit_test(a_stick_moves_with_both_axes),
        cmocka_unit_test(a_trigger_can_be_a_button),
        cmocka_unit_test(a_control_that_does_not_suit_changes_nothing),
        cmocka_unit_test(the_default_bindings_have_no_conflicts),
        cmocka_unit_test(a_conflict_is_found_from_both_rows),
        cmocka_unit_test(reset_restores_all_bindings_of_an_action),
        cmocka_unit_test(no_control_makes_bindings_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

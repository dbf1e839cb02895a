/* Devices and actions for tests of input. */
#ifndef CAIRN_TESTS_UNIT_INPUT_INPUT_FIXTURE_H
#define CAIRN_TESTS_UNIT_INPUT_INPUT_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/input.h>

static inline void set_key(CnInputDevices *devices, uint32_t key, bool pressed)
{
    CnInputEvent event = {.kind = CN_INPUT_KEY, .code = key, .pressed = pressed};
    assert_true(cn_input_devices_apply(devices, &event));
}

static inline void connect_gamepad(CnInputDevices *devices, uint8_t gamepad)
{
    CnInputEvent event = {.kind = CN_INPUT_GAMEPAD_CONNECTED, .device = gamepad};
    assert_true(cn_input_devices_apply(devices, &event));
}

static inline void set_gamepad_button(CnInputDevices *devices, uint8_t gamepad, uint32_t button,
                                      bool pressed)
{
    CnInputEvent event = {
        .kind = CN_INPUT_GAMEPAD_BUTTON, .device = gamepad, .code = button, .pressed = pressed};
    assert_true(cn_input_devices_apply(devices, &event));
}

static inline void set_gamepad_axis(CnInputDevices *devices, uint8_t gamepad, uint32_t axis,
                                    float value)
{
    CnInputEvent event = {
        .kind = CN_INPUT_GAMEPAD_AXIS, .device = gamepad, .code = axis, .x = value};
    assert_true(cn_input_devices_apply(devices, &event));
}

static inline void move_mouse(CnInputDevices *devices, float dx, float dy)
{
    CnInputEvent event = {.kind = CN_INPUT_MOUSE_MOVE, .dx = dx, .dy = dy};
    assert_true(cn_input_devices_apply(devices, &event));
}

static inline void turn_wheel(CnInputDevices *devices, float dx, float dy)
{
    CnInputEvent event = {.kind = CN_INPUT_WHEEL, .dx = dx, .dy = dy};
    assert_true(cn_input_devices_apply(devices, &event));
}

/* An action of each kind. */
static const CnBinding fixture_jump[] = {
    {.control = CN_CONTROL_KEY_OF(CN_KEY_SPACE)},
    {.control = CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_A)},
};
static const CnBinding fixture_fire[] = {
    {.control = CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_RIGHT_TRIGGER)},
    {.control = CN_CONTROL_KEY_OF(CN_KEY_F)},
};
static const CnBinding fixture_rise[] = {
    {.control = CN_CONTROL_KEY_OF(CN_KEY_E), .negative = CN_CONTROL_KEY_OF(CN_KEY_Q)},
    {.control = CN_CONTROL_KEY_OF(CN_KEY_UP), .negative = CN_CONTROL_KEY_OF(CN_KEY_DOWN)},
    {.control = CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_LEFT_Y), .scale = -1},
};
static const CnBinding fixture_look[] = {
    {.control = CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_MOTION_X), .scale = 0.5f},
    {.control = CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_MOTION_Y), .scale = -2, .component = 1},
};
static const CnBinding fixture_zoom[] = {
    {.control = CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_WHEEL_Y)},
    {.control = CN_CONTROL_KEY_OF(CN_KEY_PAGE_UP),
     .negative = CN_CONTROL_KEY_OF(CN_KEY_PAGE_DOWN),
     .scale = 3},
};
static const CnActionDesc fixture_descs[] = {
    {.name = "jump", .bindings = fixture_jump, .binding_count = CN_COUNT_OF(fixture_jump)},
    {.name = "fire", .bindings = fixture_fire, .binding_count = CN_COUNT_OF(fixture_fire)},
    {.name = "rise",
     .kind = CN_ACTION_AXIS,
     .bindings = fixture_rise,
     .binding_count = CN_COUNT_OF(fixture_rise)},
    {.name = "look",
     .kind = CN_ACTION_AXIS2,
     .relative = true,
     .bindings = fixture_look,
     .binding_count = CN_COUNT_OF(fixture_look)},
    {.name = "zoom",
     .kind = CN_ACTION_AXIS,
     .relative = true,
     .bindings = fixture_zoom,
     .binding_count = CN_COUNT_OF(fixture_zoom)},
};
static const CnActionList fixture_list = {fixture_descs, CN_COUNT_OF(fixture_descs)};

static inline CnAction fixture_action(const char *name)
{
    CnAction action = cn_action_find(fixture_list, name);
    assert_int_not_equal(action.number, 0);
    return action;
}

#endif

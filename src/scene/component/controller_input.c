#include "scene/component/controller_input.h"

/* A released stick does not return exactly to its center. */
#define DEAD_ZONE 0.15f
#define STICK_DEGREES_PER_SECOND 180.0f

static float held(const CnInputState *input, uint32_t key)
{
    return cn_key_held(input, key) ? 1 : 0;
}

static bool either_held(const CnInputState *input, uint32_t left, uint32_t right)
{
    return cn_key_held(input, left) || cn_key_held(input, right);
}

static void add_keys(CniSceneControllerInput *controls, const CnInputState *input)
{
    controls->move.right = held(input, CN_KEY_D) - held(input, CN_KEY_A);
    controls->move.up = held(input, CN_KEY_W) - held(input, CN_KEY_S);
    controls->mouse = (CniSceneInputAxes){input->mouse_dx, -input->mouse_dy};
    controls->fast = either_held(input, CN_KEY_LEFT_SHIFT, CN_KEY_RIGHT_SHIFT);
    controls->slow = either_held(input, CN_KEY_LEFT_CTRL, CN_KEY_RIGHT_CTRL);
    controls->jump = cn_key_held(input, CN_KEY_SPACE) || cn_key_pressed(input, CN_KEY_SPACE);
    bool rises = either_held(input, CN_KEY_E, CN_KEY_SPACE);
    bool sinks = cn_key_held(input, CN_KEY_Q) || controls->slow;
    controls->rise = (rises ? 1.0f : 0) - (sinks ? 1.0f : 0);
    controls->capture = cn_mouse_pressed(input, CN_MOUSE_LEFT);
    controls->release = cn_key_pressed(input, CN_KEY_ESCAPE);
}

/* Returns the deflection beyond the dead zone. */
static float stick(const CnGamepadState *pads, uint32_t pad, uint32_t axis)
{
    float value = cn_gamepad_axis(pads, pad, axis);
    float size = cn_fabsf(value);
    if (!(size > DEAD_ZONE))
        return 0;
    float beyond = (size - DEAD_ZONE) / (1 - DEAD_ZONE);
    return value < 0 ? -beyond : beyond;
}

static float within_one(float value)
{
    return value > 1 ? 1 : value < -1 ? -1 : value;
}

static void add_gamepad(CniSceneControllerInput *controls, const CnGamepadState *pads, uint32_t pad)
{
    controls->move.right = within_one(controls->move.right + stick(pads, pad, CN_GAMEPAD_LEFT_X));
    controls->move.up = within_one(controls->move.up - stick(pads, pad, CN_GAMEPAD_LEFT_Y));
    controls->stick_look.right = stick(pads, pad, CN_GAMEPAD_RIGHT_X) * STICK_DEGREES_PER_SECOND;
    controls->stick_look.up = -stick(pads, pad, CN_GAMEPAD_RIGHT_Y) * STICK_DEGREES_PER_SECOND;
    float pulled =
        stick(pads, pad, CN_GAMEPAD_RIGHT_TRIGGER) - stick(pads, pad, CN_GAMEPAD_LEFT_TRIGGER);
    controls->rise = within_one(controls->rise + pulled);
    controls->fast = controls->fast || cn_gamepad_held(pads, pad, CN_GAMEPAD_LEFT_STICK);
    controls->slow = controls->slow || cn_gamepad_held(pads, pad, CN_GAMEPAD_B);
    controls->jump = controls->jump || cn_gamepad_held(pads, pad, CN_GAMEPAD_A) ||
                     cn_gamepad_pressed(pads, pad, CN_GAMEPAD_A);
}

CniSceneControllerInput cni_scene_controller_input(const CnWorld *world)
{
    CniSceneControllerInput controls = {0};
    const CnInputState *input = cn_resource(world, CnInputState);
    const CnGamepadState *pads = cn_resource(world, CnGamepadState);
    if (input)
        add_keys(&controls, input);
    for (uint32_t pad = 0; pads && pad < CN_GAMEPAD_COUNT; pad++)
        if (cn_gamepad_connected(pads, pad)) {
            add_gamepad(&controls, pads, pad); /* the first one */
            break;
        }
    return controls;
}

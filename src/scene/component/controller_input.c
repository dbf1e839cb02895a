#include "scene/component/controller_input.h"

#include <cairn/scene/controller.h>

#define STICK_DEGREES_PER_SECOND 180.0f

/* ---- Actions and default bindings ---- */

#define KEY(key) CN_CONTROL_KEY_OF(CN_KEY_##key)
#define BUTTON(button) CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_##button)
#define AXIS(axis) CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_##axis)
#define MOTION(motion) CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_MOTION_##motion)

static const CnBinding move[] = {
    {.control = KEY(D), .negative = KEY(A)},
    {.control = AXIS(LEFT_X)},
    {.control = KEY(W), .negative = KEY(S), .component = 1},
    {.control = AXIS(LEFT_Y), .scale = -1, .component = 1},
};
static const CnBinding look[] = {
    {.control = MOTION(X)},
    {.control = MOTION(Y), .scale = -1, .component = 1},
};
static const CnBinding look_rate[] = {
    {.control = AXIS(RIGHT_X)},
    {.control = AXIS(RIGHT_Y), .scale = -1, .component = 1},
};
static const CnBinding rise[] = {
    {.control = KEY(E), .negative = KEY(Q)},
    {.control = KEY(SPACE), .negative = KEY(LEFT_CTRL)},
    {.negative = KEY(RIGHT_CTRL)},
    {.control = AXIS(RIGHT_TRIGGER)},
    {.control = AXIS(LEFT_TRIGGER), .scale = -1},
};
static const CnBinding fast[] = {
    {.control = KEY(LEFT_SHIFT)}, {.control = KEY(RIGHT_SHIFT)}, {.control = BUTTON(LEFT_STICK)}};
static const CnBinding slow[] = {
    {.control = KEY(LEFT_CTRL)}, {.control = KEY(RIGHT_CTRL)}, {.control = BUTTON(B)}};
static const CnBinding jump[] = {{.control = KEY(SPACE)}, {.control = BUTTON(A)}};
static const CnBinding capture[] = {{.control = CN_CONTROL_MOUSE_BUTTON_OF(CN_MOUSE_LEFT)}};
static const CnBinding release[] = {{.control = KEY(ESCAPE)}};

#define BINDINGS(list) .bindings = (list), .binding_count = CN_COUNT_OF(list)

static const CnActionDesc controller_actions[] = {
    {.name = "move", .kind = CN_ACTION_AXIS2, BINDINGS(move)},
    {.name = "look", .kind = CN_ACTION_AXIS2, .relative = true, BINDINGS(look)},
    {.name = "look_rate", .kind = CN_ACTION_AXIS2, BINDINGS(look_rate)},
    {.name = "rise", .kind = CN_ACTION_AXIS, BINDINGS(rise)},
    {.name = "fast", BINDINGS(fast)},
    {.name = "slow", BINDINGS(slow)},
    {.name = "jump", BINDINGS(jump)},
    {.name = "capture_mouse", BINDINGS(capture)},
    {.name = "release_mouse", BINDINGS(release)},
};

CnActionList cn_controller_actions(void)
{
    return (CnActionList){controller_actions, CN_COUNT_OF(controller_actions)};
}

/* ---- Input ---- */

CniSceneControllerActions cni_scene_controller_find_actions(CnActionList list)
{
    return (CniSceneControllerActions){
        .move = cn_action_find(list, "move"),
        .look = cn_action_find(list, "look"),
        .look_rate = cn_action_find(list, "look_rate"),
        .rise = cn_action_find(list, "rise"),
        .fast = cn_action_find(list, "fast"),
        .slow = cn_action_find(list, "slow"),
        .jump = cn_action_find(list, "jump"),
        .capture = cn_action_find(list, "capture_mouse"),
        .release = cn_action_find(list, "release_mouse"),
    };
}

static CniSceneInputAxes axes_of(const CnActions *actions, CnAction action)
{
    CnVec2 value = cn_action_axis2(actions, action);
    return (CniSceneInputAxes){value.x, value.y};
}

CniSceneControllerInput cni_scene_controller_input(const CniSceneControllerActions *found,
                                                   const CnActions *actions)
{
    CniSceneInputAxes rate = axes_of(actions, found->look_rate);
    return (CniSceneControllerInput){
        .move = axes_of(actions, found->move),
        .mouse = axes_of(actions, found->look),
        .stick_look = {rate.right * STICK_DEGREES_PER_SECOND, rate.up * STICK_DEGREES_PER_SECOND},
        .rise = cn_action_axis(actions, found->rise),
        .fast = cn_action_held(actions, found->fast),
        .slow = cn_action_held(actions, found->slow),
        .jump = cn_action_held(actions, found->jump) || cn_action_pressed(actions, found->jump),
        .capture = cn_action_pressed(actions, found->capture),
        .release = cn_action_pressed(actions, found->release),
    };
}

CniSceneControllerInput cni_scene_controller_default_input(const CnWorld *world)
{
    CnActionList list = cn_controller_actions();
    CniSceneControllerActions found = cni_scene_controller_find_actions(list);
    CnActions actions = {0}; /* no default binding depends on the previous tick */
    cn_actions_evaluate(list, cn_resource(world, CnInputState), cn_resource(world, CnGamepadState),
                        0, &actions);
    return cni_scene_controller_input(&found, &actions);
}

#include "actions.h"

#define KEY(key) CN_CONTROL_KEY_OF(CN_KEY_##key)
#define MOUSE(button) CN_CONTROL_MOUSE_BUTTON_OF(CN_MOUSE_##button)
#define MOTION(motion) CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_##motion)
#define BUTTON(button) CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_##button)
#define AXIS(axis) CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_##axis)

/* ---- Actions of controllers ---- */

static const CnBinding move[] = {
    {.control = KEY(D), .negative = KEY(A)},
    {.control = AXIS(LEFT_X)},
    {.control = KEY(W), .negative = KEY(S), .component = 1},
    {.control = AXIS(LEFT_Y), .scale = -1, .component = 1},
};
static const CnBinding look[] = {
    {.control = MOTION(MOTION_X)},
    {.control = MOTION(MOTION_Y), .scale = -1, .component = 1},
};
static const CnBinding look_rate[] = {
    {.control = AXIS(RIGHT_X)},
    {.control = AXIS(RIGHT_Y), .scale = -1, .component = 1},
};
/* The triggers, which controllers use for this, break and place here. */
static const CnBinding rise[] = {
    {.control = KEY(SPACE), .negative = KEY(LEFT_CTRL)},
    {.negative = KEY(RIGHT_CTRL)},
    {.control = BUTTON(A), .negative = BUTTON(B)},
};
static const CnBinding fast[] = {
    {.control = KEY(LEFT_SHIFT)}, {.control = KEY(RIGHT_SHIFT)}, {.control = BUTTON(LEFT_STICK)}};
static const CnBinding slow[] = {
    {.control = KEY(LEFT_CTRL)}, {.control = KEY(RIGHT_CTRL)}, {.control = BUTTON(B)}};
static const CnBinding jump[] = {{.control = KEY(SPACE)}, {.control = BUTTON(A)}};
/* A player plays, and breaks blocks, only while the mouse is captured, also with a gamepad. */
static const CnBinding capture[] = {{.control = MOUSE(LEFT)}, {.control = AXIS(RIGHT_TRIGGER)}};
static const CnBinding release[] = {{.control = KEY(ESCAPE)}};

/* ---- Actions of Crafty ---- */

static const CnBinding toggle_fly[] = {{.control = KEY(F)}, {.control = BUTTON(RIGHT_STICK)}};
static const CnBinding break_block[] = {{.control = MOUSE(LEFT)}, {.control = AXIS(RIGHT_TRIGGER)}};
static const CnBinding place_block[] = {{.control = MOUSE(RIGHT)}, {.control = AXIS(LEFT_TRIGGER)}};
static const CnBinding pick_block[] = {{.control = MOUSE(MIDDLE)}, {.control = BUTTON(X)}};
static const CnBinding drop_item[] = {{.control = KEY(Q)}, {.control = BUTTON(DOWN)}};
static const CnBinding undo[] = {{.control = KEY(Z)}, {.control = BUTTON(LEFT)}};
static const CnBinding redo[] = {{.control = KEY(Y)}, {.control = BUTTON(RIGHT)}};
static const CnBinding next_slot[] = {
    {.control = MOTION(WHEEL_Y), .scale = -1}, /* down is to the right */
    {.control = BUTTON(RIGHT_SHOULDER), .negative = BUTTON(LEFT_SHOULDER)},
};
static const CnBinding slot_1[] = {{.control = KEY(1)}}, slot_2[] = {{.control = KEY(2)}},
                       slot_3[] = {{.control = KEY(3)}}, slot_4[] = {{.control = KEY(4)}},
                       slot_5[] = {{.control = KEY(5)}}, slot_6[] = {{.control = KEY(6)}},
                       slot_7[] = {{.control = KEY(7)}}, slot_8[] = {{.control = KEY(8)}},
                       slot_9[] = {{.control = KEY(9)}};

#define BINDINGS(list) .bindings = (list), .binding_count = CN_COUNT_OF(list)

static const CnActionDesc actions[] = {
    {.name = "move", .kind = CN_ACTION_AXIS2, BINDINGS(move)},
    {.name = "look", .kind = CN_ACTION_AXIS2, .relative = true, BINDINGS(look)},
    {.name = "look_rate", .kind = CN_ACTION_AXIS2, BINDINGS(look_rate)},
    {.name = "rise", .kind = CN_ACTION_AXIS, BINDINGS(rise)},
    {.name = "fast", BINDINGS(fast)},
    {.name = "slow", BINDINGS(slow)},
    {.name = "jump", BINDINGS(jump)},
    {.name = "capture_mouse", BINDINGS(capture)},
    {.name = "release_mouse", BINDINGS(release)},
    {.name = "toggle_fly", BINDINGS(toggle_fly)},
    {.name = "break_block", BINDINGS(break_block)},
    {.name = "place_block", BINDINGS(place_block)},
    {.name = "pick_block", BINDINGS(pick_block)},
    {.name = "next_slot", .kind = CN_ACTION_AXIS, .relative = true, BINDINGS(next_slot)},
    {.name = "slot_1", BINDINGS(slot_1)},
    {.name = "slot_2", BINDINGS(slot_2)},
    {.name = "slot_3", BINDINGS(slot_3)},
    {.name = "slot_4", BINDINGS(slot_4)},
    {.name = "slot_5", BINDINGS(slot_5)},
    {.name = "slot_6", BINDINGS(slot_6)},
    {.name = "slot_7", BINDINGS(slot_7)},
    {.name = "slot_8", BINDINGS(slot_8)},
    {.name = "slot_9", BINDINGS(slot_9)},
    {.name = "drop_item", BINDINGS(drop_item)},
    {.name = "undo", BINDINGS(undo)},
    {.name = "redo", BINDINGS(redo)},
};

CnActionList crafty_actions(void)
{
    return (CnActionList){actions, CN_COUNT_OF(actions)};
}

CraftyActionSet crafty_action_set(void)
{
    CnActionList list = crafty_actions();
    CraftyActionSet set = {.move = cn_action_find(list, "move"),
                           .jump = cn_action_find(list, "jump"),
                           .sneak = cn_action_find(list, "slow"),
                           .fast = cn_action_find(list, "fast"),
                           .toggle_fly = cn_action_find(list, "toggle_fly"),
                           .break_block = cn_action_find(list, "break_block"),
                           .place_block = cn_action_find(list, "place_block"),
                           .pick_block = cn_action_find(list, "pick_block"),
                           .drop_item = cn_action_find(list, "drop_item"),
                           .undo = cn_action_find(list, "undo"),
                           .redo = cn_action_find(list, "redo"),
                           .next_slot = cn_action_find(list, "next_slot")};
    char name[] = "slot_1";
    for (uint32_t i = 0; i < CRAFTY_SLOT_ACTIONS; i++) {
        name[sizeof name - 2] = (char)('1' + i);
        set.slots[i] = cn_action_find(list, name);
    }
    return set;
}

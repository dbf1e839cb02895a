/*
 * Actions: what a person can do in a program ("jump", "move"), independent of the device.
 *
 *     static const CnBinding jump[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_SPACE)},
 *                                      {.control = CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_A)}};
 *     static const CnBinding turn[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_RIGHT),
 *                                       .negative = CN_CONTROL_KEY_OF(CN_KEY_LEFT)}};
 *     static const CnActionDesc descs[] = {
 *         {.name = "jump", .bindings = jump, .binding_count = 2},
 *         {.name = "turn", .kind = CN_ACTION_AXIS, .bindings = turn, .binding_count = 1}};
 *     static const CnActionList list = {descs, 2};
 *
 *     CnActions actions = {0};
 *     CnInputDevices devices = {0};
 *     cn_actions_evaluate(list, &devices.input, &devices.gamepads, 0, &actions);
 *     bool jumps = cn_action_held(&actions, cn_action_find(list, "jump"));
 *     float turns = cn_action_axis(&actions, cn_action_find(list, "turn"));
 *
 * Kinds. A button is held, pressed and released: held if one of its controls is held, pressed if
 * one went down in this tick, released if one went up. An axis is a number, an axis2 is two, x and
 * y, each with bindings of its own.
 *
 * An axis is a position from -1 to 1 (walking, a stick), or, if it is `relative`, a distance
 * covered in this tick (looking with the mouse, scrolling). Positions add up the directions of held
 * buttons, in which several buttons for one direction count once, and the deflections of sticks.
 * Relative axes add up the motion of mouse and wheel, and one step for each button that went down.
 *
 * Evaluation is a pure function of the device state and the previous value of the actions. All
 * functions may be called by any thread.
 */
#ifndef CAIRN_INPUT_ACTION_H
#define CAIRN_INPUT_ACTION_H

#include <cairn/base/linear.h>
#include <cairn/input/control.h>
#include <cairn/sim/input.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_ACTIONS 64u     /* of a list */
#define CN_MAX_ACTION_AXES 16u /* of a list: 1 for an axis, 2 for an axis2 */
#define CN_MAX_BINDINGS 16u    /* of an action */
#define CN_ACTION_NAME_BYTES 32u
#define CN_ACTION_DEAD_ZONE 0.15f     /* default for sticks and triggers that drive an axis */
#define CN_ACTION_PRESS_POINT 0.5f    /* default for sticks and triggers that act as a button */
#define CN_ACTION_MAX_SCALE 1000.0f   /* largest absolute value of a scale */
#define CN_ACTION_MAX_DISTANCE 1.0e9f /* largest absolute value of a relative axis */

typedef enum CnActionKind {
    CN_ACTION_BUTTON,
    CN_ACTION_AXIS,
    CN_ACTION_AXIS2,
    CN_ACTION_KIND_COUNT
} CnActionKind;

typedef struct CnBinding {
    CnControl control;
    CnControl negative; /* axes: a key or button for the opposite direction; `control` is then a key
                           or button too, or none */
    /* Factor, which may be negative unless the control is a key or button: sensitivity of the
     * mouse, direction of a stick. 0 selects the default, 1. */
    float scale;
    /* Sticks and triggers: deflections up to it count as 0, those beyond it grow from 0 to 1. For a
     * button: how far `control` must be deflected, in the direction of the scale, to be held. Below
     * 1. 0 selects the default, CN_ACTION_DEAD_ZONE or CN_ACTION_PRESS_POINT; a negative value
     * selects none. */
    float dead_zone;
    uint32_t component; /* of an axis2: 0 is x, 1 is y; otherwise 0 */
} CnBinding;

typedef struct CnActionDesc {
    const char *name; /* lower-case letters, digits and '_' */
    CnActionKind kind;
    bool relative; /* axes: distances instead of positions; see above */
    const CnBinding *bindings;
    uint32_t binding_count;
} CnActionDesc;

/* Refers to descriptions that something else owns. */
typedef struct CnActionList {
    const CnActionDesc *actions;
    uint32_t count;
} CnActionList;

/* The state of all actions of a list: bit sets by the number of the action, and the axes in order
 * of the list. Zero-initialize it before the first evaluation. */
CN_STRUCT(CnActions, (u64, held), (u64, pressed), (u64, released), (f32, axes, CN_MAX_ACTION_AXES));

/* Identifies an action of a list; all zeros: none. */
typedef struct CnAction {
    uint8_t number; /* position in the list + 1 */
    uint8_t kind;   /* a CnActionKind */
    uint8_t axis;   /* position of the first axis in CnActions */
} CnAction;

/* Returns false and an error that names the action if the list has wrong names, too many actions or
 * axes, or bindings that do not suit their action. */
CN_API bool cn_action_list_check(CnActionList list, CnError *error);
/* Returns whether the binding suits the action, or an error with the reason. */
CN_API bool cn_binding_check(const CnActionDesc *action, const CnBinding *binding, CnError *error);

/* Returns the action with this name; all zeros when there is none, which reads as not held and
 * 0. */
CN_API CnAction cn_action_find(CnActionList list, const char *name);
/* Returns the axes of relative actions, as bits. */
CN_API uint32_t cn_actions_relative_axes(CnActionList list);

/* Computes the actions of a tick from the device state; `*actions` holds those of the previous
 * tick. `input` and `gamepads` may be NULL: nothing is held then. `gamepad` is 1 to
 * CN_GAMEPAD_COUNT, or 0 for the first one that is connected. */
CN_API void cn_actions_evaluate(CnActionList list, const CnInputState *input,
                                const CnGamepadState *gamepads, uint32_t gamepad,
                                CnActions *actions);

/* An action of one list and an action of another that are bound to the same control. */
typedef struct CnActionConflict {
    CnControl control;
    uint32_t first, second; /* positions in the two lists */
} CnActionConflict;
/* Stores at most `capacity` conflicts between two lists, for example of two players at one
 * keyboard, or within one list if both are the same, in order of the lists. Returns how many there
 * are. Whether a conflict is intended is for the caller to decide. */
CN_API uint32_t cn_action_conflicts(CnActionList first, CnActionList second,
                                    CnActionConflict *conflicts, uint32_t capacity);

static inline bool cni_input_action_bit(uint64_t bits, CnAction action)
{
    return action.number && action.number <= CN_MAX_ACTIONS && (bits >> (action.number - 1) & 1u);
}

static inline bool cn_action_held(const CnActions *actions, CnAction action)
{
    return cni_input_action_bit(actions->held, action);
}

static inline bool cn_action_pressed(const CnActions *actions, CnAction action)
{
    return cni_input_action_bit(actions->pressed, action);
}

static inline bool cn_action_released(const CnActions *actions, CnAction action)
{
    return cni_input_action_bit(actions->released, action);
}

/* Returns the value of an axis; 0 for actions of other kinds. */
static inline float cn_action_axis(const CnActions *actions, CnAction action)
{
    return action.kind == CN_ACTION_AXIS && action.axis < CN_MAX_ACTION_AXES
               ? actions->axes[action.axis]
               : 0;
}

/* Returns the value of an axis2; zeros for actions of other kinds. */
static inline CnVec2 cn_action_axis2(const CnActions *actions, CnAction action)
{
    CnVec2 value = {0, 0};
    if (action.kind == CN_ACTION_AXIS2 && action.axis + 1u < CN_MAX_ACTION_AXES) {
        value.x = actions->axes[action.axis];
        value.y = actions->axes[action.axis + 1u];
    }
    return value;
}

CN_EXTERN_C_END

#endif

#include <cairn/input/action.h>

/* ---- Controls ---- */

typedef struct Devices {
    const CnInputState *input;      /* NULL: none */
    const CnGamepadState *gamepads; /* NULL: the selected gamepad is not connected */
    uint32_t gamepad;
} Devices;

static Devices select_gamepad(const CnInputState *input, const CnGamepadState *gamepads,
                              uint32_t gamepad)
{
    uint32_t pad = gamepad ? gamepad - 1 : 0;
    while (!gamepad && gamepads && pad < CN_GAMEPAD_COUNT && !cn_gamepad_connected(gamepads, pad))
        pad++;
    bool connected = gamepads && cn_gamepad_connected(gamepads, pad);
    return (Devices){input, connected ? gamepads : NULL, pad};
}

typedef struct Button {
    bool held, pressed, released;
} Button;

static Button button_state(const Devices *devices, CnControl control)
{
    const CnInputState *input = devices->input;
    const CnGamepadState *pads = devices->gamepads;
    uint32_t code = control.code, pad = devices->gamepad;
    if (control.kind == CN_CONTROL_KEY && input)
        return (Button){cn_key_held(input, code), cn_key_pressed(input, code),
                        cn_key_released(input, code)};
    if (control.kind == CN_CONTROL_MOUSE_BUTTON && input)
        return (Button){cn_mouse_held(input, code), cn_mouse_pressed(input, code),
                        cn_mouse_released(input, code)};
    if (control.kind == CN_CONTROL_GAMEPAD_BUTTON && pads)
        return (Button){cn_gamepad_held(pads, pad, code), cn_gamepad_pressed(pads, pad, code),
                        cn_gamepad_released(pads, pad, code)};
    return (Button){false, false, false};
}

static float motion(const CnInputState *input, uint32_t code)
{
    switch ((CnMouseMotion)code) {
    case CN_MOUSE_MOTION_X:
        return input->mouse_dx;
    case CN_MOUSE_MOTION_Y:
        return input->mouse_dy;
    case CN_MOUSE_WHEEL_X:
        return input->wheel_x;
    case CN_MOUSE_WHEEL_Y:
        return input->wheel_y;
    case CN_MOUSE_MOTION_COUNT:
        break;
    }
    return 0;
}

static float scale_of(const CnBinding *binding)
{
    return binding->scale != 0 ? binding->scale : 1;
}

static float dead_zone_of(const CnBinding *binding, float fallback)
{
    return binding->dead_zone == 0 ? fallback : binding->dead_zone > 0 ? binding->dead_zone : 0;
}

/* Returns the deflection beyond the dead zone. */
static float deflection(float value, float dead_zone)
{
    float size = cn_fabsf(value);
    if (!(size > dead_zone))
        return 0;
    float beyond = (size - dead_zone) / (1 - dead_zone);
    return value < 0 ? -beyond : beyond;
}

static float clamped(float value, float limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

/* ---- Buttons ---- */

static void evaluate_button(const CnActionDesc *action, const Devices *devices, uint64_t bit,
                            CnActions *actions)
{
    bool was_held = actions->held & bit, deflected = false;
    Button any = {false, false, false};
    for (uint32_t i = 0; i < action->binding_count; i++) {
        const CnBinding *binding = &action->bindings[i];
        if (binding->control.kind == CN_CONTROL_GAMEPAD_AXIS) {
            float value = devices->gamepads ? cn_gamepad_axis(devices->gamepads, devices->gamepad,
                                                              binding->control.code)
                                            : 0;
            float point = dead_zone_of(binding, CN_ACTION_PRESS_POINT);
            deflected = deflected || value * (scale_of(binding) < 0 ? -1.0f : 1.0f) > point;
            continue;
        }
        Button one = button_state(devices, binding->control);
        any.held = any.held || one.held;
        any.pressed = any.pressed || one.pressed;
        any.released = any.released || one.released;
    }
    any.pressed = any.pressed || (deflected && !was_held);
    any.held = any.held || deflected;
    any.released = any.released || (was_held && !any.held);
    actions->held = any.held ? actions->held | bit : actions->held & ~bit;
    actions->pressed |= any.pressed ? bit : 0;
    actions->released |= any.released ? bit : 0;
}

/* ---- Axes ---- */

/* Buttons and analog controls are added up separately. An axis without contributions of one sort
 * is exactly the sum of the other, including the sign of zero. */
typedef struct AxisSum {
    float positive, negative; /* the largest scale of buttons that are held for each direction */
    float analog;
    bool has_buttons, has_analog;
} AxisSum;

static void add_analog(AxisSum *sum, float value)
{
    sum->analog = sum->has_analog ? sum->analog + value : value;
    sum->has_analog = true;
}

static void add_direction(float *direction, bool held, float scale)
{
    if (held && scale > *direction)
        *direction = scale;
}

static void add_buttons(AxisSum *sum, const CnBinding *binding, bool relative,
                        const Devices *devices)
{
    Button control = button_state(devices, binding->control);
    Button negative = button_state(devices, binding->negative);
    float scale = scale_of(binding);
    if (relative) {
        if (control.pressed)
            add_analog(sum, scale);
        if (negative.pressed)
            add_analog(sum, -scale);
        return;
    }
    sum->has_buttons = true;
    add_direction(&sum->positive, control.held, scale);
    add_direction(&sum->negative, negative.held, scale);
}

static void add_binding(AxisSum *sum, const CnBinding *binding, bool relative,
                        const Devices *devices)
{
    if (binding->control.kind == CN_CONTROL_MOUSE_MOTION) {
        if (devices->input)
            add_analog(sum, motion(devices->input, binding->control.code) * scale_of(binding));
    } else if (binding->control.kind == CN_CONTROL_GAMEPAD_AXIS) {
        if (devices->gamepads)
            add_analog(sum, deflection(cn_gamepad_axis(devices->gamepads, devices->gamepad,
                                                       binding->control.code),
                                       dead_zone_of(binding, CN_ACTION_DEAD_ZONE)) *
                                scale_of(binding));
    } else {
        add_buttons(sum, binding, relative, devices);
    }
}

static float evaluate_axis(const CnActionDesc *action, uint32_t component, const Devices *devices)
{
    AxisSum sum = {0};
    for (uint32_t i = 0; i < action->binding_count; i++)
        if (action->bindings[i].component == component)
            add_binding(&sum, &action->bindings[i], action->relative, devices);
    float value = sum.positive - sum.negative;
    if (sum.has_analog)
        value = sum.has_buttons ? value + sum.analog : sum.analog;
    return clamped(value, action->relative ? CN_ACTION_MAX_DISTANCE : 1);
}

void cn_actions_evaluate(CnActionList list, const CnInputState *input,
                         const CnGamepadState *gamepads, uint32_t gamepad, CnActions *actions)
{
    CN_ASSERT(list.count <= CN_MAX_ACTIONS, "the list has too many actions");
    CN_ASSERT(gamepad <= CN_GAMEPAD_COUNT, "gamepads are numbered 1 to CN_GAMEPAD_COUNT");
    Devices devices = select_gamepad(input, gamepads, gamepad);
    uint32_t axis = 0;
    actions->pressed = actions->released = 0;
    for (uint32_t i = 0; i < list.count && i < CN_MAX_ACTIONS; i++) {
        const CnActionDesc *action = &list.actions[i];
        if (action->kind == CN_ACTION_BUTTON) {
            evaluate_button(action, &devices, (uint64_t)1 << i, actions);
            continue;
        }
        uint32_t components = action->kind == CN_ACTION_AXIS2 ? 2 : 1;
        for (uint32_t c = 0; c < components && axis < CN_MAX_ACTION_AXES; c++)
            actions->axes[axis++] = evaluate_axis(action, c, &devices);
    }
}

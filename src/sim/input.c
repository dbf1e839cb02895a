#include <cairn/ecs/system.h>
#include <cairn/sim/input.h>

#define SYSTEM_NAME "cn_input_drain"

CN_STATIC_ASSERT(CN_INPUT_TOUCH_COUNT < 64 && CN_GAMEPAD_BUTTON_COUNT < 64,
                 "bit sets must fit into one word");
CN_STATIC_ASSERT(sizeof(((CnInputState *)0)->keys_held) * 8 == CN_KEY_COUNT,
                 "there must be one bit per key");

/* ---- Bit sets of keys, buttons and touches ---- */

typedef struct Bits {
    uint64_t *held, *pressed, *released;
} Bits;

static Bits keys(CnInputState *input)
{
    return (Bits){input->keys_held, input->keys_pressed, input->keys_released};
}

static Bits mouse(CnInputState *input)
{
    return (Bits){&input->mouse_held, &input->mouse_pressed, &input->mouse_released};
}

static Bits touches(CnInputState *input)
{
    return (Bits){&input->touch_held, &input->touch_pressed, &input->touch_released};
}

static Bits buttons(CnGamepadState *pads, uint32_t pad)
{
    return (Bits){&pads->held[pad], &pads->pressed[pad], &pads->released[pad]};
}

/* Does nothing if the state is unchanged, because keys repeat. */
static void change(Bits bits, uint32_t bit, bool down)
{
    uint64_t mask = (uint64_t)1 << (bit & 63u);
    uint32_t word = bit >> 6;
    if (down == ((bits.held[word] & mask) != 0))
        return;
    bits.held[word] ^= mask;
    (down ? bits.pressed : bits.released)[word] |= mask;
}

static void release_all(Bits bits, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        bits.released[i] |= bits.held[i];
        bits.held[i] = 0;
    }
}

static void forget_changes(Bits bits, uint32_t words)
{
    memset(bits.pressed, 0, words * sizeof *bits.pressed);
    memset(bits.released, 0, words * sizeof *bits.released);
}

/* ---- Touches ---- */

static bool is_touch_used(const CnInputState *input, uint32_t touch)
{
    return (input->touch_held | input->touch_released) >> touch & 1u;
}

/* Returns CN_INPUT_TOUCH_COUNT when there is none. */
static uint32_t find_touch(const CnInputState *input, uint64_t finger)
{
    uint32_t touch = 0;
    while (touch < CN_INPUT_TOUCH_COUNT &&
           !(is_touch_used(input, touch) && input->touch_finger[touch] == finger))
        touch++;
    return touch;
}

static uint32_t find_free_touch(const CnInputState *input)
{
    uint32_t touch = 0;
    while (touch < CN_INPUT_TOUCH_COUNT && is_touch_used(input, touch))
        touch++;
    return touch;
}

static bool apply_touch(CnInputState *input, const CnInputEvent *event)
{
    bool begins = event->kind == CN_INPUT_TOUCH_BEGIN, ends = event->kind == CN_INPUT_TOUCH_END;
    uint32_t touch = find_touch(input, event->finger);
    if (begins && touch == CN_INPUT_TOUCH_COUNT)
        touch = find_free_touch(input);
    if (touch == CN_INPUT_TOUCH_COUNT || (!begins && !cn_touch_held(input, touch)))
        return false;
    input->touch_finger[touch] = event->finger;
    input->touch_x[touch] = event->x;
    input->touch_y[touch] = event->y;
    change(touches(input), touch, !ends);
    return true;
}

static void forget_ended_touches(CnInputState *input)
{
    forget_changes(touches(input), 1);
    for (uint32_t touch = 0; touch < CN_INPUT_TOUCH_COUNT; touch++)
        if (!cn_touch_held(input, touch)) {
            input->touch_finger[touch] = 0;
            input->touch_x[touch] = 0;
            input->touch_y[touch] = 0;
        }
}

/* ---- Gamepads ---- */

static void release(CnGamepadState *pads, uint32_t pad)
{
    release_all(buttons(pads, pad), 1);
    memset(&pads->axes[pad * CN_GAMEPAD_AXIS_COUNT], 0, CN_GAMEPAD_AXIS_COUNT * sizeof *pads->axes);
}

static bool apply_gamepad(CnGamepadState *pads, const CnInputEvent *event)
{
    uint32_t pad = event->device;
    if (event->kind == CN_INPUT_GAMEPAD_CONNECTED) {
        pads->connected[pad] = 1;
        return true;
    }
    if (!pads->connected[pad])
        return false;
    if (event->kind == CN_INPUT_GAMEPAD_DISCONNECTED) {
        release(pads, pad);
        pads->connected[pad] = 0;
    } else if (event->kind == CN_INPUT_GAMEPAD_BUTTON) {
        change(buttons(pads, pad), event->code, event->pressed);
    } else {
        pads->axes[pad * CN_GAMEPAD_AXIS_COUNT + event->code] = event->x;
    }
    return true;
}

/* ---- One event ---- */

typedef struct Tick {
    CnInputState *input;
    CnGamepadState *pads;
    bool text_cut; /* text after truncated text must not be appended */
} Tick;

static bool append_text(Tick *tick, const CnInputEvent *event)
{
    CnInputState *input = tick->input;
    size_t size = strlen(input->text);
    if (!tick->text_cut)
        tick->text_cut = !cn_copy_text(input->text + size, sizeof input->text - size,
                                       (CnText){(const char *)event->data, event->bytes});
    return !tick->text_cut;
}

static void handle_focus_lost(CnInputState *input, CnGamepadState *pads)
{
    input->focused = 0;
    release_all(keys(input), CN_COUNT_OF(input->keys_held));
    release_all(mouse(input), 1);
    release_all(touches(input), 1);
    for (uint32_t pad = 0; pad < CN_GAMEPAD_COUNT; pad++)
        release(pads, pad);
}

static void move_mouse(CnInputState *input, const CnInputEvent *event)
{
    input->mouse_x = event->x;
    input->mouse_y = event->y;
    input->mouse_dx += event->dx;
    input->mouse_dy += event->dy;
}

/* Returns false when the event, or a part of it, is ignored. */
static bool apply(Tick *tick, const CnInputEvent *event)
{
    CnInputState *input = tick->input;
    if (!cn_input_event_valid(event))
        return false;
    switch ((CnInputKind)event->kind) {
    case CN_INPUT_KEY:
        change(keys(input), event->code, event->pressed);
        return true;
    case CN_INPUT_MOUSE_BUTTON:
        change(mouse(input), event->code, event->pressed);
        return true;
    case CN_INPUT_MOUSE_MOVE:
        move_mouse(input, event);
        return true;
    case CN_INPUT_WHEEL:
        input->wheel_x += event->dx;
        input->wheel_y += event->dy;
        return true;
    case CN_INPUT_TEXT:
        return append_text(tick, event);
    case CN_INPUT_GAMEPAD_BUTTON:
    case CN_INPUT_GAMEPAD_AXIS:
    case CN_INPUT_GAMEPAD_CONNECTED:
    case CN_INPUT_GAMEPAD_DISCONNECTED:
        return apply_gamepad(tick->pads, event);
    case CN_INPUT_TOUCH_BEGIN:
    case CN_INPUT_TOUCH_MOVE:
    case CN_INPUT_TOUCH_END:
        return apply_touch(input, event);
    case CN_INPUT_FOCUS_GAINED:
        input->focused = 1;
        return true;
    case CN_INPUT_FOCUS_LOST:
        handle_focus_lost(input, tick->pads);
        return true;
    case CN_INPUT_QUIT:
        input->quit = 1;
        return true;
    case CN_INPUT_MESSAGE: /* for systems that read the channel */
        return true;
    case CN_INPUT_NONE:
    case CN_INPUT_KIND_COUNT:
        break;
    }
    return false;
}

/* ---- The system ---- */

static void begin_tick(CnInputState *input, CnGamepadState *pads)
{
    forget_changes(keys(input), CN_COUNT_OF(input->keys_held));
    forget_changes(mouse(input), 1);
    forget_ended_touches(input);
    for (uint32_t pad = 0; pad < CN_GAMEPAD_COUNT; pad++)
        forget_changes(buttons(pads, pad), 1);
    input->mouse_dx = input->mouse_dy = 0;
    input->wheel_x = input->wheel_y = 0;
    input->quit = 0;
    memset(input->text, 0, sizeof input->text);
}

void cn_input_devices_begin_tick(CnInputDevices *devices)
{
    begin_tick(&devices->input, &devices->gamepads);
    devices->text_truncated = false;
}

bool cn_input_devices_apply(CnInputDevices *devices, const CnInputEvent *event)
{
    Tick tick = {&devices->input, &devices->gamepads, devices->text_truncated};
    bool applied = apply(&tick, event);
    devices->text_truncated = tick.text_cut;
    devices->input.ignored += !applied;
    return applied;
}

static void drain(CnSystemContext *context)
{
    const CnChannel *channel = context->user;
    CnInputState *input = cn_resource_mut(context->world, CnInputState);
    CnGamepadState *pads = cn_resource_mut(context->world, CnGamepadState);
    if (!input || !pads) /* the loaded data does not have them */
        return;
    begin_tick(input, pads);
    Tick tick = {.input = input, .pads = pads};
    const CnInputEvent *events = cn_events(channel, CnInputEvent);
    for (uint32_t i = 0, count = cn_event_count(channel); i < count; i++) {
        if (apply(&tick, &events[i]))
            continue;
        if (!input->ignored++)
            CN_LOG_WARNING(
                "sim",
                "input: an invalid event of kind %u is ignored; further ones are only counted",
                events[i].kind);
    }
}

static bool ensure_resource(CnWorld *world, const CnType *type, CnError *error)
{
    CnComponent id = cn_component_register(world, &(CnComponentDesc){.type = type}, error);
    if (!id.id)
        return false;
    return cn_resource_get(world, id) || cn_resource_set_value(world, id, NULL) ||
           cn_error_memory(error, "resource %s", type->name);
}

bool cn_input_add(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(world));
    CnComponentDesc event = {.type = &cn_type_CnInputEvent};
    if (!cn_component_register(world, &event, error).id ||
        !ensure_resource(world, &cn_type_CnInputState, error) ||
        !ensure_resource(world, &cn_type_CnGamepadState, error))
        return false;
    CnChannel *channel = cn_channel(world, CnInputEvent);
    if (!channel)
        return cn_error_memory(error, "the input channel");
    if (cn_system_find(world, SYSTEM_NAME).id)
        return true;
    CnSystemDesc desc = {
        .name = SYSTEM_NAME,
        .run = drain,
        .user = channel,
        .stage = CN_STAGE_INPUT,
        .access = {cn_reads(CnInputEvent), cn_writes(CnInputState), cn_writes(CnGamepadState)},
    };
    return cn_system_add(world, &desc, error).id != 0;
}

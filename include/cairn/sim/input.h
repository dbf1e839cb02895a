/*
 * Input: the one door through which the outside world reaches a simulation.
 *
 *     cn_input_add(world, &error);
 *     CnProducer *producer = cn_producer_create(world, &(CnProducerDesc){.name = "window"});
 *     CnInputSource window = cn_input_source(world, producer);
 *
 *     cn_input_key(window, CN_KEY_SPACE, true);         // on the thread of the window's events
 *
 *     cn_producers_merge(world, NULL, NULL);            // on the world's thread, before a tick
 *     cn_world_update(world, dt, &error);
 *
 *     const CnInputState *input = cn_resource(world, CnInputState);      // in a system of the tick
 *     if (cn_key_pressed(input, CN_KEY_SPACE))
 *         jump();
 *
 * What happens outside becomes a CnInputEvent. A system in CN_STAGE_INPUT, cn_input_drain, turns the
 * events of a tick into two resources, CnInputState and CnGamepadState, which are saved and hashed
 * like all state. So a tick depends on its world and its events alone: who records the events that
 * merges deliver can play them again.
 *
 * Pressed and released say what happened in this tick, held what was true at its end. Pressed and
 * released within one tick shows as both. A key that repeats is not pressed again. Deltas, wheel and
 * text are those of this tick. Losing the focus releases everything that is held.
 *
 * Results of the network and of files that take part in the simulation come as messages, if they are
 * small, or through a channel of their own and the same kind of producer.
 *
 * Nothing from outside is trusted: events with unknown codes, numbers that are out of range or NaN,
 * or text that is not UTF-8 change nothing and are counted in `ignored`.
 */
#ifndef CAIRN_SIM_INPUT_H
#define CAIRN_SIM_INPUT_H

#include <cairn/ecs/producer.h>
#include <cairn/sim/input_codes.h>

CN_EXTERN_C_BEGIN

#define CN_INPUT_DATA_BYTES 32u            /* text or payload of one event */
#define CN_INPUT_TEXT_BYTES 128u           /* text of one tick, with its terminator */
#define CN_INPUT_TOUCH_COUNT 10u           /* at the same time */
#define CN_INPUT_MAX_COORDINATE 1048576.0f /* places and deltas reach from minus this to this */

typedef enum CnInputKind {
    CN_INPUT_NONE, /* not an event */
    CN_INPUT_KEY,
    CN_INPUT_MOUSE_BUTTON,
    CN_INPUT_MOUSE_MOVE,
    CN_INPUT_WHEEL,
    CN_INPUT_TEXT,
    CN_INPUT_GAMEPAD_BUTTON,
    CN_INPUT_GAMEPAD_AXIS,
    CN_INPUT_GAMEPAD_CONNECTED,
    CN_INPUT_GAMEPAD_DISCONNECTED,
    CN_INPUT_TOUCH_BEGIN,
    CN_INPUT_TOUCH_MOVE,
    CN_INPUT_TOUCH_END,
    CN_INPUT_FOCUS_GAINED,
    CN_INPUT_FOCUS_LOST,
    CN_INPUT_QUIT,
    CN_INPUT_MESSAGE,
    CN_INPUT_KIND_COUNT
} CnInputKind;

/*
 * kind     a CnInputKind; it decides which of the others count
 * device   gamepad
 * pressed  key and buttons: 1 pressed, 0 released
 * bytes    text and message: of `data`; text has at least one and no zeros
 * code     key, button, axis; of a message, what it is about
 * finger   touch: any number, the same from begin to end
 * x, y     mouse and touch: place in the window in pixels; axis: x is the value
 * dx, dy   mouse: how far it moved, also where its place cannot change; wheel: turns, away from the
 *          user and to the right are positive
 */
CN_COMPONENT(CnInputEvent, (u8, kind), (u8, device), (u8, pressed), (u8, bytes), (u32, code),
             (u64, finger), (f32, x), (f32, y), (f32, dx), (f32, dy),
             (u8, data, CN_INPUT_DATA_BYTES));

/*
 * keys_*, mouse_*   bit sets; see the functions below
 * mouse_x, mouse_y  the last place; the other floats are sums over the tick
 * touch_*           bit sets over places in the arrays; a touch keeps its place while it is held and
 *                   in the tick of its end; places without a touch are 0
 * ignored           events so far that are not valid, name a gamepad that is not connected or a
 *                   touch that is not held, or found no room for a touch or all of a text
 * text              terminated UTF-8; what does not fit is cut at a character
 * quit              1 in the tick of a request to end
 */
CN_COMPONENT(CnInputState, (u64, keys_held, 8), (u64, keys_pressed, 8), (u64, keys_released, 8),
             (u64, mouse_held), (u64, mouse_pressed), (u64, mouse_released), (u64, touch_held),
             (u64, touch_pressed), (u64, touch_released), (u64, touch_finger, CN_INPUT_TOUCH_COUNT),
             (u64, ignored), (f32, touch_x, CN_INPUT_TOUCH_COUNT),
             (f32, touch_y, CN_INPUT_TOUCH_COUNT), (f32, mouse_x), (f32, mouse_y), (f32, mouse_dx),
             (f32, mouse_dy), (f32, wheel_x), (f32, wheel_y), (text, text, CN_INPUT_TEXT_BYTES),
             (u8, focused), (u8, quit));

/* By gamepad: bit sets of buttons, and CN_GAMEPAD_AXIS_COUNT axes each, from -1 to 1. A gamepad that
 * is not connected holds nothing and has its axes at 0. */
CN_COMPONENT(CnGamepadState, (u64, held, CN_GAMEPAD_COUNT), (u64, pressed, CN_GAMEPAD_COUNT),
             (u64, released, CN_GAMEPAD_COUNT),
             (f32, axes, CN_GAMEPAD_COUNT *CN_GAMEPAD_AXIS_COUNT),
             (u8, connected, CN_GAMEPAD_COUNT));

/* Adds components, channel, resources and system to the world; what is there already stays as it is.
 * Call it again after loading data that was saved without input. False and an error when out of
 * memory or when a name is taken by something else; calling it again completes it. */
CN_API bool cn_input_add(CnWorld *world, CnError *error);

/* ---- Sending, from the thread of the producer ---- */

/* What the functions below send through; a plain value. */
typedef struct CnInputSource {
    CnProducer *producer;
    const CnChannel *channel;
} CnInputSource;

/* On the world's thread, after cn_input_add. */
CN_API CnInputSource cn_input_source(CnWorld *world, CnProducer *producer);

/* Whether the event means something by itself. */
CN_API bool cn_input_event_valid(const CnInputEvent *event);
/* All of these return false, and send nothing, when the event is not valid; and when the producer
 * has no room, which it counts. */
CN_API bool cn_input_push(CnInputSource source, const CnInputEvent *event);
CN_API bool cn_input_key(CnInputSource source, uint32_t key, bool pressed);
CN_API bool cn_input_mouse_button(CnInputSource source, uint32_t button, bool pressed);
CN_API bool cn_input_mouse_move(CnInputSource source, float x, float y, float dx, float dy);
CN_API bool cn_input_wheel(CnInputSource source, float dx, float dy);
/* Of any length; longer text becomes several events. False when not all of it was sent. */
CN_API bool cn_input_text(CnInputSource source, const char *text);
CN_API bool cn_input_gamepad_button(CnInputSource source, uint32_t gamepad, uint32_t button,
                                    bool pressed);
CN_API bool cn_input_gamepad_axis(CnInputSource source, uint32_t gamepad, uint32_t axis,
                                  float value);
CN_API bool cn_input_gamepad_connected(CnInputSource source, uint32_t gamepad, bool connected);
CN_API bool cn_input_touch_begin(CnInputSource source, uint64_t finger, float x, float y);
CN_API bool cn_input_touch_move(CnInputSource source, uint64_t finger, float x, float y);
CN_API bool cn_input_touch_end(CnInputSource source, uint64_t finger, float x, float y);
CN_API bool cn_input_focus(CnInputSource source, bool focused);
CN_API bool cn_input_quit(CnInputSource source);
CN_API bool cn_input_message(CnInputSource source, uint32_t code, const void *data, size_t bytes);

/* ---- Reading ---- */

/* The next valid message about `code` at or after *index, which is then the one behind it; NULL when
 * there is none. In a system that declares to read CnInputEvent:
 *
 *     uint32_t index = 0;
 *     for (const CnInputEvent *m; (m = cn_input_next_message(channel, CODE, &index));)
 */
CN_API const CnInputEvent *cn_input_next_message(const CnChannel *channel, uint32_t code,
                                                 uint32_t *index);

/* Codes that do not exist are never held, pressed or released. */
static inline bool cni_input_bit(const uint64_t *words, uint32_t bits, uint32_t bit)
{
    return bit < bits && (words[bit >> 6] >> (bit & 63u) & 1u);
}

static inline bool cn_key_held(const CnInputState *input, uint32_t key)
{
    return cni_input_bit(input->keys_held, CN_KEY_COUNT, key);
}

static inline bool cn_key_pressed(const CnInputState *input, uint32_t key)
{
    return cni_input_bit(input->keys_pressed, CN_KEY_COUNT, key);
}

static inline bool cn_key_released(const CnInputState *input, uint32_t key)
{
    return cni_input_bit(input->keys_released, CN_KEY_COUNT, key);
}

static inline bool cn_mouse_held(const CnInputState *input, uint32_t button)
{
    return cni_input_bit(&input->mouse_held, CN_MOUSE_BUTTON_COUNT, button);
}

static inline bool cn_mouse_pressed(const CnInputState *input, uint32_t button)
{
    return cni_input_bit(&input->mouse_pressed, CN_MOUSE_BUTTON_COUNT, button);
}

static inline bool cn_mouse_released(const CnInputState *input, uint32_t button)
{
    return cni_input_bit(&input->mouse_released, CN_MOUSE_BUTTON_COUNT, button);
}

/* `touch` is a place in the arrays. */
static inline bool cn_touch_held(const CnInputState *input, uint32_t touch)
{
    return cni_input_bit(&input->touch_held, CN_INPUT_TOUCH_COUNT, touch);
}

static inline bool cn_touch_pressed(const CnInputState *input, uint32_t touch)
{
    return cni_input_bit(&input->touch_pressed, CN_INPUT_TOUCH_COUNT, touch);
}

static inline bool cn_touch_released(const CnInputState *input, uint32_t touch)
{
    return cni_input_bit(&input->touch_released, CN_INPUT_TOUCH_COUNT, touch);
}

static inline bool cn_gamepad_connected(const CnGamepadState *pads, uint32_t gamepad)
{
    return gamepad < CN_GAMEPAD_COUNT && pads->connected[gamepad];
}

static inline bool cn_gamepad_held(const CnGamepadState *pads, uint32_t gamepad, uint32_t button)
{
    return gamepad < CN_GAMEPAD_COUNT &&
           cni_input_bit(&pads->held[gamepad], CN_GAMEPAD_BUTTON_COUNT, button);
}

static inline bool cn_gamepad_pressed(const CnGamepadState *pads, uint32_t gamepad, uint32_t button)
{
    return gamepad < CN_GAMEPAD_COUNT &&
           cni_input_bit(&pads->pressed[gamepad], CN_GAMEPAD_BUTTON_COUNT, button);
}

static inline bool cn_gamepad_released(const CnGamepadState *pads, uint32_t gamepad,
                                       uint32_t button)
{
    return gamepad < CN_GAMEPAD_COUNT &&
           cni_input_bit(&pads->released[gamepad], CN_GAMEPAD_BUTTON_COUNT, button);
}

static inline float cn_gamepad_axis(const CnGamepadState *pads, uint32_t gamepad, uint32_t axis)
{
    return gamepad < CN_GAMEPAD_COUNT && axis < CN_GAMEPAD_AXIS_COUNT
               ? pads->axes[gamepad * CN_GAMEPAD_AXIS_COUNT + axis]
               : 0;
}

CN_EXTERN_C_END

#endif

/*
 * Input: the only way by which the outside world affects a simulation.
 *
 *     CnError error = {0};
 *     CnWorld *world = cn_world_create(NULL, NULL);
 *     cn_input_add(world, &error);
 *     CnProducer *producer = cn_producer_create(world, &(CnProducerDesc){.name = "window"}, NULL);
 *     CnInputSource window = cn_input_source(world, producer);
 *
 *     cn_input_key(window, CN_KEY_SPACE, true);    // on the thread that polls window events
 *
 *     cn_producers_merge(world, NULL, NULL);       // on the world's thread, before a tick
 *     cn_world_update(world, 1.0f / 60, &error);
 *
 *     const CnInputState *input = cn_resource(world, CnInputState);      // usually in a system
 *     bool jump = cn_key_pressed(input, CN_KEY_SPACE);
 *
 * External events become CnInputEvents. The system cn_input_drain, in CN_STAGE_INPUT, turns the
 * events of a tick into two resources, CnInputState and CnGamepadState, which are saved and hashed
 * like all state. A tick therefore depends only on its world and its events, and recording the
 * events that merges deliver is enough to replay it.
 *
 * "Pressed" and "released" describe what happened during this tick; "held" is the state at its end.
 * A key that went down and up within one tick is both pressed and released. Key repeat does not
 * count as another press. Deltas, wheel and text cover this tick. Losing the focus releases
 * everything that is held.
 *
 * Network and file results that affect the simulation arrive as messages if they are small, and
 * otherwise through a channel of their own with the same kind of producer.
 *
 * Input is not trusted: events with unknown codes, with numbers that are out of range or NaN, or
 * with text that is not UTF-8 change nothing and are counted in `ignored`.
 */
#ifndef CAIRN_SIM_INPUT_H
#define CAIRN_SIM_INPUT_H

#include <cairn/ecs/producer.h>
#include <cairn/sim/input_codes.h>

CN_EXTERN_C_BEGIN

#define CN_INPUT_DATA_BYTES 32u            /* text or payload of an event */
#define CN_INPUT_TEXT_BYTES 128u           /* text of a tick, including the terminator */
#define CN_INPUT_TOUCH_COUNT 10u           /* simultaneous touches */
#define CN_INPUT_MAX_COORDINATE 1048576.0f /* largest absolute value of positions and deltas */

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
 * kind     a CnInputKind, which determines the meaning of the other fields
 * device   gamepad events: the gamepad
 * pressed  keys and buttons: 1 pressed, 0 released
 * bytes    text and messages: the number of bytes in `data`; text has at least one and no zeros
 * code     the key, button or axis; the subject of a message
 * finger   touches: any number, the same from begin to end
 * x, y     mouse and touches: position in the window in pixels; axes: x is the value
 * dx, dy   mouse: relative motion, reported even when the position cannot change; wheel: rotation,
 *          positive away from the user and to the right
 */
CN_COMPONENT(CnInputEvent, (u8, kind), (u8, device), (u8, pressed), (u8, bytes), (u32, code),
             (u64, finger), (f32, x), (f32, y), (f32, dx), (f32, dy),
             (u8, data, CN_INPUT_DATA_BYTES));

/*
 * keys_*, mouse_*   bit sets; see the functions below
 * mouse_x, mouse_y  the last position; the other floats are sums over the tick
 * touch_*           bit sets over slots of the arrays; a touch keeps its slot while it is held and
 *                   in the tick in which it ends; free slots are 0
 * ignored           events so far that are invalid, refer to a gamepad that is not connected or to
 *                   a touch that is not held, or found no room for a touch or for all of a text
 * text              zero-terminated UTF-8; truncated at a character boundary
 * quit              1 in the tick of a request to quit
 */
CN_COMPONENT(CnInputState, (u64, keys_held, 8), (u64, keys_pressed, 8), (u64, keys_released, 8),
             (u64, mouse_held), (u64, mouse_pressed), (u64, mouse_released), (u64, touch_held),
             (u64, touch_pressed), (u64, touch_released), (u64, touch_finger, CN_INPUT_TOUCH_COUNT),
             (u64, ignored), (f32, touch_x, CN_INPUT_TOUCH_COUNT),
             (f32, touch_y, CN_INPUT_TOUCH_COUNT), (f32, mouse_x), (f32, mouse_y), (f32, mouse_dx),
             (f32, mouse_dy), (f32, wheel_x), (f32, wheel_y), (text, text, CN_INPUT_TEXT_BYTES),
             (u8, focused), (u8, quit));

/* Per gamepad: bit sets of buttons, and CN_GAMEPAD_AXIS_COUNT axes from -1 to 1. A gamepad that
 * is not connected holds nothing, and its axes are 0. */
CN_COMPONENT(CnGamepadState, (u64, held, CN_GAMEPAD_COUNT), (u64, pressed, CN_GAMEPAD_COUNT),
             (u64, released, CN_GAMEPAD_COUNT),
             (f32, axes, CN_GAMEPAD_COUNT *CN_GAMEPAD_AXIS_COUNT),
             (u8, connected, CN_GAMEPAD_COUNT));

/* Adds the components, channel, resources and system to the world; existing ones are kept. Call
 * it again after loading data that was saved without input. Returns false and an error when out
 * of memory or when a name is already in use; calling it again then completes the rest. */
CN_API bool cn_input_add(CnWorld *world, CnError *error);

/* ---- Device state outside of a world ---- */

/* For clients that evaluate input before they send it. Zero-initialize it. One thread at a time. */
typedef struct CnInputDevices {
    CnInputState input;
    CnGamepadState gamepads;
    bool text_truncated; /* the text of this tick is complete only up to here */
} CnInputDevices;

/* Forgets what covers only one tick: presses, releases, deltas, text. Call it before the events of
 * a tick. */
CN_API void cn_input_devices_begin_tick(CnInputDevices *devices);
/* Applies an event as the system cn_input_drain does. Returns false when it is ignored, which is
 * counted in input.ignored. */
CN_API bool cn_input_devices_apply(CnInputDevices *devices, const CnInputEvent *event);

/* ---- Sending: on the thread of the producer ---- */

/* The destination of the functions below; a plain value. */
typedef struct CnInputSource {
    CnProducer *producer;
    const CnChannel *channel;
} CnInputSource;

/* Call it on the world's thread, after cn_input_add. */
CN_API CnInputSource cn_input_source(CnWorld *world, CnProducer *producer);

/* Returns whether the event is valid on its own. */
CN_API bool cn_input_event_valid(const CnInputEvent *event);
/* The following functions return false, and send nothing, when the event is invalid or the
 * producer is full; the producer counts the latter. */
CN_API bool cn_input_push(CnInputSource source, const CnInputEvent *event);
CN_API bool cn_input_key(CnInputSource source, uint32_t key, bool pressed);
CN_API bool cn_input_mouse_button(CnInputSource source, uint32_t button, bool pressed);
CN_API bool cn_input_mouse_move(CnInputSource source, float x, float y, float dx, float dy);
CN_API bool cn_input_wheel(CnInputSource source, float dx, float dy);
/* Sends text of any length, split into several events if necessary. Returns false when not all
 * of it was sent. */
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
/* Sends a message of at most CN_INPUT_DATA_BYTES bytes, which are copied. */
CN_API bool cn_input_message(CnInputSource source, uint32_t code, const void *data, size_t bytes);

/* ---- Reading ---- */

/* Returns the next valid message with this code at or after *index, and advances *index past it;
 * NULL when there is none. In a system that declares that it reads CnInputEvent:
 *
 *     const CnChannel *channel = NULL;      // the channel of CnInputEvent
 *     uint32_t index = 0, code = 7;
 *     for (const CnInputEvent *m; (m = cn_input_next_message(channel, code, &index));)
 *         printf("%u bytes\n", m->bytes);
 */
CN_API const CnInputEvent *cn_input_next_message(const CnChannel *channel, uint32_t code,
                                                 uint32_t *index);

/* For codes that do not exist, the following functions return false. */
static inline bool cni_sim_input_bit(const uint64_t *words, uint32_t bits, uint32_t bit)
{
    return bit < bits && (words[bit >> 6] >> (bit & 63u) & 1u);
}

static inline bool cn_key_held(const CnInputState *input, uint32_t key)
{
    return cni_sim_input_bit(input->keys_held, CN_KEY_COUNT, key);
}

static inline bool cn_key_pressed(const CnInputState *input, uint32_t key)
{
    return cni_sim_input_bit(input->keys_pressed, CN_KEY_COUNT, key);
}

static inline bool cn_key_released(const CnInputState *input, uint32_t key)
{
    return cni_sim_input_bit(input->keys_released, CN_KEY_COUNT, key);
}

static inline bool cn_mouse_held(const CnInputState *input, uint32_t button)
{
    return cni_sim_input_bit(&input->mouse_held, CN_MOUSE_BUTTON_COUNT, button);
}

static inline bool cn_mouse_pressed(const CnInputState *input, uint32_t button)
{
    return cni_sim_input_bit(&input->mouse_pressed, CN_MOUSE_BUTTON_COUNT, button);
}

static inline bool cn_mouse_released(const CnInputState *input, uint32_t button)
{
    return cni_sim_input_bit(&input->mouse_released, CN_MOUSE_BUTTON_COUNT, button);
}

/* `touch` is a slot of the touch arrays. */
static inline bool cn_touch_held(const CnInputState *input, uint32_t touch)
{
    return cni_sim_input_bit(&input->touch_held, CN_INPUT_TOUCH_COUNT, touch);
}

static inline bool cn_touch_pressed(const CnInputState *input, uint32_t touch)
{
    return cni_sim_input_bit(&input->touch_pressed, CN_INPUT_TOUCH_COUNT, touch);
}

static inline bool cn_touch_released(const CnInputState *input, uint32_t touch)
{
    return cni_sim_input_bit(&input->touch_released, CN_INPUT_TOUCH_COUNT, touch);
}

static inline bool cn_gamepad_connected(const CnGamepadState *pads, uint32_t gamepad)
{
    return gamepad < CN_GAMEPAD_COUNT && pads->connected[gamepad];
}

static inline bool cn_gamepad_held(const CnGamepadState *pads, uint32_t gamepad, uint32_t button)
{
    return gamepad < CN_GAMEPAD_COUNT &&
           cni_sim_input_bit(&pads->held[gamepad], CN_GAMEPAD_BUTTON_COUNT, button);
}

static inline bool cn_gamepad_pressed(const CnGamepadState *pads, uint32_t gamepad, uint32_t button)
{
    return gamepad < CN_GAMEPAD_COUNT &&
           cni_sim_input_bit(&pads->pressed[gamepad], CN_GAMEPAD_BUTTON_COUNT, button);
}

static inline bool cn_gamepad_released(const CnGamepadState *pads, uint32_t gamepad,
                                       uint32_t button)
{
    return gamepad < CN_GAMEPAD_COUNT &&
           cni_sim_input_bit(&pads->released[gamepad], CN_GAMEPAD_BUTTON_COUNT, button);
}

static inline float cn_gamepad_axis(const CnGamepadState *pads, uint32_t gamepad, uint32_t axis)
{
    return gamepad < CN_GAMEPAD_COUNT && axis < CN_GAMEPAD_AXIS_COUNT
               ? pads->axes[gamepad * CN_GAMEPAD_AXIS_COUNT + axis]
               : 0;
}

CN_EXTERN_C_END

#endif

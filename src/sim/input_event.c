#include <cairn/sim/input.h>

/* ---- Validation ---- */

/* Returns false for NaN. */
static bool in_range(float value, float low, float high)
{
    return value >= low && value <= high;
}

static bool is_place(float x, float y)
{
    return in_range(x, -CN_INPUT_MAX_COORDINATE, CN_INPUT_MAX_COORDINATE) &&
           in_range(y, -CN_INPUT_MAX_COORDINATE, CN_INPUT_MAX_COORDINATE);
}

static bool is_text(const CnInputEvent *event)
{
    return event->bytes > 0 && event->bytes <= CN_INPUT_DATA_BYTES &&
           !memchr(event->data, 0, event->bytes) &&
           cn_text_is_utf8((CnText){(const char *)event->data, event->bytes});
}

bool cn_input_event_valid(const CnInputEvent *event)
{
    CN_ASSERT(event, "%s: event is NULL", __func__);
    switch ((CnInputKind)event->kind) {
    case CN_INPUT_KEY:
        return event->code > CN_KEY_NONE && event->code < CN_KEY_COUNT && event->pressed <= 1;
    case CN_INPUT_MOUSE_BUTTON:
        return event->code >= CN_MOUSE_LEFT && event->code < CN_MOUSE_BUTTON_COUNT &&
               event->pressed <= 1;
    case CN_INPUT_MOUSE_MOVE:
        return is_place(event->x, event->y) && is_place(event->dx, event->dy);
    case CN_INPUT_WHEEL:
        return is_place(event->dx, event->dy);
    case CN_INPUT_TEXT:
        return is_text(event);
    case CN_INPUT_GAMEPAD_BUTTON:
        return event->device < CN_GAMEPAD_COUNT && event->code < CN_GAMEPAD_BUTTON_COUNT &&
               event->pressed <= 1;
    case CN_INPUT_GAMEPAD_AXIS:
        return event->device < CN_GAMEPAD_COUNT && event->code < CN_GAMEPAD_AXIS_COUNT &&
               in_range(event->x, -1, 1);
    case CN_INPUT_GAMEPAD_CONNECTED:
    case CN_INPUT_GAMEPAD_DISCONNECTED:
        return event->device < CN_GAMEPAD_COUNT;
    case CN_INPUT_TOUCH_BEGIN:
    case CN_INPUT_TOUCH_MOVE:
    case CN_INPUT_TOUCH_END:
        return is_place(event->x, event->y);
    case CN_INPUT_FOCUS_GAINED:
    case CN_INPUT_FOCUS_LOST:
    case CN_INPUT_QUIT:
        return true;
    case CN_INPUT_MESSAGE:
        return event->bytes <= CN_INPUT_DATA_BYTES;
    case CN_INPUT_NONE:
    case CN_INPUT_KIND_COUNT:
        break;
    }
    return false;
}

/* ---- Sending ---- */

CnInputSource cn_input_source(CnWorld *world, CnProducer *producer)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return (CnInputSource){producer, cn_channel(world, CnInputEvent)};
}

bool cn_input_push(CnInputSource source, const CnInputEvent *event)
{
    return source.channel && cn_input_event_valid(event) &&
           cn_produce_value(source.producer, source.channel, event);
}

static bool push(CnInputSource source, CnInputEvent event)
{
    return cn_input_push(source, &event);
}

/* Device numbers that do not fit into the event do not exist either. */
static uint8_t device_of(uint32_t gamepad)
{
    return gamepad < CN_GAMEPAD_COUNT ? (uint8_t)gamepad : UINT8_MAX;
}

bool cn_input_key(CnInputSource source, uint32_t key, bool pressed)
{
    return push(source, (CnInputEvent){.kind = CN_INPUT_KEY, .code = key, .pressed = pressed});
}

bool cn_input_mouse_button(CnInputSource source, uint32_t button, bool pressed)
{
    return push(source,
                (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = button, .pressed = pressed});
}

bool cn_input_mouse_move(CnInputSource source, float x, float y, float dx, float dy)
{
    return push(source,
                (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = x, .y = y, .dx = dx, .dy = dy});
}

bool cn_input_wheel(CnInputSource source, float dx, float dy)
{
    return push(source, (CnInputEvent){.kind = CN_INPUT_WHEEL, .dx = dx, .dy = dy});
}

bool cn_input_text(CnInputSource source, const char *text)
{
    CnText left = cn_text(text);
    if (!left.size || !cn_text_is_utf8(left))
        return false;
    while (left.size) {
        char piece[CN_INPUT_DATA_BYTES + 1];
        cn_copy_text(piece, sizeof piece, left);
        size_t size = strlen(piece);
        CnInputEvent event = {.kind = CN_INPUT_TEXT, .bytes = (uint8_t)size};
        memcpy(event.data, piece, size);
        if (!cn_input_push(source, &event))
            return false;
        left = (CnText){left.data + size, left.size - size};
    }
    return true;
}

bool cn_input_gamepad_button(CnInputSource source, uint32_t gamepad, uint32_t button, bool pressed)
{
    return push(source, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON,
                                       .device = device_of(gamepad),
                                       .code = button,
                                       .pressed = pressed});
}

bool cn_input_gamepad_axis(CnInputSource source, uint32_t gamepad, uint32_t axis, float value)
{
    return push(source, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_AXIS,
                                       .device = device_of(gamepad),
                                       .code = axis,
                                       .x = value});
}

bool cn_input_gamepad_connected(CnInputSource source, uint32_t gamepad, bool connected)
{
    CnInputKind kind = connected ? CN_INPUT_GAMEPAD_CONNECTED : CN_INPUT_GAMEPAD_DISCONNECTED;
    return push(source, (CnInputEvent){.kind = (uint8_t)kind, .device = device_of(gamepad)});
}

static bool push_touch(CnInputSource source, CnInputKind kind, uint64_t finger, float x, float y)
{
    return push(source, (CnInputEvent){.kind = (uint8_t)kind, .finger = finger, .x = x, .y = y});
}

bool cn_input_touch_begin(CnInputSource source, uint64_t finger, float x, float y)
{
    return push_touch(source, CN_INPUT_TOUCH_BEGIN, finger, x, y);
}

bool cn_input_touch_move(CnInputSource source, uint64_t finger, float x, float y)
{
    return push_touch(source, CN_INPUT_TOUCH_MOVE, finger, x, y);
}

bool cn_input_touch_end(CnInputSource source, uint64_t finger, float x, float y)
{
    return push_touch(source, CN_INPUT_TOUCH_END, finger, x, y);
}

bool cn_input_focus(CnInputSource source, bool focused)
{
    CnInputKind kind = focused ? CN_INPUT_FOCUS_GAINED : CN_INPUT_FOCUS_LOST;
    return push(source, (CnInputEvent){.kind = (uint8_t)kind});
}

bool cn_input_quit(CnInputSource source)
{
    return push(source, (CnInputEvent){.kind = CN_INPUT_QUIT});
}

bool cn_input_message(CnInputSource source, uint32_t code, const void *data, size_t bytes)
{
    CnInputEvent event = {.kind = CN_INPUT_MESSAGE, .code = code, .bytes = (uint8_t)bytes};
    if (bytes > CN_INPUT_DATA_BYTES)
        return false;
    if (bytes)
        memcpy(event.data, data, bytes);
    return cn_input_push(source, &event);
}

/* ---- Reading ---- */

const CnInputEvent *cn_input_next_message(const CnChannel *channel, uint32_t code, uint32_t *index)
{
    CN_ASSERT(channel, "%s: channel is NULL", __func__);
    const CnInputEvent *events = cn_events(channel, CnInputEvent);
    for (uint32_t count = cn_event_count(channel); *index < count;) {
        const CnInputEvent *event = &events[(*index)++];
        if (event->kind == CN_INPUT_MESSAGE && event->code == code && cn_input_event_valid(event))
            return event;
    }
    return NULL;
}

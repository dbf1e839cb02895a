/* Converts SDL events to CnInputEvents. Key, button and axis numbers are the same. */
#include "engine/window.h"

#include <string.h>

static void send(CniEngineWindow *window, CnInputEvent event)
{
    cn_engine_send(window->engine, &event);
}

/* ---- Keyboard ---- */

static void key(CniEngineWindow *window, const SDL_KeyboardEvent *event)
{
    bool is_pressed = event->type == SDL_KEYDOWN;
    bool is_alt_return =
        event->keysym.scancode == SDL_SCANCODE_RETURN && (event->keysym.mod & KMOD_ALT);
    if (is_alt_return) {
        if (is_pressed && !event->repeat)
            cni_engine_window_set_fullscreen(window, !cni_engine_window_is_fullscreen(window));
        return;
    }
    if (event->repeat) /* widgets repeat keys themselves, and scenes do not use repeats */
        return;
    send(window, (CnInputEvent){.kind = CN_INPUT_KEY,
                                .pressed = is_pressed,
                                .code = (uint32_t)event->keysym.scancode});
}

/* Splits text into pieces of whole characters that fit into an event. */
static void text(CniEngineWindow *window, const char *utf8)
{
    size_t size = strlen(utf8);
    while (size) {
        CnInputEvent event = {.kind = CN_INPUT_TEXT};
        size_t bytes = size < CN_INPUT_DATA_BYTES ? size : CN_INPUT_DATA_BYTES;
        while (bytes && bytes < size && ((uint8_t)utf8[bytes] & 0xC0u) == 0x80u)
            bytes--;
        if (!bytes)
            return;
        event.bytes = (uint8_t)bytes;
        memcpy(event.data, utf8, bytes);
        send(window, event);
        utf8 += bytes;
        size -= bytes;
    }
}

static void composition(CniEngineWindow *window, const char *utf8)
{
    CnUiInput *input = &window->engine->ui_input;
    cn_copy_text(input->composition, sizeof input->composition, cn_text(utf8));
}

/* ---- Mouse and touch, in pixels ---- */

static void motion(CniEngineWindow *window, const SDL_MouseMotionEvent *event)
{
    float scale = window->scale;
    send(window, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                                .x = (float)event->x * scale,
                                .y = (float)event->y * scale,
                                .dx = (float)event->xrel,
                                .dy = (float)event->yrel});
}

static void button(CniEngineWindow *window, const SDL_MouseButtonEvent *event)
{
    send(window, (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON,
                                .pressed = event->type == SDL_MOUSEBUTTONDOWN,
                                .code = event->button});
}

static void wheel(CniEngineWindow *window, const SDL_MouseWheelEvent *event)
{
    float sign = event->direction == SDL_MOUSEWHEEL_FLIPPED ? -1.0f : 1.0f;
    send(window, (CnInputEvent){.kind = CN_INPUT_WHEEL,
                                .dx = event->preciseX * sign,
                                .dy = event->preciseY * sign});
}

static void touch(CniEngineWindow *window, const SDL_TouchFingerEvent *event, CnInputKind kind)
{
    uint32_t width, height;
    cni_engine_window_size(window, &width, &height);
    send(window, (CnInputEvent){.kind = (uint8_t)kind,
                                .finger = (uint64_t)event->fingerId,
                                .x = event->x * (float)width,
                                .y = event->y * (float)height});
}

/* ---- Gamepads ---- */

static int slot_of(const CniEngineWindow *window, SDL_JoystickID instance)
{
    for (uint32_t i = 0; i < CN_GAMEPAD_COUNT; i++)
        if (window->pads[i].controller && window->pads[i].instance == instance)
            return (int)i;
    return -1;
}

static void connect(CniEngineWindow *window, int device)
{
    SDL_JoystickID instance = SDL_JoystickGetDeviceInstanceID(device);
    if (slot_of(window, instance) >= 0)
        return;
    for (uint32_t i = 0; i < CN_GAMEPAD_COUNT; i++) {
        CniEnginePad *pad = &window->pads[i];
        if (pad->controller)
            continue;
        *pad = (CniEnginePad){SDL_GameControllerOpen(device), instance};
        if (pad->controller)
            send(window, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED, .device = (uint8_t)i});
        return;
    }
}

static void disconnect(CniEngineWindow *window, SDL_JoystickID instance)
{
    int slot = slot_of(window, instance);
    if (slot < 0)
        return;
    SDL_GameControllerClose(window->pads[slot].controller);
    window->pads[slot] = (CniEnginePad){0};
    send(window, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_DISCONNECTED, .device = (uint8_t)slot});
}

static void pad_button(CniEngineWindow *window, const SDL_ControllerButtonEvent *event)
{
    int slot = slot_of(window, event->which);
    if (slot >= 0)
        send(window, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON,
                                    .device = (uint8_t)slot,
                                    .pressed = event->type == SDL_CONTROLLERBUTTONDOWN,
                                    .code = event->button});
}

static void pad_axis(CniEngineWindow *window, const SDL_ControllerAxisEvent *event)
{
    int slot = slot_of(window, event->which);
    float value = (float)event->value / 32767.0f;
    if (slot >= 0)
        send(window, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_AXIS,
                                    .device = (uint8_t)slot,
                                    .code = event->axis,
                                    .x = value < -1 ? -1 : value});
}

void cni_engine_window_find_pads(CniEngineWindow *window)
{
    for (int i = 0; i < SDL_NumJoysticks(); i++)
        if (SDL_IsGameController(i))
            connect(window, i);
}

CnGamepadKind cni_engine_window_gamepad_kind(const CniEngineWindow *window, uint32_t gamepad)
{
    SDL_GameController *controller = window->pads[gamepad].controller;
    switch (controller ? SDL_GameControllerGetType(controller) : SDL_CONTROLLER_TYPE_UNKNOWN) {
    case SDL_CONTROLLER_TYPE_XBOX360:
    case SDL_CONTROLLER_TYPE_XBOXONE:
        return CN_GAMEPAD_KIND_XBOX;
    case SDL_CONTROLLER_TYPE_PS3:
    case SDL_CONTROLLER_TYPE_PS4:
    case SDL_CONTROLLER_TYPE_PS5:
        return CN_GAMEPAD_KIND_PLAYSTATION;
    case SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_PRO:
    case SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_LEFT:
    case SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_RIGHT:
    case SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_PAIR:
        return CN_GAMEPAD_KIND_NINTENDO;
    default:
        return CN_GAMEPAD_KIND_OTHER;
    }
}

void cni_engine_window_close_pads(CniEngineWindow *window)
{
    for (uint32_t i = 0; i < CN_GAMEPAD_COUNT; i++)
        if (window->pads[i].controller)
            SDL_GameControllerClose(window->pads[i].controller);
}

/* ---- Window ---- */

static void window_event(CniEngineWindow *window, const SDL_WindowEvent *event)
{
    switch (event->event) {
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        window->is_minimised = true;
        break;
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_SHOWN:
        window->is_minimised = false;
        break;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
        send(window, (CnInputEvent){.kind = CN_INPUT_FOCUS_GAINED});
        break;
    case SDL_WINDOWEVENT_FOCUS_LOST:
        send(window, (CnInputEvent){.kind = CN_INPUT_FOCUS_LOST});
        break;
    case SDL_WINDOWEVENT_LEAVE:
        window->engine->ui_input.no_mouse = true;
        break;
    case SDL_WINDOWEVENT_ENTER:
        window->engine->ui_input.no_mouse = window->is_pointer_locked;
        break;
    case SDL_WINDOWEVENT_CLOSE:
        send(window, (CnInputEvent){.kind = CN_INPUT_QUIT});
        break;
    default:
        break;
    }
}

/* Returns the window id of an event; 0 if the event concerns all windows. */
static uint32_t window_of(const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        return event->window.windowID;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        return event->key.windowID;
    case SDL_TEXTINPUT:
        return event->text.windowID;
    case SDL_TEXTEDITING:
        return event->edit.windowID;
    case SDL_MOUSEMOTION:
        return event->motion.windowID;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return event->button.windowID;
    case SDL_MOUSEWHEEL:
        return event->wheel.windowID;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        return event->tfinger.windowID;
    default:
        return 0;
    }
}

static void take(CniEngineWindow *window, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        send(window, (CnInputEvent){.kind = CN_INPUT_QUIT});
        break;
    case SDL_WINDOWEVENT:
        window_event(window, &event->window);
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        key(window, &event->key);
        break;
    case SDL_TEXTINPUT:
        composition(window, "");
        text(window, event->text.text);
        break;
    case SDL_TEXTEDITING:
        composition(window, event->edit.text);
        break;
    case SDL_MOUSEMOTION:
        motion(window, &event->motion);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        button(window, &event->button);
        break;
    case SDL_MOUSEWHEEL:
        wheel(window, &event->wheel);
        break;
    case SDL_FINGERDOWN:
        touch(window, &event->tfinger, CN_INPUT_TOUCH_BEGIN);
        break;
    case SDL_FINGERMOTION:
        touch(window, &event->tfinger, CN_INPUT_TOUCH_MOVE);
        break;
    case SDL_FINGERUP:
        touch(window, &event->tfinger, CN_INPUT_TOUCH_END);
        break;
    case SDL_CONTROLLERDEVICEADDED:
        connect(window, event->cdevice.which);
        break;
    case SDL_CONTROLLERDEVICEREMOVED:
        disconnect(window, event->cdevice.which);
        break;
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
        pad_button(window, &event->cbutton);
        break;
    case SDL_CONTROLLERAXISMOTION:
        pad_axis(window, &event->caxis);
        break;
    default:
        break;
    }
}

int cni_engine_window_event(void *data, SDL_Event *event)
{
    CniEngineWindow *window = data;
    uint32_t id = window_of(event);
    /* the window may still be under construction */
    if (window->engine->ui && (!id || id == window->id))
        take(window, event);
    return 0;
}

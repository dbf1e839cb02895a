#include <cairn/base/assert.h>
#include <cairn/input/control.h>

/* Names by number, as in cairn/sim/input_codes.h. */
#define FIRST_KEY CN_KEY_A
static const char *const key_names[] = {"A",
                                        "B",
                                        "C",
                                        "D",
                                        "E",
                                        "F",
                                        "G",
                                        "H",
                                        "I",
                                        "J",
                                        "K",
                                        "L",
                                        "M",
                                        "N",
                                        "O",
                                        "P",
                                        "Q",
                                        "R",
                                        "S",
                                        "T",
                                        "U",
                                        "V",
                                        "W",
                                        "X",
                                        "Y",
                                        "Z",
                                        "1",
                                        "2",
                                        "3",
                                        "4",
                                        "5",
                                        "6",
                                        "7",
                                        "8",
                                        "9",
                                        "0",
                                        "Return",
                                        "Escape",
                                        "Backspace",
                                        "Tab",
                                        "Space",
                                        "Minus",
                                        "Equals",
                                        "LeftBracket",
                                        "RightBracket",
                                        "Backslash",
                                        "NonUSHash",
                                        "Semicolon",
                                        "Apostrophe",
                                        "Grave",
                                        "Comma",
                                        "Period",
                                        "Slash",
                                        "CapsLock",
                                        "F1",
                                        "F2",
                                        "F3",
                                        "F4",
                                        "F5",
                                        "F6",
                                        "F7",
                                        "F8",
                                        "F9",
                                        "F10",
                                        "F11",
                                        "F12",
                                        "PrintScreen",
                                        "ScrollLock",
                                        "Pause",
                                        "Insert",
                                        "Home",
                                        "PageUp",
                                        "Delete",
                                        "End",
                                        "PageDown",
                                        "Right",
                                        "Left",
                                        "Down",
                                        "Up",
                                        "NumLock",
                                        "KeypadDivide",
                                        "KeypadMultiply",
                                        "KeypadMinus",
                                        "KeypadPlus",
                                        "KeypadEnter",
                                        "Keypad1",
                                        "Keypad2",
                                        "Keypad3",
                                        "Keypad4",
                                        "Keypad5",
                                        "Keypad6",
                                        "Keypad7",
                                        "Keypad8",
                                        "Keypad9",
                                        "Keypad0",
                                        "KeypadPeriod",
                                        "NonUSBackslash",
                                        "Application",
                                        "Power",
                                        "KeypadEquals",
                                        "F13",
                                        "F14",
                                        "F15",
                                        "F16",
                                        "F17",
                                        "F18",
                                        "F19",
                                        "F20",
                                        "F21",
                                        "F22",
                                        "F23",
                                        "F24"};
CN_STATIC_ASSERT(CN_COUNT_OF(key_names) == CN_KEY_F24 - FIRST_KEY + 1,
                 "there must be a name for each key");
static const char *const modifier_names[] = {"LeftControl",  "LeftShift",  "LeftAlt",  "LeftGui",
                                             "RightControl", "RightShift", "RightAlt", "RightGui"};
static const char *const mouse_names[] = {"MouseLeft", "MouseMiddle", "MouseRight", "MouseBack",
                                          "MouseForward"};
static const char *const gamepad_button_names[] = {"GamepadA",
                                                   "GamepadB",
                                                   "GamepadX",
                                                   "GamepadY",
                                                   "GamepadBack",
                                                   "GamepadGuide",
                                                   "GamepadStart",
                                                   "GamepadLeftStick",
                                                   "GamepadRightStick",
                                                   "GamepadLeftShoulder",
                                                   "GamepadRightShoulder",
                                                   "GamepadUp",
                                                   "GamepadDown",
                                                   "GamepadLeft",
                                                   "GamepadRight",
                                                   "GamepadMisc",
                                                   "GamepadPaddle1",
                                                   "GamepadPaddle2",
                                                   "GamepadPaddle3",
                                                   "GamepadPaddle4",
                                                   "GamepadTouchpad"};
CN_STATIC_ASSERT(CN_COUNT_OF(gamepad_button_names) == CN_GAMEPAD_BUTTON_COUNT,
                 "there must be a name for each button");
static const char *const gamepad_axis_names[] = {"GamepadLeftX",       "GamepadLeftY",
                                                 "GamepadRightX",      "GamepadRightY",
                                                 "GamepadLeftTrigger", "GamepadRightTrigger"};
CN_STATIC_ASSERT(CN_COUNT_OF(gamepad_axis_names) == CN_GAMEPAD_AXIS_COUNT,
                 "there must be a name for each axis");
static const char *const motion_names[] = {"MouseX", "MouseY", "WheelX", "WheelY"};
CN_STATIC_ASSERT(CN_COUNT_OF(motion_names) == CN_MOUSE_MOTION_COUNT,
                 "there must be a name for each motion");

/* Consecutive codes of one kind that have names. */
typedef struct NamedRange {
    const char *const *names;
    uint32_t count;
    CnControl first;
} NamedRange;

static const NamedRange ranges[] = {
    {key_names, CN_COUNT_OF(key_names), {CN_CONTROL_KEY, FIRST_KEY}},
    {modifier_names, CN_COUNT_OF(modifier_names), {CN_CONTROL_KEY, CN_KEY_LEFT_CTRL}},
    {mouse_names, CN_COUNT_OF(mouse_names), {CN_CONTROL_MOUSE_BUTTON, CN_MOUSE_LEFT}},
    {motion_names, CN_COUNT_OF(motion_names), {CN_CONTROL_MOUSE_MOTION, 0}},
    {gamepad_button_names, CN_COUNT_OF(gamepad_button_names), {CN_CONTROL_GAMEPAD_BUTTON, 0}},
    {gamepad_axis_names, CN_COUNT_OF(gamepad_axis_names), {CN_CONTROL_GAMEPAD_AXIS, 0}},
};

bool cn_control_valid(CnControl control)
{
    switch ((CnControlKind)control.kind) {
    case CN_CONTROL_KEY:
        return control.code > CN_KEY_NONE && control.code < CN_KEY_COUNT;
    case CN_CONTROL_MOUSE_BUTTON:
        return control.code >= CN_MOUSE_LEFT && control.code < CN_MOUSE_BUTTON_COUNT;
    case CN_CONTROL_MOUSE_MOTION:
        return control.code < CN_MOUSE_MOTION_COUNT;
    case CN_CONTROL_GAMEPAD_BUTTON:
        return control.code < CN_GAMEPAD_BUTTON_COUNT;
    case CN_CONTROL_GAMEPAD_AXIS:
        return control.code < CN_GAMEPAD_AXIS_COUNT;
    case CN_CONTROL_NONE:
    case CN_CONTROL_KIND_COUNT:
        break;
    }
    return false;
}

bool cn_control_is_button(CnControl control)
{
    return control.kind == CN_CONTROL_KEY || control.kind == CN_CONTROL_MOUSE_BUTTON ||
           control.kind == CN_CONTROL_GAMEPAD_BUTTON;
}

const char *cn_control_name(CnControl control)
{
    for (uint32_t r = 0; r < CN_COUNT_OF(ranges); r++)
        if (control.kind == ranges[r].first.kind && control.code >= ranges[r].first.code &&
            control.code < ranges[r].first.code + ranges[r].count)
            return ranges[r].names[control.code - ranges[r].first.code];
    return NULL;
}

const char *cn_control_text(CnControl control, char *text)
{
    const char *name = cn_control_name(control);
    if (name)
        cn_format(text, CN_CONTROL_TEXT_BYTES, "%s", name);
    else if (!cn_control_valid(control))
        cn_format(text, CN_CONTROL_TEXT_BYTES, "none");
    else /* only keys and mouse buttons have numbers without names */
        cn_format(text, CN_CONTROL_TEXT_BYTES, "%s%u",
                  control.kind == CN_CONTROL_KEY ? "Key" : "Mouse", control.code);
    return text;
}

/* Reads a number of 1 to 3 digits without a leading zero. */
static bool read_number(const char *digits, uint16_t *number)
{
    uint32_t value = 0, count = 0;
    for (; digits[count] >= '0' && digits[count] <= '9' && count < 4; count++)
        value = value * 10 + (uint32_t)(digits[count] - '0');
    *number = (uint16_t)value;
    return count > 0 && count < 4 && !digits[count] && digits[0] != '0';
}

static bool find_numbered(const char *text, const char *prefix, CnControlKind kind,
                          CnControl *control)
{
    size_t size = strlen(prefix);
    CnControl found = {(uint16_t)kind, 0};
    /* A control with a name has no second spelling. */
    if (strncmp(text, prefix, size) != 0 || !read_number(text + size, &found.code) ||
        !cn_control_valid(found) || cn_control_name(found))
        return false;
    *control = found;
    return true;
}

bool cn_control_find(const char *text, CnControl *control)
{
    CN_ASSERT(control, "%s: control is NULL", __func__);
    for (uint32_t r = 0; r < CN_COUNT_OF(ranges); r++)
        for (uint32_t i = 0; i < ranges[r].count; i++)
            if (strcmp(ranges[r].names[i], text) == 0) {
                *control = ranges[r].first;
                control->code = (uint16_t)(control->code + i);
                return true;
            }
    return find_numbered(text, "Key", CN_CONTROL_KEY, control) ||
           find_numbered(text, "Mouse", CN_CONTROL_MOUSE_BUTTON, control);
}

/* ---- Suggestions ---- */

typedef struct NameCursor {
    uint32_t range, name;
} NameCursor;

static const char *next_name(void *user)
{
    NameCursor *cursor = user;
    if (cursor->range < CN_COUNT_OF(ranges) && cursor->name == ranges[cursor->range].count) {
        cursor->range++;
        cursor->name = 0;
    }
    return cursor->range < CN_COUNT_OF(ranges) ? ranges[cursor->range].names[cursor->name++] : NULL;
}

const char *cn_control_most_similar(const char *text)
{
    NameCursor cursor = {0, 0};
    return cn_text_most_similar(text, next_name, &cursor);
}

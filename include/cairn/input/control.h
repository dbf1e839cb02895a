/*
 * Controls: the keys, buttons and axes of devices, and their names in files and scripts.
 *
 *     char text[CN_CONTROL_TEXT_BYTES];
 *     CnControl control;
 *     if (cn_control_find("GamepadLeftX", &control))
 *         puts(cn_control_text(control, text));
 *
 * Names: keys have the names of a US keyboard ("W", "Space", "LeftShift", "Keypad1"), other keys
 * are "Key127"; "MouseLeft", "MouseMiddle", "MouseRight", "MouseBack", "MouseForward", other
 * buttons are "Mouse6"; "MouseX", "MouseY", "WheelX" and "WheelY" are motions; "GamepadA",
 * "GamepadLeftStick" and so on are buttons, "GamepadLeftX", "GamepadRightTrigger" and so on axes.
 *
 * All functions are pure and may be called by any thread.
 */
#ifndef CAIRN_INPUT_CONTROL_H
#define CAIRN_INPUT_CONTROL_H

#include <cairn/base/text.h>
#include <cairn/sim/input_codes.h>

CN_EXTERN_C_BEGIN

typedef enum CnControlKind {
    CN_CONTROL_NONE, /* no control */
    CN_CONTROL_KEY,  /* the code is a CnKey */
    CN_CONTROL_MOUSE_BUTTON,
    CN_CONTROL_MOUSE_MOTION, /* the code is a CnMouseMotion */
    CN_CONTROL_GAMEPAD_BUTTON,
    CN_CONTROL_GAMEPAD_AXIS,
    CN_CONTROL_KIND_COUNT
} CnControlKind;

/* Motion of the mouse in pixels, right and down, and rotation of the wheel, right and up. */
typedef enum CnMouseMotion {
    CN_MOUSE_MOTION_X,
    CN_MOUSE_MOTION_Y,
    CN_MOUSE_WHEEL_X,
    CN_MOUSE_WHEEL_Y,
    CN_MOUSE_MOTION_COUNT
} CnMouseMotion;

typedef struct CnControl {
    uint16_t kind; /* a CnControlKind */
    uint16_t code;
} CnControl;

/* Initializers. */
#define CN_CONTROL_KEY_OF(key)                                                                     \
    {                                                                                              \
        CN_CONTROL_KEY, (key)                                                                      \
    }
#define CN_CONTROL_MOUSE_BUTTON_OF(button)                                                         \
    {                                                                                              \
        CN_CONTROL_MOUSE_BUTTON, (button)                                                          \
    }
#define CN_CONTROL_MOUSE_MOTION_OF(motion)                                                         \
    {                                                                                              \
        CN_CONTROL_MOUSE_MOTION, (motion)                                                          \
    }
#define CN_CONTROL_GAMEPAD_BUTTON_OF(button)                                                       \
    {                                                                                              \
        CN_CONTROL_GAMEPAD_BUTTON, (button)                                                        \
    }
#define CN_CONTROL_GAMEPAD_AXIS_OF(axis)                                                           \
    {                                                                                              \
        CN_CONTROL_GAMEPAD_AXIS, (axis)                                                            \
    }

#define CN_CONTROL_TEXT_BYTES 32u

static inline bool cn_control_equal(CnControl a, CnControl b)
{
    return a.kind == b.kind && a.code == b.code;
}

/* Returns whether the control exists on a device; false for CN_CONTROL_NONE. */
CN_API bool cn_control_valid(CnControl control);
/* Returns whether it is a key or a button: held or not held. */
CN_API bool cn_control_is_button(CnControl control);
/* Returns the name; NULL for controls that do not exist or are only numbered. */
CN_API const char *cn_control_name(CnControl control);
/* Writes the name, or the kind and number, such as "Key127", into `text`, which has
 * CN_CONTROL_TEXT_BYTES; "none" for a control that does not exist. Returns `text`. */
CN_API const char *cn_control_text(CnControl control, char *text);
/* Finds the control with this text. Returns false when there is none. */
CN_API bool cn_control_find(const char *text, CnControl *control);
/* Returns the name that is most similar to `text`, for error messages, or NULL. */
CN_API const char *cn_control_most_similar(const char *text);

CN_EXTERN_C_END

#endif

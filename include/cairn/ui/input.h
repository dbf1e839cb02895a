/*
 * Mouse, keyboard and gamepad input of a user interface.
 *
 *     static CnUiInput input;
 *     for (uint32_t i = 0; i < event_count; i++)
 *         cn_ui_input_event(&input, &events[i]); // CnInputEvent of cairn/sim/input.h
 *     input.delta = seconds;
 *     cn_ui_begin(ui, canvas, &input);
 *     cn_ui_button(ui, "OK");
 *     cn_ui_end(ui);
 *     cn_ui_input_clear(&input); // keeps the state of held keys and buttons
 *
 * cn_ui_input_state fills it from the input state of a tick instead. CnUiInput is plain data, which
 * tests fill directly.
 */
#ifndef CAIRN_UI_INPUT_H
#define CAIRN_UI_INPUT_H

#include <cairn/base/vector.h>
#include <cairn/sim/input.h>

CN_EXTERN_C_BEGIN

/* Actions that widgets understand, with the keys and gamepad buttons that trigger them. */
typedef enum CnUiKey {
    CN_UI_LEFT,
    CN_UI_RIGHT,
    CN_UI_UP,
    CN_UI_DOWN,
    CN_UI_HOME,
    CN_UI_END,
    CN_UI_PAGE_UP,
    CN_UI_PAGE_DOWN,
    CN_UI_NEXT,     /* Tab, right shoulder */
    CN_UI_PREVIOUS, /* Shift+Tab, left shoulder */
    CN_UI_ACTIVATE, /* Return, A */
    CN_UI_CANCEL,   /* Escape, B */
    CN_UI_SPACE,    /* activates, except in text fields */
    CN_UI_BACKSPACE,
    CN_UI_DELETE,
    CN_UI_SELECT_ALL, /* Ctrl+A; then Ctrl+X, Ctrl+C, Ctrl+V */
    CN_UI_CUT,
    CN_UI_COPY,
    CN_UI_PASTE,
    CN_UI_SECOND, /* X: a second and a third way to use an area (ui.h) */
    CN_UI_THIRD,  /* Y */
    CN_UI_KEY_COUNT
} CnUiKey;

/* Characters and keys in the order in which they were typed: a character as its code point, a key
 * as cn_ui_typed_key(key, modifiers). */
#define CN_UI_MAX_TYPED 128u
#define CN_UI_TYPED_KEY 0x80000000u
enum { CN_UI_SHIFT = 1, CN_UI_CTRL = 2, CN_UI_PAD = 4 /* from a gamepad */ };
static inline uint32_t cn_ui_typed_key(CnUiKey key, uint32_t modifiers)
{
    return CN_UI_TYPED_KEY | modifiers << 8 | (uint32_t)key;
}

typedef struct CnUiInput {
    float delta;   /* seconds since the last frame */
    CnVec2 mouse;  /* in pixels */
    bool no_mouse; /* the mouse is elsewhere: pointer lock, or outside of the window */
    uint32_t mouse_held, mouse_pressed, mouse_released; /* bits 1 << CnMouseButton */
    CnVec2 wheel;       /* notches; away from the user is positive */
    uint32_t keys_held; /* bits 1 << CnUiKey; held keys repeat */
    uint32_t modifiers;
    uint32_t typed[CN_UI_MAX_TYPED];
    uint32_t typed_count;
    uint32_t typed_lost;  /* total entries dropped because `typed` was full */
    char composition[64]; /* text being composed by an input method, drawn at the caret */
} CnUiInput;

/* Adds an event; events without a meaning for widgets are ignored. */
CN_API void cn_ui_input_event(CnUiInput *input, const CnInputEvent *event);
/* Adds the input state of a tick. `pads` may be NULL. */
CN_API void cn_ui_input_state(CnUiInput *input, const CnInputState *state,
                              const CnGamepadState *pads);
/* Add a typed key, or typed UTF-8 text. */
CN_API void cn_ui_input_key(CnUiInput *input, CnUiKey key, uint32_t modifiers);
CN_API void cn_ui_input_text(CnUiInput *input, CnText text);
/* Clears presses, releases, wheel motion and typed input at the end of a frame. */
CN_API void cn_ui_input_clear(CnUiInput *input);

CN_EXTERN_C_END

#endif

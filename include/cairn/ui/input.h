/*
 * What a user interface hears of mouse, keyboard and gamepads.
 *
 *     CnUiInput input = {0};
 *     while (next_event(&event))
 *         cn_ui_input_event(&input, &event);          // CnInputEvent, as of cairn/sim/input.h
 *     input.delta = seconds;
 *     cn_ui_begin(ui, canvas, &input);
 *     ...
 *     cn_ui_end(ui);
 *     cn_ui_input_clear(&input);                      // what happened; what is held stays
 *
 * Or from the state of a tick: cn_ui_input_state. It is plain data: tests fill it by hand.
 */
#ifndef CAIRN_UI_INPUT_H
#define CAIRN_UI_INPUT_H

#include <cairn/base/vector.h>
#include <cairn/sim/input.h>

CN_EXTERN_C_BEGIN

/* What keys and buttons mean to widgets. */
typedef enum CnUiKey {
    CN_UI_LEFT,
    CN_UI_RIGHT,
    CN_UI_UP,
    CN_UI_DOWN,
    CN_UI_HOME,
    CN_UI_END,
    CN_UI_PAGE_UP,
    CN_UI_PAGE_DOWN,
    CN_UI_NEXT,     /* tab, right shoulder */
    CN_UI_PREVIOUS, /* shift and tab, left shoulder */
    CN_UI_ACTIVATE, /* return, A */
    CN_UI_CANCEL,   /* escape, B */
    CN_UI_SPACE,    /* activates, except where text is written */
    CN_UI_BACKSPACE,
    CN_UI_DELETE,
    CN_UI_SELECT_ALL, /* control and A, X, C, V */
    CN_UI_CUT,
    CN_UI_COPY,
    CN_UI_PASTE,
    CN_UI_KEY_COUNT
} CnUiKey;

/* Characters and keys, in the order in which they were typed: a character as its number, a key as
 * cn_ui_typed_key(key, modifiers). */
#define CN_UI_MAX_TYPED 128u
#define CN_UI_TYPED_KEY 0x80000000u
enum { CN_UI_SHIFT = 1, CN_UI_CTRL = 2, CN_UI_PAD = 4 /* from a gamepad */ };
static inline uint32_t cn_ui_typed_key(CnUiKey key, uint32_t modifiers)
{
    return CN_UI_TYPED_KEY | modifiers << 8 | (uint32_t)key;
}

typedef struct CnUiInput {
    float delta;   /* seconds since the last time */
    CnVec2 mouse;  /* in pixels */
    bool no_mouse; /* it is elsewhere: pointer lock, no window under it */
    uint32_t mouse_held, mouse_pressed, mouse_released; /* bits 1 << CnMouseButton */
    CnVec2 wheel;                                       /* turns; away from the user is positive */
    uint32_t keys_held;                                 /* bits 1 << CnUiKey: those repeat */
    uint32_t modifiers;
    uint32_t typed[CN_UI_MAX_TYPED];
    uint32_t typed_count;
    uint32_t typed_lost;  /* that found no room, so far */
    char composition[64]; /* what an input method is about to write; shown where it will be */
} CnUiInput;

/* Adds an event; those that mean nothing here are left out. */
CN_API void cn_ui_input_event(CnUiInput *input, const CnInputEvent *event);
/* Adds what a tick has seen. `pads` may be NULL. */
CN_API void cn_ui_input_state(CnUiInput *input, const CnInputState *state,
                              const CnGamepadState *pads);
/* Types a key, or UTF-8. */
CN_API void cn_ui_input_key(CnUiInput *input, CnUiKey key, uint32_t modifiers);
CN_API void cn_ui_input_text(CnUiInput *input, CnText text);
/* Forgets presses, releases, turns of the wheel and what was typed. */
CN_API void cn_ui_input_clear(CnUiInput *input);

CN_EXTERN_C_END

#endif

/*
 * What clicks, drags and keys on slots mean: a state machine that turns them into commands. It
 * knows neither widgets nor layouts.
 *
 *     CraftySlotGesture gesture = {0};
 *     crafty_slot_gesture_frame(&gesture, &(CraftySlotView){...}, &(CraftySlotInput){...},
 * commands);
 *
 * With the mouse, left takes, puts and exchanges stacks, and dragging spreads one evenly; right
 * takes a half and puts one, and dragging puts one into each slot. A double click collects. With
 * Shift, stacks move to the other part of the screen. Keys and gamepads do the same to the slot
 * with the focus: CN_UI_ACTIVATE as left, CN_UI_SPACE and CN_UI_SECOND as right, CN_UI_THIRD as
 * Shift. The input that drops takes one item of the slot or, if keys carry a stack, all of that.
 *
 * The simulation applies the commands in the next tick, and refuses what has become impossible.
 */
#ifndef CRAFTY_CLIENT_SLOT_GESTURE_H
#define CRAFTY_CLIENT_SLOT_GESTURE_H

#include "crafty/sim/command.h"
#include "crafty/sim/stack.h"

#include <cairn/ui.h>

#define CRAFTY_MAX_SHOWN_SLOTS 96u
#define CRAFTY_NO_SHOWN_SLOT UINT32_MAX

typedef struct CraftyShownSlot {
    CraftyStack stack;
    CnRect rect;
    uint8_t number;  /* in commands */
    bool gives_only; /* the result of a recipe or of a furnace */
} CraftyShownSlot;

/* What the screen shows in this frame. */
typedef struct CraftySlotView {
    const CraftyItems *items;
    CraftyStack carried;
    CraftyShownSlot slots[CRAFTY_MAX_SHOWN_SLOTS];
    uint32_t count;
    int32_t cell[3]; /* of the open container */
} CraftySlotView;

/* Indices of slots are those of the view; CRAFTY_NO_SHOWN_SLOT: none. */
typedef struct CraftySlotInput {
    uint32_t hovered;           /* slot under the mouse */
    uint32_t focused;           /* slot with the focus of keys */
    CnUiKey key;                /* typed on it; CN_UI_KEY_COUNT: none */
    uint32_t pressed, released; /* mouse buttons, bits 1 << CnMouseButton */
    uint32_t modifiers;         /* CN_UI_SHIFT, CN_UI_CTRL */
    bool is_outside;            /* the mouse is beside the panels */
    uint32_t number;            /* 1 to 9: key of a slot of the hotbar; 0: none */
    bool drops;                 /* the key or button that drops items */
    double seconds;             /* time, for double clicks */
} CraftySlotInput;

typedef struct CraftySlotGesture {
    bool uses_keys;   /* the focus was moved last, not the mouse */
    CnVec2 mouse;     /* of the last frame */
    uint32_t button;  /* 1 << CnMouseButton of a drag with the carried stack; 0: none */
    bool moves_quick; /* a drag with Shift */
    uint8_t dragged[CRAFTY_MAX_SHOWN_SLOTS]; /* numbers, in order */
    uint32_t dragged_count;
    uint32_t clicked; /* number of the slot of the last click, plus 1 */
    double clicked_at;
} CraftySlotGesture;

#define CRAFTY_MAX_GESTURE_COMMANDS CRAFTY_MAX_SHOWN_SLOTS

typedef struct CraftyGestureCommands {
    CraftyCommand items[CRAFTY_MAX_GESTURE_COMMANDS];
    uint32_t count;
} CraftyGestureCommands;

/* Adds the commands of a frame, in the order in which they are to be sent. */
void crafty_slot_gesture_frame(CraftySlotGesture *gesture, const CraftySlotView *view,
                               const CraftySlotInput *input, CraftyGestureCommands *commands);
/* Returns how many of the carried items a slot would get if the drag ended now; 0 without a drag
 * over several slots. */
uint32_t crafty_slot_gesture_share(const CraftySlotGesture *gesture, const CraftySlotView *view,
                                   uint32_t index);

#endif

/*
 * Controls of touch screens: a stick under the left thumb, looking with the right one, and buttons.
 * They produce ordinary actions.
 *
 *     crafty_touch_controls_frame(&touch, &(CraftyTouchView){...}, &actions); // once per frame
 *     crafty_controls_add(controls, &actions);                                // controls.h
 *     crafty_touch_controls_draw(&touch, canvas, 1);                          // if used last
 *
 * A finger that begins on the left half is the stick, wherever it begins; pushed beyond its edge,
 * the player sprints. On the right half, a drag looks around, a tap places or uses, and a finger
 * that rests breaks until it is lifted. A tap on a slot of the hotbar selects it.
 */
#ifndef CRAFTY_CLIENT_TOUCH_CONTROLS_H
#define CRAFTY_CLIENT_TOUCH_CONTROLS_H

#include <cairn/input.h>
#include <cairn/render/canvas.h>
#include <cairn/sim/input.h>

#define CRAFTY_TOUCH_STICK 48.0f       /* radius in points */
#define CRAFTY_TOUCH_HOLD_SECONDS 0.3f /* a finger that rests longer breaks */
#define CRAFTY_TOUCH_TAP_POINTS 10.0f  /* a finger that moves further looks around */

typedef struct CraftyTouchFinger {
    uint8_t role;       /* what it does; private */
    bool is_moved;      /* further than a tap */
    CnVec2 first, last; /* points */
    float seconds;
} CraftyTouchFinger;

typedef struct CraftyTouchControls {
    CraftyTouchFinger fingers[CN_INPUT_TOUCH_COUNT];
    CnVec2 area; /* size of the canvas in points */
} CraftyTouchControls;

typedef struct CraftyTouchView {
    const CnInputState *input; /* touches in pixels */
    CnActionList actions;      /* of the simulation and the client */
    CnVec2 area;               /* size of the canvas in points */
    float scale;               /* pixels per point */
    float seconds;             /* since the last frame */
    bool plays;                /* no menu is open; otherwise touches are for the menu */
} CraftyTouchView;

/* Evaluates the touches of a frame; `actions` is replaced. */
void crafty_touch_controls_frame(CraftyTouchControls *touch, const CraftyTouchView *view,
                                 CnActions *actions);
/* Draws the stick and the buttons. `text_size` is a factor. */
void crafty_touch_controls_draw(const CraftyTouchControls *touch, CnCanvas *canvas,
                                float text_size);

#endif

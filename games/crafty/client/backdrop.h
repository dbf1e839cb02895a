/*
 * The landscape behind the title: a world that is not saved, without a player, over which a camera
 * flies slowly. It is created on a thread after the first frame, so that nothing waits for it, and
 * fades in when the chunks near the camera are loaded. If the device draws it too slowly, a picture
 * of it takes its place, and the world is closed.
 *
 *     crafty_backdrop_frame(crafty); // in before_frame, before the title is drawn
 *     crafty_backdrop_end(crafty);   // between frames
 *     crafty_backdrop_close(crafty); // between frames, before a world is opened
 */
#ifndef CRAFTY_CLIENT_BACKDROP_H
#define CRAFTY_CLIENT_BACKDROP_H

#include "opening.h"
#include "title_screen.h"

#define CRAFTY_BACKDROP_SLOW_MS 70.0f /* per frame: slower devices show a picture */
#define CRAFTY_BACKDROP_MEASURED 16u  /* frames that are measured */
#define CRAFTY_BACKDROP_DISTANCE 8u   /* chunks: its greatest view distance */
#define CRAFTY_BACKDROP_SPEED 0.2f    /* of the tour "flight" */

typedef struct CraftyBackdrop {
    CraftyOpening *opening; /* NULL: not begun, or done */
    bool is_given_up;       /* it failed, or the picture takes its place */
    CraftyLandscape landscape;
    CnPreview *preview; /* for the picture; NULL: not open */
    bool is_slow;       /* it becomes a picture, once everything is loaded */
    float seconds;      /* that it has been visible */
    uint32_t measured;  /* frames since it is visible */
    float measured_ms;  /* their sum */
} CraftyBackdrop;

/* Returns whether the open world is the landscape, which is no world to play. */
bool crafty_backdrop_is_open(const Crafty *crafty);
/* Returns what is behind the title; nothing if the player does not want it. */
CraftyLandscape crafty_backdrop_landscape(const Crafty *crafty);
void crafty_backdrop_frame(Crafty *crafty);
void crafty_backdrop_end(Crafty *crafty);
void crafty_backdrop_close(Crafty *crafty);
/* Counts a frame that took this long. Returns true once, if the landscape is too slow to be shown;
 * later frames do not count. */
bool crafty_backdrop_measure(CraftyBackdrop *backdrop, float frame_ms);

#endif

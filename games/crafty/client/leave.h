/*
 * Leaving a world: it is saved while the window shows that, and closed when everything is durable.
 * If that fails, the player decides: try again, go back, or leave and lose what is not saved.
 *
 *     crafty_leave(crafty, CRAFTY_LEAVE_PROGRAM); // the menu, a closed window, a signal
 *     crafty_leave_frame(crafty);                 // in before_frame, while crafty_is_leaving
 *     crafty_leave_end(crafty);                   // between frames: closes the world or the
 * program
 */
#ifndef CRAFTY_CLIENT_LEAVE_H
#define CRAFTY_CLIENT_LEAVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Crafty Crafty;

typedef enum CraftyLeaveTo {
    CRAFTY_LEAVE_NOT,
    CRAFTY_LEAVE_WORLD, /* the window stays and shows the list of worlds */
    CRAFTY_LEAVE_PROGRAM
} CraftyLeaveTo;

typedef struct CraftyLeave {
    CraftyLeaveTo to;
    bool is_urgent; /* a signal came: nobody is asked */
    bool asks;      /* the player is asked, because saving fails */
    bool is_done;   /* the world can be closed */
    bool gives_up;  /* it could not be saved; it was waited long enough */
    uint64_t begin_ns;
} CraftyLeave;

/* Starts leaving. A second call can only change CRAFTY_LEAVE_WORLD to CRAFTY_LEAVE_PROGRAM. */
void crafty_leave(Crafty *crafty, CraftyLeaveTo to);
bool crafty_is_leaving(const Crafty *crafty);
/* Waits for the disk without blocking, and draws. */
void crafty_leave_frame(Crafty *crafty);
/* Call it between frames: closes the world when it is saved, or ends the frame loop. */
void crafty_leave_end(Crafty *crafty);

#endif

/*
 * The list of all actions with their keys and buttons, where each can be changed: activate a cell,
 * then press the new control. Escape cancels, Delete leaves the cell empty. Two actions with the
 * same control are both marked. Every change is written to the file of bindings at once.
 */
#ifndef CRAFTY_CLIENT_BINDINGS_SCREEN_H
#define CRAFTY_CLIENT_BINDINGS_SCREEN_H

#include "binding_rows.h"
#include "glyphs.h"

typedef struct CraftyBindingsScreen {
    bool waits; /* for the new control of a cell */
    uint32_t row;
    CraftyColumn column;
    float seconds;       /* that it has been waiting */
    CnGamepadState rest; /* when it began to wait: sticks that are held do not count */
    bool asks_reset;     /* whether to reset everything */
    uint32_t shown;      /* number of frames it has been open */
    char status[CN_ERROR_MESSAGE_BYTES]; /* of the last change; "": nothing to say */
    bool is_error;                       /* what it says */
} CraftyBindingsScreen;

/* Draws the screen; call in before_frame. Returns true if the player leaves it. */
bool crafty_bindings_screen_frame(CraftyBindingsScreen *screen, CnEngine *engine,
                                  CraftyControls *controls, const CraftyGlyphs *glyphs);
/* Handles Escape and B: returns true if that only ends waiting or a question. */
bool crafty_bindings_screen_back(CraftyBindingsScreen *screen);

#endif

/*
 * The dialog that a mod asks the player to answer (sim/mod/hud.h): a title, a text and buttons, by
 * mouse, keys, gamepad and touch.
 *
 *     CraftyModDialogScreen screen = {0};
 *     uint32_t choice;
 *     if (crafty_mod_dialog_frame(&screen, engine, &view->dialog, &choice)) // 0: none of them
 *         crafty_mod_dialog_answer(&screen, connection, &view->dialog, choice);
 */
#ifndef CRAFTY_CLIENT_MOD_DIALOG_H
#define CRAFTY_CLIENT_MOD_DIALOG_H

#include "crafty/sim/connection.h"
#include "crafty/sim/mod/hud.h"

#include <cairn/engine.h>

typedef struct CraftyModDialogScreen {
    uint32_t number;   /* of the dialog that is drawn; 0: none */
    uint32_t window;   /* number of the first one in this window: a mod may replace its own */
    uint32_t shown;    /* frames */
    uint32_t answered; /* the number of the last dialog that was answered; 0: none */
    char mod[CRAFTY_MOD_HUD_MOD_BYTES]; /* of the dialog that is drawn */
} CraftyModDialogScreen;

/* Returns whether there is a dialog that waits for an answer. */
bool crafty_mod_dialog_waits(const CraftyModDialogScreen *screen, const CraftyModDialog *dialog);
/* Draws it, in before_frame. Returns true when the player has chosen, from 1, or has closed it with
 * Escape, B or the button of the window: 0. */
bool crafty_mod_dialog_frame(CraftyModDialogScreen *screen, CnEngine *engine,
                             const CraftyModDialog *dialog, uint32_t *choice);
/* Sends the choice; 0 closes the dialog without one. */
void crafty_mod_dialog_answer(CraftyModDialogScreen *screen, CraftyConnection *connection,
                              const CraftyModDialog *dialog, uint32_t choice);

#endif

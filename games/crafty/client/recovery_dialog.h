/*
 * The dialog of a window after the game ended unexpectedly: continue from the last tick, show the
 * crash report, or dismiss. Continuing runs in a process of its own (crafty/crash/recover.h).
 *
 *     if (crafty_recovery_dialog_offer(crafty, path)) // at the start, or before opening a world
 *         ...                                         // crafty->recovery.is_open
 *     crafty_recovery_dialog_frame(crafty);           // in before_frame, while it is open
 *     crafty_recovery_dialog_end(crafty);             // between frames: opens the world afterwards
 */
#ifndef CRAFTY_CLIENT_RECOVERY_DIALOG_H
#define CRAFTY_CLIENT_RECOVERY_DIALOG_H

#include "crafty/crash/recover.h"

#include <cairn/base/text.h>

typedef struct Crafty Crafty;

typedef enum CraftyRecoveryPage {
    CRAFTY_RECOVERY_PAGE_ASK,
    CRAFTY_RECOVERY_PAGE_REPORT,
    CRAFTY_RECOVERY_PAGE_RUNS,
    CRAFTY_RECOVERY_PAGE_FAILED /* says that the world opens as it was last saved */
} CraftyRecoveryPage;

typedef struct CraftyRecoveryDialog {
    bool is_open, is_done;
    bool opens; /* the world of the session is opened afterwards */
    CraftyRecoveryPage page;
    char folder[CRAFTY_CRASH_PATH_BYTES];
    const char *mods; /* --mods; NULL: not given */
    CraftyUncleanSession session;
    CraftyRecovery recovery;
    CraftyRecoveryStatus status;
    CnTextBuilder report; /* for people; empty: not read yet */
} CraftyRecoveryDialog;

/* Opens the dialog if a session ended unexpectedly; with `world_path`, one of this world, which is
 * opened afterwards in any case. Returns false if there is none. */
bool crafty_recovery_dialog_offer(Crafty *crafty, const char *world_path);
void crafty_recovery_dialog_frame(Crafty *crafty);
void crafty_recovery_dialog_end(Crafty *crafty);

#endif

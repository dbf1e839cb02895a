/*
 * The screen of a dead player: why, and what comes next.
 *
 *     if (crafty_death_screen_frame(&screen, engine, vitals) == CRAFTY_DEATH_RESPAWN)
 *         send(CRAFTY_COMMAND_RESPAWN);
 */
#ifndef CRAFTY_CLIENT_DEATH_SCREEN_H
#define CRAFTY_CLIENT_DEATH_SCREEN_H

#include "crafty/sim/vitals.h"

#include <cairn/engine.h>

typedef enum CraftyDeathChoice {
    CRAFTY_DEATH_NONE,
    CRAFTY_DEATH_RESPAWN,
    CRAFTY_DEATH_QUIT /* to the title */
} CraftyDeathChoice;

typedef struct CraftyDeathScreen {
    uint32_t shown; /* number of frames */
} CraftyDeathScreen;

/* Returns what killed a player, such as "You fell". */
const char *crafty_death_text(uint32_t cause);
/* Draws the screen as a window. The buttons react a moment after it appears, so that a click that
 * was meant for the game does not choose one. */
CraftyDeathChoice crafty_death_screen_frame(CraftyDeathScreen *screen, CnEngine *engine,
                                            const CraftyVitals *vitals, bool has_title);

#endif

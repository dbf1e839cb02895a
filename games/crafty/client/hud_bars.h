/*
 * Hearts, food and air above the hotbar, and what the screen shows when the player is hurt. Only
 * players in survival have them.
 */
#ifndef CRAFTY_CLIENT_HUD_BARS_H
#define CRAFTY_CLIENT_HUD_BARS_H

#include "crafty/sim/vitals.h"
#include "item_icons.h"

typedef struct CraftyHudBars {
    float flash; /* 1 when the player was hurt, then less */
    float phase; /* of the pulse at low health, 0 to 1 */
} CraftyHudBars;

/* The player was hurt. */
void crafty_hud_bars_hurt(CraftyHudBars *bars);
/* Draws the bars above the hotbar. Returns the top of what is drawn. `seconds` since the last
 * frame. `is_still`: nothing shakes or flashes. */
float crafty_hud_bars_draw(CraftyHudBars *bars, CnCanvas *canvas, const CraftyItemIcons *icons,
                           CnRect hotbar, const CraftyVitals *vitals, float seconds, bool is_still);
/* Draws the red edges of the screen of a hurt player, below everything else. */
void crafty_hud_bars_vignette(const CraftyHudBars *bars, CnCanvas *canvas,
                              const CraftyVitals *vitals, bool is_still);

#endif

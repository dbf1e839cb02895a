/* The head-up display: crosshair, hotbar, the name of the held item, health, food and air, toasts,
 * a hint for new players, and the darkness of sleep. */
#ifndef CRAFTY_CLIENT_HUD_H
#define CRAFTY_CLIENT_HUD_H

#include "crafty/sim/player.h"
#include "hud_bars.h"
#include "item_icons.h"
#include "toasts.h"

typedef struct CraftyHud {
    CraftyItemIcons icons;
    CraftyHudBars bars;
    CraftyToasts toasts;
    CraftyItem named;   /* item held in the last frame */
    float name_seconds; /* time left to show its name */
    float darkness;     /* of sleep, 0 to 1 */
} CraftyHud;

typedef struct CraftyHudView {
    const CraftyPlayer *player; /* NULL hides the HUD */
    const CraftyVitals *vitals; /* NULL: none */
    const CraftyItems *items;
    bool is_hidden;      /* only the warning is drawn */
    bool has_screen;     /* a screen is open that covers the hotbar */
    bool is_still;       /* the player does not want motion */
    bool aims;           /* the mouse is captured */
    const char *start;   /* how to start playing; NULL: the player does */
    const char *warning; /* shown at the top; NULL: none */
    float seconds;       /* since the last frame */
} CraftyHudView;

bool crafty_hud_create(CraftyHud *hud, CnRenderer *renderer, const CraftyItemIconsDesc *desc,
                       CnError *error);
/* Not while a frame is drawn. A HUD that was not created is ignored. */
void crafty_hud_destroy(CraftyHud *hud, CnRenderer *renderer);
/* Shows what happened to the player. */
void crafty_hud_event(CraftyHud *hud, const CraftyItems *items, const CraftyPlayerEvent *event);
/* Returns where a slot of the hotbar is, in a canvas with this area. */
CnRect crafty_hud_slot(CnRect area, uint32_t slot);
/* Draws the background of screens without a world. */
void crafty_hud_background(CnCanvas *canvas);
/* Draws the loading screen while the file of a world is opened, which takes a time that is not
 * known. `seconds` since the begin. */
void crafty_hud_opening(CnCanvas *canvas, float seconds);
/* Draws the loading screen. `share` is the progress, 0 to 1. */
void crafty_hud_loading(CnCanvas *canvas, float share);
/* Darkens the world while the player sleeps, before anything else is drawn. A player who wakes up
 * sees the world again after a moment; `is_still`: less dark, and slower. */
void crafty_hud_sleep(CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view);
void crafty_hud_draw(CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view);

#endif

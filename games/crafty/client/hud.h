/* The head-up display: crosshair, hotbar, the name of the held item, and a hint for new
 * players. */
#ifndef CRAFTY_CLIENT_HUD_H
#define CRAFTY_CLIENT_HUD_H

#include "crafty/sim/player.h"
#include "icons.h"

typedef struct CraftyHud {
    CraftyIcons icons;
    CraftyItem named;   /* item held in the last frame */
    float name_seconds; /* time left to show its name */
} CraftyHud;

typedef struct CraftyHudView {
    const CraftyPlayer *player; /* NULL hides the HUD */
    const CraftyItems *items;
    bool aims;           /* the mouse is captured */
    bool hints;          /* show how to start playing */
    const char *warning; /* shown at the top; NULL: none */
    float seconds;       /* since the last frame */
} CraftyHudView;

bool crafty_hud_create(CraftyHud *hud, CnRenderer *renderer, const CnBlockTable *blocks,
                       CnError *error);
/* Not while a frame is drawn. A HUD that was not created is ignored. */
void crafty_hud_destroy(CraftyHud *hud, CnRenderer *renderer);
/* Draws the background of screens without a world. */
void crafty_hud_background(CnCanvas *canvas);
/* Draws the loading screen while the file of a world is opened, which takes a time that is not
 * known. `seconds` since the begin. */
void crafty_hud_opening(CnCanvas *canvas, float seconds);
/* Draws the loading screen. `share` is the progress, 0 to 1. */
void crafty_hud_loading(CnCanvas *canvas, float share);
void crafty_hud_draw(CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view);

#endif

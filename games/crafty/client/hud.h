/* What a player sees over the picture while playing: where one aims, the blocks at hand, the name of the one that was
 * chosen last, what to do first. */
#ifndef CRAFTY_CLIENT_HUD_H
#define CRAFTY_CLIENT_HUD_H

#include "../sim/player.h"
#include "icons.h"

typedef struct CraftyHud {
    CraftyIcons icons;
    CnBlock named;      /* the block that was held last */
    float name_seconds; /* for which its name is still shown */
} CraftyHud;

typedef struct CraftyHudView {
    const CraftyPlayer *player; /* NULL: nobody plays */
    bool aims;                  /* the mouse is the player's */
    bool hints;                 /* somebody has to be told how to begin */
    float seconds;              /* since the last frame */
} CraftyHudView;

bool crafty_hud_create(CraftyHud *hud, CnRenderer *renderer, CnError *error);
/* Over everything, while the world is made. */
void crafty_hud_loading(CnCanvas *canvas, float share);
void crafty_hud_draw(CraftyHud *hud, CnCanvas *canvas, const CraftyHudView *view);

#endif

/* Over the picture: a cross where one aims, lines for F3, and the settings (F4). */
#ifndef CRAFTY_CLIENT_MENU_H
#define CRAFTY_CLIENT_MENU_H

#include "land.h"
#include "quality.h"

#include <cairn/engine.h>

typedef struct CraftyMenu {
    bool is_open;
    bool was_held; /* the key that opens it */
} CraftyMenu;

typedef struct CraftyMenuView {
    CraftySettings *settings; /* what is switched there is written */
    const CraftyLand *land;
    CnVec3 eye;
    bool aims; /* the mouse is the player's */
} CraftyMenuView;

/* In before_frame of an engine with a window. */
void crafty_menu_frame(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view);

#endif

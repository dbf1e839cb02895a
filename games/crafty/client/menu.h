/*
 * Windows over the picture, one at a time: a pause (escape, or when the window is left), settings (F4), all blocks to
 * choose from (B). While one is open the mouse is not the player's; who closes it plays on.
 */
#ifndef CRAFTY_CLIENT_MENU_H
#define CRAFTY_CLIENT_MENU_H

#include "icons.h"
#include "options.h"

#include <cairn/engine.h>

typedef enum CraftyMenuPage {
    CRAFTY_MENU_CLOSED,
    CRAFTY_MENU_PAUSE,
    CRAFTY_MENU_SETTINGS,
    CRAFTY_MENU_BLOCKS
} CraftyMenuPage;

typedef struct CraftyMenu {
    CraftyMenuPage page;
    uint32_t shown;                       /* frames, of this page */
    bool was_focused;                     /* the window */
    float sensitivity;                    /* of the mouse; 1 is as usual */
    char search[32];                      /* for a block */
    char trouble[CN_ERROR_MESSAGE_BYTES]; /* why what was chosen last cannot be; "": it can */
} CraftyMenu;

typedef struct CraftyMenuView {
    CnEntity player; /* the eye; on a tour without CraftyPlayer */
    CraftyQuality *quality;
    CraftySettings *settings; /* what is chosen is written */
    uint64_t refused;         /* meshes that found no room */
    const CraftyIcons *icons;
} CraftyMenuView;

/* In before_frame of an engine with a window. True: quality or effects have changed, and what draws is to follow. */
bool crafty_menu_frame(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view);

#endif

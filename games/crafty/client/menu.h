/*
 * Menu windows, one at a time: pause menu (Escape, or when the window loses focus), settings (F4)
 * and item list (B). While a menu is open the mouse is released; closing it resumes the game.
 * Choices that concern the simulation are sent as commands.
 *
 * Pause menu and settings stop the ticks of a world with a single player, as soon as the mouse is
 * released. The picture is still drawn, and commands are applied when the game goes on.
 */
#ifndef CRAFTY_CLIENT_MENU_H
#define CRAFTY_CLIENT_MENU_H

#include "crafty/sim/connection.h"
#include "icons.h"
#include "lens.h"
#include "options.h"

#include <cairn/engine.h>

typedef enum CraftyMenuPage {
    CRAFTY_MENU_CLOSED,
    CRAFTY_MENU_PAUSE,
    CRAFTY_MENU_SETTINGS,
    CRAFTY_MENU_ITEMS
} CraftyMenuPage;

typedef struct CraftyMenu {
    CraftyMenuPage page;
    uint32_t shown;                          /* number of frames this page has been open */
    bool was_focused;                        /* the window had focus */
    bool asked_captured;                     /* last CRAFTY_COMMAND_CAPTURE */
    uint64_t asked_tick;                     /* tick that applies it, plus 1; 0: never sent */
    bool is_paused;                          /* the ticks are stopped */
    bool quits;                              /* the player wants to leave the game */
    bool leaves_world;                       /* the player wants to go to the list of worlds */
    float sensitivity;                       /* of the mouse; 1 is the default */
    float sent_sensitivity;                  /* that the simulation has; 0: not known */
    char search[32];                         /* text of the item search */
    char error_text[CN_ERROR_MESSAGE_BYTES]; /* error of the last change; empty if it succeeded */
} CraftyMenu;

typedef struct CraftyMenuView {
    CnEntity player; /* the camera; has no CraftyPlayer during a tour */
    bool is_alone;   /* no other player is in the world: it can be paused */
    const CraftyItems *items;
    bool has_list;                /* there is a list of worlds to go to */
    const char *save_text;        /* what the pause menu says about saving; NULL: nothing */
    const char *bindings;         /* file with the player's bindings; NULL: the default ones */
    CraftyConnection *connection; /* of the player */
    CraftyLens *lens;             /* receives the field of view */
    CraftyQuality *quality;
    CraftySettings *settings; /* receives the player's choices */
    uint64_t refused;         /* meshes refused for lack of space */
    const CraftyIcons *icons;
} CraftyMenuView;

/* Closes the menu, for another world. Settings stay. */
void crafty_menu_reset(CraftyMenu *menu);
/* Sends the player's settings to a world that was opened. `is_saved`: it has settings of its own,
 * which they replace; otherwise it has the default ones. */
void crafty_menu_send_settings(CraftyMenu *menu, CraftyConnection *connection, bool is_saved);
/* Draws the open menu; call in before_frame of an engine with a window. Returns true if the quality
 * or the effects have changed and the renderer must be updated. */
bool crafty_menu_frame(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view);

#endif

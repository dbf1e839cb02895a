/*
 * Actions of the client: what opens menus and changes the view. They have bindings in the same file
 * as the actions of the simulation (sim/actions.h), but are not sent.
 *
 *     if (crafty_controls_pressed(controls, engine, CRAFTY_CLIENT_INVENTORY)) // controls.h
 *         open_inventory();
 */
#ifndef CRAFTY_CLIENT_CLIENT_ACTIONS_H
#define CRAFTY_CLIENT_CLIENT_ACTIONS_H

#include <cairn/input.h>

typedef enum CraftyClientAction {
    CRAFTY_CLIENT_MENU,       /* "menu": Escape, Start */
    CRAFTY_CLIENT_INVENTORY,  /* "inventory": E and B, Y */
    CRAFTY_CLIENT_CHAT,       /* "chat": T, Back */
    CRAFTY_CLIENT_COMMAND,    /* "chat_command": slash */
    CRAFTY_CLIENT_VIEW,       /* "change_view": F5, D-pad up */
    CRAFTY_CLIENT_HIDE,       /* "hide_interface": F1 */
    CRAFTY_CLIENT_SETTINGS,   /* "settings": F4 */
    CRAFTY_CLIENT_OVERLAY,    /* "debug_info": F3 */
    CRAFTY_CLIENT_SCREENSHOT, /* "screenshot": F2 */
    CRAFTY_CLIENT_FULLSCREEN, /* "fullscreen": F11 */
    CRAFTY_CLIENT_ACTION_COUNT
} CraftyClientAction;

/* Static: any thread, valid forever. In the order of CraftyClientAction. */
CnActionList crafty_client_actions(void);
/* Returns what a person calls an action of the client or of the simulation, such as "Break"; the
 * name itself if it has no title. */
const char *crafty_action_title(const char *name);

#endif

/*
 * Menu windows, one at a time: pause menu (Escape, Start, or when the window loses focus), settings
 * (F4, settings_screen.h), what the player has open (inventory_screen.h), dialogs of mods and the
 * screen of a dead player. While a menu is open the mouse is released; closing it resumes the game.
 * Choices that concern the simulation are sent as commands.
 *
 * Pause menu and settings stop the ticks of a world with a single player, as soon as the mouse is
 * released. The picture is still drawn, and commands are applied when the game goes on.
 */
#ifndef CRAFTY_CLIENT_MENU_H
#define CRAFTY_CLIENT_MENU_H

#include "chat_screen.h"
#include "crafty/sim/connection.h"
#include "death_screen.h"
#include "inventory_screen.h"
#include "item_icons.h"
#include "mod_dialog.h"
#include "mod_errors.h"
#include "settings_screen.h"

#include <cairn/engine.h>

typedef enum CraftyMenuPage {
    CRAFTY_MENU_CLOSED,
    CRAFTY_MENU_PAUSE,
    CRAFTY_MENU_SETTINGS,
    CRAFTY_MENU_INVENTORY, /* also a crafting table, a crate, a furnace or a sign */
    CRAFTY_MENU_DEATH,
    CRAFTY_MENU_CHAT,
    CRAFTY_MENU_DIALOG /* of a mod */
} CraftyMenuPage;

typedef struct CraftyMenu {
    CraftyMenuPage page;
    uint32_t shown;         /* number of frames this page has been open */
    bool was_focused;       /* the window had focus */
    bool asked_captured;    /* last CRAFTY_COMMAND_CAPTURE */
    uint64_t asked_tick;    /* tick that applies it, plus 1; 0: never sent */
    bool is_paused;         /* the ticks are stopped */
    bool quits;             /* the player wants to leave the game */
    bool leaves_world;      /* the player wants to go to the list of worlds */
    bool hides_interface;   /* neither HUD nor hand nor chat lines; menus that are opened appear */
    float sent_sensitivity; /* that the simulation has; 0: not known */
    uint32_t sent_bits;     /* CRAFTY_PREFERS_... that it has; UINT32_MAX: not known */
    CraftyInventoryScreen inventory;
    CraftyDeathScreen death;
    CraftyModDialogScreen dialog;
    CraftySettingsScreen settings;
} CraftyMenu;

typedef struct CraftyMenuView {
    CnEntity player;               /* the camera; has no CraftyPlayer during a tour */
    bool is_alone;                 /* no other player is in the world: it can be paused */
    bool has_list;                 /* there is a list of worlds to go to */
    const char *save_text;         /* what the pause menu says about saving; NULL: nothing */
    CraftyConnection *connection;  /* of the player */
    CraftyChatScreen *chat;        /* NULL: there is no chat */
    CraftyModErrors *mod_errors;   /* NULL: there are no mods */
    const CraftyModDialog *dialog; /* that a mod asks; NULL: there are no mods */
    CraftySettingsView settings;
    const CraftyItemIcons *icons;
} CraftyMenuView;

/* Closes the menu, for another world. Settings stay. */
void crafty_menu_reset(CraftyMenu *menu);
/* Sends the player's settings to a world that was opened. `is_saved`: it has settings of its own,
 * which they replace; otherwise it has the default ones. */
void crafty_menu_send_settings(CraftyMenu *menu, CraftyConnection *connection,
                               const CraftyPreferences *preferences, bool is_saved);
/* Draws the open menu; call in before_frame of an engine with a window. Returns true if the quality
 * or the effects have changed and the renderer must be updated. */
bool crafty_menu_frame(CraftyMenu *menu, CnEngine *engine, const CraftyMenuView *view);

#endif

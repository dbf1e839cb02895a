/*
 * What a window shows while no world is open: the title, the settings or the list of worlds
 * (world_screen.h), and the loading screen while the chosen one is opened. A world that cannot be
 * opened leads back to the list, with the reason.
 *
 *     crafty_world_menu_create(crafty, &error); // at the start; the list is read when it is shown
 *     crafty_world_menu_frame(crafty);          // in before_frame, without a world
 *     crafty_world_menu_end(crafty);            // between frames: opens the chosen world
 *     crafty_world_menu_destroy(crafty);
 */
#ifndef CRAFTY_CLIENT_WORLD_MENU_H
#define CRAFTY_CLIENT_WORLD_MENU_H

#include "opening.h"
#include "title_screen.h"
#include "world_screen.h"

typedef struct Crafty Crafty;

typedef enum CraftyWorldMenuPage {
    CRAFTY_WORLD_MENU_TITLE,
    CRAFTY_WORLD_MENU_SETTINGS,
    CRAFTY_WORLD_MENU_LIST
} CraftyWorldMenuPage;

typedef struct CraftyWorldMenu {
    CraftyWorldScreen *screen; /* NULL: there is no list, as in a tour */
    CraftyWorldMenuPage page;
    CraftyTitleScreen title;
    bool wants_new; /* open the dialog for a new world */
    CraftyWorldScreenEvent event;
    bool is_shown;                  /* the list was read since the last world was closed */
    bool is_opening;                /* the loading screen is drawn */
    CraftyOpening *opening;         /* of the chosen world; NULL: not begun */
    float opening_seconds;          /* since it was chosen */
    CnError open_error;             /* of the world that is being closed; code CN_OK: none */
    char path[CN_STORE_PATH_BYTES]; /* of the world that was last opened */
} CraftyWorldMenu;

/* Creates the list, unless the options want none. */
bool crafty_world_menu_create(Crafty *crafty, CnError *error);
void crafty_world_menu_destroy(Crafty *crafty);
void crafty_world_menu_frame(Crafty *crafty);
void crafty_world_menu_end(Crafty *crafty);
/* Shows the loading screen and opens a world; there is a list. */
void crafty_world_menu_open(Crafty *crafty, const char *path);
/* The open world cannot be shown: closes it and returns to the list with the error. Without a list,
 * prints the error and ends the program. */
void crafty_world_menu_fail(Crafty *crafty, const CnError *error);

#endif

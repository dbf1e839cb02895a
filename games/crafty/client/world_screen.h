/*
 * The list of worlds: play, create, rename, copy, back up, restore and delete. It is shown when the
 * program starts without a world, and after a world was closed.
 *
 *     CraftyWorldScreen *screen = crafty_world_screen_create(folder, NULL, &error);
 *     crafty_world_screen_show(screen, NULL, NULL);
 *     // ... in before_frame:
 *     if (crafty_world_screen_frame(screen, engine, landscape) == CRAFTY_WORLD_SCREEN_PLAY)
 *         open(crafty_world_screen_chosen(screen));
 *     crafty_world_screen_destroy(screen, engine);
 *
 * Files are read and written on a thread (world_task.h), so the window always answers. Frames in
 * which nothing changes do not allocate.
 */
#ifndef CRAFTY_CLIENT_WORLD_SCREEN_H
#define CRAFTY_CLIENT_WORLD_SCREEN_H

#include "crafty/save/worlds.h"
#include "title_screen.h"

#include <cairn/engine.h>

typedef enum CraftyWorldScreenEvent {
    CRAFTY_WORLD_SCREEN_STAYS,
    CRAFTY_WORLD_SCREEN_PLAY, /* open crafty_world_screen_chosen; nothing here uses its file */
    CRAFTY_WORLD_SCREEN_BACK  /* to the title */
} CraftyWorldScreenEvent;

typedef struct CraftyWorldScreen CraftyWorldScreen;

/* `folder` is that of the worlds; it need not exist. `allocator` is thread-safe; NULL: the system
 * allocator. Returns NULL and an error when out of memory. */
CraftyWorldScreen *crafty_world_screen_create(const char *folder, CnAllocator *allocator,
                                              CnError *error);
/* `engine` is that of the frames. NULL is ignored. */
void crafty_world_screen_destroy(CraftyWorldScreen *screen, CnEngine *engine);

/* Reads the list again, before the screen is shown. `path` is the world to select; NULL: as
 * before. `error` says why that world could not be opened or saved; NULL: nothing failed. */
void crafty_world_screen_show(CraftyWorldScreen *screen, const char *path, const CnError *error);
/* Lets the list look for mods in the player's folder and in that of --mods; either may be NULL.
 * Call it before the screen is shown. */
void crafty_world_screen_set_mods(CraftyWorldScreen *screen, const char *folder, const char *extra);
/* Sets the game mode with which the dialog for a new world begins; survival is the default. */
void crafty_world_screen_set_mode(CraftyWorldScreen *screen, CraftyPlayerMode mode);
/* Opens the dialog that creates a world. */
void crafty_world_screen_offer(CraftyWorldScreen *screen);
/* Draws the screen and reacts to input; call in before_frame. `landscape` is drawn behind it. */
CraftyWorldScreenEvent crafty_world_screen_frame(CraftyWorldScreen *screen, CnEngine *engine,
                                                 CraftyLandscape landscape);
/* Returns the path of the world to play, valid until the next frame. */
const char *crafty_world_screen_chosen(const CraftyWorldScreen *screen);

#endif

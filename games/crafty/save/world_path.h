/*
 * Where worlds are: <name>.crafty in a folder, which is $XDG_DATA_HOME/crafty/worlds or
 * ~/.local/share/crafty/worlds.
 *
 *     char path[CN_STORE_PATH_BYTES];
 *     crafty_world_path("Home", NULL, path, &error); // .../crafty/worlds/Home.crafty
 */
#ifndef CRAFTY_SAVE_WORLD_PATH_H
#define CRAFTY_SAVE_WORLD_PATH_H

#include <cairn/base/error.h>
#include <cairn/store/table.h>

#define CRAFTY_WORLD_SUFFIX ".crafty"

/* Writes the path of the folder of worlds. Returns false and an error if neither XDG_DATA_HOME nor
 * HOME is an absolute path. */
bool crafty_worlds_folder(char path[CN_STORE_PATH_BYTES], CnError *error);
/* Writes the path of a world. `world` is a name, or a path if it contains '/' or ends with
 * CRAFTY_WORLD_SUFFIX. `folder` is that of names; NULL: crafty_worlds_folder. Returns false and an
 * error if the name is not valid: 1 to 63 bytes of UTF-8 without control characters that do not
 * begin with a dot. */
bool crafty_world_path(const char *world, const char *folder, char path[CN_STORE_PATH_BYTES],
                       CnError *error);

#endif

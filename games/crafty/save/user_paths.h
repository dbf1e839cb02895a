/*
 * The folders of the player's own files: settings in $XDG_CONFIG_HOME/crafty or ~/.config/crafty,
 * worlds and mods in $XDG_DATA_HOME/crafty or ~/.local/share/crafty.
 */
#ifndef CRAFTY_SAVE_USER_PATHS_H
#define CRAFTY_SAVE_USER_PATHS_H

#include <cairn/base/error.h>

/* Writes the path of a file in the folder of settings, which need not exist. Returns false if
 * neither XDG_CONFIG_HOME nor HOME is set, or if the path is too long. */
bool crafty_config_path(const char *file, char *path, size_t path_bytes);
/* Writes the path of a file or folder in the folder of data. Returns false and an error that names
 * the option `option` if neither XDG_DATA_HOME nor HOME is an absolute path, or if the path is too
 * long. */
bool crafty_data_path(const char *file, const char *option, char *path, size_t path_bytes,
                      CnError *error);

#endif

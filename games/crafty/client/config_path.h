/* The folder of the player's own files: crafty in the folder XDG_CONFIG_HOME, or in ~/.config. */
#ifndef CRAFTY_CLIENT_CONFIG_PATH_H
#define CRAFTY_CLIENT_CONFIG_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of a file in this folder, which need not exist. Returns false if neither
 * XDG_CONFIG_HOME nor HOME is set, or if the path is too long. */
bool crafty_config_path(const char *file, char *path, size_t path_bytes);

#endif

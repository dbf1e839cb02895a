/* The settings of the program: file, command line, and the paths that follow from them. */
#ifndef CRAFTY_SERVER_SERVER_SETTINGS_H
#define CRAFTY_SERVER_SERVER_SETTINGS_H

#include "options.h"
#include "settings.h"

#include "crafty/save/world_files.h"

typedef struct CraftyServerPaths {
    char worlds[CN_STORE_PATH_BYTES]; /* a folder */
    char accounts[CN_STORE_PATH_BYTES], key[CN_STORE_PATH_BYTES];
} CraftyServerPaths;

/* Reads the file of --config, and what the command line sets. */
bool crafty_server_settings_load(CraftyServerSettings *settings, const CraftyServerOptions *options,
                                 CraftySettingsProblems *problems);
/* Without settings, everything is in the folder of the first world. */
bool crafty_server_paths_find(CraftyServerPaths *paths, const CraftyServerSettings *settings,
                              CnError *error);
/* Writes the path, or the URI, of a world. */
bool crafty_server_world_path(const CraftyServerPaths *paths, const CraftyWorldSettings *world,
                              char path[CN_STORE_PATH_BYTES], CnError *error);
void crafty_server_print_problems(const CraftySettingsProblems *problems);
/* Opens the log, or changes it, as the settings say. */
bool crafty_server_open_log(const CraftyServerSettings *settings, CnError *error);

#endif

/*
 * The mods that come with the program, which are those of mods/examples. None is enabled by
 * default. The build folder has a link to their sources where an installation has the files.
 *
 *     char folder[CN_FILE_PATH_BYTES];
 *     if (crafty_program_mods_folder(folder))
 *         // "/usr/share/crafty/mods" if the program is /usr/bin/crafty
 */
#ifndef CRAFTY_MODS_PROGRAM_MODS_H
#define CRAFTY_MODS_PROGRAM_MODS_H

#include <cairn/base/file.h>

/* Writes the folder, which may be missing: ../share/crafty/mods, seen from the folder of the
 * program. Returns false if the system does not say where the program is. */
bool crafty_program_mods_folder(char path[CN_FILE_PATH_BYTES]);

#endif

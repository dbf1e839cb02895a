/*
 * The settings of a player, kept in a file: settings.json in the folder of save/user_paths.h.
 *
 *     CraftySettingsFile file;
 *     crafty_settings_file_load(&file, cn_native_files(), path, &problems);
 *     if (crafty_choices_note(&file.choices, &before, &after)) // after each frame of the menu
 *         file.is_changed = true;
 *     crafty_settings_file_save(&file, &error);                // when the menu is closed
 *     crafty_settings_file_close(&file);
 *
 * Nothing that a person wrote is lost: before a file with values that are not valid is replaced,
 * it is copied to settings.json.bad, and a file that cannot be read is never replaced.
 */
#ifndef CRAFTY_CLIENT_SETTINGS_FILE_H
#define CRAFTY_CLIENT_SETTINGS_FILE_H

#include "choices.h"

#include <cairn/base/file.h>

typedef struct CraftySettingsFile {
    CnFileSystem *files;
    char path[CN_FILE_PATH_BYTES]; /* empty: settings are not kept */
    CraftyChoices choices;
    CnTextBuilder text; /* of the file */
    bool is_changed;    /* since the file was read or written */
    bool is_bad;        /* the file has problems */
} CraftySettingsFile;

/* Loads the file, which may be missing. Appends a line for each problem. NULL: settings are not
 * kept. */
void crafty_settings_file_load(CraftySettingsFile *file, CnFileSystem *files, const char *path,
                               CnTextBuilder *problems);
/* Writes the choices if they have changed. The file is replaced as a whole. After an error the
 * next call tries again. */
bool crafty_settings_file_save(CraftySettingsFile *file, CnError *error);
void crafty_settings_file_close(CraftySettingsFile *file);

#endif

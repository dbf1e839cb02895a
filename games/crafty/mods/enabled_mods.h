/*
 * The mods that a player has enabled, kept in the file mods.json of the folder of settings: those
 * of new worlds. A world that was played keeps its own list (crafty/save/world_mods.h).
 *
 *     CraftyEnabledMods enabled;
 *     if (crafty_enabled_mods_load(&enabled, cn_native_files(), path, &error)) {
 *         crafty_enabled_mods_add(&enabled, "castle");
 *         crafty_enabled_mods_save(&enabled, cn_native_files(), path, &error);
 *     }
 *
 *     {"version": 1, "enabled": ["bees", "castle"]}
 */
#ifndef CRAFTY_MODS_ENABLED_MODS_H
#define CRAFTY_MODS_ENABLED_MODS_H

#include "mod_manifest.h"

#include <cairn/base/file.h>

#define CRAFTY_ENABLED_MODS_MAX 64u
#define CRAFTY_ENABLED_MODS_FILE "mods.json"

typedef struct CraftyEnabledMods {
    char names[CRAFTY_ENABLED_MODS_MAX][CRAFTY_MOD_NAME_BYTES]; /* in byte order */
    uint32_t count;
} CraftyEnabledMods;

/* Reads the file; without one, nothing is enabled. Returns false and an error with line and column
 * if it is damaged; nothing is enabled then. */
bool crafty_enabled_mods_load(CraftyEnabledMods *enabled, CnFileSystem *files, const char *path,
                              CnError *error);
/* Replaces the file as a whole, and creates its folder. */
bool crafty_enabled_mods_save(const CraftyEnabledMods *enabled, CnFileSystem *files,
                              const char *path, CnError *error);
/* Reads the text of the file. */
bool crafty_enabled_mods_read(CraftyEnabledMods *enabled, const char *file, CnText text,
                              CnError *error);

bool crafty_enabled_mods_has(const CraftyEnabledMods *enabled, const char *name);
/* Returns false if the list is full. */
bool crafty_enabled_mods_add(CraftyEnabledMods *enabled, const char *name);
void crafty_enabled_mods_remove(CraftyEnabledMods *enabled, const char *name);

#endif

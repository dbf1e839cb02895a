/*
 * The mods that could run, for lists that people choose from.
 *
 *     CraftyInstalledMods mods;
 *     if (crafty_installed_mods_list(&mods, "/home/me/.local/share/crafty/mods", NULL, &error))
 *         for (uint32_t i = 0; i < mods.count; i++)
 *             cn_print("%s %s", mods.items[i].title, mods.items[i].version);
 *     crafty_installed_mods_free(&mods);
 */
#ifndef CRAFTY_MODS_INSTALLED_MODS_H
#define CRAFTY_MODS_INSTALLED_MODS_H

#include "crafty/save/world_mods.h"
#include "mod_set.h"

#define CRAFTY_PERMISSIONS_TEXT_BYTES 512u

typedef struct CraftyInstalledMod {
    char name[CRAFTY_MOD_NAME_BYTES];
    char title[CRAFTY_MOD_TITLE_BYTES];
    char version[CRAFTY_VERSION_BYTES];
    char description[CRAFTY_MOD_DESCRIPTION_BYTES];
    uint32_t permissions; /* bits by CraftyModPermission */
    bool is_enabled;      /* for new worlds, by the player's list */
    bool is_extra;        /* of --mods: it runs in any case */
} CraftyInstalledMod;

typedef struct CraftyInstalledMods {
    CraftyInstalledMod *items; /* in byte order of the names */
    uint32_t count;
} CraftyInstalledMods;

/* Finds the mods of the program (program_mods.h), of the player's folder and of --mods; the latter
 * two may be NULL, and replace mods of the same name. Broken mods are left out. Returns false and
 * an error when out of memory; free the list in either case. */
bool crafty_installed_mods_list(CraftyInstalledMods *mods, const char *folder, const char *extra,
                                CnError *error);
void crafty_installed_mods_free(CraftyInstalledMods *mods);
/* Returns NULL if the mod is not installed. */
const CraftyInstalledMod *crafty_installed_mods_find(const CraftyInstalledMods *mods,
                                                     const char *name);

/* Writes what permissions allow, as a sentence about a mod. */
void crafty_permissions_text(uint32_t permissions, char *text, size_t text_bytes);
/* Writes names of mods, such as "bees, castle and 2 more", as long as they fit into about half of
 * the text. */
void crafty_world_mods_text(const CraftyWorldMods *mods, char *text, size_t text_bytes);
/* Writes the mods of a world that are not installed, with their versions, and returns how many they
 * are. */
uint32_t crafty_world_mods_missing(const CraftyWorldMods *mods,
                                   const CraftyInstalledMods *installed, char *text,
                                   size_t text_bytes);

#endif

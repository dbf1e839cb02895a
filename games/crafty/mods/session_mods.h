/*
 * Which mods run in a session, and what becomes of the list of mods in its world.
 *
 *     CraftySessionModsDesc desc = {.extra = options->mods, .save = save};
 *     CraftySessionMods *mods = crafty_session_mods_create(&desc, &error);
 *     CraftyMods *code = crafty_session_mods_code(mods); // for CraftyWorldDesc and CraftySimDesc
 *     // crafty_session_mods_set(mods) are the mods; crafty_session_mods_missing says what is gone
 *     crafty_session_mods_destroy(mods);
 *
 * Mods are found in the folder of the program (program_mods.h) and in that of the player, whose
 * mods come first. A world that was played runs the mods of its list; a new one those that the
 * player has enabled. A world that is not saved has none. Mods of `--mods DIR` run in any case, and
 * are added to the list. A mod of the list that does not run, because it is missing, broken or
 * switched off by
 * `--no-mods`, stays in the list: nothing of it is lost.
 */
#ifndef CRAFTY_MODS_SESSION_MODS_H
#define CRAFTY_MODS_SESSION_MODS_H

#include "crafty/save/save.h"
#include "mod_sources.h"

typedef enum CraftyModChange {
    CRAFTY_MOD_IS_MISSING, /* it does not run */
    CRAFTY_MOD_IS_OLDER,   /* than the version with which the world was saved last */
    CRAFTY_MOD_IS_NEWER,
    CRAFTY_MOD_IS_DIFFERENT, /* the same version with other files */
    CRAFTY_MOD_IS_ADDED      /* the world was saved without it */
} CraftyModChange;

/* How a mod differs from the list of a world or a recording. */
typedef struct CraftyModDifference {
    CraftyModChange change;
    char name[CRAFTY_MOD_NAME_BYTES];
    char listed[CRAFTY_VERSION_BYTES];  /* version; empty if it is added */
    char running[CRAFTY_VERSION_BYTES]; /* empty if it is missing */
} CraftyModDifference;

typedef struct CraftySessionModsDesc {
    const char *folder; /* of mods; NULL: $XDG_DATA_HOME/crafty/mods */
    const char *extra;  /* --mods: a further folder, all of whose mods run; NULL: none */
    bool without;       /* --no-mods: none run */
    CraftySave *save;   /* NULL: the world is not saved */
    /* Of a recording, whose mods must run as they were, and no others; NULL: none. */
    const CraftyWorldMods *recorded;
} CraftySessionModsDesc;

typedef struct CraftySessionMods CraftySessionMods;

/* Finds the mods, runs their definitions, writes problems to the log, and sets the list of the
 * save. Returns NULL and an error when out of memory, if the world would have too many mods, or if
 * a mod of a recording is missing or has other files. */
CraftySessionMods *crafty_session_mods_create(const CraftySessionModsDesc *desc, CnError *error);
/* NULL is ignored. */
void crafty_session_mods_destroy(CraftySessionMods *mods);

/* Returns the mods as they run, with the standard content, for the world and the simulation, which
 * must be destroyed before. */
CraftyMods *crafty_session_mods_code(CraftySessionMods *mods);
const CraftyModSet *crafty_session_mods_set(const CraftySessionMods *mods);
/* Runs the changed files of a mod, and of those that depend on it, in place of the old ones
 * (crafty_mods_reload), and changes the lists of the session and the save. The list for recordings
 * changes: a recording holds one version of each mod, so end it before and begin another one after.
 */
bool crafty_session_mods_reload(CraftySessionMods *mods, CraftySave *save, const char *name,
                                bool *changes_content, CnError *error);
/* Returns the mods that run, for recordings. */
const CraftyWorldMods *crafty_session_mods_running(const CraftySessionMods *mods);
uint32_t crafty_session_mods_difference_count(const CraftySessionMods *mods);
const CraftyModDifference *crafty_session_mods_difference(const CraftySessionMods *mods,
                                                          uint32_t number);
/* Returns the mods that are missing from the session as a text such as "bees 2.1.0, castle 1.0.0",
 * and their number. */
uint32_t crafty_session_mods_missing(const CraftySessionMods *mods, char *text, size_t text_bytes);
/* Writes a sentence about a difference. */
void crafty_mod_difference_text(const CraftyModDifference *difference, char *text,
                                size_t text_bytes);

/* Writes the folder of the player's mods. */
bool crafty_mods_folder(char path[CN_FILE_PATH_BYTES], CnError *error);
/* Writes the path of the file of enabled mods. */
bool crafty_mods_enabled_path(char path[CN_FILE_PATH_BYTES], CnError *error);

#endif

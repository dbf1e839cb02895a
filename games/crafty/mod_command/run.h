/* A run of `crafty mod`, and its actions. */
#ifndef CRAFTY_MOD_COMMAND_RUN_H
#define CRAFTY_MOD_COMMAND_RUN_H

#include "crafty/mods/mod_set.h"
#include "crafty/save/worlds.h"
#include "options.h"

typedef struct CraftyModRun {
    const CraftyModOptions *options;
    char own[CN_FILE_PATH_BYTES];     /* the folder of the player's mods */
    char program[CN_FILE_PATH_BYTES]; /* of mods that are installed with the program; may be "" */
    bool found_mistakes;              /* the exit status is 1 */
} CraftyModRun;

/* Finds mods in the player's folder, among those of the program and, unless it is NULL, in `extra`,
 * all of whose mods run. */
CraftyModSet *crafty_mod_run_find(const CraftyModRun *run, const char *extra,
                                  const char *const *enabled, uint32_t enabled_count,
                                  CnError *error);
/* Prints a problem as "castle: castle/main.lua:3: message". `set` may be NULL; otherwise, places
 * of the mods' file system become places on the disk. */
void crafty_mod_run_print(const CraftyModSet *set, const char *name, const char *native,
                          const CnError *problem, bool is_warning);

/* Return false and an error if the action failed. */
bool crafty_mod_list_action(CraftyModRun *run, CnError *error);
bool crafty_mod_new_action(CraftyModRun *run, CnError *error);
bool crafty_mod_check_action(CraftyModRun *run, CnError *error);
bool crafty_mod_enable_action(CraftyModRun *run, CnError *error);
bool crafty_mod_disable_action(CraftyModRun *run, CnError *error);
bool crafty_mod_pack_action(CraftyModRun *run, CnError *error);
bool crafty_mod_annotations_action(CraftyModRun *run, CnError *error);

/* ---- annotations.c ---- */

/* Writes what the game offers into a folder, for editors with a Lua language server. */
bool crafty_mod_write_annotations(const char *folder, CnError *error);

/* Writes the path of the world that --world names. */
bool crafty_mod_run_world(const CraftyModRun *run, char path[CN_STORE_PATH_BYTES], CnError *error);

#endif

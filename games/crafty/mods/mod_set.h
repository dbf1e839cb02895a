/*
 * The mods of a session: found in folders, checked, and ordered so that each one comes after those
 * that it depends on.
 *
 *     CraftyModFolder folders[] = {{.path = "/home/me/.local/share/crafty/mods"},
 *                                  {.path = "mods", .is_enabled = true}}; // --mods mods
 *     CraftyModSet *set = crafty_mod_set_create(
 *         &(CraftyModSetDesc){.folders = folders, .folder_count = 2}, &error);
 *     for (uint32_t i = 0; i < crafty_mod_set_count(set); i++) {
 *         const CraftyMod *mod = crafty_mod_set_at(set, i);
 *         // load mod->entry, such as "mods://castle/main.lua", from crafty_mod_set_files(set)
 *     }
 *     crafty_mod_set_destroy(set);
 *
 * The order is that of the dependencies, and of the names (in byte order) among mods that do not
 * depend on each other; it depends on nothing else. A mod that is broken, too old or too new, or
 * whose dependencies are missing does not run, and neither do mods that depend on it; each has a
 * problem that says why. That is never an error: worlds open without these mods.
 *
 * Only reading; a set may be used by several threads.
 */
#ifndef CRAFTY_MODS_MOD_SET_H
#define CRAFTY_MODS_MOD_SET_H

#include "mod_manifest.h"

#include <cairn/base/file.h>

#define CRAFTY_MOD_SCHEME "mods"
#define CRAFTY_MOD_PATH_BYTES 64u
#define CRAFTY_MAX_MODS 256u /* in all folders together */

typedef struct CraftyMod {
    CraftyModManifest manifest;
    CnOrigin origin;                   /* CN_ORIGIN_FOREIGN, except for mods of the program */
    char root[CRAFTY_MOD_PATH_BYTES];  /* "mods://castle" */
    char entry[CRAFTY_MOD_PATH_BYTES]; /* "mods://castle/main.lua" */
    char native[CN_FILE_PATH_BYTES];   /* the folder or archive */
    bool is_archive;
    uint64_t size_bytes, hash; /* of its files, see crafty_mod_measure; 0 unless it runs */
    /* Mods of the set that it may `require`: numbers in the set, smaller than its own. */
    uint32_t dependencies[CRAFTY_MOD_MAX_RELATIONS];
    uint32_t dependency_count;
} CraftyMod;

/* Why a mod does not run, or what else is wrong in a folder of mods. */
typedef struct CraftyModProblem {
    char name[CRAFTY_MOD_NAME_BYTES]; /* of the mod; empty if its mod.json cannot be read */
    char native[CN_FILE_PATH_BYTES];  /* where it is; empty: nowhere */
    bool is_warning;                  /* the mod runs nevertheless, or another of its name does */
    CnError error;
} CraftyModProblem;

typedef struct CraftyModFolder {
    const char *path; /* contains a folder or zip archive for each mod; may be missing */
    CnOrigin origin;  /* 0 selects CN_ORIGIN_FOREIGN: only the program's own mods have another */
    bool is_enabled;  /* all its mods are enabled */
    bool is_required; /* that the folder is missing is a problem */
} CraftyModFolder;

typedef struct CraftyModSetDesc {
    CnAllocator *allocator; /* thread-safe; NULL: the system allocator */
    /* A mod of a later folder replaces one of the same name of an earlier folder. In one folder,
     * the first in byte order of the file names is used. */
    const CraftyModFolder *folders;
    uint32_t folder_count;
    /* Names of further mods to run. What they depend on runs, too. */
    const char *const *enabled;
    uint32_t enabled_count;
} CraftyModSetDesc;

typedef struct CraftyModSet CraftyModSet;

/* Returns NULL and an error only when out of memory. */
CraftyModSet *crafty_mod_set_create(const CraftyModSetDesc *desc, CnError *error);
/* NULL is ignored. */
void crafty_mod_set_destroy(CraftyModSet *set);

/* The mods that run, in the order in which they are loaded. */
uint32_t crafty_mod_set_count(const CraftyModSet *set);
const CraftyMod *crafty_mod_set_at(const CraftyModSet *set, uint32_t number);
/* Returns NULL if no mod of this name runs. */
const CraftyMod *crafty_mod_set_find(const CraftyModSet *set, const char *name);
/* Returns the file system in which the mods of the set are mounted, each as its `root`. */
CnFileSystem *crafty_mod_set_files(const CraftyModSet *set);

/* All usable mods of the folders, in byte order of their names, whether they run or not. */
uint32_t crafty_mod_set_found_count(const CraftyModSet *set);
const CraftyMod *crafty_mod_set_found(const CraftyModSet *set, uint32_t number);

/* Adds up the sizes of all files of a mod, and hashes their names and content in byte order of the
 * names: a folder and an archive with the same files have the same hash. Files and folders whose
 * names begin with a dot are not part of a mod. */
bool crafty_mod_measure(const CraftyModSet *set, const CraftyMod *mod, uint64_t *size_bytes,
                        uint64_t *hash, CnError *error);

uint32_t crafty_mod_set_problem_count(const CraftyModSet *set);
const CraftyModProblem *crafty_mod_set_problem(const CraftyModSet *set, uint32_t number);
/* Writes each problem to the log. */
void crafty_mod_set_log(const CraftyModSet *set);

#endif

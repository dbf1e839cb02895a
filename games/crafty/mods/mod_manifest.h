/*
 * mod.json: what a mod says about itself. docs/mods.md describes the file.
 *
 *     CraftyModManifest manifest;
 *     if (crafty_mod_manifest_read(&manifest, "castle/mod.json", text, &error))
 *         cn_print("%s %s", manifest.title, manifest.version_text);
 *
 * Mods are written by strangers: the text is limited before it is parsed, and everything in it is
 * checked. Errors have file, line and column.
 */
#ifndef CRAFTY_MODS_MOD_MANIFEST_H
#define CRAFTY_MODS_MOD_MANIFEST_H

#include "crafty/sim/mod/mod_permission.h"
#include "version.h"

#define CRAFTY_MOD_FILE "mod.json"
#define CRAFTY_MOD_ENTRY "main.lua"
/* Version of what Crafty offers to mods; the key "game" of mod.json is a range of it. */
#define CRAFTY_MOD_API_VERSION "1.0.0"

#define CRAFTY_MOD_NAME_BYTES 33u /* with terminator; [a-z][a-z0-9_]{0,31} */
#define CRAFTY_MOD_TITLE_BYTES 64u
#define CRAFTY_MOD_DESCRIPTION_BYTES 512u
#define CRAFTY_MOD_AUTHORS_BYTES 256u
#define CRAFTY_MOD_LICENSE_BYTES 64u
#define CRAFTY_MOD_MAX_RELATIONS 32u /* dependencies, optional ones and conflicts together */
#define CRAFTY_MOD_MAX_BYTES (64u << 10)

typedef enum CraftyModRelationKind {
    CRAFTY_MOD_NEEDS,         /* "dependencies" */
    CRAFTY_MOD_OPTIONAL,      /* "optional_dependencies": loaded before this mod if it runs */
    CRAFTY_MOD_CONFLICTS_WITH /* "conflicts" */
} CraftyModRelationKind;

typedef struct CraftyModRelation {
    CraftyModRelationKind kind;
    char name[CRAFTY_MOD_NAME_BYTES];
    CraftyVersionRange range;
} CraftyModRelation;

typedef struct CraftyModManifest {
    char name[CRAFTY_MOD_NAME_BYTES];
    char title[CRAFTY_MOD_TITLE_BYTES]; /* the name if the file has none */
    char description[CRAFTY_MOD_DESCRIPTION_BYTES];
    char authors[CRAFTY_MOD_AUTHORS_BYTES]; /* separated by ", " */
    char license[CRAFTY_MOD_LICENSE_BYTES];
    CraftyVersion version;
    char version_text[CRAFTY_VERSION_BYTES];
    CraftyVersionRange game;
    uint32_t permissions;                                  /* bits by CraftyModPermission */
    CraftyModRelation relations[CRAFTY_MOD_MAX_RELATIONS]; /* in byte order of their names */
    uint32_t relation_count;
} CraftyModManifest;

/* Reads the text of a mod.json. `file` is used in errors. Nothing is written on failure. Whether
 * `game` fits CRAFTY_MOD_API_VERSION is not checked. */
bool crafty_mod_manifest_read(CraftyModManifest *manifest, const char *file, CnText text,
                              CnError *error);
/* Returns whether a text is the name of a mod: [a-z][a-z0-9_]{0,31}. */
bool crafty_mod_name_valid(CnText name);

/* Returns the word of a permission in mod.json, such as "blocks". */
const char *crafty_mod_permission_name(CraftyModPermission permission);
/* Returns what it allows, such as "changes blocks of the world and what chests contain". */
const char *crafty_mod_permission_text(CraftyModPermission permission);

#endif

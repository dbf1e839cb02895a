/*
 * Mods of a session: their Lua code and what it registered.
 *
 *     CraftyMods *mods = crafty_mods_create(
 *         &(CraftyModsDesc){.sources = sources, .source_count = 2}, &error);
 *     CraftyWorld *world = crafty_world_create(
 *         &(CraftyWorldDesc){.content = crafty_mods_content(mods)}, &error);
 *     CraftySimDesc sim = {.mods = mods, ...};
 *     crafty_mods_destroy(mods); // after the world
 *
 * Creating them runs `main.lua` of each mod, in the order of the sources: the definition phase, in
 * which mods register blocks, items, recipes, creatures, commands and handlers of events. Then the
 * content is closed. A mod that fails is disabled alone, with those that depend on it, and has an
 * error with file and line.
 *
 * In ticks, handlers run in the system CraftyMods, which runs alone, in the order of the mods and
 * of their registration; handlers that may prevent something (`before`) and ticks of blocks run
 * where these happen. Handlers change the world through functions only, and keep what they need to
 * know in `storage`, which is part of the state. Everything else, such as global variables, is lost
 * when a world is restored: then `main.lua` runs again. docs/modding.md is the manual for authors.
 *
 * A mod has a budget of instructions in each tick. What exceeds it is not done, logged and counted.
 */
#ifndef CRAFTY_SIM_MOD_MODS_H
#define CRAFTY_SIM_MOD_MODS_H

#include "crafty/world/content.h"
#include "crafty/world/creature_models.h"
#include "crafty/world/palettes.h"

#include <cairn/ecs/component.h>
#include <cairn/script/sandbox.h>

#define CRAFTY_MODS_MAX 64u
#define CRAFTY_MOD_STORAGE_BYTES (1u << 20) /* of one mod */
#define CRAFTY_MOD_VALUE_BYTES (64u << 10)  /* of one value in it */
#define CRAFTY_MOD_MAX_KEYS 4096u
#define CRAFTY_MOD_KEY_BYTES 64u

typedef struct CraftyMods CraftyMods;

/* A file that is embedded in the program. */
typedef struct CraftyModFile {
    const char *name;
    CnText text;
} CraftyModFile;

/* Where a mod comes from. Everything must outlive the mods. */
typedef struct CraftyModSource {
    const char *name;              /* letters, digits and '_' */
    CnFileSystem *files;           /* NULL: `embedded` */
    const char *folder;            /* in which main.lua is */
    const CraftyModFile *embedded; /* ends with a NULL name; NULL: `files` */
    const CnLuaLibrary *libraries; /* the mods it depends on; ends with a NULL name; NULL: none */
    bool is_standard;              /* its names have no "mod:" before them */
    uint32_t permissions;          /* bits by CraftyModPermission (mod_permission.h) */
} CraftyModSource;

typedef struct CraftyModsDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    const CraftyModSource *sources;
    uint32_t source_count; /* at most CRAFTY_MODS_MAX */
    /* Budgets of each mod; 0 selects the defaults of sandboxes. */
    uint64_t instructions_per_call, instructions_per_tick;
    size_t memory_bytes;
    uint32_t watchdog_ms; /* see CnLuaSandboxDesc */
} CraftyModsDesc;

/* The mod `base`, which registers the standard content. */
CraftyModSource crafty_mods_base(void);

/* Runs the definition phase. Returns NULL and an error when out of memory or if the standard
 * content is damaged; a mod that fails is no error. */
CraftyMods *crafty_mods_create(const CraftyModsDesc *desc, CnError *error);
/* After the world and the simulation. NULL is ignored. */
void crafty_mods_destroy(CraftyMods *mods);

/* Returns the content of all mods that are not disabled; valid as long as they are. */
const CraftyContent *crafty_mods_content(const CraftyMods *mods);

/* Runs the changed main.lua of a mod and replaces its handlers and commands; between ticks. What it
 * keeps in its storage stays, variables of Lua do not. Content is not replaced: *changes_content is
 * set if the new code registers other content than the world has, which then must be opened again.
 * Returns false and an error if the new code fails; the old one goes on then. */
bool crafty_mods_reload(CraftyMods *mods, const char *name, bool *changes_content, CnError *error);

typedef struct CraftyModStatus {
    const char *name;
    bool is_disabled;
    CnError error;    /* why */
    uint64_t skipped; /* handlers that were not called because the budget was used up */
    CnLuaSandboxStats lua;
} CraftyModStatus;

uint32_t crafty_mods_count(const CraftyMods *mods);
CraftyModStatus crafty_mods_status(const CraftyMods *mods, uint32_t index);

/* ---- Textures and skins, for clients ---- */

#define CRAFTY_MOD_TEXTURE_BYTES (256u << 10) /* of the file of a texture */

#define CRAFTY_MOD_SPARE_TEXTURES 64u /* of a mod, that no definition uses */

/* The file textures/NAME.png of a mod. It exists, but was not read: only clients decode it. */
typedef struct CraftyModTexture {
    char name[CRAFTY_MOD_KEY_BYTES]; /* "castle:wall" */
    char path[CN_LUA_PATH_BYTES];    /* "mods://castle/textures/wall.png" */
    CnFileSystem *files;
    uint32_t mod;
    uint16_t layer; /* of the texture array of blocks, after the standard ones: no two are equal */
} CraftyModTexture;

/* Their layers are consecutive. */
uint32_t crafty_mods_texture_count(const CraftyMods *mods);
/* Returns NULL if there is no texture of this index. */
const CraftyModTexture *crafty_mods_texture(const CraftyMods *mods, uint32_t index);

/* Returns where the files of a mod are; NULL if there is no mod of this name. */
const CraftyModSource *crafty_mods_find_source(const CraftyMods *mods, const char *name);

/* Returns the model that a mod made for a kind of creature; NULL if it has none. */
const CraftyCreatureModel *crafty_mods_model(const CraftyMods *mods, const char *creature);
/* Returns the layer that a kind of creature shows where its model has `layer`. */
uint16_t crafty_mods_skin(const CraftyMods *mods, const char *creature, uint16_t layer);
/* Returns whether a kind of creature has a skin that differs from that of its model. */
bool crafty_mods_has_skin(const CraftyMods *mods, const char *creature);

/* ---- Documentation ---- */

/* Returns all tables of the API, for annotations and the reference; ends with NULL. */
const CnLuaTable *const *crafty_mods_tables(void);

#endif

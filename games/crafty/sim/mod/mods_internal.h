/* Internals of mods (mods.h). */
#ifndef CRAFTY_SIM_MOD_MODS_INTERNAL_H
#define CRAFTY_SIM_MOD_MODS_INTERNAL_H

#include "mods.h"

#include "mod_storage.h"

#include <jansson.h>

#include <cairn/base/array.h>
#include <cairn/ecs/world.h>

/* ---- What mods register ---- */

typedef enum CraftyRecordKind {
    CRAFTY_RECORD_ITEM,
    CRAFTY_RECORD_BLOCK_ITEMS, /* properties of items of blocks */
    CRAFTY_RECORD_WORDS,
    CRAFTY_RECORD_GROUP,
    CRAFTY_RECORD_RECIPE,
    CRAFTY_RECORD_RULE,
    CRAFTY_RECORD_CREATURE,
    CRAFTY_RECORD_FLOWER,
    CRAFTY_RECORD_OFFER,
    CRAFTY_RECORD_KIND_COUNT
} CraftyRecordKind;

/* A row of the content, as JSON, and where it was registered. */
typedef struct CraftyRecord {
    CraftyRecordKind kind;
    uint32_t mod;
    int line;
    char *file, *key, *json; /* key: of groups, words and professions; NULL: none */
} CraftyRecord;

/* A block, with copies of its texts. */
typedef struct CraftyModBlock {
    CnBlockInfo info;
    CnBlockShape shape;
    char name[CN_BLOCK_NAME_BYTES], title[CN_BLOCK_NAME_BYTES];
    uint32_t mod;
} CraftyModBlock;

#define CRAFTY_MOD_ALL_SKINS UINT16_MAX

/* What a kind of creature shows instead of a skin of its model. */
typedef struct CraftyModSkin {
    char creature[CRAFTY_MOD_KEY_BYTES];
    uint16_t replaced, layer; /* replaced: a layer, or CRAFTY_MOD_ALL_SKINS */
} CraftyModSkin;

typedef enum CraftyModEvent {
    CRAFTY_MOD_PLACE,
    CRAFTY_MOD_BREAK,
    CRAFTY_MOD_USE,
    CRAFTY_MOD_HURT,
    CRAFTY_MOD_DIED,
    CRAFTY_MOD_RESPAWNED,
    CRAFTY_MOD_ATE,
    CRAFTY_MOD_CRAFTED,
    CRAFTY_MOD_PICKED_UP,
    CRAFTY_MOD_STEPPED,
    CRAFTY_MOD_CHAT,
    CRAFTY_MOD_JOIN,
    CRAFTY_MOD_TALK,
    CRAFTY_MOD_TICK,
    CRAFTY_MOD_EVENT_COUNT
} CraftyModEvent;

/* A Lua function that is called for an event, a block or a command. */
typedef struct CraftyModHandler {
    uint32_t mod, function;
} CraftyModHandler;

/* Functions of a block; 0: none. */
typedef struct CraftyBlockHandlers {
    uint32_t mod, block; /* block: index of CraftyModBlock until the world exists */
    char name[CN_BLOCK_NAME_BYTES];
    uint32_t on_use, on_place, on_break, on_step, on_tick, on_random_tick;
} CraftyBlockHandlers;

typedef struct CraftyModCommand {
    uint32_t mod, function;
    char name[32], usage[96], help[160];
} CraftyModCommand;

typedef CN_ARRAY(CraftyModHandler) CraftyModHandlers;

typedef enum CraftyModPhase {
    CRAFTY_MODS_DEFINE,   /* main.lua runs for the first time */
    CRAFTY_MODS_REDEFINE, /* it runs again, after a state was restored */
    CRAFTY_MODS_IDLE,
    CRAFTY_MODS_ASK, /* handlers of `before`, which change nothing */
    CRAFTY_MODS_RUN
} CraftyModPhase;

typedef struct CraftyModState {
    CraftyMods *mods;
    uint32_t index;
    const CraftyModSource *source;
    CnLuaSandbox *sandbox; /* NULL: disabled */
    bool is_disabled;
    CnError error;
    CraftyModStore store;
    uint64_t skipped;
    bool told; /* that its budget is used up, in this tick */
} CraftyModState;

struct CraftyMods {
    CnAllocator *allocator;
    CraftyModsDesc desc;
    CraftyModState *list;
    uint32_t count;
    CraftyModPhase phase;
    CraftyContent content;
    CnTextBuilder items, recipes, block_rules, creatures, trades;
    CN_ARRAY(CraftyRecord) records;
    CN_ARRAY(CraftyModBlock *) blocks;
    CN_ARRAY(CnBlockInfo) infos;
    CN_ARRAY(CraftyModTexture *) textures;
    CN_ARRAY(CraftyModSkin) skins;
    CN_ARRAY(CraftyBlockHandlers) block_handlers;
    CN_ARRAY(CraftyModCommand) commands;
    CraftyModHandlers before[CRAFTY_MOD_EVENT_COUNT], after[CRAFTY_MOD_EVENT_COUNT];
    /* Of the simulation in which they run; NULL: none. */
    CnWorld *world;
    CnTextBuilder text; /* of an event */
    struct CraftyModRun *run;
};

/* ---- mods.c ---- */

/* Disables a mod and those that depend on it, and logs why. */
void crafty_mod_disable(CraftyModState *mod, const CnError *error);
/* Runs main.lua of a mod in a new sandbox; disables it if that fails. Returns false only when out
 * of memory. */
bool crafty_mod_load(CraftyModState *mod, CnError *error);
char *crafty_mods_copy(CraftyMods *mods, const char *text);

/* ---- mod_define.c, mod_block.c: functions of the definition phase ---- */

extern const CnLuaTable crafty_mod_define_table, crafty_mod_block_table;

/* Returns whether the definition phase runs; otherwise sets the error of the call. Outside of the
 * first run, *again is set, and nothing must be registered. */
bool crafty_mod_may_define(CnLuaCall *call, bool *again);
/* Adds a record for the running call. */
bool crafty_mod_record(CnLuaCall *call, CraftyRecordKind kind, const char *key,
                       const json_t *value);
/* Writes the name with the mod's own prefix. Returns false and sets the error of the call if the
 * name is not valid or has another prefix. */
bool crafty_mod_name(CnLuaCall *call, const char *name, char full[CRAFTY_MOD_KEY_BYTES]);
/* "moon_lamp" becomes "Moon Lamp". */
void crafty_mod_title(const char *name, char *title, size_t title_bytes);
/* Parses the table of an argument; returns NULL and sets the error of the call. */
json_t *crafty_mod_table_of(CnLuaCall *call, uint32_t argument);
/* Returns the handler in a member of a table, and removes the member; 0: there is none. */
uint32_t crafty_mod_take_handler(json_t *table, const char *key);

/* ---- mod_texture.c ---- */

/* Finds or registers the texture textures/NAME.png of the mod. *texture is NULL if there is no such
 * file. Returns false and sets the error of the call if there are too many textures, the file is
 * too large, or when out of memory. */
bool crafty_mod_texture(CnLuaCall *call, const char *name, const CraftyModTexture **texture);
/* Sets the error of the call: nothing has this name. `what` is what else could have it. Returns
 * false. */
bool crafty_mod_no_texture(CnLuaCall *call, const char *key, const char *name, const char *what);
/* Replaces the tile of an item by the texture of this name, if there is one. */
bool crafty_mod_item_tile(CnLuaCall *call, json_t *row);
/* Takes the skin from the row of a creature. */
bool crafty_mod_creature_skin(CnLuaCall *call, json_t *row);

/* ---- mod_documents.c ---- */

/* Writes the content of all mods that are not disabled, and disables those whose records are not
 * valid. Returns false when out of memory or if the standard content is damaged. */
bool crafty_mods_write_content(CraftyMods *mods, CnError *error);

#endif

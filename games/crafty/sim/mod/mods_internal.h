/*
 * Internals of mods (mods.h): what the functions of the API build on.
 *
 * A function of the API is a C function in a table of mod_api.c:
 *
 *     static bool set_time(CnLuaCall *call)
 *     {
 *         if (!crafty_mod_may(call, CRAFTY_MOD_MAY_WORLD)) // in the phase RUN, with the permission
 *             return false;                                // the error of the call is set
 *         CraftyModRun *run = crafty_mod_run(call);
 *         crafty_day_set_hours(run->world, (float)call->arguments[0].number);
 *         return true;
 *     }
 *
 * Phases (CraftyMods.phase): DEFINE while main.lua runs for the first time; REDEFINE while it runs
 * again, after a restore or a change of its files: content is only compared, handlers are taken
 * anew. ASK in handlers of `before`, which only read; RUN in all other handlers. Functions that
 * read use crafty_mod_may_read (ASK and RUN), those that change something crafty_mod_may (RUN),
 * those that register handlers crafty_mod_may_register (DEFINE and REDEFINE), and those that
 * register content crafty_mod_may_define.
 *
 * CraftyMods.run is the simulation in which they run (CraftyModRun), never NULL in ASK and RUN.
 * Players are passed to Lua as their numbers (crafty_mod_player), creatures as ids
 * (crafty_mod_creature). Other handlers are notified of what happens in the next tick, by
 * crafty_mods_note. State beside the storage is a CraftyModPart, listed in mod_api.c.
 */
#ifndef CRAFTY_SIM_MOD_MODS_INTERNAL_H
#define CRAFTY_SIM_MOD_MODS_INTERNAL_H

#include "mods.h"

#include "crafty/world/creature_kinds.h"

#include "mod_permission.h"
#include "mod_quota.h"
#include "mod_run.h"
#include "mod_storage.h"
#include "crafty/sim/player.h"

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
    CRAFTY_RECORD_DECORATION,
    CRAFTY_RECORD_STRUCTURE,
    CRAFTY_RECORD_WEATHER,
    CRAFTY_RECORD_SKY,
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

/* A model of its own. */
typedef struct CraftyModModel {
    char creature[CRAFTY_MOD_KEY_BYTES];
    CraftyCreatureModels *models; /* with one model */
} CraftyModModel;

/* A Lua function that is called for an event. */
typedef struct CraftyModHandler {
    uint32_t function;
    uint32_t period; /* of the event tick, in ticks */
    uint8_t event;   /* CraftyModEvent */
    bool is_before;
} CraftyModHandler;

/* Functions of a block; 0: none. */
typedef struct CraftyBlockHandlers {
    char name[CN_BLOCK_NAME_BYTES];
    uint32_t on_use, on_place, on_break, on_step, on_tick, on_random_tick;
} CraftyBlockHandlers;

typedef struct CraftyModCommand {
    uint32_t function;
    char name[32], usage[64], help[160];
} CraftyModCommand;

/* A function that decides what creatures of a kind do. */
typedef struct CraftyCreatureHandler {
    char kind[CRAFTY_CREATURE_NAME_BYTES];
    uint32_t behaviour; /* index in its list */
    uint32_t function, period;
} CraftyCreatureHandler;

/* The Lua functions of a mod, in order of registration. */
typedef struct CraftyModHooks {
    CN_ARRAY(CraftyModHandler) handlers;
    CN_ARRAY(CraftyBlockHandlers) blocks;
    CN_ARRAY(CraftyModCommand) commands;
    CN_ARRAY(CraftyCreatureHandler) creatures;
    uint64_t definitions; /* hash of all content that was registered */
} CraftyModHooks;

typedef enum CraftyModPhase {
    CRAFTY_MODS_DEFINE,   /* main.lua runs for the first time */
    CRAFTY_MODS_REDEFINE, /* it runs again, after a restore or a change of its files */
    CRAFTY_MODS_IDLE,
    CRAFTY_MODS_ASK, /* handlers of `before`, which change nothing */
    CRAFTY_MODS_RUN
} CraftyModPhase;

typedef struct CraftyModState {
    CraftyMods *mods;
    uint32_t index;
    const CraftyModSource *source;
    CnLuaSandbox *sandbox; /* NULL: disabled */
    CraftyModHooks hooks;
    bool is_disabled;
    bool is_broken; /* disabled by the definition phase: for as long as the session lasts */
    CnError error;
    CraftyModStore store;
    bool is_fresh;                         /* main.lua has run, and nothing since */
    uint64_t skipped, rolls;               /* rolls: world.random, in this tick */
    uint64_t dice;                         /* of generation.random; 0: not now */
    bool budget_logged;                    /* that it is used up, in this tick */
    uint32_t used[CRAFTY_MOD_QUOTA_COUNT]; /* in this tick */
    uint32_t logged_quotas;                /* bits by CraftyModQuota: used up, in this tick */
} CraftyModState;

/* ---- The simulation in which mods run ---- */

#define CRAFTY_MOD_PARTS_MAX 8u
#define CRAFTY_MOD_MAX_DUE 64u /* creatures whose mods are asked in a tick */

/* The storage of a mod that does not run. */
typedef struct CraftyModOrphan {
    char name[CRAFTY_MOD_KEY_BYTES];
    CraftyModStore store;
} CraftyModOrphan;

/* The functions of a block; index: of CraftyModHooks.blocks, plus 1; 0: none. */
typedef struct CraftyModOfBlock {
    uint32_t mod, index;
} CraftyModOfBlock;

/* What is known about a player. It is here if it was when players were last looked at. */
typedef struct CraftyModVisitor {
    CnCell under;          /* the cell that it stands on */
    uint64_t refused_tick; /* when it was last told a reason */
    uint64_t seen;         /* CraftyModRun.watches when it was here; 0: never */
} CraftyModVisitor;

typedef struct CraftyModRun {
    CraftyMods *mods; /* NULL: the session has none, and the storage of others is kept */
    CnSim *sim;
    CnWorld *world;
    CnVoxels *voxels;
    const CnBlockTable *blocks;
    const CraftyItems *items;
    CnQuery *players;                 /* reads CnPlayerActions, for crafty_player_find */
    CnQuery *owned;                   /* reads CraftyModOwned; NULL: not needed yet */
    CnQuery *creatures;               /* reads CraftyCreature; NULL: not needed yet */
    CnEntity due[CRAFTY_MOD_MAX_DUE]; /* creatures that are asked in this tick */
    uint32_t due_count;
    uint64_t tick; /* that runs */
    /* Internal to mod_run.c, mod_ask.c and mod_state.c. */
    CN_ARRAY(CraftyModNote) notes;
    uint64_t notes_dropped;
    bool dropped_logged;        /* in this tick */
    CnTextBuilder text;         /* of the event that is passed to Lua */
    CraftyModOfBlock *of_block; /* by number of the block */
    CN_ARRAY(CraftyChatCommand) commands;
    bool is_stale; /* the two above must be made again */
    bool is_ticking;
    CN_ARRAY(CraftyModOrphan) orphans;
    CN_ARRAY(CraftyModVisitor) visitors; /* players, by number - 1 */
    uint64_t watches;                    /* how often they were looked at */
    bool is_active;                      /* there are mods beside the standard content */
    void *parts[CRAFTY_MOD_PARTS_MAX];   /* of crafty_mod_parts, in their order */
} CraftyModRun;

/* Returns what is known about a player; NULL for numbers that no player has, and when out of
 * memory. */
CraftyModVisitor *crafty_mods_visitor(CraftyModRun *run, uint32_t number);
static inline bool crafty_mods_is_here(const CraftyModRun *run, uint32_t index)
{
    return run->visitors.items[index].seen == run->watches;
}

/* Further state of mods, beside the storage: saved with the world and part of the state hash. One
 * part is the state of all mods of a simulation. */
typedef struct CraftyModPart {
    const char *name; /* at most 31 bytes */
    /* Creates the state, empty; `run` outlives it. */
    void *(*create)(CraftyModRun *run, CnError *error);
    void (*destroy)(void *part);
    /* Appends all state; nothing if it is empty. */
    bool (*save)(const void *part, CnU8Array *bytes, CnError *error);
    /* Replaces all state; `size` is 0 if there is none. Bytes may come from anybody: returns false
     * and an error if they are malformed. */
    bool (*restore)(void *part, const uint8_t *bytes, size_t size, CnError *error);
    uint64_t (*hash)(const void *part); /* 0 if it is empty */
    void (*tick)(void *part);           /* after the handlers of each tick; NULL: nothing */
} CraftyModPart;

struct CraftyMods {
    CnAllocator *allocator;
    CraftyModsDesc desc;
    CraftyModState *list;
    uint32_t count;
    CraftyModPhase phase;
    CraftyModState *running; /* whose handler runs, in RUN; NULL: none */
    CraftyContent content;
    CnTextBuilder items, recipes, block_rules, creatures, trades, features, weather;
    CN_ARRAY(CraftyRecord) records;
    CN_ARRAY(CraftyModBlock *) blocks;
    CN_ARRAY(CnBlockInfo) infos;
    CN_ARRAY(CraftyModTexture *) textures;
    CN_ARRAY(CraftyModSkin) skins;
    CN_ARRAY(CraftyModModel) models;
    CraftyModRun *run;          /* NULL: they run in no simulation */
    char not_reproducible[160]; /* why loading them depended on time; "": it did not */
};

/* ---- mods.c ---- */

/* Disables a mod and those that depend on it, and logs why. */
void crafty_mod_disable(CraftyModState *mod, const CnError *error);
/* Runs main.lua of a mod in a new sandbox; disables it if that fails. Returns false only when out
 * of memory. */
bool crafty_mod_load(CraftyModState *mod, CnError *error);
/* Replaces sandbox and hooks by those of a new run of main.lua. Returns false and an error on
 * failure; the old ones stay then. */
bool crafty_mod_start(CraftyModState *mod, CnError *error);
void crafty_mod_hooks_fini(CraftyModHooks *hooks);
char *crafty_mods_copy(CraftyMods *mods, const char *text);

/* ---- mod_call.c: what functions of the API may do and whom they mean ---- */

/* Return whether the call is allowed; otherwise set its error. */
bool crafty_mod_may(CnLuaCall *call, CraftyModPermission permission); /* in RUN */
bool crafty_mod_may_act(CnLuaCall *call);      /* in RUN, without a permission */
bool crafty_mod_may_read(CnLuaCall *call);     /* in ASK and RUN */
bool crafty_mod_may_register(CnLuaCall *call); /* in DEFINE and REDEFINE */
/* Returns whether the mod has the permission; otherwise sets the error. In any phase. */
bool crafty_mod_has_permission(CnLuaCall *call, CraftyModPermission permission);

CraftyModState *crafty_mod_of(const CnLuaCall *call);
/* The simulation; valid in ASK and RUN. */
CraftyModRun *crafty_mod_run(const CnLuaCall *call);
/* Returns the player whose number is an argument; the null entity and the error of the call if
 * there is none. */
CnEntity crafty_mod_player(CnLuaCall *call, uint32_t argument);
/* Returns the number of a player; 0: the entity is none. */
uint32_t crafty_mod_player_number(const CraftyModRun *run, CnEntity player);
/* Creatures as numbers, exact up to 2^53. crafty_mod_creature returns the null entity for a number
 * that is none; whether the entity exists and is a creature must be checked. */
double crafty_mod_creature_id(CnEntity creature);
CnEntity crafty_mod_creature(double id);
/* Reads three arguments as a cell of the world; otherwise sets the error of the call. */
bool crafty_mod_cell(CnLuaCall *call, uint32_t first_argument, CnCell *cell);
/* Reads three arguments as a point of the world; otherwise sets the error of the call. */
bool crafty_mod_point(CnLuaCall *call, uint32_t first_argument, CnVec3 *at);
/* Returns whether the block is one of the mod that calls. */
bool crafty_mod_owns(const CnLuaCall *call, CnBlock block);
/* Names of blocks and items; NULL for CN_BLOCK_NONE and CRAFTY_NO_ITEM. */
const char *crafty_mod_block_name(const CraftyModRun *run, CnBlock block);
const char *crafty_mod_item_name(const CraftyModRun *run, CraftyItem item);
/* Find a block or an item by the name in an argument; otherwise set the error of the call. */
bool crafty_mod_block(CnLuaCall *call, uint32_t argument, CnBlock *block);
bool crafty_mod_item(CnLuaCall *call, uint32_t argument, CraftyItem *item);

/* ---- mod_event.c, mod_storage_api.c, mod_world.c, ...: one file for each table ---- */

extern const CnLuaTable crafty_mod_event_table, crafty_mod_storage_table, crafty_mod_world_table,
    crafty_mod_data_table, crafty_mod_slots_table, crafty_mod_players_table,
    crafty_mod_creatures_table, crafty_mod_chat_table, crafty_mod_hud_table, crafty_mod_sound_table;

extern const CraftyModPart crafty_mod_hud_part;

/* Writes a note as the JSON that handlers get. */
bool crafty_mod_note_write(const CraftyModRun *run, const CraftyModNote *note, CnTextBuilder *text);
const char *crafty_mod_event_name(CraftyModEvent event);

/* ---- mod_handler.c: calling Lua ---- */

/* Calls a function of a mod in a phase with one table. Counts and logs what the budget prevents,
 * and disables the mod after an error. Returns false if the handler was not called or failed. */
bool crafty_mod_call(CraftyModState *mod, CraftyModPhase phase, uint32_t function, CnText event,
                     CnLuaValue *results, uint32_t result_count);

/* Notifies the players that a mod was disabled, if the simulation runs. */
void crafty_mods_notify_disabled(const CraftyModState *mod);

/* ---- mod_quota.c ---- */

/* Returns false if the mod has used up a quota of the tick. */
bool crafty_mod_take_quota(CraftyModState *mod, CraftyModQuota quota);
/* Returns false if the mod has used up a quota of calls of world.schedule; otherwise counts one. */
bool crafty_mod_take_schedule(CraftyModState *mod);
void crafty_mod_begin_quotas(CraftyModState *mod);

/* ---- mod_schedule.c ---- */

#define CRAFTY_MOD_MAX_DELAY 1200u /* of a scheduled tick, in ticks */

extern const CraftyModPart crafty_mod_schedule_part;

/* The ticks that were scheduled for this one run now. */
void crafty_mods_begin_schedules(CraftyModRun *run);
/* Counts a scheduled tick. */
void crafty_mod_scheduled(const CraftyModState *mod, uint32_t delay);
/* Returns how many scheduled ticks have not run yet. */
uint32_t crafty_mod_pending(const CraftyModState *mod);

/* ---- mod_state.c: the section of the state ---- */

bool crafty_mods_save_state(const CraftyModRun *run, CnU8Array *bytes, CnError *error);
bool crafty_mods_restore_state(CraftyModRun *run, const uint8_t *bytes, size_t size,
                               CnError *error);
uint64_t crafty_mods_hash(const CraftyModRun *run);
/* Runs main.lua of the mods again, unless nothing has run since it did. */
bool crafty_mods_start_again(CraftyModRun *run, CnError *error);

/* ---- mod_run.c, mod_ask.c ---- */

/* Finds the functions of blocks and the commands again, after mods were loaded or disabled. */
bool crafty_mods_index(CraftyModRun *run, CnError *error);
/* Returns the functions of a block and their mod; NULL if it has none. */
const CraftyBlockHandlers *crafty_mods_block_handlers(const CraftyModRun *run, CnBlock block,
                                                      CraftyModState **mod);
/* Returns the item that a player holds. */
CraftyItem crafty_mods_held(const CraftyModRun *run, CnEntity player);

/* ---- mod_api.c ---- */

/* The parts of the state; ends with NULL. Add yours there. */
extern const CraftyModPart *const crafty_mod_parts[];
/* Returns the state of a part in a simulation. */
void *crafty_mod_part(const CraftyModRun *run, const CraftyModPart *part);

/* ---- mod_define.c, mod_block.c: functions of the definition phase ---- */

extern const CnLuaTable crafty_mod_define_table, crafty_mod_block_table;

/* Returns whether the definition phase runs; otherwise sets the error of the call. Outside of the
 * first run, *again is set, and nothing must be registered. */
bool crafty_mod_may_define(CnLuaCall *call, bool *again);
/* Adds a record for the running call. */
bool crafty_mod_record(CnLuaCall *call, CraftyRecordKind kind, const char *key,
                       const json_t *value);
/* Adds a record of the table in the first argument, whose "name" gets the mod's prefix. */
bool crafty_mod_define_named(CnLuaCall *call, CraftyRecordKind kind);
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
/* Registers further textures of each mod, for the HUD, after all definitions. Returns false when
 * out of memory. */
bool crafty_mods_list_textures(CraftyMods *mods, CnError *error);
/* Sets the error of the call: nothing has this name. `what` is what else could have it. Returns
 * false. */
bool crafty_mod_no_texture(CnLuaCall *call, const char *key, const char *name, const char *what);
/* Replaces the tile of an item by the texture of this name, if there is one. */
bool crafty_mod_item_tile(CnLuaCall *call, json_t *row);
/* Takes the skin from the row of a creature. */
bool crafty_mod_creature_skin(CnLuaCall *call, json_t *row);

/* ---- mod_model.c ---- */

/* Takes the model from the row of a creature, if it is a table. */
bool crafty_mod_creature_model(CnLuaCall *call, json_t *row);
void crafty_mods_models_fini(CraftyMods *mods);

/* ---- mod_feature.c ---- */

extern const CnLuaTable crafty_mod_feature_table, crafty_mod_generation_table;

/* Calls the functions that make variants of decorations and structures, after main.lua of the
 * definition phase. Returns false and an error with file and line on failure. */
bool crafty_mod_make_variants(CraftyModState *mod, CnError *error);

/* ---- mod_creature.c ---- */

/* Takes the functions of the behaviours "script" of a creature's definition. */
bool crafty_mod_take_behaviours(CnLuaCall *call, json_t *row);
/* Asks the functions that are due what creatures do next. */
void crafty_mods_think(CraftyModRun *run);
void crafty_mods_think_end(CraftyModRun *run); /* frees its memory */

/* ---- mod_weather.c ---- */

extern const CnLuaTable crafty_mod_weather_table;

/* ---- mod_documents.c ---- */

/* Writes the content of all mods that are not disabled, and disables those whose records are not
 * valid. Returns false when out of memory or if the standard content is damaged. */
bool crafty_mods_write_content(CraftyMods *mods, CnError *error);

#endif

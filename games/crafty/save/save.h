/*
 * A world of Crafty in a file: opened or created, restored, and saved while it is played.
 *
 *     CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = "home.crafty"}, &error);
 *     CraftyWorldDesc desc = {.seed = crafty_save_identity(save)->seed,
 *                             .palettes = crafty_save_palettes(save),
 *                             .hooks = crafty_save_hooks(save)};
 *     CraftyWorld *world = crafty_world_create(&desc, &error);
 *     crafty_save_attach(save, world, &error);        // before the world is used
 *     // ... create the simulation ...
 *     crafty_save_restore(save, sim, &error);         // unless crafty_save_is_new
 *     // ... after each tick or frame:
 *     crafty_save_auto(save, world, sim, &error);
 *     // ... at the end:
 *     crafty_save_write(save, world, sim, &error) && crafty_save_flush(save, 10000, &error);
 *     crafty_save_close(save);
 *
 * Everything of one save is one transaction: blocks, edit log, players and state never disagree.
 * A save contains only what changed since the last one, and the state. It is built between ticks,
 * an autosave in small parts; a thread of the store compresses and writes it. After loading, the
 * hashes of state and blocks are those of the saved tick, and the game runs on as if it had not
 * been interrupted.
 *
 * docs/formats.md describes the file. Use from the thread that runs the ticks.
 */
#ifndef CRAFTY_SAVE_SAVE_H
#define CRAFTY_SAVE_SAVE_H

#include "chunk_edits.h"
#include "crafty/world/world.h"
#include "world_info.h"
#include "world_mods.h"

#include <cairn/store.h>

#define CRAFTY_SAVE_APPLICATION "crafty.world"
#define CRAFTY_SAVE_VERSION 1u
#define CRAFTY_SAVE_AUTO_SECONDS 5u
#define CRAFTY_SAVE_EDITS 100000u /* newest edits that are kept, for undo */

typedef struct CraftySave CraftySave;

typedef struct CraftySaveDesc {
    const char *path;
    CnStoreMode mode;              /* not CN_STORE_READ_ONLY: see crafty_save_read_info */
    const char *name;              /* of a new world; NULL: from the file's name */
    uint64_t seed;                 /* of a new world */
    bool has_seed;                 /* an existing world must have this seed */
    CnStoreDurability durability;  /* for tests */
    uint32_t retry_ms;             /* CnStoreDesc.retry_ms; for tests */
    const char *sqlite_vfs;        /* for tests */
    const CnStoreBackend *backend; /* NULL: a file; see crafty_world_store_open */
} CraftySaveDesc;

/* Returns NULL and an error that says what to do if the world is open elsewhere, of a newer
 * version, damaged or not a world, or if its folder cannot be written. */
CraftySave *crafty_save_open(const CraftySaveDesc *desc, CnError *error);
/* Closes the file; what was submitted and could not be written is reported in the log. NULL is
 * ignored. Destroy the world first: its hooks use the save. */
void crafty_save_close(CraftySave *save);

/* Returns whether nothing was saved yet. */
bool crafty_save_is_new(const CraftySave *save);
const CraftyWorldIdentity *crafty_save_identity(const CraftySave *save);
/* Returns the summary of the last save; zeros in a new world. */
const CraftyWorldSummary *crafty_save_summary(const CraftySave *save);
/* Returns the palettes of the world, valid as long as the save; empty in a new world. */
CraftyPalettes crafty_save_palettes(const CraftySave *save);
/* Returns the mods with which the world was saved last, or those that were set since. */
const CraftyWorldMods *crafty_save_mods(const CraftySave *save);
/* Returns whether the world has a list of mods. If a new world has none, the program that plays it
 * first chooses them; worlds that were played without one have no mods. */
bool crafty_save_has_mods(const CraftySave *save);
/* Returns whether the content adds other decorations and structures to the terrain than when the
 * world was saved last; known after crafty_save_attach. What players built is as it was; terrain
 * that nobody changed may differ. */
bool crafty_save_has_other_features(const CraftySave *save);
/* Sets the mods; the next save that begins contains them. */
void crafty_save_set_mods(CraftySave *save, const CraftyWorldMods *mods);
/* Returns the hooks chunk_store and chunk_load with their user pointer. */
CnVoxelsHooks crafty_save_hooks(CraftySave *save);
/* Returns the store, for its status and for backups. */
CnStore *crafty_save_store(CraftySave *save);

/* Returns the edits of chunks, to listen to them. */
CraftyChunkEdits *crafty_save_chunks(CraftySave *save);

/* Gives a new world its saved blocks, block data, edit log, scheduled ticks and awake water. */
bool crafty_save_attach(CraftySave *save, CraftyWorld *world, CnError *error);
/* Restores the state of the simulation, whose plugins have been added. */
bool crafty_save_restore(CraftySave *save, CnSim *sim, CnError *error);

/* Submits a save of the current state, between ticks. Returns false and an error when out of memory
 * or while too many saves wait for the disk; the next save then contains everything. */
bool crafty_save_write(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error);
/* For autosaves, call it after each tick or frame: begins a save if CRAFTY_SAVE_AUTO_SECONDS have
 * passed since the last one and that is durable, and continues it. */
bool crafty_save_auto(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error);
/* The parts of crafty_save_auto. A save that has begun is the state of its begin, whatever happens
 * until it is submitted. Each call of crafty_save_continue adds some of what changed, which takes a
 * fraction of a millisecond, and submits the save when it is complete. On failure the save is
 * dropped, and the next one contains everything. Without a save in progress, it prepares memory for
 * the next one. */
bool crafty_save_begin(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error);
bool crafty_save_continue(CraftySave *save, CraftyWorld *world, CnError *error);
/* Returns whether a save has begun and is not submitted yet. */
bool crafty_save_is_building(const CraftySave *save);
/* Returns the tick of the last save that is known to be durable; 0: none since it was opened,
 * except that of a loaded world. */
uint64_t crafty_save_durable_tick(CraftySave *save);
/* Waits until everything submitted is durable. */
bool crafty_save_flush(CraftySave *save, uint32_t timeout_ms, CnError *error);
/* Sets the picture of the world for lists, a JPEG; written with the next save. */
bool crafty_save_set_thumbnail(CraftySave *save, const void *jpeg, size_t size, CnError *error);

/* What lists of worlds show. */
typedef struct CraftySaveInfo {
    CraftyWorldIdentity identity;
    CraftyWorldSummary summary;
    CraftyWorldMods mods;
    bool has_identity; /* false: the world was opened once, but never saved */
    bool is_new;       /* it was never saved; the summary is empty */
    bool has_thumbnail;
} CraftySaveInfo;
/* Reads the description of a world that is not open, without changing it. */
bool crafty_save_read_info(const char *path, CraftySaveInfo *info, CnError *error);
/* Writes the identity of a world that is not open, in one transaction. `mode` CN_STORE_CREATE
 * creates the world. */
bool crafty_save_write_identity(const char *path, CnStoreMode mode,
                                const CraftyWorldIdentity *identity, CnError *error);
/* Writes the list of mods of a world that is not open, in one transaction. */
bool crafty_save_write_mods(const char *path, const CraftyWorldMods *mods, CnError *error);
/* Returns the identity of a new world with this seed; the name is empty. */
CraftyWorldIdentity crafty_save_new_identity(uint64_t seed);

#endif

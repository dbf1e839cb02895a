/* Shared by the files of CraftySave. */
#ifndef CRAFTY_SAVE_SAVE_INTERNAL_H
#define CRAFTY_SAVE_SAVE_INTERNAL_H

#include "buffer_memory.h"
#include "chunk_edits.h"
#include "save.h"

#include <cairn/voxel/block_data.h>

#include <stdatomic.h>

/* The tables of a world file, in the order of crafty_save_tables. */
typedef enum CraftySaveTable {
    CRAFTY_SAVE_INFO,   /* by text: the keys below */
    CRAFTY_SAVE_CHUNKS, /* by cn_chunk_key: compacted edits */
    CRAFTY_SAVE_LOG,    /* groups of edits, oldest first */
    CRAFTY_SAVE_STATE,  /* by text: the keys below */
    CRAFTY_SAVE_COPY,   /* identity and palettes once more, for repair */
    CRAFTY_SAVE_DATA,   /* by cn_chunk_key: block data */
    CRAFTY_SAVE_TABLES
} CraftySaveTable;
extern const CnStoreTableDesc crafty_save_tables[CRAFTY_SAVE_TABLES];

#define CRAFTY_SAVE_KEY_IDENTITY "identity"
#define CRAFTY_SAVE_KEY_SUMMARY "summary"
#define CRAFTY_SAVE_KEY_BLOCKS "blocks"
#define CRAFTY_SAVE_KEY_ITEMS "items"
#define CRAFTY_SAVE_KEY_DATA_KINDS "data_kinds"
#define CRAFTY_SAVE_KEY_MODS "mods"
#define CRAFTY_SAVE_KEY_FEATURES "features" /* u64 crafty_features_hash; missing: 0 */
#define CRAFTY_SAVE_KEY_THUMBNAIL "thumbnail"
#define CRAFTY_SAVE_KEY_REPAIRED "repaired" /* u8 CraftySaveRepaired; until the next save */
#define CRAFTY_SAVE_KEY_SIM "sim"
#define CRAFTY_SAVE_KEY_ACTIVITY "activity"

#define CRAFTY_SAVE_GROUP_EDITS 4096u /* at most, in one record of the log */
#define CRAFTY_SAVE_STEP_CELLS 32768u /* cells of chunks encoded by one crafty_save_continue */
#define CRAFTY_SAVE_STEP_ROWS 256u    /* rows of unloaded chunks */
#define CRAFTY_SAVE_STEP_EDITS 4096u  /* edits of the log */
#define CRAFTY_SAVE_STEP_BYTES 65536u /* memory that is prepared for the next save */
#define CRAFTY_SAVE_STEP_DATA 65536u  /* bytes of block data */

/* What the next opening of a repaired world does. The hashes are always computed anew. */
typedef enum CraftySaveRepaired {
    CRAFTY_SAVE_REPAIRED = 1,
    CRAFTY_SAVE_RESTARTS = 2,    /* the simulation is lost: it starts anew, with these blocks */
    CRAFTY_SAVE_NO_ACTIVITY = 4, /* water and blocks that waited are lost */
} CraftySaveRepaired;

/* A record of the log. */
typedef struct CraftySaveGroup {
    int64_t number;
    uint32_t edits;
} CraftySaveGroup;

/* A save that has begun and is not submitted yet. */
typedef struct CraftySaveProgress {
    CnStoreBatch *batch;  /* NULL: none */
    uint64_t tick;        /* when it began */
    uint64_t next, end;   /* edits to log: their numbers by cn_edit_log_total */
    uint32_t groups;      /* CraftySave.groups.count before */
    uint64_t group_edits; /* CraftySave.group_edits before */
    bool has_thumbnail;   /* that was not changed since */
    uint32_t data_kinds;  /* number of kinds of block data */
    uint32_t mods_number; /* CraftySave.mods_number when it began */
} CraftySaveProgress;

struct CraftySave {
    CraftyBufferMemory memory; /* of the store and its batches */
    CnStore *store;
    bool is_new;
    CraftyWorldIdentity identity;
    CraftyWorldSummary summary;
    CnU8Array blocks, items; /* palettes */
    CraftyWorldMods mods;
    uint32_t mods_number, saved_mods_number; /* of the list of mods, and of the last saved one */
    bool has_mods;                           /* there is a list of mods in the file */
    uint64_t features;   /* crafty_features_hash of the last session, then of this one */
    bool has_features;   /* the file has the row, or needs it */
    bool other_features; /* they differ */
    CnU8Array thumbnail; /* to write with the next save */
    CraftyChunkEdits chunks;
    CN_ARRAY(CraftySaveGroup) groups; /* of the log, oldest first */
    uint64_t group_edits;             /* sum of their edits */
    uint64_t logged;                  /* cn_edit_log_total when the log was last saved */
    uint8_t repaired;                 /* bits of CraftySaveRepaired; 0: it was not */
    bool wrote_identity;              /* and the palettes, since the save was opened */
    uint32_t data_kinds;              /* number of kinds of block data in the file */
    CraftySaveProgress progress;
    CnU8Array activity;      /* memory for the activity of the next save; its count is 0 */
    uint32_t touched;        /* bytes of it whose pages exist */
    CnBlockPalette *palette; /* of the log; NULL: not created yet */
    uint64_t batch;          /* number of the last one */
    /* Ticks by number of their batch, for the thread of the store. */
    _Atomic uint64_t batch_ticks[2 * CN_STORE_DEFAULT_QUEUE];
    uint64_t saved_ns;     /* cn_clock_ns of the last save */
    uint64_t batch_tick;   /* of the last batch */
    uint64_t durable_tick; /* of the last one that was found to be durable */
};

/* Logs that a save has become durable; `user` is the CraftySave. On the thread of the store. */
void crafty_save_notify(const CnStoreStatus *status, void *user);
/* Adds a row of the table `info` and its copy in the table `copy`. */
bool crafty_save_put_twice(CnStoreBatch *batch, const char *key, const void *bytes, size_t size,
                           CnError *error);
/* Adds the list of mods to a batch, twice. An empty list that the file lacks is not written. */
bool crafty_save_put_mods(CnStoreBatch *batch, const CraftyWorldMods *mods, bool has_mods,
                          CnError *error);
/* Reads the list of mods, which is empty if there is none. */
bool crafty_save_get_mods(CnStore *store, CraftyWorldMods *mods, bool *found, CnError *error);
/* Waits until everything is durable, for a slow disk, but not for one that fails. */
bool crafty_save_flush_store(CnStore *store, CnError *error);
/* Returns how the store of a world is opened. */
CnStoreDesc crafty_save_store_desc(const char *path, CnStoreMode mode);
/* Appends the edits of a record of the log to `log`. Returns false and an error if it is malformed
 * or when out of memory; some edits may have been appended then. */
bool crafty_save_read_group(const uint8_t *bytes, size_t size, const CnBlockPalette *palette,
                            CnEditLog *log, CnError *error);
/* Creates a palette in which every block of the table has its own number. */
CnBlockPalette *crafty_save_palette_create(const CnBlockTable *table, CnError *error);
/* Returns such a palette, which the save owns. */
CnBlockPalette *crafty_save_palette(CraftySave *save, const CnBlockTable *table, CnError *error);
/* Drops the save in progress, if there is one; the next save contains everything. `voxels` is NULL
 * if the world does not exist any more. */
void crafty_save_cancel(CraftySave *save, CnVoxels *voxels);

/* ---- save_data.c ---- */

/* Gives a new world its saved block data. */
bool crafty_save_read_data(CraftySave *save, CnVoxels *voxels, CnError *error);
/* Begins to save the block data of the chunks in which it changed since the last save. */
bool crafty_save_begin_data(CraftySave *save, CnVoxels *voxels, CnError *error);
/* Adds rows with about `bytes` bytes. A chunk without data has no row. */
bool crafty_save_add_data(CraftySave *save, CnVoxels *voxels, uint32_t bytes, CnError *error);

#endif

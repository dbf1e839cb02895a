/*
 * Shared by the files of the voxel world.
 *
 * Chunk entries are in a map by key; columns hold what the entries of one (x, z) share. Both belong
 * to the owner's thread. Tasks process one column each: they read blocks and sky heights that the
 * owner passes to them, and write only to themselves. Each task has a number, and the data it reads
 * is stamped with that number. Data that is changed or dropped while a task with this or a lower
 * number runs is copied or retired instead, so that no thread waits and no counter is shared
 * between threads.
 */
#ifndef CAIRN_SRC_VOXEL_WORLD_VOXELS_INTERNAL_H
#define CAIRN_SRC_VOXEL_WORLD_VOXELS_INTERNAL_H

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/text.h>
#include <cairn/voxel/block_data.h>
#include <cairn/voxel/voxels.h>
#include <cairn/voxel/water.h>

#define CNI_VOXEL_COLUMN_ROWS                                                                      \
    32 /* chunks of a column within a view, its rim and beyond; a power of two */
CN_STATIC_ASSERT(2 * CN_VIEW_MAX_HEIGHT + 5 <= CNI_VOXEL_COLUMN_ROWS,
                 "a view fits into the rows of a column");

typedef enum CniVoxelChunkFlags {
    CNI_VOXEL_CHUNK_HAS_MESH = 1,    /* has a mesh; NULL is an empty mesh */
    CNI_VOXEL_CHUNK_MESH_DIRTY = 2,  /* blocks in it or one cell around it changed since meshing */
    CNI_VOXEL_CHUNK_CHECK_LIGHT = 4, /* its light may differ from that of the mesh */
    CNI_VOXEL_CHUNK_LIGHT_DIRTY = 8, /* `light` may be outdated */
    CNI_VOXEL_CHUNK_IN_TASK = 16,    /* a task is lighting and meshing it */
    CNI_VOXEL_CHUNK_EDITED = 32,     /* differs from what is generated: stored before unloading */
    CNI_VOXEL_CHUNK_TOUCHED = 64,    /* accessed since the last sweep */
    CNI_VOXEL_CHUNK_UNSTORED = 128,  /* edited since it was last stored; then it is listed */
    CNI_VOXEL_CHUNK_COPIED = 256,    /* has a copy to store */
    CNI_VOXEL_CHUNK_HASHED = 512     /* `hash` is that of the blocks */
} CniVoxelChunkFlags;
#define CNI_VOXEL_CHUNK_MESH_WORK (CNI_VOXEL_CHUNK_MESH_DIRTY | CNI_VOXEL_CHUNK_CHECK_LIGHT)

typedef struct CniVoxelStoredMesh {
    CnChunkMesh mesh;
    CnQuad quads[];
} CniVoxelStoredMesh;

/* Which cells of a chunk were edited; only in worlds with storage hooks. */
typedef struct CniVoxelEditedCells {
    uint64_t bits[CN_CHUNK_BLOCKS / 64]; /* by cn_chunk_index */
    uint64_t sum;                        /* the chunk's part of the world's edit_sum */
} CniVoxelEditedCells;

typedef struct CniVoxelChunkEntry {
    CnChunkPos position;
    uint32_t flags;
    CnChunk *blocks;
    CnChunkLight *light; /* NULL: not lit */
    CniVoxelStoredMesh *mesh;
    CniVoxelEditedCells *edited; /* NULL: no edits, or no storage hooks */
    uint64_t hash;               /* of the blocks, if CNI_VOXEL_CHUNK_HASHED */
    uint64_t box_hash;           /* of the light used for the mesh */
    uint64_t read_by;            /* newest task that reads the blocks */
    uint64_t ticked_by;          /* the last call of cn_voxels_tick with its random ticks */
    uint64_t unstored_since;     /* CniVoxelUnstored.begins when it was listed */
    uint32_t listed_at;          /* index in its list of unstored chunks */
    uint32_t copied_at;          /* index in the copies */
} CniVoxelChunkEntry;

typedef CN_ARRAY(CniVoxelChunkEntry *) CniVoxelChunkEntries;

/* A chunk as it was when storing began; edited since. */
typedef struct CniVoxelChunkCopy {
    CniVoxelChunkEntry *entry;
    CnChunk *blocks;
    CniVoxelEditedCells *edited;
} CniVoxelChunkCopy;

/* Loaded chunks with edits that are not stored: unstored.c. */
typedef struct CniVoxelUnstored {
    CniVoxelChunkEntries current; /* unstored since the last begin */
    CniVoxelChunkEntries begun;   /* unstored at the last begin, and not edited or stored since */
    CN_ARRAY(CniVoxelChunkCopy) copies; /* unstored at the last begin, and edited since */
    uint64_t begins;                    /* calls of cn_voxels_store_begin */
} CniVoxelUnstored;

/* For each x + 16 z, the lowest y from which no block upwards dims light. */
typedef struct CniVoxelSkyHeights {
    int32_t open[256];
} CniVoxelSkyHeights;

typedef struct CniVoxelChunkColumn {
    int32_t x, z;
    int32_t low, high;       /* rows with low <= y < high are loaded */
    CniVoxelSkyHeights *sky; /* NULL: unknown */
    uint64_t read_by;        /* newest task that reads the sky heights */
    /* Number of entries with edits that were never stored; the column stays while there are any. */
    uint32_t edited;
    int32_t edited_high;                 /* y of the highest edited chunk, loaded or stored */
    bool stored;                         /* some of its chunks are stored */
    int32_t prepared_low, prepared_high; /* these rows were loaded, and the sky heights known */
    /* Rows from `quiet_low` as bits: without blocks that get random ticks. */
    int32_t quiet_low;
    uint32_t quiet;
    uint64_t quiet_for;       /* CnVoxels.ticking_version that they are valid for */
    bool generating, meshing; /* by a task */
    bool stale;               /* some row may need work */
    bool listed;              /* in the world's list `changed` */
    bool touched;
    CniVoxelChunkEntry *rows[CNI_VOXEL_COLUMN_ROWS]; /* by y modulo CNI_VOXEL_COLUMN_ROWS */
} CniVoxelChunkColumn;

/* Work memory for one thread. */
typedef struct CniVoxelLane {
    CnGenerateScratch *generate;
    CnLightScratch *light;
    CnChunkMeshScratch *mesh;
    CnLightBox box;
    CnBlock blocks[CN_CHUNK_BLOCKS];
} CniVoxelLane;

/* ---- Tasks: stream_task.c ---- */

typedef struct CniVoxelTask CniVoxelTask;

typedef struct CniVoxelMeshResult {
    uint8_t to_do; /* CNI_VOXEL_CHUNK_MESH_WORK; 0: no work in this row */
    bool done, meshed;
    uint64_t box_hash; /* on input: of the existing mesh */
    CnChunkLight *light;
    CniVoxelStoredMesh *mesh;
} CniVoxelMeshResult;

typedef struct CniVoxelGenerateWork {
    uint32_t wanted; /* bit mask of rows */
    bool want_sky;
    CniVoxelSkyHeights *sky;
    CnChunk *chunks[CNI_VOXEL_COLUMN_ROWS];
} CniVoxelGenerateWork;

typedef struct CniVoxelMeshWork {
    const CnChunk *around[9][CNI_VOXEL_COLUMN_ROWS + 2]; /* row r is at r + 1 */
    CnLightSky sky;
    CniVoxelMeshResult built[CNI_VOXEL_COLUMN_ROWS];
} CniVoxelMeshWork;

struct CniVoxelTask {
    CnVoxels *world;
    CniVoxelChunkColumn *column;
    CnJob job;
    uint64_t number;
    bool is_mesh;
    bool prepares;  /* generates for cn_voxels_prepare, not for the view */
    bool cancelled; /* atomic */
    bool out_of_memory;
    int32_t low; /* y of row 0 */
    uint32_t count;
    union {
        CniVoxelGenerateWork generate;
        CniVoxelMeshWork mesh;
    };
};

/* ---- World ---- */

typedef struct CniVoxelRetired {
    uint64_t number; /* freed when no task up to this number runs */
    CnChunk *blocks;
    CniVoxelSkyHeights *sky;
} CniVoxelRetired;

typedef struct CniVoxelScheduledTick {
    uint64_t due, order;
    CnCell cell;
} CniVoxelScheduledTick;
typedef CN_ARRAY(CniVoxelScheduledTick) CniVoxelScheduledTicks; /* a heap */

/* A chunk whose edits are stored. */
typedef struct CniVoxelStoredSum {
    uint64_t sum;    /* the chunk's part of edit_sum when it was stored */
    bool is_unknown; /* nothing is part of edit_sum; found out when the chunk is generated */
} CniVoxelStoredSum;

/* Edited chunks, loaded or stored: edited_chunks.c. */
typedef struct CniVoxelEditedChunk {
    uint64_t version; /* 0: not edited after all */
    int32_t next;     /* y of another edited chunk of the column, or INT32_MIN */
} CniVoxelEditedChunk;

typedef struct CniVoxelEditedColumn {
    uint64_t version; /* the greatest of its chunks */
    int32_t first;    /* y of an edited chunk */
} CniVoxelEditedColumn;

/* ---- Block data: block_data.c ---- */

typedef struct CniVoxelDataEntry {
    uint8_t *bytes; /* NULL if there are none */
    uint16_t index; /* cn_chunk_index */
    uint16_t size;
    CnBlockDataKind kind;
    bool active;
} CniVoxelDataEntry;

/* The data of a chunk. It stays, even without entries, until it is saved. */
typedef struct CniVoxelDataChunk {
    CniVoxelDataEntry *entries; /* ascending by index */
    uint32_t count, capacity;
    bool changed; /* since the last save began; then listed in CniVoxelData.changed */
    bool pending; /* in a save that has not taken it yet */
} CniVoxelDataChunk;

/* A row of the save in progress, whose chunk has changed meanwhile. */
typedef struct CniVoxelDataRow {
    uint8_t *bytes;
    uint32_t size, capacity;
} CniVoxelDataRow;

/* A cell; in ascending order of chunk, then of index. */
typedef struct CniVoxelDataPlace {
    uint64_t chunk; /* cn_chunk_key */
    uint32_t index;
} CniVoxelDataPlace;

typedef struct CniVoxelData {
    CnNames kinds;
    CnHashMap chunks; /* cn_chunk_key: CniVoxelDataChunk */
    CN_ARRAY(CniVoxelDataPlace) active;
    CnU64Array changed; /* keys of chunks: first those of the save in progress */
    uint32_t saving;    /* number of these */
    uint32_t taken;     /* of these */
    CnHashMap rows;     /* cn_chunk_key: CniVoxelDataRow */
    uint64_t sum;       /* of the hashes of all entries */
    uint64_t bytes;
    uint32_t count;
    CnBlockDataListener listener;
    void *user;
} CniVoxelData;

typedef struct CniVoxelStreamView {
    bool set;
    int32_t x, y, z; /* chunk of the camera */
    int32_t radius, height;
    CnVec3 forward;
    int32_t side;               /* of the grid: the view and a rim of one */
    CniVoxelChunkColumn **grid; /* side x side */
    uint64_t *order;            /* priority << 32 | grid index, sorted */
    uint32_t grid_size;         /* allocated */
    uint32_t first;             /* columns before this index have no work */
} CniVoxelStreamView;

/* ---- Preparing: prepare.c ---- */

/* A chunk whose surroundings are to be loaded. */
typedef struct CniVoxelCenter {
    uint64_t bucket; /* a square of columns; the centers are sorted by it */
    CnChunkPos position;
    uint32_t references; /* positions given by the caller that lie in it */
} CniVoxelCenter;

/* A center with surroundings that may not be loaded. */
typedef struct CniVoxelPendingCenter {
    CnChunkPos position;
    uint32_t next;      /* index into `offsets` of the next column to check */
    bool is_incomplete; /* columns before it were not loaded: checked again */
    uint64_t round;     /* CniVoxelPrepare.round when checking began */
} CniVoxelPendingCenter;

typedef struct CniVoxelOffset {
    int8_t x, z;
} CniVoxelOffset;

typedef struct CniVoxelPrepare {
    int32_t radius, height, side;
    CN_ARRAY(CnChunkPos) given; /* positions of the last call */
    CN_ARRAY(CniVoxelCenter) centers;
    CN_ARRAY(CniVoxelPendingCenter) pending;
    CN_ARRAY(CnChunkPos) left; /* former centers, whose surroundings may have to be unloaded */
    CN_ARRAY(CniVoxelOffset) offsets; /* of the columns around a center, nearest first */
    uint32_t running;                 /* tasks */
    uint64_t round;                   /* increases when checking again may give another result */
    uint32_t pause;                   /* calls to wait after a failure */
    uint32_t strays;                  /* chunks generated by others since the last call */
} CniVoxelPrepare;

struct CnVoxels {
    CnAllocator *allocator;
    const CnBlockTable *table; /* of the generator */
    CnGenerator *generator;
    CnJobPool *jobs; /* NULL without workers: tasks run when started */
    CnVoxelsHooks hooks;
    CnEditLog *log;
    CnWater *water;
    CniVoxelLane *lanes; /* one per lane of the pool, then the owner's */
    uint32_t lane_count;

    CnHashMap entries;            /* chunk key: CniVoxelChunkEntry * */
    CnHashMap columns;            /* x, z: CniVoxelChunkColumn * */
    CnHashMap stored;             /* chunk key: CniVoxelStoredSum */
    CnHashMap stored_columns;     /* x, z: int32_t, y of the highest stored chunk */
    CnStoredBlock *stored_blocks; /* scratch of CN_CHUNK_BLOCKS; NULL: no storage hooks */
    CniVoxelUnstored unstored;
    CnHashMap edited;         /* chunk key: CniVoxelEditedChunk */
    CnHashMap edited_columns; /* x, z: CniVoxelEditedColumn */
    uint64_t version;         /* the greatest so far */
    CniVoxelData data;
    CnPool entry_pool, column_pool, task_pool;
    CniVoxelChunkEntry *last; /* last one looked up */
    CnChunk *air;             /* shared by all entries above the ground */

    CN_ARRAY(CniVoxelTask *) running;
    CN_ARRAY(CniVoxelChunkColumn *) changed; /* by edits: relit and remeshed first */
    CN_ARRAY(CniVoxelRetired) retired;
    CN_ARRAY(CniVoxelTask *) batch; /* scratch array of remeshing */
    uint64_t task_count;
    CniVoxelStreamView view;
    CniVoxelPrepare prepare;
    uint32_t sweep_entry, sweep_column;

    CniVoxelScheduledTicks scheduled;
    uint64_t schedule_count;
    CN_ARRAY(CnCell) centers; /* scratch array of water centers */
    CnHashMap players;        /* scratch set of chunks with players */
    uint64_t tick_calls;
    uint64_t ticking_hash, ticking_version; /* which blocks get random ticks; how often changed */
    uint64_t tick;
    uint64_t edit_sum; /* sum of hash(cell, new) - hash(cell, old) */
    CnVoxelsStats stats;
};

/* ---- voxels.c ---- */

CniVoxelLane *cni_voxel_owner_lane(CnVoxels *world);
CniVoxelChunkEntry *cni_voxel_chunk_entry_find(CnVoxels *world, CnChunkPos position);
/* Generates the chunk if it is not loaded. Returns NULL if its stored edits cannot be loaded or
 * when out of memory; like all functions that load something, it counts the failure. */
CniVoxelChunkEntry *cni_voxel_chunk_entry_load(CnVoxels *world, CnChunkPos position);
/* Adds a chunk as generated, after applying its stored edits. Takes over the reference to `blocks`,
 * even on failure. Returns NULL if the edits cannot be loaded or when out of memory. */
CniVoxelChunkEntry *cni_voxel_chunk_entry_add(CnVoxels *world, CnChunkPos position,
                                              CnChunk *blocks);
CniVoxelChunkColumn *cni_voxel_column_find(const CnVoxels *world, int32_t x, int32_t z);
/* Creates the column if needed. Returns NULL when out of memory. */
CniVoxelChunkColumn *cni_voxel_column_load(CnVoxels *world, int32_t x, int32_t z);
/* Drops mesh and light. */
void cni_voxel_chunk_entry_drop_mesh(CnVoxels *world, CniVoxelChunkEntry *entry);
void cni_voxel_stored_mesh_free(CnVoxels *world, CniVoxelStoredMesh *mesh);

static inline bool cni_voxel_chunk_in_limits(CnChunkPos position)
{
    const int32_t limit = CN_CHUNK_LIMIT;
    return position.x >= -limit && position.x < limit && position.y >= -limit &&
           position.y < limit && position.z >= -limit && position.z < limit;
}

/* ---- chunk_storage.c ---- */

bool cni_voxel_storage_init(CnVoxels *world);
void cni_voxel_storage_fini(CnVoxels *world);
/* Hash of a block in a cell. Sums of differences of these hashes are independent of the order of
 * edits, and 0 if everything is as generated. */
uint64_t cni_voxel_cell_hash(CnChunkPos position, uint32_t index, CnBlock block);
bool cni_voxel_is_stored(const CnVoxels *world, CnChunkPos position);
/* Applies the stored edits of a chunk, if any, to its generated blocks. Stores in `edited`, unless
 * it is NULL, which cells they are; NULL if there are none. Returns false if they cannot be loaded,
 * leaving the blocks unchanged, or when out of memory. */
bool cni_voxel_apply_stored(CnVoxels *world, CnChunkPos position, CnBlock *blocks,
                            CniVoxelEditedCells **edited);
/* Passes edits of a loaded chunk to the hook and updates the index. `chunk->blocks` and
 * `chunk->count` are set from the two others. Returns false if the hook fails or when out of
 * memory. */
bool cni_voxel_store_blocks(CnVoxels *world, CnStoredChunk *chunk, const CnChunk *blocks,
                            const CniVoxelEditedCells *edited);

/* Returns whether stored blocks have valid cells and blocks. */
bool cni_voxel_stored_blocks_are_valid(const CnVoxels *world, const CnStoredBlock *blocks,
                                       uint32_t count);
/* Writes the edited cells of a loaded chunk and returns their number. */
uint32_t cni_voxel_collect_edits(const CnChunk *blocks, const CniVoxelEditedCells *edited,
                                 CnStoredBlock to[CN_CHUNK_BLOCKS]);
/* Passes the edits of a chunk that is not loaded to the hook, in place of those it has; their part
 * of edit_sum is unknown. Returns false and sets `error` if that fails; nothing has changed then.
 */
bool cni_voxel_store_unloaded(CnVoxels *world, const CnStoredChunk *chunk, CnError *error);
bool cni_voxel_check_position(CnChunkPos position, CnError *error);

/* ---- edited_chunks.c ---- */

/* Makes room for the version of a chunk. Returns false when out of memory. */
bool cni_voxel_prepare_version(CnVoxels *world, CnChunkPos position);
/* Gives a chunk with room for it a new version. */
void cni_voxel_new_version(CnVoxels *world, CnChunkPos position);

/* ---- voxels_apply_edit.c ---- */

/* In a world with storage hooks, makes room for noting which cells of a chunk were edited. Returns
 * false when out of memory. */
bool cni_voxel_prepare_noting(CnVoxels *world, CniVoxelChunkEntry *entry);
/* Counts the chunk as edited. */
void cni_voxel_note_edited(CniVoxelChunkColumn *column, CniVoxelChunkEntry *entry);

/* ---- unstored.c ---- */

void cni_voxel_unstored_init(CnVoxels *world);
void cni_voxel_unstored_fini(CnVoxels *world);
/* Before an edit in a world with storage hooks: makes room for listing the entry, and a copy if
 * storing has begun and the entry belongs to it. Returns false when out of memory. */
bool cni_voxel_unstored_prepare(CnVoxels *world, CniVoxelChunkEntry *entry);
/* Lists the entry after an edit, unless it is listed. */
void cni_voxel_unstored_add(CnVoxels *world, CniVoxelChunkEntry *entry);
/* Before an entry is unloaded: stores its edits, if they are not stored yet. Returns false if they
 * have to stay loaded. */
bool cni_voxel_store_entry(CnVoxels *world, CniVoxelChunkEntry *entry);

/* ---- block_data.c ---- */

void cni_voxel_data_init(CnVoxels *world);
void cni_voxel_data_fini(CnVoxels *world);
/* Adds the kinds of a list to an empty table. On failure, some may have been added. */
bool cni_voxel_data_read_kinds(CnNames *kinds, CnText names, CnError *error);
CniVoxelDataChunk *cni_voxel_data_chunk(const CnVoxels *world, CnChunkPos position);
/* Makes room for the removal of the data of a cell, so that cni_voxel_data_detach cannot fail.
 * Returns false when out of memory. */
bool cni_voxel_data_prepare_detach(CnVoxels *world, CnCell cell);
/* Removes the data of a cell and stores it in `entry`, whose bytes the caller frees. Returns false
 * if there is none. */
bool cni_voxel_data_detach(CnVoxels *world, CnCell cell, CniVoxelDataEntry *entry);
/* Takes over the sorted entries of a chunk without data, even on failure. Returns false when out of
 * memory. */
bool cni_voxel_data_adopt(CnVoxels *world, CnChunkPos position, const CniVoxelDataChunk *chunk);
/* The same for a chunk that may have data, which is replaced; it counts as changed. */
bool cni_voxel_data_exchange(CnVoxels *world, CnChunkPos position, const CniVoxelDataChunk *chunk);
void cni_voxel_data_free_entries(CnVoxels *world, CniVoxelDataChunk *chunk);

/* ---- block_data_save.c ---- */

/* Makes room for a change of a chunk, which may be NULL: for its key in the list, and for its row
 * if the save in progress needs it. Returns false when out of memory. */
bool cni_voxel_data_prepare_change(CnVoxels *world, uint64_t key, CniVoxelDataChunk *chunk);
void cni_voxel_data_list_change(CnVoxels *world, uint64_t key, CniVoxelDataChunk *chunk);
void cni_voxel_data_free_rows(CnVoxels *world);

/* ---- voxels_sky_height.c ---- */

/* Computes the sky heights of a column. Returns false if stored edits cannot be loaded or when out
 * of memory. */
bool cni_voxel_sky_heights_load(CnVoxels *world, CniVoxelChunkColumn *column);
/* Computes the sky heights of chunks as generated; for tasks. */
CniVoxelSkyHeights *cni_voxel_sky_heights_generate(CnVoxels *world, CniVoxelLane *lane,
                                                   const CniVoxelTask *task);
/* Effect of an edit: the cells from `low` up to `high` become open or closed to the sky. */
typedef struct CniVoxelSkyHeightChange {
    int32_t low, high; /* equal: no change */
    int32_t open;
} CniVoxelSkyHeightChange;
/* Makes the sky heights writable. Returns false when out of memory. */
bool cni_voxel_sky_heights_prepare(CnVoxels *world, CniVoxelChunkColumn *column, CnCell cell,
                                   CnBlock block, CniVoxelSkyHeightChange *change);
void cni_voxel_sky_heights_apply(CniVoxelChunkColumn *column, CnCell cell,
                                 const CniVoxelSkyHeightChange *change);
/* Forgets the sky heights of a column; they are computed again when they are needed. Returns false
 * when out of memory; they are unchanged then. */
bool cni_voxel_sky_heights_forget(CnVoxels *world, CniVoxelChunkColumn *column);

/* ---- voxels_mark_dirty.c ---- */

/* Returns how far the change of a cell from `old_block` to `new_block` may affect light: 0 to
 * 15. */
uint32_t cni_voxel_light_reach(CnVoxels *world, CnCell cell, CnBlock old_block, CnBlock new_block);
/* Marks the chunks to relight and remesh. */
void cni_voxel_mark_edit_dirty(CnVoxels *world, CnCell cell, uint32_t reach,
                               const CniVoxelSkyHeightChange *sky);
/* The same after many blocks of a chunk have changed; `sky_changed`: perhaps also the sky heights
 * of its column. */
void cni_voxel_mark_chunk_dirty(CnVoxels *world, CnChunkPos position, bool sky_changed);

/* ---- stream_task.c ---- */

/* All tasks older than this have been applied; UINT64_MAX: none is running. */
uint64_t cni_voxel_oldest_task(const CnVoxels *world);
/* Retires blocks or sky heights that no entry uses any more; frees them at once if possible.
 * Returns false when out of memory. */
bool cni_voxel_retire(CnVoxels *world, uint64_t read_by, CnChunk *blocks, CniVoxelSkyHeights *sky);
void cni_voxel_free_retired(CnVoxels *world);

/* Returns NULL if there is nothing to do (the state of the column says why) or when out of
 * memory. */
CniVoxelTask *cni_voxel_task_generate(CnVoxels *world, CniVoxelChunkColumn *column, int32_t low,
                                      int32_t high);
/* The same for cn_voxels_prepare: leaves the rows of the view alone. */
CniVoxelTask *cni_voxel_task_prepare(CnVoxels *world, CniVoxelChunkColumn *column, int32_t low,
                                     int32_t high);
/* `around`: the nine columns, including the one in the center. */
CniVoxelTask *cni_voxel_task_mesh(CnVoxels *world, CniVoxelChunkColumn *const around[9],
                                  int32_t low, int32_t high);
void cni_voxel_task_run(CniVoxelTask *task, CniVoxelLane *lane);
/* Starts the task, or runs it in the call if there are no workers. */
void cni_voxel_task_begin(CnVoxels *world, CniVoxelTask *task);
/* Applies the results to the world, calls hooks and releases the task. */
void cni_voxel_task_apply(CnVoxels *world, CniVoxelTask *task);
/* Applies up to `limit` finished tasks and returns their number. */
uint32_t cni_voxel_tasks_apply_done(CnVoxels *world, uint32_t limit);
/* Waits for all running tasks and discards their results. */
void cni_voxel_tasks_drop(CnVoxels *world);

/* ---- stream.c ---- */

/* Converts any position along an axis, including NaN, to the coordinate of a chunk at least
 * `margin` chunks from the limits. */
int32_t cni_voxel_chunk_along(float position, int32_t margin);

/* ---- stream_unload.c ---- */

/* Returns whether a position lies in the view or within `margin` chunks around it. False without a
 * view. */
bool cni_voxel_stream_view_contains(const CniVoxelStreamView *view, CnChunkPos position,
                                    int32_t margin);
/* Removes meshes and unloads among that many entries and columns, continuing from the last call. */
void cni_voxel_unload_some(CnVoxels *world, uint32_t entries, uint32_t columns);
void cni_voxel_unload_all(CnVoxels *world);
/* Unloads the chunks from `low` up to `high` and then the column, as far as neither the view, nor
 * cn_voxels_prepare, nor a task needs them. */
void cni_voxel_unload_column(CnVoxels *world, int32_t x, int32_t z, int32_t low, int32_t high);

/* ---- prepare.c ---- */

void cni_voxel_prepare_init(CnVoxels *world);
void cni_voxel_prepare_fini(CnVoxels *world);
static inline bool cni_voxel_prepare_is_used(const CniVoxelPrepare *prepare)
{
    return prepare->centers.count > 0 || prepare->left.count > 0;
}
/* Return whether a chunk, or any chunk of a column, stays loaded because of a center. */
bool cni_voxel_prepare_contains(const CniVoxelPrepare *prepare, CnChunkPos position);
bool cni_voxel_prepare_contains_column(const CniVoxelPrepare *prepare, int32_t x, int32_t z);
/* Returns whether one center keeps all chunks of a column from `low` up to `high`. */
bool cni_voxel_prepare_contains_rows(const CniVoxelPrepare *prepare, int32_t x, int32_t z,
                                     int32_t low, int32_t high);

/* ---- tick.c ---- */

/* Forgets that a chunk is without blocks that get random ticks, because it changes. */
void cni_voxel_wake_random_ticks(CnVoxels *world, CnChunkPos position);
uint64_t cni_voxel_schedule_hash(const CnVoxels *world);
/* Removes the tick that runs first from a heap that is not empty, and returns it. */
CniVoxelScheduledTick cni_voxel_schedule_take(CniVoxelScheduledTicks *scheduled);

#endif

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
#include <cairn/voxel/voxels.h>
#include <cairn/voxel/water.h>

#define CNI_ROWS 32 /* chunks of a column within a view, its rim and beyond; a power of two */
CN_STATIC_ASSERT(2 * CN_VIEW_MAX_HEIGHT + 5 <= CNI_ROWS, "a view fits into the rows of a column");

typedef enum CniPlaceFlags {
    CNI_PLACE_SHOWN = 1,     /* has a mesh; NULL is an empty mesh */
    CNI_PLACE_MESH_OLD = 2,  /* blocks in it or one cell around it changed since meshing */
    CNI_PLACE_CHECK = 4,     /* its light may differ from that of the mesh */
    CNI_PLACE_LIGHT_OLD = 8, /* `light` may be outdated */
    CNI_PLACE_BUSY = 16,     /* a task is lighting and meshing it */
    CNI_PLACE_EDITED = 32,   /* cannot be generated again: never unloaded */
    CNI_PLACE_TOUCHED = 64   /* accessed since the last sweep */
} CniPlaceFlags;
#define CNI_PLACE_TO_DO (CNI_PLACE_MESH_OLD | CNI_PLACE_CHECK)

typedef struct CniMesh {
    CnChunkMesh mesh;
    CnQuad quads[];
} CniMesh;

typedef struct CniPlace {
    CnChunkPos position;
    uint32_t flags;
    CnChunk *blocks;
    CnChunkLight *light; /* NULL: not lit */
    CniMesh *mesh;
    uint64_t box_hash; /* of the light used for the mesh */
    uint64_t read_by;  /* newest task that reads the blocks */
} CniPlace;

/* For each x + 16 z, the lowest y from which no block upwards dims light. */
typedef struct CniSky {
    int32_t open[256];
} CniSky;

typedef struct CniColumn {
    int32_t x, z;
    int32_t low, high; /* rows with low <= y < high are loaded */
    CniSky *sky;       /* NULL: unknown */
    uint64_t read_by;  /* newest task that reads the sky heights */
    uint32_t edited;   /* number of entries with edits; the column stays while there are any */
    int32_t edited_high;
    bool generating, meshing; /* by a task */
    bool stale;               /* some row may need work */
    bool listed;              /* in the world's list `changed` */
    bool touched;
    CniPlace *rows[CNI_ROWS]; /* by y modulo CNI_ROWS */
} CniColumn;

/* Work memory for one thread. */
typedef struct CniLane {
    CnGenerateScratch *generate;
    CnLightScratch *light;
    CnChunkMeshScratch *mesh;
    CnLightBox box;
    CnBlock blocks[CN_CHUNK_BLOCKS];
} CniLane;

/* ---- Tasks: stream_task.c ---- */

typedef struct CniTask CniTask;

typedef struct CniBuilt {
    uint8_t to_do; /* CNI_PLACE_TO_DO; 0: no work in this row */
    bool done, meshed;
    uint64_t box_hash; /* on input: of the existing mesh */
    CnChunkLight *light;
    CniMesh *mesh;
} CniBuilt;

typedef struct CniGenerateWork {
    uint32_t wanted; /* bit mask of rows */
    bool want_sky;
    CniSky *sky;
    CnChunk *chunks[CNI_ROWS];
} CniGenerateWork;

typedef struct CniMeshWork {
    const CnChunk *around[9][CNI_ROWS + 2]; /* row r is at r + 1 */
    CnLightSky sky;
    CniBuilt built[CNI_ROWS];
} CniMeshWork;

struct CniTask {
    CnVoxels *world;
    CniColumn *column;
    CnJob job;
    uint64_t number;
    bool is_mesh;
    bool cancelled; /* atomic */
    bool out_of_memory;
    int32_t low; /* y of row 0 */
    uint32_t count;
    union {
        CniGenerateWork generate;
        CniMeshWork mesh;
    };
};

/* ---- World ---- */

typedef struct CniRetired {
    uint64_t number; /* freed when no task up to this number runs */
    CnChunk *blocks;
    CniSky *sky;
} CniRetired;

typedef struct CniScheduled {
    uint64_t due, order;
    CnCell cell;
} CniScheduled;

typedef struct CniView {
    bool set;
    int32_t x, y, z; /* chunk of the camera */
    int32_t radius, height;
    CnVec3 forward;
    int32_t side;       /* of the grid: the view and a rim of one */
    CniColumn **grid;   /* side x side */
    uint64_t *order;    /* priority << 32 | grid index, sorted */
    uint32_t grid_size; /* allocated */
    uint32_t first;     /* columns before this index have no work */
} CniView;

struct CnVoxels {
    CnAllocator *allocator;
    CnGenerator *generator;
    CnJobPool *jobs; /* NULL without workers: tasks run when started */
    CnVoxelsHooks hooks;
    CnEditLog *log;
    CnWater *water;
    CniLane *lanes; /* one per lane of the pool, then the owner's */
    uint32_t lane_count;

    CnHashMap places;  /* chunk key: CniPlace * */
    CnHashMap columns; /* x, z: CniColumn * */
    CnPool place_pool, column_pool, task_pool;
    CniPlace *last; /* last one looked up */
    CnChunk *air;   /* shared by all entries above the ground */

    CN_ARRAY(CniTask *) running;
    CN_ARRAY(CniColumn *) changed; /* by edits: relit and remeshed first */
    CN_ARRAY(CniRetired) retired;
    CN_ARRAY(CniTask *) batch; /* scratch array of remeshing */
    uint64_t task_count;
    CniView view;
    uint32_t sweep_place, sweep_column;

    CN_ARRAY(CniScheduled) scheduled; /* a heap */
    uint64_t schedule_count;
    CN_ARRAY(CnCell) centers; /* scratch array of water centres */
    uint64_t tick;
    uint64_t edit_sum; /* sum of hash(cell, new) - hash(cell, old) */
    CnVoxelsStats stats;
};

/* ---- voxels.c ---- */

CniLane *cni_owner_lane(CnVoxels *world);
CniPlace *cni_place_find(CnVoxels *world, CnChunkPos position);
/* Generates the chunk if it is not loaded. Returns NULL when out of memory. */
CniPlace *cni_place_load(CnVoxels *world, CnChunkPos position);
/* Takes over the reference to `blocks`, even on failure. */
CniPlace *cni_place_add(CnVoxels *world, CnChunkPos position, CnChunk *blocks);
CniColumn *cni_column_find(const CnVoxels *world, int32_t x, int32_t z);
/* Creates the column if needed. Returns NULL when out of memory. */
CniColumn *cni_column_load(CnVoxels *world, int32_t x, int32_t z);
/* Drops mesh and light. */
void cni_place_hide(CnVoxels *world, CniPlace *place);
void cni_mesh_free(CnVoxels *world, CniMesh *mesh);

static inline bool cni_chunk_in_limits(CnChunkPos position)
{
    const int32_t limit = CN_CHUNK_LIMIT;
    return position.x >= -limit && position.x < limit && position.y >= -limit &&
           position.y < limit && position.z >= -limit && position.z < limit;
}

/* ---- voxels_sky_height.c ---- */

/* Computes the sky heights of a column. Returns false when out of memory. */
bool cni_sky_load(CnVoxels *world, CniColumn *column);
/* Computes the sky heights of chunks as generated; for tasks. */
CniSky *cni_sky_generate(CnVoxels *world, CniLane *lane, const CniTask *task);
/* Effect of an edit: the cells from `low` up to `high` become open or closed to the sky. */
typedef struct CniSkyChange {
    int32_t low, high; /* equal: no change */
    int32_t open;
} CniSkyChange;
/* Makes the sky heights writable. Returns false when out of memory. */
bool cni_sky_prepare(CnVoxels *world, CniColumn *column, CnCell cell, CnBlock block,
                     CniSkyChange *change);
void cni_sky_apply(CniColumn *column, CnCell cell, const CniSkyChange *change);

/* ---- voxels_mark_dirty.c ---- */

/* Returns how far the change of a cell from `old_block` to `new_block` may affect light: 0 to
 * 15. */
uint32_t cni_light_reach(CnVoxels *world, CnCell cell, CnBlock old_block, CnBlock new_block);
/* Marks the chunks to relight and remesh. */
void cni_mark_edit(CnVoxels *world, CnCell cell, uint32_t reach, const CniSkyChange *sky);

/* ---- stream_task.c ---- */

/* All tasks older than this have been applied; UINT64_MAX: none is running. */
uint64_t cni_oldest_task(const CnVoxels *world);
/* Retires blocks or sky heights that no entry uses any more; frees them at once if possible.
 * Returns false when out of memory. */
bool cni_retire(CnVoxels *world, uint64_t read_by, CnChunk *blocks, CniSky *sky);
void cni_free_retired(CnVoxels *world);

/* Returns NULL if there is nothing to do (the state of the column says why) or when out of
 * memory. */
CniTask *cni_task_generate(CnVoxels *world, CniColumn *column, int32_t low, int32_t high);
/* `around`: the nine columns, including the one in the centre. */
CniTask *cni_task_mesh(CnVoxels *world, CniColumn *const around[9], int32_t low, int32_t high);
void cni_task_run(CniTask *task, CniLane *lane);
/* Starts the task, or runs it in the call if there are no workers. */
void cni_task_begin(CnVoxels *world, CniTask *task);
/* Applies the results to the world, calls hooks and releases the task. */
void cni_task_take_in(CnVoxels *world, CniTask *task);
/* Waits for all running tasks and discards their results. */
void cni_tasks_drop(CnVoxels *world);

/* ---- stream_unload.c ---- */

/* Returns whether a position lies in the view or within `margin` chunks around it. False without a
 * view. */
bool cni_view_has(const CniView *view, CnChunkPos position, int32_t margin);
/* Removes meshes and unloads among that many entries and columns, continuing from the last call. */
void cni_sweep(CnVoxels *world, uint32_t places, uint32_t columns);
void cni_sweep_all(CnVoxels *world);

/* ---- tick.c ---- */

uint64_t cni_schedule_hash(const CnVoxels *world);

#endif

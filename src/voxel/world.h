/*
 * What the files of the world share.
 *
 * Places are chunks of the world, in a map by key; columns are what the places of one (x, z) have in
 * common. Both belong to the owner's thread. Work on chunks is done in tasks, a column each: they
 * read blocks and skies that the owner hands them, and write only into themselves. A task has a number;
 * what it reads is stamped with it. Memory that is changed or dropped while an older number still runs is
 * copied or retired instead, so that nobody waits and no counter is shared between threads.
 */
#ifndef CAIRN_SRC_VOXEL_WORLD_H
#define CAIRN_SRC_VOXEL_WORLD_H

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/voxel/voxels.h>
#include <cairn/voxel/water.h>

#define CNI_ROWS                                                                                   \
    32 /* chunks of a column that can be in a view, its rim and beyond; a power of two */
CN_STATIC_ASSERT(2 * CN_VIEW_MAX_HEIGHT + 5 <= CNI_ROWS, "a view fits into the rows of a column");

typedef enum CniPlaceFlags {
    CNI_PLACE_SHOWN = 1,     /* has a mesh; NULL is an empty one */
    CNI_PLACE_MESH_OLD = 2,  /* blocks in it or one cell around have changed since the mesh */
    CNI_PLACE_CHECK = 4,     /* its light may differ from the mesh's */
    CNI_PLACE_LIGHT_OLD = 8, /* `light` may be wrong */
    CNI_PLACE_BUSY = 16,     /* a task lights and meshes it */
    CNI_PLACE_EDITED = 32,   /* cannot be generated again: never unloaded */
    CNI_PLACE_TOUCHED = 64   /* asked for since the last look at it */
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
    uint64_t box_hash; /* of the light that the mesh was made with */
    uint64_t read_by;  /* the newest task that reads the blocks */
} CniPlace;

/* For each x + 16 z the lowest y from which everything upwards is without loss. */
typedef struct CniSky {
    int32_t open[256];
} CniSky;

typedef struct CniColumn {
    int32_t x, z;
    int32_t low, high; /* rows with low <= y < high are there */
    CniSky *sky;       /* NULL: not known */
    uint64_t read_by;  /* the newest task that reads the sky */
    uint32_t edited;   /* places with edits; the column stays while there are any */
    int32_t edited_high;
    bool generating, meshing; /* in a task */
    bool stale;               /* some row may have work to do */
    bool listed;              /* in `changed` of the world */
    bool touched;
    CniPlace *rows[CNI_ROWS]; /* by y modulo CNI_ROWS */
} CniColumn;

/* Work memory of one thread. */
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
    uint8_t to_do; /* CNI_PLACE_TO_DO; 0: nothing in this row */
    bool done, meshed;
    uint64_t box_hash; /* before: of the mesh that is there */
    CnChunkLight *light;
    CniMesh *mesh;
} CniBuilt;

typedef struct CniGenerateWork {
    uint32_t wanted; /* bits of rows */
    bool want_sky;
    CniSky *sky;
    CnChunk *chunks[CNI_ROWS];
} CniGenerateWork;

typedef struct CniMeshWork {
    const CnChunk *around[9][CNI_ROWS + 2]; /* of row r: at r + 1 */
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

/* ---- The world ---- */

typedef struct CniRetired {
    uint64_t number; /* freed when no task up to this one runs */
    CnChunk *blocks;
    CniSky *sky;
} CniRetired;

typedef struct CniScheduled {
    uint64_t due, order;
    CnCell cell;
} CniScheduled;

typedef struct CniView {
    bool set;
    int32_t x, y, z; /* the chunk of the eye */
    int32_t radius, height;
    CnVec3 forward;
    int32_t side;       /* of the grid: the view and a rim of one */
    CniColumn **grid;   /* side x side */
    uint64_t *order;    /* priority << 32 | index of the grid, in order */
    uint32_t grid_size; /* allocated */
    uint32_t first;     /* columns before it in the order have nothing to do */
} CniView;

struct CnVoxels {
    CnAllocator *allocator;
    CnGenerator *generator;
    CnJobPool *jobs; /* NULL without workers: then tasks run where they begin */
    CnVoxelsHooks hooks;
    CnEditLog *log;
    CnWater *water;
    CniLane *lanes; /* one for each lane of the pool, then the owner's */
    uint32_t lane_count;

    CnHashMap places;  /* chunk key: CniPlace * */
    CnHashMap columns; /* x, z: CniColumn * */
    CnPool place_pool, column_pool, task_pool;
    CniPlace *last; /* that was looked up */
    CnChunk *air;   /* shared by all places above the ground */

    CN_ARRAY(CniTask *) running;
    CN_ARRAY(CniColumn *) changed; /* by edits: lit and meshed before others */
    CN_ARRAY(CniRetired) retired;
    CN_ARRAY(CniTask *) batch; /* of one remeshing; kept for its memory */
    uint64_t task_count;
    CniView view;
    uint32_t sweep_place, sweep_column;

    CN_ARRAY(CniScheduled) scheduled; /* a heap */
    uint64_t schedule_count;
    CN_ARRAY(CnCell) centers; /* of water; kept for its memory */
    uint64_t tick;
    uint64_t edit_sum; /* of hash(cell, new) - hash(cell, old) */
    CnVoxelsStats stats;
};

/* ---- voxels.c ---- */

CniLane *cni_owner_lane(CnVoxels *world);
CniPlace *cni_place_find(CnVoxels *world, CnChunkPos position);
/* Generated if it is not there; NULL when out of memory. */
CniPlace *cni_place_load(CnVoxels *world, CnChunkPos position);
/* Takes the reference of `blocks`, also when it fails. */
CniPlace *cni_place_add(CnVoxels *world, CnChunkPos position, CnChunk *blocks);
CniColumn *cni_column_find(const CnVoxels *world, int32_t x, int32_t z);
/* Made if there is none; NULL when out of memory. */
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

/* ---- voxels_sky.c ---- */

/* Makes the sky of a column known; false when out of memory. */
bool cni_sky_load(CnVoxels *world, CniColumn *column);
/* The sky of chunks as they are generated: for tasks. */
CniSky *cni_sky_generate(CnVoxels *world, CniLane *lane, const CniTask *task);
/* What an edit does to it: the cells from `low` up to `high` see the sky or see it no more. */
typedef struct CniSkyChange {
    int32_t low, high; /* equal: nothing */
    int32_t open;
} CniSkyChange;
/* The sky can be written afterwards; false when out of memory. */
bool cni_sky_prepare(CnVoxels *world, CniColumn *column, CnCell cell, CnBlock block,
                     CniSkyChange *change);
void cni_sky_apply(CniColumn *column, CnCell cell, const CniSkyChange *change);

/* ---- voxels_mark.c ---- */

/* How far the light of a cell may reach when it changes from `old_block` to `new_block`: 0 to 15. */
uint32_t cni_light_reach(CnVoxels *world, CnCell cell, CnBlock old_block, CnBlock new_block);
/* Marks what has to be lit and meshed again. */
void cni_mark_edit(CnVoxels *world, CnCell cell, uint32_t reach, const CniSkyChange *sky);

/* ---- stream_task.c ---- */

/* Tasks older than this have been taken in; UINT64_MAX: none runs. */
uint64_t cni_oldest_task(const CnVoxels *world);
/* Blocks or a sky that no place has any more; false when out of memory. Frees at once if it can. */
bool cni_retire(CnVoxels *world, uint64_t read_by, CnChunk *blocks, CniSky *sky);
void cni_free_retired(CnVoxels *world);

/* NULL: nothing to do (the column's state says why) or out of memory. */
CniTask *cni_task_generate(CnVoxels *world, CniColumn *column, int32_t low, int32_t high);
/* `around`: the columns, the middle one among them. */
CniTask *cni_task_mesh(CnVoxels *world, CniColumn *const around[9], int32_t low, int32_t high);
void cni_task_run(CniTask *task, CniLane *lane);
/* Starts it, or runs it where it is when there are no workers. */
void cni_task_begin(CnVoxels *world, CniTask *task);
/* The results into the world, hooks, and the task is free again. */
void cni_task_take_in(CnVoxels *world, CniTask *task);
/* Waits for all that run and drops what they made. */
void cni_tasks_drop(CnVoxels *world);

/* ---- stream_unload.c ---- */

/* Of the view, with a rim of `margin` chunks. False without a view. */
bool cni_view_has(const CniView *view, CnChunkPos position, int32_t margin);
/* Hides and unloads among `count` places and columns, from where it stopped the last time. */
void cni_sweep(CnVoxels *world, uint32_t places, uint32_t columns);
void cni_sweep_all(CnVoxels *world);

/* ---- tick.c ---- */

uint64_t cni_schedule_hash(const CnVoxels *world);

#endif

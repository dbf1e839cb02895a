/*
 * The world of blocks: what is where, edits, what to show.
 *
 *     CnVoxels *world = cn_voxels_create(&(CnVoxelsDesc){.generator = generator, .jobs = pool}, &error);
 *     CnBlock block = cn_voxels_get(world, (CnCell){10, 64, -3});     // generated if it is not there
 *     cn_voxels_edit(world, &(CnEdit){.kind = CN_EDIT_BREAK, .cell = cell, ...});
 *     cn_voxels_stream(world, &(CnVoxelsView){.eye = eye, .forward = forward});   // once a frame
 *
 * One thread owns a world. Jobs generate, light and mesh; they hold references of the chunks they read, so
 * that edits never wait. Streaming serves the eye alone: what ticks and questions see does not hang
 * on it. Edits mark chunks; cn_voxels_stream lights and meshes each marked one once.
 */
#ifndef CAIRN_VOXEL_VOXELS_H
#define CAIRN_VOXEL_VOXELS_H

#include <cairn/base/job.h>
#include <cairn/base/vector.h>
#include <cairn/voxel/edit.h>
#include <cairn/voxel/generate.h>
#include <cairn/voxel/mesh.h>

CN_EXTERN_C_BEGIN

typedef struct CnVoxels CnVoxels;

/* Called on the owner's thread. They may ask and edit, but not stream, tick or destroy. */
typedef struct CnVoxelsHooks {
    void *user;
    /* The mesh of a chunk is there for the first time, has changed, or is gone. */
    void (*chunk_added)(void *user, CnChunkPos position);
    void (*mesh_changed)(void *user, CnChunkPos position, const CnChunkMesh *mesh);
    void (*chunk_removed)(void *user, CnChunkPos position);
    /* After the change; also of water and ticks. */
    void (*block_changed)(void *user, const CnEdit *edit);
    /* A scheduled (random: false) or random tick of a block; edits may be made here. */
    void (*block_tick)(void *user, CnCell cell, CnBlock block, bool random);
} CnVoxelsHooks;

typedef struct CnVoxelsDesc {
    CnAllocator *allocator; /* jobs use it too */
    CnGenerator *generator; /* not owned */
    CnJobPool *jobs;        /* not owned; NULL, or no workers: everything on this thread */
    CnVoxelsHooks hooks;
    uint32_t edit_limit; /* of the log; 0 means 100,000 */
} CnVoxelsDesc;
CN_API CnVoxels *cn_voxels_create(const CnVoxelsDesc *desc, CnError *error);
CN_API void cn_voxels_destroy(CnVoxels *world);

/* ---- Blocks ---- */

/* Chunks that are not loaded are generated. They are unloaded by cn_voxels_stream, or by cn_voxels_tick
 * where nothing is streamed, when nobody has asked for them for a while; edited ones stay. */
CN_API CnBlock cn_voxels_get(CnVoxels *world, CnCell cell);
/* Makes the edit: old_block is filled in, the log appended, block_changed called. A block that equals what
 * is there changes nothing. False: the cell or block is out of range, or out of memory. */
CN_API bool cn_voxels_edit(CnVoxels *world, CnEdit *edit, CnError *error);
CN_API CnEditLog *cn_voxels_log(CnVoxels *world);
/* The chunk, generated if need be; the caller's until the world next changes (acquire to keep). */
CN_API const CnChunk *cn_voxels_chunk(CnVoxels *world, CnChunkPos position);
/* Light of a cell, sky << 4 | block: computed if need be. */
CN_API uint8_t cn_voxels_light(CnVoxels *world, CnCell cell);
/* y of the highest block at (x, z) that dims light: leaves and water too. */
CN_API int32_t cn_voxels_height(CnVoxels *world, int32_t x, int32_t z);
/* Of everything that edits and ticks have made: independent of streaming. */
CN_API uint64_t cn_voxels_hash(CnVoxels *world);

/* ---- Questions ---- */

typedef struct CnVoxelHit {
    CnCell cell;
    CnBlock block;
    uint8_t face; /* CnFace that the ray came in through; CN_EDIT_NO_FACE: it began inside */
    float distance;
    CnVec3 point, normal;
} CnVoxelHit;
typedef enum CnVoxelStop {
    CN_VOXEL_STOP_ANY,    /* everything but air and water */
    CN_VOXEL_STOP_SOLID,  /* what collides */
    CN_VOXEL_STOP_LIQUID, /* water too */
    CN_VOXEL_STOP_AIMED   /* as ANY, but for the cell it begins in: what a player aims at */
} CnVoxelStop;
/* The first block that stops the ray, cell by cell in the order that it meets them: through an edge or a corner
 * along x first, then y, then z. `direction` has any length but 0; at most CN_VOXEL_RAY_MAX blocks are
 * looked at. A cell stops it as a whole, also that of a flower. False: nothing does. */
#define CN_VOXEL_RAY_MAX 1024.0f
CN_API bool cn_voxels_ray(CnVoxels *world, CnVec3 origin, CnVec3 direction, float length,
                          CnVoxelStop stop, CnVoxelHit *hit);

/* A box moved through the blocks that collide: slides along x, z, then y. It keeps CN_VOXEL_SKIN away from what
 * stops it (more where floats are coarser than that), so that adding what it moved to a position never
 * brings it inside. Blocks that it is inside of already do not hold it. The world ends with walls. Boxes are
 * at most 64 blocks wide, a move is cut to CN_VOXEL_RAY_MAX along each axis. */
#define CN_VOXEL_SKIN 0.001f
typedef struct CnVoxelBox {
    CnVec3 min, max;
} CnVoxelBox;
typedef struct CnVoxelSweep {
    CnVec3 moved;   /* how far it came */
    bool hit[3];    /* on x, y, z */
    bool on_ground; /* stopped while it went down */
} CnVoxelSweep;
CN_API CnVoxelSweep cn_voxels_sweep(CnVoxels *world, CnVoxelBox box, CnVec3 move);
CN_API bool cn_voxels_overlap(CnVoxels *world, CnVoxelBox box); /* touches a block that collides */

/* ---- Ticks: the same for any streaming ---- */

/* block_tick of the cell, `delay` ticks from now, at the earliest in the next one; those of one tick come
 * in the order of asking. False: the cell lies outside the world, or out of memory. */
CN_API bool cn_voxels_schedule(CnVoxels *world, CnCell cell, uint32_t delay);
#define CN_TICK_MAX_RADIUS 32
typedef struct CnVoxelsTick {
    uint64_t tick;         /* of now: one more than the last time */
    const CnVec3 *players; /* random ticks and water happen around them */
    uint32_t player_count;
    uint32_t radius;       /* of chunks; 0 means 4, at most CN_TICK_MAX_RADIUS */
    uint32_t random_ticks; /* for each chunk; 0 means 3 */
    uint32_t water_budget; /* cells; 0 means 4,096 */
    uint32_t water_ticks;  /* water moves every this many ticks; 0 means 15: .25 s at 60 a second */
} CnVoxelsTick;
CN_API void cn_voxels_tick(CnVoxels *world, const CnVoxelsTick *tick);

/* ---- Streaming ---- */

#define CN_VIEW_MAX_RADIUS 64
#define CN_VIEW_MAX_HEIGHT 12

/* A job works on a column of chunks: it generates them, or lights and meshes them. Without workers
 * jobs are done in the call itself, so choose the budget for the frame. */
typedef struct CnVoxelsView {
    CnVec3 eye, forward;
    uint32_t radius, height; /* chunks; 0 means 8 and 4; unloaded one further out */
    uint32_t budget;         /* jobs begun in this call, and at most in flight; 0 means 64 */
    uint32_t results;        /* of jobs, taken in by this call; 0 means 64 */
    bool wait;               /* for everything, whatever the budget: for tests and tools */
} CnVoxelsView;
/* Shows the chunks around the eye, near ones and those before it first. What edits have changed is lit
 * and meshed in this call, so that it appears as a whole. Radius and height beyond CN_VIEW_MAX_...
 * are cut to it. Makes no heap call where nothing changes. */
CN_API void cn_voxels_stream(CnVoxels *world, const CnVoxelsView *view);

/* Of a shown chunk: NULL when there is none yet. Valid until the next cn_voxels_stream. */
CN_API const CnChunkMesh *cn_voxels_mesh(CnVoxels *world, CnChunkPos position);

typedef struct CnVoxelsStats {
    uint32_t chunks, shown, waiting, running;   /* loaded, with a mesh, wanted, in jobs */
    uint64_t generated, lit, meshed, cancelled; /* so far */
    uint64_t block_bytes, light_bytes, mesh_bytes, other_bytes;
    uint64_t out_of_memory; /* times that work was put off for it */
} CnVoxelsStats;
CN_API CnVoxelsStats cn_voxels_stats(const CnVoxels *world);

CN_EXTERN_C_END

#endif

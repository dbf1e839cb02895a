/*
 * The voxel world: blocks, edits, queries, ticks and the streaming of meshes.
 *
 *     CnError error = {0};
 *     CnVoxelsDesc desc = {.generator = generator, .jobs = pool};
 *     CnVoxels *world = cn_voxels_create(&desc, &error);
 *     CnBlock block = cn_voxels_get(world, (CnCell){10, 64, -3}); // generates the chunk if needed
 *     CnEdit edit = {.kind = CN_EDIT_BREAK, .cell = {10, 64, -3}, .new_block = CN_BLOCK_AIR};
 *     cn_voxels_edit(world, &edit, &error);
 *     cn_voxels_stream(world, &(CnVoxelsView){.eye = eye, .forward = forward}); // once per frame
 *
 * A world belongs to one thread. Jobs generate, light and mesh chunks. Every job has a number, and
 * the data it reads is stamped with that number. The owner copies stamped data before changing it
 * and defers freeing it until the job has finished, so edits never wait for jobs. Streaming only
 * serves the camera: ticks and queries do not depend on it. Edits mark chunks as dirty;
 * cn_voxels_stream relights and remeshes each dirty chunk once. A server without a camera calls
 * cn_voxels_prepare instead, with the positions of its players.
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

/* A block of an edited chunk. */
typedef struct CnStoredBlock {
    uint16_t index; /* of the cell within its chunk: cn_chunk_index */
    CnBlock block;
} CnStoredBlock;

/* The edits of a chunk: every cell that was ever edited, with its current block. */
typedef struct CnStoredChunk {
    CnChunkPos position;
    /* Contribution to cn_voxels_hash; checked when the chunk is loaded again. 0 if it is not known:
     * see cn_voxels_set_edits. */
    uint64_t hash;
    const CnStoredBlock *blocks; /* in ascending order of index */
    uint32_t count; /* up to CN_CHUNK_BLOCKS; 0 only after cn_voxels_set_edits without blocks */
    /* The edits are those of the last cn_voxels_store_begin. False: the chunk is being unloaded and
     * has edits that were made later, or nothing was begun. */
    bool at_begin;
} CnStoredChunk;

/* Callbacks on the thread that owns the world, never on one of its workers. They may query and edit
 * the world, but must not stream, tick or destroy it. chunk_store and chunk_load must not use the
 * world at all. */
typedef struct CnVoxelsHooks {
    void *user;
    /* A chunk got its first mesh, its mesh changed, or its mesh was removed. */
    void (*chunk_added)(void *user, CnChunkPos position);
    void (*mesh_changed)(void *user, CnChunkPos position, const CnChunkMesh *mesh);
    void (*chunk_removed)(void *user, CnChunkPos position);
    /* Called after each change, including those by water and ticks. */
    void (*block_changed)(void *user, const CnEdit *edit);
    /* cn_voxels_set_edits has replaced the edits of a chunk. */
    void (*edits_replaced)(void *user, CnChunkPos position);
    /* A scheduled (`random` is false) or random tick of a block. May edit the world. */
    void (*block_tick)(void *user, CnCell cell, CnBlock block, bool random);
    /* Storage of edits: both or neither. Without them, edited chunks stay loaded. With them, an
     * edited chunk is unloaded like any other after its edits have been passed to chunk_store, and
     * chunk_load supplies them when the chunk is generated again, before anybody sees it.
     * `chunk` and its blocks are valid during the call only; they replace what was stored for this
     * position before. Returning false keeps the chunk loaded; it is passed again later. */
    bool (*chunk_store)(void *user, const CnStoredChunk *chunk);
    /* Called only for chunks that were stored. Writes their blocks, in any order, and `count`. If
     * it returns false, or blocks that do not match the stored hash, the chunk is not loaded and
     * loading is tried again at the next access; until then, cn_voxels_get returns generated blocks
     * for it and cn_voxels_edit fails, so that stored edits are never overwritten. */
    bool (*chunk_load)(void *user, CnChunkPos position, CnStoredBlock blocks[CN_CHUNK_BLOCKS],
                       uint32_t *count);
} CnVoxelsHooks;

typedef struct CnVoxelsDesc {
    CnAllocator *allocator; /* also used by jobs */
    CnGenerator *generator; /* not owned */
    CnJobPool *jobs;        /* not owned; NULL or no workers: run jobs on the calling thread */
    CnVoxelsHooks hooks;
    uint32_t edit_limit; /* edits kept in the log; 0 selects 100,000 */
} CnVoxelsDesc;
/* Creates a world with the blocks of the generator's table. Returns NULL and sets `error` when out
 * of memory. */
CN_API CnVoxels *cn_voxels_create(const CnVoxelsDesc *desc, CnError *error);
/* Waits for running jobs and frees the world. NULL is ignored. */
CN_API void cn_voxels_destroy(CnVoxels *world);
/* Returns the block table of the world, that of its generator. Any thread. */
CN_API const CnBlockTable *cn_voxels_blocks(const CnVoxels *world);

/* ---- Blocks ---- */

/* Returns the block in a cell; air outside the world. Generates the chunk if it is not loaded.
 * cn_voxels_stream (or cn_voxels_tick in a world that is not streamed) unloads chunks that have not
 * been accessed for a while; edited chunks only if there are hooks to store them. */
CN_API CnBlock cn_voxels_get(CnVoxels *world, CnCell cell);
/* Applies an edit: fills in old_block, appends the edit to the log and calls block_changed. Does
 * nothing if the cell already contains new_block. Returns false and sets `error` if the cell or the
 * block is out of range, if the stored edits of the chunk cannot be loaded, or when out of
 * memory. */
CN_API bool cn_voxels_edit(CnVoxels *world, CnEdit *edit, CnError *error);
/* Like cn_voxels_edit, but data of the block (cairn/voxel/block_data.h) stays in the cell and the
 * listener is not called: for a block that becomes another form of itself, such as a furnace that
 * starts to glow. */
CN_API bool cn_voxels_edit_keeping_data(CnVoxels *world, CnEdit *edit, CnError *error);
/* Returns the world's edit log. */
CN_API CnEditLog *cn_voxels_log(CnVoxels *world);
/* Returns a chunk, generating it if needed; NULL outside the world, when out of memory, or if its
 * stored edits cannot be loaded. It is valid until the world changes; acquire a reference to keep
 * it longer. */
CN_API const CnChunk *cn_voxels_chunk(CnVoxels *world, CnChunkPos position);
/* Returns whether the blocks of a chunk are in memory, so that reading them generates nothing. */
CN_API bool cn_voxels_is_loaded(const CnVoxels *world, CnChunkPos position);
/* Returns the light of a cell, sky << 4 | block, computing it if needed. */
CN_API uint8_t cn_voxels_light(CnVoxels *world, CnCell cell);
/* Returns the y of the topmost block at (x, z) that dims light, including leaves and water. */
CN_API int32_t cn_voxels_height(CnVoxels *world, int32_t x, int32_t z);
/* Returns a hash of everything that edits and ticks have changed; independent of streaming. */
CN_API uint64_t cn_voxels_hash(CnVoxels *world);

/* ---- Storage of edits ---- */

/* Hooks store only edits. Scheduled ticks, awake water and the edit log stay in memory, whichever
 * chunks are loaded, and keep running: they load the chunks that they need. So neither the blocks
 * nor cn_voxels_hash depend on what has been unloaded.
 *
 * A saved world consists of the stored edits, the log (cn_edit_log_at, cn_edit_log_append) and the
 * activity. A new world that gets all three has the same hash and runs on to the same hashes. */

/* Passes every chunk with edits that have not been stored yet to chunk_store; the chunks stay
 * loaded. For saving. Returns false and sets `error` if storing some of them failed; the others are
 * stored. */
CN_API bool cn_voxels_store_edits(CnVoxels *world, CnError *error);
/* The same in parts, for saves between ticks that must not take long:
 *
 *     cn_voxels_store_begin(world, &error); // does not visit the chunks
 *     while (cn_voxels_is_storing(world) && cn_voxels_store_some(world, 10000, &error))
 *         play(world); // ticks, edits, streaming
 *
 * chunk_store gets the edits as they were at the begin, whatever is edited meanwhile. A chunk is
 * passed at the latest before it is unloaded; if it was edited again by then, it is passed twice,
 * the second time without `at_begin`. Returns false and sets `error` when out of memory. */
CN_API bool cn_voxels_store_begin(CnVoxels *world, CnError *error);
CN_API bool cn_voxels_is_storing(const CnVoxels *world);
/* Passes chunks until they have about so many cells. Returns false and sets `error` if storing some
 * of them failed; they are passed again by the next call. */
CN_API bool cn_voxels_store_some(CnVoxels *world, uint32_t cells, CnError *error);
/* Gives up what was begun; the next begin includes what was not stored. */
CN_API void cn_voxels_store_cancel(CnVoxels *world);
/* Announces a chunk that was stored earlier, for example by another process, with its hash. A hash
 * is valid for the same generator and the same block numbers; cn_voxels_stored_hash computes it
 * anew. Returns false and sets `error` if the position lies outside the world or was announced
 * before, if the chunk is loaded or the world has no storage hooks, or when out of memory.
 * cn_voxels_set_edits (cairn/voxel/edited_chunks.h) replaces the edits of any chunk. */
CN_API bool cn_voxels_add_stored(CnVoxels *world, CnChunkPos position, uint64_t hash,
                                 CnError *error);
/* Makes room for so many stored chunks in total, so that storing them does not rebuild the index,
 * which takes milliseconds in a large world. Returns false when out of memory. */
CN_API bool cn_voxels_reserve_stored(CnVoxels *world, uint32_t chunks);
/* Computes the hash of stored edits (`chunk->hash` is ignored); generates the chunk. Returns false
 * and sets `error` if the position, an index or a block is out of range. */
CN_API bool cn_voxels_stored_hash(CnVoxels *world, const CnStoredChunk *chunk, uint64_t *hash,
                                  CnError *error);

/* Appends the activity to `bytes`, in the form described in docs/formats.md: the current tick,
 * scheduled ticks and awake water. Call it between ticks. Returns false and sets `error` when out
 * of memory; `bytes` is unchanged then. */
CN_API bool cn_voxels_write_activity(const CnVoxels *world, CnU8Array *bytes, CnError *error);
/* Returns how many bytes that appends. */
CN_API uint64_t cn_voxels_activity_bytes(const CnVoxels *world);
/* Replaces the activity by one that was written. Returns false and sets `error` if the data is
 * malformed or of another version, or when out of memory; nothing has changed then. */
CN_API bool cn_voxels_read_activity(CnVoxels *world, const uint8_t *bytes, size_t size,
                                    CnError *error);

/* ---- Queries ---- */

typedef struct CnVoxelHit {
    CnCell cell;
    CnBlock block;
    uint8_t face; /* CnFace the ray entered through; CN_EDIT_NO_FACE if it started inside */
    float distance;
    CnVec3 point, normal;
} CnVoxelHit;
typedef enum CnVoxelRayFilter {
    CN_VOXEL_RAY_ANY,    /* any block except air and water */
    CN_VOXEL_RAY_SOLID,  /* collidable blocks */
    CN_VOXEL_RAY_LIQUID, /* any block except air */
    CN_VOXEL_RAY_SOURCE, /* any block except air and flowing water: for buckets */
    /* For aiming: as ANY, except for the block or box around the origin. Plain props stop the ray
     * only in the middle of their cell, where they are seen. */
    CN_VOXEL_RAY_AIMED
} CnVoxelRayFilter;
/* Finds the first block that stops the ray. Cells are visited in the order in which the ray meets
 * them; through an edge or a corner along x first, then y, then z. `direction` need not be
 * normalized but must not be zero. The ray ends after `length`, at most CN_VOXEL_RAY_MAX blocks.
 * A block with a shape stops it with its boxes; every other block fills its whole cell, even a
 * flower. Returns false if nothing stops the ray. */
#define CN_VOXEL_RAY_MAX 1024.0f
CN_API bool cn_voxels_raycast(CnVoxels *world, CnVec3 origin, CnVec3 direction, float length,
                              CnVoxelRayFilter filter, CnVoxelHit *hit);

/* Moves a box through the collidable blocks, sliding along x, z, then y. Blocks with a shape stop
 * it with their boxes. The moved box keeps a distance of CN_VOXEL_SKIN (more where floats are
 * coarser) from what stops it, so that adding `moved` to its position never puts it inside a block.
 * Blocks that already overlap the box do not stop it. Walls enclose the world at its limits. A box
 * is at most 64 blocks wide; a move is clamped to CN_VOXEL_RAY_MAX along each axis. */
#define CN_VOXEL_SKIN 0.001f
typedef struct CnVoxelBox {
    CnVec3 min, max;
} CnVoxelBox;
typedef struct CnVoxelSweep {
    CnVec3 moved;   /* distance travelled */
    bool hit[3];    /* stopped along x, y, z */
    bool on_ground; /* stopped while moving down */
} CnVoxelSweep;
CN_API CnVoxelSweep cn_voxels_sweep(CnVoxels *world, CnVoxelBox box, CnVec3 move);
/* Returns whether the box overlaps a collidable block. */
CN_API bool cn_voxels_overlap(CnVoxels *world, CnVoxelBox box);

/* Blocks from anywhere, for moving boxes: a world, or copies of chunks that several threads read at
 * the same time. `get` returns the block in a cell. */
typedef struct CnBlockReader {
    const CnBlockTable *blocks;
    CnBlock (*get)(void *user, CnCell cell);
    void *user;
} CnBlockReader;
/* Returns a reader of a world, which belongs to the thread of the world. */
CN_API CnBlockReader cn_voxels_reader(CnVoxels *world);
/* The two functions above for the blocks of a reader. */
CN_API CnVoxelSweep cn_block_reader_sweep(const CnBlockReader *reader, CnVoxelBox box, CnVec3 move);
CN_API bool cn_block_reader_overlap(const CnBlockReader *reader, CnVoxelBox box);

/* ---- Ticks: independent of streaming ---- */

/* Schedules block_tick for a cell in `delay` ticks, at the earliest in the next tick. Calls due in
 * the same tick run in the order in which they were scheduled. Returns false if the cell lies
 * outside the world, or when out of memory. */
CN_API bool cn_voxels_schedule(CnVoxels *world, CnCell cell, uint32_t delay);
#define CN_TICK_MAX_RADIUS 32
typedef struct CnVoxelsTick {
    uint64_t tick;         /* current tick: one more than in the last call */
    const CnVec3 *players; /* centers of random ticks and moving water */
    uint32_t player_count;
    uint32_t radius;       /* chunks; 0 selects 4; at most CN_TICK_MAX_RADIUS */
    uint32_t random_ticks; /* per chunk; 0 selects 3 */
    /* Each chunk gets the random ticks of that many ticks at once; 0 selects 1. Which tick that is
     * depends on the position of the chunk. A longer period costs less. */
    uint32_t random_period;
    uint32_t random_height; /* chunks above and below with random ticks; 0 selects `radius` */
    /* By block number, for all blocks of the table: which ones get random ticks. Chunks without any
     * of them cost next to nothing. NULL: all but air. */
    const bool *ticking;
    /* Called instead of the hook block_tick, with `user`; NULL: the hook. */
    void (*block_tick)(void *user, CnCell cell, CnBlock block, bool random);
    void *user;
    uint32_t water_budget; /* cells; 0 selects 4,096 */
    uint32_t water_ticks;  /* ticks between water steps; 0 selects 15, 0.25 s at 60 Hz */
} CnVoxelsTick;
/* Advances the world by one tick: scheduled ticks, random ticks and water. Random ticks choose
 * cells by seed, position of the chunk and tick, in chunks near players, which are generated if
 * they are not loaded: streaming and threads do not change what happens. */
CN_API void cn_voxels_tick(CnVoxels *world, const CnVoxelsTick *tick);

/* ---- Streaming ---- */

#define CN_VIEW_MAX_RADIUS 64
#define CN_VIEW_MAX_HEIGHT 12

/* Parameters of cn_voxels_stream. A job generates, or lights and meshes, one column of chunks.
 * Without workers, jobs run inside the call, so choose a budget that fits a frame. */
typedef struct CnVoxelsView {
    CnVec3 eye, forward;
    uint32_t radius, height; /* chunks; 0 selects 8 and 4; unloaded one chunk further out */
    uint32_t budget;         /* maximum jobs started per call and in flight; 0 selects 64 */
    uint32_t results;        /* maximum job results applied per call; 0 selects 64 */
    bool wait;               /* finish everything regardless of the budget; for tests and tools */
} CnVoxelsView;
/* Streams the chunks around the camera, nearest and foremost first. Chunks made dirty by edits are
 * relit and remeshed within the call, so that an edit appears all at once. Radius and height are
 * clamped to CN_VIEW_MAX_RADIUS and CN_VIEW_MAX_HEIGHT. Makes no heap allocation when nothing
 * changes. */
CN_API void cn_voxels_stream(CnVoxels *world, const CnVoxelsView *view);

/* ---- Preparing: blocks around many positions, for servers ---- */

#define CN_PREPARE_MAX_RADIUS 32

/* Parameters of cn_voxels_prepare. A job generates one column of chunks. */
typedef struct CnVoxelsPrepare {
    const CnVec3 *centers; /* such as the eyes of all players */
    uint32_t count;
    uint32_t radius, height; /* chunks; 0 selects 5 and 3; unloaded one chunk further out */
    uint32_t budget;         /* maximum jobs started per call and in flight; 0 selects 64 */
    uint32_t results;        /* maximum job results applied per call; 0 selects 64 */
    bool wait;               /* finish everything regardless of the budget; for tests and tools */
} CnVoxelsPrepare;
/* Generates the chunks around all centers in jobs, the nearest ones first, so that ticks and
 * queries there rarely generate a chunk themselves: blocks and heights, without meshes. For radius
 * and height of cn_voxels_tick, plus one for light and water at the border. To be called once per
 * tick; results do not depend on it. Once all is loaded, a call with the same centers only
 * compares them, and makes no heap allocation.
 *
 * Chunks further than `radius` + 1 or `height` + 1 from every center are unloaded, except those
 * that cn_voxels_stream needs; edited ones only if there are hooks to store them. Without centers,
 * everything is unloaded after a while. Without workers, jobs run inside the call, so choose a
 * budget that fits a tick.
 *
 * Returns whether everything around the centers is loaded. */
CN_API bool cn_voxels_prepare(CnVoxels *world, const CnVoxelsPrepare *prepare);

/* Returns the mesh of a chunk, or NULL if it has none yet. Valid until the next
 * cn_voxels_stream. */
CN_API const CnChunkMesh *cn_voxels_mesh(CnVoxels *world, CnChunkPos position);

typedef struct CnVoxelsStats {
    uint32_t chunks, shown, waiting, running; /* loaded, with a mesh, waiting, in jobs */
    uint32_t preparing; /* chunks with centers of cn_voxels_prepare that are not all prepared */
    uint64_t generated, lit, meshed, cancelled; /* totals */
    uint64_t block_bytes, light_bytes, mesh_bytes, other_bytes;
    uint64_t out_of_memory;    /* times work was postponed for lack of memory */
    uint32_t stored;           /* chunks whose edits are stored, loaded or not */
    uint64_t storage_failures; /* times chunk_store or chunk_load failed or supplied wrong data */
} CnVoxelsStats;
CN_API CnVoxelsStats cn_voxels_stats(const CnVoxels *world);

CN_EXTERN_C_END

#endif

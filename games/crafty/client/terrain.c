#include "terrain.h"

#include "far_terrain.h"
#include "block_textures.h"

/* Results applied per frame of 1/60 s. Each is a column of chunks whose meshes are copied. */
#define RESULTS_A_FRAME 4u
/* Jobs in flight while frames are drawn, few enough to leave some threads for the frames. */
#define JOBS_AT_ONCE 16u
#define FEW_JOBS_AT_ONCE 8u
#define MANY_WORKERS 8u
#define LONGEST_FRAME 8.0f /* in units of 1/60 s */
#define JOBS_LOADING 1024u
struct CraftyTerrain {
    CnAllocator *allocator;
    CnBlockTable *blocks;
    CraftyWorld *world;
    CnBlockView *view;
    CraftyFarTerrain *far_terrain;
    CraftyClimate *climate;
    CraftyLamps *lamps;
    CnVoxelsHooks saved; /* hooks of the save */
};

/* ---- Passing chunk meshes to the view ---- */

static void mesh_changed(void *user, CnChunkPos position, const CnChunkMesh *mesh)
{
    CraftyTerrain *terrain = user;
    cn_block_view_set(terrain->view, position, mesh); /* counts meshes it refuses */
    crafty_lamps_update(terrain->lamps, crafty_terrain_voxels(terrain), position);
}

static void chunk_removed(void *user, CnChunkPos position)
{
    CraftyTerrain *terrain = user;
    cn_block_view_remove(terrain->view, position);
    crafty_lamps_remove(terrain->lamps, position);
}

/* ---- Chunks of a saved world ---- */

static bool chunk_store(void *user, const CnStoredChunk *chunk)
{
    CraftyTerrain *terrain = user;
    return terrain->saved.chunk_store(terrain->saved.user, chunk);
}

static bool chunk_load(void *user, CnChunkPos position, CnStoredBlock *blocks, uint32_t *count)
{
    CraftyTerrain *terrain = user;
    return terrain->saved.chunk_load(terrain->saved.user, position, blocks, count);
}

static CnVoxelsHooks hooks_of(CraftyTerrain *terrain)
{
    return (CnVoxelsHooks){.user = terrain,
                           .mesh_changed = mesh_changed,
                           .chunk_removed = chunk_removed,
                           .chunk_store = terrain->saved.chunk_store ? chunk_store : NULL,
                           .chunk_load = terrain->saved.chunk_load ? chunk_load : NULL};
}

/* ---- Creating ---- */

static bool build(CraftyTerrain *terrain, const CraftyTerrainDesc *desc, CnError *error)
{
    CnAllocator *allocator = terrain->allocator;
    const CraftyContent standard = crafty_content_standard(),
                        *content = desc->content ? desc->content : &standard;
    terrain->saved = desc->hooks;
    terrain->blocks = crafty_blocks_create(&(CraftyBlocksDesc){.allocator = allocator,
                                                               .palette = desc->palettes.blocks,
                                                               .more = content->blocks,
                                                               .more_count = content->block_count},
                                           error);
    if (!terrain->blocks)
        return false;
    cn_block_table_close(terrain->blocks);
    terrain->lamps = crafty_lamps_create(allocator, terrain->blocks);
    if (!terrain->lamps)
        return cn_error_memory(error, "the lamps");
    terrain->view = cn_block_view_create(
        &(CnBlockViewDesc){.allocator = allocator,
                           .blocks = terrain->blocks,
                           .textures = crafty_tiles,
                           .texture_bytes = (size_t)(crafty_tiles_end - crafty_tiles),
                           .upload_bytes = desc->upload_bytes,
                           .max_quads = desc->max_quads},
        error);
    if (!terrain->view)
        return false;
    terrain->world = crafty_world_create(&(CraftyWorldDesc){.allocator = allocator,
                                                            .blocks = terrain->blocks,
                                                            .content = content,
                                                            .seed = desc->seed,
                                                            .workers = desc->workers,
                                                            .hooks = hooks_of(terrain),
                                                            .palettes = desc->palettes},
                                         error);
    if (!terrain->world)
        return false;
    terrain->climate = crafty_climate_create(allocator, crafty_world_biomes(terrain->world), error);
    if (!terrain->climate)
        return false;
    terrain->far_terrain = crafty_far_terrain_create(
        &(CraftyFarTerrainDesc){.allocator = allocator,
                                .generator = crafty_world_generator(terrain->world),
                                .jobs = crafty_world_jobs(terrain->world),
                                .view = terrain->view},
        error);
    return terrain->far_terrain != NULL;
}

CraftyTerrain *crafty_terrain_create(const CraftyTerrainDesc *desc, CnError *error)
{
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyTerrain *terrain = cn_alloc_zeroed(allocator, sizeof *terrain);
    if (!terrain) {
        cn_error_memory(error, "the world");
        return NULL;
    }
    terrain->allocator = allocator;
    if (build(terrain, desc, error))
        return terrain;
    crafty_terrain_destroy(terrain);
    return NULL;
}

void crafty_terrain_destroy(CraftyTerrain *terrain)
{
    if (!terrain)
        return;
    crafty_far_terrain_destroy(terrain->far_terrain);
    crafty_climate_destroy(terrain->climate);
    crafty_world_destroy(terrain->world);
    crafty_lamps_destroy(terrain->lamps);
    cn_block_view_destroy(terrain->view);
    cn_block_table_destroy(terrain->blocks);
    cn_free(terrain->allocator, terrain, sizeof *terrain);
}

CraftyWorld *crafty_terrain_world(CraftyTerrain *terrain)
{
    return terrain->world;
}

CnVoxels *crafty_terrain_voxels(CraftyTerrain *terrain)
{
    return crafty_world_voxels(terrain->world);
}

CnBlockView *crafty_terrain_view(CraftyTerrain *terrain)
{
    return terrain->view;
}

CraftyLamps *crafty_terrain_lamps(CraftyTerrain *terrain)
{
    return terrain->lamps;
}

/* ---- Streaming ---- */

/* The heights that contain most terrain: below most peaks, and above the sea bed and the visible
 * parts of caves. */
#define PEAKS 208.0f
#define DEPTHS (-16.0f)
/* Minimum distance loaded above and below the camera. */
#define ROOM_ABOVE 32.0f
#define ROOM_BELOW 48.0f

/* The box of chunks follows the terrain instead of being centered on the camera: a high-flying
 * player sees the ground, a player in a valley sees the peaks. */
static float middle_height(const CraftyStreamView *eye)
{
    float half = (float)(eye->height * CN_CHUNK_SIZE), y = eye->position.y;
    float highest = DEPTHS + half, lowest = PEAKS - half < highest ? PEAKS - half : highest;
    float middle = y < lowest ? lowest : y > highest ? highest : y;
    float least = half > ROOM_ABOVE ? y - half + ROOM_ABOVE : y;
    float most = half > ROOM_BELOW ? y + half - ROOM_BELOW : y;
    return middle < least ? least : middle > most ? most : middle;
}

/* Far terrain starts where the chunks end, or directly below the camera if it is so high that the
 * chunks do not reach the ground. */
static float near_edge(const CraftyStreamView *eye)
{
    bool reaches_ground = middle_height(eye) <= (float)(eye->height * CN_CHUNK_SIZE);
    return reaches_ground ? (float)(eye->radius * CN_CHUNK_SIZE) : 0;
}

static void end_phase(const CraftyStreamView *eye, CraftyPhase phase)
{
    if (eye->times)
        crafty_phase_end(eye->times, phase);
}

typedef enum Pace { PACE_FRAME, PACE_LOADING, PACE_WAIT } Pace;

/* Scales a budget per 1/60 s by the duration of the frame. */
static uint32_t in_frame(uint32_t count, float seconds)
{
    float frames = seconds * 60;
    frames = !(frames > 1) ? 1 : frames > LONGEST_FRAME ? LONGEST_FRAME : frames;
    return (uint32_t)((float)count * frames);
}

static uint32_t jobs_of(const CraftyTerrain *terrain, Pace pace, float seconds)
{
    bool has_many = cn_job_pool_workers(crafty_world_jobs(terrain->world)) >= MANY_WORKERS;
    return pace != PACE_FRAME ? JOBS_LOADING
           : has_many         ? FEW_JOBS_AT_ONCE
                              : in_frame(JOBS_AT_ONCE, seconds);
}

static uint32_t results_of(Pace pace, float seconds)
{
    return pace == PACE_FRAME ? in_frame(RESULTS_A_FRAME, seconds) : JOBS_LOADING;
}

static void stream(CraftyTerrain *terrain, const CraftyStreamView *eye, Pace pace)
{
    CnVec3 middle = {eye->position.x, middle_height(eye), eye->position.z};
    crafty_lamps_set_eye(terrain->lamps, eye->position);
    crafty_climate_stream(terrain->climate, terrain->view, eye->position.x, eye->position.z,
                          pace != PACE_FRAME);
    end_phase(eye, CRAFTY_PHASE_CLIMATE);
    cn_voxels_stream(crafty_terrain_voxels(terrain),
                     &(CnVoxelsView){.eye = middle,
                                     .forward = eye->forward,
                                     .radius = eye->radius,
                                     .height = eye->height,
                                     .budget = jobs_of(terrain, pace, eye->seconds),
                                     .results = results_of(pace, eye->seconds),
                                     .wait = pace == PACE_WAIT});
    end_phase(eye, CRAFTY_PHASE_CHUNKS);
    CnLodView far_view = {.x = eye->position.x,
                          .z = eye->position.z,
                          .near_edge = near_edge(eye),
                          .far_edge = eye->far_edge,
                          .detail = eye->far_detail};
    crafty_far_terrain_stream(terrain->far_terrain, eye->far_edge > 0 ? &far_view : NULL,
                              pace == PACE_WAIT);
    end_phase(eye, CRAFTY_PHASE_FAR);
}

void crafty_terrain_stream(CraftyTerrain *terrain, const CraftyStreamView *eye)
{
    stream(terrain, eye, PACE_FRAME);
}

void crafty_terrain_load(CraftyTerrain *terrain, const CraftyStreamView *eye)
{
    stream(terrain, eye, PACE_LOADING);
}

void crafty_terrain_wait(CraftyTerrain *terrain, const CraftyStreamView *eye)
{
    stream(terrain, eye, PACE_WAIT);
}

CraftyTerrainStats crafty_terrain_stats(const CraftyTerrain *terrain)
{
    CraftyFarTerrainStats far_stats = crafty_far_terrain_stats(terrain->far_terrain);
    return (CraftyTerrainStats){.voxels = cn_voxels_stats(crafty_world_voxels(terrain->world)),
                                .view = cn_block_view_stats(terrain->view),
                                .far_tiles = far_stats.shown,
                                .far_missing = far_stats.missing};
}

bool crafty_terrain_is_complete(const CraftyTerrain *terrain)
{
    CnVoxelsStats stats = cn_voxels_stats(crafty_world_voxels(terrain->world));
    return !stats.waiting && !stats.running &&
           !crafty_far_terrain_stats(terrain->far_terrain).missing;
}

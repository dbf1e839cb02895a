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
/* Large enough that erosion data for one side of the far terrain does not evict that of the
 * other. */
#define GENERATOR_CACHE (64u << 20)

struct CraftyLand {
    CnAllocator *allocator;
    CnJobPool *jobs;
    CnGenerator *generator;
    CnGenerateScratch *scratch;
    CnVoxels *voxels;
    CnBlockView *view;
    CraftyFarLand *far_land;
    CraftyClimate *climate;
    CraftyLamps *lamps;
};

/* ---- Passing chunk meshes to the view ---- */

static void mesh_changed(void *user, CnChunkPos position, const CnChunkMesh *mesh)
{
    CraftyLand *land = user;
    cn_block_view_set(land->view, position, mesh); /* counts meshes it refuses */
    crafty_lamps_update(land->lamps, land->voxels, position);
}

static void chunk_removed(void *user, CnChunkPos position)
{
    CraftyLand *land = user;
    cn_block_view_remove(land->view, position);
    crafty_lamps_remove(land->lamps, position);
}

/* ---- Creating ---- */

static bool build(CraftyLand *land, const CraftyLandDesc *desc, CnError *error)
{
    CnAllocator *allocator = land->allocator;
    land->jobs =
        cn_job_pool_create(&(CnJobPoolDesc){.allocator = allocator, .workers = desc->workers});
    if (!land->jobs)
        return cn_error_set(error, CN_ERROR_MEMORY, "cannot start worker threads for the world");
    land->generator = cn_generator_create(&(CnGeneratorDesc){.allocator = allocator,
                                                             .seed = desc->seed,
                                                             .cache_bytes = GENERATOR_CACHE},
                                          error);
    if (!land->generator)
        return false;
    land->scratch = cn_generate_scratch_create(land->generator);
    land->lamps = crafty_lamps_create(allocator);
    if (!land->scratch || !land->lamps)
        return cn_error_set(error, CN_ERROR_MEMORY, "out of memory for the world");
    land->view = cn_block_view_create(
        &(CnBlockViewDesc){.allocator = allocator,
                           .textures = crafty_tiles,
                           .texture_bytes = (size_t)(crafty_tiles_end - crafty_tiles),
                           .upload_bytes = desc->upload_bytes,
                           .max_quads = desc->max_quads},
        error);
    land->climate = crafty_climate_create(allocator, desc->seed, error);
    if (!land->view || !land->climate)
        return false;
    land->voxels = cn_voxels_create(
        &(CnVoxelsDesc){
            .allocator = allocator,
            .generator = land->generator,
            .jobs = land->jobs,
            .hooks = {.user = land, .mesh_changed = mesh_changed, .chunk_removed = chunk_removed}},
        error);
    if (!land->voxels)
        return false;
    land->far_land = crafty_far_land_create(&(CraftyFarLandDesc){.allocator = allocator,
                                                                 .generator = land->generator,
                                                                 .jobs = land->jobs,
                                                                 .view = land->view},
                                            error);
    return land->far_land != NULL;
}

CraftyLand *crafty_land_create(const CraftyLandDesc *desc, CnError *error)
{
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyLand *land = cn_alloc_zeroed(allocator, sizeof *land);
    if (!land) {
        cn_error_set(error, CN_ERROR_MEMORY, "out of memory for the world");
        return NULL;
    }
    land->allocator = allocator;
    if (build(land, desc, error))
        return land;
    crafty_land_destroy(land);
    return NULL;
}

void crafty_land_destroy(CraftyLand *land)
{
    if (!land)
        return;
    crafty_far_land_destroy(land->far_land);
    cn_voxels_destroy(land->voxels);
    crafty_lamps_destroy(land->lamps);
    crafty_climate_destroy(land->climate);
    cn_block_view_destroy(land->view);
    cn_generate_scratch_destroy(land->scratch);
    cn_generator_destroy(land->generator);
    cn_job_pool_destroy(land->jobs);
    cn_free(land->allocator, land, sizeof *land);
}

CnVoxels *crafty_land_voxels(CraftyLand *land)
{
    return land->voxels;
}

CnBlockView *crafty_land_view(CraftyLand *land)
{
    return land->view;
}

CnGenerator *crafty_land_generator(CraftyLand *land)
{
    return land->generator;
}

CraftyBiomes crafty_land_biomes(CraftyLand *land)
{
    return crafty_climate_biomes(land->climate);
}

CraftyLamps *crafty_land_lamps(CraftyLand *land)
{
    return land->lamps;
}

CnGenerateScratch *crafty_land_scratch(CraftyLand *land)
{
    return land->scratch;
}

/* ---- Streaming ---- */

/* The heights that contain most terrain: below most peaks, and above the sea bed and the visible
 * parts of caves. */
#define PEAKS 208.0f
#define DEPTHS (-16.0f)
/* Minimum distance loaded above and below the camera. */
#define ROOM_ABOVE 32.0f
#define ROOM_BELOW 48.0f

/* The box of chunks follows the terrain instead of being centred on the camera: a high-flying
 * player sees the ground, a player in a valley sees the peaks. */
static float middle_height(const CraftyEye *eye)
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
static float near_edge(const CraftyEye *eye)
{
    bool reaches_ground = middle_height(eye) <= (float)(eye->height * CN_CHUNK_SIZE);
    return reaches_ground ? (float)(eye->radius * CN_CHUNK_SIZE) : 0;
}

static void end_phase(const CraftyEye *eye, CraftyPhase phase)
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

static uint32_t jobs_of(const CraftyLand *land, Pace pace, float seconds)
{
    bool has_many = cn_job_pool_workers(land->jobs) >= MANY_WORKERS;
    return pace != PACE_FRAME ? JOBS_LOADING
           : has_many         ? FEW_JOBS_AT_ONCE
                              : in_frame(JOBS_AT_ONCE, seconds);
}

static uint32_t results_of(Pace pace, float seconds)
{
    return pace == PACE_FRAME ? in_frame(RESULTS_A_FRAME, seconds) : JOBS_LOADING;
}

static void stream(CraftyLand *land, const CraftyEye *eye, Pace pace)
{
    CnVec3 middle = {eye->position.x, middle_height(eye), eye->position.z};
    crafty_lamps_look(land->lamps, eye->position);
    crafty_climate_stream(land->climate, land->view, eye->position.x, eye->position.z,
                          pace != PACE_FRAME);
    end_phase(eye, CRAFTY_PHASE_CLIMATE);
    cn_voxels_stream(land->voxels, &(CnVoxelsView){.eye = middle,
                                                   .forward = eye->forward,
                                                   .radius = eye->radius,
                                                   .height = eye->height,
                                                   .budget = jobs_of(land, pace, eye->seconds),
                                                   .results = results_of(pace, eye->seconds),
                                                   .wait = pace == PACE_WAIT});
    end_phase(eye, CRAFTY_PHASE_CHUNKS);
    CnLodView far_view = {.x = eye->position.x,
                          .z = eye->position.z,
                          .near_edge = near_edge(eye),
                          .far_edge = eye->far_edge,
                          .detail = eye->far_detail};
    crafty_far_land_stream(land->far_land, eye->far_edge > 0 ? &far_view : NULL, pace == PACE_WAIT);
    end_phase(eye, CRAFTY_PHASE_FAR);
}

void crafty_land_stream(CraftyLand *land, const CraftyEye *eye)
{
    stream(land, eye, PACE_FRAME);
}

void crafty_land_load(CraftyLand *land, const CraftyEye *eye)
{
    stream(land, eye, PACE_LOADING);
}

void crafty_land_wait(CraftyLand *land, const CraftyEye *eye)
{
    stream(land, eye, PACE_WAIT);
}

CraftyLandStats crafty_land_stats(const CraftyLand *land)
{
    CraftyFarLandStats far_stats = crafty_far_land_stats(land->far_land);
    return (CraftyLandStats){.voxels = cn_voxels_stats(land->voxels),
                             .view = cn_block_view_stats(land->view),
                             .far_tiles = far_stats.shown,
                             .far_missing = far_stats.missing};
}

bool crafty_land_is_whole(const CraftyLand *land)
{
    CnVoxelsStats stats = cn_voxels_stats(land->voxels);
    return !stats.waiting && !stats.running && !crafty_far_land_stats(land->far_land).missing;
}

#include "far_terrain.h"

#include <cairn/base/hash_map.h>

/* Tiles are selected again after the camera has moved this far. */
#define CHOOSE_AGAIN 16.0f
#define MAX_WORK 64u
#define WORK_TILES 8u /* per job; a tile takes about 1 ms, and jobs start once per frame */
#define WORK_SHARE 8u /* fraction of the lanes used while frames are drawn */

/* A tile that is selected, drawn, or both. */
typedef struct Tile {
    CnLodTile tile;
    bool wanted, shown, building;
    bool failed; /* out of memory; retried at the next selection */
} Tile;

/* Tiles that one job builds, reusing the array of one mesh. */
typedef struct Work {
    CraftyFarLand *far_land;
    CnLodTile tiles[WORK_TILES];
    bool made[WORK_TILES];
    uint32_t count; /* 0: idle */
    CnLodMesh mesh;
    CnJob job;
} Work;

struct CraftyFarLand {
    CnAllocator *allocator;
    CnGenerator *generator;
    CnJobPool *jobs;
    CnBlockView *view;
    CnGenerateScratch **scratch; /* one per lane */
    uint32_t lanes;
    Work work[MAX_WORK];
    uint32_t work_count; /* one per lane */
    CnHashMap tiles;     /* by key_of */
    CnLodTile chosen[CN_LOD_MAX_TILES];
    uint32_t chosen_count; /* nearest first */
    uint32_t next;         /* tiles before this index are built or being built */
    CnLodTile missing[CN_LOD_MAX_TILES];
    CraftyFarLandStats stats;
    CnLodView chosen_for;
    bool has_chosen;
};

/* ---- Creating ---- */

static bool make_scratch(CraftyFarLand *far_land)
{
    for (uint32_t i = 0; i < far_land->lanes; i++) {
        far_land->scratch[i] = cn_generate_scratch_create(far_land->generator);
        if (!far_land->scratch[i])
            return false;
    }
    return true;
}

CraftyFarLand *crafty_far_land_create(const CraftyFarLandDesc *desc, CnError *error)
{
    CraftyFarLand *far_land = cn_alloc_zeroed(desc->allocator, sizeof *far_land);
    uint32_t lanes = cn_job_pool_workers(desc->jobs) + 1;
    if (far_land) {
        far_land->allocator = desc->allocator;
        far_land->generator = desc->generator;
        far_land->jobs = desc->jobs;
        far_land->view = desc->view;
        far_land->lanes = lanes;
        cn_hash_map_init(&far_land->tiles, desc->allocator, sizeof(Tile));
        far_land->work_count = lanes < MAX_WORK ? lanes : MAX_WORK;
        far_land->scratch = cn_alloc_zeroed(desc->allocator, lanes * sizeof(void *));
    }
    if (far_land && far_land->scratch && make_scratch(far_land))
        return far_land;
    crafty_far_land_destroy(far_land);
    cn_error_set(error, CN_ERROR_MEMORY, "out of memory for far terrain");
    return NULL;
}

void crafty_far_land_destroy(CraftyFarLand *far_land)
{
    if (!far_land)
        return;
    for (uint32_t i = 0; i < far_land->work_count; i++) {
        cn_job_wait(far_land->jobs, far_land->work[i].job);
        cn_lod_mesh_fini(far_land->allocator, &far_land->work[i].mesh);
    }
    for (uint32_t i = 0; far_land->scratch && i < far_land->lanes; i++)
        cn_generate_scratch_destroy(far_land->scratch[i]);
    cn_hash_map_fini(&far_land->tiles);
    cn_free(far_land->allocator, far_land->scratch, far_land->lanes * sizeof(void *));
    cn_free(far_land->allocator, far_land, sizeof *far_land);
}

/* ---- Selecting ---- */

static uint64_t key_of(CnLodTile tile)
{
    return (uint64_t)tile.level << 60 | ((uint64_t)tile.x & 0x3FFFFFFF) << 30 |
           ((uint64_t)tile.z & 0x3FFFFFFF);
}

static Tile *find(const CraftyFarLand *far_land, CnLodTile tile)
{
    return cn_hash_map_get(&far_land->tiles, key_of(tile));
}

static Tile *tile_at(const CraftyFarLand *far_land, uint32_t entry)
{
    return cn_hash_map_value(&far_land->tiles, entry);
}

/* Returns whether the tiles share ground. */
static bool overlap(CnLodTile a, CnLodTile b)
{
    int64_t a_size = cn_lod_tile_blocks(a.level), b_size = cn_lod_tile_blocks(b.level);
    int64_t ax = a.x * a_size, az = a.z * a_size, bx = b.x * b_size, bz = b.z * b_size;
    return ax < bx + b_size && bx < ax + a_size && az < bz + b_size && bz < az + a_size;
}

static bool has_moved(const CraftyFarLand *far_land, const CnLodView *view)
{
    const CnLodView *old = &far_land->chosen_for;
    float dx = view->x - old->x, dz = view->z - old->z;
    return !far_land->has_chosen || dx * dx + dz * dz > CHOOSE_AGAIN * CHOOSE_AGAIN ||
           view->near_edge != old->near_edge || view->far_edge != old->far_edge ||
           view->detail != old->detail;
}

static void choose(CraftyFarLand *far_land, const CnLodView *view)
{
    uint32_t chosen = view ? cn_lod_select(view, far_land->chosen, CN_LOD_MAX_TILES) : 0;
    for (uint32_t i = 0; i < far_land->tiles.count; i++)
        tile_at(far_land, i)->wanted = false;
    far_land->chosen_count = 0;
    for (uint32_t i = 0; i < chosen && i < CN_LOD_MAX_TILES; i++) {
        Tile *tile = find(far_land, far_land->chosen[i]);
        if (!tile)
            tile = cn_hash_map_set(&far_land->tiles, key_of(far_land->chosen[i]),
                                   &(Tile){.tile = far_land->chosen[i]});
        if (!tile)
            break;
        tile->wanted = true;
        tile->failed = false;
        far_land->chosen_count++;
    }
    far_land->next = 0;
    if (view)
        far_land->chosen_for = *view;
    far_land->has_chosen = view != NULL;
}

/* ---- Building ---- */

static void build(void *data, uint32_t lane)
{
    Work *work = data;
    CraftyFarLand *far_land = work->far_land;
    for (uint32_t i = 0; i < work->count; i++)
        work->made[i] = cn_lod_build(far_land->allocator, far_land->generator,
                                     far_land->scratch[lane], work->tiles[i], &work->mesh) &&
                        cn_block_view_set_far(far_land->view, &work->mesh);
}

static void begin_work(CraftyFarLand *far_land, Work *work)
{
    work->count = 0;
    for (; far_land->next < far_land->chosen_count && work->count < WORK_TILES; far_land->next++) {
        Tile *tile = find(far_land, far_land->chosen[far_land->next]);
        if (tile->shown || tile->building || tile->failed)
            continue;
        tile->building = true;
        work->tiles[work->count++] = tile->tile;
    }
    work->far_land = far_land;
    if (work->count)
        work->job = cn_job_submit(far_land->jobs, &(CnJobDesc){.run = build, .data = work});
}

static void take_result(CraftyFarLand *far_land, Work *work)
{
    for (uint32_t i = 0; i < work->count; i++) {
        Tile *tile = find(far_land, work->tiles[i]); /* kept while it is being built */
        tile->building = false;
        tile->shown = work->made[i];
        tile->failed = !work->made[i];
    }
    work->count = 0;
}

/* ---- Removing ---- */

static void count(CraftyFarLand *far_land)
{
    far_land->stats = (CraftyFarLandStats){0};
    for (uint32_t i = 0; i < far_land->tiles.count; i++) {
        const Tile *tile = tile_at(far_land, i);
        far_land->stats.shown += tile->shown;
        if (tile->wanted && !tile->shown && !tile->failed)
            far_land->missing[far_land->stats.missing++] = tile->tile;
    }
}

static bool is_replaced(const CraftyFarLand *far_land, CnLodTile old)
{
    for (uint32_t i = 0; i < far_land->stats.missing; i++)
        if (overlap(far_land->missing[i], old))
            return false;
    return true;
}

/* Removes deselected tiles once their replacements are drawn. */
static void remove_old(CraftyFarLand *far_land)
{
    for (uint32_t i = far_land->tiles.count; i-- > 0;) {
        Tile tile = *tile_at(far_land, i);
        if (tile.wanted || tile.building || (tile.shown && !is_replaced(far_land, tile.tile)))
            continue;
        if (tile.shown)
            cn_block_view_remove_far(far_land->view, tile.tile);
        far_land->stats.shown -= tile.shown;
        cn_hash_map_remove(&far_land->tiles, key_of(tile.tile));
    }
}

/* ---- Each frame ---- */

/* Returns whether anything changed. Unless waiting, builds only a few tiles at a time to leave
 * threads for other work. */
static bool go_on(CraftyFarLand *far_land, bool wait)
{
    bool changed = false;
    uint32_t few = (far_land->work_count + WORK_SHARE - 1) / WORK_SHARE;
    for (uint32_t i = 0; i < far_land->work_count; i++) {
        Work *work = &far_land->work[i];
        if (work->count && wait)
            cn_job_wait(far_land->jobs, work->job);
        if (work->count && cn_job_is_done(far_land->jobs, work->job)) {
            take_result(far_land, work);
            changed = true;
        }
        if (!work->count && (wait || i < few))
            begin_work(far_land, work);
    }
    return changed;
}

void crafty_far_land_stream(CraftyFarLand *far_land, const CnLodView *view, bool wait)
{
    bool changed = view ? has_moved(far_land, view) : far_land->has_chosen;
    if (changed)
        choose(far_land, view);
    do {
        changed |= go_on(far_land, wait);
        if (changed) {
            count(far_land);
            remove_old(far_land);
        }
    } while (wait && far_land->stats.missing);
}

CraftyFarLandStats crafty_far_land_stats(const CraftyFarLand *far_land)
{
    return far_land->stats;
}

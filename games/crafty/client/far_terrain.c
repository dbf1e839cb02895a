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
    CraftyFarTerrain *far_terrain;
    CnLodTile tiles[WORK_TILES];
    bool made[WORK_TILES];
    uint32_t count; /* 0: idle */
    CnLodMesh mesh;
    CnJob job;
} Work;

struct CraftyFarTerrain {
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
    CraftyFarTerrainStats stats;
    CnLodView chosen_for;
    bool has_chosen;
};

/* ---- Creating ---- */

static bool make_scratch(CraftyFarTerrain *far_terrain)
{
    for (uint32_t i = 0; i < far_terrain->lanes; i++) {
        far_terrain->scratch[i] = cn_generate_scratch_create(far_terrain->generator);
        if (!far_terrain->scratch[i])
            return false;
    }
    return true;
}

CraftyFarTerrain *crafty_far_terrain_create(const CraftyFarTerrainDesc *desc, CnError *error)
{
    CraftyFarTerrain *far_terrain = cn_alloc_zeroed(desc->allocator, sizeof *far_terrain);
    uint32_t lanes = cn_job_pool_workers(desc->jobs) + 1;
    if (far_terrain) {
        far_terrain->allocator = desc->allocator;
        far_terrain->generator = desc->generator;
        far_terrain->jobs = desc->jobs;
        far_terrain->view = desc->view;
        far_terrain->lanes = lanes;
        cn_hash_map_init(&far_terrain->tiles, desc->allocator, sizeof(Tile));
        far_terrain->work_count = lanes < MAX_WORK ? lanes : MAX_WORK;
        far_terrain->scratch = cn_alloc_zeroed(desc->allocator, lanes * sizeof(void *));
    }
    if (far_terrain && far_terrain->scratch && make_scratch(far_terrain))
        return far_terrain;
    crafty_far_terrain_destroy(far_terrain);
    cn_error_memory(error, "far terrain");
    return NULL;
}

void crafty_far_terrain_destroy(CraftyFarTerrain *far_terrain)
{
    if (!far_terrain)
        return;
    for (uint32_t i = 0; i < far_terrain->work_count; i++) {
        cn_job_wait(far_terrain->jobs, far_terrain->work[i].job);
        cn_lod_mesh_fini(far_terrain->allocator, &far_terrain->work[i].mesh);
    }
    for (uint32_t i = 0; far_terrain->scratch && i < far_terrain->lanes; i++)
        cn_generate_scratch_destroy(far_terrain->scratch[i]);
    cn_hash_map_fini(&far_terrain->tiles);
    cn_free(far_terrain->allocator, far_terrain->scratch, far_terrain->lanes * sizeof(void *));
    cn_free(far_terrain->allocator, far_terrain, sizeof *far_terrain);
}

/* ---- Selecting ---- */

static uint64_t key_of(CnLodTile tile)
{
    return (uint64_t)tile.level << 60 | ((uint64_t)tile.x & 0x3FFFFFFF) << 30 |
           ((uint64_t)tile.z & 0x3FFFFFFF);
}

static Tile *find(const CraftyFarTerrain *far_terrain, CnLodTile tile)
{
    return cn_hash_map_get(&far_terrain->tiles, key_of(tile));
}

static Tile *tile_at(const CraftyFarTerrain *far_terrain, uint32_t entry)
{
    return cn_hash_map_value(&far_terrain->tiles, entry);
}

/* Returns whether the tiles share ground. */
static bool overlap(CnLodTile a, CnLodTile b)
{
    int64_t a_size = cn_lod_tile_blocks(a.level), b_size = cn_lod_tile_blocks(b.level);
    int64_t ax = a.x * a_size, az = a.z * a_size, bx = b.x * b_size, bz = b.z * b_size;
    return ax < bx + b_size && bx < ax + a_size && az < bz + b_size && bz < az + a_size;
}

static bool has_moved(const CraftyFarTerrain *far_terrain, const CnLodView *view)
{
    const CnLodView *old = &far_terrain->chosen_for;
    float dx = view->x - old->x, dz = view->z - old->z;
    return !far_terrain->has_chosen || dx * dx + dz * dz > CHOOSE_AGAIN * CHOOSE_AGAIN ||
           view->near_edge != old->near_edge || view->far_edge != old->far_edge ||
           view->detail != old->detail;
}

static void choose(CraftyFarTerrain *far_terrain, const CnLodView *view)
{
    uint32_t chosen = view ? cn_lod_select(view, far_terrain->chosen, CN_LOD_MAX_TILES) : 0;
    for (uint32_t i = 0; i < far_terrain->tiles.count; i++)
        tile_at(far_terrain, i)->wanted = false;
    far_terrain->chosen_count = 0;
    for (uint32_t i = 0; i < chosen && i < CN_LOD_MAX_TILES; i++) {
        Tile *tile = find(far_terrain, far_terrain->chosen[i]);
        if (!tile)
            tile = cn_hash_map_set(&far_terrain->tiles, key_of(far_terrain->chosen[i]),
                                   &(Tile){.tile = far_terrain->chosen[i]});
        if (!tile)
            break;
        tile->wanted = true;
        tile->failed = false;
        far_terrain->chosen_count++;
    }
    far_terrain->next = 0;
    if (view)
        far_terrain->chosen_for = *view;
    far_terrain->has_chosen = view != NULL;
}

/* ---- Building ---- */

static void build(void *data, uint32_t lane)
{
    Work *work = data;
    CraftyFarTerrain *far_terrain = work->far_terrain;
    for (uint32_t i = 0; i < work->count; i++)
        work->made[i] = cn_lod_build(far_terrain->allocator, far_terrain->generator,
                                     far_terrain->scratch[lane], work->tiles[i], &work->mesh) &&
                        cn_block_view_set_far(far_terrain->view, &work->mesh);
}

static void begin_work(CraftyFarTerrain *far_terrain, Work *work)
{
    work->count = 0;
    for (; far_terrain->next < far_terrain->chosen_count && work->count < WORK_TILES;
         far_terrain->next++) {
        Tile *tile = find(far_terrain, far_terrain->chosen[far_terrain->next]);
        if (tile->shown || tile->building || tile->failed)
            continue;
        tile->building = true;
        work->tiles[work->count++] = tile->tile;
    }
    work->far_terrain = far_terrain;
    if (work->count)
        work->job = cn_job_submit(far_terrain->jobs, &(CnJobDesc){.run = build, .data = work});
}

static void take_result(CraftyFarTerrain *far_terrain, Work *work)
{
    for (uint32_t i = 0; i < work->count; i++) {
        Tile *tile = find(far_terrain, work->tiles[i]); /* kept while it is being built */
        tile->building = false;
        tile->shown = work->made[i];
        tile->failed = !work->made[i];
    }
    work->count = 0;
}

/* ---- Removing ---- */

static void count(CraftyFarTerrain *far_terrain)
{
    far_terrain->stats = (CraftyFarTerrainStats){0};
    for (uint32_t i = 0; i < far_terrain->tiles.count; i++) {
        const Tile *tile = tile_at(far_terrain, i);
        far_terrain->stats.shown += tile->shown;
        if (tile->wanted && !tile->shown && !tile->failed)
            far_terrain->missing[far_terrain->stats.missing++] = tile->tile;
    }
}

static bool is_replaced(const CraftyFarTerrain *far_terrain, CnLodTile old)
{
    for (uint32_t i = 0; i < far_terrain->stats.missing; i++)
        if (overlap(far_terrain->missing[i], old))
            return false;
    return true;
}

/* Removes deselected tiles once their replacements are drawn. */
static void remove_old(CraftyFarTerrain *far_terrain)
{
    for (uint32_t i = far_terrain->tiles.count; i-- > 0;) {
        Tile tile = *tile_at(far_terrain, i);
        if (tile.wanted || tile.building || (tile.shown && !is_replaced(far_terrain, tile.tile)))
            continue;
        if (tile.shown)
            cn_block_view_remove_far(far_terrain->view, tile.tile);
        far_terrain->stats.shown -= tile.shown;
        cn_hash_map_remove(&far_terrain->tiles, key_of(tile.tile));
    }
}

/* ---- Each frame ---- */

/* Returns whether anything changed. Unless waiting, builds only a few tiles at a time to leave
 * threads for other work. */
static bool go_on(CraftyFarTerrain *far_terrain, bool wait)
{
    bool changed = false;
    uint32_t few = (far_terrain->work_count + WORK_SHARE - 1) / WORK_SHARE;
    for (uint32_t i = 0; i < far_terrain->work_count; i++) {
        Work *work = &far_terrain->work[i];
        if (work->count && wait)
            cn_job_wait(far_terrain->jobs, work->job);
        if (work->count && cn_job_is_done(far_terrain->jobs, work->job)) {
            take_result(far_terrain, work);
            changed = true;
        }
        if (!work->count && (wait || i < few))
            begin_work(far_terrain, work);
    }
    return changed;
}

void crafty_far_terrain_stream(CraftyFarTerrain *far_terrain, const CnLodView *view, bool wait)
{
    bool changed = view ? has_moved(far_terrain, view) : far_terrain->has_chosen;
    if (changed)
        choose(far_terrain, view);
    do {
        changed |= go_on(far_terrain, wait);
        if (changed) {
            count(far_terrain);
            remove_old(far_terrain);
        }
    } while (wait && far_terrain->stats.missing);
}

CraftyFarTerrainStats crafty_far_terrain_stats(const CraftyFarTerrain *far_terrain)
{
    return far_terrain->stats;
}

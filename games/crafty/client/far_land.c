#include "far_land.h"

#include <string.h>

/* Tiles are chosen anew when the eye has come this far from where they were chosen. */
#define CHOOSE_AGAIN 16.0f
#define MAX_WORK 64u

typedef struct Tile {
    CnLodTile tile;
    bool wanted, shown, building;
    bool failed; /* for lack of memory: tried again when tiles are chosen */
} Tile;

/* A tile that a job builds. Its mesh's array is used again by the next. */
typedef struct Work {
    CraftyFarLand *far_land;
    CnLodTile tile;
    CnLodMesh mesh;
    CnJob job;
    bool busy, made;
} Work;

struct CraftyFarLand {
    CnAllocator *allocator;
    CnGenerator *generator;
    CnJobPool *jobs;
    CnBlockView *view;
    CnGenerateScratch **scratch; /* of each lane */
    uint32_t lanes;
    Work work[MAX_WORK];
    uint32_t work_count; /* as many as lanes: others need the threads too */
    CnLodTile chosen[CN_LOD_MAX_TILES];
    Tile tiles[2 * CN_LOD_MAX_TILES]; /* wanted ones nearest first, then those that wait to go */
    uint32_t count;
    CraftyFarLandStats stats;
    CnLodView chosen_for;
    bool has_chosen;
};

/* ---- The whole ---- */

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
    cn_free(far_land->allocator, far_land->scratch, far_land->lanes * sizeof(void *));
    cn_free(far_land->allocator, far_land, sizeof *far_land);
}

/* ---- Choosing ---- */

static bool same_tile(CnLodTile a, CnLodTile b)
{
    return a.level == b.level && a.x == b.x && a.z == b.z;
}

/* Whether they cover ground in common. */
static bool overlap(CnLodTile a, CnLodTile b)
{
    int64_t a_size = cn_lod_tile_blocks(a.level), b_size = cn_lod_tile_blocks(b.level);
    int64_t ax = a.x * a_size, az = a.z * a_size, bx = b.x * b_size, bz = b.z * b_size;
    return ax < bx + b_size && bx < ax + a_size && az < bz + b_size && bz < az + a_size;
}

static Tile *find(CraftyFarLand *far_land, CnLodTile tile, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (same_tile(far_land->tiles[i].tile, tile))
            return &far_land->tiles[i];
    return NULL;
}

static bool has_moved(const CraftyFarLand *far_land, const CnLodView *view)
{
    const CnLodView *old = &far_land->chosen_for;
    float dx = view->x - old->x, dz = view->z - old->z;
    return !far_land->has_chosen || dx * dx + dz * dz > CHOOSE_AGAIN * CHOOSE_AGAIN ||
           view->near_edge != old->near_edge || view->far_edge != old->far_edge ||
           view->coarse != old->coarse;
}

/* The new ones come first, in their order; old ones that are shown stay behind them until they may go. */
static void choose(CraftyFarLand *far_land, const CnLodView *view)
{
    uint32_t chosen = view ? cn_lod_select(view, far_land->chosen, CN_LOD_MAX_TILES) : 0;
    if (chosen > CN_LOD_MAX_TILES)
        chosen = CN_LOD_MAX_TILES;
    Tile *tiles = far_land->tiles;
    for (uint32_t i = 0; i < far_land->count; i++)
        tiles[i].wanted = false;
    for (uint32_t i = 0; i < chosen; i++) {
        Tile *old = find(far_land, far_land->chosen[i], far_land->count);
        Tile tile = old ? *old : (Tile){.tile = far_land->chosen[i]};
        tile.wanted = true;
        tile.failed = false;
        if (!old && far_land->count == CN_COUNT_OF(far_land->tiles))
            break;
        Tile *place = old ? old : &tiles[far_land->count++];
        *place = tiles[i];
        tiles[i] = tile;
    }
    uint32_t kept = chosen;
    for (uint32_t i = chosen; i < far_land->count; i++)
        if (tiles[i].shown || tiles[i].building)
            tiles[kept++] = tiles[i];
    far_land->count = kept;
    if (view)
        far_land->chosen_for = *view;
    far_land->has_chosen = view != NULL;
}

/* ---- Building ---- */

static void build(void *data, uint32_t lane)
{
    Work *work = data;
    CraftyFarLand *far_land = work->far_land;
    work->made = cn_lod_build(far_land->allocator, far_land->generator, far_land->scratch[lane],
                              work->tile, &work->mesh);
}

static void begin_work(CraftyFarLand *far_land, Work *work)
{
    for (uint32_t i = 0; i < far_land->count; i++) {
        Tile *tile = &far_land->tiles[i];
        if (!tile->wanted || tile->shown || tile->building || tile->failed)
            continue;
        tile->building = true;
        work->far_land = far_land;
        work->tile = tile->tile;
        work->busy = true;
        work->job = cn_job_submit(far_land->jobs, &(CnJobDesc){.run = build, .data = work});
        return;
    }
}

static void take_result(CraftyFarLand *far_land, Work *work)
{
    Tile *tile = find(far_land, work->tile, far_land->count);
    work->busy = false;
    if (!tile)
        return;
    tile->building = false;
    if (!tile->wanted)
        return;
    tile->shown = work->made && cn_block_view_set_far(far_land->view, &work->mesh);
    tile->failed = !tile->shown;
}

/* ---- Going ---- */

static bool is_replaced(const CraftyFarLand *far_land, CnLodTile old)
{
    for (uint32_t i = 0; i < far_land->count; i++) {
        const Tile *tile = &far_land->tiles[i];
        if (tile->wanted && !tile->shown && !tile->failed && overlap(tile->tile, old))
            return false;
    }
    return true;
}

static void remove_old(CraftyFarLand *far_land)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < far_land->count; i++) {
        Tile tile = far_land->tiles[i];
        bool goes =
            !tile.wanted && !tile.building && (!tile.shown || is_replaced(far_land, tile.tile));
        if (goes && tile.shown)
            cn_block_view_remove_far(far_land->view, tile.tile);
        if (!goes)
            far_land->tiles[kept++] = tile;
    }
    far_land->count = kept;
}

static void count(CraftyFarLand *far_land)
{
    far_land->stats = (CraftyFarLandStats){0};
    for (uint32_t i = 0; i < far_land->count; i++) {
        far_land->stats.shown += far_land->tiles[i].shown;
        far_land->stats.missing +=
            far_land->tiles[i].wanted && !far_land->tiles[i].shown && !far_land->tiles[i].failed;
    }
}

/* ---- Each frame ---- */

/* Returns whether something came of it. Without waiting a frame takes in one tile, of which many may end together. */
static bool go_on(CraftyFarLand *far_land, bool wait)
{
    bool changed = false;
    for (uint32_t i = 0; i < far_land->work_count; i++) {
        Work *work = &far_land->work[i];
        if (work->busy && wait)
            cn_job_wait(far_land->jobs, work->job);
        if (work->busy && (wait || !changed) && cn_job_is_done(far_land->jobs, work->job)) {
            take_result(far_land, work);
            changed = true;
        }
        if (!work->busy)
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
            remove_old(far_land);
            count(far_land);
        }
    } while (wait && far_land->stats.missing);
}

CraftyFarLandStats crafty_far_land_stats(const CraftyFarLand *far_land)
{
    return far_land->stats;
}

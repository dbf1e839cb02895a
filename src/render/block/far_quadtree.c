/*
 * Selects which tiles of far terrain are drawn. The tiles form a quadtree: a tile is dropped when
 * its four quarters are present and have faded in, and quarters are not drawn until all four are
 * present. The ground is therefore always drawn exactly once, in whatever order tiles come and go.
 */
#include "render/block/block_view.h"

#define FADE_SECONDS 0.6 /* blocks.glsl */
#define EVER 1e30

static CnLodTile quarter(CnLodTile tile, int32_t i)
{
    return (CnLodTile){
        .x = 2 * tile.x + (i & 1), .z = 2 * tile.z + (i >> 1), .level = tile.level - 1};
}

static CnLodTile parent(CnLodTile tile)
{
    return (CnLodTile){.x = tile.x >> 1, .z = tile.z >> 1, .level = tile.level + 1};
}

static const uint32_t *find(const CnBlockView *view, CnLodTile tile)
{
    return cn_hash_map_get(&view->tiles, cni_render_far_tile_key(tile));
}

/* Returns whether tiles that were present before `time` cover this square. */
static bool is_whole(const CnBlockView *view, CnLodTile tile, double time)
{
    const uint32_t *number = find(view, tile);
    if (number &&
        (*number == CNI_RENDER_NO_RECORD || (double)view->all.items[*number].fade_start <= time))
        return true;
    if (tile.level == 1)
        return false;
    bool whole = true;
    for (int32_t i = 0; i < 4 && whole; i++)
        whole = is_whole(view, quarter(tile, i), time);
    return whole;
}

static bool has_quarters(const CnBlockView *view, CnLodTile tile, double time)
{
    bool whole = tile.level > 1;
    for (int32_t i = 0; i < 4 && whole; i++)
        whole = is_whole(view, quarter(tile, i), time);
    return whole;
}

static void show(CnBlockView *view, uint32_t number, bool is_shown)
{
    CniRenderBlockRecord *record = &view->all.items[number];
    uint32_t level = record->level & ~CNI_RENDER_BLOCK_HIDDEN;
    level |= is_shown ? 0 : CNI_RENDER_BLOCK_HIDDEN;
    if (record->level == level)
        return;
    record->level = level;
    cni_render_dirty_set_add(&view->dirty_records, number);
}

/* Returns whether all of its ancestors are replaced by their quarters. */
static bool has_its_turn(const CnBlockView *view, CnLodTile tile)
{
    while (tile.level < CN_LOD_LEVELS) {
        tile = parent(tile);
        if (find(view, tile) && !has_quarters(view, tile, EVER))
            return false;
    }
    return true;
}

/* Returns whether no other tile is above it. */
static bool is_root(const CnBlockView *view, CnLodTile tile)
{
    while (tile.level < CN_LOD_LEVELS) {
        tile = parent(tile);
        if (find(view, tile))
            return false;
    }
    return true;
}

static CnLodTile tile_of(uint64_t key)
{
    return (CnLodTile){.x = (int32_t)(uint32_t)(key >> 30 << 2) >> 2,
                       .z = (int32_t)(uint32_t)(key << 2) >> 2,
                       .level = (uint32_t)(key >> 60 & 7)};
}

double cni_render_far_quadtree_fade_start(const CnBlockView *view, uint64_t key, double time)
{
    CnLodTile tile = tile_of(key);
    bool replaces = !is_root(view, tile) || has_quarters(view, tile, EVER);
    return replaces ? time : time - FADE_SECONDS;
}

void cni_render_far_quadtree_update(CnBlockView *view, double time)
{
    if (view->tiles_changed)
        view->tiles_settle = time + FADE_SECONDS;
    else if (view->tiles_settle == 0 || time < view->tiles_settle)
        return;
    else
        view->tiles_settle = 0;
    view->tiles_changed = false;
    for (uint32_t i = 0; i < view->tiles.count; i++) {
        CnLodTile tile = tile_of(cn_hash_map_key(&view->tiles, i));
        uint32_t number = *(const uint32_t *)cn_hash_map_value(&view->tiles, i);
        if (number != CNI_RENDER_NO_RECORD)
            show(view, number,
                 has_its_turn(view, tile) && !has_quarters(view, tile, time - FADE_SECONDS));
    }
}

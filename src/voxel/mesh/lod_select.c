/* Selects far terrain tiles: a quadtree, split near the camera. */
#include <cairn/voxel/lod.h>

#include <cairn/base/assert.h>

#include <string.h>

/* A tile is split while the camera is nearer than this many tile edges. */
static const int32_t split_sides[] = {[CN_LOD_NORMAL] = 4, [CN_LOD_COARSE] = 1, [CN_LOD_FINE] = 6};

typedef struct Selection {
    int32_t x, z; /* of the camera, in blocks */
    int32_t near_edge, far_edge;
    int32_t split_sides;
    CnLodTile *tiles;
    uint32_t limit, count;
} Selection;

static int32_t to_block(float at)
{
    const float limit = (float)(CN_CHUNK_LIMIT * CN_CHUNK_SIZE - 65536);
    float held = at < -limit ? -limit : at > limit ? limit : at == at ? at : 0;
    int32_t block = (int32_t)held;
    return block - ((float)block > held);
}

/* Return the distance of the camera from the near and the far end of a span. */
static int32_t nearest(int32_t eye, int32_t low, int32_t size)
{
    return eye < low ? low - eye : eye > low + size ? eye - low - size : 0;
}
static int32_t furthest(int32_t eye, int32_t low, int32_t size)
{
    int32_t to_low = eye - low, to_high = low + size - eye;
    return to_low > to_high ? to_low : to_high;
}

static int64_t distance_to(const Selection *selection, CnLodTile tile)
{
    int32_t size = cn_lod_tile_blocks(tile.level);
    int64_t dx = nearest(selection->x, tile.x * size, size);
    int64_t dz = nearest(selection->z, tile.z * size, size);
    return dx * dx + dz * dz;
}

static bool comes_before(const Selection *selection, CnLodTile a, CnLodTile b)
{
    int64_t to_a = distance_to(selection, a), to_b = distance_to(selection, b);
    if (to_a != to_b)
        return to_a < to_b;
    if (a.level != b.level)
        return a.level < b.level;
    return a.z != b.z ? a.z < b.z : a.x < b.x;
}

/* Inserts the tile in order of distance. */
static void insert(Selection *selection, CnLodTile tile)
{
    uint32_t held = selection->count < selection->limit ? selection->count : selection->limit;
    uint32_t low = 0, high = held;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (comes_before(selection, selection->tiles[middle], tile))
            low = middle + 1;
        else
            high = middle;
    }
    selection->count++;
    if (low == selection->limit)
        return;
    uint32_t moved = held - low - (held == selection->limit);
    memmove(&selection->tiles[low + 1], &selection->tiles[low], moved * sizeof tile);
    selection->tiles[low] = tile;
}

static void visit(Selection *selection, CnLodTile tile)
{
    int32_t size = cn_lod_tile_blocks(tile.level);
    int32_t x = tile.x * size, z = tile.z * size;
    int32_t near_x = nearest(selection->x, x, size), near_z = nearest(selection->z, z, size);
    int32_t far_x = furthest(selection->x, x, size), far_z = furthest(selection->z, z, size);
    int32_t close = near_x > near_z ? near_x : near_z, wide = far_x > far_z ? far_x : far_z;
    int64_t far_edge = selection->far_edge;
    if (wide <= selection->near_edge || distance_to(selection, tile) > far_edge * far_edge)
        return;
    bool at_chunks = close < selection->near_edge;
    if (tile.level == 1 || (!at_chunks && close >= selection->split_sides * size)) {
        insert(selection, tile);
        return;
    }
    for (int32_t i = 0; i < 4; i++)
        visit(selection, (CnLodTile){.x = 2 * tile.x + (i & 1),
                                     .z = 2 * tile.z + (i >> 1),
                                     .level = tile.level - 1});
}

static int32_t floor_divide(int32_t value, int32_t by)
{
    return value / by - (value % by < 0);
}

uint32_t cn_lod_select(const CnLodView *view, CnLodTile *tiles, uint32_t limit)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    float far_edge = view->far_edge == 0 ? 2048 : view->far_edge;
    far_edge = far_edge > CN_LOD_FAR_MAX ? CN_LOD_FAR_MAX : far_edge;
    CN_ASSERT(far_edge > 0 && view->near_edge >= 0, "edges must be positive distances");
    Selection selection = {
        .x = to_block(view->x),
        .z = to_block(view->z),
        /* The camera may be anywhere within its block. */
        .near_edge = to_block(view->near_edge) - 1,
        .far_edge = to_block(far_edge) + 2,
        .split_sides = split_sides[view->detail],
        .tiles = tiles,
        .limit = limit,
    };
    int32_t size = cn_lod_tile_blocks(CN_LOD_LEVELS), reach = selection.far_edge;
    int32_t x0 = floor_divide(selection.x - reach, size),
            x1 = floor_divide(selection.x + reach, size);
    int32_t z0 = floor_divide(selection.z - reach, size),
            z1 = floor_divide(selection.z + reach, size);
    for (int32_t z = z0; z <= z1; z++)
        for (int32_t x = x0; x <= x1; x++)
            visit(&selection, (CnLodTile){.x = x, .z = z, .level = CN_LOD_LEVELS});
    return selection.count;
}

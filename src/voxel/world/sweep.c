/*
 * Moving boxes among collidable blocks. A move is performed axis by axis. Along each axis, layers
 * of cells with the cross-section of the box are tested from the nearest to the farthest.
 */
#include <cairn/base/assert.h>
#include <cairn/base/math.h>
#include <cairn/voxel/voxels.h>

#define MAX_WIDTH 64.0
#define MAX_SKIN (1.0 / 16)

typedef struct Box {
    double low[3], high[3];
} Box;
typedef struct Cells {
    int32_t low[3], high[3]; /* inclusive */
} Cells;

static bool box_of(CnVoxelBox box, Box *wide)
{
    *wide = (Box){{box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z}};
    bool good = true;
    for (int axis = 0; axis < 3; axis++)
        good = good && wide->low[axis] <= wide->high[axis] && wide->low[axis] >= -CN_CELL_LIMIT &&
               wide->high[axis] <= CN_CELL_LIMIT && wide->high[axis] - wide->low[axis] <= MAX_WIDTH;
    CN_ASSERT(good, "a box needs a lower and an upper corner in the world, at most %g apart",
              MAX_WIDTH);
    return good;
}

/* Returns the cells that overlap the box, excluding those it only touches. */
static Cells cells_of(const Box *box)
{
    Cells cells;
    for (int axis = 0; axis < 3; axis++) {
        cells.low[axis] = (int32_t)cn_floor(box->low[axis]);
        cells.high[axis] = (int32_t)cn_ceil(box->high[axis]) - 1;
    }
    return cells;
}

static bool any_collides(CnVoxels *world, const Cells *cells)
{
    const uint8_t *flags = cn_voxels_blocks(world)->flags;
    for (int32_t z = cells->low[2]; z <= cells->high[2]; z++)
        for (int32_t y = cells->low[1]; y <= cells->high[1]; y++)
            for (int32_t x = cells->low[0]; x <= cells->high[0]; x++)
                if (flags[cn_voxels_get(world, (CnCell){x, y, z})] & CN_BLOCK_COLLIDES)
                    return true;
    return false;
}

bool cn_voxels_overlap(CnVoxels *world, CnVoxelBox box)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Box wide;
    if (!box_of(box, &wide))
        return false;
    Cells cells = cells_of(&wide);
    return any_collides(world, &cells);
}

/* At least four float steps at that coordinate; less far out, where that would be too much. */
static double skin_at(double coordinate)
{
    double steps = cn_fabs(coordinate) * (4.0 / (1 << 23));
    if (steps > MAX_SKIN)
        return MAX_SKIN;
    return steps > CN_VOXEL_SKIN ? steps : CN_VOXEL_SKIN;
}

/* Returns how far the box can move along the axis when asked to move by `move`. */
static double free_way(CnVoxels *world, const Box *box, int axis, double move)
{
    bool forward = move > 0;
    double front = forward ? box->high[axis] : box->low[axis];
    double skin = skin_at(front);
    double way = cn_fabs(move);
    Cells layer = cells_of(box);
    /* The first face that may stop the box: not one that it has passed by more than the skin. */
    int32_t face = (int32_t)(forward ? cn_ceil(front - skin) : cn_floor(front + skin));
    for (;; face += forward ? 1 : -1) {
        double gap = forward ? face - front : front - face;
        if (gap - skin >= way)
            return way;
        bool end_of_world = forward ? face >= CN_CELL_LIMIT : face <= -CN_CELL_LIMIT;
        layer.low[axis] = layer.high[axis] = forward ? face : face - 1;
        if (end_of_world || any_collides(world, &layer))
            return gap > skin ? gap - skin : 0;
    }
}

CnVoxelSweep cn_voxels_sweep(CnVoxels *world, CnVoxelBox box, CnVec3 move)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    static const int order[3] = {0, 2, 1};
    const float wanted[3] = {move.x, move.y, move.z};
    float moved[3] = {0, 0, 0};
    CnVoxelSweep sweep = {0};
    Box wide;
    if (!box_of(box, &wide))
        return sweep;
    for (int i = 0; i < 3; i++) {
        int axis = order[i];
        float limited = wanted[axis] > CN_VOXEL_RAY_MAX    ? CN_VOXEL_RAY_MAX
                        : wanted[axis] < -CN_VOXEL_RAY_MAX ? -CN_VOXEL_RAY_MAX
                                                           : wanted[axis];
        if (!(limited > 0 || limited < 0))
            continue;
        double way = free_way(world, &wide, axis, limited);
        sweep.hit[axis] = way < cn_fabs(limited);
        moved[axis] = (float)(limited > 0 ? way : -way);
        wide.low[axis] += moved[axis];
        wide.high[axis] += moved[axis];
    }
    sweep.moved = (CnVec3){moved[0], moved[1], moved[2]};
    sweep.on_ground = sweep.hit[1] && move.y < 0;
    return sweep;
}

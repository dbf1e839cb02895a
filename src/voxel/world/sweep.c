/*
 * Moving boxes among collidable blocks. A move is performed axis by axis. Along each axis, layers
 * of cells with the cross-section of the box are tested from the nearest to the farthest, beginning
 * with that of its front, where the boxes of shaped blocks may still lie ahead.
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

/* For coordinates of the world, which fit into 32 bits; shorter than the functions for all doubles.
 */
static int32_t round_down(double value)
{
    int32_t whole = (int32_t)value;
    return whole - (whole > value);
}

static int32_t round_up(double value)
{
    int32_t whole = (int32_t)value;
    return whole + (whole < value);
}

/* Returns the cells that overlap the box, excluding those it only touches. */
static Cells cells_of(const Box *box)
{
    Cells cells;
    for (int axis = 0; axis < 3; axis++) {
        cells.low[axis] = round_down(box->low[axis]);
        cells.high[axis] = round_up(box->high[axis]) - 1;
    }
    return cells;
}

/* Calls visit_cell for the collidable blocks among the cells, until it returns true. */
static bool any_collides(const CnBlockReader *reader, const Cells *cells,
                         bool (*visit_cell)(void *user, const int32_t cell[3],
                                            const CnBlockShape *shape),
                         void *user)
{
    const CnBlockTable *table = reader->blocks;
    int32_t at[3];
    for (at[2] = cells->low[2]; at[2] <= cells->high[2]; at[2]++)
        for (at[1] = cells->low[1]; at[1] <= cells->high[1]; at[1]++)
            for (at[0] = cells->low[0]; at[0] <= cells->high[0]; at[0]++) {
                CnBlock block = reader->get(reader->user, (CnCell){at[0], at[1], at[2]});
                if ((table->flags[block] & CN_BLOCK_COLLIDES) &&
                    visit_cell(user, at, cn_block_shape(table, block)))
                    return true;
            }
    return false;
}

/* The plane of a box of a shape. */
static double plane_of(const int32_t cell[3], int axis, uint8_t units)
{
    return cell[axis] + units * (1.0 / CN_BLOCK_SHAPE_UNITS);
}

static bool overlaps_along(const Box *box, int axis, const int32_t cell[3], const CnBlockBox *part)
{
    return box->low[axis] < plane_of(cell, axis, part->high[axis]) &&
           box->high[axis] > plane_of(cell, axis, part->low[axis]);
}

static bool overlaps_block(void *user, const int32_t cell[3], const CnBlockShape *shape)
{
    const Box *box = user;
    for (uint32_t i = 0; shape && i < shape->count; i++)
        if (overlaps_along(box, 0, cell, &shape->boxes[i]) &&
            overlaps_along(box, 1, cell, &shape->boxes[i]) &&
            overlaps_along(box, 2, cell, &shape->boxes[i]))
            return true;
    return !shape;
}

static CnBlock get_from_world(void *user, CnCell cell)
{
    return cn_voxels_get(user, cell);
}

CnBlockReader cn_voxels_reader(CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return (CnBlockReader){cn_voxels_blocks(world), get_from_world, world};
}

bool cn_block_reader_overlap(const CnBlockReader *reader, CnVoxelBox box)
{
    CN_ASSERT(reader && reader->blocks && reader->get, "%s: reader is not complete", __func__);
    Box wide;
    if (!box_of(box, &wide))
        return false;
    Cells cells = cells_of(&wide);
    return any_collides(reader, &cells, overlaps_block, &wide);
}

bool cn_voxels_overlap(CnVoxels *world, CnVoxelBox box)
{
    CnBlockReader reader = cn_voxels_reader(world);
    return cn_block_reader_overlap(&reader, box);
}

/* At least four float steps at that coordinate; less far out, where that would be too much. */
static double skin_at(double coordinate)
{
    double steps = cn_fabs(coordinate) * (4.0 / (1 << 23));
    if (steps > MAX_SKIN)
        return MAX_SKIN;
    return steps > CN_VOXEL_SKIN ? steps : CN_VOXEL_SKIN;
}

/* The nearest plane in a layer of cells that stops a box. */
typedef struct Obstacle {
    const Box *box;
    int axis;
    bool forward, found;
    double front, skin;
    double gap; /* from the front of the box, if found */
} Obstacle;

static void meet(Obstacle *obstacle, double plane)
{
    double gap = obstacle->forward ? plane - obstacle->front : obstacle->front - plane;
    if (gap < -obstacle->skin || (obstacle->found && gap >= obstacle->gap))
        return; /* the box has passed it, or another one is nearer */
    obstacle->found = true;
    obstacle->gap = gap;
}

static bool meet_block(void *user, const int32_t cell[3], const CnBlockShape *shape)
{
    Obstacle *obstacle = user;
    int axis = obstacle->axis;
    if (!shape)
        meet(obstacle, cell[axis] + (obstacle->forward ? 0 : 1));
    for (uint32_t i = 0; shape && i < shape->count; i++) {
        const CnBlockBox *part = &shape->boxes[i];
        if (overlaps_along(obstacle->box, (axis + 1) % 3, cell, part) &&
            overlaps_along(obstacle->box, (axis + 2) % 3, cell, part))
            meet(obstacle,
                 plane_of(cell, axis, obstacle->forward ? part->low[axis] : part->high[axis]));
    }
    return !shape && obstacle->found; /* nothing in this layer is nearer than a full block */
}

/* Returns how far the box can move along the axis when asked to move by `move`. */
static double free_way(const CnBlockReader *reader, const Box *box, int axis, double move)
{
    bool forward = move > 0;
    double front = forward ? box->high[axis] : box->low[axis];
    double skin = skin_at(front);
    double way = cn_fabs(move);
    Obstacle obstacle = {box, axis, forward, false, front, skin, 0};
    /* The face of the layer that the front is in: the next one is the first that may stop the box,
     * because it has not passed that by more than the skin. */
    int32_t face = forward ? round_up(front - skin) - 1 : round_down(front + skin) + 1;
    if ((forward ? face - front : front - face) - skin >= way)
        return way; /* most short moves */
    Cells layer = cells_of(box);
    for (;; face += forward ? 1 : -1) {
        double gap = forward ? face - front : front - face;
        if (gap - skin >= way)
            return way;
        if (forward ? face >= CN_CELL_LIMIT : face <= -CN_CELL_LIMIT)
            return gap > skin ? gap - skin : 0;
        layer.low[axis] = layer.high[axis] = forward ? face : face - 1;
        any_collides(reader, &layer, meet_block, &obstacle);
        if (obstacle.found && obstacle.gap - skin >= way)
            return way;
        if (obstacle.found)
            return obstacle.gap > skin ? obstacle.gap - skin : 0;
    }
}

CnVoxelSweep cn_block_reader_sweep(const CnBlockReader *reader, CnVoxelBox box, CnVec3 move)
{
    CN_ASSERT(reader && reader->blocks && reader->get, "%s: reader is not complete", __func__);
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
        double way = free_way(reader, &wide, axis, limited);
        sweep.hit[axis] = way < cn_fabs(limited);
        moved[axis] = (float)(limited > 0 ? way : -way);
        wide.low[axis] += moved[axis];
        wide.high[axis] += moved[axis];
    }
    sweep.moved = (CnVec3){moved[0], moved[1], moved[2]};
    sweep.on_ground = sweep.hit[1] && move.y < 0;
    return sweep;
}

CnVoxelSweep cn_voxels_sweep(CnVoxels *world, CnVoxelBox box, CnVec3 move)
{
    CnBlockReader reader = cn_voxels_reader(world);
    return cn_block_reader_sweep(&reader, box, move);
}

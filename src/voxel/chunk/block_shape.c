/*
 * Surfaces of shapes: the boxes are drawn into a grid of 16 x 16 x 16 bits. A bit with an empty
 * neighbor shows a face; faces of one plane are merged into rectangles.
 */
#include "voxel/chunk/block_shape.h"

#include <cairn/voxel/mesh.h>

#include <string.h>

#define UNITS CN_BLOCK_SHAPE_UNITS
CN_STATIC_ASSERT((int)CNI_VOXEL_SHAPE_SIDES == (int)CN_FACE_COUNT, "one side for each face");

/* Layers across one axis: bit u of row v of each. */
typedef struct Grid {
    uint16_t rows[UNITS][UNITS];
} Grid;
typedef uint16_t Plane[UNITS]; /* bit u of row v */

const char *cni_voxel_shape_fault(const CnBlockShape *boxes)
{
    if (boxes->count == 0 || boxes->count > CN_BLOCK_SHAPE_BOXES)
        return "its shape does not have 1 to 8 boxes";
    for (uint32_t i = 0; i < boxes->count; i++)
        for (int axis = 0; axis < 3; axis++)
            if (boxes->boxes[i].low[axis] >= boxes->boxes[i].high[axis] ||
                boxes->boxes[i].high[axis] > UNITS)
                return "a box of its shape is empty or reaches out of the cell";
    CniVoxelShape shape;
    return cni_voxel_shape_init(&shape, boxes) ? NULL : "its shape has more than 64 faces";
}

/* `axes` are u, v and the one across the layers. */
static void draw_box(Grid *grid, const CnBlockBox *box, const uint8_t axes[3])
{
    uint32_t row = ((1u << box->high[axes[0]]) - 1) & ~((1u << box->low[axes[0]]) - 1);
    for (uint32_t layer = box->low[axes[2]]; layer < box->high[axes[2]]; layer++)
        for (uint32_t v = box->low[axes[1]]; v < box->high[axes[1]]; v++)
            grid->rows[layer][v] |= (uint16_t)row;
}

static void draw(Grid *grid, const CnBlockShape *boxes, const uint8_t axes[3])
{
    memset(grid, 0, sizeof *grid);
    for (uint32_t i = 0; i < boxes->count; i++)
        draw_box(grid, &boxes->boxes[i], axes);
}

/* Finds the visible faces of one layer of bits. */
static void find_visible(const Grid *grid, int layer, int step, Plane plane)
{
    int front = layer + step;
    bool is_outer = front < 0 || front >= UNITS;
    for (int v = 0; v < UNITS; v++) {
        uint16_t hidden = is_outer ? 0 : grid->rows[front][v];
        plane[v] = (uint16_t)(grid->rows[layer][v] & ~hidden);
    }
}

/* Takes the first rectangle of faces out of the plane: the first run, and the rows below it that
 * contain the same bits. */
static bool take_rectangle(Plane plane, CniVoxelShapeFace *face)
{
    uint32_t v = 0;
    while (v < UNITS && !plane[v])
        v++;
    if (v == UNITS)
        return false;
    uint32_t u = (uint32_t)__builtin_ctz(plane[v]);
    uint32_t width = (uint32_t)__builtin_ctz(~((uint32_t)plane[v] >> u));
    uint16_t run = (uint16_t)(((1u << width) - 1) << u);
    uint32_t end = v;
    for (; end < UNITS && (plane[end] & run) == run; end++)
        plane[end] &= (uint16_t)~run;
    face->u = (uint8_t)u;
    face->v = (uint8_t)v;
    face->width = (uint8_t)width;
    face->height = (uint8_t)(end - v);
    return true;
}

bool cni_voxel_shape_init(CniVoxelShape *shape, const CnBlockShape *boxes)
{
    static const uint8_t axes[CN_FACE_COUNT][3] = {{0, 1, 2}, {0, 1, 2}, {2, 1, 0},
                                                   {2, 1, 0}, {0, 2, 1}, {0, 2, 1}}; /* u, v, n */
    Grid grid;
    uint32_t count = 0;
    memset(shape, 0, sizeof *shape);
    shape->boxes.count = boxes->count;
    for (uint32_t i = 0; i < boxes->count; i++)
        shape->boxes.boxes[i] = boxes->boxes[i];
    for (uint32_t side = 0; side < CN_FACE_COUNT; side++) {
        bool positive = side & 1;
        shape->first[side] = (uint8_t)count;
        draw(&grid, boxes, axes[side]);
        for (int layer = 0; layer < UNITS; layer++) {
            Plane plane;
            CniVoxelShapeFace face = {.depth = (uint8_t)(layer + positive),
                                      .is_flush = layer == (positive ? UNITS - 1 : 0)};
            find_visible(&grid, layer, positive ? 1 : -1, plane);
            while (take_rectangle(plane, &face)) {
                if (count == CN_BLOCK_SHAPE_FACES)
                    return false;
                shape->faces[count++] = face;
                if (face.is_flush && face.width == UNITS && face.height == UNITS)
                    shape->full_sides |= (uint8_t)(1u << side);
            }
        }
    }
    shape->first[CN_FACE_COUNT] = (uint8_t)count;
    return true;
}

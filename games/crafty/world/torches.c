#include "torches.h"

#include <cairn/base/math.h>

#include <string.h>

/* Half the edge of the searched cube of cells around the camera. */
#define REACH 24
#define SIDE (2 * REACH + 1)
#define CELLS ((uint32_t)(SIDE * SIDE * SIDE))

#define APART 8.0f    /* minimum distance between torches */
#define FROM_EYE 2.5f /* minimum distance to the camera, which would look into the flame */

static const int8_t steps[6][3] = {{0, 0, -1}, {0, 0, 1},  {-1, 0, 0},
                                   {1, 0, 0},  {0, -1, 0}, {0, 1, 0}};

typedef struct Search {
    CnVoxels *voxels;
    CnCell middle;
    uint32_t queue[CELLS]; /* cells of the cube in breadth-first order through open cells */
    uint8_t seen[CELLS];
    CnCell torches[CRAFTY_MAX_TORCHES];
    uint32_t torch_count;
} Search;

static CnCell cell_at(const Search *search, uint32_t index)
{
    int32_t x = (int32_t)(index % SIDE), y = (int32_t)(index / SIDE % SIDE),
            z = (int32_t)(index / (SIDE * SIDE));
    return (CnCell){search->middle.x + x - REACH, search->middle.y + y - REACH,
                    search->middle.z + z - REACH};
}

static CnCell step_from(CnCell cell, uint32_t direction)
{
    return (CnCell){cell.x + steps[direction][0], cell.y + steps[direction][1],
                    cell.z + steps[direction][2]};
}

/* Returns CELLS for a cell outside of the cube. */
static uint32_t index_of(const Search *search, CnCell cell)
{
    int32_t x = cell.x - search->middle.x + REACH, y = cell.y - search->middle.y + REACH,
            z = cell.z - search->middle.z + REACH;
    if (x < 0 || y < 0 || z < 0 || x >= SIDE || y >= SIDE || z >= SIDE ||
        !cn_cell_is_in_world(cell))
        return CELLS;
    return (uint32_t)(x + SIDE * (y + SIDE * z));
}

static bool has_flag(const Search *search, CnCell cell, uint8_t flag)
{
    return (cn_voxels_blocks(search->voxels)->flags[cn_voxels_get(search->voxels, cell)] & flag) !=
           0;
}

static float distance(CnCell a, CnCell b)
{
    float x = (float)(a.x - b.x), y = (float)(a.y - b.y), z = (float)(a.z - b.z);
    return cn_sqrtf(x * x + y * y + z * z);
}

static bool may_stand(const Search *search, CnCell cell)
{
    CnCell under = {cell.x, cell.y - 1, cell.z};
    bool beside_wall = false;
    if (!has_flag(search, under, CN_BLOCK_IS_OPAQUE) ||
        cn_voxels_height(search->voxels, cell.x, cell.z) < cell.y ||
        distance(cell, search->middle) < FROM_EYE)
        return false;
    for (uint32_t i = 0; i < 4; i++)
        beside_wall = beside_wall || has_flag(search, step_from(cell, i), CN_BLOCK_IS_OPAQUE);
    for (uint32_t i = 0; i < search->torch_count; i++)
        if (distance(cell, search->torches[i]) < APART)
            return false;
    return beside_wall;
}

static void find(Search *search, uint32_t count)
{
    uint32_t end = 0;
    search->queue[end++] = index_of(search, search->middle);
    search->seen[search->queue[0]] = 1;
    for (uint32_t next = 0; next < end && search->torch_count < count; next++) {
        CnCell cell = cell_at(search, search->queue[next]);
        if (may_stand(search, cell))
            search->torches[search->torch_count++] = cell;
        for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++) {
            CnCell beside = step_from(cell, i);
            uint32_t index = index_of(search, beside);
            if (index == CELLS || search->seen[index])
                continue;
            search->seen[index] = 1;
            if (has_flag(search, beside, CN_BLOCK_IS_AIR))
                search->queue[end++] = index;
        }
    }
}

uint32_t crafty_torches_place(CnVoxels *voxels, CnVec3 eye, uint32_t count)
{
    Search *search = cn_alloc_zeroed(cn_system_allocator(), sizeof *search);
    if (!search)
        return 0;
    search->voxels = voxels;
    search->middle =
        (CnCell){(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.y), (int32_t)cn_floorf(eye.z)};
    CnBlock torch = cn_block_find(cn_voxels_blocks(voxels), "torch");
    uint32_t placed = 0;
    if (cn_cell_is_in_world(search->middle))
        find(search, count < CRAFTY_MAX_TORCHES ? count : CRAFTY_MAX_TORCHES);
    for (uint32_t i = 0; i < search->torch_count; i++) {
        CnEdit edit = {.kind = CN_EDIT_PLACE,
                       .face = CN_EDIT_NO_FACE,
                       .cell = search->torches[i],
                       .new_block = torch};
        placed += cn_voxels_edit(voxels, &edit, NULL);
    }
    cn_free(cn_system_allocator(), search, sizeof *search);
    return placed;
}

/* The move of one water cell in one step. */
#include "voxel/world/water_rules.h"

const CnCell cni_voxel_water_sides[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};

#define SOURCES_THAT_FILL 3

typedef struct Around {
    CnCell cell;
    uint32_t level;
    CnBlock below, sides[4];
} Around;

static CnBlock get(const CnWaterCells *cells, CnCell cell)
{
    return cells->get(cells->user, cell);
}

/* Returns whether a source has ground or still water within the support distance below it. */
static bool is_supported(const CnWaterCells *cells, CnCell cell, CnBlock below)
{
    for (int32_t i = 1;; i++) {
        if (below == CN_BLOCK_WATER || cni_voxel_water_is_solid(cells->table, below))
            return true;
        if (i == CNI_VOXEL_WATER_SUPPORT)
            return false;
        below = get(cells, cni_voxel_water_above(cell, -i - 1));
    }
}

/* Returns the level that water yields to the cells beside it. Flowing water goes down wherever
 * possible, even into other water, so that falls stay narrow and nothing piles up on a lake. */
static uint32_t level_beside(const CnWaterCells *cells, CnCell cell, uint32_t level, CnBlock below)
{
    if (level == CNI_VOXEL_WATER_SOURCE)
        return is_supported(cells, cell, below) ? CNI_VOXEL_WATER_HIGHEST : 1;
    return cni_voxel_water_is_solid(cells->table, below) ? level - 1 : 0;
}

/* Returns the level with which flowing water is fed from above or from one side. */
static uint32_t level_fed(const CnWaterCells *cells, const Around *around)
{
    if (cn_water_level(get(cells, cni_voxel_water_above(around->cell, 1))) > 0)
        return CNI_VOXEL_WATER_HIGHEST;
    uint32_t fed = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t level = cn_water_level(around->sides[i]);
        if (level <= fed + 1)
            continue;
        CnCell side = cni_voxel_water_beside(around->cell, i);
        uint32_t given =
            level_beside(cells, side, level, get(cells, cni_voxel_water_above(side, -1)));
        fed = given > fed ? given : fed;
    }
    return fed;
}

/* Closes holes in lakes: sources on three sides and nothing replaceable below. Each filled cell
 * shortens the shore, so the process ends. */
static bool is_filled(const CnWaterCells *cells, const Around *around)
{
    uint32_t sources = 0;
    for (uint32_t i = 0; i < 4; i++)
        sources += around->sides[i] == CN_BLOCK_WATER;
    return sources >= SOURCES_THAT_FILL && (around->below == CN_BLOCK_WATER ||
                                            cni_voxel_water_is_solid(cells->table, around->below));
}

/* Handles flowing water that is filled or not fed. Above air or water it vanishes at once; on the
 * ground it loses a level. */
static bool changes_itself(const CnWaterCells *cells, const Around *around, CniVoxelWaterMove *move)
{
    if (is_filled(cells, around)) {
        *move = (CniVoxelWaterMove){around->cell, CNI_VOXEL_WATER_SOURCE};
        return true;
    }
    uint32_t fed = level_fed(cells, around);
    if (fed >= around->level)
        return false;
    bool falls = fed == 0 && !cni_voxel_water_is_solid(cells->table, around->below);
    *move = (CniVoxelWaterMove){around->cell, falls ? 0 : around->level - 1};
    return true;
}

static bool takes(const CnWaterCells *cells, CnBlock block, uint32_t level)
{
    return level > 0 && (cni_voxel_water_may_enter(cells->table, block) ||
                         (cn_water_level(block) > 0 && cn_water_level(block) < level));
}

bool cni_voxel_water_move(const CnWaterCells *cells, CnCell cell, CniVoxelWaterMove *move)
{
    Around around = {.cell = cell, .level = cn_water_level(get(cells, cell))};
    if (around.level == 0)
        return false;
    CnCell down = cni_voxel_water_above(cell, -1);
    around.below = get(cells, down);
    for (uint32_t i = 0; i < 4; i++)
        around.sides[i] = get(cells, cni_voxel_water_beside(cell, i));
    if (around.level < CNI_VOXEL_WATER_SOURCE && changes_itself(cells, &around, move))
        return true;
    if (takes(cells, around.below, CNI_VOXEL_WATER_HIGHEST)) {
        *move = (CniVoxelWaterMove){down, CNI_VOXEL_WATER_HIGHEST};
        return true;
    }
    uint32_t level = level_beside(cells, cell, around.level, around.below);
    for (uint32_t i = 0; i < 4; i++) {
        if (takes(cells, around.sides[i], level)) {
            *move = (CniVoxelWaterMove){cni_voxel_water_beside(cell, i), level};
            return true;
        }
    }
    return false;
}

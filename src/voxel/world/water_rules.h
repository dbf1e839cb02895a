/*
 * The move of a water cell in one step: a pure function of the blocks around it.
 */
#ifndef CAIRN_SRC_VOXEL_WORLD_WATER_RULES_H
#define CAIRN_SRC_VOXEL_WORLD_WATER_RULES_H

#include <cairn/voxel/water.h>

#define CNI_VOXEL_WATER_SOURCE 8u
#define CNI_VOXEL_WATER_HIGHEST 7u /* of flowing water */
#define CNI_VOXEL_WATER_SUPPORT                                                                    \
    4 /* maximum distance below a source of the block that supports it */

/* In the order in which water tests directions. */
extern const CnCell cni_voxel_water_sides[4];

static inline CnCell cni_voxel_water_beside(CnCell cell, uint32_t side)
{
    const CnCell *step = &cni_voxel_water_sides[side];
    return (CnCell){cell.x + step->x, cell.y, cell.z + step->z};
}
static inline CnCell cni_voxel_water_above(CnCell cell, int32_t blocks)
{
    return (CnCell){cell.x, cell.y + blocks, cell.z};
}
/* Water replaces air and plain props and supports only itself; everything else is solid. */
static inline bool cni_voxel_water_may_enter(const CnBlockTable *table, CnBlock block)
{
    return (table->flags[block] & CN_BLOCK_IS_AIR) || cn_block_is_plain_prop(table, block);
}
static inline bool cni_voxel_water_is_solid(const CnBlockTable *table, CnBlock block)
{
    return !(table->flags[block] & (CN_BLOCK_IS_AIR | CN_BLOCK_IS_WATER)) &&
           !cn_block_is_plain_prop(table, block);
}
/* Returns the block of a level, 0 to 8. */
static inline CnBlock cni_voxel_water_block(uint32_t level)
{
    return level == CNI_VOXEL_WATER_SOURCE ? CN_BLOCK_WATER
           : level == 0                    ? CN_BLOCK_AIR
                                           : (CnBlock)(CN_BLOCK_WATER_1 + level - 1);
}

typedef struct CniVoxelWaterMove {
    CnCell cell;
    uint32_t level; /* new level of the cell; 0: air */
} CniVoxelWaterMove;
/* Finds at most one move: into its own cell, the one below, or one beside. Returns false if the
 * cell is at rest or not water. */
bool cni_voxel_water_move(const CnWaterCells *cells, CnCell cell, CniVoxelWaterMove *move);

#endif

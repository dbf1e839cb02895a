/*
 * What water in one cell does in one step: a pure function of the blocks around it.
 */
#ifndef CAIRN_SRC_VOXEL_WATER_RULES_H
#define CAIRN_SRC_VOXEL_WATER_RULES_H

#include <cairn/voxel/water.h>

#define CNI_WATER_SOURCE 8u
#define CNI_WATER_HIGHEST 7u /* of what flows */
#define CNI_WATER_SUPPORT 4  /* how far below a source something has to be that carries it */

/* In the order in which water looks for a way. */
extern const CnCell cni_water_sides[4];

static inline CnCell cni_water_beside(CnCell cell, uint32_t side)
{
    const CnCell *step = &cni_water_sides[side];
    return (CnCell){cell.x + step->x, cell.y, cell.z + step->z};
}
static inline CnCell cni_water_above(CnCell cell, int32_t blocks)
{
    return (CnCell){cell.x, cell.y + blocks, cell.z};
}
/* Water takes the place of air and props, and carries nothing but itself; all else is solid. */
static inline bool cni_water_may_enter(CnBlock block)
{
    return cn_block_flags[block] & (CN_BLOCK_IS_AIR | CN_BLOCK_IS_PROP);
}
static inline bool cni_water_is_solid(CnBlock block)
{
    return !(cn_block_flags[block] & (CN_BLOCK_IS_AIR | CN_BLOCK_IS_PROP | CN_BLOCK_IS_WATER));
}
/* Of a level, 0 to 8. */
static inline CnBlock cni_water_block(uint32_t level)
{
    return level == CNI_WATER_SOURCE ? CN_BLOCK_WATER
           : level == 0              ? CN_BLOCK_AIR
                                     : (CnBlock)(CN_BLOCK_WATER_1 + level - 1);
}

typedef struct CniWaterMove {
    CnCell cell;
    uint32_t level; /* that the cell is to have: 0 is air */
} CniWaterMove;
/* At most one: its own cell, the one below, or one beside. False: it rests, or is no water. */
bool cni_water_move(const CnWaterCells *cells, CnCell cell, CniWaterMove *move);

#endif

/*
 * A brush draws a shape that may be larger than a chunk into one chunk and drops the cells outside.
 * All features are drawn with it.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_BRUSH_H
#define CAIRN_SRC_VOXEL_GENERATE_BRUSH_H

#include "voxel/generate/generated_blocks.h"

#include <cairn/voxel/chunk.h>

typedef struct CniVoxelBrush {
    CnBlock *blocks;
    int32_t x, y, z; /* lowest cell of the chunk */
    const CniVoxelGeneratedBlocks *generated;
} CniVoxelBrush;

/* Blocks that may be replaced: block flags (cairn/voxel/block.h). */
#define CNI_VOXEL_OVER_AIR (CN_BLOCK_IS_AIR | CN_BLOCK_IS_PROP)
#define CNI_VOXEL_OVER_LEAVES (CNI_VOXEL_OVER_AIR | CN_BLOCK_IS_SEMI)
#define CNI_VOXEL_OVER_ALL 0xFFu

static inline bool cni_voxel_brush_has_row(const CniVoxelBrush *brush, int32_t y, int32_t z)
{
    return (uint32_t)(y - brush->y) < CN_CHUNK_SIZE && (uint32_t)(z - brush->z) < CN_CHUNK_SIZE;
}

/* Draws from x0 to x1, inclusive. */
static inline void cni_voxel_brush_row(const CniVoxelBrush *brush, int32_t x0, int32_t x1,
                                       int32_t y, int32_t z, CniVoxelGenerated block, uint32_t over)
{
    if (!cni_voxel_brush_has_row(brush, y, z))
        return;
    x0 = x0 > brush->x ? x0 - brush->x : 0;
    x1 = x1 - brush->x < CN_CHUNK_SIZE ? x1 - brush->x : CN_CHUNK_SIZE - 1;
    CnBlock *row = brush->blocks + CN_CHUNK_SIZE * (y - brush->y) +
                   CN_CHUNK_SIZE * CN_CHUNK_SIZE * (z - brush->z);
    const CnBlock number = brush->generated->numbers[block];
    const uint8_t *flags = brush->generated->table->flags;
    for (int32_t x = x0; x <= x1; x++)
        if (flags[row[x]] & over)
            row[x] = number;
}

static inline void cni_voxel_brush_cell(const CniVoxelBrush *brush, int32_t x, int32_t y, int32_t z,
                                        CniVoxelGenerated block, uint32_t over)
{
    cni_voxel_brush_row(brush, x, x, y, z, block, over);
}

/* Draws from (x0, y0, z0) to (x1, y1, z1), inclusive. */
static inline void cni_voxel_brush_box(const CniVoxelBrush *brush, CnCell from, CnCell to,
                                       CniVoxelGenerated block, uint32_t over)
{
    for (int32_t z = from.z; z <= to.z; z++)
        for (int32_t y = from.y; y <= to.y; y++)
            cni_voxel_brush_row(brush, from.x, to.x, y, z, block, over);
}

#endif

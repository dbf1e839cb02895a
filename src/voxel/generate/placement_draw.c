/* Draws placements into a chunk. */
#include "voxel/generate/placement.h"

int32_t cni_voxel_placed_low(const CnPlacement *placements, const CniVoxelPlaced *placed)
{
    const CnPlacement *placement = &placements[placed->placement];
    bool has_foundation = placement->is_structure && placement->foundation != CN_BLOCK_AIR;
    return placed->y - (has_foundation ? CN_PLACEMENT_FOUNDATION : 0);
}

int32_t cni_voxel_placed_high(const CnPlacement *placements, const CniVoxelPlaced *placed)
{
    return placed->y + placements[placed->placement].patterns[placed->pattern].height - 1;
}

/* Returns the cell of the chunk, or NULL. */
static CnBlock *cell_at(const CniVoxelBrush *brush, int32_t x, int32_t y, int32_t z)
{
    const uint32_t u = (uint32_t)(x - brush->x), v = (uint32_t)(y - brush->y),
                   w = (uint32_t)(z - brush->z);
    if (u >= CN_CHUNK_SIZE || v >= CN_CHUNK_SIZE || w >= CN_CHUNK_SIZE)
        return NULL;
    return &brush->blocks[u + CN_CHUNK_SIZE * (v + CN_CHUNK_SIZE * w)];
}

static void draw_foundation(const CniVoxelBrush *brush, CnBlock block, const CniVoxelPlaced *placed,
                            int32_t x, int32_t z, int32_t ground)
{
    const int32_t low = placed->y - CN_PLACEMENT_FOUNDATION;
    for (int32_t y = placed->y - 1; y > ground && y >= low; y--) {
        CnBlock *cell = cell_at(brush, x, y, z);
        if (cell)
            *cell = block;
    }
}

static void draw_column(const CniVoxelBrush *brush, const CnPattern *pattern,
                        const CniVoxelPlaced *placed, int32_t x, int32_t z, uint32_t over)
{
    const uint8_t *flags = brush->generated->table->flags;
    const CnBlock *blocks =
        pattern->blocks + (x - placed->x) + pattern->width * pattern->height * (z - placed->z);
    for (int32_t y = 0; y < pattern->height; y++) {
        const CnBlock block = blocks[pattern->width * y];
        CnBlock *cell = block == CN_BLOCK_NONE ? NULL : cell_at(brush, x, placed->y + y, z);
        if (cell && (flags[*cell] & over))
            *cell = block;
    }
}

void cni_voxel_placed_draw(const CniVoxelBrush *brush, const CnPlacement *placements,
                           const CniVoxelPlaced *placed, const int16_t ground[256])
{
    const CnPlacement *placement = &placements[placed->placement];
    const CnPattern *pattern = &placement->patterns[placed->pattern];
    const uint32_t over = placement->is_structure ? CNI_VOXEL_OVER_ALL : CNI_VOXEL_OVER_AIR;
    const bool has_foundation = placement->is_structure && placement->foundation != CN_BLOCK_AIR;
    const int32_t x0 = placed->x > brush->x ? placed->x : brush->x;
    const int32_t z0 = placed->z > brush->z ? placed->z : brush->z;
    const int32_t x1 = placed->x + pattern->width, z1 = placed->z + pattern->depth;
    for (int32_t z = z0; z < z1 && z < brush->z + CN_CHUNK_SIZE; z++) {
        for (int32_t x = x0; x < x1 && x < brush->x + CN_CHUNK_SIZE; x++) {
            const CnBlock lowest =
                pattern
                    ->blocks[(x - placed->x) + pattern->width * pattern->height * (z - placed->z)];
            if (has_foundation && lowest != CN_BLOCK_NONE && lowest != CN_BLOCK_AIR)
                draw_foundation(brush, placement->foundation, placed, x, z,
                                ground[(x & 15) + 16 * (z & 15)]);
            draw_column(brush, pattern, placed, x, z, over);
        }
    }
}

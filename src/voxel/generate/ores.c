/*
 * Ores: eight noise fields, rarest first; the first one above its threshold replaces the stone.
 */
#include "voxel/generate/terrain.h"

#include <cairn/base/cpu.h>

/* Smaller scales give smaller veins, higher thresholds fewer veins; `depth` is the minimum
 * depth. */
static const struct {
    CniVoxelGenerated block;
    float scale, threshold;
    int16_t depth;
} ores[8] = {
    {CNI_VOXEL_GEN_DIAMOND_ORE, 5.0f, 0.86f, 36}, {CNI_VOXEL_GEN_EMERALD_ORE, 4.5f, 0.85f, 30},
    {CNI_VOXEL_GEN_GOLD_ORE, 6.0f, 0.80f, 22},    {CNI_VOXEL_GEN_REDSTONE_ORE, 6.0f, 0.76f, 18},
    {CNI_VOXEL_GEN_LAPIS_ORE, 6.0f, 0.76f, 14},   {CNI_VOXEL_GEN_IRON_ORE, 7.0f, 0.70f, 9},
    {CNI_VOXEL_GEN_COPPER_ORE, 8.0f, 0.66f, 6},   {CNI_VOXEL_GEN_COAL_ORE, 9.0f, 0.62f, 5}};

/* Processes `rows` rows of one slice of z. */
CN_SIMD_DISPATCH(place_slice,
                 (const int16_t *restrict ground, uint32_t rows, int32_t lowest,
                  const float *restrict field, float threshold, CnBlock stone, CnBlock ore,
                  CnBlock *restrict blocks),
                 (ground, rows, lowest, field, threshold, stone, ore, blocks))
{
    for (uint32_t j = 0; j < rows; j++) {
        const int16_t needed = (int16_t)(lowest + (int32_t)j);
        for (uint32_t i = 0; i < CNI_VOXEL_TERRAIN_TILE; i++) {
            const uint32_t at = i + CNI_VOXEL_TERRAIN_TILE * j;
            const bool takes =
                (field[at] > threshold) & (ground[i] >= needed) & (blocks[at] == stone);
            blocks[at] = takes ? ore : blocks[at];
        }
    }
}

void cni_voxel_ores_place(const CnGenerator *generator, const CniVoxelGround *ground,
                          CnChunkPos position, CniVoxelCarving *carving,
                          CnBlock blocks[CN_CHUNK_BLOCKS])
{
    const CnBlock *numbers = generator->blocks.numbers;
    const int32_t bottom = position.y * CN_CHUNK_SIZE;
    for (uint32_t ore = 0; ore < CN_COUNT_OF(ores); ore++) {
        const int32_t height = ground->highest - ores[ore].depth - bottom + 1;
        if (height <= 0)
            continue;
        const uint32_t rows = height < CN_CHUNK_SIZE ? (uint32_t)height : CN_CHUNK_SIZE;
        const CnNoiseGrid grid = {.x = position.x * CN_CHUNK_SIZE,
                                  .y = bottom,
                                  .z = position.z * CN_CHUNK_SIZE,
                                  .count = {CN_CHUNK_SIZE, rows, CN_CHUNK_SIZE},
                                  .scale = {ores[ore].scale, ores[ore].scale, ores[ore].scale}};
        cn_noise_grid(&generator->fields.ores[ore], &grid, carving->field[0]);
        for (uint32_t k = 0; k < CN_CHUNK_SIZE; k++)
            place_slice(&ground->ground[CNI_VOXEL_TERRAIN_TILE * k], rows, bottom + ores[ore].depth,
                        &carving->field[0][CNI_VOXEL_TERRAIN_TILE * rows * k], ores[ore].threshold,
                        numbers[CNI_VOXEL_GEN_STONE], numbers[ores[ore].block],
                        &blocks[CNI_VOXEL_TERRAIN_TILE_COLUMNS * k]);
    }
}

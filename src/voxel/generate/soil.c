/*
 * Soils: the top block of a column, the blocks below it, and filling chunks with both.
 */
#include "voxel/generate/terrain.h"

#include <cairn/base/cpu.h>

#include <string.h>

/* ---- Top blocks ---- */

/* Strata of the badlands by y, the same throughout a world. */
static CniVoxelGenerated stratum(uint64_t seed, int32_t y)
{
    static const CniVoxelGenerated bands[8] = {
        CNI_VOXEL_GEN_TERRACOTTA,       CNI_VOXEL_GEN_ORANGE_TERRACOTTA,
        CNI_VOXEL_GEN_TERRACOTTA,       CNI_VOXEL_GEN_YELLOW_TERRACOTTA,
        CNI_VOXEL_GEN_WHITE_TERRACOTTA, CNI_VOXEL_GEN_RED_TERRACOTTA,
        CNI_VOXEL_GEN_BROWN_TERRACOTTA, CNI_VOXEL_GEN_LIGHT_GRAY_TERRACOTTA};
    /* Bands of one or two blocks. */
    return bands[cni_voxel_position_hash(seed, 0xBAD1, 0, (y * 3) >> 2, 0) >> 61];
}

/* Heights above which grass changes to rock, and rock to snow. */
#define ROCK_FROM 98.0f
#define SNOW_FROM 132.0f

/* For each biome: the common block and that of patches. */
static const struct {
    CniVoxelGenerated common, patch;
    float patch_above; /* of the patch field, -1 to 1 */
} tops[CN_BIOME_COUNT] = {
    [CN_BIOME_GRASSY_PLAINS] = {CNI_VOXEL_GEN_GRASS, CNI_VOXEL_GEN_GRASS, 1},
    [CN_BIOME_FOREST] = {CNI_VOXEL_GEN_GRASS, CNI_VOXEL_GEN_PODZOL, 0.75f},
    [CN_BIOME_SAVANNA] = {CNI_VOXEL_GEN_GRASS, CNI_VOXEL_GEN_COARSE_DIRT, 0.55f},
    [CN_BIOME_DESERT] = {CNI_VOXEL_GEN_SAND, CNI_VOXEL_GEN_SAND, 1},
    [CN_BIOME_JUNGLE] = {CNI_VOXEL_GEN_GRASS, CNI_VOXEL_GEN_MOSS, 0.45f},
    [CN_BIOME_SWAMP] = {CNI_VOXEL_GEN_MUD, CNI_VOXEL_GEN_GRASS, 0.05f},
    [CN_BIOME_TAIGA] = {CNI_VOXEL_GEN_PODZOL, CNI_VOXEL_GEN_GRASS, 0.15f},
    [CN_BIOME_SNOWY_PLAINS] = {CNI_VOXEL_GEN_GRASS_SNOW, CNI_VOXEL_GEN_GRASS_SNOW, 1},
    [CN_BIOME_SNOWY_MOUNTAINS] = {CNI_VOXEL_GEN_SNOW, CNI_VOXEL_GEN_STONE, 0.62f},
    [CN_BIOME_ROCKY_MOUNTAINS] = {CNI_VOXEL_GEN_STONE, CNI_VOXEL_GEN_GRAVEL, 0.45f},
    [CN_BIOME_BADLANDS] = {CNI_VOXEL_GEN_RED_SAND, CNI_VOXEL_GEN_TERRACOTTA, 0.10f},
    [CN_BIOME_CHERRY_GROVE] = {CNI_VOXEL_GEN_GRASS, CNI_VOXEL_GEN_GRASS, 1},
    [CN_BIOME_MUSHROOM_FIELDS] = {CNI_VOXEL_GEN_MYCELIUM, CNI_VOXEL_GEN_MYCELIUM, 1},
};

static CniVoxelGenerated sea_bed(const CnColumn *column, float patch)
{
    if (column->soil == CN_BIOME_SWAMP && column->ground > CN_SEA_LEVEL - 8)
        return CNI_VOXEL_GEN_MUD;
    if (column->ground < CN_SEA_LEVEL - 14)
        return patch > 0.3f ? CNI_VOXEL_GEN_STONE : CNI_VOXEL_GEN_GRAVEL;
    if (patch > 0.62f)
        return CNI_VOXEL_GEN_CLAY;
    return patch < -0.55f ? CNI_VOXEL_GEN_GRAVEL : CNI_VOXEL_GEN_SAND;
}

static bool is_beach(const CnColumn *column, float patch)
{
    return column->ground <= CN_SEA_LEVEL + 1 + (patch > 0.2f) && column->soil != CN_BIOME_SWAMP &&
           column->soil != CN_BIOME_MUSHROOM_FIELDS;
}

CniVoxelGenerated cni_voxel_soil_top(uint64_t seed, const CnColumn *column, float patch)
{
    if (column->underwater)
        return sea_bed(column, patch);
    if (is_beach(column, patch)) {
        if (column->soil == CN_BIOME_ROCKY_MOUNTAINS)
            return CNI_VOXEL_GEN_GRAVEL;
        return column->soil == CN_BIOME_BADLANDS ? CNI_VOXEL_GEN_RED_SAND : CNI_VOXEL_GEN_SAND;
    }
    const float high = column->height + 14.0f * patch;
    if (column->soil != CN_BIOME_BADLANDS && column->soil != CN_BIOME_DESERT) {
        if (high > SNOW_FROM + 50.0f * column->temperature)
            return CNI_VOXEL_GEN_SNOW;
        if (high > ROCK_FROM && column->soil != CN_BIOME_SNOWY_MOUNTAINS)
            return patch < -0.6f ? CNI_VOXEL_GEN_GRAVEL : CNI_VOXEL_GEN_STONE;
    }
    const CniVoxelGenerated top = patch > tops[column->soil].patch_above
                                      ? tops[column->soil].patch
                                      : tops[column->soil].common;
    return top == CNI_VOXEL_GEN_TERRACOTTA ? stratum(seed, column->ground) : top;
}

/* ---- Blocks below ---- */

typedef struct Stack {
    CniVoxelGenerated under, deep;
    uint8_t under_count, deep_count;
} Stack;

static Stack stack_under(CniVoxelGenerated top)
{
    switch (top) {
    case CNI_VOXEL_GEN_SAND:
        return (Stack){CNI_VOXEL_GEN_SAND, CNI_VOXEL_GEN_SANDSTONE, 3, 5};
    case CNI_VOXEL_GEN_RED_SAND:
        return (Stack){CNI_VOXEL_GEN_RED_SAND, CNI_VOXEL_GEN_TERRACOTTA, 1, 40};
    case CNI_VOXEL_GEN_TERRACOTTA:
    case CNI_VOXEL_GEN_ORANGE_TERRACOTTA:
    case CNI_VOXEL_GEN_YELLOW_TERRACOTTA:
    case CNI_VOXEL_GEN_WHITE_TERRACOTTA:
    case CNI_VOXEL_GEN_RED_TERRACOTTA:
    case CNI_VOXEL_GEN_BROWN_TERRACOTTA:
    case CNI_VOXEL_GEN_LIGHT_GRAY_TERRACOTTA:
        return (Stack){CNI_VOXEL_GEN_TERRACOTTA, CNI_VOXEL_GEN_TERRACOTTA, 1, 40};
    case CNI_VOXEL_GEN_MUD:
        return (Stack){CNI_VOXEL_GEN_MUD, CNI_VOXEL_GEN_CLAY, 2, 2};
    case CNI_VOXEL_GEN_SNOW:
        return (Stack){CNI_VOXEL_GEN_SNOW, CNI_VOXEL_GEN_STONE, 2, 0};
    case CNI_VOXEL_GEN_GRAVEL:
        return (Stack){CNI_VOXEL_GEN_GRAVEL, CNI_VOXEL_GEN_STONE, 2, 0};
    case CNI_VOXEL_GEN_CLAY:
        return (Stack){CNI_VOXEL_GEN_CLAY, CNI_VOXEL_GEN_STONE, 2, 0};
    case CNI_VOXEL_GEN_STONE:
        return (Stack){CNI_VOXEL_GEN_STONE, CNI_VOXEL_GEN_STONE, 0, 0};
    default:
        return (Stack){CNI_VOXEL_GEN_DIRT, CNI_VOXEL_GEN_STONE, 3, 0};
    }
}

CnBlock cni_voxel_soil_under(const CniVoxelGeneratedBlocks *generated, CnBlock top, int32_t depth)
{
    Stack stack = stack_under(generated->kinds[top]);
    return generated
        ->numbers[depth <= stack.under_count                      ? stack.under
                  : depth <= stack.under_count + stack.deep_count ? stack.deep
                                                                  : CNI_VOXEL_GEN_STONE];
}

void cni_voxel_soil_ground(const CniVoxelGeneratedBlocks *generated,
                           const CnColumn columns[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
                           const uint8_t entrances[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
                           CniVoxelGround *ground)
{
    ground->has_entrance = false;
    ground->highest = INT16_MIN;
    ground->soil_end = INT16_MAX;
    for (uint32_t i = 0; i < CNI_VOXEL_TERRAIN_TILE_COLUMNS; i++) {
        const CnColumn *column = &columns[i];
        const Stack stack = stack_under(generated->kinds[column->top]);
        const int16_t y = column->ground;
        ground->ground[i] = y;
        ground->top[i] = column->top;
        ground->under[i] = generated->numbers[stack.under];
        ground->deep[i] = generated->numbers[stack.deep];
        ground->under_end[i] = (int16_t)(y - 1 - stack.under_count);
        ground->deep_end[i] = (int16_t)(ground->under_end[i] - stack.deep_count);
        ground->highest = y > ground->highest ? y : ground->highest;
        ground->roof[i] = entrances[i] >= CNI_VOXEL_ENTRANCE_ROOFLESS ? 0 : CNI_VOXEL_TUNNEL_ROOF;
        ground->has_entrance |= ground->roof[i] == 0;
        if (ground->deep_end[i] < ground->soil_end)
            ground->soil_end = ground->deep_end[i];
    }
}

/* ---- Chunks ---- */

/* Selects without a branch, so that loops over it are vectorised. */
CN_FORCE_INLINE uint16_t when(bool condition, uint16_t yes, uint16_t no)
{
    const uint16_t mask = (uint16_t) - (uint16_t)condition;
    return (uint16_t)((yes & mask) | (no & ~mask));
}

typedef struct Filling {
    uint16_t stone, terracotta;
    uint16_t strata[CN_CHUNK_SIZE]; /* the terracotta at each height */
} Filling;

/* Fills one row of 16 blocks. */
CN_FORCE_INLINE void fill_row(const CniVoxelGround *restrict ground, uint32_t first, int16_t y,
                              uint16_t stone, uint16_t terracotta, uint16_t stratum_here,
                              CnBlock *restrict row)
{
    const uint16_t open = y <= CN_SEA_LEVEL ? CN_BLOCK_WATER : CN_BLOCK_AIR;
    for (uint32_t i = 0; i < CNI_VOXEL_TERRAIN_TILE; i++) {
        const uint32_t at = first + i;
        const uint16_t deep = when(ground->deep[at] == terracotta, stratum_here, ground->deep[at]);
        const uint16_t under =
            when(ground->under[at] == terracotta, stratum_here, ground->under[at]);
        uint16_t block = when(y <= ground->deep_end[at], stone, deep);
        block = when(y <= ground->under_end[at], block, under);
        block = when(y < ground->ground[at], block, ground->top[at]);
        row[i] = when(y <= ground->ground[at], block, open);
    }
}

CN_SIMD_DISPATCH(fill_rows,
                 (const CniVoxelGround *restrict ground, int32_t bottom,
                  const Filling *restrict filling, CnBlock *restrict blocks),
                 (ground, bottom, filling, blocks))
{
    const uint16_t stone = filling->stone, terracotta = filling->terracotta;
    for (uint32_t k = 0; k < CN_CHUNK_SIZE; k++)
        for (uint32_t j = 0; j < CN_CHUNK_SIZE; j++)
            fill_row(ground, CNI_VOXEL_TERRAIN_TILE * k, (int16_t)(bottom + (int32_t)j), stone,
                     terracotta, filling->strata[j],
                     &blocks[CNI_VOXEL_TERRAIN_TILE_COLUMNS * k + CNI_VOXEL_TERRAIN_TILE * j]);
}

void cni_voxel_soil_fill(const CnGenerator *generator, const CniVoxelGround *ground,
                         int32_t chunk_y, CnBlock blocks[CN_CHUNK_BLOCKS])
{
    const CnBlock *numbers = generator->blocks.numbers;
    const CnBlock stone = numbers[CNI_VOXEL_GEN_STONE];
    const int32_t bottom = chunk_y * CN_CHUNK_SIZE;
    if (bottom + CN_CHUNK_SIZE - 1 <= ground->soil_end) {
        for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
            blocks[i] = stone;
    } else {
        Filling filling = {.stone = stone, .terracotta = numbers[CNI_VOXEL_GEN_TERRACOTTA]};
        for (int32_t j = 0; j < CN_CHUNK_SIZE; j++)
            filling.strata[j] = numbers[stratum(generator->desc.seed, bottom + j)];
        fill_rows(ground, bottom, &filling, blocks);
    }
    if (bottom == CN_WORLD_BOTTOM) {
        for (uint32_t k = 0; k < CN_CHUNK_SIZE; k++) {
            for (uint32_t i = 0; i < CN_CHUNK_SIZE; i++)
                blocks[i + CNI_VOXEL_TERRAIN_TILE_COLUMNS * k] = numbers[CNI_VOXEL_GEN_BEDROCK];
        }
    }
}

/*
 * Soils: the top block of a column, the blocks below it, and filling chunks with both.
 */
#include "voxel/generate/terrain.h"

#include <cairn/base/cpu.h>

#include <string.h>

/* ---- Top blocks ---- */

/* Strata of the badlands by y, the same throughout a world. */
static CnBlock stratum(uint64_t seed, int32_t y)
{
    static const CnBlock bands[8] = {CN_BLOCK_TERRACOTTA,       CN_BLOCK_ORANGE_TERRACOTTA,
                                     CN_BLOCK_TERRACOTTA,       CN_BLOCK_YELLOW_TERRACOTTA,
                                     CN_BLOCK_WHITE_TERRACOTTA, CN_BLOCK_RED_TERRACOTTA,
                                     CN_BLOCK_BROWN_TERRACOTTA, CN_BLOCK_LIGHT_GRAY_TERRACOTTA};
    /* Bands of one or two blocks. */
    return bands[cni_voxel_position_hash(seed, 0xBAD1, 0, (y * 3) >> 2, 0) >> 61];
}

/* Heights above which grass changes to rock, and rock to snow. */
#define ROCK_FROM 98.0f
#define SNOW_FROM 132.0f

/* For each biome: the common block and that of patches. */
static const struct {
    CnBlock common, patch;
    float patch_above; /* of the patch field, -1 to 1 */
} tops[CN_BIOME_COUNT] = {
    [CN_BIOME_GRASSY_PLAINS] = {CN_BLOCK_GRASS, CN_BLOCK_GRASS, 1},
    [CN_BIOME_FOREST] = {CN_BLOCK_GRASS, CN_BLOCK_PODZOL, 0.75f},
    [CN_BIOME_SAVANNA] = {CN_BLOCK_GRASS, CN_BLOCK_COARSE_DIRT, 0.55f},
    [CN_BIOME_DESERT] = {CN_BLOCK_SAND, CN_BLOCK_SAND, 1},
    [CN_BIOME_JUNGLE] = {CN_BLOCK_GRASS, CN_BLOCK_MOSS, 0.45f},
    [CN_BIOME_SWAMP] = {CN_BLOCK_MUD, CN_BLOCK_GRASS, 0.05f},
    [CN_BIOME_TAIGA] = {CN_BLOCK_PODZOL, CN_BLOCK_GRASS, 0.15f},
    [CN_BIOME_SNOWY_PLAINS] = {CN_BLOCK_GRASS_SNOW, CN_BLOCK_GRASS_SNOW, 1},
    [CN_BIOME_SNOWY_MOUNTAINS] = {CN_BLOCK_SNOW, CN_BLOCK_STONE, 0.62f},
    [CN_BIOME_ROCKY_MOUNTAINS] = {CN_BLOCK_STONE, CN_BLOCK_GRAVEL, 0.45f},
    [CN_BIOME_BADLANDS] = {CN_BLOCK_RED_SAND, CN_BLOCK_TERRACOTTA, 0.10f},
    [CN_BIOME_CHERRY_GROVE] = {CN_BLOCK_GRASS, CN_BLOCK_GRASS, 1},
    [CN_BIOME_MUSHROOM_FIELDS] = {CN_BLOCK_MYCELIUM, CN_BLOCK_MYCELIUM, 1},
};

static CnBlock sea_bed(const CnColumn *column, float patch)
{
    if (column->soil == CN_BIOME_SWAMP && column->ground > CN_SEA_LEVEL - 8)
        return CN_BLOCK_MUD;
    if (column->ground < CN_SEA_LEVEL - 14)
        return patch > 0.3f ? CN_BLOCK_STONE : CN_BLOCK_GRAVEL;
    if (patch > 0.62f)
        return CN_BLOCK_CLAY;
    return patch < -0.55f ? CN_BLOCK_GRAVEL : CN_BLOCK_SAND;
}

static bool is_beach(const CnColumn *column, float patch)
{
    return column->ground <= CN_SEA_LEVEL + 1 + (patch > 0.2f) && column->soil != CN_BIOME_SWAMP &&
           column->soil != CN_BIOME_MUSHROOM_FIELDS;
}

CnBlock cni_voxel_soil_top(uint64_t seed, const CnColumn *column, float patch)
{
    if (column->underwater)
        return sea_bed(column, patch);
    if (is_beach(column, patch)) {
        if (column->soil == CN_BIOME_ROCKY_MOUNTAINS)
            return CN_BLOCK_GRAVEL;
        return column->soil == CN_BIOME_BADLANDS ? CN_BLOCK_RED_SAND : CN_BLOCK_SAND;
    }
    const float high = column->height + 14.0f * patch;
    if (column->soil != CN_BIOME_BADLANDS && column->soil != CN_BIOME_DESERT) {
        if (high > SNOW_FROM + 50.0f * column->temperature)
            return CN_BLOCK_SNOW;
        if (high > ROCK_FROM && column->soil != CN_BIOME_SNOWY_MOUNTAINS)
            return patch < -0.6f ? CN_BLOCK_GRAVEL : CN_BLOCK_STONE;
    }
    const CnBlock top = patch > tops[column->soil].patch_above ? tops[column->soil].patch
                                                               : tops[column->soil].common;
    return top == CN_BLOCK_TERRACOTTA ? stratum(seed, column->ground) : top;
}

/* ---- Blocks below ---- */

typedef struct Stack {
    CnBlock under, deep;
    uint8_t under_count, deep_count;
} Stack;

static Stack stack_under(CnBlock top)
{
    switch (top) {
    case CN_BLOCK_SAND:
        return (Stack){CN_BLOCK_SAND, CN_BLOCK_SANDSTONE, 3, 5};
    case CN_BLOCK_RED_SAND:
        return (Stack){CN_BLOCK_RED_SAND, CN_BLOCK_TERRACOTTA, 1, 40};
    case CN_BLOCK_TERRACOTTA:
    case CN_BLOCK_ORANGE_TERRACOTTA:
    case CN_BLOCK_YELLOW_TERRACOTTA:
    case CN_BLOCK_WHITE_TERRACOTTA:
    case CN_BLOCK_RED_TERRACOTTA:
    case CN_BLOCK_BROWN_TERRACOTTA:
    case CN_BLOCK_LIGHT_GRAY_TERRACOTTA:
        return (Stack){CN_BLOCK_TERRACOTTA, CN_BLOCK_TERRACOTTA, 1, 40};
    case CN_BLOCK_MUD:
        return (Stack){CN_BLOCK_MUD, CN_BLOCK_CLAY, 2, 2};
    case CN_BLOCK_SNOW:
        return (Stack){CN_BLOCK_SNOW, CN_BLOCK_STONE, 2, 0};
    case CN_BLOCK_GRAVEL:
        return (Stack){CN_BLOCK_GRAVEL, CN_BLOCK_STONE, 2, 0};
    case CN_BLOCK_CLAY:
        return (Stack){CN_BLOCK_CLAY, CN_BLOCK_STONE, 2, 0};
    case CN_BLOCK_STONE:
        return (Stack){CN_BLOCK_STONE, CN_BLOCK_STONE, 0, 0};
    default:
        return (Stack){CN_BLOCK_DIRT, CN_BLOCK_STONE, 3, 0};
    }
}

CnBlock cni_voxel_soil_under(CnBlock top, int32_t depth)
{
    Stack stack = stack_under(top);
    return depth <= stack.under_count                      ? stack.under
           : depth <= stack.under_count + stack.deep_count ? stack.deep
                                                           : CN_BLOCK_STONE;
}

void cni_voxel_soil_ground(const CnColumn columns[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
                           const uint8_t entrances[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
                           CniVoxelGround *ground)
{
    ground->has_entrance = false;
    ground->highest = INT16_MIN;
    ground->soil_end = INT16_MAX;
    for (uint32_t i = 0; i < CNI_VOXEL_TERRAIN_TILE_COLUMNS; i++) {
        const CnColumn *column = &columns[i];
        const Stack stack = stack_under(column->top);
        const int16_t y = column->ground;
        ground->ground[i] = y;
        ground->top[i] = column->top;
        ground->under[i] = stack.under;
        ground->deep[i] = stack.deep;
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

/* Fills one row of 16 blocks; `stratum_here` is the terracotta at this height. */
CN_FORCE_INLINE void fill_row(const CniVoxelGround *restrict ground, uint32_t first, int16_t y,
                              uint16_t stratum_here, CnBlock *restrict row)
{
    const uint16_t open = y <= CN_SEA_LEVEL ? CN_BLOCK_WATER : CN_BLOCK_AIR;
    for (uint32_t i = 0; i < CNI_VOXEL_TERRAIN_TILE; i++) {
        const uint32_t at = first + i;
        const uint16_t deep =
            when(ground->deep[at] == CN_BLOCK_TERRACOTTA, stratum_here, ground->deep[at]);
        const uint16_t under =
            when(ground->under[at] == CN_BLOCK_TERRACOTTA, stratum_here, ground->under[at]);
        uint16_t block = when(y <= ground->deep_end[at], CN_BLOCK_STONE, deep);
        block = when(y <= ground->under_end[at], block, under);
        block = when(y < ground->ground[at], block, ground->top[at]);
        row[i] = when(y <= ground->ground[at], block, open);
    }
}

CN_SIMD_DISPATCH(fill_rows,
                 (const CniVoxelGround *restrict ground, int32_t bottom,
                  const CnBlock *restrict strata, CnBlock *restrict blocks),
                 (ground, bottom, strata, blocks))
{
    for (uint32_t k = 0; k < CN_CHUNK_SIZE; k++)
        for (uint32_t j = 0; j < CN_CHUNK_SIZE; j++)
            fill_row(ground, CNI_VOXEL_TERRAIN_TILE * k, (int16_t)(bottom + (int32_t)j), strata[j],
                     &blocks[CNI_VOXEL_TERRAIN_TILE_COLUMNS * k + CNI_VOXEL_TERRAIN_TILE * j]);
}

void cni_voxel_soil_fill(uint64_t seed, const CniVoxelGround *ground, int32_t chunk_y,
                         CnBlock blocks[CN_CHUNK_BLOCKS])
{
    const int32_t bottom = chunk_y * CN_CHUNK_SIZE;
    if (bottom + CN_CHUNK_SIZE - 1 <= ground->soil_end) {
        for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
            blocks[i] = CN_BLOCK_STONE;
    } else {
        CnBlock strata[CN_CHUNK_SIZE];
        for (int32_t j = 0; j < CN_CHUNK_SIZE; j++)
            strata[j] = stratum(seed, bottom + j);
        fill_rows(ground, bottom, strata, blocks);
    }
    if (bottom == CN_WORLD_BOTTOM) {
        for (uint32_t k = 0; k < CN_CHUNK_SIZE; k++) {
            for (uint32_t i = 0; i < CN_CHUNK_SIZE; i++)
                blocks[i + CNI_VOXEL_TERRAIN_TILE_COLUMNS * k] = CN_BLOCK_BEDROCK;
        }
    }
}

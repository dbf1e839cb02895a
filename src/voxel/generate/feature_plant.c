/*
 * Single-column plants: grass, flower patches, reeds, cacti, pumpkins.
 */
#include "voxel/generate/feature.h"

#define NO_PLANT ((CniVoxelPlant){CNI_VOXEL_GEN_AIR, 0})
#define MAX_FLOWERS 4

/* Number of columns, out of 1,024, that have the plant. */
typedef struct Growth {
    uint16_t grass, tall, flowers; /* doubled where patches are densest */
    CniVoxelGenerated grass_block, tall_block;
    CniVoxelGenerated flower[MAX_FLOWERS]; /* main flowers of patches */
    uint16_t rare;
    CniVoxelGenerated rare_block;
} Growth;

static const Growth growths[CN_BIOME_COUNT] = {
    [CN_BIOME_GRASSY_PLAINS] = {190,
                                60,
                                70,
                                CNI_VOXEL_GEN_SHORT_GRASS,
                                CNI_VOXEL_GEN_TALL_GRASS,
                                {CNI_VOXEL_GEN_DANDELION, CNI_VOXEL_GEN_POPPY,
                                 CNI_VOXEL_GEN_CORNFLOWER, CNI_VOXEL_GEN_DAISY},
                                1,
                                CNI_VOXEL_GEN_SUNFLOWER},
    [CN_BIOME_FOREST] = {110,
                         20,
                         40,
                         CNI_VOXEL_GEN_SHORT_GRASS,
                         CNI_VOXEL_GEN_FERN,
                         {CNI_VOXEL_GEN_LILY_OF_THE_VALLEY, CNI_VOXEL_GEN_RED_TULIP,
                          CNI_VOXEL_GEN_ALLIUM, CNI_VOXEL_GEN_FALLEN_LEAVES},
                         6,
                         CNI_VOXEL_GEN_BROWN_MUSHROOM},
    [CN_BIOME_SAVANNA] = {210,
                          150,
                          6,
                          CNI_VOXEL_GEN_SHORT_GRASS,
                          CNI_VOXEL_GEN_TALL_GRASS,
                          {CNI_VOXEL_GEN_ORANGE_TULIP, CNI_VOXEL_GEN_DANDELION,
                           CNI_VOXEL_GEN_ORANGE_TULIP, CNI_VOXEL_GEN_DANDELION},
                          4,
                          CNI_VOXEL_GEN_DEAD_BUSH},
    [CN_BIOME_JUNGLE] = {160,
                         130,
                         26,
                         CNI_VOXEL_GEN_FERN,
                         CNI_VOXEL_GEN_TALL_GRASS,
                         {CNI_VOXEL_GEN_BLUE_ORCHID, CNI_VOXEL_GEN_ALLIUM,
                          CNI_VOXEL_GEN_ORANGE_TULIP, CNI_VOXEL_GEN_BLUE_ORCHID},
                         2,
                         CNI_VOXEL_GEN_MELON},
    [CN_BIOME_SWAMP] = {150,
                        50,
                        24,
                        CNI_VOXEL_GEN_SHORT_GRASS,
                        CNI_VOXEL_GEN_FERN,
                        {CNI_VOXEL_GEN_BLUE_ORCHID, CNI_VOXEL_GEN_BROWN_MUSHROOM,
                         CNI_VOXEL_GEN_BLUE_ORCHID, CNI_VOXEL_GEN_RED_MUSHROOM},
                        4,
                        CNI_VOXEL_GEN_RED_MUSHROOM},
    [CN_BIOME_TAIGA] = {70,
                        110,
                        14,
                        CNI_VOXEL_GEN_SHORT_GRASS,
                        CNI_VOXEL_GEN_FERN,
                        {CNI_VOXEL_GEN_BERRY_BUSH, CNI_VOXEL_GEN_LILY_OF_THE_VALLEY,
                         CNI_VOXEL_GEN_BERRY_BUSH, CNI_VOXEL_GEN_BROWN_MUSHROOM},
                        5,
                        CNI_VOXEL_GEN_PEBBLES},
    [CN_BIOME_SNOWY_PLAINS] = {40,
                               0,
                               3,
                               CNI_VOXEL_GEN_SNOWY_SHORT_GRASS,
                               CNI_VOXEL_GEN_AIR,
                               {CNI_VOXEL_GEN_DEAD_BUSH, CNI_VOXEL_GEN_BERRY_BUSH,
                                CNI_VOXEL_GEN_DEAD_BUSH, CNI_VOXEL_GEN_PEBBLES},
                               0,
                               CNI_VOXEL_GEN_AIR},
    [CN_BIOME_SNOWY_MOUNTAINS] = {16,
                                  0,
                                  3,
                                  CNI_VOXEL_GEN_SNOWY_SHORT_GRASS,
                                  CNI_VOXEL_GEN_AIR,
                                  {CNI_VOXEL_GEN_PEBBLES, CNI_VOXEL_GEN_PEBBLES,
                                   CNI_VOXEL_GEN_PEBBLES, CNI_VOXEL_GEN_PEBBLES},
                                  0,
                                  CNI_VOXEL_GEN_AIR},
    [CN_BIOME_ROCKY_MOUNTAINS] = {70,
                                  6,
                                  12,
                                  CNI_VOXEL_GEN_SHORT_GRASS,
                                  CNI_VOXEL_GEN_FERN,
                                  {CNI_VOXEL_GEN_CORNFLOWER, CNI_VOXEL_GEN_DAISY,
                                   CNI_VOXEL_GEN_LILY_OF_THE_VALLEY, CNI_VOXEL_GEN_CORNFLOWER},
                                  6,
                                  CNI_VOXEL_GEN_PEBBLES},
    [CN_BIOME_CHERRY_GROVE] = {110,
                               20,
                               150,
                               CNI_VOXEL_GEN_SHORT_GRASS,
                               CNI_VOXEL_GEN_TALL_GRASS,
                               {CNI_VOXEL_GEN_PINK_PETALS, CNI_VOXEL_GEN_PINK_PETALS,
                                CNI_VOXEL_GEN_PINK_PETALS, CNI_VOXEL_GEN_PINK_PETALS},
                               3,
                               CNI_VOXEL_GEN_ALLIUM},
    [CN_BIOME_MUSHROOM_FIELDS] = {0,
                                  0,
                                  60,
                                  CNI_VOXEL_GEN_AIR,
                                  CNI_VOXEL_GEN_AIR,
                                  {CNI_VOXEL_GEN_RED_MUSHROOM, CNI_VOXEL_GEN_BROWN_MUSHROOM,
                                   CNI_VOXEL_GEN_RED_MUSHROOM, CNI_VOXEL_GEN_BROWN_MUSHROOM},
                                  0,
                                  CNI_VOXEL_GEN_AIR},
};

/* For sand, clay and stone. */
static CniVoxelPlant choose_on_bare(const CnColumn *column, CniVoxelGenerated top, uint32_t chance,
                                    uint32_t more, float thicket)
{
    bool dry = column->soil == CN_BIOME_DESERT || column->soil == CN_BIOME_BADLANDS;
    bool sand = top == CNI_VOXEL_GEN_SAND || top == CNI_VOXEL_GEN_RED_SAND;
    if (dry && sand && (float)chance < 16 * (thicket - 0.2f))
        return (CniVoxelPlant){CNI_VOXEL_GEN_CACTUS, (uint8_t)(1 + more % 3)};
    if (dry && chance > 1010)
        return (CniVoxelPlant){CNI_VOXEL_GEN_DEAD_BUSH, 1};
    if (!sand && chance < 8)
        return (CniVoxelPlant){CNI_VOXEL_GEN_PEBBLES, 1};
    return NO_PLANT;
}

static CniVoxelPlant choose_on_water(const CnColumn *column, uint32_t chance, float patch)
{
    bool shallow = column->ground >= CN_SEA_LEVEL - 4;
    if (column->soil == CN_BIOME_SWAMP && shallow && (float)chance < 260 * (patch - 0.3f))
        return (CniVoxelPlant){CNI_VOXEL_GEN_LILY_PAD, 1};
    return NO_PLANT;
}

/* Reeds and cattails: at the sea, where the ground is not above sea level. */
static CniVoxelPlant choose_by_water(const CnColumn *column, uint32_t chance, uint32_t more,
                                     float patch)
{
    bool cold = column->temperature < -0.15f;
    if (cold || (float)chance > 900 * (patch - 0.45f))
        return NO_PLANT;
    if (column->soil == CN_BIOME_SWAMP || (more >> 4 & 3) == 0)
        return (CniVoxelPlant){CNI_VOXEL_GEN_CATTAIL, 1};
    return (CniVoxelPlant){CNI_VOXEL_GEN_SUGAR_CANE, (uint8_t)(2 + more % 3)};
}

static CniVoxelPlant choose_grass(const Growth *growth, uint64_t dice, float patch)
{
    uint32_t chance = (uint32_t)(dice >> 8) & 1023;
    float edge = (float)growth->grass * 2 * patch;
    if ((float)chance < edge)
        return (CniVoxelPlant){growth->grass_block, 1};
    edge += (float)growth->tall * 2 * patch;
    if ((float)chance < edge)
        return (CniVoxelPlant){growth->tall_block, 1};
    if (1023 - chance < growth->rare)
        return (CniVoxelPlant){growth->rare_block, 1};
    return NO_PLANT;
}

static CniVoxelPlant choose_flower(uint64_t seed, const Growth *growth, int32_t x, int32_t z,
                                   uint64_t dice, float patch)
{
    float many = (float)growth->flowers * 8 * (patch - 0.55f);
    if ((float)((uint32_t)(dice >> 34) & 1023) >= many)
        return NO_PLANT;
    /* Each square of 32 blocks has one flower, mixed along the borders. */
    int32_t near_x = x + (int32_t)(dice >> 44 & 7), near_z = z + (int32_t)(dice >> 47 & 7);
    uint64_t kind = cni_voxel_position_hash(seed, 0xF11, near_x >> 5, 0, near_z >> 5);
    if ((dice >> 50 & 15) == 0)
        kind = dice >> 54;
    return (CniVoxelPlant){growth->flower[kind % MAX_FLOWERS], 1};
}

/* Bamboo in jungles; elsewhere pumpkins in some squares of 128 blocks. */
static CniVoxelPlant choose_nest(uint64_t seed, const CnColumn *column, int32_t x, int32_t z,
                                 uint64_t dice, float thicket, float nest)
{
    uint32_t chance = (uint32_t)(dice >> 24) & 1023;
    if (column->soil == CN_BIOME_JUNGLE && thicket > 0.72f && chance < 420)
        return (CniVoxelPlant){CNI_VOXEL_GEN_BAMBOO, (uint8_t)(4 + (dice >> 50) % 5)};
    bool mild = column->soil == CN_BIOME_GRASSY_PLAINS || column->soil == CN_BIOME_FOREST ||
                column->soil == CN_BIOME_TAIGA;
    if (mild && nest < 0.12f && chance < 110 &&
        cni_voxel_position_hash(seed, 0x9C5, x >> 7, 0, z >> 7) % 3 == 0)
        return (CniVoxelPlant){CNI_VOXEL_GEN_PUMPKIN, 1};
    return NO_PLANT;
}

CniVoxelMeadow cni_voxel_meadow(uint64_t seed, int32_t chunk_x, int32_t chunk_z)
{
    CniVoxelMeadow meadow;
    for (int32_t k = 0; k < 2; k++) {
        for (int32_t i = 0; i < 2; i++) {
            meadow.grass[k][i] = cni_voxel_corner_value(seed, 0x62A5, chunk_x + i, chunk_z + k);
            meadow.thicket[k][i] = cni_voxel_corner_value(seed, 0x2EED, chunk_x + i, chunk_z + k);
        }
    }
    for (int32_t k = 0; k < 3; k++)
        for (int32_t i = 0; i < 3; i++)
            meadow.flowers[k][i] =
                cni_voxel_corner_value(seed, 0xF10, 2 * chunk_x + i, 2 * chunk_z + k);
    return meadow;
}

static float in_chunk(const float corners[2][2], int32_t x, int32_t z)
{
    return cni_voxel_smooth_bilinear(corners[0][0], corners[0][1], corners[1][0], corners[1][1],
                                     (float)(x & 15) * (1.0f / 16), (float)(z & 15) * (1.0f / 16));
}

static float in_half(const float corners[3][3], int32_t x, int32_t z)
{
    int32_t i = x >> 3 & 1, k = z >> 3 & 1;
    return cni_voxel_smooth_bilinear(corners[k][i], corners[k][i + 1], corners[k + 1][i],
                                     corners[k + 1][i + 1], (float)(x & 7) * (1.0f / 8),
                                     (float)(z & 7) * (1.0f / 8));
}

CniVoxelPlant cni_voxel_choose_plant(const CniVoxelGeneratedBlocks *generated, uint64_t seed,
                                     const CniVoxelMeadow *meadow, const CnColumn *column,
                                     int32_t x, int32_t z, bool by_water)
{
    if (column->underwater && column->soil != CN_BIOME_SWAMP)
        return NO_PLANT;
    uint64_t dice = cni_voxel_position_hash(seed, 0x91A7, x, 0, z);
    uint32_t chance = (uint32_t)dice & 1023, more = (uint32_t)(dice >> 12);
    float thicket = in_chunk(meadow->thicket, x, z);
    if (column->underwater)
        return choose_on_water(column, chance, thicket);
    if (by_water && column->ground == CN_SEA_LEVEL)
        return choose_by_water(column, chance, more, thicket);
    const CniVoxelGenerated top = generated->kinds[column->top];
    if (!cni_voxel_is_soil(top))
        return choose_on_bare(column, top, chance, more, thicket);
    const Growth *growth = &growths[column->soil];
    float nest = in_half(meadow->flowers, x, z);
    CniVoxelPlant plant = choose_flower(seed, growth, x, z, dice, nest);
    if (!plant.block)
        plant = choose_nest(seed, column, x, z, dice, thicket, nest);
    if (!plant.block)
        plant = choose_grass(growth, dice, in_chunk(meadow->grass, x, z));
    bool snow = top == CNI_VOXEL_GEN_SNOW || top == CNI_VOXEL_GEN_GRASS_SNOW;
    if (snow &&
        (plant.block == CNI_VOXEL_GEN_SHORT_GRASS || plant.block == CNI_VOXEL_GEN_TALL_GRASS))
        plant.block = CNI_VOXEL_GEN_SNOWY_SHORT_GRASS;
    return plant;
}

/*
 * Feature kinds and densities by biome.
 */
#include "voxel/generate/feature.h"

#define LOG(tree) CNI_VOXEL_GEN_##tree##_LOG, CNI_VOXEL_GEN_##tree##_LEAVES

const CniVoxelFeatureKind cni_voxel_feature_kinds[CNI_VOXEL_FEATURE_KIND_COUNT] = {
    [CNI_VOXEL_OAK] = {cni_voxel_draw_round_tree, LOG(OAK), 3, 8, false},
    [CNI_VOXEL_BIRCH] = {cni_voxel_draw_round_tree, LOG(BIRCH), 2, 9, false},
    [CNI_VOXEL_BUSH] = {cni_voxel_draw_bush, LOG(OAK), 2, 2, false},
    [CNI_VOXEL_SPRUCE] = {cni_voxel_draw_spruce, LOG(SPRUCE), 3, 12, false},
    [CNI_VOXEL_PINE] = {cni_voxel_draw_pine, LOG(SPRUCE), 2, 13, false},
    [CNI_VOXEL_SNOWY_SPRUCE] = {cni_voxel_draw_spruce, CNI_VOXEL_GEN_SPRUCE_LOG,
                                CNI_VOXEL_GEN_SNOWY_LEAVES, 3, 12, false},
    [CNI_VOXEL_SNOWY_PINE] = {cni_voxel_draw_pine, CNI_VOXEL_GEN_SPRUCE_LOG,
                              CNI_VOXEL_GEN_SNOWY_LEAVES, 2, 13, false},
    [CNI_VOXEL_JUNGLE_TREE] = {cni_voxel_draw_jungle_tree, LOG(JUNGLE), 3, 13, false},
    [CNI_VOXEL_JUNGLE_BUSH] = {cni_voxel_draw_bush, LOG(JUNGLE), 2, 2, false},
    [CNI_VOXEL_PALM] = {cni_voxel_draw_palm, LOG(JUNGLE), 4, 11, false},
    [CNI_VOXEL_ACACIA] = {cni_voxel_draw_acacia, LOG(ACACIA), 4, 8, false},
    [CNI_VOXEL_WILLOW] = {cni_voxel_draw_willow, LOG(WILLOW), 3, 9, false},
    [CNI_VOXEL_CHERRY] = {cni_voxel_draw_cherry, LOG(CHERRY), 4, 10, false},
    [CNI_VOXEL_DEAD_TREE] = {cni_voxel_draw_dead_tree, LOG(OAK), 2, 9, false},
    [CNI_VOXEL_RED_MUSHROOM] = {cni_voxel_draw_mushroom, CNI_VOXEL_GEN_MUSHROOM_STEM,
                                CNI_VOXEL_GEN_RED_MUSHROOM_BLOCK, 2, 6, false},
    [CNI_VOXEL_BROWN_MUSHROOM] = {cni_voxel_draw_mushroom, CNI_VOXEL_GEN_MUSHROOM_STEM,
                                  CNI_VOXEL_GEN_BROWN_MUSHROOM_BLOCK, 3, 6, false},
    [CNI_VOXEL_GREAT_OAK] = {cni_voxel_draw_great_oak, LOG(OAK), 7, 14, false},
    [CNI_VOXEL_GREAT_SPRUCE] = {cni_voxel_draw_great_spruce, LOG(SPRUCE), 7, 25, false},
    [CNI_VOXEL_GREAT_SNOWY_SPRUCE] = {cni_voxel_draw_great_spruce, CNI_VOXEL_GEN_SPRUCE_LOG,
                                      CNI_VOXEL_GEN_SNOWY_LEAVES, 7, 25, false},
    [CNI_VOXEL_GREAT_JUNGLE_TREE] = {cni_voxel_draw_great_jungle_tree, LOG(JUNGLE), 8, 26, false},
    [CNI_VOXEL_GREAT_ACACIA] = {cni_voxel_draw_great_acacia, LOG(ACACIA), 8, 11, false},
    [CNI_VOXEL_GREAT_WILLOW] = {cni_voxel_draw_willow, LOG(WILLOW), 5, 11, false},
    [CNI_VOXEL_GREAT_CHERRY] = {cni_voxel_draw_cherry, LOG(CHERRY), 7, 11, false},
    [CNI_VOXEL_GREAT_RED_MUSHROOM] = {cni_voxel_draw_mushroom, CNI_VOXEL_GEN_MUSHROOM_STEM,
                                      CNI_VOXEL_GEN_RED_MUSHROOM_BLOCK, 4, 12, false},
    [CNI_VOXEL_GREAT_BROWN_MUSHROOM] = {cni_voxel_draw_mushroom, CNI_VOXEL_GEN_MUSHROOM_STEM,
                                        CNI_VOXEL_GEN_BROWN_MUSHROOM_BLOCK, 5, 12, false},
    [CNI_VOXEL_BOULDER] = {cni_voxel_draw_boulder, CNI_VOXEL_GEN_STONE, CNI_VOXEL_GEN_ANDESITE, 4,
                           4, false},
    [CNI_VOXEL_MOSSY_BOULDER] = {cni_voxel_draw_boulder, CNI_VOXEL_GEN_COBBLESTONE,
                                 CNI_VOXEL_GEN_MOSSY_COBBLESTONE, 4, 4, 0},
    [CNI_VOXEL_SAND_BOULDER] = {cni_voxel_draw_boulder, CNI_VOXEL_GEN_SANDSTONE,
                                CNI_VOXEL_GEN_SANDSTONE, 4, 4, false},
    [CNI_VOXEL_RED_BOULDER] = {cni_voxel_draw_boulder, CNI_VOXEL_GEN_RED_SANDSTONE,
                               CNI_VOXEL_GEN_BROWN_TERRACOTTA, 4, 4, 0},
    [CNI_VOXEL_ICE_SPIKE] = {cni_voxel_draw_ice_spike, CNI_VOXEL_GEN_PACKED_ICE,
                             CNI_VOXEL_GEN_PACKED_ICE, 4, 20, false},
    [CNI_VOXEL_OAK_TRUNK] = {cni_voxel_draw_fallen_trunk, CNI_VOXEL_GEN_OAK_LOG,
                             CNI_VOXEL_GEN_BROWN_MUSHROOM, 6, 2, true},
    [CNI_VOXEL_BIRCH_TRUNK] = {cni_voxel_draw_fallen_trunk, CNI_VOXEL_GEN_BIRCH_LOG,
                               CNI_VOXEL_GEN_RED_MUSHROOM, 6, 2, true},
    [CNI_VOXEL_SPRUCE_TRUNK] = {cni_voxel_draw_fallen_trunk, CNI_VOXEL_GEN_SPRUCE_LOG,
                                CNI_VOXEL_GEN_BROWN_MUSHROOM, 6, 2, 1},
    [CNI_VOXEL_JUNGLE_TRUNK] = {cni_voxel_draw_fallen_trunk, CNI_VOXEL_GEN_JUNGLE_LOG,
                                CNI_VOXEL_GEN_FERN, 6, 2, true},
};

typedef struct Share {
    uint8_t kind, percent; /* the rest goes to the first kind */
} Share;

/* Number of candidates, out of 1,024, that grow: on the fine grid in sparse and in dense woods. */
typedef struct Growth {
    uint16_t thin, thick, coarse;
    Share fine_kinds[4], coarse_kinds[4];
} Growth;

static const Growth growths[CN_BIOME_COUNT] = {
    [CN_BIOME_GRASSY_PLAINS] = {6,
                                190,
                                60,
                                {{CNI_VOXEL_OAK, 60}, {CNI_VOXEL_BIRCH, 22}, {CNI_VOXEL_BUSH, 18}},
                                {{CNI_VOXEL_GREAT_OAK, 75}, {CNI_VOXEL_BOULDER, 25}}},
    [CN_BIOME_FOREST] = {430,
                         900,
                         420,
                         {{CNI_VOXEL_OAK, 52}, {CNI_VOXEL_BIRCH, 34}, {CNI_VOXEL_BUSH, 14}},
                         {{CNI_VOXEL_GREAT_OAK, 62},
                          {CNI_VOXEL_OAK_TRUNK, 14},
                          {CNI_VOXEL_BIRCH_TRUNK, 8},
                          {CNI_VOXEL_MOSSY_BOULDER, 16}}},
    [CN_BIOME_SAVANNA] = {30,
                          200,
                          130,
                          {{CNI_VOXEL_ACACIA, 78}, {CNI_VOXEL_BUSH, 22}},
                          {{CNI_VOXEL_GREAT_ACACIA, 70}, {CNI_VOXEL_BOULDER, 30}}},
    [CN_BIOME_DESERT] = {0, 5, 26, {{CNI_VOXEL_DEAD_TREE, 100}}, {{CNI_VOXEL_SAND_BOULDER, 100}}},
    [CN_BIOME_JUNGLE] = {700,
                         1010,
                         700,
                         {{CNI_VOXEL_JUNGLE_TREE, 64}, {CNI_VOXEL_JUNGLE_BUSH, 36}},
                         {{CNI_VOXEL_GREAT_JUNGLE_TREE, 84},
                          {CNI_VOXEL_JUNGLE_TRUNK, 8},
                          {CNI_VOXEL_MOSSY_BOULDER, 8}}},
    [CN_BIOME_SWAMP] = {90,
                        520,
                        340,
                        {{CNI_VOXEL_WILLOW, 70}, {CNI_VOXEL_BUSH, 20}, {CNI_VOXEL_DEAD_TREE, 10}},
                        {{CNI_VOXEL_GREAT_WILLOW, 66},
                         {CNI_VOXEL_OAK_TRUNK, 20},
                         {CNI_VOXEL_GREAT_BROWN_MUSHROOM, 14}}},
    [CN_BIOME_TAIGA] = {260,
                        840,
                        330,
                        {{CNI_VOXEL_SPRUCE, 64}, {CNI_VOXEL_PINE, 30}, {CNI_VOXEL_BUSH, 6}},
                        {{CNI_VOXEL_GREAT_SPRUCE, 44},
                         {CNI_VOXEL_SPRUCE_TRUNK, 20},
                         {CNI_VOXEL_MOSSY_BOULDER, 36}}},
    [CN_BIOME_SNOWY_PLAINS] = {6,
                               260,
                               50,
                               {{CNI_VOXEL_SNOWY_SPRUCE, 66}, {CNI_VOXEL_SNOWY_PINE, 34}},
                               {{CNI_VOXEL_ICE_SPIKE, 40},
                                {CNI_VOXEL_GREAT_SNOWY_SPRUCE, 30},
                                {CNI_VOXEL_BOULDER, 30}}},
    [CN_BIOME_SNOWY_MOUNTAINS] = {30,
                                  330,
                                  110,
                                  {{CNI_VOXEL_SNOWY_SPRUCE, 70}, {CNI_VOXEL_SNOWY_PINE, 30}},
                                  {{CNI_VOXEL_BOULDER, 60},
                                   {CNI_VOXEL_ICE_SPIKE, 14},
                                   {CNI_VOXEL_GREAT_SNOWY_SPRUCE, 26}}},
    [CN_BIOME_ROCKY_MOUNTAINS] = {20,
                                  260,
                                  260,
                                  {{CNI_VOXEL_SPRUCE, 55}, {CNI_VOXEL_PINE, 45}},
                                  {{CNI_VOXEL_BOULDER, 88}, {CNI_VOXEL_GREAT_SPRUCE, 12}}},
    [CN_BIOME_BADLANDS] = {4, 24, 90, {{CNI_VOXEL_DEAD_TREE, 100}}, {{CNI_VOXEL_RED_BOULDER, 100}}},
    [CN_BIOME_CHERRY_GROVE] = {60,
                               300,
                               250,
                               {{CNI_VOXEL_CHERRY, 90}, {CNI_VOXEL_BUSH, 10}},
                               {{CNI_VOXEL_GREAT_CHERRY, 92}, {CNI_VOXEL_BOULDER, 8}}},
    [CN_BIOME_MUSHROOM_FIELDS] = {30,
                                  240,
                                  420,
                                  {{CNI_VOXEL_RED_MUSHROOM, 50}, {CNI_VOXEL_BROWN_MUSHROOM, 50}},
                                  {{CNI_VOXEL_GREAT_RED_MUSHROOM, 52},
                                   {CNI_VOXEL_GREAT_BROWN_MUSHROOM, 48}}},
};

/* Returns a smooth value from 0 to 1 over squares of 1 << shift blocks; features cluster where it
 * is high. */
static float patch_at(uint64_t seed, uint64_t salt, int32_t x, int32_t z, int32_t shift)
{
    int32_t i = x >> shift, k = z >> shift, mask = (1 << shift) - 1;
    float size = (float)(1 << shift);
    return cni_voxel_smooth_bilinear(cni_voxel_corner_value(seed, salt, i, k),
                                     cni_voxel_corner_value(seed, salt, i + 1, k),
                                     cni_voxel_corner_value(seed, salt, i, k + 1),
                                     cni_voxel_corner_value(seed, salt, i + 1, k + 1),
                                     (float)(x & mask) / size, (float)(z & mask) / size);
}

bool cni_voxel_is_soil(CniVoxelGenerated top)
{
    switch (top) {
    case CNI_VOXEL_GEN_GRASS:
    case CNI_VOXEL_GEN_DIRT:
    case CNI_VOXEL_GEN_GRASS_SNOW:
    case CNI_VOXEL_GEN_SNOW:
    case CNI_VOXEL_GEN_PODZOL:
    case CNI_VOXEL_GEN_MUD:
    case CNI_VOXEL_GEN_MYCELIUM:
    case CNI_VOXEL_GEN_COARSE_DIRT:
    case CNI_VOXEL_GEN_MOSS:
        return true;
    default:
        return false;
    }
}

/* Dead trees stand on sand and clay, pines on rock. */
static bool is_tree_soil(const CnColumn *column, CniVoxelGenerated top)
{
    return cni_voxel_is_soil(top) || column->soil == CN_BIOME_DESERT ||
           column->soil == CN_BIOME_BADLANDS || column->soil == CN_BIOME_ROCKY_MOUNTAINS;
}

static CniVoxelFeatureKindId in_snow(CniVoxelFeatureKindId kind, CniVoxelGenerated top)
{
    if (top != CNI_VOXEL_GEN_SNOW && top != CNI_VOXEL_GEN_GRASS_SNOW)
        return kind;
    return kind == CNI_VOXEL_SPRUCE         ? CNI_VOXEL_SNOWY_SPRUCE
           : kind == CNI_VOXEL_PINE         ? CNI_VOXEL_SNOWY_PINE
           : kind == CNI_VOXEL_GREAT_SPRUCE ? CNI_VOXEL_GREAT_SNOWY_SPRUCE
                                            : kind;
}

static CniVoxelFeatureKindId pick(const Share shares[4], uint32_t percent)
{
    for (uint32_t i = 0; i < 4 && shares[i].kind; i++) {
        if (percent < shares[i].percent)
            return (CniVoxelFeatureKindId)shares[i].kind;
        percent -= shares[i].percent;
    }
    return (CniVoxelFeatureKindId)shares[0].kind;
}

/* Features thin out towards the altitude at which nothing grows. */
static bool is_too_high(const CnColumn *column, uint64_t dice)
{
    return column->ground > 96 + (int32_t)(dice >> 58);
}

static bool is_palm_beach(const CnColumn *column, CniVoxelGenerated top)
{
    return top == CNI_VOXEL_GEN_SAND && column->temperature > 0.15f &&
           column->soil != CN_BIOME_DESERT && column->ground <= CN_SEA_LEVEL + 4;
}

CniVoxelFeatureKindId cni_voxel_choose_fine(const CniVoxelGeneratedBlocks *generated, uint64_t seed,
                                            const CnColumn *column, int32_t x, int32_t z,
                                            uint64_t dice)
{
    const Growth *growth = &growths[column->soil];
    const CniVoxelGenerated top = generated->kinds[column->top];
    uint32_t chance = (uint32_t)(dice >> 32) & 1023, percent = (uint32_t)(dice >> 42) % 100;
    if (column->underwater || is_too_high(column, dice))
        return CNI_VOXEL_NO_FEATURE;
    if (is_palm_beach(column, top))
        return chance < 60 ? CNI_VOXEL_PALM : CNI_VOXEL_NO_FEATURE;
    if (chance >= growth->thick || !is_tree_soil(column, top))
        return CNI_VOXEL_NO_FEATURE;
    float woods = patch_at(seed, 0x30005, x, z, 5);
    woods = woods < 0.35f ? 0 : woods > 0.65f ? 1 : (woods - 0.35f) / 0.3f;
    if ((float)chance >= (float)growth->thin + (float)(growth->thick - growth->thin) * woods)
        return CNI_VOXEL_NO_FEATURE;
    /* One kind dominates a grove. */
    float grove = patch_at(seed, 0x62073, x, z, 6);
    if (grove > 0.6f)
        percent = percent * 3 / 5;
    else if (grove < 0.4f)
        percent = 100 - (100 - percent) * 3 / 5;
    return in_snow(pick(growth->fine_kinds, percent), top);
}

CniVoxelFeatureKindId cni_voxel_choose_coarse(const CniVoxelGeneratedBlocks *generated,
                                              const CnColumn *column, uint64_t dice)
{
    const Growth *growth = &growths[column->soil];
    const CniVoxelGenerated top = generated->kinds[column->top];
    if (column->underwater || ((uint32_t)(dice >> 32) & 1023) >= growth->coarse)
        return CNI_VOXEL_NO_FEATURE;
    CniVoxelFeatureKindId kind = pick(growth->coarse_kinds, (uint32_t)(dice >> 42) % 100);
    bool grows = kind < CNI_VOXEL_BOULDER || kind > CNI_VOXEL_RED_BOULDER;
    if (grows && (!cni_voxel_is_soil(top) || is_too_high(column, dice)))
        return CNI_VOXEL_NO_FEATURE;
    return in_snow(kind, top);
}

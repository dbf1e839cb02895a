/*
 * Features on the ground: kinds of trees and stones, and their exclusion from villages.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_FEATURE_H
#define CAIRN_SRC_VOXEL_GENERATE_FEATURE_H

#include "voxel/generate/brush.h"
#include "voxel/generate/generator.h"

typedef enum CniVoxelFeatureKindId {
    CNI_VOXEL_NO_FEATURE,
    /* Roots on the fine grid; at most CNI_VOXEL_FINE_RADIUS wide. */
    CNI_VOXEL_OAK,
    CNI_VOXEL_BIRCH,
    CNI_VOXEL_BUSH,
    CNI_VOXEL_SPRUCE,
    CNI_VOXEL_PINE,
    CNI_VOXEL_SNOWY_SPRUCE,
    CNI_VOXEL_SNOWY_PINE,
    CNI_VOXEL_JUNGLE_TREE,
    CNI_VOXEL_JUNGLE_BUSH,
    CNI_VOXEL_PALM,
    CNI_VOXEL_ACACIA,
    CNI_VOXEL_WILLOW,
    CNI_VOXEL_CHERRY,
    CNI_VOXEL_DEAD_TREE,
    CNI_VOXEL_RED_MUSHROOM,
    CNI_VOXEL_BROWN_MUSHROOM,
    /* Roots on the coarse grid; at most CNI_VOXEL_COARSE_RADIUS wide. */
    CNI_VOXEL_GREAT_OAK,
    CNI_VOXEL_GREAT_SPRUCE,
    CNI_VOXEL_GREAT_SNOWY_SPRUCE,
    CNI_VOXEL_GREAT_JUNGLE_TREE,
    CNI_VOXEL_GREAT_ACACIA,
    CNI_VOXEL_GREAT_WILLOW,
    CNI_VOXEL_GREAT_CHERRY,
    CNI_VOXEL_GREAT_RED_MUSHROOM,
    CNI_VOXEL_GREAT_BROWN_MUSHROOM,
    CNI_VOXEL_BOULDER,
    CNI_VOXEL_MOSSY_BOULDER,
    CNI_VOXEL_SAND_BOULDER,
    CNI_VOXEL_RED_BOULDER,
    CNI_VOXEL_ICE_SPIKE,
    CNI_VOXEL_OAK_TRUNK, /* fallen */
    CNI_VOXEL_BIRCH_TRUNK,
    CNI_VOXEL_SPRUCE_TRUNK,
    CNI_VOXEL_JUNGLE_TRUNK,
    CNI_VOXEL_FEATURE_KIND_COUNT
} CniVoxelFeatureKindId;

#define CNI_VOXEL_FINE_RADIUS 4
#define CNI_VOXEL_COARSE_RADIUS 8
/* Roots start this far below the first block above the ground, in case the ground beside is lower;
 * roofs of caves are thicker. */
#define CNI_VOXEL_ROOT_DEPTH 3

/* A feature instance on its ground block. */
typedef struct CniVoxelFeatureInstance {
    int32_t x, z;
    int16_t y;     /* of the ground block */
    uint8_t kind;  /* CniVoxelFeatureKindId */
    uint32_t dice; /* random bits that determine everything else */
} CniVoxelFeatureInstance;

typedef struct CniVoxelFeatureKind {
    void (*draw)(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
    CniVoxelGenerated wood, leaves;
    uint8_t radius; /* maximum distance of a cell from the root, in x and z */
    uint8_t height; /* maximum height of a cell above the ground block */
    bool lies;      /* a fallen trunk, which needs level ground */
} CniVoxelFeatureKind;
extern const CniVoxelFeatureKind cni_voxel_feature_kinds[CNI_VOXEL_FEATURE_KIND_COUNT];

/* Returns 0 to n - 1 and advances the dice. */
static inline uint32_t cni_voxel_roll(uint32_t *dice, uint32_t n)
{
    *dice = *dice * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*dice * n >> 32);
}

/* Returns whether a fallen trunk lies along x. */
static inline bool cni_voxel_lies_along_x(uint32_t dice)
{
    return dice >> 31;
}
static inline int32_t cni_voxel_trunk_length(uint32_t dice)
{
    return 4 + (int32_t)(dice >> 29 & 3);
}

/* ---- Shapes: tree.c, tree_great.c, stone.c ---- */

void cni_voxel_draw_round_tree(const CniVoxelBrush *brush,
                               const CniVoxelFeatureInstance *instance); /* oak, birch */
void cni_voxel_draw_bush(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_spruce(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_pine(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_jungle_tree(const CniVoxelBrush *brush,
                                const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_palm(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_acacia(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_willow(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_cherry(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_dead_tree(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_mushroom(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_great_oak(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_great_spruce(const CniVoxelBrush *brush,
                                 const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_great_jungle_tree(const CniVoxelBrush *brush,
                                      const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_great_acacia(const CniVoxelBrush *brush,
                                 const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_boulder(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_ice_spike(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance);
void cni_voxel_draw_fallen_trunk(const CniVoxelBrush *brush,
                                 const CniVoxelFeatureInstance *instance);

/* Parts of trees. Leaves stay connected through their center, whatever the dice remove. */
void cni_voxel_draw_trunk(const CniVoxelBrush *brush, const CniVoxelFeatureInstance *instance,
                          int32_t height);
/* Draws the cells with dx^2 + dz^2 <= square; randomly drops the ends of rows. */
void cni_voxel_draw_disc(const CniVoxelBrush *brush, CnCell middle, int32_t square,
                         CniVoxelGenerated leaves, uint32_t dice);
/* Draws an ellipsoid of discs, from y - down to y + up. */
void cni_voxel_draw_blob(const CniVoxelBrush *brush, CnCell middle, int32_t radius, int32_t down,
                         int32_t up, CniVoxelGenerated leaves, uint32_t dice);
/* Consecutive blocks share a face. */
void cni_voxel_draw_branch(const CniVoxelBrush *brush, CnCell from, CnCell to,
                           CniVoxelGenerated wood);

/* ---- Distribution: feature_table.c, feature_plant.c ---- */

bool cni_voxel_is_soil(CniVoxelGenerated top); /* plants grow on it */

/* Candidate positions: one in each square of two grids. */
#define CNI_VOXEL_FINE_GRID 5
#define CNI_VOXEL_COARSE_GRID 16
typedef struct CniVoxelFeatureCandidate {
    int32_t x, z;
    uint64_t dice;
} CniVoxelFeatureCandidate;
static inline CniVoxelFeatureCandidate cni_voxel_fine_candidate(uint64_t seed, int32_t i, int32_t k)
{
    uint64_t dice = cni_voxel_position_hash(seed, 0xF19E, i, 0, k);
    /* Never in the last row of a square, so that two are never adjacent. */
    return (CniVoxelFeatureCandidate){CNI_VOXEL_FINE_GRID * i + (int32_t)(dice & 3),
                                      CNI_VOXEL_FINE_GRID * k + (int32_t)(dice >> 2 & 3), dice};
}
static inline CniVoxelFeatureCandidate cni_voxel_coarse_candidate(uint64_t seed, int32_t i,
                                                                  int32_t k)
{
    uint64_t dice = cni_voxel_position_hash(seed, 0xC0A, i, 0, k);
    return (CniVoxelFeatureCandidate){CNI_VOXEL_COARSE_GRID * i + (int32_t)(dice & 15),
                                      CNI_VOXEL_COARSE_GRID * k + (int32_t)(dice >> 4 & 15), dice};
}

/* Return the kind for a candidate of the fine or the coarse grid on this column; usually
 * CNI_VOXEL_NO_FEATURE. */
CniVoxelFeatureKindId cni_voxel_choose_fine(const CniVoxelGeneratedBlocks *generated, uint64_t seed,
                                            const CnColumn *column, int32_t x, int32_t z,
                                            uint64_t dice);
CniVoxelFeatureKindId cni_voxel_choose_coarse(const CniVoxelGeneratedBlocks *generated,
                                              const CnColumn *column, uint64_t dice);

/* A plant within a single column, `height` blocks above the ground or the sea. */
typedef struct CniVoxelPlant {
    CniVoxelGenerated block; /* CNI_VOXEL_GEN_AIR: none */
    uint8_t height;
} CniVoxelPlant;
/* Vegetation density in a chunk column: values at the corners of squares, shared by its columns. */
typedef struct CniVoxelMeadow {
    float grass[2][2], thicket[2][2]; /* squares of 16 blocks */
    float flowers[3][3];              /* squares of 8 blocks */
} CniVoxelMeadow;
CniVoxelMeadow cni_voxel_meadow(uint64_t seed, int32_t chunk_x, int32_t chunk_z);
/* `by_water`: a neighboring column is under water. */
CniVoxelPlant cni_voxel_choose_plant(const CniVoxelGeneratedBlocks *generated, uint64_t seed,
                                     const CniVoxelMeadow *meadow, const CnColumn *column,
                                     int32_t x, int32_t z, bool by_water);

/* Returns a value from 0 to 1 for a corner of a square. */
static inline float cni_voxel_corner_value(uint64_t seed, uint64_t salt, int32_t x, int32_t z)
{
    return (float)(cni_voxel_position_hash(seed, salt, x, 0, z) >> 40) * 0x1p-24f;
}
/* Interpolates smoothly between the corners of a square; u and v are 0 to 1. */
static inline float cni_voxel_smooth_bilinear(float a, float b, float c, float d, float u, float v)
{
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    float near_side = a + (b - a) * u, far_side = c + (d - c) * u;
    return near_side + (far_side - near_side) * v;
}

#endif

/* Shared by the rules of growth. */
#ifndef CRAFTY_SIM_GROWTH_INTERNAL_H
#define CRAFTY_SIM_GROWTH_INTERNAL_H

#include "growth.h"

typedef enum CraftyGrowthKind {
    CRAFTY_GROWS_NOT,
    CRAFTY_GROWS_GRASS,
    CRAFTY_GROWS_SAPLING,
    CRAFTY_GROWS_CROP,
    CRAFTY_GROWS_FARMLAND,
    CRAFTY_GROWS_REED,     /* reeds, bamboo: taller */
    CRAFTY_GROWS_CACTUS,   /* the same, away from other blocks */
    CRAFTY_GROWS_MUSHROOM, /* spreads in the dark */
    CRAFTY_GROWS_SNOW,
    CRAFTY_GROWS_ICE,
    CRAFTY_GROWS_LEAVES,
    CRAFTY_GROWS_LOG,
    CRAFTY_GROWS_FIRE
} CraftyGrowthKind;

#define CRAFTY_FIRE_STRENGTHS 6u
#define CRAFTY_MAX_PLANTED 8u
#define CRAFTY_MAX_MEADOW 8u

typedef struct CraftyGrowthRule {
    uint8_t kind;
    uint8_t tree;        /* of a sapling: CnTree */
    uint8_t other_tree;  /* the second shape that it may get; the same: none */
    uint8_t flammable;   /* percent per contact with fire; 0: does not burn */
    uint8_t strength;    /* of fire: 1 to CRAFTY_FIRE_STRENGTHS */
    bool is_soil;        /* trees and plants grow on it */
    bool is_plant;       /* counts as vegetation of a meadow */
    bool is_white;       /* looks like snow already */
    CnBlock next;        /* of a crop: the next stage; CN_BLOCK_AIR: ripe */
    CnBlock log, leaves; /* of a sapling: what its tree consists of */
} CraftyGrowthRule;

/* Transient resource. */
typedef struct CraftyGrowthRules {
    CraftyGrowthRule *rules; /* by block */
    bool *ticking;
    CnAllocator *allocator;
    uint32_t count; /* of blocks */
    CnBlock dirt, grass, farmland, farmland_wet, snow_layer, ice;
    CnBlock meadow[CRAFTY_MAX_MEADOW]; /* what grows on grass, the first one most often */
    uint32_t meadow_count;
    CnBlock fires[CRAFTY_FIRE_STRENGTHS + 1]; /* by strength; [0] is air */
    CnBlock generated_log[CN_TREE_COUNT], generated_leaves[CN_TREE_COUNT];
    struct {
        CraftyItem item;
        CnBlock block;
    } planted[CRAFTY_MAX_PLANTED];
    uint32_t planted_count;
    CnQuery *players;
    uint64_t seen_edits; /* of the edit log */
    /* Used in this tick. */
    uint32_t edits, lights, trees;
    CnTreeBlock tree[CN_TREE_MAX_BLOCKS];
} CraftyGrowthRules;
typedef struct CraftyGrowthState {
    CraftyGrowthRules *rules;
} CraftyGrowthState;
CN_OPAQUE(CraftyGrowthState);

/* One tick of one block. */
typedef struct CraftyGrowing {
    CnWorld *world;
    CnVoxels *voxels;
    CraftyGrowthRules *rules;
    CraftyGrowth *totals;
    uint64_t tick, random; /* random bits of this cell and tick */
} CraftyGrowing;

/* ---- growth_rules.c ---- */

CraftyGrowthRules *crafty_growth_rules_create(CnAllocator *allocator, const CnBlockTable *blocks,
                                              const CraftyItems *items, CnError *error);
void crafty_growth_rules_destroy(CraftyGrowthRules *rules); /* NULL is ignored */
static inline const CraftyGrowthRule *crafty_growth_rule(const CraftyGrowthRules *rules,
                                                         CnBlock block)
{
    return &rules->rules[block < rules->count ? block : CN_BLOCK_AIR];
}

/* ---- growth.c ---- */

/* Returns the block in a cell; air outside of the world. */
CnBlock crafty_growing_get(const CraftyGrowing *growing, CnCell cell);
/* Changes a block, unless the limit is reached. */
bool crafty_growing_set(CraftyGrowing *growing, CnCell cell, CnBlock block);
/* The same without counting it; for trees, which have a limit of their own. */
bool crafty_growing_edit(CraftyGrowing *growing, CnCell cell, CnBlock block);
/* Returns the larger one of sky and block light, or only that of blocks; 0 when the limit is
 * reached. */
uint32_t crafty_growing_light(CraftyGrowing *growing, CnCell cell);
uint32_t crafty_growing_block_light(CraftyGrowing *growing, CnCell cell);
/* Returns whether something happens with a chance of 1 in n; the next random bits follow. */
bool crafty_growing_chance(CraftyGrowing *growing, uint32_t n);
uint32_t crafty_growing_roll(CraftyGrowing *growing, uint32_t n); /* 0 to n - 1 */
/* Returns whether light passes through a block. */
bool crafty_growing_is_open(const CraftyGrowing *growing, CnBlock block);
/* Returns whether rain or snow falls on a cell, and whether it falls as snow there. */
bool crafty_growing_is_rained_on(const CraftyGrowing *growing, CnCell cell, bool *is_snow);
CnBiome crafty_growing_biome(const CraftyGrowing *growing, CnCell cell);
bool crafty_growing_is_cold(CnBiome biome);

static inline CnCell crafty_cell_at(CnCell cell, int32_t dx, int32_t dy, int32_t dz)
{
    return (CnCell){cell.x + dx, cell.y + dy, cell.z + dz};
}

/* ---- The rules ---- */

void crafty_grow_grass(CraftyGrowing *growing, CnCell cell);
void crafty_grow_reed(CraftyGrowing *growing, CnCell cell, CnBlock block);
void crafty_grow_cactus(CraftyGrowing *growing, CnCell cell, CnBlock block);
void crafty_grow_mushroom(CraftyGrowing *growing, CnCell cell, CnBlock block);
void crafty_grow_sapling(CraftyGrowing *growing, CnCell cell, CnBlock block);
/* A trunk was removed: schedules the leaves that may have lost their support. */
void crafty_loosen_leaves(CraftyGrowing *growing, CnCell cell);
void crafty_decay_leaves(CraftyGrowing *growing, CnCell cell, CnBlock block);
void crafty_grow_crop(CraftyGrowing *growing, CnCell cell, CnBlock block);
void crafty_water_farmland(CraftyGrowing *growing, CnCell cell, CnBlock block);
void crafty_melt(CraftyGrowing *growing, CnCell cell, CnBlock block);
void crafty_freeze(CraftyGrowing *growing, int32_t x, int32_t z);
void crafty_burn(CraftyGrowing *growing, CnCell cell, CnBlock block);
/* Schedules the next tick of a fire. */
void crafty_fire_schedule(CraftyGrowing *growing, CnCell cell);

#endif

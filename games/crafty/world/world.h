/*
 * The blocks and items of a world: registry of items, generator, voxel world and worker threads,
 * without anything that draws.
 *
 *     CraftyWorld *world = crafty_world_create(&(CraftyWorldDesc){.seed = 42}, &error);
 *     CnBlock block = cn_voxels_get(crafty_world_voxels(world), (CnCell){0, 64, 0});
 *     crafty_world_destroy(world);
 *
 * Use from the thread that runs the ticks. Jobs generate, light and mesh chunks. A system that
 * reads or changes blocks declares cn_writes(CraftyBlocks).
 */
#ifndef CRAFTY_WORLD_WORLD_H
#define CRAFTY_WORLD_WORLD_H

#include "biomes.h"
#include "block_family.h"
#include "block_rules.h"
#include "blocks.h"
#include "content.h"
#include "creature_kinds.h"
#include "features.h"
#include "palettes.h"
#include "recipes.h"
#include "trades.h"
#include "village_prefetch.h"
#include "weather_kinds.h"

#include <cairn/voxel.h>

typedef struct CraftyWorld CraftyWorld;

typedef struct CraftyWorldDesc {
    CnAllocator *allocator; /* thread-safe; NULL: system allocator */
    /* Closed; contains the standard blocks; must outlive the world. NULL: the standard blocks. */
    const CnBlockTable *blocks;
    const CraftyContent *content; /* NULL: the standard content; not needed after the creation */
    uint64_t seed;
    uint32_t workers;        /* see CnJobPoolDesc */
    CnVoxelsHooks hooks;     /* of the voxel world */
    CraftyPalettes palettes; /* that of blocks is not used if `blocks` is given */
} CraftyWorldDesc;

/* Returns NULL and an error when out of memory, if no thread can be started, if the palette is
 * malformed, or if blocks are missing that the generator or the data of the game needs. */
CraftyWorld *crafty_world_create(const CraftyWorldDesc *desc, CnError *error);
/* Waits for running jobs. NULL is ignored. */
void crafty_world_destroy(CraftyWorld *world);

const CnBlockTable *crafty_world_blocks(const CraftyWorld *world);
/* Returns the variants of the blocks: directions, halves, open and closed. */
const CraftyBlockFamilies *crafty_world_families(const CraftyWorld *world);
CnVoxels *crafty_world_voxels(CraftyWorld *world);
/* Returns the items of this world: one for each placeable block, and those of items.json. */
const CraftyItems *crafty_world_items(const CraftyWorld *world);
const CraftyRecipes *crafty_world_recipes(const CraftyWorld *world);
const CraftyBlockRules *crafty_world_block_rules(const CraftyWorld *world);
const CraftyCreatureKinds *crafty_world_creatures(const CraftyWorld *world);
const CraftyTrades *crafty_world_trades(const CraftyWorld *world);
/* Returns the decorations and structures that the content adds to the terrain. */
const CraftyFeatures *crafty_world_features(const CraftyWorld *world);
/* Returns the weather and the skies that the content adds. */
const CraftyWeatherKinds *crafty_world_weather(const CraftyWorld *world);
CnJobPool *crafty_world_jobs(CraftyWorld *world);
CnGenerator *crafty_world_generator(CraftyWorld *world);
/* Returns biome queries for ticks and frames: unlike the generator, they never wait for jobs. */
CraftyBiomes crafty_world_biomes(CraftyWorld *world);
/* Returns the generator and the work memory of the two functions around this one. */
CraftyBiomes crafty_world_terrain(CraftyWorld *world);
/* Returns what plans villages of that generator ahead of a search. */
CraftyVillagePrefetch *crafty_world_villages(CraftyWorld *world);
/* Returns work memory for queries of the generator, outside of frames and ticks or where latency
 * does not matter. */
CnGenerateScratch *crafty_world_scratch(CraftyWorld *world);

#endif

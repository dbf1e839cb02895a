/*
 * Terrain generation: a pure function of seed and position.
 *
 *     CnError error = {0};
 *     CnGeneratorDesc desc = {.blocks = table, .seed = 42};
 *     CnGenerator *generator = cn_generator_create(&desc, &error);
 *     CnGenerateScratch *scratch = cn_generate_scratch_create(generator); // one per thread
 *     CnBlock blocks[CN_CHUNK_BLOCKS];
 *     cn_generate(generator, scratch, (CnChunkPos){0, 1, 0}, blocks); // any thread, any order
 *
 * Features that cross chunk borders (trees, houses, paths) are functions of position, too: each
 * chunk collects the features that reach into it. The scratch caches data shared by the chunks of a
 * column (climate, heights, features). The generator caches data shared by a region (erosion,
 * villages) behind a lock. Neither cache affects the result.
 *
 * The sea extends up to CN_SEA_LEVEL and is about 30 blocks deep. Most land lies at heights of 16
 * to 90; mountains reach 200 and more. There is always land around the origin. Generation is
 * fastest column by column, because the chunks of a column share cached data.
 */
#ifndef CAIRN_VOXEL_GENERATE_H
#define CAIRN_VOXEL_GENERATE_H

#include <cairn/base/error.h>
#include <cairn/voxel/chunk.h>
#include <cairn/voxel/placement.h>

CN_EXTERN_C_BEGIN

typedef enum CnBiome {
    CN_BIOME_GRASSY_PLAINS,
    CN_BIOME_FOREST,
    CN_BIOME_SAVANNA,
    CN_BIOME_DESERT,
    CN_BIOME_JUNGLE,
    CN_BIOME_SWAMP,
    CN_BIOME_TAIGA,
    CN_BIOME_SNOWY_PLAINS,
    CN_BIOME_SNOWY_MOUNTAINS,
    CN_BIOME_ROCKY_MOUNTAINS,
    CN_BIOME_BADLANDS,
    CN_BIOME_CHERRY_GROVE,
    CN_BIOME_MUSHROOM_FIELDS,
    CN_BIOME_COUNT
} CnBiome;
CN_API const char *cn_biome_name(CnBiome biome); /* such as "grassy_plains" */

/* The lowest generated y; everything below is bedrock. */
#define CN_WORLD_BOTTOM (-128)

/* Properties of a column of blocks before features are placed on it. */
typedef struct CnColumn {
    float height; /* blocks below are solid, except for caves; includes erosion */
    float temperature, humidity, special, continent;
    float blend;     /* 0 inside a biome, about 0.5 at a border */
    int16_t ground;  /* y of the topmost solid block; may be open at a cave entrance */
    uint8_t biome;   /* CnBiome chosen by the climate */
    uint8_t other;   /* CnBiome that comes second */
    uint8_t soil;    /* CnBiome of the soil: `biome` or `other`, dithered by `blend` */
    bool underwater; /* `ground` lies below sea level */
    CnBlock top;     /* block at `ground`; used by maps and far terrain */
} CnColumn;

typedef struct CnGenerator CnGenerator;
typedef struct CnGeneratorDesc {
    CnAllocator *allocator;
    const CnBlockTable *blocks; /* required; closed; must outlive the generator */
    uint64_t seed;
    uint64_t cache_bytes; /* size of the erosion and village caches; 0 selects 32 MiB */
    /* Features of the game, drawn in this order; must outlive the generator. NULL: none. */
    const CnPlacement *placements;
    uint32_t placement_count;
    /* Disable stages, for tests and screenshots. */
    bool no_erosion, no_features, no_villages, no_caves, no_ores;
} CnGeneratorDesc;
/* Creates a generator. The blocks that it places, about a hundred, are found by name in the block
 * table. Returns NULL and sets `error` if the table is open, if it lacks some of them (the error
 * lists their names), if a placement is not valid (cn_placements_check), or when out of memory. */
CN_API CnGenerator *cn_generator_create(const CnGeneratorDesc *desc, CnError *error);
CN_API void cn_generator_destroy(CnGenerator *generator);
CN_API uint64_t cn_generator_seed(const CnGenerator *generator);
CN_API const CnBlockTable *cn_generator_blocks(const CnGenerator *generator);

/* Work memory for one thread, up to about 14 MiB without placements. cn_generate_scratch_create
 * returns NULL when out of memory. */
typedef struct CnGenerateScratch CnGenerateScratch;
CN_API CnGenerateScratch *cn_generate_scratch_create(CnGenerator *generator);
CN_API void cn_generate_scratch_destroy(CnGenerateScratch *scratch);

/* Generates the blocks of a chunk. Callable from any thread with that thread's scratch. */
CN_API void cn_generate(CnGenerator *generator, CnGenerateScratch *scratch, CnChunkPos position,
                        CnBlock blocks[CN_CHUNK_BLOCKS]);
/* Returns a y from which every block upwards is air in the whole column of chunks; never below the
 * sea. */
CN_API int32_t cn_generate_max_height(CnGenerator *generator, CnGenerateScratch *scratch,
                                      int32_t chunk_x, int32_t chunk_z);

/* A grid of columns at x + i * step, z + k * step, stored at index i + count * k. A column does not
 * depend on the batch in which it is generated. */
typedef struct CnColumnGrid {
    int32_t x, z, step;
    uint32_t count; /* in each direction */
} CnColumnGrid;
CN_API void cn_generate_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                                const CnColumnGrid *grid, CnColumn *columns);
CN_API CnColumn cn_generate_column(CnGenerator *generator, CnGenerateScratch *scratch, int32_t x,
                                   int32_t z);

/* ---- Biomes and villages ---- */

typedef struct CnBiomeBlend {
    CnBiome biome, other;
    float blend;
} CnBiomeBlend;
CN_API CnBiomeBlend cn_biome_blend(float temperature, float humidity, float special);

/* Finds a village within `radius` blocks and stores its center on the ground in `found`. Returns
 * false if there is none. */
CN_API bool cn_generate_find_village(CnGenerator *generator, CnGenerateScratch *scratch, int32_t x,
                                     int32_t z, int32_t radius, CnCell *found);

/* Villages belong to square regions, at most one to each: region (0, 0) begins at the origin.
 * Returns whether a region has one, and stores its center on the ground in `found`. Takes
 * milliseconds, tens of them at worst, unless the region is cached. */
#define CN_VILLAGE_REGION 320 /* blocks */
CN_API bool cn_generate_village(CnGenerator *generator, CnGenerateScratch *scratch,
                                int32_t region_x, int32_t region_z, CnCell *found);

/* The parts of a village. */
typedef enum CnVillagePieceKind {
    CN_VILLAGE_HOUSE,
    CN_VILLAGE_TOWER,
    CN_VILLAGE_WELL,
    CN_VILLAGE_STALL,
    CN_VILLAGE_FIELD,
    CN_VILLAGE_HAY,
    CN_VILLAGE_LAMP
} CnVillagePieceKind;
typedef struct CnVillagePiece {
    uint8_t kind;     /* CnVillagePieceKind */
    CnCell low, high; /* its corners; low.y is the floor, high.y that of its highest block */
    CnCell door;      /* before the entrance: where feet stand; of others, beside the piece */
    CnCell inside;    /* where feet stand inside: beside the bed of a house */
    CnCell work;      /* of a house: before its furnace or shelf; of others, like `inside` */
    CnCell lamp;      /* of a lamp: its lantern */
} CnVillagePiece;
#define CN_VILLAGE_MAX_PIECES 64u
/* Stores the parts of the village of a region and returns their number, 0 without a village. Costs
 * as much as cn_generate_village. */
CN_API uint32_t cn_generate_village_pieces(CnGenerator *generator, CnGenerateScratch *scratch,
                                           int32_t region_x, int32_t region_z,
                                           CnVillagePiece pieces[CN_VILLAGE_MAX_PIECES]);

/* ---- Placements of the game ---- */

/* Returns whether the candidate in a square of a placement stands, and stores where. Square (0, 0)
 * begins at the origin. */
CN_API bool cn_generate_placed(CnGenerator *generator, CnGenerateScratch *scratch,
                               uint32_t placement, int32_t square_x, int32_t square_z,
                               CnPlaced *found);

/* ---- Trees ---- */

/* Trees of ordinary size, for saplings. */
typedef enum CnTree {
    CN_TREE_OAK,
    CN_TREE_BIRCH,
    CN_TREE_SPRUCE,
    CN_TREE_PINE,
    CN_TREE_JUNGLE,
    CN_TREE_PALM,
    CN_TREE_ACACIA,
    CN_TREE_WILLOW,
    CN_TREE_CHERRY,
    CN_TREE_RED_MUSHROOM,
    CN_TREE_BROWN_MUSHROOM,
    CN_TREE_COUNT
} CnTree;
typedef struct CnTreeBlock {
    CnCell cell;
    CnBlock block;
} CnTreeBlock;
#define CN_TREE_MAX_BLOCKS 1024u
/* Stores the blocks of the tree that the generator draws on a ground block with these dice, random
 * bits that determine everything but the kind, in a fixed order. Returns their number. Pure; any
 * thread. */
CN_API uint32_t cn_generate_tree(const CnGenerator *generator, CnTree tree, CnCell ground,
                                 uint32_t dice, CnTreeBlock blocks[CN_TREE_MAX_BLOCKS]);

CN_EXTERN_C_END

#endif

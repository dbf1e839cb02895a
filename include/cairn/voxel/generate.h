/*
 * Generation: a pure function of seed and position.
 *
 *     CnGenerator *generator = cn_generator_create(&(CnGeneratorDesc){.seed = 42}, &error);
 *     CnGenerateScratch *scratch = cn_generate_scratch_create(generator);       // one a thread
 *     cn_generate(generator, scratch, (CnChunkPos){0, 1, 0}, blocks);           // any thread, any order
 *
 * What crosses chunks (trees, houses, paths) is a function of position too: a chunk collects what
 * reaches into it. The scratch keeps what the chunks of one column share (climate, heights, features);
 * the generator keeps what regions share (erosion, villages), behind a lock. Neither can be seen in
 * the result.
 *
 * The sea reaches up to CN_SEA_LEVEL and is about 30 blocks deep, most land is 16 to 90 high, mountains
 * reach 200 and more; around the origin there is always land. Blocks of a chunk are quickest when
 * its column was asked for before: go through a world column by column.
 */
#ifndef CAIRN_VOXEL_GENERATE_H
#define CAIRN_VOXEL_GENERATE_H

#include <cairn/base/error.h>
#include <cairn/voxel/chunk.h>

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
CN_API const char *cn_biome_name(CnBiome biome); /* "grassy_plains" */

/* The lowest blocks of the world; below them everything is bedrock. */
#define CN_WORLD_BOTTOM (-128)

/* What is known of a column of blocks before features stand on it. */
typedef struct CnColumn {
    float height; /* blocks below it are solid (caves aside); erosion included */
    float temperature, humidity, special, continent;
    float blend;     /* 0: pure, about 0.5 at the border of biomes */
    int16_t ground;  /* y of the highest solid block; at entrances of caves it may be open */
    uint8_t biome;   /* CnBiome: of the climate */
    uint8_t other;   /* the nearest other one */
    uint8_t soil;    /* the one whose soil lies here: biome or other, dithered by blend */
    bool underwater; /* ground below the sea */
    CnBlock top;     /* the block at `ground`: what maps and far terrain show */
} CnColumn;

typedef struct CnGenerator CnGenerator;
typedef struct CnGeneratorDesc {
    CnAllocator *allocator;
    uint64_t seed;
    uint64_t cache_bytes; /* of erosion and villages; 0 means 32 MiB */
    /* For tests and pictures. */
    bool no_erosion, no_features, no_villages, no_caves, no_ores;
} CnGeneratorDesc;
CN_API CnGenerator *cn_generator_create(const CnGeneratorDesc *desc, CnError *error);
CN_API void cn_generator_destroy(CnGenerator *generator);
CN_API uint64_t cn_generator_seed(const CnGenerator *generator);

/* Work memory of one thread, about 14 MiB when all of it has been used. NULL when out of memory. */
typedef struct CnGenerateScratch CnGenerateScratch;
CN_API CnGenerateScratch *cn_generate_scratch_create(CnGenerator *generator);
CN_API void cn_generate_scratch_destroy(CnGenerateScratch *scratch);

CN_API void cn_generate(CnGenerator *generator, CnGenerateScratch *scratch, CnChunkPos position,
                        CnBlock blocks[CN_CHUNK_BLOCKS]);
/* Every block at this y and above is air, in the whole column of chunks (never below the sea). */
CN_API int32_t cn_generate_top(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                               int32_t chunk_z);

/* Columns at x + i * step, z + k * step, written at i + count * k. What a single column is does not
 * hang on the batch it comes in. */
typedef struct CnColumnGrid {
    int32_t x, z, step;
    uint32_t count; /* in both directions */
} CnColumnGrid;
CN_API void cn_generate_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                                const CnColumnGrid *grid, CnColumn *columns);
CN_API CnColumn cn_generate_column(CnGenerator *generator, CnGenerateScratch *scratch, int32_t x,
                                   int32_t z);

/* ---- Biomes alone ---- */

typedef struct CnBiomeBlend {
    CnBiome biome, other;
    float blend;
} CnBiomeBlend;
CN_API CnBiomeBlend cn_biome_blend(float temperature, float humidity, float special);

/* Where a village is: its middle on the ground. False: none within `radius` blocks. */
CN_API bool cn_generate_find_village(CnGenerator *generator, CnGenerateScratch *scratch, int32_t x,
                                     int32_t z, int32_t radius, CnCell *found);

CN_EXTERN_C_END

#endif

/*
 * Biome queries during ticks and frames: a generator without erosion and its work memory. It
 * returns the same biomes as the world's generator and takes no lock that jobs hold.
 *
 *     CraftyBiomes biomes;
 *     if (crafty_biomes_init(&biomes, allocator, blocks, seed, &error))
 *         biome = cn_generate_column(biomes.generator, biomes.scratch, x, z).biome;
 *     crafty_biomes_fini(&biomes);
 */
#ifndef CRAFTY_WORLD_BIOMES_H
#define CRAFTY_WORLD_BIOMES_H

#include <cairn/voxel/generate.h>

/* May be copied; the copies share the work memory, so one thread uses them. */
typedef struct CraftyBiomes {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
} CraftyBiomes;

/* Returns false and an error when out of memory; crafty_biomes_fini is then allowed, too. */
bool crafty_biomes_init(CraftyBiomes *biomes, CnAllocator *allocator, const CnBlockTable *blocks,
                        uint64_t seed, CnError *error);
void crafty_biomes_fini(CraftyBiomes *biomes);

#endif

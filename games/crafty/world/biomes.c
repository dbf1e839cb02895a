#include "biomes.h"

bool crafty_biomes_init(CraftyBiomes *biomes, CnAllocator *allocator, const CnBlockTable *blocks,
                        uint64_t seed, CnError *error)
{
    /* Erosion is costly and does not change biomes. */
    biomes->scratch = NULL;
    biomes->generator = cn_generator_create(
        &(CnGeneratorDesc){
            .allocator = allocator, .blocks = blocks, .seed = seed, .no_erosion = true},
        error);
    if (!biomes->generator)
        return false;
    biomes->scratch = cn_generate_scratch_create(biomes->generator);
    return biomes->scratch || cn_error_memory(error, "the biomes");
}

void crafty_biomes_fini(CraftyBiomes *biomes)
{
    cn_generate_scratch_destroy(biomes->scratch);
    cn_generator_destroy(biomes->generator);
    *biomes = (CraftyBiomes){0};
}

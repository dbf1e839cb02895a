/* Generated worlds for tests. */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_GENERATED_H
#define CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_GENERATED_H

#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <cairn/base/hash_map.h>
#include <cairn/voxel/generate.h>

typedef struct GeneratedWorld {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
} GeneratedWorld;

static inline GeneratedWorld generated_world(const CnGeneratorDesc *desc)
{
    GeneratedWorld world = {.generator = cn_generator_create(desc, NULL)};
    assert_non_null(world.generator);
    world.scratch = cn_generate_scratch_create(world.generator);
    assert_non_null(world.scratch);
    return world;
}

/* Ground, caves and ores alone. */
static inline GeneratedWorld generated_bare(uint64_t seed)
{
    return generated_world(&(CnGeneratorDesc){
        .blocks = standard_blocks(), .seed = seed, .no_erosion = true, .no_features = true});
}

static inline void generated_drop(GeneratedWorld *world)
{
    cn_generate_scratch_destroy(world->scratch);
    cn_generator_destroy(world->generator);
}

/* Of size_x x size_y x size_z chunks, in the order of x, y, z. */
static inline uint64_t generated_hash(GeneratedWorld *world, CnChunkPos first, CnChunkPos size)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    uint64_t hash = 0;
    for (int32_t z = 0; z < size.z; z++)
        for (int32_t y = 0; y < size.y; y++)
            for (int32_t x = 0; x < size.x; x++) {
                cn_generate(world->generator, world->scratch,
                            (CnChunkPos){first.x + x, first.y + y, first.z + z}, blocks);
                hash = cn_hash_bytes(blocks, sizeof blocks, hash);
            }
    return hash;
}

#endif

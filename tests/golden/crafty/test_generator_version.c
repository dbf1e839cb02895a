/*
 * The generator creates the same blocks as ever, or its version is another: a saved world contains
 * only edits, and hashes of its chunks that hold for one version of the generator.
 */
#include "cmocka_tests.h"

#include <crafty/save/world_info.h>
#include <crafty/world/world.h>

#include <cairn/base/hash_map.h>

#include <string.h>

static const struct {
    uint32_t version;
    uint64_t hash;
} golden[] = {
    {1, UINT64_C(0xccc36ee729899acc)},
};

/* By names: numbers belong to one world. */
static uint64_t hash_chunk(CnVoxels *voxels, CnChunkPos position, uint64_t hash)
{
    const CnChunk *chunk = cn_voxels_chunk(voxels, position);
    assert_non_null(chunk);
    CnBlock last = CN_BLOCK_NONE;
    uint64_t name_hash = 0;
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        CnBlock block = cn_chunk_get(chunk, i & 15, i >> 4 & 15, i >> 8);
        if (block != last) {
            const char *name = cn_block_info(cn_voxels_blocks(voxels), block)->name;
            name_hash = cn_hash_bytes(name, strlen(name), 0);
        }
        last = block;
        hash = (hash ^ name_hash) * UINT64_C(0x9fb21c651e98df25) + (hash >> 31);
    }
    return hash;
}

/* Chunks at the surface and in the ground, far apart: most biomes and features. */
static uint64_t hash_world(uint64_t seed)
{
    CraftyWorld *world =
        crafty_world_create(&(CraftyWorldDesc){.seed = seed, .workers = CN_JOBS_NONE}, NULL);
    assert_non_null(world);
    CnVoxels *voxels = crafty_world_voxels(world);
    uint64_t hash = seed;
    for (int32_t i = 0; i < 40; i++) {
        int32_t x = (i * 577) % 4096 - 2048, z = (i * i * 131) % 4096 - 2048;
        int32_t top = cn_voxels_height(voxels, x, z);
        CnChunkPos position = cn_chunk_of((CnCell){x, top, z});
        hash = hash_chunk(voxels, position, hash);
        position.y--;
        hash = hash_chunk(voxels, position, hash);
    }
    crafty_world_destroy(world);
    return hash;
}

static void other_blocks_have_another_version(void **state)
{
    (void)state;
    uint64_t hash = hash_world(42) ^ hash_world(7) * 3;
    for (uint32_t i = 0; i < CN_COUNT_OF(golden); i++) {
        if (golden[i].version != CRAFTY_GENERATOR_VERSION)
            continue;
        if (golden[i].hash != hash)
            fail_msg("the generator creates other blocks than version %u: raise "
                     "CRAFTY_GENERATOR_VERSION in games/crafty/save/world_info.h to %u and add "
                     "{%u, UINT64_C(0x%016llx)} to this test",
                     golden[i].version, golden[i].version + 1, golden[i].version + 1,
                     (unsigned long long)hash);
        return;
    }
    fail_msg("version %u of the generator is not in this test: add {%u, UINT64_C(0x%016llx)}",
             CRAFTY_GENERATOR_VERSION, CRAFTY_GENERATOR_VERSION, (unsigned long long)hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_blocks_have_another_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Preparing and replacing edits when memory runs out: nothing is lost, and work goes on later. */
#include "chunk_store.h"

#include "failing_heap.h"
#include "standard_blocks.h"

#include <cairn/voxel/block_data.h>
#include <cairn/voxel/edited_chunks.h>

static CnGenerator *generator;

static int make_generator(void **state)
{
    (void)state;
    generator = cn_generator_create(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 7, .no_erosion = true}, NULL);
    return generator ? 0 : -1;
}

static int destroy_generator(void **state)
{
    (void)state;
    cn_generator_destroy(generator);
    return 0;
}

static CnVoxels *create_world(CnAllocator *allocator, const CnVoxelsHooks *hooks)
{
    CnVoxelsDesc desc = {.allocator = allocator, .generator = generator};
    if (hooks)
        desc.hooks = *hooks;
    return cn_voxels_create(&desc, NULL);
}

static bool prepare_at(CnVoxels *world, float x, uint32_t count)
{
    CnVec3 centers[2] = {{x, 24, 8}, {x + 200, 24, 8}};
    CnVoxelsPrepare prepare = {
        .centers = centers, .count = count, .radius = 1, .height = 1, .budget = 4};
    bool done = false;
    for (uint32_t i = 0; i < 10 && !done; i++)
        done = cn_voxels_prepare(world, &prepare);
    return done;
}

/* Two centers that move away from each other and leave. */
static bool prepare_some(CnAllocator *allocator, void *user)
{
    (void)user;
    CnVoxels *world = create_world(allocator, NULL);
    if (!world)
        return false;
    bool done = prepare_at(world, 8, 2) && prepare_at(world, 40, 2) && prepare_at(world, 8, 1) &&
                prepare_at(world, 8, 0);
    assert_true(done || cn_voxels_stats(world).out_of_memory > 0);
    cn_voxels_destroy(world);
    return done;
}

static void preparing_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(prepare_some, NULL) > 50);
}

/* Returns false when out of memory, after checking that the edits are the old ones. */
static bool replace(CnVoxels *world, CnChunkPos position, const CnStoredBlock *blocks,
                    uint32_t count)
{
    CnError error = {0};
    CnStoredChunk chunk = {.position = position, .blocks = blocks, .count = count};
    uint64_t hash = cn_voxels_hash(world), version = cn_voxels_version(world);
    if (cn_voxels_set_edits(world, &chunk, &error))
        return true;
    assert_int_equal(error.code, CN_ERROR_MEMORY);
    assert_true(cn_voxels_hash(world) == hash);
    assert_int_equal(cn_voxels_version(world), version);
    return false;
}

static bool replace_some(CnAllocator *allocator, void *user)
{
    const CnVoxelsHooks *hooks = user;
    static const CnStoredBlock blocks[2] = {{5, BLOCK_BRICKS}, {900, BLOCK_GLASS}};
    CnVoxels *world = create_world(allocator, hooks);
    if (!world)
        return false;
    CnChunkPos loaded = {0, 4, 0}, unloaded = {3, 4, 0};
    bool done = cn_voxels_chunk(world, loaded) && cn_voxels_height(world, 3, 3) > 0 &&
                replace(world, loaded, blocks, 2) && replace(world, loaded, blocks + 1, 1) &&
                replace(world, unloaded, blocks, 2) && replace(world, unloaded, blocks, 1) &&
                cn_voxels_get(world, (CnCell){53, 64, 0}) == BLOCK_BRICKS;
    assert_true(!done || cn_voxels_get(world, (CnCell){5, 64, 0}) == CN_BLOCK_AIR);
    cn_voxels_destroy(world);
    return done;
}

static void replacing_edits_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(replace_some, NULL) > 10);
}

static void replacing_stored_edits_survives_every_failing_allocation(void **state)
{
    (void)state;
    ChunkStore store;
    chunk_store_init(&store);
    CnVoxelsHooks hooks = chunk_store_hooks(&store);
    assert_true(run_with_failing_allocations(replace_some, &hooks) > 10);
    chunk_store_fini(&store);
}

static bool replace_data(CnAllocator *allocator, void *user)
{
    (void)user;
    static const uint8_t row[] = {1, 0, 0, 0, 7, 0, 1, 0, 2, 0, 1, 0, 'a', 'b'};
    CnVoxels *world = create_world(allocator, NULL);
    CnBlockDataKind kind;
    bool done = world && cn_block_data_kind(world, "test.sign", &kind, NULL);
    for (uint32_t i = 0; i < 2 && done; i++) {
        CnBlockData data = {.kind = 1, .size = 3, .bytes = (const uint8_t *)"old"};
        done = cn_block_data_set(world, (CnCell){1, 2, 3}, &data, NULL);
        uint64_t hash = done ? cn_block_data_hash(world) : 0;
        done = done && cn_block_data_replace(world, (CnChunkPos){0, 0, 0}, row, sizeof row, NULL);
        assert_true(!world || done || hash == 0 || cn_block_data_hash(world) == hash);
    }
    cn_voxels_destroy(world);
    return done;
}

static void replacing_data_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(replace_data, NULL) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preparing_survives_every_failing_allocation),
        cmocka_unit_test(replacing_edits_survives_every_failing_allocation),
        cmocka_unit_test(replacing_stored_edits_survives_every_failing_allocation),
        cmocka_unit_test(replacing_data_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, make_generator, destroy_generator);
}

/* Storage that fails: edits are never lost or overwritten, and work continues when it recovers. */
#include "chunk_store.h"

#include "failing_heap.h"
#include "standard_blocks.h"

#include "voxel/world/voxels_internal.h"

static const CnChunkPos FAR = {50, 1, 0};
static const CnCell CELL = {3, 90, 3};

static ChunkStore store;
static VoxelWorld made;
static CnVoxels *world;

static int make(void **state)
{
    (void)state;
    chunk_store_init(&store);
    CnVoxelsHooks hooks = chunk_store_hooks(&store);
    made = voxel_world_create(NULL, 0, &hooks);
    world = made.world;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    chunk_store_fini(&store);
    return 0;
}

static void go_away(void)
{
    voxel_show(world, FAR);
    voxel_show(world, FAR);
}

static void store_an_edit(void)
{
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    go_away();
    assert_null(cni_voxel_chunk_entry_find(world, cn_chunk_of(CELL)));
}

/* ---- The hook fails ---- */

static void a_chunk_that_cannot_be_stored_stays_loaded(void **state)
{
    (void)state;
    store.fails_to_store = true;
    voxel_set(world, CELL, BLOCK_BRICKS);
    go_away();
    assert_non_null(cni_voxel_chunk_entry_find(world, cn_chunk_of(CELL)));
    assert_true(cn_voxels_stats(world).storage_failures > 0);
    store.fails_to_store = false;
    go_away();
    assert_null(cni_voxel_chunk_entry_find(world, cn_chunk_of(CELL)));
    assert_int_equal(cn_voxels_get(world, CELL), BLOCK_BRICKS);
}

static void saving_reports_chunks_that_cannot_be_stored(void **state)
{
    (void)state;
    CnError error = {0};
    store.fails_to_store = true;
    voxel_set(world, CELL, BLOCK_BRICKS);
    assert_false(cn_voxels_store_edits(world, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    store.fails_to_store = false;
    assert_true(cn_voxels_store_edits(world, &error));
}

static void an_edit_fails_while_stored_edits_cannot_be_loaded(void **state)
{
    (void)state;
    store_an_edit();
    uint64_t hash = cn_voxels_hash(world);
    store.fails_to_load = true;
    CnError error = {0};
    CnEdit edit = {.cell = {CELL.x + 1, CELL.y, CELL.z}, .new_block = BLOCK_GLASS};
    assert_false(cn_voxels_edit(world, &edit, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_true(cn_voxels_hash(world) == hash);
    store.fails_to_load = false;
    assert_true(cn_voxels_edit(world, &edit, &error));
    assert_int_equal(cn_voxels_get(world, CELL), BLOCK_BRICKS);
}

static void an_edit_fails_while_stored_edits_below_it_cannot_be_loaded(void **state)
{
    (void)state;
    CnCell roof = {CELL.x, CELL.y + 64, CELL.z};
    store_an_edit();
    assert_true(voxel_set(world, roof, BLOCK_STONE));
    assert_int_equal(cn_voxels_height(world, CELL.x, CELL.z), roof.y);
    CniVoxelChunkEntry *below = cni_voxel_chunk_entry_find(world, cn_chunk_of(CELL));
    assert_null(below); /* Sky heights do not keep the chunks that they read. */
    store.fails_to_load = true;
    assert_false(voxel_set(world, roof, CN_BLOCK_AIR));
    store.fails_to_load = false;
    assert_true(voxel_set(world, roof, CN_BLOCK_AIR));
    assert_int_equal(cn_voxels_height(world, CELL.x, CELL.z), CELL.y);
}

static void streaming_goes_on_when_storage_recovers(void **state)
{
    (void)state;
    VoxelWorld plain = voxel_world_create(NULL, 0, NULL);
    store_an_edit();
    voxel_set(plain.world, CELL, BLOCK_BRICKS);
    store.fails_to_load = true;
    voxel_show(world, cn_chunk_of(CELL)); /* returns, without the chunk */
    assert_null(cn_voxels_mesh(world, cn_chunk_of(CELL)));
    assert_true(cn_voxels_stats(world).storage_failures > 0);
    store.fails_to_load = false;
    voxel_show(world, cn_chunk_of(CELL));
    voxel_show(plain.world, cn_chunk_of(CELL));
    assert_same_view(world, plain.world, cn_chunk_of(CELL));
    voxel_world_destroy(&plain);
}

/* ---- Wrong data ---- */

typedef void (*Damage)(ChunkRecord *record);

static void another_block(ChunkRecord *record)
{
    record->blocks[0].block = BLOCK_STONE;
}

static void another_cell(ChunkRecord *record)
{
    record->blocks[0].index ^= 1;
}

static void unknown_block(ChunkRecord *record)
{
    record->blocks[0].block = BLOCK_COUNT;
}

static void cell_out_of_range(ChunkRecord *record)
{
    record->blocks[0].index = CN_CHUNK_BLOCKS;
}

static void damaged_edits_are_not_loaded(void **state)
{
    (void)state;
    static const Damage damages[] = {another_block, another_cell, unknown_block, cell_out_of_range};
    store_an_edit();
    ChunkRecord *record = chunk_store_find(&store, cn_chunk_of(CELL));
    CnStoredBlock sound = record->blocks[0];
    for (uint32_t i = 0; i < CN_COUNT_OF(damages); i++) {
        damages[i](record);
        assert_null(cn_voxels_chunk(world, cn_chunk_of(CELL)));
        assert_int_equal(cn_voxels_stats(world).storage_failures, i + 1);
        record->blocks[0] = sound;
    }
    assert_int_equal(cn_voxels_get(world, CELL), BLOCK_BRICKS);
}

static void a_missing_edit_is_noticed(void **state)
{
    (void)state;
    voxel_set(world, (CnCell){CELL.x, CELL.y + 1, CELL.z}, BLOCK_GLASS);
    store_an_edit();
    ChunkRecord *record = chunk_store_find(&store, cn_chunk_of(CELL));
    record->count--;
    assert_null(cn_voxels_chunk(world, cn_chunk_of(CELL)));
    record->count++;
    assert_non_null(cn_voxels_chunk(world, cn_chunk_of(CELL)));
}

/* ---- Out of memory ---- */

static bool unload_and_load(CnAllocator *allocator, void *user)
{
    (void)user;
    ChunkStore own;
    chunk_store_init(&own);
    CnError error = {0};
    CnVoxels *small = cn_voxels_create(&(CnVoxelsDesc){.allocator = allocator,
                                                       .generator = made.generator,
                                                       .hooks = chunk_store_hooks(&own)},
                                       &error);
    bool all = small;
    uint32_t placed = 0;
    for (int32_t i = 0; i < 8 && small; i++) {
        bool set = voxel_set(small, (CnCell){16 * i, 200, 7}, BLOCK_BRICKS);
        placed |= (uint32_t)set << i;
        all &= set;
        for (uint64_t tick = 0; tick < 6; tick++)
            cn_voxels_tick(small, &(CnVoxelsTick){.tick = 6 * (uint64_t)i + tick});
    }
    for (int32_t i = 0; i < 8 && small; i++) {
        CnBlock block = cn_voxels_get(small, (CnCell){16 * i, 200, 7});
        assert_int_equal(block, placed >> i & 1 ? BLOCK_BRICKS : CN_BLOCK_AIR);
    }
    assert_true(!all || own.loads > 0);
    all = all && cn_voxels_stats(small).out_of_memory == 0;
    cn_voxels_destroy(small);
    chunk_store_fini(&own);
    return all;
}

static void no_edit_is_lost_whichever_allocation_fails(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(unload_and_load, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_chunk_that_cannot_be_stored_stays_loaded, make, unmake),
        cmocka_unit_test_setup_teardown(saving_reports_chunks_that_cannot_be_stored, make, unmake),
        cmocka_unit_test_setup_teardown(an_edit_fails_while_stored_edits_cannot_be_loaded, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(an_edit_fails_while_stored_edits_below_it_cannot_be_loaded,
                                        make, unmake),
        cmocka_unit_test_setup_teardown(streaming_goes_on_when_storage_recovers, make, unmake),
        cmocka_unit_test_setup_teardown(damaged_edits_are_not_loaded, make, unmake),
        cmocka_unit_test_setup_teardown(a_missing_edit_is_noticed, make, unmake),
        cmocka_unit_test_setup_teardown(no_edit_is_lost_whichever_allocation_fails, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "chunk_store.h"
#include "guards.h"
#include "standard_blocks.h"

#include "voxel/world/voxels_internal.h"

static const CnChunkPos HOME = {0, 1, 0};
static const CnChunkPos FAR = {50, 1, 0};

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
    /* Chunks accessed recently get a second chance, and columns wait for their chunks. */
    for (uint32_t i = 0; i < 3; i++)
        voxel_show(world, FAR);
}

static bool is_loaded(CnCell cell)
{
    return cni_voxel_chunk_entry_find(world, cn_chunk_of(cell));
}

/* ---- Unloading and loading ---- */

static void an_edited_chunk_is_stored_and_unloaded(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_set(world, cell, BLOCK_BRICKS);
    go_away();
    assert_false(is_loaded(cell));
    assert_int_equal(cn_voxels_stats(world).chunks, 125);
    assert_int_equal(cn_voxels_stats(world).stored, 1);
    const ChunkRecord *record = chunk_store_find(&store, cn_chunk_of(cell));
    assert_non_null(record);
    assert_int_equal(record->count, 1);
    assert_int_equal(record->blocks[0].index, cn_chunk_index(cell));
    assert_int_equal(record->blocks[0].block, BLOCK_BRICKS);
}

static void a_stored_edit_comes_back_with_its_chunk(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_set(world, cell, BLOCK_BRICKS);
    go_away();
    assert_int_equal(cn_voxels_get(world, cell), BLOCK_BRICKS);
    assert_int_equal(store.loads, 1);
}

static void a_chunk_generated_by_a_job_gets_its_stored_edits(void **state)
{
    (void)state;
    VoxelWorld plain = voxel_world_create(NULL, 0, NULL);
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_set(world, cell, BLOCK_GLOWSTONE);
    voxel_set(plain.world, cell, BLOCK_GLOWSTONE);
    go_away();
    CnChunkPos home = cn_chunk_of(cell);
    voxel_show(world, home);
    voxel_show(plain.world, home);
    assert_true(store.loads > 0);
    assert_same_view(world, plain.world, home);
    voxel_world_destroy(&plain);
}

static void a_stored_edit_can_be_changed_again(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    CnCell other = {cell.x + 1, cell.y, cell.z};
    voxel_set(world, cell, BLOCK_BRICKS);
    go_away();
    voxel_set(world, other, BLOCK_GLASS);
    go_away();
    assert_int_equal(chunk_store_find(&store, cn_chunk_of(cell))->count, 2);
    assert_int_equal(cn_voxels_get(world, cell), BLOCK_BRICKS);
    assert_int_equal(cn_voxels_get(world, other), BLOCK_GLASS);
}

static void a_chunk_that_is_stored_already_is_unloaded_without_storing_it(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_set(world, cell, BLOCK_BRICKS);
    go_away();
    cn_voxels_get(world, cell);
    go_away();
    assert_false(is_loaded(cell));
    assert_int_equal(store.stores, 1);
}

static void chunks_without_edits_are_never_stored_or_requested(void **state)
{
    (void)state;
    voxel_show(world, HOME);
    go_away();
    voxel_show(world, HOME);
    assert_int_equal(store.stores + store.loads, 0);
}

static void the_hash_is_the_same_before_and_after_unloading(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_set(world, cell, BLOCK_BRICKS);
    uint64_t hash = cn_voxels_hash(world);
    go_away();
    assert_true(cn_voxels_hash(world) == hash);
    cn_voxels_get(world, cell);
    assert_true(cn_voxels_hash(world) == hash);
}

static void sky_heights_include_stored_edits_above_generated_terrain(void **state)
{
    (void)state;
    CnCell tower = {3, 400, 3};
    voxel_set(world, tower, BLOCK_STONE);
    go_away();
    assert_null(cni_voxel_column_find(world, 0, 0));
    assert_int_equal(cn_voxels_height(world, 3, 3), 400);
    go_away();
    assert_int_equal(cn_voxels_light(world, (CnCell){3, 399, 3}) >> 4, 14);
}

static void sky_heights_include_stored_edits_below_the_ground(void **state)
{
    (void)state;
    CnCell top = {3, cn_voxels_height(world, 3, 3), 3};
    for (int32_t i = 0; i < 40; i++)
        voxel_set(world, (CnCell){3, top.y - i, 3}, CN_BLOCK_AIR);
    int32_t height = cn_voxels_height(world, 3, 3);
    assert_true(height <= top.y - 40);
    go_away();
    assert_null(cni_voxel_column_find(world, 0, 0));
    assert_int_equal(cn_voxels_height(world, 3, 3), height);
}

static void memory_goes_down_when_edited_chunks_are_unloaded(void **state)
{
    (void)state;
    voxel_show(world, FAR);
    CnVoxelsStats before = cn_voxels_stats(world);
    for (int32_t i = 0; i < 200; i++)
        voxel_set(world, (CnCell){16 * (i % 14), 16 * (i / 14), 5}, BLOCK_BRICKS);
    CnVoxelsStats edited = cn_voxels_stats(world);
    assert_true(edited.chunks >= before.chunks + 200);
    go_away();
    CnVoxelsStats after = cn_voxels_stats(world);
    assert_int_equal(after.chunks, before.chunks);
    assert_int_equal(after.block_bytes, before.block_bytes);
    assert_true(edited.block_bytes > before.block_bytes);
    assert_int_equal(after.stored, 200);
}

static void awake_water_and_scheduled_ticks_outlive_unloading(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_set(world, cell, CN_BLOCK_WATER);
    assert_true(cn_voxels_schedule(world, cell, 5));
    uint32_t awake = cn_water_awake(world->water);
    assert_true(awake > 0);
    uint64_t hash = cn_voxels_hash(world);
    go_away();
    assert_false(is_loaded(cell));
    assert_int_equal(cn_water_awake(world->water), awake);
    assert_int_equal(world->scheduled.count, 1);
    assert_true(cn_voxels_hash(world) == hash);
}

static void a_world_without_views_unloads_edited_chunks_in_ticks(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 20; i++)
        voxel_set(world, (CnCell){16 * i, 60, 0}, BLOCK_BRICKS);
    for (uint64_t tick = 1; tick < 400; tick++)
        cn_voxels_tick(world, &(CnVoxelsTick){.tick = tick});
    assert_int_equal(cn_voxels_stats(world).chunks, 0);
    assert_int_equal(cn_voxels_get(world, (CnCell){16 * 7, 60, 0}), BLOCK_BRICKS);
}

/* ---- Saving and opening ---- */

static void storing_all_edits_leaves_chunks_loaded(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_set(world, cell, BLOCK_BRICKS);
    assert_true(cn_voxels_store_edits(world, NULL));
    assert_true(is_loaded(cell));
    assert_int_equal(store.stores, 1);
    assert_true(cn_voxels_store_edits(world, NULL));
    assert_int_equal(store.stores, 1);
}

static void a_new_world_opens_what_was_stored(void **state)
{
    (void)state;
    CnCell low = voxel_above_ground(world, 3, 3), high = {20, 300, -5};
    voxel_set(world, low, BLOCK_BRICKS);
    voxel_set(world, high, BLOCK_GLASS);
    assert_true(cn_voxels_store_edits(world, NULL));
    CnVoxelsHooks hooks = chunk_store_hooks(&store);
    VoxelWorld opened = voxel_world_create(NULL, 0, &hooks);
    chunk_store_open(&store, opened.world);
    /* Awake water is not stored; these edits woke none. */
    assert_true(cn_voxels_hash(opened.world) == cn_voxels_hash(world));
    assert_int_equal(cn_voxels_get(opened.world, low), BLOCK_BRICKS);
    assert_int_equal(cn_voxels_get(opened.world, high), BLOCK_GLASS);
    assert_int_equal(cn_voxels_height(opened.world, 3, 3), cn_voxels_height(world, 3, 3));
    assert_true(cn_voxels_hash(opened.world) == cn_voxels_hash(world));
    voxel_world_destroy(&opened);
}

static void a_hash_can_be_computed_from_the_stored_blocks(void **state)
{
    (void)state;
    CnCell cell = voxel_above_ground(world, 3, 3);
    voxel_set(world, cell, BLOCK_BRICKS);
    assert_true(cn_voxels_store_edits(world, NULL));
    const ChunkRecord *record = chunk_store_find(&store, cn_chunk_of(cell));
    CnStoredChunk chunk = {
        .position = cn_chunk_of(cell), .blocks = record->blocks, .count = record->count};
    uint64_t hash;
    assert_true(cn_voxels_stored_hash(world, &chunk, &hash, NULL));
    assert_true(hash == record->hash);
}

static void stored_blocks_out_of_range_have_no_hash(void **state)
{
    (void)state;
    static const CnStoredBlock wrong[] = {{CN_CHUNK_BLOCKS, 0}, {0, BLOCK_COUNT}};
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CnError error = {0};
        uint64_t hash;
        CnStoredChunk chunk = {.blocks = &wrong[i], .count = 1};
        assert_false(cn_voxels_stored_hash(world, &chunk, &hash, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

static void a_chunk_is_announced_once_and_within_the_world(void **state)
{
    (void)state;
    CnError error = {0};
    assert_true(cn_voxels_add_stored(world, HOME, 1, &error));
    assert_false(cn_voxels_add_stored(world, HOME, 1, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_false(cn_voxels_add_stored(world, (CnChunkPos){CN_CHUNK_LIMIT, 0, 0}, 1, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void a_chunk_is_announced_in_a_world_that_is_used(void **state)
{
    (void)state;
    CnCell cell = {16 * HOME.x + 3, 16 * HOME.y + 5, 16 * HOME.z + 7}, far_cell = {400, 20, 7};
    CnBlock block = cn_voxels_get(world, far_cell) == CN_BLOCK_AIR ? CN_BLOCK_WATER : CN_BLOCK_AIR;
    CnVoxelsHooks hooks = chunk_store_hooks(&store);
    VoxelWorld other = voxel_world_create(NULL, 0, &hooks);
    cn_voxels_get(other.world, cell);
    cn_voxels_height(other.world, far_cell.x, far_cell.z + 16);
    CnStoredBlock stored = {.index = (uint16_t)cn_chunk_index(far_cell), .block = block};
    CnStoredChunk chunk = {.position = cn_chunk_of(far_cell), .blocks = &stored, .count = 1};
    assert_true(cn_voxels_stored_hash(other.world, &chunk, &chunk.hash, NULL));
    assert_true(hooks.chunk_store(&store, &chunk));
    assert_true(cn_voxels_add_stored(other.world, chunk.position, chunk.hash, NULL));
    assert_int_equal(cn_voxels_get(other.world, far_cell), block);
    voxel_world_destroy(&other);
}

static void a_loaded_chunk_is_not_announced(void **state)
{
    (void)state;
    CnError error = {0};
    cn_voxels_get(world, (CnCell){16 * HOME.x, 16 * HOME.y, 16 * HOME.z});
    assert_false(cn_voxels_add_stored(world, HOME, 0, &error));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
}

#ifdef CN_GUARDS
static void wrong_calls_are_guarded(void **state)
{
    (void)state;
    VoxelWorld plain = voxel_world_create(NULL, 0, NULL);
    EXPECT_GUARD(cn_voxels_store_edits(plain.world, NULL));
    EXPECT_GUARD(cn_voxels_add_stored(plain.world, HOME, 0, NULL));
    voxel_world_destroy(&plain);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_edited_chunk_is_stored_and_unloaded, make, unmake),
        cmocka_unit_test_setup_teardown(a_stored_edit_comes_back_with_its_chunk, make, unmake),
        cmocka_unit_test_setup_teardown(a_chunk_generated_by_a_job_gets_its_stored_edits, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_stored_edit_can_be_changed_again, make, unmake),
        cmocka_unit_test_setup_teardown(
            a_chunk_that_is_stored_already_is_unloaded_without_storing_it, make, unmake),
        cmocka_unit_test_setup_teardown(chunks_without_edits_are_never_stored_or_requested, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(the_hash_is_the_same_before_and_after_unloading, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(sky_heights_include_stored_edits_above_generated_terrain,
                                        make, unmake),
        cmocka_unit_test_setup_teardown(sky_heights_include_stored_edits_below_the_ground, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(memory_goes_down_when_edited_chunks_are_unloaded, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(awake_water_and_scheduled_ticks_outlive_unloading, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_world_without_views_unloads_edited_chunks_in_ticks, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(storing_all_edits_leaves_chunks_loaded, make, unmake),
        cmocka_unit_test_setup_teardown(a_new_world_opens_what_was_stored, make, unmake),
        cmocka_unit_test_setup_teardown(a_hash_can_be_computed_from_the_stored_blocks, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(stored_blocks_out_of_range_have_no_hash, make, unmake),
        cmocka_unit_test_setup_teardown(a_chunk_is_announced_once_and_within_the_world, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_chunk_is_announced_in_a_world_that_is_used, make, unmake),
        cmocka_unit_test_setup_teardown(a_loaded_chunk_is_not_announced, make, unmake),
#ifdef CN_GUARDS
        cmocka_unit_test_setup_teardown(wrong_calls_are_guarded, make, unmake),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

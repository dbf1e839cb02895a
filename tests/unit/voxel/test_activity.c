/* Scheduled ticks and awake water as bytes: a world that is saved and loaded runs on like the
 * original. */
#include "chunk_store.h"
#include "standard_blocks.h"

#include "voxel/world/voxels_internal.h"

#include <string.h>

#define PLACE_TICK 30u
#define SAVE_TICK 100u
#define END_TICK 400u

static ChunkStore store;
static VoxelWorld first, second;
static CnU8Array bytes;
static CnCell order[64];
static uint32_t order_count;

/* Scheduled ticks schedule others, and put sand. */
static void run_tick(void *user, CnCell cell, CnBlock block, bool random)
{
    (void)block;
    CnVoxels *world = *(CnVoxels **)user;
    if (random)
        return;
    if (order_count < CN_COUNT_OF(order))
        order[order_count++] = cell;
    voxel_set(world, (CnCell){cell.x, cell.y, cell.z + 1}, BLOCK_SAND);
    cn_voxels_schedule(world, (CnCell){cell.x, cell.y, cell.z + 1}, 40);
}

static bool keep_chunk(void *user, const CnStoredChunk *chunk)
{
    (void)user;
    CnVoxelsHooks hooks = chunk_store_hooks(&store);
    return hooks.chunk_store(hooks.user, chunk);
}

static bool give_chunk(void *user, CnChunkPos position, CnStoredBlock *blocks, uint32_t *count)
{
    (void)user;
    CnVoxelsHooks hooks = chunk_store_hooks(&store);
    return hooks.chunk_load(hooks.user, position, blocks, count);
}

/* The budget is so small that cells of water wait for their turn. */
static void tick(CnVoxels *world, uint64_t number)
{
    const CnVec3 player = {3, (float)voxel_above_ground(world, 3, 3).y, 3};
    cn_voxels_tick(
        world,
        &(CnVoxelsTick){
            .tick = number, .players = &player, .player_count = 1, .radius = 2, .water_budget = 2});
}

static VoxelWorld make_world(VoxelWorld *place)
{
    return voxel_world_create(NULL, 0,
                              &(CnVoxelsHooks){.user = &place->world,
                                               .block_tick = run_tick,
                                               .chunk_store = keep_chunk,
                                               .chunk_load = give_chunk});
}

static void act(CnVoxels *world, uint64_t number)
{
    if (number == PLACE_TICK) {
        CnCell cell = voxel_above_ground(world, 3, 3);
        for (int32_t x = 0; x < 12; x += 3)
            voxel_set(world, (CnCell){x, cell.y + 6, 3}, CN_BLOCK_WATER);
        for (int32_t i = 0; i < 8; i++)
            cn_voxels_schedule(world, (CnCell){3 + i, cell.y + 9, 3}, i % 2 ? 90 : 80);
    }
    tick(world, number);
}

static int make(void **state)
{
    (void)state;
    chunk_store_init(&store);
    cn_array_init(&bytes, NULL);
    order_count = 0;
    first = make_world(&first);
    for (uint64_t number = 0; number <= SAVE_TICK; number++)
        act(first.world, number);
    assert_true(cn_voxels_write_activity(first.world, &bytes, NULL));
    assert_true(cn_voxels_store_edits(first.world, NULL));
    second = make_world(&second);
    chunk_store_open(&store, second.world);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&second);
    voxel_world_destroy(&first);
    cn_array_fini(&bytes);
    chunk_store_fini(&store);
    return 0;
}

static void a_world_in_motion_is_saved(void **state)
{
    (void)state;
    assert_true(cn_water_awake(first.world->water) > 0);
    assert_int_equal(first.world->scheduled.count, 8);
}

static void a_loaded_world_has_the_same_hash(void **state)
{
    (void)state;
    assert_true(cn_voxels_hash(first.world) != cn_voxels_hash(second.world));
    assert_true(cn_voxels_read_activity(second.world, bytes.items, bytes.count, NULL));
    assert_true(cn_voxels_hash(first.world) == cn_voxels_hash(second.world));
}

static void a_loaded_world_runs_on_to_the_same_hashes(void **state)
{
    (void)state;
    assert_true(cn_voxels_read_activity(second.world, bytes.items, bytes.count, NULL));
    for (uint64_t number = SAVE_TICK + 1; number < END_TICK; number++) {
        tick(first.world, number);
        tick(second.world, number);
        assert_true(cn_voxels_hash(first.world) == cn_voxels_hash(second.world));
    }
}

static void scheduled_ticks_keep_their_order(void **state)
{
    (void)state;
    CnCell original[CN_COUNT_OF(order)];
    assert_true(cn_voxels_read_activity(second.world, bytes.items, bytes.count, NULL));
    for (uint64_t number = SAVE_TICK + 1; number < SAVE_TICK + 60; number++)
        tick(first.world, number);
    uint32_t count = order_count;
    assert_true(count >= 8);
    memcpy(original, order, sizeof original);
    order_count = 0;
    for (uint64_t number = SAVE_TICK + 1; number < SAVE_TICK + 60; number++)
        tick(second.world, number);
    assert_int_equal(order_count, count);
    assert_memory_equal(original, order, count * sizeof *order);
}

static void written_again_the_bytes_are_the_same(void **state)
{
    (void)state;
    CnU8Array again;
    cn_array_init(&again, NULL);
    assert_true(cn_voxels_read_activity(second.world, bytes.items, bytes.count, NULL));
    assert_true(cn_voxels_write_activity(second.world, &again, NULL));
    assert_int_equal(again.count, bytes.count);
    assert_memory_equal(again.items, bytes.items, bytes.count);
    cn_array_fini(&again);
}

static void truncated_data_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    uint64_t before = cn_voxels_hash(second.world);
    for (uint32_t size = 0; size < bytes.count; size++) {
        CnError error = {0};
        assert_false(cn_voxels_read_activity(second.world, bytes.items, size, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
    assert_true(cn_voxels_hash(second.world) == before);
}

static void another_version_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    bytes.items[8] = 2;
    assert_false(cn_voxels_read_activity(second.world, bytes.items, bytes.count, &error));
    assert_int_equal(error.code, CN_ERROR_VERSION);
}

static void a_cell_of_water_that_is_awake_twice_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    assert_true(cn_water_awake(first.world->water) >= 2);
    memcpy(bytes.items + bytes.count - 16, bytes.items + bytes.count - 32, 16);
    assert_false(cn_voxels_read_activity(second.world, bytes.items, bytes.count, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void changed_bytes_never_break_the_world(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < bytes.count; i++) {
        uint8_t old = bytes.items[i];
        bytes.items[i] ^= (uint8_t)(1u << i % 8);
        cn_voxels_read_activity(second.world, bytes.items, bytes.count, NULL);
        bytes.items[i] = old;
    }
    tick(second.world, SAVE_TICK + 1);
    assert_true(cn_voxels_read_activity(second.world, bytes.items, bytes.count, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_world_in_motion_is_saved, make, unmake),
        cmocka_unit_test_setup_teardown(a_loaded_world_has_the_same_hash, make, unmake),
        cmocka_unit_test_setup_teardown(a_loaded_world_runs_on_to_the_same_hashes, make, unmake),
        cmocka_unit_test_setup_teardown(scheduled_ticks_keep_their_order, make, unmake),
        cmocka_unit_test_setup_teardown(written_again_the_bytes_are_the_same, make, unmake),
        cmocka_unit_test_setup_teardown(truncated_data_is_refused_and_changes_nothing, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(another_version_is_refused, make, unmake),
        cmocka_unit_test_setup_teardown(a_cell_of_water_that_is_awake_twice_is_refused, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(changed_bytes_never_break_the_world, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

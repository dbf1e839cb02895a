/* test-labels: threads */
#include "chunk_store.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include "voxel/world/voxels_internal.h"

#include <cairn/base/linear.h>

#include <math.h>

/* Sanitizers are slow: fewer walkers run the same code. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WALKERS 4
#else
#define WALKERS 16
#endif
#define RADIUS 2
#define HEIGHT 1

static VoxelWorld made;
static CnVoxels *world;
static CnHeap *heap;
static ChunkStore store;

static int make_with(uint32_t workers)
{
    chunk_store_init(&store);
    CnVoxelsHooks hooks = chunk_store_hooks(&store);
    heap = cn_heap_create(NULL, NULL);
    made = voxel_world_create(cn_heap_tag(heap, "voxels"), workers, &hooks);
    world = made.world;
    return 0;
}

static int make(void **state)
{
    (void)state;
    return make_with(0);
}

static int make_with_workers(void **state)
{
    (void)state;
    return make_with(2);
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
    chunk_store_fini(&store);
    return 0;
}

static CnVec3 at(int32_t x, int32_t y, int32_t z)
{
    return cn_vec3(16 * (float)x + 8, 16 * (float)y + 8, 16 * (float)z + 8);
}

static CnVoxelsPrepare around(const CnVec3 *centers, uint32_t count)
{
    return (CnVoxelsPrepare){
        .centers = centers, .count = count, .radius = RADIUS, .height = HEIGHT};
}

static bool prepare_all(const CnVec3 *centers, uint32_t count)
{
    CnVoxelsPrepare prepare = around(centers, count);
    prepare.wait = true;
    return cn_voxels_prepare(world, &prepare);
}

static uint32_t loaded_around(CnChunkPos center, int32_t radius, int32_t height)
{
    uint32_t loaded = 0;
    for (int32_t z = -radius; z <= radius; z++)
        for (int32_t x = -radius; x <= radius; x++)
            for (int32_t y = -height; y <= height; y++)
                loaded += cn_voxels_is_loaded(
                    world, (CnChunkPos){center.x + x, center.y + y, center.z + z});
    return loaded;
}

#define PREPARED ((2 * RADIUS + 1) * (2 * RADIUS + 1) * (2 * HEIGHT + 1))

/* ---- Loading ---- */

static void chunks_around_every_center_are_loaded(void **state)
{
    (void)state;
    CnVec3 centers[2] = {at(0, 1, 0), at(40, 3, -7)};
    assert_true(prepare_all(centers, 2));
    assert_int_equal(loaded_around((CnChunkPos){0, 1, 0}, RADIUS, HEIGHT), PREPARED);
    assert_int_equal(loaded_around((CnChunkPos){40, 3, -7}, RADIUS, HEIGHT), PREPARED);
    assert_int_equal(cn_voxels_stats(world).chunks, 2 * PREPARED);
}

static void shared_surroundings_are_loaded_once(void **state)
{
    (void)state;
    CnVec3 centers[3] = {at(0, 1, 0), at(0, 1, 0), at(1, 1, 0)};
    assert_true(prepare_all(centers, 3));
    uint32_t more = (2 * RADIUS + 1) * (2 * HEIGHT + 1);
    assert_int_equal(cn_voxels_stats(world).chunks, PREPARED + more);
    assert_int_equal(cn_voxels_stats(world).generated, PREPARED + more);
}

static void centers_at_different_heights_of_a_column_are_loaded(void **state)
{
    (void)state;
    CnVec3 centers[2] = {at(0, 1, 0), at(0, 20, 0)};
    assert_true(prepare_all(centers, 2));
    assert_int_equal(loaded_around((CnChunkPos){0, 1, 0}, RADIUS, HEIGHT), PREPARED);
    assert_int_equal(loaded_around((CnChunkPos){0, 20, 0}, RADIUS, HEIGHT), PREPARED);
}

static void queries_at_a_center_generate_nothing(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0);
    assert_true(prepare_all(&center, 1));
    uint64_t generated = cn_voxels_stats(world).generated;
    cn_voxels_light(world, (CnCell){8, 24, 8});
    cn_voxels_height(world, 8, 8);
    CnVec3 player = center;
    cn_voxels_tick(world,
                   &(CnVoxelsTick){.tick = 1, .players = &player, .player_count = 1, .radius = 1});
    assert_int_equal(cn_voxels_stats(world).generated, generated);
}

static void blocks_are_those_of_a_world_that_is_not_prepared(void **state)
{
    (void)state;
    CnVec3 center = at(3, 1, 3);
    assert_true(prepare_all(&center, 1));
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    for (int32_t y = 0; y < 48; y++) {
        CnCell cell = {53, y, 50};
        assert_int_equal(cn_voxels_get(world, cell), cn_voxels_get(other.world, cell));
        assert_int_equal(cn_voxels_light(world, cell), cn_voxels_light(other.world, cell));
    }
    assert_int_equal(cn_voxels_height(world, 53, 50), cn_voxels_height(other.world, 53, 50));
    voxel_world_destroy(&other);
}

static void the_nearest_columns_of_all_centers_come_first(void **state)
{
    (void)state;
    CnVec3 centers[3] = {at(0, 1, 0), at(40, 1, 0), at(80, 1, 0)};
    CnVoxelsPrepare prepare = around(centers, 3);
    prepare.budget = 3;
    assert_false(cn_voxels_prepare(world, &prepare));
    for (int32_t i = 0; i < 3; i++)
        assert_int_equal(loaded_around((CnChunkPos){40 * i, 1, 0}, 0, HEIGHT), 2 * HEIGHT + 1);
    assert_int_equal(cn_voxels_stats(world).chunks, 3 * (2 * HEIGHT + 1));
}

static void a_budget_limits_the_jobs_of_a_call(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0);
    CnVoxelsPrepare prepare = around(&center, 1);
    prepare.budget = 1;
    uint32_t calls = 1;
    while (!cn_voxels_prepare(world, &prepare))
        assert_int_equal(cn_voxels_stats(world).chunks, calls++ * (2 * HEIGHT + 1));
    assert_true(calls >= (2 * RADIUS + 1) * (2 * RADIUS + 1));
}

static void nothing_is_allocated_when_nothing_changes(void **state)
{
    (void)state;
    CnVec3 centers[2] = {at(0, 1, 0), at(5, 1, 0)};
    assert_true(prepare_all(centers, 2));
    CnVoxelsPrepare prepare = around(centers, 2);
    uint64_t before = cn_heap_stats(heap).calls;
    for (uint32_t i = 0; i < 100; i++)
        assert_true(cn_voxels_prepare(world, &prepare));
    assert_int_equal(cn_heap_stats(heap).calls, before);
}

static void positions_that_are_no_numbers_are_harmless(void **state)
{
    (void)state;
    CnVec3 centers[3] = {{NAN, NAN, NAN}, {INFINITY, 0, -INFINITY}, {1e30f, -1e30f, 0}};
    assert_true(prepare_all(centers, 3));
    assert_int_equal(cn_voxels_stats(world).chunks, 3 * PREPARED);
}

/* ---- Unloading ---- */

static void what_a_center_leaves_is_unloaded(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0);
    assert_true(prepare_all(&center, 1));
    center = at(50, 1, 0);
    assert_true(prepare_all(&center, 1));
    assert_int_equal(loaded_around((CnChunkPos){0, 1, 0}, RADIUS, HEIGHT), 0);
    assert_int_equal(cn_voxels_stats(world).chunks, PREPARED);
}

static void one_chunk_further_stays_loaded(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0);
    assert_true(prepare_all(&center, 1));
    center = at(1, 1, 0);
    assert_true(prepare_all(&center, 1));
    assert_int_equal(loaded_around((CnChunkPos){0, 1, 0}, RADIUS, HEIGHT), PREPARED);
    center = at(2, 1, 0);
    assert_true(prepare_all(&center, 1));
    assert_int_equal(loaded_around((CnChunkPos){0, 1, 0}, RADIUS, HEIGHT), PREPARED * 4 / 5);
}

static void a_center_that_another_position_shares_stays(void **state)
{
    (void)state;
    CnVec3 centers[2] = {at(0, 1, 0), at(0, 1, 0)};
    assert_true(prepare_all(centers, 2));
    centers[0] = at(50, 1, 0);
    assert_true(prepare_all(centers, 2));
    assert_int_equal(loaded_around((CnChunkPos){0, 1, 0}, RADIUS, HEIGHT), PREPARED);
}

static void positions_in_another_order_change_nothing(void **state)
{
    (void)state;
    CnVec3 centers[2] = {at(0, 1, 0), at(50, 1, 0)};
    assert_true(prepare_all(centers, 2));
    CnVec3 swapped[2] = {centers[1], centers[0]};
    uint64_t generated = cn_voxels_stats(world).generated;
    CnVoxelsPrepare prepare = around(swapped, 2);
    assert_true(cn_voxels_prepare(world, &prepare));
    assert_int_equal(cn_voxels_stats(world).generated, generated);
    assert_int_equal(cn_voxels_stats(world).chunks, 2 * PREPARED);
}

static void without_centers_everything_is_unloaded(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0);
    assert_true(prepare_all(&center, 1));
    assert_true(prepare_all(NULL, 0));
    assert_int_equal(cn_voxels_stats(world).chunks, 0);
}

static void chunks_loaded_by_queries_far_away_are_unloaded_after_a_while(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0);
    assert_true(prepare_all(&center, 1));
    for (int32_t i = 0; i < 50; i++)
        cn_voxels_get(world, (CnCell){16 * (100 + i), 10, 0});
    CnVoxelsPrepare prepare = around(&center, 1);
    for (uint32_t i = 0; i < 100; i++)
        cn_voxels_prepare(world, &prepare);
    assert_int_equal(cn_voxels_stats(world).chunks, PREPARED);
}

static void edits_of_unloaded_chunks_are_stored_and_come_back(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0), far = at(50, 1, 0);
    assert_true(prepare_all(&center, 1));
    CnCell cell = {3, 20, 3};
    CnBlock block = cn_voxels_get(world, cell) == CN_BLOCK_AIR ? CN_BLOCK_WATER : CN_BLOCK_AIR;
    assert_true(voxel_set(world, cell, block));
    assert_true(prepare_all(&far, 1));
    assert_false(cn_voxels_is_loaded(world, cn_chunk_of(cell)));
    assert_int_equal(store.stores, 1);
    assert_true(prepare_all(&center, 1));
    assert_true(cn_voxels_is_loaded(world, cn_chunk_of(cell)));
    assert_int_equal(cn_voxels_get(world, cell), block);
}

/* Walkers that move apart; the world never holds more than what is near them. */
static void memory_stays_bounded_while_centers_walk(void **state)
{
    (void)state;
    enum { STEPS = 60, SIDE = 2 * RADIUS + 3, KEPT = SIDE * SIDE * (2 * HEIGHT + 3) };
    CnVec3 centers[WALKERS];
    for (uint32_t i = 0; i < WALKERS; i++)
        centers[i] = at((int32_t)(i % 4) * 9, 9, (int32_t)(i / 4) * 9);
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < WALKERS; i++) {
            centers[i].x += i % 2 ? 7.0f : -7.0f;
            centers[i].z += i % 3 ? 5.0f : -6.0f;
        }
        assert_true(prepare_all(centers, WALKERS));
        assert_in_range(cn_voxels_stats(world).chunks, PREPARED, WALKERS * KEPT);
        assert_true(world->columns.count <= WALKERS * SIDE * SIDE);
    }
    assert_true(prepare_all(NULL, 0));
    assert_int_equal(cn_voxels_stats(world).chunks, 0);
    assert_int_equal(world->columns.count, 0);
}

/* ---- With streaming ---- */

static void a_view_and_centers_share_a_world(void **state)
{
    (void)state;
    CnVec3 centers[2] = {at(1, 1, 0), at(30, 1, 0)};
    assert_true(prepare_all(centers, 2));
    voxel_show(world, (CnChunkPos){0, 1, 0});
    assert_true(prepare_all(centers, 2));
    assert_non_null(cn_voxels_mesh(world, (CnChunkPos){0, 1, 0}));
    assert_int_equal(loaded_around((CnChunkPos){30, 1, 0}, RADIUS, HEIGHT), PREPARED);
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    voxel_show(other.world, (CnChunkPos){0, 1, 0});
    assert_same_view(world, other.world, (CnChunkPos){0, 1, 0});
    voxel_world_destroy(&other);
}

static void a_moving_view_leaves_prepared_chunks_alone(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0);
    assert_true(prepare_all(&center, 1));
    voxel_show(world, (CnChunkPos){0, 1, 0});
    voxel_show(world, (CnChunkPos){60, 1, 0});
    assert_null(cn_voxels_mesh(world, (CnChunkPos){0, 1, 0}));
    assert_int_equal(loaded_around((CnChunkPos){0, 1, 0}, RADIUS, HEIGHT), PREPARED);
}

static void the_end_of_preparing_leaves_the_view_alone(void **state)
{
    (void)state;
    CnVec3 center = at(0, 1, 0);
    assert_true(prepare_all(&center, 1));
    voxel_show(world, (CnChunkPos){0, 1, 0});
    assert_true(prepare_all(NULL, 0));
    assert_non_null(cn_voxels_mesh(world, (CnChunkPos){0, 1, 0}));
    assert_int_equal(loaded_around((CnChunkPos){0, 1, 0}, RADIUS, RADIUS), 125);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(chunks_around_every_center_are_loaded, make, unmake),
        cmocka_unit_test_setup_teardown(shared_surroundings_are_loaded_once, make, unmake),
        cmocka_unit_test_setup_teardown(centers_at_different_heights_of_a_column_are_loaded, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(queries_at_a_center_generate_nothing, make, unmake),
        cmocka_unit_test_setup_teardown(blocks_are_those_of_a_world_that_is_not_prepared,
                                        make_with_workers, unmake),
        cmocka_unit_test_setup_teardown(the_nearest_columns_of_all_centers_come_first, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_budget_limits_the_jobs_of_a_call, make, unmake),
        cmocka_unit_test_setup_teardown(nothing_is_allocated_when_nothing_changes,
                                        make_with_workers, unmake),
        cmocka_unit_test_setup_teardown(positions_that_are_no_numbers_are_harmless, make, unmake),
        cmocka_unit_test_setup_teardown(what_a_center_leaves_is_unloaded, make_with_workers,
                                        unmake),
        cmocka_unit_test_setup_teardown(one_chunk_further_stays_loaded, make, unmake),
        cmocka_unit_test_setup_teardown(a_center_that_another_position_shares_stays, make, unmake),
        cmocka_unit_test_setup_teardown(positions_in_another_order_change_nothing, make, unmake),
        cmocka_unit_test_setup_teardown(without_centers_everything_is_unloaded, make, unmake),
        cmocka_unit_test_setup_teardown(
            chunks_loaded_by_queries_far_away_are_unloaded_after_a_while, make, unmake),
        cmocka_unit_test_setup_teardown(edits_of_unloaded_chunks_are_stored_and_come_back,
                                        make_with_workers, unmake),
        cmocka_unit_test_setup_teardown(memory_stays_bounded_while_centers_walk, make_with_workers,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_view_and_centers_share_a_world, make_with_workers,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_moving_view_leaves_prepared_chunks_alone,
                                        make_with_workers, unmake),
        cmocka_unit_test_setup_teardown(the_end_of_preparing_leaves_the_view_alone,
                                        make_with_workers, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

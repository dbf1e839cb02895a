#include "standard_blocks.h"
#include "voxel_world.h"

#include "voxel/world/voxels_internal.h"

#include <cairn/base/hash_map.h>

static VoxelWorld made;
static CnVoxels *world;

typedef struct Seen {
    uint64_t tick;
    CnCell cell;
    bool random;
} Seen;

#define MAX_SEEN 100000u
static Seen seen[MAX_SEEN];
static uint32_t seen_count;
static uint64_t now;
static bool again; /* scheduled ticks schedule themselves anew */

static void note_tick(void *user, CnCell cell, CnBlock block, bool random)
{
    (void)user;
    assert_int_equal(block, cn_voxels_get(world, cell));
    if (seen_count < MAX_SEEN)
        seen[seen_count++] = (Seen){now, cell, random};
    if (again && !random)
        cn_voxels_schedule(world, cell, 0);
}

static int make(void **state)
{
    (void)state;
    seen_count = 0;
    again = false;
    made = voxel_world_create(NULL, 0, &(CnVoxelsHooks){.block_tick = note_tick});
    world = made.world;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    return 0;
}

static void tick_with(uint64_t tick, const CnVec3 *players, uint32_t count)
{
    now = tick;
    cn_voxels_tick(
        world,
        &(CnVoxelsTick){.tick = tick, .players = players, .player_count = count, .radius = 1});
}

/* ---- Scheduled ---- */

static void scheduled_ticks_come_when_they_are_due(void **state)
{
    (void)state;
    tick_with(10, NULL, 0);
    assert_true(cn_voxels_schedule(world, (CnCell){1, 2, 3}, 5));
    assert_true(cn_voxels_schedule(world, (CnCell){4, 5, 6}, 2));
    for (uint64_t t = 11; t < 20; t++)
        tick_with(t, NULL, 0);
    assert_int_equal(seen_count, 2);
    assert_int_equal(seen[0].tick, 12);
    assert_int_equal(seen[0].cell.x, 4);
    assert_int_equal(seen[1].tick, 15);
    assert_int_equal(seen[1].cell.x, 1);
}

static void those_of_one_tick_come_in_the_order_of_asking(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 100; i++)
        cn_voxels_schedule(world, (CnCell){i * 7 % 100, 0, 0}, 3 + (uint32_t)(i % 2));
    tick_with(3, NULL, 0);
    assert_int_equal(seen_count, 50);
    for (int32_t i = 0; i < 50; i++)
        assert_int_equal(seen[i].cell.x, 2 * i * 7 % 100);
}

static void a_tick_that_requests_itself_runs_in_the_next_tick(void **state)
{
    (void)state;
    again = true;
    cn_voxels_schedule(world, (CnCell){0}, 1);
    for (uint64_t t = 1; t <= 5; t++)
        tick_with(t, NULL, 0);
    assert_int_equal(seen_count, 5);
}

static void cells_outside_of_the_world_are_not_scheduled(void **state)
{
    (void)state;
    assert_false(cn_voxels_schedule(world, (CnCell){INT32_MAX, 0, 0}, 1));
}

static void what_is_scheduled_is_in_the_hash(void **state)
{
    (void)state;
    uint64_t before = cn_voxels_hash(world);
    cn_voxels_schedule(world, (CnCell){0}, 1);
    assert_int_not_equal(cn_voxels_hash(world), before);
    tick_with(1, NULL, 0);
    assert_int_equal(cn_voxels_hash(world), before);
}

/* ---- Random ---- */

static const CnVec3 UNDERGROUND = {8, -60, 8};

static void random_ticks_hit_each_near_chunk_as_often_as_requested(void **state)
{
    (void)state;
    /* Players who share chunks do not make them older. */
    const CnVec3 two[] = {UNDERGROUND, UNDERGROUND};
    for (uint64_t t = 0; t < 20; t++)
        tick_with(t, two, 2);
    uint32_t count = 0;
    for (uint32_t i = 0; i < seen_count; i++)
        count += seen[i].random;
    assert_true(count <= 20 * 27 * 3); /* Those that hit air are not told. */
    assert_true(count > 20 * 27 * 3 / 2);
    for (uint32_t i = 0; i < seen_count; i++) {
        CnChunkPos chunk = cn_chunk_of(seen[i].cell);
        assert_in_range(chunk.x + 1, 0, 2);
        assert_in_range(chunk.y + 5, 0, 2);
        assert_in_range(chunk.z + 1, 0, 2);
    }
}

static uint64_t hash_of_random_ticks(bool streaming)
{
    seen_count = 0;
    for (uint64_t t = 0; t < 10; t++) {
        if (streaming)
            voxel_show(world, (CnChunkPos){0, (int32_t)t - 6, 0});
        tick_with(t, &UNDERGROUND, 1);
    }
    assert_true(seen_count > 100);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < seen_count; i++)
        hash = cn_hash_mix(hash ^ cn_hash_bytes(&seen[i].cell, sizeof(CnCell), seen[i].tick));
    return hash;
}

static void random_ticks_do_not_see_streaming(void **state)
{
    (void)state;
    assert_int_equal(hash_of_random_ticks(false), hash_of_random_ticks(true));
}

static void what_ticks_leave_behind_is_unloaded(void **state)
{
    (void)state;
    uint32_t most = 0;
    for (uint64_t t = 0; t < 2000; t++) {
        CnVec3 player = {(float)t * 4, -60, 0};
        tick_with(t, &player, 1);
        uint32_t chunks = cn_voxels_stats(world).chunks;
        most = chunks > most ? chunks : most;
    }
    assert_true(most < 2000);
}

/* ---- Water ---- */

static CnCell make_basin(void)
{
    CnCell floor = {8, 200, 8};
    for (int32_t x = -3; x <= 3; x++)
        for (int32_t z = -3; z <= 3; z++)
            voxel_set(world, (CnCell){floor.x + x, floor.y, floor.z + z}, BLOCK_STONE);
    return (CnCell){floor.x, floor.y + 1, floor.z};
}

static void water_flows_in_ticks(void **state)
{
    (void)state;
    CnCell spring = make_basin();
    CnVec3 player = {8, 201, 8};
    voxel_set(world, spring, CN_BLOCK_WATER);
    for (uint64_t t = 1; t < 15; t++)
        tick_with(t, &player, 1);
    CnCell beside = {spring.x + 1, spring.y, spring.z};
    assert_int_equal(cn_voxels_get(world, beside), CN_BLOCK_AIR);
    for (uint64_t t = 15; t < 600; t++)
        tick_with(t, &player, 1);
    assert_true(standard_blocks()->flags[cn_voxels_get(world, beside)] & CN_BLOCK_IS_WATER);
    CnEdit last = cn_edit_log_at(cn_voxels_log(world), cn_edit_log_count(cn_voxels_log(world)) - 1);
    assert_int_equal(last.kind, CN_EDIT_FLOW);
    assert_int_equal(last.player, CN_EDIT_NOBODY);
}

static void water_flows_near_the_last_of_many_players(void **state)
{
    (void)state;
    CnCell spring = make_basin();
    static CnVec3 players[100];
    for (uint32_t i = 0; i < 99; i++)
        players[i] = (CnVec3){80000, 201, 8};
    players[99] = (CnVec3){8, 201, 8};
    voxel_set(world, spring, CN_BLOCK_WATER);
    world->hooks.block_tick = NULL; /* random ticks cost much so far apart */
    for (uint64_t t = 0; t <= 30; t++)
        tick_with(t, players, 100);
    CnCell beside = {spring.x + 1, spring.y, spring.z};
    assert_true(standard_blocks()->flags[cn_voxels_get(world, beside)] & CN_BLOCK_IS_WATER);
}

static void water_stands_still_where_nobody_is(void **state)
{
    (void)state;
    CnCell spring = make_basin();
    CnVec3 player = {800, 201, 8};
    voxel_set(world, spring, CN_BLOCK_WATER);
    for (uint64_t t = 0; t < 60; t++)
        tick_with(t, &player, 1);
    assert_int_equal(cn_voxels_get(world, (CnCell){spring.x + 1, spring.y, spring.z}),
                     CN_BLOCK_AIR);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scheduled_ticks_come_when_they_are_due),
        TEST(those_of_one_tick_come_in_the_order_of_asking),
        TEST(a_tick_that_requests_itself_runs_in_the_next_tick),
        TEST(cells_outside_of_the_world_are_not_scheduled),
        TEST(what_is_scheduled_is_in_the_hash),
        TEST(random_ticks_hit_each_near_chunk_as_often_as_requested),
        TEST(random_ticks_do_not_see_streaming),
        TEST(what_ticks_leave_behind_is_unloaded),
        TEST(water_flows_in_ticks),
        TEST(water_flows_near_the_last_of_many_players),
        TEST(water_stands_still_where_nobody_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

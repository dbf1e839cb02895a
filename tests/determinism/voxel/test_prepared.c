/* test-labels: threads */
/* The same session of edits, random ticks and water of players who walk, in worlds that are
 * prepared with several numbers of workers and in one that is not. */
#include "voxel_world.h"

#include "standard_blocks.h"

#include <cairn/voxel/edited_chunks.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TICKS 40u
#else
#define TICKS 200u
#endif
#define PLAYERS 3u

typedef struct Session {
    VoxelWorld made;
    CnVec3 players[PLAYERS];
    uint32_t ticks; /* random ones that placed a block */
} Session;

static void grow(void *user, CnCell cell, CnBlock block, bool random)
{
    Session *session = user;
    CnCell above = {cell.x, cell.y + 1, cell.z};
    if (!random || block != BLOCK_GRASS ||
        cn_voxels_get(session->made.world, above) != CN_BLOCK_AIR ||
        cn_voxels_light(session->made.world, above) >> 4 < 12)
        return;
    session->ticks += voxel_set(session->made.world, above, BLOCK_BRICKS);
}

static void begin(Session *session, uint32_t workers)
{
    *session = (Session){.made = voxel_world_create(NULL, workers, NULL)};
    for (uint32_t i = 0; i < PLAYERS; i++)
        session->players[i] = (CnVec3){(float)i * 90, 40, (float)i * -30};
}

static void step(Session *session, uint32_t tick, bool prepares)
{
    CnVoxels *world = session->made.world;
    for (uint32_t i = 0; i < PLAYERS; i++) {
        session->players[i].x += i == 1 ? -3.0f : 3.0f;
        session->players[i].z += (float)i;
    }
    if (prepares)
        cn_voxels_prepare(world, &(CnVoxelsPrepare){.centers = session->players,
                                                    .count = PLAYERS,
                                                    .radius = 2,
                                                    .height = 2,
                                                    .budget = 3});
    if (tick % 20 == 5)
        assert_true(voxel_set(
            world, (CnCell){(int32_t)session->players[0].x, 60, (int32_t)session->players[0].z},
            CN_BLOCK_WATER));
    cn_voxels_tick(world, &(CnVoxelsTick){.tick = tick,
                                          .players = session->players,
                                          .player_count = PLAYERS,
                                          .radius = 1,
                                          .random_ticks = 1,
                                          .block_tick = grow,
                                          .user = session,
                                          .water_ticks = 3});
}

static void assert_same_columns(Session *a, Session *b)
{
    for (int32_t x = -8; x < 40; x++) {
        uint64_t one, other;
        if (cn_voxels_column_hash(a->made.world, x, 0, 0, 4, &one) &&
            cn_voxels_column_hash(b->made.world, x, 0, 0, 4, &other))
            assert_true(one == other);
    }
}

static void compare_with(uint32_t workers)
{
    Session plain, prepared;
    begin(&plain, 0);
    begin(&prepared, workers);
    for (uint32_t tick = 1; tick <= TICKS; tick++) {
        step(&plain, tick, false);
        step(&prepared, tick, true);
        assert_true(cn_voxels_hash(plain.made.world) == cn_voxels_hash(prepared.made.world));
    }
    assert_true(plain.ticks > 0);
    assert_int_equal(plain.ticks, prepared.ticks);
    assert_same_columns(&plain, &prepared);
    voxel_world_destroy(&plain.made);
    voxel_world_destroy(&prepared.made);
}

static void preparing_without_workers_changes_nothing(void **state)
{
    (void)state;
    compare_with(0);
}

static void preparing_with_a_worker_changes_nothing(void **state)
{
    (void)state;
    compare_with(1);
}

static void preparing_with_two_workers_changes_nothing(void **state)
{
    (void)state;
    compare_with(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preparing_without_workers_changes_nothing),
        cmocka_unit_test(preparing_with_a_worker_changes_nothing),
        cmocka_unit_test(preparing_with_two_workers_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

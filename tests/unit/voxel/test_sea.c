/* The sea of a generated world, and what is dug beside it. */
#include "standard_blocks.h"
#include "voxel_world.h"

#include <cairn/voxel/water.h>

#define CANAL 14
#define SIDE 128
#define MAX_FLOWED 100000u

static VoxelWorld made;
static CnVoxels *world;
static CnCell flowed[MAX_FLOWED];
static uint32_t flow_count, lost_sources;

static void note_change(void *user, const CnEdit *edit)
{
    (void)user;
    if (edit->kind != CN_EDIT_FLOW)
        return;
    lost_sources += edit->old_block == CN_BLOCK_WATER;
    assert_true(flow_count < MAX_FLOWED);
    flowed[flow_count++] = edit->cell;
}

static int make(void **state)
{
    (void)state;
    flow_count = lost_sources = 0;
    made = voxel_world_create(NULL, 0, &(CnVoxelsHooks){.block_changed = note_change});
    world = made.world;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    return 0;
}

/* Sea on one side, and land for a canal towards +x. */
static bool is_shore(CnCell cell)
{
    CnCell sea = {cell.x - 1, cell.y, cell.z};
    bool shore = cn_voxels_get(world, sea) == CN_BLOCK_WATER;
    for (int32_t i = 0; i < CANAL && shore; i++)
        for (int32_t y = -1; y <= 0 && shore; y++)
            for (int32_t z = -1; z <= 1 && shore; z++) {
                CnCell rock = {cell.x + i, cell.y + y, cell.z + z};
                shore = standard_blocks()->flags[cn_voxels_get(world, rock)] & CN_BLOCK_IS_OPAQUE;
            }
    return shore;
}

/* Heights tell where to look; blocks, whether it will do. */
static CnCell find_shore(void)
{
    static CnColumn columns[SIDE * SIDE];
    CnGenerateScratch *scratch = cn_generate_scratch_create(made.generator);
    CnCell found = {0, INT32_MIN, 0};
    for (int32_t i = 0; i < 400 && found.y == INT32_MIN; i++) {
        CnColumnGrid grid = {SIDE * (i % 20 - 10), SIDE * (i / 20 - 10), 1, SIDE};
        cn_generate_columns(made.generator, scratch, &grid, columns);
        for (int32_t k = 1; k < SIDE * SIDE && found.y == INT32_MIN; k++) {
            CnCell cell = {grid.x + k % SIDE, CN_SEA_LEVEL, grid.z + k / SIDE};
            if (k % SIDE > 0 && columns[k - 1].underwater && !columns[k].underwater &&
                is_shore(cell))
                found = cell;
        }
    }
    cn_generate_scratch_destroy(scratch);
    assert_int_not_equal(found.y, INT32_MIN);
    return found;
}

/* Steps of water until there has been none that changed anything for a while. */
static void settle(CnCell center)
{
    static uint64_t tick;
    CnVec3 player = {(float)center.x, (float)center.y, (float)center.z};
    for (uint32_t quiet = 0, steps = 0; quiet < 20; steps++) {
        assert_true(steps < 2000);
        uint32_t before = flow_count;
        cn_voxels_tick(
            world, &(CnVoxelsTick){
                       .tick = ++tick, .players = &player, .player_count = 1, .water_ticks = 1});
        quiet = flow_count == before ? quiet + 1 : 0;
    }
}

static uint32_t level_at(CnCell cell)
{
    return cn_water_level(cn_voxels_get(world, cell));
}

/* From the far end, so that the sea comes with the last block. */
static CnCell dig_canal(void)
{
    CnCell shore = find_shore();
    for (int32_t i = CANAL - 2; i >= 0; i--)
        assert_true(voxel_set(world, (CnCell){shore.x + i, shore.y, shore.z}, CN_BLOCK_AIR));
    return shore;
}

static void the_sea_runs_into_a_canal_and_comes_to_rest(void **state)
{
    (void)state;
    CnCell shore = dig_canal();
    settle(shore);
    for (int32_t i = 0; i < CANAL - 1; i++)
        assert_int_equal(level_at((CnCell){shore.x + i, shore.y, shore.z}), i < 7 ? 7 - i : 0);
    assert_int_equal(flow_count, 7);
    assert_int_equal(lost_sources, 0);
}

static void a_plug_dries_the_canal(void **state)
{
    (void)state;
    CnCell shore = dig_canal();
    settle(shore);
    assert_true(voxel_set(world, shore, BLOCK_STONE));
    settle(shore);
    for (uint32_t i = 0; i < flow_count; i++)
        assert_int_equal(level_at(flowed[i]), 0);
    assert_int_equal(level_at((CnCell){shore.x - 1, shore.y, shore.z}), 8);
}

static void a_bucket_out_of_the_sea_leaves_no_hole(void **state)
{
    (void)state;
    CnCell shore = find_shore(), cell = {shore.x - 1, CN_SEA_LEVEL, shore.z};
    while (cn_voxels_get(world, (CnCell){cell.x - 1, cell.y, cell.z}) != CN_BLOCK_WATER ||
           cn_voxels_get(world, (CnCell){cell.x + 1, cell.y, cell.z}) != CN_BLOCK_WATER ||
           cn_voxels_get(world, (CnCell){cell.x, cell.y, cell.z + 1}) != CN_BLOCK_WATER)
        cell.x--;
    assert_true(voxel_set(world, cell, CN_BLOCK_AIR));
    settle(cell);
    assert_int_equal(level_at(cell), 8);
    assert_int_equal(lost_sources, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_sea_runs_into_a_canal_and_comes_to_rest),
        TEST(a_plug_dries_the_canal),
        TEST(a_bucket_out_of_the_sea_leaves_no_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How much water is above the eye: asked of the blocks, whatever the height of the sea. */
#include "cmocka_tests.h"
#include "voxel_world.h"

#include <crafty/sim/air.h>

#define LAKE 300 /* high above the sea; the bottom of a column of water, three deep */

static VoxelWorld make_lake(void)
{
    VoxelWorld blocks = voxel_world_create(cn_system_allocator(), 0, NULL);
    for (int32_t y = LAKE; y < LAKE + 3; y++)
        assert_true(voxel_set(blocks.world, (CnCell){0, y, 0}, CN_BLOCK_WATER));
    return blocks;
}

static void a_lake_above_the_sea_has_its_own_surface(void **state)
{
    (void)state;
    VoxelWorld blocks = make_lake();
    assert_float_equal(crafty_water_above(blocks.world, cn_vec3(0.5f, LAKE + 0.5f, 0.5f)), 2.375f,
                       1e-4f);
    voxel_world_destroy(&blocks);
}

static void an_eye_over_the_surface_is_not_under_water(void **state)
{
    (void)state;
    VoxelWorld blocks = make_lake();
    assert_true(crafty_water_above(blocks.world, cn_vec3(0.5f, LAKE + 2.95f, 0.5f)) == 0);
    assert_true(crafty_water_above(blocks.world, cn_vec3(1.5f, LAKE + 0.5f, 0.5f)) == 0);
    voxel_world_destroy(&blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lake_above_the_sea_has_its_own_surface),
        cmocka_unit_test(an_eye_over_the_surface_is_not_under_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is above the eye: water, whatever the height of the sea, and what hides the sky. */
#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/sim/place.h>

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

/* A hollow of 3 x 3 x 3 in a cube of stone. */
static void make_room(CnVoxels *world)
{
    for (int32_t i = 0; i < 125; i++) {
        CnCell cell = {i % 5, LAKE + i / 5 % 5, i / 25};
        bool is_inside = cell.x % 4 && (cell.y - LAKE) % 4 && cell.z % 4;
        assert_true(is_inside || voxel_set(world, cell, BLOCK_STONE));
    }
}

static void rock_all_around_shelters_from_the_sky(void **state)
{
    (void)state;
    VoxelWorld blocks = voxel_world_create(cn_system_allocator(), 0, NULL);
    CnVec3 inside = cn_vec3(2.5f, LAKE + 2.5f, 2.5f);
    assert_true(crafty_shelter(blocks.world, inside, 0) == 0);
    make_room(blocks.world);
    assert_true(crafty_shelter(blocks.world, inside, 0) == 1);
    assert_true(crafty_shelter(blocks.world, cn_vec3(2.5f, LAKE + 5.5f, 2.5f), 0) == 0);
    /* As dark as that is deep water, which is none. */
    assert_true(crafty_shelter(blocks.world, inside, 8) == 0);
    voxel_world_destroy(&blocks);
}

static void shelter_grows_without_a_step(void **state)
{
    (void)state;
    VoxelWorld blocks = voxel_world_create(cn_system_allocator(), 0, NULL);
    make_room(blocks.world);
    float last = 1;
    for (int32_t i = 0; i <= 64; i++) { /* up through the roof */
        float now =
            crafty_shelter(blocks.world, cn_vec3(2.5f, LAKE + 2.5f + (float)i / 16, 2.5f), 0);
        assert_true(now <= last && last - now < 0.35f);
        last = now;
    }
    assert_true(last == 0);
    voxel_world_destroy(&blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lake_above_the_sea_has_its_own_surface),
        cmocka_unit_test(an_eye_over_the_surface_is_not_under_water),
        cmocka_unit_test(rock_all_around_shelters_from_the_sky),
        cmocka_unit_test(shelter_grows_without_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

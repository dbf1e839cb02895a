/* Torches for images: where they stand in a cave that a test builds. */
#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/world/torches.h>

/* High above the ground, so that only what a test builds is there. */
#define HIGH 300

static VoxelWorld blocks;
static CnCell torches[CRAFTY_MAX_TORCHES];
static uint32_t torch_count;

static void block_changed(void *user, const CnEdit *edit)
{
    (void)user;
    if (edit->new_block == BLOCK_TORCH)
        torches[torch_count++] = edit->cell;
}

static void fill(CnCell from, CnCell to, CnBlock block)
{
    for (int32_t z = from.z; z <= to.z; z++)
        for (int32_t y = from.y; y <= to.y; y++)
            for (int32_t x = from.x; x <= to.x; x++)
                assert_true(voxel_set(blocks.world, (CnCell){x, HIGH + y, z}, block));
}

/* Of stone, 16 x 4 x 8 inside, and one behind a wall, which nobody comes to. */
static void begin(void)
{
    torch_count = 0;
    blocks = voxel_world_create(cn_system_allocator(), 0,
                                &(CnVoxelsHooks){.block_changed = block_changed});
    fill((CnCell){0, 0, 0}, (CnCell){24, 5, 9}, BLOCK_STONE);
    fill((CnCell){1, 1, 1}, (CnCell){16, 4, 8}, CN_BLOCK_AIR);
    fill((CnCell){18, 1, 1}, (CnCell){23, 4, 8}, CN_BLOCK_AIR);
}

static uint32_t place(uint32_t count)
{
    return crafty_torches_place(blocks.world, (CnVec3){8.5f, HIGH + 2.6f, 4.5f}, count);
}

static void torches_stand_apart_on_the_floor_beside_walls(void **state)
{
    (void)state;
    begin();
    assert_int_equal(place(3), 3);
    assert_int_equal(torch_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CnCell a = torches[i];
        assert_int_equal(a.y, HIGH + 1);
        assert_true(a.x == 1 || a.x == 16 || a.z == 1 || a.z == 8);
        for (uint32_t j = 0; j < i; j++) {
            int32_t x = a.x - torches[j].x, z = a.z - torches[j].z;
            assert_true(x * x + z * z >= 25);
        }
    }
    voxel_world_destroy(&blocks);
}

static void what_the_eye_has_no_way_to_stays_dark(void **state)
{
    (void)state;
    begin();
    uint32_t count = place(CRAFTY_MAX_TORCHES);
    assert_in_range(count, 3, 20);
    for (uint32_t i = 0; i < count; i++)
        assert_in_range(torches[i].x, 1, 16);
    voxel_world_destroy(&blocks);
}

static void there_are_none_under_the_open_sky(void **state)
{
    (void)state;
    begin();
    fill((CnCell){0, 5, 0}, (CnCell){24, 5, 9}, CN_BLOCK_AIR);
    assert_int_equal(place(8), 0);
    voxel_world_destroy(&blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torches_stand_apart_on_the_floor_beside_walls),
        cmocka_unit_test(what_the_eye_has_no_way_to_stays_dark),
        cmocka_unit_test(there_are_none_under_the_open_sky),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: threads */
#include "voxel_world.h"

#include <cairn/base/clock.h>

static const CnChunkPos HOME = {0, 1, 0};

/* Goes there by some way, in frames of a small budget, and stays until everything is shown. */
static void walk(CnVoxels *world, const CnChunkPos *way, uint32_t count, uint32_t budget)
{
    CnVoxelsView view;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t frame = 0; frame < 4; frame++) {
            view = voxel_view(way[i]);
            view.forward = (CnVec3){(float)(i % 3) - 1, 0, (float)(frame % 3) - 1};
            view.budget = budget;
            cn_voxels_stream(world, &view);
        }
    }
    voxel_show(world, HOME);
}

static void any_way_and_any_number_of_threads_shows_the_same(void **state)
{
    (void)state;
    static const CnChunkPos ways[][5] = {
        {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}},
        {{4, 1, 0}, {3, 2, 1}, {2, 3, 1}, {1, 2, 0}, {0, 1, 1}},
        {{-40, 1, 0}, {0, 30, 0}, {0, -7, 0}, {1, 1, 1}, {-2, 0, 0}},
    };
    VoxelWorld plain = voxel_world_create(NULL, 0, NULL);
    voxel_show(plain.world, HOME);
    for (uint32_t workers = 0; workers <= 3; workers++) {
        for (size_t i = 0; i < CN_COUNT_OF(ways); i++) {
            VoxelWorld other = voxel_world_create(NULL, workers, NULL);
            walk(other.world, ways[i], 5, 1 + 5 * (uint32_t)i);
            assert_same_view(plain.world, other.world, HOME);
            voxel_world_destroy(&other);
        }
    }
    voxel_world_destroy(&plain);
}

static void light_is_the_same_requested_or_streamed(void **state)
{
    (void)state;
    VoxelWorld asked = voxel_world_create(NULL, 0, NULL);
    VoxelWorld streamed = voxel_world_create(NULL, 1, NULL);
    voxel_show(streamed.world, HOME);
    for (int32_t i = 0; i < 48 * 48 * 48; i += 7) {
        CnCell cell = {16 * HOME.x - 16 + i % 48, 16 * HOME.y - 16 + i / 48 % 48,
                       16 * HOME.z - 16 + i / 48 / 48};
        assert_int_equal(cn_voxels_light(asked.world, cell), cn_voxels_light(streamed.world, cell));
    }
    voxel_world_destroy(&asked);
    voxel_world_destroy(&streamed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_way_and_any_number_of_threads_shows_the_same),
        cmocka_unit_test(light_is_the_same_requested_or_streamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What water does to the ground: seen, without seams, and the same however it is asked for. */
#include "cmocka_tests.h"
#include "standard_blocks.h"

#include "voxel/generate/erosion.h"

#include <stdlib.h>
#include <string.h>

#define SIDE 64u
#define SEED 42

static CnGenerator *create(uint64_t cache_bytes)
{
    CnError error;
    CnGenerator *generator = cn_generator_create(&(CnGeneratorDesc){.blocks = standard_blocks(),
                                                                    .seed = SEED,
                                                                    .cache_bytes = cache_bytes,
                                                                    .no_features = true},
                                                 &error);
    assert_non_null(generator);
    return generator;
}

/* What is added to columns, as floats. */
static void change_of(CnGenerator *generator, CnColumnGrid grid, float *changes)
{
    memset(changes, 0, grid.count * grid.count * sizeof *changes);
    cni_voxel_erosion_add(cni_voxel_generator_erosion(generator), &grid, changes);
}

/* Where the land is steep: the largest difference of heights 16 blocks apart. */
static CnCell find_mountain(CnGenerator *generator)
{
    static float heights[SIDE * SIDE];
    CnColumnGrid grid = {-1024, -1024, 32, SIDE};
    cni_voxel_terrain_base(generator, &grid, heights);
    CnCell best = {0, 0, 0};
    float steepest = 0;
    for (uint32_t k = 1; k < SIDE - 1; k++) {
        for (uint32_t i = 1; i < SIDE - 1; i++) {
            float rise = heights[i + 1 + SIDE * k] - heights[i + SIDE * k];
            rise = rise < 0 ? -rise : rise;
            if (rise > steepest && heights[i + SIDE * k] > 30) {
                steepest = rise;
                best = (CnCell){grid.x + (int32_t)i * 32, 0, grid.z + (int32_t)k * 32};
            }
        }
    }
    return best;
}

static void slopes_get_valleys_and_fans_of_several_blocks(void **state)
{
    (void)state;
    static float changes[SIDE * SIDE];
    CnGenerator *generator = create(0);
    CnCell at = find_mountain(generator);
    change_of(generator, (CnColumnGrid){at.x - 128, at.z - 128, 4, SIDE}, changes);
    float lowest = 0, highest = 0;
    uint32_t moved = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        lowest = changes[i] < lowest ? changes[i] : lowest;
        highest = changes[i] > highest ? changes[i] : highest;
        moved += changes[i] > 1 || changes[i] < -1;
    }
    assert_true(lowest < -4);
    assert_true(highest > 2);
    assert_true(moved > SIDE * SIDE / 10);
    cn_generator_destroy(generator);
}

/* Windows meet at multiples of 256 blocks: there the change may not jump more than elsewhere. */
static void no_seam_shows_where_windows_meet(void **state)
{
    (void)state;
    static float changes[SIDE * SIDE];
    CnGenerator *generator = create(0);
    CnCell at = find_mountain(generator);
    CnColumnGrid grid = {(at.x & ~255) - (int32_t)SIDE / 2, at.z - (int32_t)SIDE / 2, 1, SIDE};
    change_of(generator, grid, changes);
    float at_border = 0, elsewhere = 0;
    for (uint32_t k = 0; k < SIDE; k++) {
        for (uint32_t i = 1; i < SIDE; i++) {
            float jump = changes[i + SIDE * k] - changes[i - 1 + SIDE * k];
            jump = jump < 0 ? -jump : jump;
            float *most = i == SIDE / 2 ? &at_border : &elsewhere;
            *most = jump > *most ? jump : *most;
        }
    }
    assert_true(elsewhere > 0);
    assert_true(at_border <= elsewhere);
    cn_generator_destroy(generator);
}

static void windows_that_overlap_see_the_same_valleys(void **state)
{
    (void)state;
    static float heights[2][CNI_VOXEL_EROSION_CELLS];
    static int16_t changes[2][CNI_VOXEL_EROSION_CELLS];
    CnGenerator *generator = create(0);
    CnCell at = find_mountain(generator);
    CniVoxelWindowPos first = {(at.x >> 8) - 1, at.z >> 8};
    for (int32_t w = 0; w < 2; w++) {
        CniVoxelWindowPos position = {first.x + w, first.z};
        CnColumnGrid grid = {position.x * 256, position.z * 256, CNI_VOXEL_EROSION_CELL,
                             CNI_VOXEL_EROSION_SIZE};
        cni_voxel_terrain_base(generator, &grid, heights[w]);
        cni_voxel_erosion_run(SEED, position, heights[w], changes[w]);
    }
    /* The stripe between both, far from the borders of either. */
    uint64_t moved = 0, differ = 0;
    for (int32_t z = 40; z < 88; z++) {
        for (int32_t x = 24; x < 40; x++) {
            int32_t a = changes[0][x + CNI_VOXEL_EROSION_STRIDE + CNI_VOXEL_EROSION_SIZE * z];
            int32_t b = changes[1][x + CNI_VOXEL_EROSION_SIZE * z];
            moved += (uint64_t)abs(a) + (uint64_t)abs(b);
            differ += (uint64_t)abs(a - b);
        }
    }
    assert_true(moved > 0);
    assert_true(differ * 4 < moved);
    cn_generator_destroy(generator);
}

static void a_column_is_the_same_in_every_batch(void **state)
{
    (void)state;
    static float fine[SIDE * SIDE], coarse[SIDE * SIDE];
    CnGenerator *generator = create(0);
    CnCell at = find_mountain(generator);
    int32_t x = at.x - 29, z = at.z + 3;
    change_of(generator, (CnColumnGrid){x, z, 1, SIDE}, fine);
    for (int32_t step = 2; step <= 32; step *= 2) {
        uint32_t count = SIDE / (uint32_t)step;
        change_of(generator, (CnColumnGrid){x, z, step, count}, coarse);
        for (uint32_t i = 0; i < count * count; i++) {
            uint32_t column = i % count * (uint32_t)step + SIDE * (i / count) * (uint32_t)step;
            assert_memory_equal(&fine[column], &coarse[i], sizeof(float));
        }
    }
    cn_generator_destroy(generator);
}

static void how_many_windows_are_kept_cannot_be_seen(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    static float few[COUNT * COUNT], many[COUNT * COUNT];
    CnGenerator *small = create(1), *large = create(0);
    CnCell at = find_mountain(large);
    CnColumnGrid grid = {at.x - 320, at.z - 320, 16, COUNT};
    change_of(small, grid, few);
    change_of(large, grid, many);
    assert_memory_equal(few, many, sizeof few);
    change_of(small, grid, few);
    assert_memory_equal(few, many, sizeof few);
    cn_generator_destroy(small);
    cn_generator_destroy(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_get_valleys_and_fans_of_several_blocks),
        cmocka_unit_test(no_seam_shows_where_windows_meet),
        cmocka_unit_test(windows_that_overlap_see_the_same_valleys),
        cmocka_unit_test(a_column_is_the_same_in_every_batch),
        cmocka_unit_test(how_many_windows_are_kept_cannot_be_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

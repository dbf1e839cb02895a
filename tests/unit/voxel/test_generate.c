#include "cmocka_tests.h"
#include "random.h"
#include "voxel/generate/generator.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#include <cairn/base/cpu.h>
#include <cairn/base/math.h>

#include <string.h>

/* A second opinion, which no test but this one links. */
#include "../../../bench/bench_voxel/naive_generate.c"

static CnBlock blocks[CN_CHUNK_BLOCKS], other[CN_CHUNK_BLOCKS];

/* ---- The same world as the plain program's ---- */

static void assert_same_as_naive(GeneratedWorld *world, const NaiveWorld *naive,
                                 CnChunkPos position)
{
    const CnSimdPath before = cn_simd_path();
    naive_generate(naive, position, other);
    for (int path = 0; path < CN_SIMD_PATH_COUNT; path++) {
        if (!cn_simd_force((CnSimdPath)path))
            continue;
        /* Its columns push out those that another path has left in the scratch. */
        cn_generate_max_height(world->generator, world->scratch, position.x + 1024, position.z);
        cn_generate(world->generator, world->scratch, position, blocks);
        if (memcmp(blocks, other, sizeof blocks) != 0)
            fail_msg("chunk %d %d %d differs", position.x, position.y, position.z);
    }
    cn_simd_force(before);
}

/* Chunks at the surface and at every height, scattered over a large area. */
static void assert_worlds_agree(uint64_t seed, uint32_t columns)
{
    GeneratedWorld world = generated_bare(seed);
    const NaiveWorld naive = naive_world(seed);
    TestRandom random = {seed};
    for (uint32_t i = 0; i < columns; i++) {
        const int32_t x = (int32_t)test_random_below(&random, 2000) - 1000;
        const int32_t z = (int32_t)test_random_below(&random, 2000) - 1000;
        const int32_t top = cn_generate_max_height(world.generator, world.scratch, x, z);
        assert_same_as_naive(&world, &naive, (CnChunkPos){x, (top - 1) >> 4, z});
        assert_same_as_naive(&world, &naive, (CnChunkPos){x, (int32_t)(i % 30) - 9, z});
    }
    generated_drop(&world);
}

static void every_path_generates_the_world_of_the_plain_program(void **state)
{
    (void)state;
    assert_worlds_agree(42, 30);
    assert_worlds_agree(0xFEDCBA9876543210u, 10);
}

static void corners_of_the_world_are_like_the_rest(void **state)
{
    (void)state;
    GeneratedWorld world = generated_bare(42);
    const NaiveWorld naive = naive_world(42);
    const int32_t far = CN_CHUNK_LIMIT - 1;
    for (int32_t y = 0; y < 3; y++) {
        assert_same_as_naive(&world, &naive, (CnChunkPos){far, y, far});
        assert_same_as_naive(&world, &naive, (CnChunkPos){-CN_CHUNK_LIMIT, y, far});
    }
    assert_same_as_naive(&world, &naive, (CnChunkPos){far, far, far});
    assert_same_as_naive(&world, &naive, (CnChunkPos){far, -CN_CHUNK_LIMIT, -CN_CHUNK_LIMIT});
    generated_drop(&world);
}

static void seeds_that_differ_in_one_high_bit_give_other_worlds(void **state)
{
    (void)state;
    GeneratedWorld a = generated_bare(7), b = generated_bare(7 | 1ull << 63);
    const CnChunkPos first = {0, 0, 0}, size = {2, 2, 2};
    assert_true(generated_hash(&a, first, size) != generated_hash(&b, first, size));
    generated_drop(&a);
    generated_drop(&b);
}

/* ---- Order ---- */

static void chunks_do_not_hang_on_what_was_generated_before(void **state)
{
    (void)state;
    GeneratedWorld worn =
        generated_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 3});
    TestRandom random = {3};
    for (int i = 0; i < 40; i++) {
        const CnChunkPos position = {(int32_t)test_random_below(&random, 40) - 20,
                                     (int32_t)test_random_below(&random, 8) - 2,
                                     (int32_t)test_random_below(&random, 40) - 20};
        cn_generate(worn.generator, worn.scratch, position, blocks);
        CnGenerateScratch *fresh = cn_generate_scratch_create(worn.generator);
        assert_non_null(fresh);
        cn_generate(worn.generator, fresh, position, other);
        cn_generate_scratch_destroy(fresh);
        assert_memory_equal(blocks, other, sizeof blocks);
    }
    generated_drop(&worn);
}

static void a_column_does_not_hang_on_its_batch(void **state)
{
    (void)state;
    GeneratedWorld world =
        generated_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 5});
    static CnColumn columns[20 * 20];
    static const int32_t steps[] = {1, 3, 16};
    for (size_t s = 0; s < CN_COUNT_OF(steps); s++) {
        const CnColumnGrid grid = {.x = -150, .z = 77, .step = steps[s], .count = 20};
        cn_generate_columns(world.generator, world.scratch, &grid, columns);
        for (uint32_t i = 0; i < 400; i += 7) {
            const CnColumn single = cn_generate_column(world.generator, world.scratch,
                                                       grid.x + (int32_t)(i % 20) * grid.step,
                                                       grid.z + (int32_t)(i / 20) * grid.step);
            assert_memory_equal(&single, &columns[i], sizeof single);
        }
    }
    generated_drop(&world);
}

/* ---- What lies where ---- */

static CnBlock generated_at(GeneratedWorld *world, int32_t x, int32_t y, int32_t z)
{
    const CnCell cell = {x, y, z};
    cn_generate(world->generator, world->scratch, cn_chunk_of(cell), blocks);
    return blocks[cn_chunk_index(cell)];
}

static void ground_is_the_highest_solid_block(void **state)
{
    (void)state;
    GeneratedWorld world = generated_world(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 9, .no_features = true});
    TestRandom random = {9};
    for (int i = 0; i < 200; i++) {
        const int32_t x = (int32_t)test_random_below(&random, 1500) - 600;
        const int32_t z = (int32_t)test_random_below(&random, 1500) - 600;
        const CnColumn column = cn_generate_column(world.generator, world.scratch, x, z);
        if (!cni_voxel_is_near_entrance(world.generator, x, z))
            assert_int_equal(generated_at(&world, x, column.ground, z), column.top);
        assert_int_equal(generated_at(&world, x, column.ground + 1, z),
                         column.ground < CN_SEA_LEVEL ? CN_BLOCK_WATER : CN_BLOCK_AIR);
        assert_true((float)column.ground < column.height);
        assert_true((float)(column.ground + 1) >= column.height);
        assert_int_equal(column.underwater, column.ground < CN_SEA_LEVEL);
    }
    generated_drop(&world);
}

static void above_the_top_is_only_air(void **state)
{
    (void)state;
    GeneratedWorld world =
        generated_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 11});
    for (int32_t i = 0; i < 60; i++) {
        const int32_t x = 3 * i - 90, z = 5 * i;
        const int32_t top = cn_generate_max_height(world.generator, world.scratch, x, z);
        assert_true(top > CN_SEA_LEVEL);
        cn_generate(world.generator, world.scratch, (CnChunkPos){x, top >> 4, z}, blocks);
        for (uint32_t c = 0; c < CN_CHUNK_BLOCKS; c++) {
            if (((top >> 4) << 4) + (int32_t)(c >> 4 & 15) >= top)
                assert_int_equal(blocks[c], CN_BLOCK_AIR);
        }
    }
    generated_drop(&world);
}

static void the_bottom_is_bedrock_and_below_it_too(void **state)
{
    (void)state;
    GeneratedWorld world = generated_bare(13);
    for (int32_t y = CN_WORLD_BOTTOM - 40; y <= CN_WORLD_BOTTOM; y++)
        assert_int_equal(generated_at(&world, 100, y, -100), BLOCK_BEDROCK);
    cn_generate(world.generator, world.scratch, (CnChunkPos){6, CN_WORLD_BOTTOM / 16, -7}, blocks);
    for (uint32_t c = 0; c < CN_CHUNK_BLOCKS; c++)
        assert_int_equal(blocks[c] == BLOCK_BEDROCK, (c >> 4 & 15) == 0);
    generated_drop(&world);
}

static void caves_keep_a_roof_of_three_blocks_outside_of_entrances(void **state)
{
    (void)state;
    GeneratedWorld world = generated_bare(15);
    uint32_t hollow = 0;
    for (int32_t i = 0; i < 40; i++) {
        const int32_t top = cn_generate_max_height(world.generator, world.scratch, i * 9, i);
        const CnChunkPos position = {i * 9, (top - 8) >> 4, i};
        cn_generate(world.generator, world.scratch, position, blocks);
        for (uint32_t c = 0; c < CN_CHUNK_BLOCKS; c++) {
            const int32_t x = position.x * 16 + (int32_t)(c & 15);
            const int32_t y = position.y * 16 + (int32_t)(c >> 4 & 15);
            const int32_t z = position.z * 16 + (int32_t)(c >> 8);
            if (blocks[c] != CN_BLOCK_AIR)
                continue;
            const CnColumn column = cn_generate_column(world.generator, world.scratch, x, z);
            if (y > column.ground || cni_voxel_is_near_entrance(world.generator, x, z))
                continue;
            assert_true(column.ground - y >= 3);
            hollow++;
        }
    }
    assert_true(hollow > 100);
    generated_drop(&world);
}

/* It would run into the cave as soon as something moves beside it. */
static void no_water_stands_beside_or_over_a_cave(void **state)
{
    (void)state;
    GeneratedWorld world = generated_bare(1);
    uint32_t water = 0;
    for (int32_t i = 0; i < 400; i++) {
        const CnChunkPos position = {i % 20 * 3 - 250, 0, i / 20 * 3 - 250};
        cn_generate(world.generator, world.scratch, position, blocks);
        for (uint32_t c = 0; c < CN_CHUNK_BLOCKS; c++) {
            if (blocks[c] != CN_BLOCK_WATER)
                continue;
            water++;
            assert_true((c & 15) == 0 || blocks[c - 1] != CN_BLOCK_AIR);
            assert_true((c & 15) == 15 || blocks[c + 1] != CN_BLOCK_AIR);
            assert_true((c >> 4 & 15) == 0 || blocks[c - 16] != CN_BLOCK_AIR);
            assert_true(c >> 8 == 0 || blocks[c - 256] != CN_BLOCK_AIR);
            assert_true(c >> 8 == 15 || blocks[c + 256] != CN_BLOCK_AIR);
        }
    }
    assert_true(water > 10000);
    generated_drop(&world);
}

static void land_is_around_the_middle_of_every_world(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        GeneratedWorld world = generated_bare(seed);
        static CnColumn columns[32 * 32];
        cn_generate_columns(world.generator, world.scratch,
                            &(CnColumnGrid){.x = -256, .z = -256, .step = 16, .count = 32},
                            columns);
        uint32_t land = 0;
        for (uint32_t i = 0; i < CN_COUNT_OF(columns); i++)
            land += !columns[i].underwater;
        assert_true(land > CN_COUNT_OF(columns) / 2);
        generated_drop(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_generates_the_world_of_the_plain_program),
        cmocka_unit_test(corners_of_the_world_are_like_the_rest),
        cmocka_unit_test(seeds_that_differ_in_one_high_bit_give_other_worlds),
        cmocka_unit_test(chunks_do_not_hang_on_what_was_generated_before),
        cmocka_unit_test(a_column_does_not_hang_on_its_batch),
        cmocka_unit_test(ground_is_the_highest_solid_block),
        cmocka_unit_test(above_the_top_is_only_air),
        cmocka_unit_test(the_bottom_is_bedrock_and_below_it_too),
        cmocka_unit_test(caves_keep_a_roof_of_three_blocks_outside_of_entrances),
        cmocka_unit_test(no_water_stands_beside_or_over_a_cave),
        cmocka_unit_test(land_is_around_the_middle_of_every_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

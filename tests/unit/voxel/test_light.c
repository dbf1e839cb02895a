/* Light of 27 chunks against a plain flood fill, on every SIMD path. */
#include "cmocka_tests.h"
#include "light_reference.h"
#include "random.h"
#include "standard_blocks.h"

#include <cairn/base/cpu.h>

#include <string.h>

typedef struct World {
    CnNeighborhood around;
    CnChunk *chunks[27];
    LightSkyColumns columns;
} World;

/* What a cell of a random world is; `y` counts from the bottom of the 27 chunks. */
typedef CnBlock (*BlockFn)(TestRandom *random, uint32_t x, uint32_t y, uint32_t z);

static void make_world(World *world, uint64_t seed, BlockFn block_at)
{
    TestRandom random = {seed};
    memset(world, 0, sizeof *world);
    world->around.position = (CnChunkPos){3, -2, 7};
    for (uint32_t i = 0; i < 27; i++) {
        CnBlock blocks[CN_CHUNK_BLOCKS];
        for (uint32_t cell = 0; cell < CN_CHUNK_BLOCKS; cell++)
            blocks[cell] = block_at(&random, 16 * (i % 3) + cell % 16,
                                    16 * (i / 3 % 3) + cell / 16 % 16, 16 * (i / 9) + cell / 256);
        world->chunks[i] = cn_chunk_create(NULL, standard_blocks(), blocks);
        assert_non_null(world->chunks[i]);
        world->around.chunks[i] = world->chunks[i];
    }
    light_sky_of(&world->around, &world->columns);
}

static void unmake_world(World *world)
{
    for (uint32_t i = 0; i < 27; i++)
        cn_chunk_release(world->chunks[i]);
}

/* The box as it should be, if every path gives it. */
static void expect_reference(World *world, CnLightBox *box)
{
    CnSimdPath before = cn_simd_path();
    CnLightScratch *scratch = cn_light_scratch_create(NULL, standard_blocks());
    assert_non_null(scratch);
    light_reference(&world->around, &world->columns.sky, box);
    for (int path = 0; path < CN_SIMD_PATH_COUNT; path++) {
        CnLightBox ours;
        if (!cn_simd_force((CnSimdPath)path))
            continue;
        memset(&ours, 0xAA, sizeof ours);
        cn_light_build(scratch, &world->around, &world->columns.sky, &ours);
        for (uint32_t i = 0; i < sizeof ours.cells; i++) {
            if (ours.cells[i] != box->cells[i])
                fail_msg("%s: %02x instead of %02x at %u, %u, %u",
                         cn_simd_path_name((CnSimdPath)path), ours.cells[i], box->cells[i],
                         i % CN_CHUNK_PADDED_SIZE, i / CN_CHUNK_PADDED_SIZE % CN_CHUNK_PADDED_SIZE,
                         i / CN_CHUNK_PADDED_LAYER);
        }
        assert_int_equal(ours.uniform, box->uniform);
    }
    cn_simd_force(before);
    cn_light_scratch_destroy(scratch);
}

static void check(uint64_t seed, BlockFn block_at, CnLightBox *box)
{
    World *world = test_malloc(sizeof *world);
    make_world(world, seed, block_at);
    expect_reference(world, box);
    unmake_world(world);
    test_free(world);
}

/* ---- Worlds ---- */

static CnBlock any_block(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    return test_random_chance(random, 60) ? CN_BLOCK_AIR
                                          : (CnBlock)test_random_below(random, BLOCK_COUNT);
}

static CnBlock cave(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    uint32_t dice = test_random_below(random, 1000);
    return dice < 1     ? BLOCK_TORCH
           : dice < 2   ? BLOCK_MAGMA
           : dice < 600 ? CN_BLOCK_AIR
                        : BLOCK_STONE;
}

static CnBlock hills(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t ground = 18 + (x * 7 + z * 5) / 40 % 9;
    if (y < ground)
        return test_random_chance(random, 15) ? CN_BLOCK_AIR : BLOCK_STONE;
    if (y < 22)
        return CN_BLOCK_WATER;
    if (y > ground + 3 && y < ground + 7 && (x / 8 + z / 8) % 3 == 0)
        return BLOCK_OAK_LEAVES;
    return y == ground && test_random_chance(random, 2) ? BLOCK_LANTERN : CN_BLOCK_AIR;
}

static CnBlock air(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)random, (void)x, (void)y, (void)z;
    return CN_BLOCK_AIR;
}

static CnBlock sea(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)random, (void)x, (void)z;
    return y < 28 ? CN_BLOCK_WATER : CN_BLOCK_AIR;
}

/* With pits; where the height is even, outside of the box only. */
static uint32_t plain_height;
static CnBlock plain(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)random;
    bool pit = x % 16 == 8 && z % 16 == 8 && y + 6 > plain_height;
    pit = pit && (plain_height % 2 || x != 24 || z != 24);
    return y < plain_height && !pit ? BLOCK_STONE : CN_BLOCK_AIR;
}

static CnBlock stone(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)random, (void)x, (void)y, (void)z;
    return BLOCK_STONE;
}

/* A valley in the middle of high rock, on one side of the box. */
static CnBlock gorge(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)random;
    return x < 10 && y > 2 + z / 8 ? CN_BLOCK_AIR : y < 40 + x / 8 ? BLOCK_STONE : CN_BLOCK_AIR;
}

static CnBlock one_lantern(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)random;
    return x == 1 && y == 16 && z == 16 ? BLOCK_LANTERN : y == 47 ? BLOCK_STONE : CN_BLOCK_AIR;
}

static CnBlock one_shaft(TestRandom *random, uint32_t x, uint32_t y, uint32_t z)
{
    (void)random;
    return x == 20 && z == 20 ? CN_BLOCK_AIR : y == 24 && z == 20 ? BLOCK_GLASS : BLOCK_STONE;
}

static uint8_t cell(const CnLightBox *box, int32_t x, int32_t y, int32_t z)
{
    return box->cells[cn_padded_index(x, y, z)];
}

/* ---- Facts ---- */

static void light_of_random_blocks_equals_a_flood_fill(void **state)
{
    (void)state;
    CnLightBox box;
    for (uint64_t seed = 1; seed <= 3; seed++)
        check(seed, any_block, &box);
}

static void light_of_caves_with_lamps_equals_a_flood_fill(void **state)
{
    (void)state;
    CnLightBox box;
    for (uint64_t seed = 1; seed <= 3; seed++)
        check(seed, cave, &box);
}

static void light_of_hills_with_water_and_trees_equals_a_flood_fill(void **state)
{
    (void)state;
    CnLightBox box;
    for (uint64_t seed = 1; seed <= 3; seed++)
        check(seed, hills, &box);
}

static void the_sea_gets_darker_by_two_a_block(void **state)
{
    (void)state;
    CnLightBox box;
    check(1, sea, &box);
    for (int32_t y = 0; y < 16; y++)
        assert_int_equal(cell(&box, 3, y, 3), y >= 12 ? 0xF0 : y < 5 ? 0 : 0xF0 - 32 * (12 - y));
}

/* Every border of what is looked at, and of what is known beforehand. */
static void ground_may_lie_at_any_height(void **state)
{
    (void)state;
    CnLightBox box;
    for (plain_height = 0; plain_height <= 48; plain_height++)
        check(1, plain, &box);
}

/* Nothing to stop it, and nothing but the columns to say where it begins. */
static void the_sky_may_begin_at_any_height_above_air(void **state)
{
    (void)state;
    World *world = test_malloc(sizeof *world);
    CnLightBox box;
    make_world(world, 1, air);
    for (int32_t height = 0; height <= 48; height++) {
        for (uint32_t i = 0; i < 9 * 256; i++)
            world->columns.open[i / 256][i % 256] = -48 + height;
        expect_reference(world, &box);
    }
    unmake_world(world);
    test_free(world);
}

static void open_air_is_uniform(void **state)
{
    (void)state;
    CnLightBox box;
    check(1, air, &box);
    assert_true(box.uniform);
    assert_int_equal(box.cells[0], 0xF0);
}

static void solid_rock_is_dark(void **state)
{
    (void)state;
    CnLightBox box;
    check(1, stone, &box);
    assert_true(box.uniform);
    assert_int_equal(box.cells[0], 0);
}

static void rock_beside_a_gorge_is_dark(void **state)
{
    (void)state;
    CnLightBox box;
    check(1, gorge, &box);
    assert_true(box.uniform);
    assert_int_equal(box.cells[0], 0);
}

static void light_crosses_chunks_as_far_as_it_goes(void **state)
{
    (void)state;
    CnLightBox box;
    check(1, one_lantern, &box);
    assert_int_equal(cell(&box, -1, 0, 0) & 15, 1);
    assert_int_equal(cell(&box, 0, 0, 0) & 15, 0);
}

static void a_shaft_lets_the_sky_in_and_glass_lets_it_aside(void **state)
{
    (void)state;
    CnLightBox box;
    check(1, one_shaft, &box);
    assert_int_equal(cell(&box, 4, 0, 4), 0xF0);
    assert_int_equal(cell(&box, 5, 8, 4), 0xE0);
    assert_int_equal(cell(&box, 8, 8, 4), 0xB0);
    assert_int_equal(cell(&box, 5, 9, 4), 0);
}

static void missing_chunks_are_air(void **state)
{
    (void)state;
    World *world = test_malloc(sizeof *world);
    CnLightBox box;
    make_world(world, 5, hills);
    for (uint32_t i = 0; i < 27; i += 2)
        world->around.chunks[i] = NULL;
    light_sky_of(&world->around, &world->columns);
    expect_reference(world, &box);
    unmake_world(world);
    test_free(world);
}

/* What is above may be far away, or bottomless. */
static void the_sky_may_begin_anywhere(void **state)
{
    (void)state;
    World *world = test_malloc(sizeof *world);
    CnLightBox box;
    make_world(world, 6, cave);
    TestRandom random = {9};
    for (uint32_t run = 0; run < 4; run++) {
        for (uint32_t i = 0; i < 9 * 256; i++) {
            int32_t *open = &world->columns.open[i / 256][i % 256];
            int32_t lowest = run == 3 ? 300 : -48 + 16 * (int32_t)run;
            *open = test_random_chance(&random, 10) ? INT32_MAX : lowest + (int32_t)(i % 11);
        }
        world->columns.open[3][7] = INT32_MIN;
        expect_reference(world, &box);
    }
    unmake_world(world);
    test_free(world);
}

/* The light of one world is not seen in the next. */
static void a_scratch_forgets(void **state)
{
    (void)state;
    World *first = test_malloc(sizeof *first), *second = test_malloc(sizeof *second);
    make_world(first, 1, any_block);
    make_world(second, 2, hills);
    CnLightScratch *used = cn_light_scratch_create(NULL, standard_blocks()),
                   *fresh = cn_light_scratch_create(NULL, standard_blocks());
    CnLightBox box, expected;
    cn_light_build(used, &first->around, &first->columns.sky, &box);
    cn_light_build(used, &second->around, &second->columns.sky, &box);
    cn_light_build(fresh, &second->around, &second->columns.sky, &expected);
    assert_memory_equal(box.cells, expected.cells, sizeof box.cells);
    assert_true(cn_light_box_hash(&box) == cn_light_box_hash(&expected));
    cn_light_scratch_destroy(used);
    cn_light_scratch_destroy(fresh);
    unmake_world(first);
    unmake_world(second);
    test_free(first);
    test_free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_of_random_blocks_equals_a_flood_fill),
        cmocka_unit_test(light_of_caves_with_lamps_equals_a_flood_fill),
        cmocka_unit_test(light_of_hills_with_water_and_trees_equals_a_flood_fill),
        cmocka_unit_test(the_sea_gets_darker_by_two_a_block),
        cmocka_unit_test(ground_may_lie_at_any_height),
        cmocka_unit_test(the_sky_may_begin_at_any_height_above_air),
        cmocka_unit_test(open_air_is_uniform),
        cmocka_unit_test(solid_rock_is_dark),
        cmocka_unit_test(rock_beside_a_gorge_is_dark),
        cmocka_unit_test(light_crosses_chunks_as_far_as_it_goes),
        cmocka_unit_test(a_shaft_lets_the_sky_in_and_glass_lets_it_aside),
        cmocka_unit_test(missing_chunks_are_air),
        cmocka_unit_test(the_sky_may_begin_anywhere),
        cmocka_unit_test(a_scratch_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

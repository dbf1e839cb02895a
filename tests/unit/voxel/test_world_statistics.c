/* What worlds are like on the whole. */
#include "cmocka_tests.h"
#include "random.h"
#include "voxel/generate/terrain.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#include <cairn/base/math.h>

#include <stdlib.h>
#include <string.h>

/* ---- The surface ---- */

#define SIDE 250u /* columns 64 blocks apart: 16 km, 8 around the middle */
static CnColumn columns[SIDE * SIDE];

static void survey(uint64_t seed)
{
    GeneratedWorld world = generated_bare(seed);
    cn_generate_columns(world.generator, world.scratch,
                        &(CnColumnGrid){.x = -8000, .z = -8000, .step = 64, .count = SIDE},
                        columns);
    generated_drop(&world);
}

static void every_biome_occurs_within_eight_kilometers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        uint32_t land[CN_BIOME_COUNT] = {0};
        survey(seed);
        for (uint32_t i = 0; i < SIDE * SIDE; i++)
            land[columns[i].biome] += !columns[i].underwater;
        for (int biome = 0; biome < CN_BIOME_COUNT; biome++) {
            if (land[biome] < SIDE * SIDE / 200)
                fail_msg("seed %d has only %u columns of %s", (int)seed, land[biome],
                         cn_biome_name((CnBiome)biome));
            assert_true(land[biome] < SIDE * SIDE / 4);
        }
    }
}

static void most_land_is_low_and_some_is_high(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        uint32_t land = 0, low = 0;
        float highest = 0, lowest = 0;
        survey(seed);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            land += !columns[i].underwater;
            low += !columns[i].underwater && columns[i].ground <= 90;
            highest = columns[i].height > highest ? columns[i].height : highest;
            lowest = columns[i].height < lowest ? columns[i].height : lowest;
        }
        assert_true(land > SIDE * SIDE * 2 / 5 && land < SIDE * SIDE * 7 / 10);
        assert_true(low > land * 9 / 10);
        assert_true(highest > 140 && highest < 255);
        assert_true(lowest < -10 && lowest > -40);
    }
}

static void swamps_lie_at_the_height_of_the_sea_with_pools(void **state)
{
    (void)state;
    uint32_t inland = 0, pools = 0;
    survey(1);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const CnColumn *column = &columns[i];
        if (column->continent < 0.3f || column->humidity < 0.5f || column->special > 0.3f ||
            column->temperature < 0 || column->temperature > 0.2f)
            continue;
        inland++;
        pools += column->underwater;
        assert_int_equal(column->biome, CN_BIOME_SWAMP);
        assert_true(column->ground <= CN_SEA_LEVEL + 4);
    }
    assert_true(inland > 100);
    assert_true(pools > inland / 5 && pools < inland * 3 / 4);
}

static void plains_can_be_walked(void **state)
{
    (void)state;
    GeneratedWorld world = generated_world(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 1, .no_features = true});
    enum { COUNT = 256 };
    CnColumn *near = malloc(COUNT * COUNT * sizeof *near);
    assert_non_null(near);
    cn_generate_columns(world.generator, world.scratch,
                        &(CnColumnGrid){.x = -128, .z = -128, .step = 1, .count = COUNT}, near);
    uint32_t steps = 0, walkable = 0;
    for (uint32_t i = 0; i + 1 < COUNT * COUNT; i++) {
        if (i % COUNT == COUNT - 1 || near[i].biome > CN_BIOME_SNOWY_PLAINS)
            continue;
        steps++;
        walkable += abs(near[i].ground - near[i + 1].ground) <= 1;
    }
    assert_true(steps > 5000);
    assert_true(walkable > steps / 100 * 95);
    free(near);
    generated_drop(&world);
}

/* ---- Fields ---- */

/* Of two fields over 64 cells a side of the finer one, at places off the lattice. */
static double correlation(const CnNoise *a, double scale_a, const CnNoise *b, double scale_b)
{
    double sum_ab = 0, sum_aa = 0, sum_bb = 0;
    TestRandom random = {4};
    for (int i = 0; i < 40000; i++) {
        const double x = test_random_unit(&random) * 1e5, y = test_random_unit(&random) * 1e5,
                     z = test_random_unit(&random) * 1e5;
        const double va = (double)cn_noise_at(a, x / scale_a, y / scale_a, z / scale_a);
        const double vb = (double)cn_noise_at(b, x / scale_b, y / scale_b, z / scale_b);
        sum_ab += va * vb;
        sum_aa += va * va;
        sum_bb += vb * vb;
    }
    return sum_ab / cn_sqrt(sum_aa * sum_bb);
}

static void fields_do_not_follow_each_other(void **state)
{
    (void)state;
    CniVoxelNoiseFields fields;
    cni_voxel_fields_init(&fields, 42);
    const struct {
        const CnNoise *a, *b;
        double scale_a, scale_b;
    } pairs[] = {
        {&fields.temperature, &fields.humidity, 512, 600},
        {&fields.temperature, &fields.special, 512, 900},
        {&fields.continent, &fields.relief, 2048, 1024},
        {&fields.hills, &fields.ridges, 240, 420},
        {&fields.caverns, &fields.cheese, 200, 60},
        {&fields.tunnels[0][0], &fields.tunnels[0][1], 24, 24},
        {&fields.tunnels[1][0], &fields.tunnels[1][1], 28, 28},
        {&fields.tunnels[0][0], &fields.tunnels[1][0], 24, 28},
        {&fields.ores[2], &fields.ores[3], 6, 6},
        {&fields.ores[3], &fields.ores[4], 6, 6},
        {&fields.ores[0], &fields.ores[7], 5, 9},
    };
    for (size_t i = 0; i < CN_COUNT_OF(pairs); i++)
        assert_true(cn_fabs(correlation(pairs[i].a, pairs[i].scale_a, pairs[i].b,
                                        pairs[i].scale_b)) < 0.02);
}

/* ---- Underground ---- */

#define CHUNKS 8
#define CUBE (16 * CHUNKS)
static CnBlock cube[CUBE][CUBE][CUBE]; /* z, y, x: from the bottom of the world to the sea */

static void fill_cube(uint64_t seed)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    GeneratedWorld world = generated_bare(seed);
    for (int32_t z = 0; z < CHUNKS; z++)
        for (int32_t y = 0; y < CHUNKS; y++)
            for (int32_t x = 0; x < CHUNKS; x++) {
                cn_generate(world.generator, world.scratch,
                            (CnChunkPos){x, y + CN_WORLD_BOTTOM / 16, z}, blocks);
                for (int32_t row = 0; row < 256; row++)
                    memcpy(&cube[16 * z + row / 16][16 * y + row % 16][16 * x], &blocks[16 * row],
                           16 * sizeof *blocks);
            }
    generated_drop(&world);
}

static void ores_are_the_rarer_the_earlier_they_stand_in_the_table(void **state)
{
    (void)state;
    static const CnBlock ores[] = {BLOCK_DIAMOND_ORE,  BLOCK_EMERALD_ORE, BLOCK_GOLD_ORE,
                                   BLOCK_REDSTONE_ORE, BLOCK_LAPIS_ORE,   BLOCK_IRON_ORE,
                                   BLOCK_COPPER_ORE,   BLOCK_COAL_ORE};
    static uint32_t counts[BLOCK_COUNT];
    for (uint64_t seed = 1; seed <= 4; seed++) {
        fill_cube(seed);
        for (size_t i = 0; i < CUBE * CUBE * CUBE; i++)
            counts[(&cube[0][0][0])[i]]++;
    }
    assert_true(counts[BLOCK_DIAMOND_ORE] > 0);
    for (size_t i = 1; i < CN_COUNT_OF(ores); i++) {
        /* Lapis differs from redstone in its depth alone. */
        const uint32_t more =
            counts[ores[i]] + (ores[i] == BLOCK_LAPIS_ORE ? counts[ores[i]] / 2 : 0);
        if (more <= counts[ores[i - 1]])
            fail_msg("%s: %u, %s: %u", standard_blocks()->info[ores[i]].name, counts[ores[i]],
                     standard_blocks()->info[ores[i - 1]].name, counts[ores[i - 1]]);
    }
}

/* ---- Walking in caves ---- */

typedef struct Place {
    int16_t x, y, z;
} Place;
static Place stack[CUBE * CUBE * CUBE];
static bool seen[CUBE][CUBE][CUBE];

static bool is_open(int32_t x, int32_t y, int32_t z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < CUBE && y < CUBE && z < CUBE &&
           cube[z][y][x] == CN_BLOCK_AIR;
}

/* Air for feet and head, ground below. */
static bool can_stand(int32_t x, int32_t y, int32_t z)
{
    return is_open(x, y, z) && is_open(x, y + 1, z) && y > 0 && !is_open(x, y - 1, z);
}

static bool visit(int32_t x, int32_t y, int32_t z, uint32_t *count)
{
    if (seen[z][y][x])
        return false;
    seen[z][y][x] = true;
    stack[(*count)++] = (Place){(int16_t)x, (int16_t)y, (int16_t)z};
    return true;
}

static const int32_t sides[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* A step up needs room above the head, one down room above the head there. */
static void visit_steps(Place from, uint32_t *count)
{
    for (int i = 0; i < 4; i++) {
        const int32_t x = from.x + sides[i][0], z = from.z + sides[i][1];
        for (int32_t y = from.y - 1; y <= from.y + 1; y++) {
            if (!can_stand(x, y, z) || (y > from.y && !is_open(from.x, from.y + 2, from.z)) ||
                (y < from.y && !is_open(x, y + 2, z)))
                continue;
            visit(x, y, z, count);
        }
    }
}

static void visit_air(Place from, uint32_t *count)
{
    for (int i = 0; i < 4; i++)
        if (is_open(from.x + sides[i][0], from.y, from.z + sides[i][1]))
            visit(from.x + sides[i][0], from.y, from.z + sides[i][1], count);
    for (int32_t y = from.y - 1; y <= from.y + 1; y += 2)
        if (is_open(from.x, y, from.z))
            visit(from.x, y, from.z, count);
}

/* The size of the largest connected part of the places that count. */
static uint32_t largest_part(bool (*counts)(int32_t, int32_t, int32_t),
                             void (*spread)(Place, uint32_t *), uint32_t *all)
{
    uint32_t largest = 0;
    *all = 0;
    memset(seen, 0, sizeof seen);
    for (int32_t z = 0; z < CUBE; z++)
        for (int32_t y = 0; y < CUBE; y++)
            for (int32_t x = 0; x < CUBE; x++) {
                uint32_t count = 0, size = 0;
                if (!counts(x, y, z) || !visit(x, y, z, &count))
                    continue;
                for (; count > 0; size++)
                    spread(stack[--count], &count);
                *all += size;
                largest = size > largest ? size : largest;
            }
    return largest;
}

static void caves_are_connected_and_can_be_walked(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        uint32_t all;
        fill_cube(seed);
        const uint32_t air = largest_part(is_open, visit_air, &all);
        assert_true(all > CUBE * CUBE * CUBE / 20 && all < CUBE * CUBE * CUBE / 4);
        assert_true(air > all / 10 * 9);
        /* Without a jump of two blocks or a fall. */
        assert_true(largest_part(can_stand, visit_steps, &all) > 2000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_biome_occurs_within_eight_kilometers),
        cmocka_unit_test(most_land_is_low_and_some_is_high),
        cmocka_unit_test(swamps_lie_at_the_height_of_the_sea_with_pools),
        cmocka_unit_test(plains_can_be_walked),
        cmocka_unit_test(fields_do_not_follow_each_other),
        cmocka_unit_test(ores_are_the_rarer_the_earlier_they_stand_in_the_table),
        cmocka_unit_test(caves_are_connected_and_can_be_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

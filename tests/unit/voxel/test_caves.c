/* test-labels: statistics */
/* Where caves are: not along the lattices of their noise. */
#include "cmocka_tests.h"
#include "random.h"
#include "voxel_generated.h"

#include <cairn/base/math.h>

#include <stdio.h>

/* ---- Air of caves against the lattices of noise ---- */

/* Where tunnels, rooms and caverns have their lattices if they are of Perlin noise, and those that
 * they have. */
static const double periods[] = {24,        14,        28,        18,        60,
                                 24 * 0.77, 14 * 0.77, 28 * 0.77, 18 * 0.77, 60 * 0.77};
#define PERIODS CN_COUNT_OF(periods)
#define PHASES 12
static uint32_t air_at[PERIODS][3][PHASES], blocks_at[PERIODS][3][PHASES];
static uint32_t column_air[24][24], column_blocks[24][24];

static uint32_t phase_of(int32_t at, double period, uint32_t phases)
{
    const double cells = (double)at / period;
    return (uint32_t)((cells - cn_floor(cells)) * phases);
}

static void count_air(CnChunkPos position, const CnBlock blocks[CN_CHUNK_BLOCKS])
{
    uint32_t phases[PERIODS][3][16];
    const int32_t corner[3] = {position.x * 16, position.y * 16, position.z * 16};
    for (uint32_t p = 0; p < PERIODS; p++)
        for (uint32_t axis = 0; axis < 3; axis++)
            for (int32_t i = 0; i < 16; i++)
                phases[p][axis][i] = phase_of(corner[axis] + i, periods[p], PHASES);
    for (uint32_t c = 0; c < CN_CHUNK_BLOCKS; c++) {
        const uint32_t at[3] = {c & 15, c >> 4 & 15, c >> 8}, air = blocks[c] == CN_BLOCK_AIR;
        for (uint32_t p = 0; p < PERIODS; p++)
            for (uint32_t axis = 0; axis < 3; axis++) {
                air_at[p][axis][phases[p][axis][at[axis]]] += air;
                blocks_at[p][axis][phases[p][axis][at[axis]]]++;
            }
        const uint32_t i = phase_of(corner[0] + (int32_t)at[0], 24, 24);
        const uint32_t k = phase_of(corner[2] + (int32_t)at[2], 24, 24);
        column_air[i][k] += air;
        column_blocks[i][k]++;
    }
}

static void count_world(uint64_t seed)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    GeneratedWorld world = generated_bare(seed);
    TestRandom random = {seed};
    for (int n = 0; n < 600; n++) {
        const int32_t x = (int32_t)test_random_below(&random, 20000) - 10000;
        const int32_t z = (int32_t)test_random_below(&random, 20000) - 10000;
        for (int32_t y = -7; y < -3; y++) {
            cn_generate(world.generator, world.scratch, (CnChunkPos){x, y, z}, blocks);
            count_air((CnChunkPos){x, y, z}, blocks);
        }
    }
    generated_drop(&world);
}

/* Columns of chunks all over six worlds, deep below the ground: neighbors would share their caves.
 * Counted once, for all tests. Returns the share of air. */
static double count_worlds(void)
{
    const bool counted = column_blocks[0][0] > 0;
    uint64_t air = 0, all = 0;
    for (uint64_t seed = 1; seed <= 6 && !counted; seed++)
        count_world(seed);
    for (uint32_t i = 0; i < 24; i++)
        for (uint32_t k = 0; k < 24; k++) {
            air += column_air[i][k];
            all += column_blocks[i][k];
        }
    return (double)air / (double)all;
}

static void check_share(const char *what, uint32_t phase, uint32_t air, uint32_t all, double mean,
                        double tolerance)
{
    const double off = (double)air / (double)all / mean - 1;
    if (!(cn_fabs(off) < tolerance))
        fail_msg("%s, phase %u: %.1f %% off the mean", what, phase, off * 100);
}

static void caves_do_not_follow_the_lattices_of_noise(void **state)
{
    (void)state;
    const double mean = count_worlds();
    assert_true(mean > 0.11 && mean < 0.16);
    for (uint32_t p = 0; p < PERIODS; p++)
        for (uint32_t axis = 0; axis < 3; axis++)
            for (uint32_t n = 0; n < PHASES; n++) {
                char what[64];
                snprintf(what, sizeof what, "period %.2f along %c", periods[p], (int)("xyz"[axis]));
                check_share(what, n, air_at[p][axis][n], blocks_at[p][axis][n], mean, 0.05);
            }
}

/* They were 23 % air at x, z = 24 k, and 13 % elsewhere. The share of a 576th of the columns is
 * certain to about 3 %. */
static void no_columns_are_shafts(void **state)
{
    (void)state;
    const double mean = count_worlds();
    check_share("columns at x, z = 24 k", 0, column_air[0][0], column_blocks[0][0], mean, 0.10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caves_do_not_follow_the_lattices_of_noise),
        cmocka_unit_test(no_columns_are_shafts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

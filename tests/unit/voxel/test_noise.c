#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/math.h>
#include <cairn/voxel/noise.h>

#define STB_PERLIN_IMPLEMENTATION
#include <stb/stb_perlin.h>
#include <string.h>

#define SIDE 64u

static const CnOctaves six = {.count = 6, .lacunarity = 2, .gain = 0.6f, .offset = 1.2f};

/* From -size to size. */
static double random_place(TestRandom *random, double size)
{
    return (test_random_unit(random) - 0.5) * 2 * size;
}

static void noise_is_0_at_the_points_of_the_lattice(void **state)
{
    (void)state;
    CnNoise noise = cn_noise_perlin(1, "field");
    for (int i = -20; i < 20; i++)
        assert_true(cn_noise_at(&noise, i, 3 * i, -i) == 0);
}

static void noise_stays_between_bounds_and_uses_them(void **state)
{
    (void)state;
    TestRandom random = {7};
    CnNoise noise = cn_noise_perlin(1, "field");
    float least = 0, most = 0;
    for (int i = 0; i < 200000; i++) {
        float n = cn_noise_at(&noise, random_place(&random, 1e6), random_place(&random, 1e6),
                              random_place(&random, 1e6));
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    assert_true(least > -1.04f && most < 1.04f);
    assert_true(least < -0.85f && most > 0.85f);
}

static void noise_is_continuous_where_cells_meet(void **state)
{
    (void)state;
    TestRandom random = {8};
    CnNoise noise = cn_noise_perlin(1, "field");
    for (int i = 0; i < 2000; i++) {
        double whole = cn_floor(random_place(&random, 100)), y = random_place(&random, 100),
               z = random_place(&random, 100);
        assert_true(cn_fabsf(cn_noise_at(&noise, whole - 1e-7, y, z) -
                             cn_noise_at(&noise, whole + 1e-7, y, z)) < 1e-5f);
        assert_true(cn_fabsf(cn_noise_at(&noise, y, whole - 1e-7, z) -
                             cn_noise_at(&noise, y, whole + 1e-7, z)) < 1e-5f);
        assert_true(cn_fabsf(cn_noise_at(&noise, y, z, whole - 1e-7) -
                             cn_noise_at(&noise, y, z, whole + 1e-7)) < 1e-5f);
    }
}

static void noise_repeats_after_2_to_the_32_cells(void **state)
{
    (void)state;
    CnNoise noise = cn_noise_perlin(1, "field");
    float here = cn_noise_at(&noise, 10.5, 20.25, -3.75);
    assert_true(here != 0);
    assert_true(here == cn_noise_at(&noise, 10.5 + 0x1p32, 20.25 - 0x1p33, -3.75 + 0x1p34));
}

static void places_beyond_all_numbers_give_an_answer(void **state)
{
    (void)state;
    CnNoise noise = cn_noise_perlin(1, "field");
    assert_true(cn_noise_at(&noise, 1e300, -1e200, 0x1p51) == 0);
    float n = cn_noise_at(&noise, CN_NAN, 1, 2);
    assert_true(n != n);
}

static void every_bit_of_the_seed_counts(void **state)
{
    (void)state;
    CnNoise base = cn_noise_perlin(0, "field");
    for (int bit = 0; bit < 64; bit++) {
        CnNoise other = cn_noise_perlin(1ull << bit, "field");
        int same = 0;
        for (int i = 0; i < 64; i++)
            same += cn_noise_at(&base, i + 0.3, 0.4, 0.6) == cn_noise_at(&other, i + 0.3, 0.4, 0.6);
        assert_true(same < 4);
    }
}

static double correlation(const float *a, const float *b, uint32_t count)
{
    double aa = 0, bb = 0, ab = 0;
    for (uint32_t i = 0; i < count; i++) {
        aa += (double)a[i] * (double)a[i];
        bb += (double)b[i] * (double)b[i];
        ab += (double)a[i] * (double)b[i];
    }
    return ab / cn_sqrt(aa * bb);
}

static void sample_cube(CnNoise noise, int32_t shift, float *out)
{
    cn_noise_grid(&noise,
                  &(CnNoiseGrid){.x = shift,
                                 .y = shift,
                                 .z = shift,
                                 .count = {SIDE, SIDE, SIDE},
                                 .scale = {1.7f, 1.7f, 1.7f}},
                  out);
}

static void fields_of_other_names_or_seeds_are_independent(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        const char *name;
    } fields[] = {{42, "ore.gold"},
                  {42, "ore.redstone"},
                  {42, "cave.cheese"},
                  {43, "ore.gold"},
                  {42ull << 32, "ore.gold"}};
    static float cubes[CN_COUNT_OF(fields)][SIDE * SIDE * SIDE];
    for (uint32_t i = 0; i < CN_COUNT_OF(fields); i++) {
        sample_cube(cn_noise_perlin(fields[i].seed, fields[i].name), 0, cubes[i]);
        for (uint32_t j = 0; j < i; j++)
            assert_true(cn_fabs(correlation(cubes[i], cubes[j], SIDE * SIDE * SIDE)) < 0.02);
    }
}

static void a_field_is_no_shifted_copy_of_itself(void **state)
{
    (void)state;
    static float here[SIDE * SIDE * SIDE], there[SIDE * SIDE * SIDE];
    CnNoise noise = cn_noise_perlin(42, "ore.gold");
    sample_cube(noise, 0, here);
    for (int32_t shift = 17; shift < 17 << 6; shift *= 2) { /* whole cells: 1.7 * 10 */
        sample_cube(noise, shift, there);
        assert_true(cn_fabs(correlation(here, there, SIDE * SIDE * SIDE)) < 0.02);
    }
}

static void octaves_are_lattices_of_their_own(void **state)
{
    (void)state;
    static float one[4096], two[4096];
    CnNoise noise = cn_noise_perlin(42, "field");
    CnOctaves first = {.count = 1, .lacunarity = 1, .gain = 1};
    CnOctaves both = {.count = 2, .lacunarity = 1, .gain = 1};
    CnNoiseGrid grid = {.count = {16, 16, 16}, .scale = {1.3f, 1.3f, 1.3f}};
    cn_noise_sum_grid(&noise, CN_NOISE_FBM, &first, &grid, one);
    cn_noise_sum_grid(&noise, CN_NOISE_FBM, &both, &grid, two);
    for (int i = 0; i < 4096; i++)
        two[i] -= one[i];
    assert_true(cn_fabs(correlation(one, two, 4096)) < 0.05);
}

static void sums_are_made_of_noise_as_the_header_says(void **state)
{
    (void)state;
    CnNoise noise = cn_noise_perlin(5, "field");
    CnOctaves one = {.count = 1, .lacunarity = 2, .gain = 0.5f, .offset = 1.2f};
    float n = cn_noise_at(&noise, 1.3, 2.6, 3.9), r = 1.2f - cn_fabsf(n);
    assert_true(cn_noise_sum_at(&noise, CN_NOISE_FBM, &one, 1.3, 2.6, 3.9) == n);
    assert_true(cn_noise_sum_at(&noise, CN_NOISE_TURBULENCE, &one, 1.3, 2.6, 3.9) == cn_fabsf(n));
    assert_true(cn_noise_sum_at(&noise, CN_NOISE_RIDGE, &one, 1.3, 2.6, 3.9) == r * r * 0.5f);
    assert_true(cn_noise_sum_at(&noise, CN_NOISE_RIDGE, &six, 1.3, 2.6, 3.9) > r * r * 0.5f);
}

static CnNoiseRange sampled_range(const CnNoise *noise, const CnNoiseGrid *grid)
{
    static float samples[4096];
    CnNoiseRange range = {2, -2};
    cn_noise_grid(noise, grid, samples);
    for (int i = 0; i < 4096; i++) {
        range.low = samples[i] < range.low ? samples[i] : range.low;
        range.high = samples[i] > range.high ? samples[i] : range.high;
    }
    return range;
}

static void check_ranges(CnNoise (*make)(uint64_t seed, const char *name))
{
    TestRandom random = {3};
    double width = 0, true_width = 0;
    for (int i = 0; i < 1000; i++) {
        static const float scales[] = {3, 24, 60, 200};
        CnNoise noise = make((uint64_t)i, "field");
        float scale = scales[i % 4];
        CnNoiseGrid grid = {.x = (int32_t)random_place(&random, 1e5),
                            .y = (int32_t)random_place(&random, 1e5),
                            .z = (int32_t)random_place(&random, 1e5),
                            .step = i % 3 ? 1 : -1,
                            .count = {16, 16, 16},
                            .scale = {scale, scale * 0.75f, scale}};
        CnNoiseRange sampled = sampled_range(&noise, &grid), range = cn_noise_range(&noise, &grid);
        assert_true(range.low <= sampled.low && sampled.high <= range.high);
        if (scale > 100) {
            width += (double)(range.high - range.low);
            true_width += (double)(sampled.high - sampled.low);
        }
    }
    assert_true(width < true_width * 2.5);
}

static void ranges_hold_and_tell_something(void **state)
{
    (void)state;
    check_ranges(cn_noise_perlin);
}

static void ranges_of_stationary_noise_hold_and_tell_something(void **state)
{
    (void)state;
    check_ranges(cn_noise_stationary);
}

/* ---- Stationary noise ---- */

#define PHASES 6

typedef struct Shares {
    double near_zero, high; /* |n| < 0.1; n > 0.58 */
    double square;          /* mean of n^2 */
} Shares;

/* Of samples at one place of the cell, in many cells. */
static Shares shares_at(const CnNoise *noise, double fx, double fy, double fz)
{
    enum { SAMPLES = 60000 };
    TestRandom random = {11};
    Shares shares = {0};
    for (int i = 0; i < SAMPLES; i++) {
        const double n = (double)cn_noise_at(noise, cn_floor(random_place(&random, 1e6)) + fx,
                                             cn_floor(random_place(&random, 1e6)) + fy,
                                             cn_floor(random_place(&random, 1e6)) + fz);
        shares.near_zero += (cn_fabs(n) < 0.1) / (double)SAMPLES;
        shares.high += (n > 0.58) / (double)SAMPLES;
        shares.square += n * n / SAMPLES;
    }
    return shares;
}

/* At the points of the lattice, on its lines and planes, and in the middle of cells. */
static void stationary_noise_is_distributed_alike_all_over_a_cell(void **state)
{
    (void)state;
    const CnNoise noise = cn_noise_stationary(3, "field");
    for (int i = 0; i < PHASES; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k <= j; k++) {
                const Shares shares = shares_at(&noise, i * 0.1, j * 0.1, k * 0.1);
                assert_true(shares.near_zero > 0.284 * 0.95 && shares.near_zero < 0.284 * 1.09);
                assert_true(shares.square > 0.0729 * 0.86 && shares.square < 0.0729 * 1.08);
                assert_true(shares.high > 0.009 && shares.high < 0.019);
            }
}

static void stationary_noise_varies_as_much_as_perlin_noise(void **state)
{
    (void)state;
    TestRandom random = {12};
    const CnNoise fields[2] = {cn_noise_perlin(3, "field"), cn_noise_stationary(3, "field")};
    const double cells[2] = {1, 0.77};
    double square[2] = {0}, slope[2] = {0};
    for (int i = 0; i < 200000; i++) {
        const double x = random_place(&random, 1e6), y = random_place(&random, 1e6),
                     z = random_place(&random, 1e6);
        for (int k = 0; k < 2; k++) {
            const double n = (double)cn_noise_at(&fields[k], x, y, z);
            const double more =
                ((double)cn_noise_at(&fields[k], x + 1.0 / 64, y, z) - n) * 64 / cells[k];
            square[k] += n * n;
            slope[k] += more * more;
        }
    }
    assert_true(cn_fabs(square[1] / square[0] - 1) < 0.03);
    assert_true(cn_fabs(slope[1] / slope[0] - 1) < 0.10);
}

static void stationary_noise_is_continuous_where_cells_meet(void **state)
{
    (void)state;
    TestRandom random = {8};
    const CnNoise noise = cn_noise_stationary(1, "field");
    for (int i = 0; i < 2000; i++) {
        const double whole = cn_floor(random_place(&random, 100)), y = random_place(&random, 100),
                     z = random_place(&random, 100);
        assert_true(cn_fabsf(cn_noise_at(&noise, whole - 1e-7, y, z) -
                             cn_noise_at(&noise, whole + 1e-7, y, z)) < 1e-5f);
        assert_true(cn_fabsf(cn_noise_at(&noise, y, z, whole - 1e-7) -
                             cn_noise_at(&noise, y, z, whole + 1e-7)) < 1e-5f);
    }
}

/* ---- stb_perlin ---- */

static void the_compatible_noise_has_stb_perlins_bits(void **state)
{
    (void)state;
    TestRandom random = {9};
    for (int i = 0; i < 100000; i++) {
        float x = (float)random_place(&random, 1000), y = (float)random_place(&random, 1000),
              z = (float)random_place(&random, 1000);
        uint8_t seed = (uint8_t)test_random(&random);
        float ours = cn_noise_stb(x, y, z, seed);
        float theirs = stb_perlin_noise3_seed(x, y, z, 0, 0, 0, seed);
        assert_memory_equal(&ours, &theirs, sizeof ours);
    }
}

static void the_compatible_ridges_have_stb_perlins_bits(void **state)
{
    (void)state;
    TestRandom random = {10};
    for (int i = 0; i < 20000; i++) {
        float x = (float)random_place(&random, 100), y = (float)random_place(&random, 100),
              z = (float)random_place(&random, 100);
        float ours = cn_noise_stb_ridge(x, y, z, 2, 0.6f, 1.2f, 6);
        float theirs = stb_perlin_ridge_noise3(x, y, z, 2, 0.6f, 1.2f, 6);
        assert_memory_equal(&ours, &theirs, sizeof ours);
    }
}

static void the_compatible_noise_has_the_known_values(void **state)
{
    (void)state;
    assert_true(cn_fabs((double)cn_noise_stb(0.5f, 0.25f, 0.75f, 13) + 0.32144784927368164) < 1e-6);
    assert_true(cn_fabs((double)cn_noise_stb(-100.7f, 33.3f, 0.1f, (uint8_t)777) -
                        0.375658153275416) < 2e-5);
    assert_true(cn_fabs((double)cn_noise_stb_ridge(0.5f, 15, 0.25f, 2, 0.6f, 1.2f, 6) -
                        1.0935835149012783) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_0_at_the_points_of_the_lattice),
        cmocka_unit_test(noise_stays_between_bounds_and_uses_them),
        cmocka_unit_test(noise_is_continuous_where_cells_meet),
        cmocka_unit_test(noise_repeats_after_2_to_the_32_cells),
        cmocka_unit_test(places_beyond_all_numbers_give_an_answer),
        cmocka_unit_test(every_bit_of_the_seed_counts),
        cmocka_unit_test(fields_of_other_names_or_seeds_are_independent),
        cmocka_unit_test(a_field_is_no_shifted_copy_of_itself),
        cmocka_unit_test(octaves_are_lattices_of_their_own),
        cmocka_unit_test(sums_are_made_of_noise_as_the_header_says),
        cmocka_unit_test(ranges_hold_and_tell_something),
        cmocka_unit_test(ranges_of_stationary_noise_hold_and_tell_something),
        cmocka_unit_test(stationary_noise_is_distributed_alike_all_over_a_cell),
        cmocka_unit_test(stationary_noise_varies_as_much_as_perlin_noise),
        cmocka_unit_test(stationary_noise_is_continuous_where_cells_meet),
        cmocka_unit_test(the_compatible_noise_has_stb_perlins_bits),
        cmocka_unit_test(the_compatible_ridges_have_stb_perlins_bits),
        cmocka_unit_test(the_compatible_noise_has_the_known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

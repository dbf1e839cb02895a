#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/cpu.h>
#include <cairn/voxel/noise.h>

#include <stdlib.h>
#include <string.h>

#define MOST 50000u

static const CnNoise perlin = {.key = 0x0123456789abcdefu};
static const CnNoise stationary = {.key = 0x0123456789abcdefu, .is_stationary = true};
static const CnOctaves six = {.count = 6, .lacunarity = 2.1f, .gain = 0.6f, .offset = 1.2f};

static int32_t random_coordinate(TestRandom *random)
{
    static const uint32_t sizes[] = {10, 1000, 1000000, 0xffffffff};
    return (int32_t)test_random_below(random, sizes[test_random_below(random, 4)]);
}

/* Of every kind: small and large cells, many and few samples, backwards, across the end of numbers.
 */
static CnNoiseGrid random_grid(TestRandom *random)
{
    static const float scales[] = {0.3f, 0.9f, 1, 1.1f, 2, 3, 5, 9, 14, 24, 60, 200, 2048};
    static const int32_t steps[] = {0, 1, 1, 2, 4, 16, -1, -3};
    CnNoiseGrid grid = {.x = random_coordinate(random),
                        .y = random_coordinate(random),
                        .z = random_coordinate(random),
                        .step = steps[test_random_below(random, CN_COUNT_OF(steps))]};
    for (int i = 0; i < 3; i++) {
        grid.scale[i] = scales[test_random_below(random, CN_COUNT_OF(scales))];
        grid.count[i] = test_random_chance(random, 50) ? 16 : 1 + test_random_below(random, 36);
    }
    return grid;
}

static uint32_t grid_size(const CnNoiseGrid *grid)
{
    return grid->count[0] * grid->count[1] * grid->count[2];
}

static float one_sample(const CnNoise *noise, const CnNoiseGrid *grid, uint32_t at, int sum)
{
    int64_t step = grid->step ? grid->step : 1;
    int64_t i = at % grid->count[0], j = at / grid->count[0] % grid->count[1],
            k = at / grid->count[0] / grid->count[1];
    double x = (double)(grid->x + step * i) / (double)grid->scale[0];
    double y = (double)(grid->y + step * j) / (double)grid->scale[1];
    double z = (double)(grid->z + step * k) / (double)grid->scale[2];
    return sum < 0 ? cn_noise_at(noise, x, y, z)
                   : cn_noise_sum_at(noise, (CnNoiseSum)sum, &six, x, y, z);
}

/* Sum -1 is the noise itself. */
static void fill(const CnNoise *noise, const CnNoiseGrid *grid, int sum, float *out)
{
    if (sum < 0)
        cn_noise_grid(noise, grid, out);
    else
        cn_noise_sum_grid(noise, (CnNoiseSum)sum, &six, grid, out);
}

static void check_grids(const CnNoise *noise, CnSimdPath path, int sum, uint32_t grids)
{
    CnSimdPath before = cn_simd_path();
    if (!cn_simd_force(path))
        skip();
    TestRandom random = {(uint64_t)sum + 5};
    float *out = malloc((MOST + 1) * sizeof *out);
    for (uint32_t n = 0; n < grids; n++) {
        CnNoiseGrid grid = random_grid(&random);
        uint32_t size = grid_size(&grid);
        memset(out, 0x5a, (MOST + 1) * sizeof *out);
        float untouched = out[size];
        fill(noise, &grid, sum, out);
        assert_memory_equal(&out[size], &untouched, sizeof untouched);
        for (uint32_t k = 0; k < 200; k++) {
            uint32_t at = k < 2 ? (size - 1) * k : test_random_below(&random, size);
            float single = one_sample(noise, &grid, at, sum);
            assert_memory_equal(&out[at], &single, sizeof single);
        }
    }
    free(out);
    cn_simd_force(before);
}

static void grids_have_the_bits_of_single_samples_scalar(void **state)
{
    (void)state;
    for (int sum = -1; sum < 3; sum++) {
        check_grids(&perlin, CN_SIMD_SCALAR, sum, 20);
        check_grids(&stationary, CN_SIMD_SCALAR, sum, 20);
    }
}

static void grids_have_the_bits_of_single_samples_avx2(void **state)
{
    (void)state;
    for (int sum = -1; sum < 3; sum++) {
        check_grids(&perlin, CN_SIMD_AVX2, sum, sum < 0 ? 400 : 60);
        check_grids(&stationary, CN_SIMD_AVX2, sum, sum < 0 ? 400 : 60);
    }
}

static void grids_have_the_bits_of_single_samples_avx512(void **state)
{
    (void)state;
    for (int sum = -1; sum < 3; sum++) {
        check_grids(&perlin, CN_SIMD_AVX512, sum, sum < 0 ? 400 : 60);
        check_grids(&stationary, CN_SIMD_AVX512, sum, sum < 0 ? 400 : 60);
    }
}

static void chunks_have_the_same_bits_on_every_path(void **state)
{
    (void)state;
    static float scalar[4096], other[4096];
    CnSimdPath before = cn_simd_path();
    TestRandom random = {77};
    for (int n = 0; n < 200; n++) {
        CnNoiseGrid grid = random_grid(&random);
        grid.count[0] = grid.count[1] = grid.count[2] = 16;
        const CnNoise *noise = n & 1 ? &stationary : &perlin;
        cn_simd_force(CN_SIMD_SCALAR);
        cn_noise_grid(noise, &grid, scalar);
        for (int path = CN_SIMD_AVX2; path <= (int)cn_cpu_info()->best_path; path++) {
            cn_simd_force((CnSimdPath)path);
            cn_noise_grid(noise, &grid, other);
            assert_memory_equal(scalar, other, sizeof scalar);
        }
    }
    cn_simd_force(before);
}

/* Steps of more cells than the lattice has: neighbors of samples are anywhere on it. */
static void grids_that_go_around_the_lattice_have_the_same_bits_on_every_path(void **state)
{
    (void)state;
    static float scalar[4096], other[4096];
    static const float scales[] = {1e-8f, 1e-7f, 1e-6f, 1e-3f};
    const CnOctaves far = {.count = 8, .lacunarity = 37.5f, .gain = 0.6f};
    CnSimdPath before = cn_simd_path();
    for (int n = 0; n < 64; n++) {
        float scale = scales[n % 4];
        CnNoiseGrid grid = {.x = INT32_MIN,
                            .step = INT32_MAX - n / 4,
                            .count = {16, 16, 16},
                            .scale = {scale, 3e6f, 5e6f}};
        const CnNoise *noise = n & 1 ? &stationary : &perlin;
        cn_simd_force(CN_SIMD_SCALAR);
        cn_noise_sum_grid(noise, CN_NOISE_FBM, &far, &grid, scalar);
        for (int path = CN_SIMD_AVX2; path <= (int)cn_cpu_info()->best_path; path++) {
            cn_simd_force((CnSimdPath)path);
            cn_noise_sum_grid(noise, CN_NOISE_FBM, &far, &grid, other);
            assert_memory_equal(scalar, other, sizeof scalar);
        }
    }
    cn_simd_force(before);
}

static uint64_t golden_hash(CnNoise field)
{
    static float out[4096];
    uint64_t hash = 0;
    CnNoiseGrid grid = {
        .x = -1000, .y = -7, .z = 123456, .count = {16, 16, 16}, .scale = {24, 14, 5}};
    cn_noise_grid(&field, &grid, out);
    for (int i = 0; i < 4096; i++) {
        uint32_t bits;
        memcpy(&bits, &out[i], sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* What worlds are made of: it changes when, and only when, every world changes. */
static void noise_is_what_it_was(void **state)
{
    (void)state;
    assert_int_equal(golden_hash(cn_noise_perlin(42, "golden")), 0xe8c15dc95d400f88);
}

static void stationary_noise_is_what_it_was(void **state)
{
    (void)state;
    assert_int_equal(golden_hash(cn_noise_stationary(42, "golden")), 0x0e3ac73ca4efb573);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_the_bits_of_single_samples_scalar),
        cmocka_unit_test(grids_have_the_bits_of_single_samples_avx2),
        cmocka_unit_test(grids_have_the_bits_of_single_samples_avx512),
        cmocka_unit_test(chunks_have_the_same_bits_on_every_path),
        cmocka_unit_test(grids_that_go_around_the_lattice_have_the_same_bits_on_every_path),
        cmocka_unit_test(noise_is_what_it_was),
        cmocka_unit_test(stationary_noise_is_what_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

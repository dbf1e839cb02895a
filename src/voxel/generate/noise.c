/* Noise fields: single samples, and grids split into tiles. */
#include "voxel/generate/noise_lattice.h"

#include <cairn/base/assert.h>
#include <cairn/base/cpu.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/math.h>

#define TILE CNI_VOXEL_NOISE_TILE
#define TILE_SAMPLES (TILE * TILE * TILE)

CnNoise cn_noise_perlin(uint64_t seed, const char *name)
{
    uint64_t named = cn_hash_bytes(name, strlen(name), 0);
    return (CnNoise){.key = cn_hash_mix(named ^ cn_hash_mix(seed + 0x9E3779B97F4A7C15u))};
}

CnNoise cn_noise_stationary(uint64_t seed, const char *name)
{
    CnNoise noise = cn_noise_perlin(seed, name);
    noise.is_stationary = true;
    return noise;
}

/* ---- Axes ---- */

/* The lattice repeats after 2^32 cells, and no fractional bits remain that far out. */
static double within_reach(double place)
{
    return cn_fabs(place) < CNI_VOXEL_NOISE_REACH ? place : cn_fmod(place, 0x1p32);
}

/* Positions are multiples of the step; integers up to 2^53 are exact in doubles. */
CN_SIMD_DISPATCH(set_places, (double *restrict places, double start, double step, double scale),
                 (places, start, step, scale))
{
    for (int i = 0; i < (int)TILE; i++)
        places[i] = (start + step * i) / scale;
}

CN_SIMD_DISPATCH(split_places,
                 (CniVoxelNoiseAxis *restrict axis, const double *restrict places,
                  double frequency),
                 (axis, places, frequency))
{
    for (uint32_t i = 0; i < TILE; i++) {
        double place = places[i] * frequency, whole = cni_voxel_noise_floor(place);
        float fraction = (float)(place - whole);
        axis->cell[i] = cni_voxel_noise_cell(whole);
        axis->fraction[i] = fraction;
        axis->ease[i] = cni_voxel_noise_ease(fraction);
        axis->rest[i] = 0.0f;
    }
}

CN_SIMD_DISPATCH(set_stationary_weights, (CniVoxelNoiseAxis *restrict axis), (axis))
{
    for (uint32_t i = 0; i < TILE; i++) {
        const CniVoxelNoiseWeights weights = cni_voxel_stationary_weights(axis->fraction[i]);
        axis->ease[i] = weights.high;
        axis->rest[i] = weights.low;
    }
}

static void split_place(CniVoxelNoiseAxis *axis, uint32_t i, double place, bool is_stationary)
{
    place = within_reach(place);
    double whole = cni_voxel_noise_floor(place);
    float fraction = (float)(place - whole);
    axis->cell[i] = cni_voxel_noise_cell(whole);
    axis->fraction[i] = fraction;
    axis->ease[i] = cni_voxel_noise_ease(fraction);
    axis->rest[i] = 0.0f;
    if (is_stationary) {
        const CniVoxelNoiseWeights weights = cni_voxel_stationary_weights(fraction);
        axis->ease[i] = weights.high;
        axis->rest[i] = weights.low;
    }
}

/* Positions are sorted, so that the ends are the farthest. */
static bool is_within_reach(const double places[TILE], double frequency)
{
    return cn_fabs(places[0] * frequency) < CNI_VOXEL_NOISE_REACH &&
           cn_fabs(places[TILE - 1] * frequency) < CNI_VOXEL_NOISE_REACH;
}

/* Fills the whole tile along x, because vectors are computed in full. */
static void set_axes(CniVoxelNoiseTile *tile, double places[3][TILE], double frequency)
{
    tile->scattered = !(cn_fabs((places[0][TILE - 1] - places[0][0]) * frequency) < 0x1p31);
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t count = axis == 0 ? TILE : tile->count[axis];
        if (count > 1 && is_within_reach(places[axis], frequency)) {
            split_places(&tile->axis[axis], places[axis], frequency);
            if (tile->is_stationary)
                set_stationary_weights(&tile->axis[axis]);
            continue;
        }
        for (uint32_t i = 0; i < count; i++)
            split_place(&tile->axis[axis], i, places[axis][i] * frequency, tile->is_stationary);
    }
}

/* ---- Octaves ---- */

static uint64_t octave_key(const CnNoise *noise, uint32_t octave)
{
    return octave ? cn_hash_mix(noise->key + octave * 0x9E3779B97F4A7C15u) : noise->key;
}

static float first_amplitude(CnNoiseSum sum)
{
    return sum == CN_NOISE_RIDGE ? 0.5f : 1.0f;
}

typedef struct Sums {
    float sum[TILE_SAMPLES], previous[TILE_SAMPLES], noise[TILE_SAMPLES];
} Sums;

CN_SIMD_DISPATCH(add_fbm,
                 (uint32_t count, float *restrict sum, const float *restrict noise,
                  float amplitude),
                 (count, sum, noise, amplitude))
{
    for (uint32_t i = 0; i < count; i++)
        sum[i] += noise[i] * amplitude;
}

CN_SIMD_DISPATCH(add_turbulence,
                 (uint32_t count, float *restrict sum, const float *restrict noise,
                  float amplitude),
                 (count, sum, noise, amplitude))
{
    for (uint32_t i = 0; i < count; i++)
        sum[i] += __builtin_fabsf(noise[i]) * amplitude;
}

CN_SIMD_DISPATCH(add_ridge,
                 (uint32_t count, float *restrict sum, float *restrict previous,
                  const float *restrict noise, float amplitude, float offset),
                 (count, sum, previous, noise, amplitude, offset))
{
    for (uint32_t i = 0; i < count; i++) {
        float r = offset - __builtin_fabsf(noise[i]);
        r = r * r;
        sum[i] += r * amplitude * previous[i];
        previous[i] = r;
    }
}

static void add_octave(Sums *sums, uint32_t count, CnNoiseSum sum, float amplitude, float offset)
{
    if (sum == CN_NOISE_FBM)
        add_fbm(count, sums->sum, sums->noise, amplitude);
    else if (sum == CN_NOISE_TURBULENCE)
        add_turbulence(count, sums->sum, sums->noise, amplitude);
    else
        add_ridge(count, sums->sum, sums->previous, sums->noise, amplitude, offset);
}

/* ---- Tiles ---- */

static void fill_tile(const CniVoxelNoiseTile *tile, const CniVoxelNoiseTarget *target)
{
    switch (tile->scattered ? CN_SIMD_SCALAR : cn_simd_path()) {
#if defined(__x86_64__)
    case CN_SIMD_AVX512:
        cni_voxel_noise_tile_avx512(tile, target);
        break;
    case CN_SIMD_AVX2:
        cni_voxel_noise_tile_avx2(tile, target);
        break;
#endif
    default:
        cni_voxel_noise_tile_scalar(tile, target);
    }
}

/* Writes rows of TILE samples without gaps to sums->sum. */
static void sum_tile(CniVoxelNoiseTile *tile, double places[3][TILE], const CnNoise *noise,
                     CnNoiseSum sum, const CnOctaves *octaves, Sums *sums)
{
    uint32_t rows = tile->count[1] * tile->count[2], count = TILE * rows;
    float amplitude = first_amplitude(sum);
    double frequency = 1;
    for (uint32_t i = 0; i < count; i++) {
        sums->sum[i] = 0;
        sums->previous[i] = 1;
    }
    tile->count[0] = TILE;
    tile->is_stationary = noise->is_stationary;
    for (uint32_t i = 0; i < octaves->count; i++) {
        tile->key = octave_key(noise, i);
        set_axes(tile, places, frequency);
        fill_tile(tile, &(CniVoxelNoiseTarget){sums->noise, TILE, TILE * tile->count[1]});
        add_octave(sums, count, sum, amplitude, octaves->offset);
        frequency *= (double)octaves->lacunarity;
        amplitude *= octaves->gain;
    }
}

static void copy_row(float *restrict to, const float *restrict from, uint32_t count)
{
    if (count == TILE)
        memcpy(to, from, TILE * sizeof *to);
    else
        memcpy(to, from, count * sizeof *to);
}

static void copy_rows(const Sums *sums, const CniVoxelNoiseTile *tile, uint32_t row_count,
                      const CniVoxelNoiseTarget *target)
{
    for (uint32_t k = 0; k < tile->count[2]; k++)
        for (uint32_t j = 0; j < tile->count[1]; j++)
            copy_row(target->samples + j * target->row + k * target->plane,
                     &sums->sum[TILE * (j + tile->count[1] * k)], row_count);
}

/* ---- Grids ---- */

/* Positions the tile that starts at these samples of the grid. */
static void place_tile(const CnNoiseGrid *grid, const uint32_t first[3], CniVoxelNoiseTile *tile,
                       double places[3][TILE])
{
    const int32_t origin[3] = {grid->x, grid->y, grid->z};
    double step = grid->step ? grid->step : 1;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t left = grid->count[axis] - first[axis];
        double start = origin[axis] + step * first[axis], scale = (double)grid->scale[axis];
        tile->count[axis] = left < TILE ? left : TILE;
        if (axis == 0 || left > 1)
            set_places(places[axis], start, step, scale);
        else
            places[axis][0] = start / scale;
    }
}

/* `octaves` NULL selects plain noise. */
static void fill_grid(const CnNoise *noise, CnNoiseSum sum, const CnOctaves *octaves,
                      const CnNoiseGrid *grid, float *out)
{
    const uint32_t *count = grid->count;
    size_t row = count[0], plane = row * count[1];
    CN_ASSERT(grid->scale[0] > 0 && grid->scale[1] > 0 && grid->scale[2] > 0,
              "noise scales must be positive");
    uint32_t at[3];
    for (at[2] = 0; at[2] < count[2]; at[2] += TILE)
        for (at[1] = 0; at[1] < count[1]; at[1] += TILE)
            for (at[0] = 0; at[0] < count[0]; at[0] += TILE) {
                CniVoxelNoiseTarget target = {out + at[0] + row * at[1] + plane * at[2], row,
                                              plane};
                CniVoxelNoiseTile tile;
                double places[3][TILE];
                place_tile(grid, at, &tile, places);
                if (!octaves) {
                    tile.key = noise->key;
                    tile.is_stationary = noise->is_stationary;
                    set_axes(&tile, places, 1);
                    fill_tile(&tile, &target);
                    continue;
                }
                uint32_t row_count = tile.count[0];
                Sums sums;
                sum_tile(&tile, places, noise, sum, octaves, &sums);
                copy_rows(&sums, &tile, row_count, &target);
            }
}

void cn_noise_grid(const CnNoise *noise, const CnNoiseGrid *grid, float *out)
{
    CN_ASSERT(noise, "%s: noise is NULL", __func__);
    fill_grid(noise, CN_NOISE_FBM, NULL, grid, out);
}

void cn_noise_sum_grid(const CnNoise *noise, CnNoiseSum sum, const CnOctaves *octaves,
                       const CnNoiseGrid *grid, float *out)
{
    CN_ASSERT(noise, "%s: noise is NULL", __func__);
    fill_grid(noise, sum, octaves, grid, out);
}

/* ---- Single samples ---- */

static float sample(uint64_t key, bool is_stationary, double x, double y, double z)
{
    const double places[3] = {x, y, z};
    CniVoxelNoiseTile tile;
    float out;
    tile.key = key;
    tile.is_stationary = is_stationary;
    for (int i = 0; i < 3; i++) {
        tile.count[i] = 1;
        split_place(&tile.axis[i], 0, places[i], is_stationary);
    }
    cni_voxel_noise_tile_scalar(&tile, &(CniVoxelNoiseTarget){&out, 1, 1});
    return out;
}

float cn_noise_at(const CnNoise *noise, double x, double y, double z)
{
    CN_ASSERT(noise, "%s: noise is NULL", __func__);
    return sample(noise->key, noise->is_stationary, x, y, z);
}

float cn_noise_sum_at(const CnNoise *noise, CnNoiseSum sum, const CnOctaves *octaves, double x,
                      double y, double z)
{
    CN_ASSERT(noise, "%s: noise is NULL", __func__);
    float total = 0, previous = 1, amplitude = first_amplitude(sum);
    double frequency = 1;
    for (uint32_t i = 0; i < octaves->count; i++) {
        float n = sample(octave_key(noise, i), noise->is_stationary, x * frequency, y * frequency,
                         z * frequency);
        if (sum == CN_NOISE_FBM) {
            total += n * amplitude;
        } else if (sum == CN_NOISE_TURBULENCE) {
            total += __builtin_fabsf(n) * amplitude;
        } else {
            float r = octaves->offset - __builtin_fabsf(n);
            r = r * r;
            total += r * amplitude * previous;
            previous = r;
        }
        frequency *= (double)octaves->lacunarity;
        amplitude *= octaves->gain;
    }
    return total;
}

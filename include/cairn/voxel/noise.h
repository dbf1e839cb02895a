/*
 * Noise: lattice gradient noise with bit-identical results on every machine and SIMD path.
 *
 *     CnNoise caves = cn_noise_perlin(42, "cave.cheese"); // keyed by the 64-bit seed and the name
 *     float sample = cn_noise_at(&caves, 10 / 60.0, 64 / 60.0, -3 / 60.0);
 *     float samples[16 * 16 * 16];
 *     CnNoiseGrid grid = {.count = {16, 16, 16}, .scale = {60, 60, 60}};
 *     cn_noise_grid(&caves, &grid, samples);
 *
 * The noise uses twelve gradients and a quintic ease curve, as Perlin's improved noise does. Within
 * one lattice cell, at fixed y and z, the noise is lerp(a0 x + c0, a1 (x - 1) + c1, ease(x)), with
 * a and c bilinear in the gradients of the corners. It is evaluated in this order, in single
 * precision, without fused multiply-add. Coordinates are split into cell and fraction in double
 * precision, so that quality does not degrade far from the origin. Batches produce the same bits as
 * single samples.
 *
 * Perlin noise is 0 at every lattice point, and small along many lattice lines. A condition such as
 * |n| < 0.1 therefore holds more often there, which shows as straight lines one cell apart. Use
 * stationary noise for such conditions. It has values as well as gradients at the lattice points
 * and weights that preserve the variance, so the distribution of samples is nearly the same
 * everywhere.
 */
#ifndef CAIRN_VOXEL_NOISE_H
#define CAIRN_VOXEL_NOISE_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef struct CnNoise {
    uint64_t key; /* hash of seed and name */
    bool is_stationary;
} CnNoise;

/* Returns Perlin noise: about -1 to 1, 0 at the lattice points. */
CN_API CnNoise cn_noise_perlin(uint64_t seed, const char *name);
/* Returns stationary noise: nearly normally distributed everywhere, with the standard deviation of
 * Perlin noise, 0.27. One cell of it varies as much as 0.77 cells of Perlin noise. */
CN_API CnNoise cn_noise_stationary(uint64_t seed, const char *name);
/* Samples the noise. Coordinates wrap at 2^32 cells. */
CN_API float cn_noise_at(const CnNoise *noise, double x, double y, double z);

/* Octave i is sampled at lacunarity^i times the position, on a lattice of its own. */
typedef struct CnOctaves {
    uint32_t count;
    float lacunarity, gain;
    float offset; /* for CN_NOISE_RIDGE */
} CnOctaves;
typedef enum CnNoiseSum {
    CN_NOISE_FBM,        /* sum of gain^i * n */
    CN_NOISE_TURBULENCE, /* sum of gain^i * |n| */
    CN_NOISE_RIDGE       /* r = (offset - |n|)^2; sum of r * previous r * 0.5 gain^i */
} CnNoiseSum;
CN_API float cn_noise_sum_at(const CnNoise *noise, CnNoiseSum sum, const CnOctaves *octaves,
                             double x, double y, double z);

/* A grid of samples at ((x + i * step) / scale[0], (y + j * step) / scale[1], (z + k * step) /
 * scale[2]), stored at index i + count[0] * (j + count[1] * k). */
typedef struct CnNoiseGrid {
    int32_t x, y, z;
    int32_t step; /* 0 selects 1 */
    uint32_t count[3];
    float scale[3];
} CnNoiseGrid;
CN_API void cn_noise_grid(const CnNoise *noise, const CnNoiseGrid *grid, float *out);
CN_API void cn_noise_sum_grid(const CnNoise *noise, CnNoiseSum sum, const CnOctaves *octaves,
                              const CnNoiseGrid *grid, float *out);
/* Bounds of the noise over a grid, computed from the gradients of the cells that it touches: no
 * sample lies outside. Computing them takes about as long as 600 grid samples per cell, and they
 * are loose unless cells are several times larger than the grid. For grids that touch more than two
 * cells along an axis they are the global bounds of the noise. */
typedef struct CnNoiseRange {
    float low, high;
} CnNoiseRange;
CN_API CnNoiseRange cn_noise_range(const CnNoise *noise, const CnNoiseGrid *grid);

/* Return the results of stb_perlin with its 8-bit seed, bit for bit, for comparison with worlds
 * made with that library. */
CN_API float cn_noise_stb(float x, float y, float z, uint8_t seed);
CN_API float cn_noise_stb_ridge(float x, float y, float z, float lacunarity, float gain,
                                float offset, uint32_t octaves);

CN_EXTERN_C_END

#endif

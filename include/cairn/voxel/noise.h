/*
 * Noise: gradient noise on a lattice, the same bits on every machine and SIMD path.
 *
 *     CnNoise caves = cn_noise(seed, "cave.cheese");   // the whole 64-bit seed and the name
 *     float n = cn_noise_at(&caves, x / 60.0, y / 60.0, z / 60.0);
 *     cn_noise_grid(&caves, &(CnNoiseGrid){.x = 0, .y = 0, .z = 0, .count = {16, 16, 16},
 *                                          .scale = {60, 60, 60}}, out);
 *
 * Twelve gradients and a quintic ease, as Perlin's improved noise has. Inside one cell of the
 * lattice, at fixed y and z, the noise is lerp(a0 x + c0, a1 (x - 1) + c1, ease(x)), with a and c
 * bilinear in the gradients of the corners: that is the order of operations, in floats, without
 * fused multiply-adds. A coordinate is split into cell and fraction in double, so that worlds look
 * the same far from the origin. A batch gives the bits of single samples.
 *
 * Perlin noise is 0 at every point of its lattice, and small along many of the lattice's lines: a rule such as
 * |n| < 0.1 holds there more often than elsewhere, which shows as straight lines one cell apart. Use
 * stationary noise for such rules. It has values as well as gradients at the points of the lattice, and
 * weights that keep the variance: the distribution of samples is (nearly) the same at every place.
 */
#ifndef CAIRN_VOXEL_NOISE_H
#define CAIRN_VOXEL_NOISE_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef struct CnNoise {
    uint64_t key; /* of seed and name */
    bool is_stationary;
} CnNoise;

/* Perlin noise: about -1 to 1, 0 at the points of the lattice. */
CN_API CnNoise cn_noise(uint64_t seed, const char *name);
/* Stationary noise: nearly normally distributed at every place, with the standard deviation of Perlin noise,
 * 0.27. One cell of it varies as much as 0.77 cells of Perlin noise. */
CN_API CnNoise cn_noise_stationary(uint64_t seed, const char *name);
/* Coordinates are taken modulo 2^32 cells. */
CN_API float cn_noise_at(const CnNoise *noise, double x, double y, double z);

/* Octave i is sampled at lacunarity^i times the place, on a lattice of its own. */
typedef struct CnOctaves {
    uint32_t count;
    float lacunarity, gain;
    float offset; /* of ridges */
} CnOctaves;
typedef enum CnNoiseSum {
    CN_NOISE_FBM,        /* sum of gain^i * n */
    CN_NOISE_TURBULENCE, /* sum of gain^i * |n| */
    CN_NOISE_RIDGE /* r = (offset - |n|)^2; sum of r * amplitude * previous r; amplitude .5 gain^i */
} CnNoiseSum;
CN_API float cn_noise_sum_at(const CnNoise *noise, CnNoiseSum sum, const CnOctaves *octaves,
                             double x, double y, double z);

/* Samples at ((x + i * step) / scale[0], (y + j * step) / scale[1], (z + k * step) / scale[2]); written
 * at i + count[0] * (j + count[1] * k). */
typedef struct CnNoiseGrid {
    int32_t x, y, z;
    int32_t step; /* 0 means 1 */
    uint32_t count[3];
    float scale[3];
} CnNoiseGrid;
CN_API void cn_noise_grid(const CnNoise *noise, const CnNoiseGrid *grid, float *out);
CN_API void cn_noise_sum_grid(const CnNoise *noise, CnNoiseSum sum, const CnOctaves *octaves,
                              const CnNoiseGrid *grid, float *out);
/* Bounds from the gradients of the cells that the grid touches: no sample lies outside. They take about
 * as long as 600 samples of a grid for each cell, and tell little unless cells are several times larger
 * than the grid; where it touches more than two in a direction they are what no noise exceeds. */
typedef struct CnNoiseRange {
    float low, high;
} CnNoiseRange;
CN_API CnNoiseRange cn_noise_range(const CnNoise *noise, const CnNoiseGrid *grid);

/* stb_perlin's, bit for bit, with its seed of 8 bits: for comparing with worlds of others. */
CN_API float cn_noise_stb(float x, float y, float z, uint8_t seed);
CN_API float cn_noise_stb_ridge(float x, float y, float z, float lacunarity, float gain,
                                float offset, uint32_t octaves);

CN_EXTERN_C_END

#endif

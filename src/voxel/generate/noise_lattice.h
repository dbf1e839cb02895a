/*
 * Shared by all noise paths: splitting coordinates into cell and fraction, gradients of lattice
 * points, and the tiles in which grids are computed.
 *
 * The order of operations is part of the definition: all paths and batches produce the same bits.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_NOISE_LATTICE_H
#define CAIRN_SRC_VOXEL_GENERATE_NOISE_LATTICE_H

#include <cairn/voxel/noise.h>

#include <string.h>

/* ---- Coordinates ---- */

/* Adding it to an integer below 2^51 leaves that integer in the low bits. */
#define CNI_VOXEL_NOISE_SHIFT 0x1.8p52
#define CNI_VOXEL_NOISE_REACH 0x1p51

/* Returns the largest integer not above x. */
CN_FORCE_INLINE double cni_voxel_noise_floor(double x)
{
    double nearest = (x + CNI_VOXEL_NOISE_SHIFT) - CNI_VOXEL_NOISE_SHIFT;
    return nearest - (nearest > x ? 1.0 : 0.0);
}

/* Modulo 2^32. */
CN_FORCE_INLINE uint32_t cni_voxel_noise_cell(double whole)
{
    double shifted = whole + CNI_VOXEL_NOISE_SHIFT;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (uint32_t)bits;
}

/* 6 t^5 - 15 t^4 + 10 t^3 */
CN_FORCE_INLINE float cni_voxel_noise_ease(float t)
{
    return ((t * 6.0f - 15.0f) * t + 10.0f) * t * t * t;
}

CN_FORCE_INLINE float cni_voxel_noise_lerp(float a, float b, float t)
{
    return a + t * (b - a);
}

/* ---- Stationary noise ---- */

/* Standard deviation of the noise; that of Perlin noise over all positions. */
#define CNI_VOXEL_STATIONARY_DEVIATION 0.268f
/* The sum of four bytes has a mean of 510 and a standard deviation of 147.8. */
#define CNI_VOXEL_STATIONARY_VALUE (CNI_VOXEL_STATIONARY_DEVIATION / 147.8f)
/* Gradients give lattice points a slope, so that the field is not flat around them. */
#define CNI_VOXEL_STATIONARY_GRADIENT (CNI_VOXEL_STATIONARY_DEVIATION * (5.0f / 3.0f))
/* Variance that gradients add at unit distance from their point, relative to that of the values:
 * 2/3 (5/3)^2, less a sixth, because three axes add up and the weights are a product. */
#define CNI_VOXEL_STATIONARY_SLOPE 1.543f

/* Weights of the two lattice points around a fraction. They do not add up to 1: they keep the
 * variance of the weighted sum at 1, whereas linear interpolation halves it in the middle. */
typedef struct CniVoxelNoiseWeights {
    float low, high;
} CniVoxelNoiseWeights;

CN_FORCE_INLINE CniVoxelNoiseWeights cni_voxel_stationary_weights(float t)
{
    const float high = t * t * (3.0f - 2.0f * t), low = 1.0f - high, before = 1.0f - t;
    const float variance = low * low * (1.0f + CNI_VOXEL_STATIONARY_SLOPE * t * t) +
                           high * high * (1.0f + CNI_VOXEL_STATIONARY_SLOPE * before * before);
    const float scale = 1.0f / __builtin_sqrtf(variance);
    return (CniVoxelNoiseWeights){low * scale, high * scale};
}

/* ---- Gradients ---- */

/* Hash of the lattice points that share y and z. Both halves are used: see cni_voxel_noise_point.
 */
CN_FORCE_INLINE uint64_t cni_voxel_noise_row(uint64_t key, uint32_t y, uint32_t z)
{
    uint64_t h = ((uint64_t)z << 32 | y) * 0x9E3779B97F4A7C15u ^ key;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
}

/* The upper bits are well mixed. 32-bit multiplications, because vector units lack wider ones. */
#define CNI_VOXEL_NOISE_POINT_1 0x9E3779B1u
#define CNI_VOXEL_NOISE_POINT_2 0x85EBCA6Bu
CN_FORCE_INLINE uint32_t cni_voxel_noise_point(uint64_t row, uint32_t x)
{
    uint32_t h = (x ^ (uint32_t)row) * CNI_VOXEL_NOISE_POINT_1;
    return (h ^ h >> 15 ^ (uint32_t)(row >> 32)) * CNI_VOXEL_NOISE_POINT_2;
}

typedef struct CniVoxelGradient {
    float x, y, z;
} CniVoxelGradient;

/* Points to the middle of an edge of a cube: the two upper bits are signs, the next 16 select the
 * axis that is 0. Uses a table, because branches on random bits are mispredicted. */
CN_FORCE_INLINE CniVoxelGradient cni_voxel_noise_gradient(uint64_t row, uint32_t x)
{
    static const CniVoxelGradient gradients[12] = {
        {0, 1, 1},  {0, 1, -1},  {0, -1, 1}, {0, -1, -1}, {1, 0, 1},  {1, 0, -1},
        {-1, 0, 1}, {-1, 0, -1}, {1, 1, 0},  {1, -1, 0},  {-1, 1, 0}, {-1, -1, 0},
    };
    uint32_t h = cni_voxel_noise_point(row, x);
    uint32_t zero = (h << 2 >> 16) * 3 >> 16;
    return gradients[zero * 4 + (h >> 30)];
}

/* Value of a lattice point from its hash, nearly normally distributed: the sum of four bytes, -510
 * to 510. */
#define CNI_VOXEL_NOISE_VALUE 0xC2B2AE35u
CN_FORCE_INLINE float cni_voxel_noise_value(uint64_t row, uint32_t x)
{
    uint32_t h = cni_voxel_noise_point(row, x);
    h = (h ^ h >> 16) * CNI_VOXEL_NOISE_VALUE;
    h ^= h >> 16;
    const uint32_t pairs = (h & 0x00ff00ffu) + (h >> 8 & 0x00ff00ffu);
    return ((float)(int32_t)((pairs & 0xffffu) + (pairs >> 16)) - 510.0f) *
           CNI_VOXEL_STATIONARY_VALUE;
}

/* ---- Tiles ---- */

#define CNI_VOXEL_NOISE_TILE 16u

/* One axis of a tile; along x all elements are valid. */
typedef struct CniVoxelNoiseAxis {
    _Alignas(64) uint32_t cell[CNI_VOXEL_NOISE_TILE];
    float fraction[CNI_VOXEL_NOISE_TILE];
    float ease[CNI_VOXEL_NOISE_TILE]; /* weight of the upper lattice point */
    float rest[CNI_VOXEL_NOISE_TILE]; /* weight of the lower one; stationary noise only */
} CniVoxelNoiseAxis;

typedef struct CniVoxelNoiseTile {
    uint64_t key;
    uint32_t count[3]; /* 1 to CNI_VOXEL_NOISE_TILE */
    bool scattered;    /* cells along x may wrap around; scalar path only */
    bool is_stationary;
    CniVoxelNoiseAxis axis[3];
} CniVoxelNoiseTile;

/* Destination of samples: x + row * y + plane * z. */
typedef struct CniVoxelNoiseTarget {
    float *samples;
    size_t row, plane;
} CniVoxelNoiseTarget;

void cni_voxel_noise_tile_scalar(const CniVoxelNoiseTile *tile, const CniVoxelNoiseTarget *target);
#if defined(__x86_64__)
void cni_voxel_noise_tile_avx2(const CniVoxelNoiseTile *tile, const CniVoxelNoiseTarget *target);
void cni_voxel_noise_tile_avx512(const CniVoxelNoiseTile *tile, const CniVoxelNoiseTarget *target);
#endif

#endif

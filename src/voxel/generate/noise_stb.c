/* The noise of stb_perlin from its tables: the same operations in the same order. */
#include "voxel/generate/noise_lattice.h"

#include <cairn/base/math.h>

/* Its permutation of the byte values. */
static const uint8_t permutation[256] = {
    23,  125, 161, 52,  103, 117, 70,  37,  247, 101, 203, 169, 124, 126, 44,  123, 152, 238, 145,
    45,  171, 114, 253, 10,  192, 136, 4,   157, 249, 30,  35,  72,  175, 63,  77,  90,  181, 16,
    96,  111, 133, 104, 75,  162, 93,  56,  66,  240, 8,   50,  84,  229, 49,  210, 173, 239, 141,
    1,   87,  18,  2,   198, 143, 57,  225, 160, 58,  217, 168, 206, 245, 204, 199, 6,   73,  60,
    20,  230, 211, 233, 94,  200, 88,  9,   74,  155, 33,  15,  219, 130, 226, 202, 83,  236, 42,
    172, 165, 218, 55,  222, 46,  107, 98,  154, 109, 67,  196, 178, 127, 158, 13,  243, 65,  79,
    166, 248, 25,  224, 115, 80,  68,  51,  184, 128, 232, 208, 151, 122, 26,  212, 105, 43,  179,
    213, 235, 148, 146, 89,  14,  195, 28,  78,  112, 76,  250, 47,  24,  251, 140, 108, 186, 190,
    228, 170, 183, 139, 39,  188, 244, 246, 132, 48,  119, 144, 180, 138, 134, 193, 82,  182, 120,
    121, 86,  220, 209, 3,   91,  241, 149, 85,  205, 150, 113, 216, 31,  100, 41,  164, 177, 214,
    153, 231, 38,  71,  185, 174, 97,  201, 29,  95,  7,   92,  54,  254, 191, 118, 34,  221, 131,
    11,  163, 99,  234, 81,  227, 147, 156, 176, 17,  142, 69,  12,  110, 62,  27,  255, 0,   194,
    59,  116, 242, 252, 19,  21,  187, 53,  207, 129, 64,  135, 61,  40,  167, 237, 102, 223, 106,
    159, 197, 189, 215, 137, 36,  32,  22,  5,
};

/* Index of one of twelve gradients: the low six bits modulo 12, except for 12 to 15. */
static uint32_t gradient_index(uint32_t number)
{
    static const uint8_t aside[4] = {0, 9, 1, 11};
    number &= 63;
    if (number < 12)
        return number;
    return number < 16 ? aside[number - 12] : (number - 16) % 12;
}

static float gradient_dot(uint32_t number, float x, float y, float z)
{
    static const float gradients[12][3] = {
        {1, 1, 0},  {-1, 1, 0},  {1, -1, 0}, {-1, -1, 0}, {1, 0, 1},  {-1, 0, 1},
        {1, 0, -1}, {-1, 0, -1}, {0, 1, 1},  {0, -1, 1},  {0, 1, -1}, {0, -1, -1},
    };
    const float *g = gradients[gradient_index(number)];
    return g[0] * x + g[1] * y + g[2] * z;
}

static float ease(float t)
{
    return ((t * 6 - 15) * t + 10) * t * t * t;
}

static float lerp(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* Tables repeat after 256 entries. */
static uint32_t permute(uint32_t i)
{
    return permutation[i & 255];
}

/* Returns the cell modulo 256 and the fraction in it. */
static uint32_t split(float x, float *fraction)
{
    float whole = cn_floorf(x);
    *fraction = x - whole;
    return cni_voxel_noise_cell((double)whole);
}

float cn_noise_stb(float x, float y, float z, uint8_t seed)
{
    float fx, fy, fz, n[2][2];
    uint32_t cx = split(x, &fx), cy = split(y, &fy), cz = split(z, &fz);
    float u = ease(fx), v = ease(fy), w = ease(fz);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < 2; j++) {
            uint32_t row = permute(permute((cx + i) % 256 + seed) + (cy + j) % 256);
            uint32_t low = permute(row + cz % 256), high = permute(row + (cz + 1) % 256);
            float dx = i ? fx - 1 : fx, dy = j ? fy - 1 : fy;
            n[i][j] = lerp(gradient_dot(low, dx, dy, fz), gradient_dot(high, dx, dy, fz - 1), w);
        }
    return lerp(lerp(n[0][0], n[0][1], v), lerp(n[1][0], n[1][1], v), u);
}

float cn_noise_stb_ridge(float x, float y, float z, float lacunarity, float gain, float offset,
                         uint32_t octaves)
{
    float frequency = 1, previous = 1, amplitude = 0.5f, sum = 0;
    for (uint32_t i = 0; i < octaves; i++) {
        float n = cn_noise_stb(x * frequency, y * frequency, z * frequency, (uint8_t)i);
        float r = offset - cn_fabsf(n);
        r = r * r;
        sum += r * amplitude * previous;
        previous = r;
        frequency *= lacunarity;
        amplitude *= gain;
    }
    return sum;
}

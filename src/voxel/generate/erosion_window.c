/*
 * Simulates droplets that run down a window of coarse cells, pick up ground where they are fast and
 * deposit it where they are slow. The start and order of droplets depend on world positions:
 * overlapping windows contain the same droplets, so that blending preserves valleys.
 */
#include "voxel/generate/erosion.h"

#include <cairn/base/math.h>

#include <string.h>

#define SIZE CNI_VOXEL_EROSION_SIZE
#define DROPLET_CELLS 4 /* one droplet starts per square of so many cells in each round */
#define ROUNDS 3
#define STEPS 32
#define BLURS 3

/* Heights are in cells here, so that slopes are blocks per block. */
#define INERTIA 0.2f
#define CAPACITY 8.0f
#define MIN_SLOPE 0.01f
#define ERODE 0.5f
#define DEPOSIT 0.2f
#define EVAPORATE 0.02f
#define STILL 0.004f /* slope at which water stops */
#define GRAVITY 4.0f
#define MAX_SPEED 3.0f
#define SEA ((CN_SEA_LEVEL + 0.5f) / CNI_VOXEL_EROSION_CELL)
/* In blocks. Deeper gorges and higher deposits look wrong. */
#define MAX_DOWN 18.0f
#define MAX_UP 9.0f

typedef struct Slope {
    float height, x, z;
} Slope;

typedef struct Droplet {
    float x, z, dir_x, dir_z;
    float speed, water, sediment;
    Slope here;
} Droplet;

static bool inside(float x, float z)
{
    return x >= 1 && z >= 1 && x < SIZE - 2 && z < SIZE - 2;
}

static Slope slope_at(const float *heights, float x, float z)
{
    int ix = (int)x, iz = (int)z;
    float fx = x - (float)ix, fz = z - (float)iz;
    const float *h = heights + ix + SIZE * iz;
    float a = h[0], b = h[1], c = h[SIZE], d = h[SIZE + 1];
    float near_side = a + (b - a) * fx, far_side = c + (d - c) * fx;
    return (Slope){near_side + (far_side - near_side) * fz, (b - a) + ((d - c) - (b - a)) * fz,
                   far_side - near_side};
}

/* Spreads ground over the nearest cell and the eight around it, to avoid pits and spikes. */
static void add_ground(float *heights, float x, float z, float amount)
{
    float *h = heights + (int)(x + 0.5f) + SIZE * (int)(z + 0.5f);
    float corner = amount * 0.07f, side = amount * 0.12f;
    h[-SIZE - 1] += corner;
    h[-SIZE + 1] += corner;
    h[SIZE - 1] += corner;
    h[SIZE + 1] += corner;
    h[-SIZE] += side;
    h[-1] += side;
    h[1] += side;
    h[SIZE] += side;
    h[0] += amount * 0.24f;
}

/* Picks up or deposits ground at the previous position of the droplet, which has dropped by
 * `fall`. */
static void work(float *heights, Droplet *drop, float x, float z, float fall)
{
    float slope = fall > MIN_SLOPE ? fall : MIN_SLOPE;
    float left = slope * drop->speed * drop->water * CAPACITY - drop->sediment;
    float taken = left * ERODE, dropped = -left * DEPOSIT;
    taken = taken < fall ? taken : fall;
    /* A hollow is filled up to the water level at most. */
    float filled = drop->sediment < -fall ? drop->sediment : -fall;
    float amount = fall < 0 ? filled : left < 0 ? dropped : -taken;
    drop->sediment -= amount;
    add_ground(heights, x, z, amount);
}

/* Moves the droplet by one step. Returns false when it has ended and deposited its sediment. */
static bool step(float *heights, Droplet *drop)
{
    float x = drop->x, z = drop->z;
    Slope here = drop->here;
    drop->dir_x = drop->dir_x * INERTIA - here.x * (1 - INERTIA);
    drop->dir_z = drop->dir_z * INERTIA - here.z * (1 - INERTIA);
    float square = drop->dir_x * drop->dir_x + drop->dir_z * drop->dir_z;
    if (square < STILL * STILL || here.height < SEA) {
        add_ground(heights, x, z, drop->sediment);
        return false;
    }
    float per_length = 1 / cn_sqrtf(square);
    drop->dir_x *= per_length;
    drop->dir_z *= per_length;
    drop->x += drop->dir_x;
    drop->z += drop->dir_z;
    if (!inside(drop->x, drop->z))
        return false;
    /* The change just made behind the droplet does not affect the slope ahead of it. */
    drop->here = slope_at(heights, drop->x, drop->z);
    float fall = here.height - drop->here.height;
    work(heights, drop, x, z, fall);
    float energy = drop->speed * drop->speed + fall * GRAVITY;
    drop->speed = energy > 0 ? cn_sqrtf(energy) : 0;
    drop->speed = drop->speed < MAX_SPEED ? drop->speed : MAX_SPEED;
    drop->water *= 1 - EVAPORATE;
    return true;
}

static void run_droplet(float *heights, float x, float z)
{
    if (!inside(x, z))
        return;
    Droplet drop = {.x = x, .z = z, .speed = 1, .water = 1, .here = slope_at(heights, x, z)};
    for (uint32_t i = 0; i < STEPS && step(heights, &drop); i++)
        ;
}

static void run_round(uint64_t seed, CniVoxelWindowPos position, int32_t round, float *heights)
{
    int32_t count = SIZE / DROPLET_CELLS;
    int32_t first_x = position.x * (CNI_VOXEL_EROSION_STRIDE / DROPLET_CELLS);
    int32_t first_z = position.z * (CNI_VOXEL_EROSION_STRIDE / DROPLET_CELLS);
    for (int32_t k = 0; k < count; k++) {
        for (int32_t i = 0; i < count; i++) {
            uint64_t dice = cni_voxel_position_hash(seed, 0xE205, first_x + i, round, first_z + k);
            float u = (float)(dice & 0xFFFF) * (1.0f / 65536);
            float v = (float)(dice >> 16 & 0xFFFF) * (1.0f / 65536);
            run_droplet(heights, ((float)i + u) * DROPLET_CELLS, ((float)k + v) * DROPLET_CELLS);
        }
    }
}

static int16_t limited_change(float cells)
{
    float blocks = cells * CNI_VOXEL_EROSION_CELL;
    /* Saturates smoothly towards the limits, to avoid visible terraces. */
    float limit = blocks < 0 ? MAX_DOWN : MAX_UP;
    float size = blocks < 0 ? -blocks : blocks;
    float bent = size * limit / (size + limit);
    float units = (blocks < 0 ? -bent : bent) * (1 / CNI_VOXEL_EROSION_UNIT);
    return (int16_t)cn_floorf(units + 0.5f);
}

/* Removes details smaller than a valley, in which water would only form puddles. `other` is work
 * memory. */
static void blur(float *heights, float *other)
{
    for (int z = 0; z < SIZE; z++) {
        const float *h = heights + SIZE * z;
        float *out = other + SIZE * z;
        out[0] = h[0];
        for (int x = 1; x < SIZE - 1; x++)
            out[x] = 0.25f * (h[x - 1] + h[x + 1]) + 0.5f * h[x];
        out[SIZE - 1] = h[SIZE - 1];
    }
    memcpy(heights, other, SIZE * sizeof(float));
    for (int i = SIZE; i < SIZE * (SIZE - 1); i++)
        heights[i] = 0.25f * (other[i - SIZE] + other[i + SIZE]) + 0.5f * other[i];
    memcpy(heights + SIZE * (SIZE - 1), other + SIZE * (SIZE - 1), SIZE * sizeof(float));
}

void cni_voxel_erosion_run(uint64_t seed, CniVoxelWindowPos position,
                           float heights[CNI_VOXEL_EROSION_CELLS],
                           int16_t change[CNI_VOXEL_EROSION_CELLS])
{
    float before[CNI_VOXEL_EROSION_CELLS];
    for (uint32_t i = 0; i < CNI_VOXEL_EROSION_CELLS; i++)
        heights[i] *= 1.0f / CNI_VOXEL_EROSION_CELL;
    for (uint32_t i = 0; i < BLURS; i++)
        blur(heights, before);
    memcpy(before, heights, sizeof before);
    for (int32_t round = 0; round < ROUNDS; round++)
        run_round(seed, position, round, heights);
    /* On even slopes droplets leave ridges one cell apart; blurring removes them. */
    for (uint32_t i = 0; i < CNI_VOXEL_EROSION_CELLS; i++)
        heights[i] -= before[i];
    blur(heights, before);
    for (uint32_t i = 0; i < CNI_VOXEL_EROSION_CELLS; i++)
        change[i] = limited_change(heights[i]);
}

/* Noise in plain C: the definition that the vector paths follow. */
#include "voxel/generate/noise_lattice.h"

/* Along x, noise is a x + c towards each lattice point. */
typedef struct Line {
    float a, c;
} Line;

typedef struct Place {
    uint32_t cell;
    float fraction, ease, rest;
} Place;

static Place place_of(const CniVoxelNoiseAxis *axis, uint32_t i)
{
    return (Place){axis->cell[i], axis->fraction[i], axis->ease[i], axis->rest[i]};
}

/* The lattice rows around a line along x: y, y + 1, then the same at z + 1. */
typedef struct Rows {
    uint64_t row[4];
} Rows;

static Rows rows_around(uint64_t key, uint32_t y, uint32_t z)
{
    return (Rows){{cni_voxel_noise_row(key, y, z), cni_voxel_noise_row(key, y + 1, z),
                   cni_voxel_noise_row(key, y, z + 1), cni_voxel_noise_row(key, y + 1, z + 1)}};
}

/* Blends the lattice points at y and y + 1, for one z of the lattice. */
static CniVoxelGradient blend_y(const uint64_t row[2], uint32_t x, Place y)
{
    CniVoxelGradient low = cni_voxel_noise_gradient(row[0], x);
    CniVoxelGradient high = cni_voxel_noise_gradient(row[1], x);
    return (CniVoxelGradient){
        cni_voxel_noise_lerp(low.x, high.x, y.ease),
        cni_voxel_noise_lerp(low.y * y.fraction, high.y * (y.fraction - 1.0f), y.ease),
        cni_voxel_noise_lerp(low.z, high.z, y.ease),
    };
}

static Line line_of(const Rows *rows, uint32_t x, Place y, Place z)
{
    CniVoxelGradient low = blend_y(&rows->row[0], x, y), high = blend_y(&rows->row[2], x, y);
    return (Line){
        cni_voxel_noise_lerp(low.x, high.x, z.ease),
        cni_voxel_noise_lerp(low.y + low.z * z.fraction, high.y + high.z * (z.fraction - 1.0f),
                             z.ease),
    };
}

/* ---- Stationary noise ---- */

static float weigh(float low, float high, Place place)
{
    return low * place.rest + high * place.ease;
}

/* A scaled gradient, and the value of its point in `c`. */
typedef struct Point {
    float x, y, z, c;
} Point;

static Point point_at(uint64_t row, uint32_t x)
{
    const CniVoxelGradient g = cni_voxel_noise_gradient(row, x);
    return (Point){g.x * CNI_VOXEL_STATIONARY_GRADIENT, g.y * CNI_VOXEL_STATIONARY_GRADIENT,
                   g.z * CNI_VOXEL_STATIONARY_GRADIENT, cni_voxel_noise_value(row, x)};
}

static CniVoxelGradient weigh_y(const uint64_t row[2], uint32_t x, Place y)
{
    const Point low = point_at(row[0], x), high = point_at(row[1], x);
    return (CniVoxelGradient){
        weigh(low.x, high.x, y),
        weigh(low.y * y.fraction + low.c, high.y * (y.fraction - 1.0f) + high.c, y),
        weigh(low.z, high.z, y),
    };
}

static Line stationary_line(const Rows *rows, uint32_t x, Place y, Place z)
{
    CniVoxelGradient low = weigh_y(&rows->row[0], x, y), high = weigh_y(&rows->row[2], x, y);
    return (Line){
        weigh(low.x, high.x, z),
        weigh(low.y + low.z * z.fraction, high.y + high.z * (z.fraction - 1.0f), z),
    };
}

/* ---- Rows ---- */

static Line line_at(const CniVoxelNoiseTile *tile, const Rows *rows, uint32_t x, Place y, Place z)
{
    return tile->is_stationary ? stationary_line(rows, x, y, z) : line_of(rows, x, y, z);
}

/* Lattice points are shared by the cells on both sides. */
static void fill_row(const CniVoxelNoiseTile *tile, Place y, Place z, float *out)
{
    const CniVoxelNoiseAxis *axis = &tile->axis[0];
    const Rows rows = rows_around(tile->key, y.cell, z.cell);
    Line left = {0, 0}, right = {0, 0};
    for (uint32_t i = 0; i < tile->count[0]; i++) {
        Place x = place_of(axis, i);
        if (i == 0 || x.cell != axis->cell[i - 1]) {
            bool next = i > 0 && x.cell == axis->cell[i - 1] + 1;
            left = next ? right : line_at(tile, &rows, x.cell, y, z);
            right = line_at(tile, &rows, x.cell + 1, y, z);
        }
        const float low = left.a * x.fraction + left.c;
        const float high = right.a * (x.fraction - 1.0f) + right.c;
        out[i] =
            tile->is_stationary ? weigh(low, high, x) : cni_voxel_noise_lerp(low, high, x.ease);
    }
}

void cni_voxel_noise_tile_scalar(const CniVoxelNoiseTile *tile, const CniVoxelNoiseTarget *target)
{
    for (uint32_t k = 0; k < tile->count[2]; k++)
        for (uint32_t j = 0; j < tile->count[1]; j++)
            fill_row(tile, place_of(&tile->axis[1], j), place_of(&tile->axis[2], k),
                     target->samples + j * target->row + k * target->plane);
}

/*
 * Bounds of noise in a box, computed only from the gradients of its cells.
 *
 * Within a cell, noise is a mean of eight dot products weighted by the ease curves. Over a box each
 * product lies in an interval, and a mean of upper ends is largest where every ease is at one of
 * its ends, which gives eight candidates. The weights of stationary noise are not linear in an
 * ease: one axis after the other is reduced to the largest of a few sums along it, plus the maximum
 * increase between two of them.
 */
#include "voxel/generate/noise_lattice.h"

#include <cairn/base/assert.h>
#include <cairn/base/math.h>

/* Upper bound of Perlin noise: twelve gradients reach 1.0366. */
#define LIMIT 1.04f
/* Upper bound of stationary noise: points contribute up to 1.83, and weights along an axis add up
 * to at most 1.202. */
#define STATIONARY_LIMIT 3.2f
/* Number of sums along an axis of a box. Second derivatives of the weights of stationary noise
 * lie between -5.2 and 6; between samples h apart a function increases by at most h^2 / 8 times
 * that. */
#define WEIGHT_SAMPLES 4
#define WEIGHT_BEND 6.1f
/* Covers eight roundings of numbers up to 2. */
#define SLACK 0x1p-18f
/* With more, cells are small compared to the grid and the bounds are useless. */
#define MAX_CELLS 2

typedef struct Span {
    float low, high; /* fractions */
    uint32_t cell;
} Span;

/* Returns the number of cells along one axis; 0: too many. */
static uint32_t find_spans(int32_t origin, const CnNoiseGrid *grid, int axis, Span spans[MAX_CELLS])
{
    int64_t step = grid->step ? grid->step : 1;
    double scale = (double)grid->scale[axis];
    double low = (double)origin / scale;
    double high = (double)(origin + step * (grid->count[axis] - 1)) / scale;
    if (high < low) {
        double swap = low;
        low = high;
        high = swap;
    }
    if (!(low > -CNI_VOXEL_NOISE_REACH && high < CNI_VOXEL_NOISE_REACH))
        return 0;
    double first = cni_voxel_noise_floor(low), cells = cni_voxel_noise_floor(high) - first + 1;
    if (cells > MAX_CELLS)
        return 0;
    for (uint32_t i = 0; i < (uint32_t)cells; i++) {
        double cell = first + i;
        spans[i] = (Span){.low = low > cell ? (float)(low - cell) : 0.0f,
                          .high = high < cell + 1 ? (float)(high - cell) : 1.0f,
                          .cell = cni_voxel_noise_cell(cell)};
    }
    return (uint32_t)cells;
}

/* gradient * (fraction - corner) */
static CnNoiseRange part(float gradient, Span span, uint32_t corner)
{
    float a = gradient * (span.low - (float)corner), b = gradient * (span.high - (float)corner);
    return a < b ? (CnNoiseRange){a, b} : (CnNoiseRange){b, a};
}

static CnNoiseRange slope_range(CniVoxelGradient g, const Span box[3], uint32_t corner)
{
    uint32_t i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
    CnNoiseRange x = part(g.x, box[0], i), y = part(g.y, box[1], j), z = part(g.z, box[2], k);
    return (CnNoiseRange){x.low + y.low + z.low, x.high + y.high + z.high};
}

static CnNoiseRange dot_range(uint64_t key, const Span box[3], uint32_t corner)
{
    uint32_t i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
    uint64_t row = cni_voxel_noise_row(key, box[1].cell + j, box[2].cell + k);
    return slope_range(cni_voxel_noise_gradient(row, box[0].cell + i), box, corner);
}

/* Interpolates values at the corners of the cell to the corners of the box of eases. */
static void narrow(float v[8], const Span box[3])
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t bit = 1u << axis;
        float from = cni_voxel_noise_ease(box[axis].low), to = cni_voxel_noise_ease(box[axis].high);
        for (uint32_t i = 0; i < 8; i++) {
            if (i & bit)
                continue;
            float low = v[i], high = v[i | bit];
            v[i] = cni_voxel_noise_lerp(low, high, from);
            v[i | bit] = cni_voxel_noise_lerp(low, high, to);
        }
    }
}

static CnNoiseRange join(CnNoiseRange a, CnNoiseRange b)
{
    return (CnNoiseRange){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static CnNoiseRange range_in_cell(uint64_t key, const Span box[3])
{
    float low[8], high[8];
    for (uint32_t i = 0; i < 8; i++) {
        CnNoiseRange range = dot_range(key, box, i);
        low[i] = range.low;
        high[i] = range.high;
    }
    narrow(low, box);
    narrow(high, box);
    CnNoiseRange range = {low[0], high[0]};
    for (uint32_t i = 1; i < 8; i++)
        range = join(range, (CnNoiseRange){low[i], high[i]});
    return (CnNoiseRange){range.low - SLACK, range.high + SLACK};
}

/* ---- Stationary noise ---- */

/* For the cells of one axis: the weights at a few positions of the box, and their spacing. */
typedef struct SpanWeights {
    CniVoxelNoiseWeights at[WEIGHT_SAMPLES];
    float step;
} SpanWeights;

static SpanWeights span_weights(Span span)
{
    SpanWeights weights = {.step = (span.high - span.low) * (1.0f / (WEIGHT_SAMPLES - 1))};
    for (uint32_t n = 0; n < WEIGHT_SAMPLES; n++)
        weights.at[n] = cni_voxel_stationary_weights(span.low + weights.step * (float)n);
    return weights;
}

/* Contributions of the corners, value and slope: upper ends, and negated lower ends. */
typedef struct Ends {
    float high, negated_low;
} Ends;

static Ends stationary_corner(uint64_t key, const Span box[3], uint32_t corner)
{
    const uint32_t i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
    const uint64_t row = cni_voxel_noise_row(key, box[1].cell + j, box[2].cell + k);
    const CniVoxelGradient g = cni_voxel_noise_gradient(row, box[0].cell + i);
    const CnNoiseRange slope = slope_range(g, box, corner);
    const float value = cni_voxel_noise_value(row, box[0].cell + i);
    return (Ends){value + CNI_VOXEL_STATIONARY_GRADIENT * slope.high,
                  -value - CNI_VOXEL_STATIONARY_GRADIENT * slope.low};
}

static float most_along(float a, float b, const SpanWeights *weights)
{
    float most = a * weights->at[0].low + b * weights->at[0].high;
    for (uint32_t n = 1; n < WEIGHT_SAMPLES; n++) {
        const float sum = a * weights->at[n].low + b * weights->at[n].high;
        most = sum > most ? sum : most;
    }
    return most + (cn_fabsf(a) + cn_fabsf(b)) * weights->step * weights->step * (WEIGHT_BEND / 8);
}

/* Computes the maximum of the weighted sums of pairs along an axis. Weights are not negative, so
 * upper bounds of the summands give an upper bound of the sum. */
static void reduce_axis(Ends *v, uint32_t count, const SpanWeights *weights)
{
    for (uint32_t i = 0; i < count; i++)
        v[i] = (Ends){most_along(v[2 * i].high, v[2 * i + 1].high, weights),
                      most_along(v[2 * i].negated_low, v[2 * i + 1].negated_low, weights)};
}

static CnNoiseRange stationary_range_in_cell(uint64_t key, const Span box[3],
                                             const SpanWeights *const weights[3])
{
    Ends v[8];
    for (uint32_t corner = 0; corner < 8; corner++)
        v[corner] = stationary_corner(key, box, corner);
    reduce_axis(v, 4, weights[0]);
    reduce_axis(v, 2, weights[1]);
    reduce_axis(v, 1, weights[2]);
    return (CnNoiseRange){-v[0].negated_low - SLACK, v[0].high + SLACK};
}

/* ---- Grids ---- */

CnNoiseRange cn_noise_range(const CnNoise *noise, const CnNoiseGrid *grid)
{
    CN_ASSERT(noise, "%s: noise is NULL", __func__);
    CN_ASSERT(grid, "%s: grid is NULL", __func__);
    const float limit = noise->is_stationary ? STATIONARY_LIMIT : LIMIT;
    Span spans[3][MAX_CELLS];
    SpanWeights weights[3][MAX_CELLS];
    uint32_t counts[3];
    const int32_t origin[3] = {grid->x, grid->y, grid->z};
    for (int axis = 0; axis < 3; axis++) {
        counts[axis] = find_spans(origin[axis], grid, axis, spans[axis]);
        if (!counts[axis])
            return (CnNoiseRange){-limit, limit};
        for (uint32_t i = 0; noise->is_stationary && i < counts[axis]; i++)
            weights[axis][i] = span_weights(spans[axis][i]);
    }
    CnNoiseRange range = {limit, -limit};
    for (uint32_t k = 0; k < counts[2]; k++)
        for (uint32_t j = 0; j < counts[1]; j++)
            for (uint32_t i = 0; i < counts[0]; i++) {
                const Span box[3] = {spans[0][i], spans[1][j], spans[2][k]};
                const SpanWeights *const along[3] = {&weights[0][i], &weights[1][j],
                                                     &weights[2][k]};
                range = join(range, noise->is_stationary
                                        ? stationary_range_in_cell(noise->key, box, along)
                                        : range_in_cell(noise->key, box));
            }
    return (CnNoiseRange){range.low > -limit ? range.low : -limit,
                          range.high < limit ? range.high : limit};
}

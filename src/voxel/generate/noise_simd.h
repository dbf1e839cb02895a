/*
 * Noise of a tile for one vector width.
 *
 * A slab holds data shared by all samples at one z of the lattice, for every y of the tile and
 * every lattice point along x: gradients blended along y. Two slabs blended along z give, for each
 * row of samples, the lines a x + c towards every lattice point; each sample selects the two of its
 * cell. If a row touches few lattice points, several rows share one vector. If it touches more than
 * a vector holds, each sample has its own two points and no selection is needed.
 *
 * Every element goes through the operations of noise_scalar.c in the same order, so that the
 * results are bit-identical.
 *
 * The including file defines LANES, INLINE and APART (with the target), Vec, Int, and these
 * functions:
 *     pick(table, index)             lane i: table[index[i] % LANES]
 *     store_some(at, v, count)       stores the first `count` lanes
 */

#define TILE CNI_VOXEL_NOISE_TILE
#define PARTS (TILE / LANES)
/* Separate points: two for each sample of a row. */
#define MAX_SETS (2 * PARTS)

INLINE Vec load(const float *at)
{
    Vec v;
    memcpy(&v, at, sizeof v);
    return v;
}

INLINE void store(float *at, Vec v)
{
    memcpy(at, &v, sizeof v);
}

INLINE Int load_cells(const uint32_t *at)
{
    Int v;
    memcpy(&v, at, sizeof v);
    return v;
}

INLINE Vec mix(Vec a, Vec b, float t)
{
    return a + t * (b - a);
}

/* Position between two lattice points: the weights of both. */
typedef struct Weights {
    float fraction, ease, rest;
} Weights;

INLINE Weights weights_at(const CniVoxelNoiseAxis *axis, uint32_t i)
{
    return (Weights){axis->fraction[i], axis->ease[i], axis->rest[i]};
}

/* `stationary` is a constant in each call, here and below. */
INLINE Vec weigh(Vec low, Vec high, Weights at, bool stationary)
{
    return stationary ? low * at.rest + high * at.ease : mix(low, high, at.ease);
}

/* ---- Slabs ---- */

typedef struct Points {
    Int cells[MAX_SETS];
    uint32_t sets;   /* 1, or MAX_SETS if samples have their own points */
    uint32_t stride; /* between rows in a slab: 4, 8 or LANES */
} Points;

/* Data of one z of the lattice. A set has rows of `stride` numbers; the last one is stored as a
 * whole vector. */
typedef struct Slab {
    float x[MAX_SETS * TILE * LANES + LANES];
    float y[MAX_SETS * TILE * LANES + LANES];
    float z[MAX_SETS * TILE * LANES + LANES];
    uint32_t cell;
    bool filled;
} Slab;

typedef struct Gradients {
    Vec x, y, z;
} Gradients;

/* Data of lattice points; `c` holds the values, for stationary noise only. */
typedef struct PointSet {
    Vec x, y, z, c;
} PointSet;

static const uint32_t lane_numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

INLINE void find_points(const CniVoxelNoiseAxis *axis, Points *points)
{
    uint32_t touched = axis->cell[TILE - 1] - axis->cell[0] + 2;
    if (touched >= 2 && touched <= LANES) {
        points->sets = 1;
        points->stride = touched <= 4 ? 4 : touched <= 8 ? 8 : LANES;
        points->cells[0] = load_cells(lane_numbers) + axis->cell[0];
        return;
    }
    points->sets = MAX_SETS;
    points->stride = LANES;
    for (uint32_t i = 0; i < PARTS; i++) {
        points->cells[2 * i] = load_cells(&axis->cell[i * LANES]);
        points->cells[2 * i + 1] = points->cells[2 * i] + 1;
    }
}

/* Same as cni_voxel_noise_gradient; values as in cni_voxel_noise_value. */
INLINE PointSet find_point_set(uint64_t row, Int x, bool stationary)
{
    Int h = (x ^ (uint32_t)row) * CNI_VOXEL_NOISE_POINT_1;
    h = (h ^ h >> 15 ^ (uint32_t)(row >> 32)) * CNI_VOXEL_NOISE_POINT_2;
    Int first = (h & 0x80000000u) | 0x3f800000u, second = (h << 1 & 0x80000000u) | 0x3f800000u;
    Sign axis = (Sign)(h << 2 >> 16);
    Int zero_x = (Int)(axis < 21846), zero_z = (Int)(axis > 43690); /* thirds of 2^16 */
    PointSet set = {(Vec)(first & ~zero_x), (Vec)((first & zero_x) | (second & zero_z)),
                    (Vec)(second & ~zero_z), (Vec)(h & 0)};
    if (!stationary)
        return set;
    h = (h ^ h >> 16) * CNI_VOXEL_NOISE_VALUE;
    h ^= h >> 16;
    Int pairs = (h & 0x00ff00ffu) + (h >> 8 & 0x00ff00ffu);
    Vec sum = __builtin_convertvector((Sign)((pairs & 0xffffu) + (pairs >> 16)), Vec);
    return (PointSet){set.x * CNI_VOXEL_STATIONARY_GRADIENT, set.y * CNI_VOXEL_STATIONARY_GRADIENT,
                      set.z * CNI_VOXEL_STATIONARY_GRADIENT,
                      (sum - 510.0f) * CNI_VOXEL_STATIONARY_VALUE};
}

/* Returns the contribution of the points of a set along y. */
INLINE Vec along_y(PointSet set, float distance, bool stationary)
{
    return stationary ? set.y * distance + set.c : set.y * distance;
}

INLINE void fill_set(const CniVoxelNoiseTile *tile, Slab *slab, Int cells, uint32_t at,
                     uint32_t stride, bool stationary)
{
    const CniVoxelNoiseAxis *axis = &tile->axis[1];
    PointSet low = {0}, high = {0};
    for (uint32_t j = 0; j < tile->count[1]; j++, at += stride) {
        uint32_t y = axis->cell[j];
        if (j == 0 || y != axis->cell[j - 1]) {
            bool next = j > 0 && y == axis->cell[j - 1] + 1;
            uint64_t row = cni_voxel_noise_row(tile->key, y, slab->cell);
            low = next ? high : find_point_set(row, cells, stationary);
            high = find_point_set(cni_voxel_noise_row(tile->key, y + 1, slab->cell), cells,
                                  stationary);
        }
        Weights w = weights_at(axis, j);
        store(&slab->x[at], weigh(low.x, high.x, w, stationary));
        store(&slab->y[at], weigh(along_y(low, w.fraction, stationary),
                                  along_y(high, w.fraction - 1.0f, stationary), w, stationary));
        store(&slab->z[at], weigh(low.z, high.z, w, stationary));
    }
}

/* Rows of a slab are written in order, each overwriting the end of the previous one. */
APART void fill_slab(const CniVoxelNoiseTile *tile, const Points *points, Slab *slab, uint32_t cell)
{
    slab->cell = cell;
    slab->filled = true;
    for (uint32_t i = 0; i < points->sets; i++) {
        if (tile->is_stationary)
            fill_set(tile, slab, points->cells[i], i * TILE * LANES, points->stride, true);
        else
            fill_set(tile, slab, points->cells[i], i * TILE * LANES, points->stride, false);
    }
}

/* ---- Rows ---- */

typedef struct Lines {
    Vec a, c;
} Lines;

/* Two slabs and the position between them. */
typedef struct Between {
    const Slab *low, *high;
    Weights at;
    bool stationary;
} Between;

typedef struct Row {
    Vec fraction[PARTS], before[PARTS]; /* before = fraction - 1 */
    Vec ease[PARTS], rest[PARTS];
    bool stationary;
    /* Indices of the points, for each row in a vector. */
    Int left[LANES / 4][PARTS], right[LANES / 4][PARTS];
} Row;

INLINE Row find_row(const CniVoxelNoiseAxis *axis, uint32_t stride, bool stationary)
{
    Row row;
    row.stationary = stationary;
    for (uint32_t i = 0; i < PARTS; i++) {
        row.fraction[i] = load(&axis->fraction[i * LANES]);
        row.before[i] = row.fraction[i] - 1.0f;
        row.ease[i] = load(&axis->ease[i * LANES]);
        row.rest[i] = load(&axis->rest[i * LANES]);
        Int left = load_cells(&axis->cell[i * LANES]) - axis->cell[0];
        for (uint32_t k = 0; k < LANES / 4; k++) {
            row.left[k][i] = left + k * stride;
            row.right[k][i] = row.left[k][i] + 1;
        }
    }
    return row;
}

INLINE Gradients load_slab(const Slab *slab, uint32_t at)
{
    return (Gradients){load(&slab->x[at]), load(&slab->y[at]), load(&slab->z[at])};
}

INLINE Lines blend_slabs(Gradients low, Gradients high, Weights at, bool stationary)
{
    return (Lines){
        weigh(low.x, high.x, at, stationary),
        weigh(low.y + low.z * at.fraction, high.y + high.z * (at.fraction - 1.0f), at, stationary)};
}

INLINE Lines find_lines(const Between *z, uint32_t at)
{
    return blend_slabs(load_slab(z->low, at), load_slab(z->high, at), z->at, z->stationary);
}

INLINE void put(float *out, uint32_t count, uint32_t part, Vec v)
{
    if (CN_LIKELY(count == TILE))
        store(out + part * LANES, v);
    else if (count > part * LANES)
        store_some(out + part * LANES, v, count - part * LANES);
}

INLINE Vec weigh_part(const Row *row, uint32_t i, Vec low, Vec high)
{
    return row->stationary ? low * row->rest[i] + high * row->ease[i]
                           : low + row->ease[i] * (high - low);
}

INLINE void put_picked(float *out, uint32_t count, const Row *row, Lines lines, uint32_t k)
{
    for (uint32_t i = 0; i < PARTS; i++) {
        Int left = row->left[k][i], right = row->right[k][i];
        Vec low = pick(lines.a, left) * row->fraction[i] + pick(lines.c, left);
        Vec high = pick(lines.a, right) * row->before[i] + pick(lines.c, right);
        put(out, count, i, weigh_part(row, i, low, high));
    }
}

/* `stride` is a constant in each call. */
INLINE void fill_picked(const CniVoxelNoiseTile *tile, const Row *row, const Between *z,
                        uint32_t stride, float *out, size_t out_row)
{
    uint32_t rows = tile->count[1], count = tile->count[0];
    for (uint32_t j = 0; j < rows; j += LANES / stride) {
        Lines lines = find_lines(z, j * stride);
        for (uint32_t k = 0; k < LANES / stride; k++) {
            if (j + k == rows)
                return;
            put_picked(out, count, row, lines, k);
            out += out_row;
        }
    }
}

INLINE void fill_apart(const CniVoxelNoiseTile *tile, const Row *row, const Between *z, float *out,
                       size_t out_row)
{
    for (uint32_t j = 0; j < tile->count[1]; j++, out += out_row)
        for (uint32_t i = 0; i < PARTS; i++) {
            Lines left = find_lines(z, (2 * i * TILE + j) * LANES);
            Lines right = find_lines(z, ((2 * i + 1) * TILE + j) * LANES);
            Vec low = left.a * row->fraction[i] + left.c;
            Vec high = right.a * row->before[i] + right.c;
            put(out, tile->count[0], i, weigh_part(row, i, low, high));
        }
}

INLINE void fill_plane(const CniVoxelNoiseTile *tile, const Points *points, const Row *row,
                       const Between *z, float *out, size_t out_row)
{
    if (points->sets > 1)
        fill_apart(tile, row, z, out, out_row);
    else if (points->stride == 4)
        fill_picked(tile, row, z, 4, out, out_row);
    else if (points->stride == 8)
        fill_picked(tile, row, z, 8, out, out_row);
    else
        fill_picked(tile, row, z, LANES, out, out_row);
}

/* ---- Tiles ---- */

INLINE const Slab *need_slab(const CniVoxelNoiseTile *tile, const Points *points, Slab slabs[2],
                             uint32_t cell)
{
    Slab *slab = &slabs[cell & 1];
    if (!slab->filled || slab->cell != cell)
        fill_slab(tile, points, slab, cell);
    return slab;
}

/* The samples from `first` to `end` lie in one cell along z. */
INLINE void fill_planes(const CniVoxelNoiseTile *tile, const Points *points, const Row *row,
                        Between *z, uint32_t first, uint32_t end, const CniVoxelNoiseTarget *target)
{
    for (uint32_t k = first; k < end; k++) {
        z->at = weights_at(&tile->axis[2], k);
        fill_plane(tile, points, row, z, target->samples + k * target->plane, target->row);
    }
}

/* With one y, a slab is a single row and stays in registers. */
INLINE void fill_columns(const CniVoxelNoiseTile *tile, const Row *row, const Between *z,
                         uint32_t first, uint32_t end, const CniVoxelNoiseTarget *target)
{
    const CniVoxelNoiseAxis *axis = &tile->axis[2];
    Gradients low = load_slab(z->low, 0), high = load_slab(z->high, 0);
    float *out = target->samples + first * target->plane;
    size_t plane = target->plane;
    uint32_t count = tile->count[0];
    for (uint32_t k = first; k < end; k++, out += plane)
        put_picked(out, count, row, blend_slabs(low, high, weights_at(axis, k), z->stationary), 0);
}

INLINE void fill_kind(const CniVoxelNoiseTile *tile, const CniVoxelNoiseTarget *target,
                      bool stationary)
{
    const uint32_t *cells = tile->axis[2].cell, count = tile->count[2];
    Points points;
    find_points(&tile->axis[0], &points);
    Row row = find_row(&tile->axis[0], points.stride, stationary);
    Slab slabs[2];
    slabs[0].filled = slabs[1].filled = false;
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && cells[end] == cells[first];)
            end++;
        Between z = {.low = need_slab(tile, &points, slabs, cells[first]),
                     .high = need_slab(tile, &points, slabs, cells[first] + 1),
                     .stationary = stationary};
        if (tile->count[1] == 1 && points.sets == 1)
            fill_columns(tile, &row, &z, first, end, target);
        else
            fill_planes(tile, &points, &row, &z, first, end, target);
    }
}

INLINE void fill_tile(const CniVoxelNoiseTile *tile, const CniVoxelNoiseTarget *target)
{
    if (tile->is_stationary)
        fill_kind(tile, target, true);
    else
        fill_kind(tile, target, false);
}

/*
 * Computes the matrices of several transforms at once, for one vector width. The ten numbers of
 * each transform are transposed into ten vectors, and the twelve of each result back. Every element
 * goes through the operations of cni_scene_transform_compute in the same order, so the bits are the
 * same.
 *
 * The including file defines LANES, Vec, INLINE and APART (with the target), and these:
 *
 *   transpose(v)                  transposes a 4 x 4 matrix in each 16 bytes of four vectors
 *   load_rows(at, offset, v)      lane 4 i + j of v[j]: four numbers from at[4 i + j] + offset on
 *   store_rows(at, offset, v)     the inverse of load_rows
 *   rows_other(a, b)              a bit per lane in which rows differ
 *   broadcast(number), blend(v, bits, number)
 */

typedef struct Columns {
    const float *local[LANES]; /* px py pz qx qy qz qw sx sy sz */
    float *matrix[LANES];
} Columns;

INLINE void load_numbers(const float *const *at, int offset, Vec v[4])
{
    load_rows(at, offset, v);
    transpose(v);
}

/* Like cni_base_affine_from_trs: m[4 * row + column]. */
INLINE void own_matrices(const Columns *at, Vec m[12])
{
    Vec a[4], b[4], c[4];
    const float one_number = 1;
    load_numbers(at->local, 0, a); /* px py pz qx */
    load_numbers(at->local, 4, b); /* qy qz qw sx */
    load_numbers(at->local, 6, c); /* qw sx sy sz */
    Vec x = a[3], y = b[0], z = b[1], w = b[2], sx = b[3], sy = c[2], sz = c[3];
    Vec x2 = x + x, y2 = y + y, z2 = z + z, one = broadcast(&one_number);
    Vec xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    Vec wx = w * x2, wy = w * y2, wz = w * z2;
    m[0] = (one - (yy + zz)) * sx;
    m[1] = (xy - wz) * sy;
    m[2] = (xz + wy) * sz;
    m[3] = a[0];
    m[4] = (xy + wz) * sx;
    m[5] = (one - (xx + zz)) * sy;
    m[6] = (yz - wx) * sz;
    m[7] = a[1];
    m[8] = (xz - wy) * sx;
    m[9] = (yz + wx) * sy;
    m[10] = (one - (xx + yy)) * sz;
    m[11] = a[2];
}

/* For any number of parents. */
INLINE void gather_parents(const CniSceneTransformLayout *layout, uint32_t position, Vec p[12])
{
    const float *m[LANES];
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t parent = layout->order.parents[position + i];
        m[i] = (const float *)(const void *)cni_scene_transform_layout_matrix(
            layout, layout->locations.items[parent]);
    }
    for (int row = 0; row < 3; row++)
        load_numbers(m, 4 * row, &p[4 * row]);
}

/* One vector per element. `first` is the lane of the group that is lane 0 here. */
INLINE void parent_matrices(const CniSceneTransformLayout *layout, uint32_t position,
                            const CniSceneTransformGroup *group, uint32_t first, Vec p[12])
{
    if (group->parent_count > CNI_SCENE_TRANSFORM_GROUP_PARENTS) {
        gather_parents(layout, position, p);
        return;
    }
    for (int i = 0; i < 12; i++)
        p[i] = broadcast(&group->parents[0]->m[i / 4][i % 4]);
    for (uint32_t k = 1; k < group->parent_count; k++) {
        uint32_t bits = group->children[k] >> first & ((1u << LANES) - 1u);
        for (int i = 0; i < 12 && bits; i++)
            p[i] = blend(p[i], bits, &group->parents[k]->m[i / 4][i % 4]);
    }
}

/* Writes a row of the results; returns `other` with the lanes that differed. Once all lanes are
 * known to differ, which the first row shows for most moving objects, nothing more is compared. */
INLINE uint32_t store_row(const Columns *at, int row, Vec v[4], uint32_t other)
{
    transpose(v);
    if (other != (1u << LANES) - 1u) {
        Vec old[4];
        load_rows((const float *const *)at->matrix, 4 * row, old);
        other |= rows_other(old, v);
    }
    store_rows(at->matrix, 4 * row, v);
    return other;
}

/* Lanes in `other` are known to have moved. */
INLINE uint32_t compute(const Columns *at, const CniSceneTransformLayout *layout, uint32_t position,
                        const CniSceneTransformGroup *group, uint32_t first, uint32_t other)
{
    Vec m[12], p[12];
    own_matrices(at, m);
    if (!group->parent_count) {
        for (int row = 0; row < 3; row++)
            other = store_row(at, row, &m[4 * row], other);
        return other;
    }
    parent_matrices(layout, position, group, first, p);
    for (int row = 0; row < 3; row++) {
        const Vec *a = &p[4 * row];
        Vec v[4];
        for (int j = 0; j < 4; j++)
            v[j] = a[0] * m[j] + a[1] * m[4 + j] + a[2] * m[8 + j];
        v[3] = v[3] + a[3];
        other = store_row(at, row, v, other);
    }
    return other;
}

INLINE uint32_t compute_straight(const CniSceneTransformLayout *layout, uint32_t position,
                                 const CniSceneTransformGroup *group, uint32_t first,
                                 uint32_t other)
{
    Columns at;
    for (uint32_t i = 0; i < LANES; i++) {
        at.local[i] = (const float *)(const void *)&group->local[first + i];
        at.matrix[i] = (float *)(void *)&group->matrix[first + i];
    }
    return compute(&at, layout, position, group, first, other);
}

/* A separate function, so that the addresses of consecutive rows stay constants. */
APART uint32_t compute_scattered(const CniSceneTransformLayout *layout, uint32_t position,
                                 const CniSceneTransformGroup *group, uint32_t first,
                                 uint32_t other)
{
    Columns at;
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t location = layout->locations.items[position + i],
                 row = cni_scene_transform_row(location);
        const CniSceneTransformChunk *chunk = cni_scene_transform_layout_chunk(layout, location);
        at.local[i] = (const float *)(const void *)&chunk->local[row];
        at.matrix[i] = (float *)(void *)&chunk->matrix[row];
    }
    return compute(&at, layout, position, group, first, other);
}

/* Chunks are too short for the hardware prefetcher to predict. */
INLINE void prefetch_group(const CniSceneTransformLayout *layout, uint32_t position,
                           const CniSceneTransformGroup *group)
{
    const char *local = (const char *)group->local, *matrix = (const char *)group->matrix;
    if (local) {
        for (size_t i = 0; i < CNI_SCENE_TRANSFORM_GROUP * sizeof(CnTransform); i += 64)
            __builtin_prefetch(local + i);
        for (size_t i = 0; i < CNI_SCENE_TRANSFORM_GROUP * sizeof(CnWorldTransform); i += 64)
            __builtin_prefetch(matrix + i, 1);
        return;
    }
    for (uint32_t i = position; group->whole && i < position + CNI_SCENE_TRANSFORM_GROUP; i++) {
        uint32_t location = layout->locations.items[i], row = cni_scene_transform_row(location);
        const CniSceneTransformChunk *chunk = cni_scene_transform_layout_chunk(layout, location);
        const char *numbers = (const char *)&chunk->local[row];
        const char *result = (const char *)&chunk->matrix[row];
        __builtin_prefetch(numbers);
        __builtin_prefetch(numbers + sizeof(CnTransform) - 1);
        __builtin_prefetch(result, 1);
        __builtin_prefetch(result + sizeof(CnWorldTransform) - 1, 1);
    }
}

INLINE uint64_t compute_word(const CniSceneTransformLayout *layout, uint32_t word,
                             CniSceneTransformWord *restrict bits)
{
    const uint64_t all = (1u << CNI_SCENE_TRANSFORM_GROUP) - 1u;
    uint64_t moved = 0;
    for (uint32_t g = 0; g < 64; g += CNI_SCENE_TRANSFORM_GROUP) {
        uint32_t position = word * 64 + g;
        const CniSceneTransformGroup *group =
            &layout->groups.items[position / CNI_SCENE_TRANSFORM_GROUP];
        if (!group->whole || (bits->active >> g & all) != all)
            continue;
        bits->done |= all << g;
        prefetch_group(layout, position + 2 * CNI_SCENE_TRANSFORM_GROUP, group + 2);
        for (uint32_t first = 0; first < CNI_SCENE_TRANSFORM_GROUP; first += LANES) {
            uint32_t other = (uint32_t)(bits->parent_moved >> (g + first)) & ((1u << LANES) - 1u);
            other = group->local ? compute_straight(layout, position + first, group, first, other)
                                 : compute_scattered(layout, position + first, group, first, other);
            moved |= (uint64_t)other << (g + first);
        }
    }
    return moved;
}

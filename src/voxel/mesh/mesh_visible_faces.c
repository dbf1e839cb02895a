/* Finds visible faces, and those that may be merged with the next one, as bit masks for all cells
 * at once. */
#include "voxel/mesh/mesh_internal.h"

#include <cairn/base/cpu.h>

#include <string.h>

#define ROWS_AT(words, i) (*(const CniVoxelRowVector *)((words) + (i)))
#define WIDE_AT(box, i) (*(const CniVoxelWideRowVector *)((box) + (i)))
/* The 16 cells of each row that belong to the chunk. */
#define NARROW(wide) __builtin_convertvector((wide) >> 1, CniVoxelRowVector)
/* First row of z in a padded mask. */
#define BOX_ROW(z) (1 + CN_CHUNK_PADDED_SIZE * ((int)(z) + 1))

/* ---- Equal neighbors ---- */

CN_SIMD_DISPATCH(add_differences,
                 (const uint16_t *restrict plane, uint16_t *restrict x, uint16_t *restrict y,
                  uint16_t *restrict z),
                 (plane, x, y, z))
{
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i++) {
        x[i] |= plane[i] ^ plane[i] >> 1;
        y[i] |= plane[i] ^ plane[i + 1];
        z[i] |= plane[i] ^ plane[i + 16];
    }
}

void cni_voxel_mesh_mark_same_block(const CnChunk *chunk,
                                    uint16_t same[3][CNI_VOXEL_CHUNK_ROWS + 16])
{
    uint16_t plane[CNI_VOXEL_CHUNK_ROWS + 16] = {0};
    memset(same, 0, 3 * sizeof same[0]);
    for (uint32_t b = 0; b < chunk->bits; b++) {
        memcpy(plane, chunk->planes[b], sizeof(CniVoxelPlane));
        add_differences(plane, same[0], same[1], same[2]);
    }
    /* Inverts "differs" to "same"; cells outside never match. */
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i++) {
        same[0][i] = (uint16_t)(~same[0][i] & 0x7FFF);
        same[1][i] = (uint16_t)(~same[1][i] & (i % 16 < 15 ? 0xFFFF : 0));
        same[2][i] = (uint16_t)(~same[2][i] & (i < 240 ? 0xFFFF : 0));
    }
}

/* ---- Indices ---- */

CN_SIMD_DISPATCH(interleave,
                 (const uint16_t *restrict a, const uint16_t *restrict b,
                  const uint16_t *restrict c, const uint16_t *restrict d, uint64_t *restrict out),
                 (a, b, c, d, out))
{
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i++)
        out[i] = a[i] | (uint64_t)b[i] << 16 | (uint64_t)c[i] << 32 | (uint64_t)d[i] << 48;
}

void cni_voxel_mesh_indices(const CnChunk *chunk, uint64_t indices[3][CNI_VOXEL_CHUNK_ROWS])
{
    static const CniVoxelPlane none;
    const uint16_t *planes[CNI_VOXEL_PLAIN_BITS];
    for (uint32_t b = 0; b < CNI_VOXEL_PLAIN_BITS; b++)
        planes[b] = b < chunk->bits ? chunk->planes[b] : none;
    for (uint32_t b = 0; b == 0 || b < chunk->bits; b += 4)
        interleave(planes[b], planes[b + 1], planes[b + 2], planes[b + 3], indices[b / 4]);
}

/* ---- Faces of one direction ---- */

/* Faces towards -y, +y, -z, +z. `before` is the offset of the cell in front of the face, `beside`
 * that of its neighbors along v; u is x. */
CN_SIMD_DISPATCH(faces_along_x,
                 (const uint32_t *restrict own, const uint32_t *restrict hides,
                  const uint32_t *restrict alike_u, const uint32_t *restrict alike_v, int before,
                  int beside, CniVoxelFaceMasks *restrict faces),
                 (own, hides, alike_u, alike_v, before, beside, faces))
{
    for (uint32_t z = 0; z < 16; z++) {
        int at = BOX_ROW(z), front = at + before;
        CniVoxelWideRowVector seen = WIDE_AT(own, at) & ~WIDE_AT(hides, front), u = seen, v = seen;
        if (alike_u) {
            CniVoxelWideRowVector mirrored = WIDE_AT(alike_v, front);
            u &= WIDE_AT(alike_u, front) & WIDE_AT(alike_u, front - beside) &
                 WIDE_AT(alike_u, front + beside);
            v &= mirrored & mirrored << 1 & mirrored >> 1;
        }
        *(CniVoxelRowVector *)(faces->seen + 16 * z) = NARROW(seen);
        *(CniVoxelRowVector *)(faces->next_u + 16 * z) = NARROW(u);
        *(CniVoxelRowVector *)(faces->next_v + 16 * z) = NARROW(v);
    }
}

/* Faces towards -x (shift 2) and +x (shift 0): bit x of the shifted row is the cell in front of the
 * face. u is z, v is y. */
CN_SIMD_DISPATCH(faces_across_x,
                 (const uint32_t *restrict own, const uint32_t *restrict hides,
                  const uint32_t *restrict alike_u, const uint32_t *restrict alike_v, int shift,
                  CniVoxelFaceMasks *restrict faces),
                 (own, hides, alike_u, alike_v, shift, faces))
{
    for (uint32_t z = 0; z < 16; z++) {
        int at = BOX_ROW(z);
        CniVoxelWideRowVector seen = WIDE_AT(own, at) & ~(WIDE_AT(hides, at) << shift >> 1),
                              u = seen, v = seen;
        if (alike_u) {
            CniVoxelWideRowVector flat_u =
                WIDE_AT(alike_u, at) & WIDE_AT(alike_u, at - 1) & WIDE_AT(alike_u, at + 1);
            CniVoxelWideRowVector flat_v = WIDE_AT(alike_v, at) &
                                           WIDE_AT(alike_v, at - CN_CHUNK_PADDED_SIZE) &
                                           WIDE_AT(alike_v, at + CN_CHUNK_PADDED_SIZE);
            u &= flat_u << shift >> 1;
            v &= flat_v << shift >> 1;
        }
        *(CniVoxelRowVector *)(faces->seen + 16 * z) = NARROW(seen);
        *(CniVoxelRowVector *)(faces->next_u + 16 * z) = NARROW(u);
        *(CniVoxelRowVector *)(faces->next_v + 16 * z) = NARROW(v);
    }
}

/* Converts "can be merged" of single faces to "is merged with the next". Words are read before they
 * are overwritten. */
CN_SIMD_DISPATCH(link_along_x,
                 (const uint16_t *restrict same_u, const uint16_t *restrict same_v, int stride,
                  CniVoxelFaceMasks *restrict faces),
                 (same_u, same_v, stride, faces))
{
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i += 16) {
        CniVoxelRowVector u = ROWS_AT(faces->next_u, i), v = ROWS_AT(faces->next_v, i);
        CniVoxelRowVector ahead = ROWS_AT(faces->next_v, (int)i + stride);
        *(CniVoxelRowVector *)(faces->next_u + i) = u & u >> 1 & ROWS_AT(same_u, i);
        *(CniVoxelRowVector *)(faces->next_v + i) = v & ahead & ROWS_AT(same_v, i);
    }
}

CN_SIMD_DISPATCH(link_across_x,
                 (const uint16_t *restrict same_u, const uint16_t *restrict same_v,
                  CniVoxelFaceMasks *restrict faces),
                 (same_u, same_v, faces))
{
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i += 16) {
        CniVoxelRowVector u = ROWS_AT(faces->next_u, i) & ROWS_AT(faces->next_u, i + 16);
        CniVoxelRowVector v = ROWS_AT(faces->next_v, i) & ROWS_AT(faces->next_v, i + 1);
        *(CniVoxelRowVector *)(faces->next_u + i) = u & ROWS_AT(same_u, i);
        *(CniVoxelRowVector *)(faces->next_v + i) = v & ROWS_AT(same_v, i);
    }
}

/* Transposes rows along x at y + 16 z to rows along z at y + 16 x: bit squares, halved four
 * times. */
CN_SIMD_DISPATCH(transpose, (uint16_t *restrict words), (words))
{
    CniVoxelRowVector *rows = (CniVoxelRowVector *)words;
#define HALVE(step, mask)                                                                          \
    for (uint32_t i = 0; i < 16; i++) {                                                            \
        if (i & (step))                                                                            \
            continue;                                                                              \
        CniVoxelRowVector swap = (rows[i] >> (step) ^ rows[i + (step)]) & (uint16_t)(mask);        \
        rows[i] ^= swap << (step);                                                                 \
        rows[i + (step)] ^= swap;                                                                  \
    }
    HALVE(8, 0x00FF)
    HALVE(4, 0x0F0F)
    HALVE(2, 0x3333)
    HALVE(1, 0x5555)
#undef HALVE
}

static bool any_seen(const CniVoxelFaceMasks *faces)
{
    uint16_t any = 0;
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i++)
        any |= faces->seen[i];
    return any != 0;
}

bool cni_voxel_mesh_faces(const CniVoxelMeshContext *context, CnChunkMeshPart part, CnFace face,
                          CniVoxelFaceMasks *faces)
{
    static const int befores[] = {
        [CN_FACE_NEG_Z] = -CN_CHUNK_PADDED_SIZE,
        [CN_FACE_POS_Z] = CN_CHUNK_PADDED_SIZE,
        [CN_FACE_NEG_Y] = -1,
        [CN_FACE_POS_Y] = 1,
    };
    const uint32_t *own = context->classes[part], *hides = context->hides[part];
    bool lit = context->light && part != CN_CHUNK_MESH_WATER;
    const uint32_t *alike_x = lit ? context->alike[0] : NULL,
                   *alike_y = lit ? context->alike[1] : NULL,
                   *alike_z = lit ? context->alike[2] : NULL;
    uint32_t axis = cni_voxel_face_axis(face);
    if (axis == 0)
        faces_across_x(own, hides, alike_z, alike_y, face == CN_FACE_NEG_X ? 2 : 0, faces);
    else if (axis == 1)
        faces_along_x(own, hides, alike_x, alike_z, befores[face], CN_CHUNK_PADDED_SIZE, faces);
    else
        faces_along_x(own, hides, alike_x, alike_y, befores[face], 1, faces);
    if (!any_seen(faces))
        return false;
    if (axis != 0) {
        link_along_x(context->same[0], context->same[3 - axis], axis == 1 ? 16 : 1, faces);
        return true;
    }
    link_across_x(context->same[2], context->same[1], faces);
    transpose(faces->seen);
    transpose(faces->next_u);
    transpose(faces->next_v);
    return true;
}

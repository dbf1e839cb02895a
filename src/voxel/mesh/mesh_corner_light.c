/* Light and ambient occlusion of corners, and where they permit merging. */
#include "voxel/mesh/mesh_internal.h"

#include <cairn/base/bytes.h>
#include <cairn/base/cpu.h>

#include <string.h>

#define SIZE CN_CHUNK_PADDED_SIZE
#define LAYER CN_CHUNK_PADDED_LAYER

/* ---- Mergeable faces ---- */

/*
 * A face has equal values at both ends of its edges along u if the cells in front of it are
 * symmetric along u: opaque cells opposite opaque cells, other cells opposite cells of the same
 * light. Two adjacent faces share the values between them, because both cells in front are open, so
 * that occlusion there depends only on the number of opaque cells. Hence two faces merge if each is
 * symmetric.
 */

#if defined(__x86_64__)
#include <immintrin.h>

CNI_BASE_TARGET_AVX2 static inline uint32_t equal_avx2(const uint8_t *a, const uint8_t *b)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)a),
                                                            _mm256_loadu_si256((const void *)b)));
}

static inline uint32_t equal_sse2(const uint8_t *a, const uint8_t *b)
{
    __m128i low =
        _mm_cmpeq_epi8(_mm_loadu_si128((const void *)a), _mm_loadu_si128((const void *)b));
    __m128i high = _mm_cmpeq_epi8(_mm_loadu_si128((const void *)(a + 2)),
                                  _mm_loadu_si128((const void *)(b + 2)));
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 2;
}
#else
static inline uint32_t equal_sse2(const uint8_t *a, const uint8_t *b)
{
    uint32_t equal = 0;
    for (uint32_t i = 0; i < SIZE; i++)
        equal |= (uint32_t)(a[i] == b[i]) << i;
    return equal;
}
#endif

/* Along x, y and z: the cells on both sides of a cell have the same light. Rows at the sides of the
 * box have no such cells along z (or y) and are left unchanged. */
#define EQUAL_ROWS(equal)                                                                          \
    for (uint32_t row = 0; row < CNI_VOXEL_PADDED_ROWS; row++)                                     \
        out[0][row] = equal(light + SIZE * row, light + SIZE * row + 2) << 1;                      \
    for (uint32_t row = 1; row < CNI_VOXEL_PADDED_ROWS - 1; row++)                                 \
        out[1][row] = equal(light + SIZE * row - SIZE, light + SIZE * row + SIZE);                 \
    for (uint32_t row = SIZE; row < CNI_VOXEL_PADDED_ROWS - SIZE; row++)                           \
    out[2][row] = equal(light + SIZE * row - LAYER, light + SIZE * row + LAYER)

#if defined(__x86_64__)
CNI_BASE_TARGET_AVX2 static void equal_rows_avx2(const uint8_t *light, CniVoxelPaddedMask out[3])
{
    EQUAL_ROWS(equal_avx2);
}
#endif

static void equal_rows(const uint8_t *light, CniVoxelPaddedMask out[3])
{
    EQUAL_ROWS(equal_sse2);
}

CN_SIMD_DISPATCH(mirror,
                 (const uint32_t *restrict opaque, uint32_t *restrict x, uint32_t *restrict y,
                  uint32_t *restrict z),
                 (opaque, x, y, z))
{
    for (uint32_t i = 0; i < CNI_VOXEL_PADDED_ROWS; i++) {
        uint32_t left = opaque[i] << 1, right = opaque[i] >> 1;
        x[i] = ~(left ^ right) & (left | x[i]);
    }
    for (uint32_t i = 1; i < CNI_VOXEL_PADDED_ROWS - 1; i++)
        y[i] = ~(opaque[i - 1] ^ opaque[i + 1]) & (opaque[i - 1] | y[i]);
    for (uint32_t i = SIZE; i < CNI_VOXEL_PADDED_ROWS - SIZE; i++)
        z[i] = ~(opaque[i - SIZE] ^ opaque[i + SIZE]) & (opaque[i - SIZE] | z[i]);
}

void cni_voxel_mesh_mark_alike(CniVoxelMeshContext *context)
{
    memcpy(context->cells, context->light->cells, sizeof context->light->cells);
    if (context->light->uniform) {
        memset(context->alike, 0xFF, sizeof context->alike);
    } else {
#if defined(__x86_64__)
        if (cn_simd_path() >= CN_SIMD_AVX2)
            equal_rows_avx2(context->cells, context->alike);
        else
#endif
            equal_rows(context->cells, context->alike);
    }
    mirror(context->classes[CNI_VOXEL_CLASS_OPAQUE], context->alike[0], context->alike[1],
           context->alike[2]);
}

/* ---- Corners of quads ---- */

/* Indices into the 3 x 3 cells in front of a face, u fastest, for the corners (0,0), (1,0), (1,1),
 * (0,1). */
static const uint8_t corner_cells[4][4] = {{4, 3, 1, 0}, {4, 5, 1, 2}, {4, 5, 7, 8}, {4, 3, 7, 6}};

void cni_voxel_corner_tables(CniVoxelMeshContext *context)
{
    for (uint32_t opaque = 0; opaque < 512; opaque++) {
        uint32_t values = 0;
        for (uint32_t c = 0; c < 4; c++) {
            const uint8_t *cells = corner_cells[c];
            values |= cn_corner_occlusion(opaque >> cells[1] & 1, opaque >> cells[2] & 1,
                                          opaque >> cells[3] & 1)
                      << 2 * c;
        }
        context->occlusion[opaque] = (uint8_t)values;
    }
    for (uint32_t count = 1; count <= 4; count++) {
        bool opaque[4];
        for (uint32_t i = 0; i < 4; i++)
            opaque[i] = i >= count;
        for (uint32_t sum = 0; sum <= 15 * count; sum++) {
            uint8_t levels[4];
            for (uint32_t i = 0; i < 4; i++)
                levels[i] = (uint8_t)((sum + i) / count);
            context->mean[count << 6 | sum] = (uint8_t)cn_corner_light(levels, opaque);
        }
    }
}

/* The cells in front of a face: three rows along v of three bytes of light along u, and their
 * opaque bits. */
typedef struct Before {
    uint32_t light[3], opaque;
} Before;

/* Faces along x: `row` is that of the cell in front of the face, `beside` the offset to the next
 * along v. */
CN_FORCE_INLINE Before look_along_x(const CniVoxelMeshContext *context, uint32_t x, uint32_t row,
                                    uint32_t beside)
{
    const uint32_t *opaque = context->classes[CNI_VOXEL_CLASS_OPAQUE] + row - beside;
    const uint8_t *cells = context->cells + SIZE * (row - beside) + x;
    Before before;
    before.opaque = 0;
    for (uint32_t v = 0; v < 3; v++) {
        before.light[v] = cn_load_u32(cells + SIZE * beside * v) & 0xFFFFFF;
        before.opaque |= (opaque[beside * v] >> x & 7) << 3 * v;
    }
    return before;
}

/* Faces across x: `x` is the bit of the cell in front of the face, `row` that of the face. */
CN_FORCE_INLINE Before look_across_x(const CniVoxelMeshContext *context, uint32_t x, uint32_t row)
{
    const uint32_t *opaque = context->classes[CNI_VOXEL_CLASS_OPAQUE] + row - SIZE - 1;
    const uint8_t *cells = context->cells + SIZE * (row - SIZE - 1) + x;
    Before before = {{0, 0, 0}, 0};
    for (uint32_t v = 0; v < 3; v++) {
        for (uint32_t u = 0; u < 3; u++) {
            uint32_t at = v + SIZE * u;
            before.light[v] |= (uint32_t)cells[SIZE * at] << 8 * u;
            before.opaque |= (opaque[at] >> x & 1) << (3 * v + u);
        }
    }
    return before;
}

CN_FORCE_INLINE Before look_before(const CniVoxelMeshContext *context, CnFace face, CnQuad quad)
{
    uint32_t x = cni_voxel_quad_x(quad),
             row = cni_voxel_padded_row(cni_voxel_quad_y(quad), cni_voxel_quad_z(quad));
    switch (face) {
    case CN_FACE_NEG_X:
        return look_across_x(context, x, row);
    case CN_FACE_POS_X:
        return look_across_x(context, x + 2, row);
    case CN_FACE_NEG_Y:
        return look_along_x(context, x, row - 1, SIZE);
    case CN_FACE_POS_Y:
        return look_along_x(context, x, row + 1, SIZE);
    case CN_FACE_NEG_Z:
        return look_along_x(context, x, row - SIZE, 1);
    default:
        return look_along_x(context, x, row + SIZE, 1);
    }
}

/* Summands for three cells of a row, 16 bits each: block light from bit 0, sky light from bit 6, 1
 * at bit 12; 0 for opaque cells. */
CN_FORCE_INLINE uint64_t summands(uint32_t light, uint32_t opaque)
{
#define LANES(a, b, c) ((uint64_t)(a) | (uint64_t)(b) << 16 | (uint64_t)(c) << 32)
    static const uint64_t open[8] = {LANES(0xFFFF, 0xFFFF, 0xFFFF), LANES(0, 0xFFFF, 0xFFFF),
                                     LANES(0xFFFF, 0, 0xFFFF),      LANES(0, 0, 0xFFFF),
                                     LANES(0xFFFF, 0xFFFF, 0),      LANES(0, 0xFFFF, 0),
                                     LANES(0xFFFF, 0, 0),           0};
    uint64_t lanes = LANES(light & 0xFF, light >> 8 & 0xFF, light >> 16);
    return ((lanes & LANES(15, 15, 15)) | (lanes & LANES(0xF0, 0xF0, 0xF0)) << 2 |
            LANES(0x1000, 0x1000, 0x1000)) &
           open[opaque & 7];
}

/* Returns the quad bits for the light of its corners: one byte each, block light first. */
CN_FORCE_INLINE CnQuad light_bits(uint64_t corners)
{
    uint32_t top_block = 0, top_sky = 0;
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t block = corners >> 8 * c & 0xFF, sky = corners >> (32 + 8 * c) & 0xFF;
        top_block = block > top_block ? block : top_block;
        top_sky = sky > top_sky ? sky : top_sky;
    }
    uint64_t below = (top_block * 0x01010101u | (uint64_t)(top_sky * 0x01010101u) << 32) - corners;
    uint64_t over = (below + 0x7C7C7C7C7C7C7C7Cu) >> 7 & 0x0101010101010101u; /* more than 3 */
    below = (below & ~(over * 0xFF)) | over * 3;
    uint32_t both = (uint32_t)below | (uint32_t)(below >> 32) << 2; /* 4 bits in each byte */
    both = (both | both >> 4) & 0x00FF00FF;
    both = (both | both >> 8) & 0xFFFF;
    return (CnQuad)(top_block | top_sky << 4) << CN_QUAD_BLOCK_LIGHT_SHIFT |
           (CnQuad)both << CN_QUAD_CORNER_SHIFT;
}

CN_FORCE_INLINE CnQuad uneven_light(const CniVoxelMeshContext *context, const Before *before)
{
    uint64_t row = summands(before->light[1], before->opaque >> 3);
    uint64_t lower = summands(before->light[0], before->opaque) + row;
    uint64_t upper = summands(before->light[2], before->opaque >> 6) + row;
    lower += lower >> 16;
    upper += upper >> 16;
    uint32_t sums[4] = {lower & 0xFFFF, lower >> 16 & 0xFFFF, upper >> 16 & 0xFFFF, upper & 0xFFFF};
    uint64_t corners = 0;
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t count = sums[c] >> 6 & 7u << 6;
        corners |= (uint64_t)context->mean[count | (sums[c] & 63)] << 8 * c;
        corners |= (uint64_t)context->mean[sums[c] >> 6] << (32 + 8 * c);
    }
    return light_bits(corners);
}

CN_FORCE_INLINE void corners_of_face(const CniVoxelMeshContext *context, CnFace face, CnQuad *quads,
                                     const CnQuad *end)
{
    /* Byte masks of non-opaque cells, by three opaque bits. */
    static const uint32_t open_bytes[8] = {0xFFFFFF, 0xFFFF00, 0xFF00FF, 0xFF0000,
                                           0x00FFFF, 0x00FF00, 0x0000FF, 0};
    for (CnQuad *quad = quads; quad < end; quad++) {
        Before before = look_before(context, face, *quad);
        uint32_t light = before.light[1] >> 8 & 0xFF, uneven = 0;
        for (uint32_t v = 0; v < 3; v++)
            uneven |= (before.light[v] ^ light * 0x010101) & open_bytes[before.opaque >> 3 * v & 7];
        *quad |= (CnQuad)context->occlusion[before.opaque] << CN_QUAD_OCCLUSION_SHIFT;
        *quad |=
            uneven ? uneven_light(context, &before) : (CnQuad)light << CN_QUAD_BLOCK_LIGHT_SHIFT;
    }
}

void cni_voxel_mesh_corners(const CniVoxelMeshContext *context, CnFace face, CnQuad *quads,
                            const CnQuad *end)
{
    switch (face) {
    case CN_FACE_NEG_Z:
        corners_of_face(context, CN_FACE_NEG_Z, quads, end);
        break;
    case CN_FACE_POS_Z:
        corners_of_face(context, CN_FACE_POS_Z, quads, end);
        break;
    case CN_FACE_NEG_X:
        corners_of_face(context, CN_FACE_NEG_X, quads, end);
        break;
    case CN_FACE_POS_X:
        corners_of_face(context, CN_FACE_POS_X, quads, end);
        break;
    case CN_FACE_NEG_Y:
        corners_of_face(context, CN_FACE_NEG_Y, quads, end);
        break;
    default:
        corners_of_face(context, CN_FACE_POS_Y, quads, end);
    }
}

/*
 * Greedy meshing on bit masks.
 *
 * In every row, faces merge into maximal runs. A run is absorbed by the run in the previous row if
 * both start and end at the same positions and all their faces may be merged. Rows can therefore be
 * processed in any order, and all at once. The remaining runs are the heads, one per rectangle; the
 * bits of run ends show how many runs each head absorbed.
 */
#include "voxel/mesh/mesh_internal.h"

#include <cairn/base/cpu.h>

#include <string.h>

#define MARGIN 16 /* zero words before the first row */

typedef struct Runs {
    uint16_t starts[MARGIN + CNI_VOXEL_CHUNK_ROWS];
    uint16_t ends[MARGIN + CNI_VOXEL_CHUNK_ROWS];
    uint16_t links[MARGIN + CNI_VOXEL_CHUNK_ROWS +
                   16];                   /* faces that may be merged with the previous row */
    uint16_t heads[CNI_VOXEL_CHUNK_ROWS]; /* ends of runs that are not absorbed */
    uint16_t taken[CNI_VOXEL_CHUNK_ROWS]; /* ends of absorbed runs */
} Runs;

#define ROWS_AT(words, i) (*(CniVoxelRowVector *)((words) + (i)))

CN_SIMD_DISPATCH(find_runs,
                 (const CniVoxelFaceMasks *restrict faces, int stride, Runs *restrict runs),
                 (faces, stride, runs))
{
    CniVoxelRowVector zero = {0};
    ROWS_AT(runs->starts, 0) = ROWS_AT(runs->ends, 0) = ROWS_AT(runs->links, 0) = zero;
    ROWS_AT(runs->links, MARGIN) = zero;
    for (int i = 0; i < CNI_VOXEL_CHUNK_ROWS; i += 16) {
        CniVoxelRowVector seen = *(const CniVoxelRowVector *)(faces->seen + i);
        CniVoxelRowVector next = *(const CniVoxelRowVector *)(faces->next_u + i);
        ROWS_AT(runs->starts, MARGIN + i) = seen & ~(next << 1);
        ROWS_AT(runs->ends, MARGIN + i) = seen & ~next;
        ROWS_AT(runs->links, MARGIN + i + stride) = *(const CniVoxelRowVector *)(faces->next_v + i);
    }
    for (int i = 0; i < CNI_VOXEL_CHUNK_ROWS; i += 16) {
        int at = MARGIN + i, before = at - stride;
        CniVoxelRowVector starts = ROWS_AT(runs->starts, at), ends = ROWS_AT(runs->ends, at);
        CniVoxelRowVector fits = ROWS_AT(runs->links, at) &
                                 ~(starts ^ ROWS_AT(runs->starts, before)) &
                                 ~(ends ^ ROWS_AT(runs->ends, before));
        /* A carry propagates from start to end if all bits between fit. */
        CniVoxelRowVector taken = ((fits & ~ends) + starts) & ends & fits;
        ROWS_AT(runs->taken, i) = taken;
        ROWS_AT(runs->heads, i) = ends & ~taken;
    }
}

/* Reorders rows from slice + 16 v to v + 16 slice. */
static void slices_together(uint16_t words[CNI_VOXEL_CHUNK_ROWS])
{
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t k = 0; k < i; k++) {
            uint16_t word = words[i + 16 * k];
            words[i + 16 * k] = words[k + 16 * i];
            words[k + 16 * i] = word;
        }
    }
}

#if defined(__SSE2__)
#include <emmintrin.h>

/* Returns which of the 16 rows of a slice have this bit. */
static inline uint32_t rows_with(const uint16_t slice[16], uint32_t bit)
{
    __m128i to_top = _mm_cvtsi32_si128((int)(15 - bit));
    __m128i low = _mm_sll_epi16(_mm_loadu_si128((const void *)slice), to_top);
    __m128i high = _mm_sll_epi16(_mm_loadu_si128((const void *)(slice + 8)), to_top);
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#else
static inline uint32_t rows_with(const uint16_t slice[16], uint32_t bit)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < 16; i++)
        rows |= (uint32_t)(slice[i] >> bit & 1) << i;
    return rows;
}
#endif

/* Returns the rectangle whose first run ends at bit `end` of `row`. */
CN_FORCE_INLINE CnQuad rectangle(const Runs *runs, uint32_t axis, uint32_t row, uint32_t end)
{
    uint32_t v = axis == 1 ? row >> 4 : row & 15, slice = axis == 1 ? row & 15 : row >> 4;
    uint32_t up_to_end = runs->starts[MARGIN + row] & ((2u << end) - 1);
    uint32_t start = 31u - (uint32_t)__builtin_clz(up_to_end);
    uint32_t above = rows_with(runs->taken + 16 * slice, end) >> v >> 1;
    uint32_t more = (uint32_t)__builtin_ctz(~above);
    uint32_t cell = axis == 0 ? slice | v << CN_QUAD_Y_SHIFT | start << CN_QUAD_Z_SHIFT
                              : start | row << CN_QUAD_Y_SHIFT;
    return (CnQuad)(cell | (end - start) << CN_QUAD_WIDTH_SHIFT | more << CN_QUAD_HEIGHT_SHIFT);
}

/* Writes the positions of the set bits, 16 per row, and returns their number. Writes in groups of
 * four, because mispredicted loop exits cost more. `places` has space for 4 more. */
CN_SIMD_DISPATCH(find_bits,
                 (const uint16_t *restrict rows, uint16_t *restrict places,
                  uint32_t *restrict count),
                 (rows, places, count))
{
    uint16_t *end = places;
    for (uint32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row += 4) {
        uint64_t left;
        memcpy(&left, rows + row, sizeof left);
        uint32_t in_word = (uint32_t)__builtin_popcountll(left);
        for (uint32_t first = 0; first < in_word; first += 4) {
            for (uint32_t i = first; i < first + 4; i++) {
                end[i] = (uint16_t)(16 * row + (uint32_t)__builtin_ctzll(left | 1ull << 63));
                left &= left - 1;
            }
        }
        end += in_word;
    }
    *count = (uint32_t)(end - places);
}

CN_FORCE_INLINE CnQuad *rectangles(const Runs *runs, uint32_t axis, CnQuad *quads)
{
    uint16_t places[CN_CHUNK_BLOCKS + 4];
    uint32_t count;
    find_bits(runs->heads, places, &count);
    for (uint32_t i = 0; i < count; i++)
        quads[i] = rectangle(runs, axis, places[i] >> 4, places[i] & 15);
    return quads + count;
}

CnQuad *cni_voxel_mesh_rectangles(const CniVoxelFaceMasks *faces, CnFace face, CnQuad *quads)
{
    Runs runs;
    switch (cni_voxel_face_axis(face)) {
    case 0:
        find_runs(faces, 1, &runs);
        return rectangles(&runs, 0, quads);
    case 1:
        find_runs(faces, 16, &runs);
        slices_together(runs.taken);
        return rectangles(&runs, 1, quads);
    default:
        find_runs(faces, 1, &runs);
        return rectangles(&runs, 2, quads);
    }
}

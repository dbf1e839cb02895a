/* Light propagation, level by level. */
#include "voxel/light/light_field.h"

#include <cairn/base/cpu.h>
#include <cairn/voxel/mesh.h>

#include <string.h>

/* Ranges of rows are rounded to the width of the largest registers. */
#define GROUP 8
#define PLANE_ROWS (CN_CHUNK_PADDED_SIZE * CNI_VOXEL_LIGHT_BOX_ROWS)

/* The range processed for one level: slices, and rows in each, excluding the last. */
typedef struct Range {
    int32_t first_z, last_z, first_row, end_row;
} Range;

/* Returns the cells next to lit ones. Rows beyond the slice or the field only affect rows that are
 * not used again. */
CN_FORCE_INLINE uint64_t reached(const uint64_t *restrict from, int32_t row)
{
    return from[row] << 1 | from[row] >> 1 | from[row - 1] | from[row + 1] |
           from[row - CNI_VOXEL_LIGHT_FIELD_EDGE] | from[row + CNI_VOXEL_LIGHT_FIELD_EDGE];
}

/* Sets `to` to `from` and the cells that light enters in this step. */
CN_SIMD_DISPATCH(enter_free,
                 (const uint64_t *restrict from, uint64_t *restrict to,
                  const uint64_t *restrict free, const Range *restrict range,
                  uint64_t *restrict changes),
                 (from, to, free, range, changes))
{
    for (int32_t z = range->first_z; z <= range->last_z; z++) {
        uint64_t changed = 0;
        int32_t end = range->end_row + CNI_VOXEL_LIGHT_FIELD_EDGE * z;
        for (int32_t row = range->first_row + CNI_VOXEL_LIGHT_FIELD_EDGE * z; row < end; row++) {
            uint64_t lit = from[row] | (reached(from, row) & free[row]);
            changed |= lit ^ from[row];
            to[row] = lit;
        }
        *changes |= changed;
    }
}

/* Does the same with cells of loss 1: enters those of the previous step and queues new ones. */
CN_SIMD_DISPATCH(enter_late,
                 (const uint64_t *restrict from, uint64_t *restrict to,
                  const uint64_t *restrict free, const uint64_t *restrict dim,
                  uint64_t *restrict late, const Range *restrict range, uint64_t *restrict changes),
                 (from, to, free, dim, late, range, changes))
{
    for (int32_t z = range->first_z; z <= range->last_z; z++) {
        uint64_t changed = 0;
        int32_t end = range->end_row + CNI_VOXEL_LIGHT_FIELD_EDGE * z;
        for (int32_t row = range->first_row + CNI_VOXEL_LIGHT_FIELD_EDGE * z; row < end; row++) {
            uint64_t near = reached(from, row);
            uint64_t lit = from[row] | (near & free[row]) | late[row];
            late[row] = near & dim[row];
            changed |= (lit ^ from[row]) | (late[row] & ~lit);
            to[row] = lit;
        }
        *changes |= changed;
    }
}

/* Cells of higher loss: advances those already waiting and queues new ones. */
CN_SIMD_DISPATCH(wait_longer,
                 (const uint64_t *restrict from, const uint64_t *restrict dim,
                  uint64_t *restrict late, uint64_t *restrict sooner, const Range *restrict range,
                  uint64_t *restrict changes),
                 (from, dim, late, sooner, range, changes))
{
    for (int32_t z = range->first_z; z <= range->last_z; z++) {
        uint64_t changed = 0;
        int32_t end = range->end_row + CNI_VOXEL_LIGHT_FIELD_EDGE * z;
        for (int32_t row = range->first_row + CNI_VOXEL_LIGHT_FIELD_EDGE * z; row < end; row++) {
            sooner[row] |= late[row];
            late[row] = reached(from, row) & dim[row];
            changed |= (late[row] | sooner[row]) & ~from[row];
        }
        *changes |= changed;
    }
}

/* Adds the absorbing cells that are open towards a lit one beside them. */
CN_SIMD_DISPATCH(enter_absorbing,
                 (const uint64_t *restrict from, CniVoxelLightRows *restrict absorb,
                  uint64_t *restrict absorbed, const Range *restrict range),
                 (from, absorb, absorbed, range))
{
    for (int32_t z = range->first_z; z <= range->last_z; z++) {
        int32_t end = range->end_row + CNI_VOXEL_LIGHT_FIELD_EDGE * z;
        for (int32_t row = range->first_row + CNI_VOXEL_LIGHT_FIELD_EDGE * z; row < end; row++)
            absorbed[row] |= (from[row] << 1 & absorb[CN_FACE_NEG_X][row]) |
                             (from[row] >> 1 & absorb[CN_FACE_POS_X][row]) |
                             (from[row - 1] & absorb[CN_FACE_NEG_Y][row]) |
                             (from[row + 1] & absorb[CN_FACE_POS_Y][row]) |
                             (from[row - CNI_VOXEL_LIGHT_FIELD_EDGE] & absorb[CN_FACE_NEG_Z][row]) |
                             (from[row + CNI_VOXEL_LIGHT_FIELD_EDGE] & absorb[CN_FACE_POS_Z][row]);
    }
}

/* Bit b of a level changes at each multiple of 2^b. */
CN_SIMD_DISPATCH(count_level, (const uint64_t *restrict lit, uint64_t *restrict plane),
                 (lit, plane))
{
    for (int32_t z = 0; z < CN_CHUNK_PADDED_SIZE; z++) {
        for (int32_t y = 0; y < CNI_VOXEL_LIGHT_BOX_ROWS; y++)
            plane[y + CNI_VOXEL_LIGHT_BOX_ROWS * z] ^=
                lit[CNI_VOXEL_LIGHT_FIRST + y +
                    CNI_VOXEL_LIGHT_FIELD_EDGE * (CNI_VOXEL_LIGHT_FIRST + z)];
    }
}

CN_SIMD_DISPATCH(add_rows, (const uint64_t *restrict more, uint64_t *restrict rows), (more, rows))
{
    for (int32_t i = 0; i < CNI_VOXEL_LIGHT_ROWS; i++)
        rows[i] |= more[i];
}

/* The same for cells that are lit or absorb light. */
CN_SIMD_DISPATCH(count_absorbed,
                 (const uint64_t *restrict lit, const uint64_t *restrict absorbed,
                  uint64_t *restrict plane),
                 (lit, absorbed, plane))
{
    for (int32_t z = 0; z < CN_CHUNK_PADDED_SIZE; z++) {
        for (int32_t y = 0; y < CNI_VOXEL_LIGHT_BOX_ROWS; y++) {
            int32_t row = CNI_VOXEL_LIGHT_FIRST + y +
                          CNI_VOXEL_LIGHT_FIELD_EDGE * (CNI_VOXEL_LIGHT_FIRST + z);
            plane[y + CNI_VOXEL_LIGHT_BOX_ROWS * z] ^= lit[row] | absorbed[row];
        }
    }
}

/* Returns whether any cell emits this level. */
static bool add_glow(CnLightScratch *scratch, int32_t level)
{
    bool added = false;
    for (uint32_t i = 0; i < scratch->kinds.level_count; i++) {
        if (scratch->kinds.levels[i] != level || !(scratch->glowing >> i & 1))
            continue;
        add_rows(scratch->glow[i], scratch->lit);
        added = true;
    }
    return added;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Finds where cells may have this level and still reach the box. Returns false if nowhere. */
static bool range_of_level(const CniVoxelLightSpan *span, int32_t level, Range *range)
{
    int32_t far = CNI_VOXEL_LIGHT_FULL - level;
    int32_t first = CNI_VOXEL_LIGHT_FIRST + 1 - level, last = CNI_VOXEL_LIGHT_LAST - 1 + level;
    int32_t first_y = larger(first, span->y[0] - far);
    int32_t last_y = smaller(last, span->y[1] + (span->full_above ? 0 : far));
    range->first_z = larger(first, span->z[0] - far);
    range->last_z = smaller(last, span->z[1] + far);
    range->first_row = first_y / GROUP * GROUP;
    range->end_row = (last_y / GROUP + 1) * GROUP;
    return first_y <= last_y && range->first_z <= range->last_z;
}

/* Spreads from scratch->lit to scratch->next and swaps them. Returns whether anything changed. */
static bool spread_once(CnLightScratch *scratch, const Range *range)
{
    const uint64_t *from = scratch->lit, *free = scratch->free;
    CniVoxelLightRows *dim = scratch->dim, *late = scratch->late;
    uint64_t changes = 0;
    if (scratch->absorbs)
        enter_absorbing(from, scratch->absorb, scratch->absorbed, range);
    if (scratch->losses == 0)
        enter_free(from, scratch->next, free, range, &changes);
    else
        enter_late(from, scratch->next, free, dim[0], late[0], range, &changes);
    for (uint32_t i = 1; i < scratch->losses; i++)
        wait_longer(from, dim[i], late[i], late[i - 1], range, &changes);
    uint64_t *lit = scratch->next;
    scratch->next = scratch->lit;
    scratch->lit = lit;
    return changes != 0;
}

static void spread_all(CnLightScratch *scratch, const CniVoxelLightSpan *span, bool glows,
                       CniVoxelLightLevels levels)
{
    /* Both must be equal outside of the ranges. */
    memcpy(scratch->next, scratch->lit, sizeof(CniVoxelLightRows));
    for (uint32_t i = 0; i < scratch->losses; i++)
        memset(scratch->late[i], 0, sizeof(CniVoxelLightRows));
    if (scratch->absorbs)
        memset(scratch->absorbed, 0, sizeof(CniVoxelLightRows));
    memset(levels, 0, sizeof(CniVoxelLightLevels));
    bool moves = true;
    for (int32_t level = CNI_VOXEL_LIGHT_FULL; level > 0; level--) {
        Range range;
        if (level < CNI_VOXEL_LIGHT_FULL && moves && range_of_level(span, level, &range))
            moves = spread_once(scratch, &range);
        if (glows && add_glow(scratch, level))
            moves = true;
        for (int32_t b = 0; b < 4 && level % (1 << b) == 0; b++) {
            if (scratch->absorbs)
                count_absorbed(scratch->lit, scratch->absorbed, levels[b]);
            else
                count_level(scratch->lit, levels[b]);
        }
    }
}

void cni_voxel_light_propagate_sky(CnLightScratch *scratch, const CniVoxelLightSky *sky)
{
    cni_voxel_light_fill_sky(sky, scratch->lit);
    CniVoxelLightSpan span = {
        {sky->lowest, sky->highest - 1}, {0, CNI_VOXEL_LIGHT_FIELD_EDGE - 1}, true};
    spread_all(scratch, &span, false, scratch->levels[CNI_VOXEL_LIGHT_SKY]);
}

void cni_voxel_light_propagate_blocks(CnLightScratch *scratch)
{
    memset(scratch->lit, 0, sizeof(CniVoxelLightRows));
    spread_all(scratch, &scratch->glow_span, true, scratch->levels[CNI_VOXEL_LIGHT_BLOCK]);
}

/* ---- Cells ---- */

/* Converts eight rows of eight cells, starting at bit `first`, from bit planes to bytes. */
CN_FORCE_INLINE void eight_cells(const uint64_t *restrict planes, int32_t first,
                                 uint64_t *restrict cells)
{
    for (int32_t i = 0; i < GROUP; i++) {
        uint64_t bits = 0;
        for (int32_t b = 0; b < 8; b++)
            bits |= (planes[b * PLANE_ROWS + i] >> first & 0xFF) << 8 * b;
        /* Transposes 8 x 8 bits: byte i gets bit i of every byte. */
        uint64_t move = (bits ^ bits >> 7) & 0x00AA00AA00AA00AAu;
        bits ^= move ^ move << 7;
        move = (bits ^ bits >> 14) & 0x0000CCCC0000CCCCu;
        bits ^= move ^ move << 14;
        move = (bits ^ bits >> 28) & 0x00000000F0F0F0F0u;
        cells[i] = bits ^ move ^ move << 28;
    }
}

/* `planes`: four for block light, then four for sky light. */
CN_SIMD_DISPATCH(write_cells, (const uint64_t *restrict planes, uint8_t *restrict cells),
                 (planes, cells))
{
    for (int32_t z = 0; z < CN_CHUNK_PADDED_SIZE; z++) {
        for (int32_t y = 0; y < CN_CHUNK_PADDED_SIZE; y += GROUP) {
            uint64_t low[GROUP], middle[GROUP], high[GROUP];
            const uint64_t *rows = planes + y + CNI_VOXEL_LIGHT_BOX_ROWS * z;
            eight_cells(rows, CNI_VOXEL_LIGHT_FIRST, low);
            eight_cells(rows, CNI_VOXEL_LIGHT_FIRST + 8, middle);
            eight_cells(rows, CNI_VOXEL_LIGHT_FIRST + 16, high);
            uint8_t *row = cells + CN_CHUNK_PADDED_SIZE * (y + CN_CHUNK_PADDED_SIZE * z);
            for (int32_t i = 0; i < GROUP && y + i < CN_CHUNK_PADDED_SIZE; i++) {
                memcpy(row, &low[i], 8);
                memcpy(row + 8, &middle[i], 8);
                memcpy(row + 16, &high[i], 2);
                row += CN_CHUNK_PADDED_SIZE;
            }
        }
    }
}

void cni_voxel_light_write_cells(const CnLightScratch *scratch, CnLightBox *box)
{
    write_cells(scratch->levels[0][0], box->cells);
}

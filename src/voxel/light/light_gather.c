/* Light: gathers the cells of 27 chunks as bit sets. */
#include "voxel/chunk/block_shape.h"
#include "voxel/chunk/chunk_internal.h"
#include "voxel/light/light_field.h"

#include <cairn/base/cpu.h>

#include <string.h>

#define ROW_CELLS 0xFFFFFFFFFFFFu

/* Returns the rows of one chunk in the field: 16 slices of 16. */
static uint64_t *chunk_rows(CniVoxelLightRows rows, int32_t layer, int32_t slice)
{
    return rows + 16 * layer + CNI_VOXEL_LIGHT_FIELD_EDGE * 16 * slice;
}

/* Sets `field` to the cells that are in none of three chunks side by side along x. */
CN_SIMD_DISPATCH(join_free,
                 (const uint16_t *restrict low, const uint16_t *restrict middle,
                  const uint16_t *restrict high, uint64_t *restrict field),
                 (low, middle, high, field))
{
    for (int32_t z = 0; z < 16; z++) {
        for (int32_t y = 0; y < 16; y++) {
            uint64_t taken = (uint64_t)low[y + 16 * z] | (uint64_t)middle[y + 16 * z] << 16 |
                             (uint64_t)high[y + 16 * z] << 32;
            field[y + CNI_VOXEL_LIGHT_FIELD_EDGE * z] = ~taken & ROW_CELLS;
        }
    }
}

CN_SIMD_DISPATCH(add_cells,
                 (const uint16_t *restrict cells, uint32_t shift, uint64_t *restrict field),
                 (cells, shift, field))
{
    for (int32_t z = 0; z < 16; z++) {
        for (int32_t y = 0; y < 16; y++)
            field[y + CNI_VOXEL_LIGHT_FIELD_EDGE * z] |= (uint64_t)cells[y + 16 * z] << shift;
    }
}

typedef struct ChunkPlace {
    const CnChunk *chunk;
    int32_t x, layer, slice;
} ChunkPlace;

static void add_dim(CnLightScratch *scratch, ChunkPlace place, uint32_t loss, const uint16_t *cells)
{
    while (scratch->losses < loss)
        memset(scratch->dim[scratch->losses++], 0, sizeof(CniVoxelLightRows));
    add_cells(cells, 16 * (uint32_t)place.x,
              chunk_rows(scratch->dim[loss - 1], place.layer, place.slice));
}

static void widen(int32_t span[2], int32_t first, int32_t last)
{
    span[0] = first < span[0] ? first : span[0];
    span[1] = last > span[1] ? last : span[1];
}

static void add_glow(CnLightScratch *scratch, ChunkPlace place, uint32_t level,
                     const uint16_t *cells)
{
    uint32_t i = 0;
    while (scratch->kinds.levels[i] != level)
        i++;
    if (!(scratch->glowing >> i & 1))
        memset(scratch->glow[i], 0, sizeof(CniVoxelLightRows));
    scratch->glowing |= (uint16_t)(1u << i);
    add_cells(cells, 16 * (uint32_t)place.x,
              chunk_rows(scratch->glow[i], place.layer, place.slice));
    for (int32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row++) {
        if (cells[row] == 0)
            continue;
        int32_t y = 16 * place.layer + row % 16, z = 16 * place.slice + row / 16;
        widen(scratch->glow_span.y, y, y);
        widen(scratch->glow_span.z, z, z);
    }
}

static void add_absorb(CnLightScratch *scratch, ChunkPlace place, const CniVoxelShape *shape,
                       const uint16_t *cells)
{
    if (!scratch->absorbs)
        memset(scratch->absorb, 0, CNI_VOXEL_SHAPE_SIDES * sizeof(CniVoxelLightRows));
    scratch->absorbs = true;
    for (uint32_t side = 0; side < CNI_VOXEL_SHAPE_SIDES; side++)
        if (!(shape->full_sides >> side & 1))
            add_cells(cells, 16 * (uint32_t)place.x,
                      chunk_rows(scratch->absorb[side], place.layer, place.slice));
}

/* Adds the sets of blocks that dim, absorb or emit light. */
static void add_kinds(CnLightScratch *scratch, ChunkPlace place)
{
    const CnChunk *chunk = place.chunk;
    bool plain = cni_voxel_chunk_is_plain(chunk);
    const CnBlock *palette = plain ? NULL : cni_voxel_chunk_palette(chunk);
    const CnBlockTable *table = chunk->table;
    uint32_t kinds = plain ? table->count : chunk->kinds;
    for (uint32_t i = 0; i < kinds; i++) {
        CnBlock block = plain ? (CnBlock)i : palette[i];
        if (!(table->flags[block] & (CN_BLOCK_DIMS_LIGHT | CN_BLOCK_GLOWS)))
            continue;
        uint32_t loss = table->info[block].light_loss, level = table->info[block].light_level;
        bool dims = loss > 0 && loss <= CNI_VOXEL_LIGHT_MAX_LOSS,
             glows = level > 0 && chunk->light_count > 0,
             absorbs = loss > CNI_VOXEL_LIGHT_MAX_LOSS && cn_block_shape(table, block) != NULL;
        if (!dims && !glows && !absorbs)
            continue;
        CniVoxelPlane cells;
        cni_voxel_chunk_rows_of_index(chunk, i, cells);
        if (dims)
            add_dim(scratch, place, loss, cells);
        if (glows)
            add_glow(scratch, place, level, cells);
        if (absorbs)
            add_absorb(scratch, place, cni_voxel_shape_of(table, block), cells);
    }
}

void cni_voxel_light_gather(CnLightScratch *scratch, const CnNeighborhood *around,
                            int32_t first_layer, int32_t last_layer)
{
    scratch->losses = 0;
    scratch->glowing = 0;
    scratch->absorbs = false;
    scratch->glow_span = (CniVoxelLightSpan){
        {CNI_VOXEL_LIGHT_FIELD_EDGE, -1}, {CNI_VOXEL_LIGHT_FIELD_EDGE, -1}, false};
    for (int32_t slice = 0; slice < 3; slice++) {
        for (int32_t layer = first_layer; layer <= last_layer; layer++) {
            CniVoxelPlane taken[3];
            for (int32_t x = 0; x < 3; x++) {
                const CnChunk *chunk = around->chunks[x + 3 * layer + 9 * slice];
                if (!chunk) {
                    memset(taken[x], 0, sizeof(CniVoxelPlane));
                    continue;
                }
                cni_voxel_chunk_rows(chunk, CN_BLOCK_DIMS_LIGHT, taken[x]);
                add_kinds(scratch, (ChunkPlace){chunk, x, layer, slice});
            }
            join_free(taken[0], taken[1], taken[2], chunk_rows(scratch->free, layer, slice));
        }
    }
}

/* ---- The sky ---- */

CN_SIMD_DISPATCH(widen_heights, (const int32_t *restrict open, int32_t *restrict span),
                 (open, span))
{
    int32_t lowest = span[0], highest = span[1];
    for (uint32_t i = 0; i < 256; i++) {
        lowest = open[i] < lowest ? open[i] : lowest;
        highest = open[i] > highest ? open[i] : highest;
    }
    span[0] = lowest;
    span[1] = highest;
}

/* Clamps, because heights without ground or with infinite ground may be extreme integers. */
CN_FORCE_INLINE int32_t row_of(int32_t height, int32_t bottom)
{
    height = height > bottom ? height : bottom;
    height =
        height < bottom + CNI_VOXEL_LIGHT_FIELD_EDGE ? height : bottom + CNI_VOXEL_LIGHT_FIELD_EDGE;
    return height - bottom;
}

CniVoxelLightSky cni_voxel_light_sky(const CnLightSky *columns, int32_t bottom)
{
    int32_t span[2] = {INT32_MAX, INT32_MIN};
    for (uint32_t i = 0; i < CN_COUNT_OF(columns->open); i++)
        widen_heights(columns->open[i], span);
    return (CniVoxelLightSky){columns, bottom, row_of(span[0], bottom), row_of(span[1], bottom)};
}

CN_SIMD_DISPATCH(read_rows, (const int32_t *restrict open, int32_t bottom, uint8_t *restrict rows),
                 (open, bottom, rows))
{
    for (int32_t z = 0; z < 16; z++)
        for (int32_t x = 0; x < 16; x++)
            rows[x + CNI_VOXEL_LIGHT_FIELD_EDGE * z] = (uint8_t)row_of(open[x + 16 * z], bottom);
}

void cni_voxel_light_fill_sky(const CniVoxelLightSky *sky, uint64_t *lit)
{
    uint8_t rows[CNI_VOXEL_LIGHT_ROWS];
    for (uint32_t i = 0; i < 9; i++)
        read_rows(sky->columns->open[i], sky->bottom,
                  rows + 16 * (i % 3) + CNI_VOXEL_LIGHT_FIELD_EDGE * 16 * (i / 3));
    /* Four tables, because neighbors mostly have equal heights and would depend on each other. The
     * function leaves them empty again. */
    uint64_t begin[CNI_VOXEL_LIGHT_FIELD_EDGE + 1][4] = {0};
    for (int32_t z = 0; z < CNI_VOXEL_LIGHT_FIELD_EDGE; z++) {
        uint64_t *slice = lit + CNI_VOXEL_LIGHT_FIELD_EDGE * z, cells = 0;
        const uint8_t *open = rows + CNI_VOXEL_LIGHT_FIELD_EDGE * z;
        for (uint32_t x = 0; x < CNI_VOXEL_LIGHT_FIELD_EDGE; x++)
            begin[open[x]][x % 4] |= 1ull << x;
        for (int32_t y = 0; y < sky->lowest; y++)
            slice[y] = 0;
        for (int32_t y = sky->lowest; y < sky->highest; y++) {
            cells |= begin[y][0] | begin[y][1] | begin[y][2] | begin[y][3];
            slice[y] = cells;
        }
        memset(begin[sky->lowest], 0, (uint32_t)(sky->highest - sky->lowest + 1) * sizeof *begin);
        for (int32_t y = sky->highest; y < CNI_VOXEL_LIGHT_FIELD_EDGE; y++)
            slice[y] = ROW_CELLS;
    }
}

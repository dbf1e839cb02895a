/* Queries about all cells of a chunk at once. */
#include "voxel/chunk/chunk_internal.h"

#include <cairn/base/cpu.h>

#include <string.h>

/* Sets the bits of cells whose index has these bits. One iteration handles a word, so that SIMD
 * paths differ only in width. */
CN_SIMD_DISPATCH(add_index,
                 (const uint16_t *restrict planes, uint32_t bits, uint32_t index,
                  uint16_t *restrict rows),
                 (planes, bits, index, rows))
{
    uint16_t cells[CNI_VOXEL_CHUNK_ROWS];
    uint16_t flip = (uint16_t)((index & 1) - 1);
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i++)
        cells[i] = planes[i] ^ flip;
    for (uint32_t b = 1; b < bits; b++) {
        const uint16_t *plane = planes + b * CNI_VOXEL_CHUNK_ROWS;
        flip = (uint16_t)((index >> b & 1) - 1);
        for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i++)
            cells[i] &= plane[i] ^ flip;
    }
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS; i++)
        rows[i] |= cells[i];
}

void cni_voxel_chunk_rows_of_index(const CnChunk *chunk, uint32_t index, CniVoxelPlane rows)
{
    memset(rows, chunk->bits ? 0 : 0xFF, sizeof(CniVoxelPlane));
    if (chunk->bits)
        add_index(chunk->planes[0], chunk->bits, index, rows);
}

static void plain_rows(const CnChunk *chunk, uint32_t flags, uint16_t *rows)
{
    memset(rows, 0, sizeof(CniVoxelPlane));
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        if (chunk->table->flags[cni_voxel_chunk_index(chunk, i % 16, i / 16)] & flags)
            rows[i / 16] |= (uint16_t)(1u << i % 16);
    }
}

void cni_voxel_chunk_rows(const CnChunk *chunk, uint32_t flags, CniVoxelPlane rows)
{
    if (cni_voxel_chunk_is_plain(chunk)) {
        plain_rows(chunk, flags, rows);
        return;
    }
    const CnBlock *palette = cni_voxel_chunk_palette(chunk);
    uint32_t with = 0;
    for (uint32_t i = 0; i < chunk->kinds; i++)
        with += (chunk->table->flags[palette[i]] & flags) != 0;
    if (with == 0 || with == chunk->kinds) {
        memset(rows, with ? 0xFF : 0, sizeof(CniVoxelPlane));
        return;
    }
    /* Match the cells with the flag or those without it, whichever has fewer kinds. */
    bool wanted = with <= chunk->kinds / 2u;
    memset(rows, 0, sizeof(CniVoxelPlane));
    for (uint32_t i = 0; i < chunk->kinds; i++) {
        if (((chunk->table->flags[palette[i]] & flags) != 0) == wanted)
            add_index(chunk->planes[0], chunk->bits, i, rows);
    }
    for (uint32_t i = 0; i < CNI_VOXEL_CHUNK_ROWS && !wanted; i++)
        rows[i] = (uint16_t)~rows[i];
}

/*
 * How a chunk lies in memory, for the files of this module.
 *
 * Blocks are indices into a palette, and the indices lie in planes: plane b holds bit b of the
 * index of every cell, a row of 16 cells along x in a word of 16 bits, rows at y + 16 z. So
 * questions about all cells are a few operations on words: which are opaque (cni_chunk_rows),
 * which equal their neighbour. Indices have as many bits as the palette needs; no two entries of
 * a palette are the same block. A chunk of more than 256 kinds has no palette: its indices are
 * the blocks.
 */
#ifndef CAIRN_SRC_VOXEL_CHUNK_DATA_H
#define CAIRN_SRC_VOXEL_CHUNK_DATA_H

#include <cairn/voxel/chunk.h>

#define CNI_CHUNK_ROWS 256
#define CNI_PALETTE_BITS 8 /* at most; above that the indices are blocks of CNI_PLAIN_BITS */
#define CNI_PLAIN_BITS 12
#define CNI_FEW_BITS 4

CN_STATIC_ASSERT(CN_BLOCK_MAX < 1 << CNI_PLAIN_BITS, "blocks fit into the planes");

/* A bit a cell. */
typedef uint16_t CniPlane[CNI_CHUNK_ROWS];

struct CnChunk {
    CnAllocator *allocator;
    CniPlane *planes;    /* `bits` of them, and behind them the palette if it is not in `few` */
    uint32_t references; /* atomic */
    uint16_t kinds;      /* entries of the palette, some of them maybe unused after edits */
    uint16_t water_count, light_count;
    uint8_t bits;
    CnBlock few[1 << CNI_FEW_BITS]; /* the palette of up to 16, of a uniform chunk too */
};

static inline bool cni_chunk_is_plain(const CnChunk *chunk)
{
    return chunk->bits > CNI_PALETTE_BITS;
}
/* Not of plain chunks. */
static inline CnBlock *cni_chunk_palette(const CnChunk *chunk)
{
    return chunk->bits <= CNI_FEW_BITS ? (CnBlock *)chunk->few
                                       : (CnBlock *)(chunk->planes + chunk->bits);
}
static inline uint32_t cni_chunk_index(const CnChunk *chunk, uint32_t x, uint32_t row)
{
    uint32_t index = 0;
    for (uint32_t b = 0; b < chunk->bits; b++)
        index |= (uint32_t)(chunk->planes[b][row] >> x & 1) << b;
    return index;
}

/* The cells whose block has one of the flags (CN_BLOCK_IS_...). */
void cni_chunk_rows(const CnChunk *chunk, uint32_t flags, CniPlane rows);
/* The cells that have this index. */
void cni_chunk_rows_of_index(const CnChunk *chunk, uint32_t index, CniPlane rows);

/* 4096 blocks as indices, before anyone knows how many bits they need. */
typedef struct CniPacked {
    CniPlane planes[CNI_PLAIN_BITS];
    CnBlock palette[1 << CNI_PALETTE_BITS];
    uint16_t kinds, water_count, light_count;
    uint8_t bits;
} CniPacked;
void cni_pack(const CnBlock blocks[CN_CHUNK_BLOCKS], CniPacked *packed);

#endif

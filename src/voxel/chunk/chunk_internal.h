/*
 * Memory layout of a chunk, private to this module.
 *
 * Blocks are indices into a palette, stored as bit planes: plane b holds bit b of the index of
 * every cell, a row of 16 cells along x per 16-bit word, rows at y + 16 z. Queries about all cells,
 * such as which are opaque (cni_voxel_chunk_rows) or equal to their neighbor, take a few word
 * operations. Indices have as many bits as the palette needs, and palette entries are unique. A
 * chunk of more than 256 kinds has no palette: its indices are block ids.
 */
#ifndef CAIRN_SRC_VOXEL_CHUNK_CHUNK_INTERNAL_H
#define CAIRN_SRC_VOXEL_CHUNK_CHUNK_INTERNAL_H

#include <cairn/voxel/chunk.h>

#define CNI_VOXEL_CHUNK_ROWS 256
#define CNI_VOXEL_PALETTE_BITS                                                                     \
    8 /* maximum; with more, the indices are block ids of CNI_VOXEL_PLAIN_BITS */
#define CNI_VOXEL_PLAIN_BITS 12
#define CNI_VOXEL_FEW_BITS 4

CN_STATIC_ASSERT(CN_BLOCK_MAX < 1 << CNI_VOXEL_PLAIN_BITS, "blocks fit into the planes");

/* One bit per cell. */
typedef uint16_t CniVoxelPlane[CNI_VOXEL_CHUNK_ROWS];

struct CnChunk {
    CnAllocator *allocator;
    const CnBlockTable *table;
    CniVoxelPlane *planes; /* `bits` planes, followed by the palette if it is not in `few` */
    uint32_t references;   /* atomic */
    uint16_t kinds;        /* palette entries, including entries unused after edits */
    uint16_t water_count, light_count;
    uint8_t bits;
    CnBlock
        few[1 << CNI_VOXEL_FEW_BITS]; /* palette of up to 16 entries; also used by uniform chunks */
};

static inline bool cni_voxel_chunk_is_plain(const CnChunk *chunk)
{
    return chunk->bits > CNI_VOXEL_PALETTE_BITS;
}
/* Not valid for chunks without a palette. */
static inline CnBlock *cni_voxel_chunk_palette(const CnChunk *chunk)
{
    return chunk->bits <= CNI_VOXEL_FEW_BITS ? (CnBlock *)chunk->few
                                             : (CnBlock *)(chunk->planes + chunk->bits);
}
static inline uint32_t cni_voxel_chunk_index(const CnChunk *chunk, uint32_t x, uint32_t row)
{
    uint32_t index = 0;
    for (uint32_t b = 0; b < chunk->bits; b++)
        index |= (uint32_t)(chunk->planes[b][row] >> x & 1) << b;
    return index;
}

/* Finds the cells whose block has one of the flags (CN_BLOCK_IS_...). */
void cni_voxel_chunk_rows(const CnChunk *chunk, uint32_t flags, CniVoxelPlane rows);
/* Finds the cells with this index. */
void cni_voxel_chunk_rows_of_index(const CnChunk *chunk, uint32_t index, CniVoxelPlane rows);

/* 4096 blocks as indices, before the number of bits is known. */
typedef struct CniVoxelPackedChunk {
    CniVoxelPlane planes[CNI_VOXEL_PLAIN_BITS];
    CnBlock palette[1 << CNI_VOXEL_PALETTE_BITS];
    uint16_t kinds, water_count, light_count;
    uint8_t bits;
} CniVoxelPackedChunk;
void cni_voxel_pack(const CnBlockTable *table, const CnBlock blocks[CN_CHUNK_BLOCKS],
                    CniVoxelPackedChunk *packed);

#endif

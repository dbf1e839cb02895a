/* Converts between arrays of blocks and planes of indices. */
#include "voxel/chunk/chunk_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

/* Returns a mask of the blocks in a row that equal `block`. */
static inline uint32_t row_equals(const CnBlock row[16], CnBlock block)
{
    __m128i wanted = _mm_set1_epi16((short)block);
    __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)row), wanted);
    __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(row + 8)), wanted);
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#else
static inline uint32_t row_equals(const CnBlock row[16], CnBlock block)
{
    uint32_t equal = 0;
    for (uint32_t x = 0; x < 16; x++)
        equal |= (uint32_t)(row[x] == block) << x;
    return equal;
}
#endif

static uint8_t bits_for(uint32_t kinds)
{
    return kinds <= 1 ? 0 : (uint8_t)(32 - __builtin_clz(kinds - 1));
}

static void count_kind(const CnBlockTable *table, CniVoxelPackedChunk *packed, CnBlock block,
                       uint32_t cells)
{
    uint32_t flags = table->flags[block], count = (uint32_t)__builtin_popcount(cells);
    if (flags & CN_BLOCK_IS_WATER)
        packed->water_count = (uint16_t)(packed->water_count + count);
    if (flags & CN_BLOCK_GLOWS)
        packed->light_count = (uint16_t)(packed->light_count + count);
}

static void set_row(CniVoxelPackedChunk *packed, uint32_t row, uint32_t index, uint32_t cells)
{
    for (uint32_t b = 0; index; b++, index >>= 1) {
        if (index & 1)
            packed->planes[b][row] |= (uint16_t)cells;
    }
}

/* More kinds than a palette can hold: the indices are block ids. */
static void pack_plain(const CnBlockTable *table, const CnBlock *blocks,
                       CniVoxelPackedChunk *packed)
{
    memset(packed->planes, 0, sizeof packed->planes);
    packed->bits = CNI_VOXEL_PLAIN_BITS;
    packed->kinds = packed->water_count = packed->light_count = 0;
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        set_row(packed, i / 16, blocks[i], 1u << i % 16);
        count_kind(table, packed, blocks[i], 1);
    }
}

void cni_voxel_pack(const CnBlockTable *table, const CnBlock blocks[CN_CHUNK_BLOCKS],
                    CniVoxelPackedChunk *packed)
{
    uint8_t slots[CN_BLOCK_MAX + 1]; /* possible palette index of each block */
    memset(slots, 0, table->count);
    memset(packed->planes, 0, CNI_VOXEL_PALETTE_BITS * sizeof(CniVoxelPlane));
    packed->kinds = 1;
    packed->palette[0] = blocks[0];
    packed->water_count = packed->light_count = 0;
    for (uint32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row++) {
        const CnBlock *in_row = blocks + 16 * row;
        for (uint32_t left = 0xFFFF; left;) {
            CnBlock block = in_row[__builtin_ctz(left)];
            CN_ASSERT(cn_block_exists(table, block), "unknown block %u", block);
            if (packed->palette[slots[block]] != block) {
                if (packed->kinds > UINT8_MAX) {
                    pack_plain(table, blocks, packed);
                    return;
                }
                slots[block] = (uint8_t)packed->kinds;
                packed->palette[packed->kinds++] = block;
            }
            uint32_t cells = row_equals(in_row, block);
            set_row(packed, row, slots[block], cells);
            count_kind(table, packed, block, cells);
            left &= ~cells;
        }
    }
    packed->bits = bits_for(packed->kinds);
}

/* ---- Unpacking ---- */

/* Expands bit i of the byte to byte i. */
static inline uint64_t spread_bits(uint64_t byte)
{
    uint64_t bits = byte * 0x0101010101010101u & 0x8040201008040201u;
    return (bits + 0x7F7F7F7F7F7F7F7Fu) >> 7 & 0x0101010101010101u;
}

static void unpack_row(const CnChunk *chunk, const CnBlock *palette, uint32_t row, CnBlock *blocks)
{
    for (uint32_t half = 0; half < 2; half++) {
        uint64_t indices = 0;
        for (uint32_t b = 0; b < chunk->bits; b++)
            indices |= spread_bits(chunk->planes[b][row] >> 8 * half & 0xFF) << b;
        for (uint32_t x = 0; x < 8; x++)
            blocks[8 * half + x] = palette[indices >> 8 * x & 0xFF];
    }
}

void cn_chunk_unpack(const CnChunk *chunk, CnBlock blocks[CN_CHUNK_BLOCKS])
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    if (cni_voxel_chunk_is_plain(chunk)) {
        for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
            blocks[i] = (CnBlock)cni_voxel_chunk_index(chunk, i % 16, i / 16);
        return;
    }
    const CnBlock *palette = cni_voxel_chunk_palette(chunk);
    for (uint32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row++) {
        uint32_t first = cni_voxel_chunk_index(chunk, 0, row), mixed = 0;
        for (uint32_t b = 0; b < chunk->bits; b++)
            mixed |= chunk->planes[b][row] ^ (0u - (first >> b & 1));
        if (mixed & 0xFFFF) {
            unpack_row(chunk, palette, row, blocks + 16 * row);
        } else {
            for (uint32_t x = 0; x < 16; x++)
                blocks[16 * row + x] = palette[first];
        }
    }
}

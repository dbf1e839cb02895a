/* Chunks: lifetime, single blocks, and queries. */
#include "voxel/chunk/chunk_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/hash_map.h>

#include <string.h>

CnChunkPos cn_chunk_from_key(uint64_t key)
{
    /* Shifting up and back down sign-extends each 21-bit coordinate. */
    CnChunkPos position = {(int32_t)(uint32_t)(key << 11 & 0xFFFFFFFF) >> 11,
                           (int32_t)(uint32_t)(key >> 10 & 0xFFFFFFFF) >> 11,
                           (int32_t)(uint32_t)(key >> 31 & 0xFFFFFFFF) >> 11};
    return position;
}

/* ---- Lifetime ---- */

static size_t data_bytes(uint32_t bits)
{
    size_t bytes = bits * sizeof(CniVoxelPlane);
    if (bits > CNI_VOXEL_FEW_BITS && bits <= CNI_VOXEL_PALETTE_BITS)
        bytes += sizeof(CnBlock) << bits;
    return bytes;
}

static CnChunk *create_empty(CnAllocator *allocator, const CnBlockTable *table, uint8_t bits)
{
    CnChunk *chunk = cn_alloc_zeroed(allocator, sizeof *chunk);
    if (!chunk)
        return NULL;
    if (bits > 0) {
        chunk->planes = cn_alloc(allocator, data_bytes(bits));
        if (!chunk->planes) {
            cn_free(allocator, chunk, sizeof *chunk);
            return NULL;
        }
    }
    chunk->allocator = allocator;
    chunk->table = table;
    chunk->references = 1;
    chunk->bits = bits;
    return chunk;
}

CnChunk *cn_chunk_create(CnAllocator *allocator, const CnBlockTable *table,
                         const CnBlock blocks[CN_CHUNK_BLOCKS])
{
    CniVoxelPackedChunk packed;
    cni_voxel_pack(table, blocks, &packed);
    CnChunk *chunk = create_empty(allocator, table, packed.bits);
    if (!chunk)
        return NULL;
    chunk->kinds = packed.kinds;
    chunk->water_count = packed.water_count;
    chunk->light_count = packed.light_count;
    if (packed.bits > 0)
        memcpy(chunk->planes, packed.planes, packed.bits * sizeof(CniVoxelPlane));
    if (!cni_voxel_chunk_is_plain(chunk))
        memcpy(cni_voxel_chunk_palette(chunk), packed.palette, packed.kinds * sizeof(CnBlock));
    return chunk;
}

CnChunk *cn_chunk_create_uniform(CnAllocator *allocator, const CnBlockTable *table, CnBlock block)
{
    CN_ASSERT(cn_block_exists(table, block), "unknown block %u", block);
    CnChunk *chunk = create_empty(allocator, table, 0);
    if (!chunk)
        return NULL;
    chunk->kinds = 1;
    chunk->few[0] = block;
    chunk->water_count = table->flags[block] & CN_BLOCK_IS_WATER ? CN_CHUNK_BLOCKS : 0;
    chunk->light_count = table->flags[block] & CN_BLOCK_GLOWS ? CN_CHUNK_BLOCKS : 0;
    return chunk;
}

CnChunk *cn_chunk_acquire(CnChunk *chunk)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    __atomic_fetch_add(&chunk->references, 1, __ATOMIC_RELAXED);
    return chunk;
}

void cn_chunk_release(CnChunk *chunk)
{
    if (!chunk || __atomic_fetch_sub(&chunk->references, 1, __ATOMIC_ACQ_REL) > 1)
        return;
    cn_free(chunk->allocator, chunk->planes, data_bytes(chunk->bits));
    cn_free(chunk->allocator, chunk, sizeof *chunk);
}

CnChunk *cn_chunk_make_unique(CnChunk *chunk)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    if (__atomic_load_n(&chunk->references, __ATOMIC_ACQUIRE) == 1)
        return chunk;
    CnChunk *copy = create_empty(chunk->allocator, chunk->table, chunk->bits);
    if (!copy)
        return NULL;
    copy->kinds = chunk->kinds;
    copy->water_count = chunk->water_count;
    copy->light_count = chunk->light_count;
    memcpy(copy->few, chunk->few, sizeof copy->few);
    if (chunk->bits > 0)
        memcpy(copy->planes, chunk->planes, data_bytes(chunk->bits));
    cn_chunk_release(chunk);
    return copy;
}

/* ---- Single blocks ---- */

static void assert_inside(uint32_t x, uint32_t y, uint32_t z)
{
    CN_ASSERT((x | y | z) < CN_CHUNK_SIZE, "%u, %u, %u lies outside a chunk", x, y, z);
    (void)x, (void)y, (void)z;
}

CnBlock cn_chunk_get(const CnChunk *chunk, uint32_t x, uint32_t y, uint32_t z)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    assert_inside(x, y, z);
    uint32_t index = cni_voxel_chunk_index(chunk, x, y + 16 * z);
    return cni_voxel_chunk_is_plain(chunk) ? (CnBlock)index : cni_voxel_chunk_palette(chunk)[index];
}

/* Returns a palette entry that no cell uses, or `kinds`. */
static uint32_t unused_entry(const CnChunk *chunk)
{
    static const CniVoxelPlane none;
    CniVoxelPlane cells;
    uint32_t i = 0;
    for (; i < chunk->kinds; i++) {
        cni_voxel_chunk_rows_of_index(chunk, i, cells);
        if (memcmp(cells, none, sizeof cells) == 0)
            break;
    }
    return i;
}

static bool become_plain(CnChunk *chunk)
{
    CniVoxelPlane *planes = cn_alloc(chunk->allocator, data_bytes(CNI_VOXEL_PLAIN_BITS));
    if (!planes)
        return false;
    memset(planes, 0, data_bytes(CNI_VOXEL_PLAIN_BITS));
    const CnBlock *palette = cni_voxel_chunk_palette(chunk);
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        CnBlock block = palette[cni_voxel_chunk_index(chunk, i % 16, i / 16)];
        for (uint32_t b = 0; b < CNI_VOXEL_PLAIN_BITS; b++)
            planes[b][i / 16] |= (uint16_t)((block >> b & 1u) << i % 16);
    }
    cn_free(chunk->allocator, chunk->planes, data_bytes(chunk->bits));
    chunk->planes = planes;
    chunk->bits = CNI_VOXEL_PLAIN_BITS;
    chunk->kinds = 0;
    return true;
}

static bool add_plane(CnChunk *chunk)
{
    uint8_t bits = (uint8_t)(chunk->bits + 1);
    CniVoxelPlane *planes = cn_alloc(chunk->allocator, data_bytes(bits));
    if (!planes)
        return false;
    if (chunk->bits > 0)
        memcpy(planes, chunk->planes, chunk->bits * sizeof(CniVoxelPlane));
    memset(planes[chunk->bits], 0, sizeof(CniVoxelPlane));
    if (bits > CNI_VOXEL_FEW_BITS)
        memcpy(planes + bits, cni_voxel_chunk_palette(chunk), chunk->kinds * sizeof(CnBlock));
    cn_free(chunk->allocator, chunk->planes, data_bytes(chunk->bits));
    chunk->planes = planes;
    chunk->bits = bits;
    return true;
}

/* Returns the palette index of a block, adding the block if it is new. */
static bool index_for(CnChunk *chunk, CnBlock block, uint32_t *index)
{
    *index = block;
    if (cni_voxel_chunk_is_plain(chunk))
        return true;
    const CnBlock *palette = cni_voxel_chunk_palette(chunk);
    uint32_t i = 0;
    while (i < chunk->kinds && palette[i] != block)
        i++;
    if (i == chunk->kinds && i == 1u << chunk->bits)
        i = unused_entry(chunk);
    if (i == 1u << CNI_VOXEL_PALETTE_BITS)
        return become_plain(chunk);
    if (i == 1u << chunk->bits && !add_plane(chunk))
        return false;
    if (i == chunk->kinds)
        chunk->kinds++;
    cni_voxel_chunk_palette(chunk)[i] = block;
    *index = i;
    return true;
}

bool cn_chunk_set(CnChunk *chunk, uint32_t x, uint32_t y, uint32_t z, CnBlock block)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    CN_ASSERT(cn_block_exists(chunk->table, block), "unknown block %u", block);
    CN_ASSERT(__atomic_load_n(&chunk->references, __ATOMIC_RELAXED) == 1,
              "only the owner of the sole reference may change a chunk");
    CnBlock old = cn_chunk_get(chunk, x, y, z);
    uint32_t index;
    if (old == block)
        return true;
    if (!index_for(chunk, block, &index))
        return false;
    uint32_t row = y + 16 * z, bit = 1u << x;
    for (uint32_t b = 0; b < chunk->bits; b++) {
        uint16_t *cells = &chunk->planes[b][row];
        *cells = (uint16_t)(index >> b & 1 ? *cells | bit : *cells & ~bit);
    }
    uint32_t came = chunk->table->flags[block], went = chunk->table->flags[old];
    chunk->water_count = (uint16_t)(chunk->water_count + ((came & CN_BLOCK_IS_WATER) != 0) -
                                    ((went & CN_BLOCK_IS_WATER) != 0));
    chunk->light_count = (uint16_t)(chunk->light_count + ((came & CN_BLOCK_GLOWS) != 0) -
                                    ((went & CN_BLOCK_GLOWS) != 0));
    return true;
}

/* ---- Queries ---- */

bool cn_chunk_uniform(const CnChunk *chunk, CnBlock *block)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    CN_ASSERT(block, "%s: block is NULL", __func__);
    /* Palette entries are unique, so in a chunk with one kind of block all indices are equal. */
    for (uint32_t b = 0; b < chunk->bits; b++) {
        uint16_t first = (uint16_t)(0u - (chunk->planes[b][0] & 1u));
        uint32_t other = 0;
        for (uint32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row++)
            other |= chunk->planes[b][row] ^ first;
        if (other)
            return false;
    }
    *block = cn_chunk_get(chunk, 0, 0, 0);
    return true;
}

uint32_t cn_chunk_water_count(const CnChunk *chunk)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    return chunk->water_count;
}

uint32_t cn_chunk_light_count(const CnChunk *chunk)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    return chunk->light_count;
}

size_t cn_chunk_bytes(const CnChunk *chunk)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    return sizeof *chunk + data_bytes(chunk->bits);
}

uint64_t cn_chunk_hash(const CnChunk *chunk)
{
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    CnBlock blocks[CN_CHUNK_BLOCKS];
    cn_chunk_unpack(chunk, blocks);
    return cn_hash_bytes(blocks, sizeof blocks, 0);
}

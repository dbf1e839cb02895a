/*
 * Chunks: 16 x 16 x 16 blocks in packed form.
 *
 *     CnBlock blocks[CN_CHUNK_BLOCKS] = {CN_BLOCK_WATER}; // index x + 16 y + 256 z
 *     CnChunk *chunk = cn_chunk_create(NULL, table, blocks);
 *     CnBlock block = chunk ? cn_chunk_get(chunk, 3, 4, 5) : CN_BLOCK_AIR;
 *     cn_chunk_release(chunk);
 *
 * The number of bits per block depends on the number of block types in the chunk: none in a uniform
 * chunk, up to 8 with a palette, 12 without one. Chunks are reference-counted. Only the holder of
 * the sole reference may modify a chunk; cn_chunk_make_unique replaces a shared chunk by a copy.
 */
#ifndef CAIRN_VOXEL_CHUNK_H
#define CAIRN_VOXEL_CHUNK_H

#include <cairn/base/memory.h>
#include <cairn/voxel/block.h>

CN_EXTERN_C_BEGIN

#define CN_CHUNK_SIZE 16
#define CN_CHUNK_BLOCKS 4096
/* Many operations need a chunk with a border of one cell around it: cells from -1 to 16 along each
 * axis. These are their numbers in a row, in a layer of rows and in total. */
#define CN_CHUNK_PADDED_SIZE (CN_CHUNK_SIZE + 2)
#define CN_CHUNK_PADDED_LAYER (CN_CHUNK_PADDED_SIZE * CN_CHUNK_PADDED_SIZE)
#define CN_CHUNK_PADDED_BLOCKS (CN_CHUNK_PADDED_SIZE * CN_CHUNK_PADDED_LAYER)
#define CN_SEA_LEVEL 15 /* y of the topmost block of the sea */

typedef struct CnCell {
    int32_t x, y, z; /* block coordinates in the world */
} CnCell;
typedef struct CnChunkPos {
    int32_t x, y, z; /* chunk coordinates, 21 bits each: see CN_CHUNK_LIMIT */
} CnChunkPos;

#define CN_CHUNK_LIMIT (1 << 20) /* -limit <= x < limit, the same for y and z */
#define CN_CELL_LIMIT (CN_CHUNK_LIMIT * CN_CHUNK_SIZE)

static inline bool cn_cell_is_in_world(CnCell cell)
{
    return cell.x >= -CN_CELL_LIMIT && cell.x < CN_CELL_LIMIT && cell.y >= -CN_CELL_LIMIT &&
           cell.y < CN_CELL_LIMIT && cell.z >= -CN_CELL_LIMIT && cell.z < CN_CELL_LIMIT;
}

static inline CnChunkPos cn_chunk_of(CnCell cell)
{
    CnChunkPos position = {cell.x >> 4, cell.y >> 4, cell.z >> 4};
    return position;
}
/* Returns the index of the cell within the blocks of its chunk. */
static inline uint32_t cn_chunk_index(CnCell cell)
{
    return (uint32_t)(cell.x & 15) + 16u * (uint32_t)(cell.y & 15) + 256u * (uint32_t)(cell.z & 15);
}
/* Returns the index of a cell in a chunk with a border; x, y and z are relative to the chunk, from
 * -1 to 16. */
static inline uint32_t cn_padded_index(int32_t x, int32_t y, int32_t z)
{
    return (uint32_t)(x + 1) + CN_CHUNK_PADDED_SIZE * (uint32_t)(y + 1) +
           CN_CHUNK_PADDED_LAYER * (uint32_t)(z + 1);
}
static inline uint64_t cn_chunk_key(CnChunkPos position)
{
    return ((uint64_t)position.x & 0x1FFFFF) | ((uint64_t)position.y & 0x1FFFFF) << 21 |
           ((uint64_t)position.z & 0x1FFFFF) << 42;
}
/* Returns the position whose cn_chunk_key is `key`. */
CN_API CnChunkPos cn_chunk_from_key(uint64_t key);

typedef struct CnChunk CnChunk;

/* Create a chunk of blocks of a closed table, with one reference. Return NULL when out of memory.
 */
CN_API CnChunk *cn_chunk_create(CnAllocator *allocator, const CnBlockTable *table,
                                const CnBlock blocks[CN_CHUNK_BLOCKS]);
CN_API CnChunk *cn_chunk_create_uniform(CnAllocator *allocator, const CnBlockTable *table,
                                        CnBlock block);
/* Adds a reference and returns the chunk. Callable from any thread. */
CN_API CnChunk *cn_chunk_acquire(CnChunk *chunk);
/* Drops a reference; the last one frees the chunk. Callable from any thread; NULL is ignored. */
CN_API void cn_chunk_release(CnChunk *chunk);
/* Returns `chunk` itself if the caller holds its sole reference. Otherwise returns a copy and
 * releases the caller's reference to the original. Returns NULL and changes nothing when out of
 * memory. */
CN_API CnChunk *cn_chunk_make_unique(CnChunk *chunk);

CN_API CnBlock cn_chunk_get(const CnChunk *chunk, uint32_t x, uint32_t y, uint32_t z);
/* Sets a block of a chunk to which the caller holds the sole reference. Returns false and changes
 * nothing if the packed form must grow and memory runs out. */
CN_API bool cn_chunk_set(CnChunk *chunk, uint32_t x, uint32_t y, uint32_t z, CnBlock block);
CN_API void cn_chunk_unpack(const CnChunk *chunk, CnBlock blocks[CN_CHUNK_BLOCKS]);
/* Returns whether all blocks are of one type, and stores that type in `block` if so. */
CN_API bool cn_chunk_uniform(const CnChunk *chunk, CnBlock *block);
CN_API uint32_t cn_chunk_water_count(const CnChunk *chunk);
CN_API uint32_t cn_chunk_light_count(const CnChunk *chunk); /* light-emitting blocks */
CN_API size_t cn_chunk_bytes(const CnChunk *chunk);         /* memory used */
CN_API uint64_t cn_chunk_hash(const CnChunk *chunk); /* of the blocks, independent of the packing */

/* A chunk and its 26 neighbors: the input of meshing, lighting and other neighborhood
 * operations. All chunks belong to the same block table. */
typedef struct CnNeighborhood {
    CnChunkPos position;       /* of the chunk in the center */
    const CnChunk *chunks[27]; /* at (dx + 1) + 3 (dy + 1) + 9 (dz + 1); NULL counts as air */
} CnNeighborhood;

CN_EXTERN_C_END

#endif

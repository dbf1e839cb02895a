/*
 * Chunks: 16 x 16 x 16 blocks, packed.
 *
 *     CnChunk *chunk = cn_chunk_create(allocator, blocks); // CnBlock[4096], index x + 16 y + 256 z
 *     CnBlock block = cn_chunk_get(chunk, 3, 4, 5);
 *     cn_chunk_release(chunk);
 *
 * A block takes as many bits as the number of kinds in the chunk needs: none in a uniform chunk,
 * up to 8 with a palette, 12 without one. Chunks are counted references: jobs hold the ones they
 * read. Only an owner that holds the sole reference may change a chunk; cn_chunk_own gives it a
 * copy when it does not.
 */
#ifndef CAIRN_VOXEL_CHUNK_H
#define CAIRN_VOXEL_CHUNK_H

#include <cairn/base/memory.h>
#include <cairn/voxel/block.h>

CN_EXTERN_C_BEGIN

#define CN_CHUNK_SIZE 16
#define CN_CHUNK_BLOCKS 4096
#define CN_SEA_LEVEL 15 /* y of the highest block of the sea */

typedef struct CnCell {
    int32_t x, y, z; /* of a block in the world */
} CnCell;
typedef struct CnChunkPos {
    int32_t x, y, z; /* of a chunk: 21 bits each, CN_CHUNK_LIMIT */
} CnChunkPos;

#define CN_CHUNK_LIMIT (1 << 20) /* chunks lie in -limit <= x < limit */
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
/* Where the cell is in its chunk: an index of blocks. */
static inline uint32_t cn_chunk_index(CnCell cell)
{
    return (uint32_t)(cell.x & 15) + 16u * (uint32_t)(cell.y & 15) + 256u * (uint32_t)(cell.z & 15);
}
static inline uint64_t cn_chunk_key(CnChunkPos position)
{
    return ((uint64_t)position.x & 0x1FFFFF) | ((uint64_t)position.y & 0x1FFFFF) << 21 |
           ((uint64_t)position.z & 0x1FFFFF) << 42;
}
CN_API CnChunkPos cn_chunk_from_key(uint64_t key);

typedef struct CnChunk CnChunk;

/* With one reference; NULL when out of memory. */
CN_API CnChunk *cn_chunk_create(CnAllocator *allocator, const CnBlock blocks[CN_CHUNK_BLOCKS]);
CN_API CnChunk *cn_chunk_create_uniform(CnAllocator *allocator, CnBlock block);
CN_API CnChunk *cn_chunk_acquire(CnChunk *chunk); /* one more reference; any thread */
CN_API void cn_chunk_release(CnChunk *chunk);     /* the last one frees; any thread; NULL is fine */
/* The chunk if the caller's reference is the sole one, otherwise a copy in its place (the old
 * reference is released); NULL (and nothing changed) when out of memory. */
CN_API CnChunk *cn_chunk_own(CnChunk *chunk);

CN_API CnBlock cn_chunk_get(const CnChunk *chunk, uint32_t x, uint32_t y, uint32_t z);
/* Of an owned chunk. false (and nothing changed): out of memory, when the form must grow. */
CN_API bool cn_chunk_set(CnChunk *chunk, uint32_t x, uint32_t y, uint32_t z, CnBlock block);
CN_API void cn_chunk_unpack(const CnChunk *chunk, CnBlock blocks[CN_CHUNK_BLOCKS]);
/* Whether it has one kind of block, which is then written. */
CN_API bool cn_chunk_uniform(const CnChunk *chunk, CnBlock *block);
CN_API uint32_t cn_chunk_water_count(const CnChunk *chunk);
CN_API uint32_t cn_chunk_light_count(const CnChunk *chunk); /* blocks that glow */
CN_API size_t cn_chunk_bytes(const CnChunk *chunk);         /* all that it takes */
CN_API uint64_t cn_chunk_hash(const CnChunk *chunk);        /* of its blocks, not its form */

/* What meshes, light and others that look around a chunk take: it and its 26 neighbours. */
typedef struct CnNeighbourhood {
    CnChunkPos position;       /* of the middle */
    const CnChunk *chunks[27]; /* at (dx + 1) + 3 (dy + 1) + 9 (dz + 1); NULL counts as air */
} CnNeighbourhood;

CN_EXTERN_C_END

#endif

/*
 * The edits of chunks as bytes for the network: runs of neighboring cells with the same block,
 * several chunks in a pack, compressed with zstd if that pays. docs/formats.md describes the form.
 *
 *     void send_chunk(CnChunkPacker *packer, const CnStoredChunk *chunk, void (*send)(CnText pack))
 *     {
 *         size_t size;
 *         if (cn_chunk_packer_add(packer, chunk))
 *             return;
 *         const uint8_t *bytes = cn_chunk_packer_finish(packer, &size); // it is full
 *         send((CnText){(const char *)bytes, size});
 *         cn_chunk_packer_add(packer, chunk); // an empty pack has room for any chunk
 *     }
 *
 * and on the other side:
 *
 *     bool receive_chunks(CnVoxels *world, CnChunkUnpacker *unpacker, const uint8_t *bytes,
 *                         size_t size, CnError *error)
 *     {
 *         CnStoredChunk chunk;
 *         if (!cn_chunk_unpacker_begin(unpacker, bytes, size, error))
 *             return false; // malformed
 *         while (cn_chunk_unpacker_next(unpacker, &chunk))
 *             if (!cn_voxels_set_edits(world, &chunk, error)) // checks positions and blocks
 *                 return false;
 *         return true;
 *     }
 *
 * Block numbers are those of the world: both sides need the same ones. A packer and an unpacker
 * belong to one thread at a time. Bytes from anywhere are safe to unpack: an unpacker never takes
 * more memory than when it was created.
 */
#ifndef CAIRN_VOXEL_CHUNK_PACK_H
#define CAIRN_VOXEL_CHUNK_PACK_H

#include <cairn/voxel/voxels.h>

CN_EXTERN_C_BEGIN

/* A pack before compression has at most so many bytes. */
#define CN_CHUNK_PACK_BYTES 65536u
/* The largest pack. */
#define CN_CHUNK_PACK_MAX_BYTES (CN_CHUNK_PACK_BYTES + 5u)

typedef struct CnChunkPacker CnChunkPacker;
/* Creates a packer, which takes about 1 MB. Returns NULL when out of memory. */
CN_API CnChunkPacker *cn_chunk_packer_create(CnAllocator *allocator, CnError *error);
CN_API void cn_chunk_packer_destroy(CnChunkPacker *packer); /* NULL is ignored */
/* Adds a chunk, whose blocks are in ascending order of index; 0 blocks stand for a chunk without
 * edits. `hash` and `at_begin` are not part of a pack. Returns false if there is no room for it. */
CN_API bool cn_chunk_packer_add(CnChunkPacker *packer, const CnStoredChunk *chunk);
/* Returns how many chunks and bytes before compression the pack has. */
CN_API uint32_t cn_chunk_packer_chunks(const CnChunkPacker *packer);
CN_API uint32_t cn_chunk_packer_bytes(const CnChunkPacker *packer);
/* Returns the pack, at most CN_CHUNK_PACK_MAX_BYTES, valid until the packer is used again, and
 * begins a new one. The pack must not be empty. */
CN_API const uint8_t *cn_chunk_packer_finish(CnChunkPacker *packer, size_t *size);

typedef struct CnChunkUnpacker CnChunkUnpacker;
/* Creates an unpacker, which takes about 200 kB. Returns NULL when out of memory. */
CN_API CnChunkUnpacker *cn_chunk_unpacker_create(CnAllocator *allocator, CnError *error);
CN_API void cn_chunk_unpacker_destroy(CnChunkUnpacker *unpacker); /* NULL is ignored */
/* Begins to read a pack. Returns false and sets `error` if it is malformed, which it is also if its
 * content is not what a packer writes; it has no chunks then. */
CN_API bool cn_chunk_unpacker_begin(CnChunkUnpacker *unpacker, const uint8_t *bytes, size_t size,
                                    CnError *error);
/* Stores the next chunk, whose blocks are valid until the next call. They may be unknown in the
 * world. Returns false at the end. */
CN_API bool cn_chunk_unpacker_next(CnChunkUnpacker *unpacker, CnStoredChunk *chunk);

CN_EXTERN_C_END

#endif

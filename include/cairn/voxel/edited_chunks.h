/*
 * The edits of chunks as a whole: for servers, which send them, and for clients, which follow a
 * server. Both generate the blocks themselves.
 *
 * A server sends a chunk when the client comes near, and again single edits:
 *
 *     typedef struct Sending {
 *         CnVoxels *world;
 *         CnChunkPacker *packer; // cairn/voxel/chunk_pack.h
 *     } Sending;
 *
 *     bool send_edited(void *user, const CnEditedChunk *edited) // false: enough for this tick
 *     {
 *         Sending *sending = user;
 *         CnStoredBlock blocks[CN_CHUNK_BLOCKS];
 *         CnStoredChunk chunk = {.position = edited->position, .blocks = blocks};
 *         return !cn_voxels_read_edits(sending->world, chunk.position, blocks, &chunk.count, NULL)
 *                || cn_chunk_packer_add(sending->packer, &chunk);
 *     }
 *
 *     void send_around(Sending *sending, CnChunkPos center)
 *     {
 *         cn_voxels_edited_chunks(sending->world, &(CnEditedChunks){
 *             .center = center, .radius = 8, .visit = send_edited, .user = sending});
 *     }
 *
 * A client passes a chunk to cn_voxels_set_edits whether it is loaded or not, and single edits to
 * cn_voxels_edit. Hashes of columns tell whether both have the same blocks.
 */
#ifndef CAIRN_VOXEL_EDITED_CHUNKS_H
#define CAIRN_VOXEL_EDITED_CHUNKS_H

#include <cairn/voxel/voxels.h>

CN_EXTERN_C_BEGIN

/* ---- Which chunks were edited ---- */

/* Every change of the edits of a chunk gives it a version that is greater than all versions before
 * in this world. Versions count from 1 when the world is created; chunks announced by
 * cn_voxels_add_stored get one, too. They are not saved. */
typedef struct CnEditedChunk {
    CnChunkPos position;
    uint64_t version;
} CnEditedChunk;

typedef struct CnEditedChunks {
    CnChunkPos center;
    uint32_t radius; /* columns along x and z around that of the center; at most 64 */
    uint64_t since;  /* only chunks with a greater version */
    /* Returns whether to go on. Must not change the world, but may read edits. */
    bool (*visit)(void *user, const CnEditedChunk *chunk);
    void *user;
} CnEditedChunks;
/* Visits the edited chunks of the columns around a center, loaded or not, in rings from the center.
 * Loads nothing. Returns false if `visit` did. */
CN_API bool cn_voxels_edited_chunks(CnVoxels *world, const CnEditedChunks *which);
/* Returns the greatest version of the chunks of a column; 0 if none was edited. */
CN_API uint64_t cn_voxels_column_version(const CnVoxels *world, int32_t x, int32_t z);
/* Returns the greatest version so far. */
CN_API uint64_t cn_voxels_version(const CnVoxels *world);

/* ---- Edits of a chunk ---- */

/* Writes the edits of a chunk, in ascending order of index, and their number, which is 0 if there
 * are none. They are those of a loaded chunk or those that the hook chunk_load supplies; in a world
 * without storage hooks, the cells that differ from what is generated. Returns false and sets
 * `error` if the position lies outside the world, or if the stored edits cannot be loaded. */
CN_API bool cn_voxels_read_edits(CnVoxels *world, CnChunkPos position,
                                 CnStoredBlock blocks[CN_CHUNK_BLOCKS], uint32_t *count,
                                 CnError *error);

/* Replaces the edits of a chunk at any time, whether it is loaded, being generated or not: cells
 * that were edited and are not in the new list get their generated block back. `chunk->blocks` is
 * in ascending order of index, `chunk->count` may be 0; `hash` and `at_begin` are ignored. Nothing
 * enters the edit log, no water wakes, and block_changed is not called, but edits_replaced. Data of
 * blocks stays; cn_block_data_replace replaces it.
 *
 * A chunk that is not loaded is passed to chunk_store at once, with a hash of 0, because it is not
 * known before the chunk is generated; cn_voxels_hash contains it from then on. Without storage
 * hooks, the chunk is loaded.
 *
 * Returns false and sets `error` if the position, an index or a block is out of range, if indices
 * are not ascending, if storage fails or when out of memory; nothing has changed then. */
CN_API bool cn_voxels_set_edits(CnVoxels *world, const CnStoredChunk *chunk, CnError *error);

/* ---- Comparing two worlds ---- */

/* Stores a hash of all blocks of a chunk, generated and edited, and of its position. Equal on every
 * machine for the same block numbers. Kept until the chunk changes. Returns false if the chunk is
 * not loaded; loads nothing. */
CN_API bool cn_voxels_chunk_hash(CnVoxels *world, CnChunkPos position, uint64_t *hash);
/* The same for the chunks from `low` up to, but not including, `high` of a column: equal in two
 * worlds exactly when all their blocks are (up to collisions of 64 bits). Returns false if one of
 * them is not loaded. */
CN_API bool cn_voxels_column_hash(CnVoxels *world, int32_t x, int32_t z, int32_t low, int32_t high,
                                  uint64_t *hash);

CN_EXTERN_C_END

#endif

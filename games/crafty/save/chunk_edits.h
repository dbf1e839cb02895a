/*
 * The edits of all chunks of a saved world, compacted and in memory, so that loading a chunk never
 * waits for the disk.
 *
 *     CraftyChunkEdits edits;
 *     crafty_chunk_edits_init(&edits, NULL);
 *     CnVoxelsHooks hooks = {.user = &edits,
 *                            .chunk_store = crafty_chunk_edits_store,
 *                            .chunk_load = crafty_chunk_edits_load};
 *
 * An entry has the form of a row of the world file (chunk_row.h).
 */
#ifndef CRAFTY_SAVE_CHUNK_EDITS_H
#define CRAFTY_SAVE_CHUNK_EDITS_H

#include <cairn/base/hash_map.h>
#include <cairn/voxel/voxels.h>

typedef struct CraftyChunkRow {
    uint8_t *bytes;
    uint32_t size;
    bool changed; /* since the last save */
} CraftyChunkRow;

typedef struct CraftyChunkEdits {
    CnAllocator *allocator;
    CnHashMap rows;     /* CraftyChunkRow by cn_chunk_key */
    CnU64Array changed; /* keys of the rows that changed since the last save */
} CraftyChunkEdits;

void crafty_chunk_edits_init(CraftyChunkEdits *edits, CnAllocator *allocator);
void crafty_chunk_edits_fini(CraftyChunkEdits *edits);

/* Adds a row of a world file. Returns false and an error if it is malformed or when out of
 * memory. */
bool crafty_chunk_edits_add(CraftyChunkEdits *edits, uint64_t key, const uint8_t *bytes,
                            size_t size, CnError *error);
/* Announces all rows to a new world. With `rehash`, the hashes are computed anew, because the world
 * was saved with another version of the generator. */
bool crafty_chunk_edits_announce(CraftyChunkEdits *edits, CnVoxels *voxels, bool rehash,
                                 CnError *error);
/* Declares that everything is saved. */
void crafty_chunk_edits_saved(CraftyChunkEdits *edits);

/* Hooks of CnVoxels; `user` is the CraftyChunkEdits. */
bool crafty_chunk_edits_store(void *user, const CnStoredChunk *chunk);
bool crafty_chunk_edits_load(void *user, CnChunkPos position, CnStoredBlock *blocks,
                             uint32_t *count);

#endif

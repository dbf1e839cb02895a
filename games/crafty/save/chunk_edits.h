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
#include <cairn/store/batch.h>
#include <cairn/voxel/voxels.h>

typedef struct CraftyChunkRow {
    uint8_t *bytes;
    uint32_t size;
    bool changed;   /* since it was last put into a save */
    uint64_t since; /* CraftyChunkEdits.saves when it changed */
} CraftyChunkRow;

typedef struct CraftyChunkEdits {
    CnAllocator *allocator;
    CnHashMap rows;     /* CraftyChunkRow by cn_chunk_key */
    CnU64Array changed; /* keys of the rows that changed since the last save began */
    /* The save in progress: */
    CnStoreBatch *batch; /* NULL: none */
    uint32_t table;      /* of the batch */
    uint64_t saves;      /* begun so far */
    CnU64Array waiting;  /* keys; rows that changed before it began, to be put into the batch */
    CnU64Array put;      /* keys of the rows in the batch */
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

/* A save puts all rows that changed before it began into a batch, in parts between which the game
 * goes on: those that the world passes with `at_begin`, and those of chunks that were unloaded
 * earlier. Changes after the begin belong to the next save. */
bool crafty_chunk_edits_begin(CraftyChunkEdits *edits, CnStoreBatch *batch, uint32_t table,
                              CnError *error);
/* Puts at most `count` waiting rows into the batch. */
bool crafty_chunk_edits_put_some(CraftyChunkEdits *edits, uint32_t count, CnError *error);
bool crafty_chunk_edits_is_waiting(const CraftyChunkEdits *edits);
/* Ends the save. If the batch was not `submitted`, its rows belong to the next save. */
void crafty_chunk_edits_end(CraftyChunkEdits *edits, bool submitted);

/* Hooks of CnVoxels; `user` is the CraftyChunkEdits. */
bool crafty_chunk_edits_store(void *user, const CnStoredChunk *chunk);
bool crafty_chunk_edits_load(void *user, CnChunkPos position, CnStoredBlock *blocks,
                             uint32_t *count);

#endif

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

/* Called before a chunk with stored edits is loaded, and before its row is replaced; `row` is the
 * one before, NULL if there was none. Must not change the edits. */
typedef struct CraftyChunkListener {
    void *user;
    void (*use)(void *user, uint64_t key, const CraftyChunkRow *row);
} CraftyChunkListener;
#define CRAFTY_CHUNK_LISTENERS 4u

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
    CnHashMap used;      /* keys of chunks that were loaded or stored by the hooks; no values */
    CraftyChunkListener listeners[CRAFTY_CHUNK_LISTENERS];
    uint32_t listener_count;
} CraftyChunkEdits;

void crafty_chunk_edits_init(CraftyChunkEdits *edits, CnAllocator *allocator);
void crafty_chunk_edits_fini(CraftyChunkEdits *edits);

/* Adds a row of a world file. Returns false and an error if it is malformed or when out of
 * memory. */
bool crafty_chunk_edits_add(CraftyChunkEdits *edits, uint64_t key, const uint8_t *bytes,
                            size_t size, CnError *error);
/* Makes room for as many chunks again as there are, and at least for CRAFTY_CHUNK_ROOM, so that no
 * tick rebuilds a large table. */
#define CRAFTY_CHUNK_ROOM 16384u
bool crafty_chunk_edits_reserve(CraftyChunkEdits *edits, CnVoxels *voxels, CnError *error);
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

/* Adds a listener. Returns false when there are CRAFTY_CHUNK_LISTENERS. */
bool crafty_chunk_edits_listen(CraftyChunkEdits *edits, CraftyChunkListener listener);
/* Removes the listener with this `user`, if there is one. */
void crafty_chunk_edits_unlisten(CraftyChunkEdits *edits, const void *user);

/* Hooks of CnVoxels; `user` is the CraftyChunkEdits. */
bool crafty_chunk_edits_store(void *user, const CnStoredChunk *chunk);
bool crafty_chunk_edits_load(void *user, CnChunkPos position, CnStoredBlock *blocks,
                             uint32_t *count);

#endif

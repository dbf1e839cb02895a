/* A store for edited chunks in memory, with faults to switch on. */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_CHUNK_STORE_H
#define CAIRN_TESTS_SUPPORT_VOXEL_CHUNK_STORE_H

#include "voxel_world.h"

#include <cairn/base/hash_map.h>

#include <pthread.h>

typedef struct ChunkRecord {
    uint64_t hash;
    uint32_t count;
    CnStoredBlock *blocks;
} ChunkRecord;

typedef struct ChunkStore {
    CnHashMap records; /* chunk key: ChunkRecord */
    pthread_t owner;   /* the only thread that may call */
    uint32_t stores, loads;
    bool fails_to_store, fails_to_load;
} ChunkStore;

void chunk_store_init(ChunkStore *store);
void chunk_store_fini(ChunkStore *store);
CnVoxelsHooks chunk_store_hooks(ChunkStore *store);
ChunkRecord *chunk_store_find(ChunkStore *store, CnChunkPos position);
/* Announces everything in the store to a new world. */
void chunk_store_open(ChunkStore *store, CnVoxels *world);

#endif

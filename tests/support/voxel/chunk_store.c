#include "chunk_store.h"

#include <string.h>

static bool store_chunk(void *user, const CnStoredChunk *chunk)
{
    ChunkStore *store = user;
    assert_true(pthread_equal(pthread_self(), store->owner));
    assert_true(chunk->count <= CN_CHUNK_BLOCKS);
    for (uint32_t i = 1; i < chunk->count; i++)
        assert_true(chunk->blocks[i].index > chunk->blocks[i - 1].index);
    if (store->fails_to_store)
        return false;
    ChunkRecord *old = chunk_store_find(store, chunk->position);
    if (old)
        cn_free(NULL, old->blocks, (old->count + 1) * sizeof *old->blocks);
    ChunkRecord record = {.hash = chunk->hash, .count = chunk->count};
    record.blocks = cn_alloc(NULL, (chunk->count + 1) * sizeof *record.blocks);
    memcpy(record.blocks, chunk->blocks, chunk->count * sizeof *record.blocks);
    assert_non_null(cn_hash_map_set(&store->records, cn_chunk_key(chunk->position), &record));
    store->stores++;
    return true;
}

static bool load_chunk(void *user, CnChunkPos position, CnStoredBlock blocks[CN_CHUNK_BLOCKS],
                       uint32_t *count)
{
    ChunkStore *store = user;
    assert_true(pthread_equal(pthread_self(), store->owner));
    if (store->fails_to_load)
        return false;
    const ChunkRecord *record = chunk_store_find(store, position);
    assert_non_null(record);
    *count = record->count;
    memcpy(blocks, record->blocks, record->count * sizeof *blocks);
    store->loads++;
    return true;
}

void chunk_store_init(ChunkStore *store)
{
    *store = (ChunkStore){.owner = pthread_self()};
    cn_hash_map_init(&store->records, NULL, sizeof(ChunkRecord));
}

void chunk_store_fini(ChunkStore *store)
{
    for (uint32_t i = 0; i < store->records.count; i++) {
        ChunkRecord *record = cn_hash_map_value(&store->records, i);
        cn_free(NULL, record->blocks, (record->count + 1) * sizeof *record->blocks);
    }
    cn_hash_map_fini(&store->records);
}

CnVoxelsHooks chunk_store_hooks(ChunkStore *store)
{
    return (CnVoxelsHooks){.user = store, .chunk_store = store_chunk, .chunk_load = load_chunk};
}

ChunkRecord *chunk_store_find(ChunkStore *store, CnChunkPos position)
{
    return cn_hash_map_get(&store->records, cn_chunk_key(position));
}

void chunk_store_open(ChunkStore *store, CnVoxels *world)
{
    for (uint32_t i = 0; i < store->records.count; i++) {
        const ChunkRecord *record = cn_hash_map_value(&store->records, i);
        CnChunkPos position = cn_chunk_from_key(cn_hash_map_key(&store->records, i));
        assert_true(cn_voxels_add_stored(world, position, record->hash, NULL));
    }
}

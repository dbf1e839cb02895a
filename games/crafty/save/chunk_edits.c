#include "chunk_edits.h"

#include "chunk_row.h"

#include <cairn/base/bytes.h>

void crafty_chunk_edits_init(CraftyChunkEdits *edits, CnAllocator *allocator)
{
    edits->allocator = allocator ? allocator : cn_system_allocator();
    cn_hash_map_init_keyed(&edits->rows, edits->allocator, sizeof(CraftyChunkRow));
    cn_array_init(&edits->changed, edits->allocator);
}

void crafty_chunk_edits_fini(CraftyChunkEdits *edits)
{
    for (uint32_t i = 0; i < edits->rows.count; i++) {
        CraftyChunkRow *row = cn_hash_map_value(&edits->rows, i);
        cn_free(edits->allocator, row->bytes, row->size);
    }
    cn_hash_map_fini(&edits->rows);
    cn_array_fini(&edits->changed);
}

/* Takes over `row.bytes`, also when it returns false because memory ran out. */
static bool replace(CraftyChunkEdits *edits, uint64_t key, CraftyChunkRow row)
{
    CraftyChunkRow *old = cn_hash_map_get(&edits->rows, key);
    bool lists = row.changed && !(old && old->changed);
    if (lists && !cn_array_reserve(&edits->changed, edits->changed.count + 1u)) {
        cn_free(edits->allocator, row.bytes, row.size);
        return false;
    }
    if (old) {
        cn_free(edits->allocator, old->bytes, old->size);
        *old = row;
    } else if (!cn_hash_map_set(&edits->rows, key, &row)) {
        cn_free(edits->allocator, row.bytes, row.size);
        return false;
    }
    if (lists)
        edits->changed.items[edits->changed.count++] = key;
    return true;
}

/* ---- Rows ---- */

bool crafty_chunk_edits_add(CraftyChunkEdits *edits, uint64_t key, const uint8_t *bytes,
                            size_t size, CnError *error)
{
    CnChunkPos position = cn_chunk_from_key(key);
    uint64_t hash;
    uint32_t count;
    if (key != cn_chunk_key(position) || !crafty_chunk_row_read(bytes, size, &hash, NULL, &count))
        return cn_error_set(error, CN_ERROR_FORMAT, "the edits of chunk %d, %d, %d are malformed",
                            position.x, position.y, position.z);
    CraftyChunkRow row = {cn_alloc(edits->allocator, size), (uint32_t)size, false};
    if (!row.bytes)
        return cn_error_memory(error, "the edits of a chunk");
    memcpy(row.bytes, bytes, size);
    return replace(edits, key, row) || cn_error_memory(error, "the edits of a chunk");
}

static bool rehash_row(CraftyChunkEdits *edits, CnVoxels *voxels, uint32_t index, CnError *error)
{
    CraftyChunkRow *row = cn_hash_map_value(&edits->rows, index);
    uint64_t key = cn_hash_map_key(&edits->rows, index);
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    CnStoredChunk chunk = {.position = cn_chunk_from_key(key), .blocks = blocks};
    if (!crafty_chunk_row_read(row->bytes, row->size, &chunk.hash, blocks, &chunk.count))
        return cn_error_set(error, CN_ERROR_FORMAT, "the edits of a chunk are malformed");
    if (!cn_voxels_stored_hash(voxels, &chunk, &chunk.hash, error))
        return false;
    if (!row->changed && !cn_array_push(&edits->changed, key))
        return cn_error_memory(error, "the edits of a chunk");
    row->changed = true;
    memcpy(row->bytes, &chunk.hash, sizeof chunk.hash);
    return true;
}

/* A chunk with an unknown block could not be loaded later. */
static bool check_blocks(const CraftyChunkRow *row, CnChunkPos position, uint32_t block_count,
                         CnError *error)
{
    uint32_t highest = crafty_chunk_row_highest_block(row->bytes, row->size);
    return highest < block_count ||
           cn_error_set(error, CN_ERROR_FORMAT,
                        "the edits of chunk %d, %d, %d contain the block %u, but the palette of "
                        "the world has %u blocks; repair it or restore a backup",
                        position.x, position.y, position.z, highest, block_count);
}

bool crafty_chunk_edits_announce(CraftyChunkEdits *edits, CnVoxels *voxels, bool rehash,
                                 CnError *error)
{
    for (uint32_t i = 0; i < edits->rows.count; i++) {
        const CraftyChunkRow *row = cn_hash_map_value(&edits->rows, i);
        CnChunkPos position = cn_chunk_from_key(cn_hash_map_key(&edits->rows, i));
        if (!check_blocks(row, position, cn_voxels_blocks(voxels)->count, error) ||
            (rehash && !rehash_row(edits, voxels, i, error)) ||
            !cn_voxels_add_stored(voxels, position, cn_load_u64(row->bytes), error))
            return false;
    }
    return true;
}

void crafty_chunk_edits_saved(CraftyChunkEdits *edits)
{
    for (uint32_t i = 0; i < edits->changed.count; i++) {
        CraftyChunkRow *row = cn_hash_map_get(&edits->rows, edits->changed.items[i]);
        row->changed = false;
    }
    cn_array_clear(&edits->changed);
}

/* ---- Hooks ---- */

bool crafty_chunk_edits_store(void *user, const CnStoredChunk *chunk)
{
    CraftyChunkEdits *edits = user;
    uint8_t bytes[CRAFTY_CHUNK_ROW_BYTES];
    uint32_t size = crafty_chunk_row_write(chunk, bytes);
    CraftyChunkRow row = {cn_alloc(edits->allocator, size), size, true};
    if (!row.bytes)
        return false;
    memcpy(row.bytes, bytes, size);
    return replace(edits, cn_chunk_key(chunk->position), row);
}

bool crafty_chunk_edits_load(void *user, CnChunkPos position, CnStoredBlock *blocks,
                             uint32_t *count)
{
    CraftyChunkEdits *edits = user;
    const CraftyChunkRow *row = cn_hash_map_get(&edits->rows, cn_chunk_key(position));
    uint64_t hash;
    return row && crafty_chunk_row_read(row->bytes, row->size, &hash, blocks, count);
}

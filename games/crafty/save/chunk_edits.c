#include "chunk_edits.h"

#include <cairn/base/bytes.h>

#define HEADER_BYTES 12u
#define BLOCK_BYTES 4u

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

static bool is_well_formed(const uint8_t *bytes, size_t size)
{
    uint32_t count = size >= HEADER_BYTES ? cn_load_u32(bytes + 8) : 0;
    bool valid =
        count > 0 && count <= CN_CHUNK_BLOCKS && size == HEADER_BYTES + (size_t)count * BLOCK_BYTES;
    for (uint32_t i = 0; valid && i < count; i++) {
        const uint8_t *block = bytes + HEADER_BYTES + (size_t)i * BLOCK_BYTES;
        valid = cn_load_u16(block) < CN_CHUNK_BLOCKS &&
                (i == 0 || cn_load_u16(block) > cn_load_u16(block - BLOCK_BYTES));
    }
    return valid;
}

bool crafty_chunk_edits_add(CraftyChunkEdits *edits, uint64_t key, const uint8_t *bytes,
                            size_t size, CnError *error)
{
    CnChunkPos position = cn_chunk_from_key(key);
    if (key != cn_chunk_key(position) || !is_well_formed(bytes, size))
        return cn_error_set(error, CN_ERROR_FORMAT, "the edits of chunk %d, %d, %d are malformed",
                            position.x, position.y, position.z);
    CraftyChunkRow row = {cn_alloc(edits->allocator, size), (uint32_t)size, false};
    if (!row.bytes)
        return cn_error_memory(error, "the edits of a chunk");
    memcpy(row.bytes, bytes, size);
    return replace(edits, key, row) || cn_error_memory(error, "the edits of a chunk");
}

static void read_blocks(const CraftyChunkRow *row, CnStoredBlock *blocks, uint32_t *count)
{
    *count = cn_load_u32(row->bytes + 8);
    for (uint32_t i = 0; i < *count; i++) {
        const uint8_t *block = row->bytes + HEADER_BYTES + (size_t)i * BLOCK_BYTES;
        blocks[i] = (CnStoredBlock){cn_load_u16(block), cn_load_u16(block + 2)};
    }
}

static bool rehash_row(CraftyChunkEdits *edits, CnVoxels *voxels, uint32_t index, CnError *error)
{
    CraftyChunkRow *row = cn_hash_map_value(&edits->rows, index);
    uint64_t key = cn_hash_map_key(&edits->rows, index);
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    CnStoredChunk chunk = {.position = cn_chunk_from_key(key), .blocks = blocks};
    read_blocks(row, blocks, &chunk.count);
    if (!cn_voxels_stored_hash(voxels, &chunk, &chunk.hash, error))
        return false;
    if (!row->changed && !cn_array_push(&edits->changed, key))
        return cn_error_memory(error, "the edits of a chunk");
    row->changed = true;
    memcpy(row->bytes, &chunk.hash, sizeof chunk.hash);
    return true;
}

bool crafty_chunk_edits_announce(CraftyChunkEdits *edits, CnVoxels *voxels, bool rehash,
                                 CnError *error)
{
    for (uint32_t i = 0; i < edits->rows.count; i++) {
        const CraftyChunkRow *row = cn_hash_map_value(&edits->rows, i);
        if (rehash && !rehash_row(edits, voxels, i, error))
            return false;
        if (!cn_voxels_add_stored(voxels, cn_chunk_from_key(cn_hash_map_key(&edits->rows, i)),
                                  cn_load_u64(row->bytes), error))
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
    size_t size = HEADER_BYTES + (size_t)chunk->count * BLOCK_BYTES;
    CraftyChunkRow row = {cn_alloc(edits->allocator, size), (uint32_t)size, true};
    if (!row.bytes)
        return false;
    memcpy(row.bytes, &chunk->hash, sizeof chunk->hash);
    memcpy(row.bytes + 8, &chunk->count, sizeof chunk->count);
    for (uint32_t i = 0; i < chunk->count; i++) {
        uint16_t block[2] = {chunk->blocks[i].index, chunk->blocks[i].block};
        memcpy(row.bytes + HEADER_BYTES + (size_t)i * BLOCK_BYTES, block, sizeof block);
    }
    return replace(edits, cn_chunk_key(chunk->position), row);
}

bool crafty_chunk_edits_load(void *user, CnChunkPos position, CnStoredBlock *blocks,
                             uint32_t *count)
{
    CraftyChunkEdits *edits = user;
    const CraftyChunkRow *row = cn_hash_map_get(&edits->rows, cn_chunk_key(position));
    if (!row)
        return false;
    read_blocks(row, blocks, count);
    return true;
}

#include "chunk_edits.h"

#include "chunk_row.h"

#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>

void crafty_chunk_edits_init(CraftyChunkEdits *edits, CnAllocator *allocator)
{
    *edits = (CraftyChunkEdits){.allocator = allocator ? allocator : cn_system_allocator()};
    cn_hash_map_init_keyed(&edits->rows, edits->allocator, sizeof(CraftyChunkRow));
    cn_array_init(&edits->changed, edits->allocator);
    cn_array_init(&edits->waiting, edits->allocator);
    cn_array_init(&edits->put, edits->allocator);
    cn_hash_map_init_keyed(&edits->used, edits->allocator, 0);
}

void crafty_chunk_edits_fini(CraftyChunkEdits *edits)
{
    for (uint32_t i = 0; i < edits->rows.count; i++) {
        CraftyChunkRow *row = cn_hash_map_value(&edits->rows, i);
        cn_free(edits->allocator, row->bytes, row->size);
    }
    cn_hash_map_fini(&edits->rows);
    cn_hash_map_fini(&edits->used);
    cn_array_fini(&edits->changed);
    cn_array_fini(&edits->waiting);
    cn_array_fini(&edits->put);
}

/* ---- Saving ---- */

/* In `changed` there is room for the rows of a save that fails. */
static bool make_room(CraftyChunkEdits *edits)
{
    uint64_t count = (uint64_t)edits->changed.count + edits->waiting.count + edits->put.count;
    return cn_array_reserve(&edits->changed, count + 2) &&
           cn_array_reserve(&edits->put, edits->put.count + 1u);
}

static void list(CraftyChunkEdits *edits, uint64_t key, CraftyChunkRow *row)
{
    bool is_listed = row->changed && row->since == edits->saves;
    row->changed = true;
    row->since = edits->saves;
    if (!is_listed)
        edits->changed.items[edits->changed.count++] = key;
}

static bool is_waiting(const CraftyChunkEdits *edits, const CraftyChunkRow *row)
{
    return row->changed && row->since != edits->saves;
}

/* Puts a row into the batch. There is room for its key. */
static bool put(CraftyChunkEdits *edits, uint64_t key, CraftyChunkRow *row, CnError *error)
{
    if (!cn_store_batch_put(edits->batch, edits->table, cn_store_number((int64_t)key), row->bytes,
                            row->size, error))
        return false;
    row->changed = false;
    edits->put.items[edits->put.count++] = key;
    return true;
}

bool crafty_chunk_edits_begin(CraftyChunkEdits *edits, CnStoreBatch *batch, uint32_t table,
                              CnError *error)
{
    CN_ASSERT(!edits->batch, "a save is in progress");
    if (!cn_array_reserve(&edits->waiting, edits->changed.count + 1u))
        return cn_error_memory(error, "a save");
    CnU64Array empty = edits->waiting;
    edits->waiting = edits->changed;
    edits->changed = empty;
    edits->batch = batch;
    edits->table = table;
    edits->saves++;
    return true;
}

bool crafty_chunk_edits_put_some(CraftyChunkEdits *edits, uint32_t count, CnError *error)
{
    for (; count > 0 && edits->waiting.count > 0; count--) {
        uint64_t key = edits->waiting.items[edits->waiting.count - 1];
        CraftyChunkRow *row = cn_hash_map_get(&edits->rows, key);
        if (!make_room(edits))
            return cn_error_memory(error, "a save");
        if (is_waiting(edits, row) && !put(edits, key, row, error))
            return false;
        edits->waiting.count--;
    }
    return true;
}

bool crafty_chunk_edits_is_waiting(const CraftyChunkEdits *edits)
{
    return edits->waiting.count > 0;
}

void crafty_chunk_edits_end(CraftyChunkEdits *edits, bool submitted)
{
    for (uint32_t i = 0; i < edits->put.count && !submitted; i++)
        list(edits, edits->put.items[i], cn_hash_map_get(&edits->rows, edits->put.items[i]));
    for (uint32_t i = 0; i < edits->waiting.count; i++) {
        CraftyChunkRow *row = cn_hash_map_get(&edits->rows, edits->waiting.items[i]);
        if (is_waiting(edits, row))
            list(edits, edits->waiting.items[i], row);
    }
    cn_array_clear(&edits->put);
    cn_array_clear(&edits->waiting);
    edits->batch = NULL;
}

/* ---- Rows ---- */

/* Replaces the bytes of a row, or adds it. Takes over `bytes`, also when it returns
 * NULL because memory ran out. */
static CraftyChunkRow *replace(CraftyChunkEdits *edits, uint64_t key, uint8_t *bytes, uint32_t size)
{
    CraftyChunkRow *old = cn_hash_map_get(&edits->rows, key);
    if (old) {
        cn_free(edits->allocator, old->bytes, old->size);
        old->bytes = bytes;
        old->size = size;
        return old;
    }
    CraftyChunkRow *row =
        cn_hash_map_set(&edits->rows, key, &(CraftyChunkRow){bytes, size, false, 0});
    if (!row)
        cn_free(edits->allocator, bytes, size);
    return row;
}

static uint8_t *copy_bytes(const CraftyChunkEdits *edits, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = cn_alloc(edits->allocator, size);
    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

bool crafty_chunk_edits_add(CraftyChunkEdits *edits, uint64_t key, const uint8_t *bytes,
                            size_t size, CnError *error)
{
    CnChunkPos position = cn_chunk_from_key(key);
    uint64_t hash;
    uint32_t count;
    if (key != cn_chunk_key(position) || !crafty_chunk_row_read(bytes, size, &hash, NULL, &count))
        return cn_error_set(error, CN_ERROR_FORMAT, "the edits of chunk %d, %d, %d are malformed",
                            position.x, position.y, position.z);
    uint8_t *copy = copy_bytes(edits, bytes, size);
    return (copy && replace(edits, key, copy, (uint32_t)size)) ||
           cn_error_memory(error, "the edits of a chunk");
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
    if (!make_room(edits))
        return cn_error_memory(error, "the edits of a chunk");
    list(edits, key, row);
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

bool crafty_chunk_edits_reserve(CraftyChunkEdits *edits, CnVoxels *voxels, CnError *error)
{
    uint32_t rows = edits->rows.count, room = rows < UINT32_MAX / 2 ? 2 * rows : UINT32_MAX;
    room = room > CRAFTY_CHUNK_ROOM ? room : CRAFTY_CHUNK_ROOM;
    return (cn_hash_map_reserve(&edits->rows, room) && cn_voxels_reserve_stored(voxels, room)) ||
           cn_error_memory(error, "the edits of chunks");
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

/* ---- Listeners ---- */

bool crafty_chunk_edits_listen(CraftyChunkEdits *edits, CraftyChunkListener listener)
{
    if (edits->listener_count == CRAFTY_CHUNK_LISTENERS)
        return false;
    edits->listeners[edits->listener_count++] = listener;
    return true;
}

void crafty_chunk_edits_unlisten(CraftyChunkEdits *edits, const void *user)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edits->listener_count; i++)
        if (edits->listeners[i].user != user)
            edits->listeners[kept++] = edits->listeners[i];
    edits->listener_count = kept;
}

/* Returns false when out of memory. */
static bool use(CraftyChunkEdits *edits, uint64_t key, const CraftyChunkRow *row)
{
    if (!cn_hash_map_get(&edits->used, key) && !cn_hash_map_set(&edits->used, key, NULL))
        return false;
    for (uint32_t i = 0; i < edits->listener_count; i++)
        edits->listeners[i].use(edits->listeners[i].user, key, row);
    return true;
}

/* ---- Hooks ---- */

/* Of a row that waits for the save in progress, the save needs the old bytes, unless the new ones
 * belong to it. */
static bool put_old(CraftyChunkEdits *edits, uint64_t key)
{
    CraftyChunkRow *old = cn_hash_map_get(&edits->rows, key);
    return !edits->batch || !old || !is_waiting(edits, old) || put(edits, key, old, NULL);
}

bool crafty_chunk_edits_store(void *user, const CnStoredChunk *chunk)
{
    CraftyChunkEdits *edits = user;
    uint8_t bytes[CRAFTY_CHUNK_ROW_BYTES];
    uint64_t key = cn_chunk_key(chunk->position);
    uint32_t size = crafty_chunk_row_write(chunk, bytes);
    bool is_of_save = edits->batch && chunk->at_begin;
    if (!make_room(edits) || (!is_of_save && !put_old(edits, key)))
        return false;
    uint8_t *copy = copy_bytes(edits, bytes, size);
    if (copy && !use(edits, key, cn_hash_map_get(&edits->rows, key))) {
        cn_free(edits->allocator, copy, size);
        return false;
    }
    CraftyChunkRow *row = copy ? replace(edits, key, copy, size) : NULL;
    if (!row || (is_of_save && !put(edits, key, row, NULL)))
        return false;
    if (!is_of_save)
        list(edits, key, row);
    return true;
}

bool crafty_chunk_edits_load(void *user, CnChunkPos position, CnStoredBlock *blocks,
                             uint32_t *count)
{
    CraftyChunkEdits *edits = user;
    const CraftyChunkRow *row = cn_hash_map_get(&edits->rows, cn_chunk_key(position));
    uint64_t hash;
    return row && use(edits, cn_chunk_key(position), row) &&
           crafty_chunk_row_read(row->bytes, row->size, &hash, blocks, count);
}

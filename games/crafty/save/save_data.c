/* Block data of worlds: the contents of crates and the like, in rows by chunk. */
#include "save_internal.h"

/* ---- Reading ---- */

static bool visit_data(const CnStoreRow *row, void *user, CnError *error)
{
    CnVoxels *voxels = user;
    CnChunkPos position = cn_chunk_from_key((uint64_t)row->key.number);
    if (!row->is_damaged && (uint64_t)row->key.number == cn_chunk_key(position))
        return cn_block_data_read(voxels, position, row->bytes, row->size, error);
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "the world is damaged: the block data of chunk %d, %d, %d does not match "
                        "its checksum; restore a backup",
                        position.x, position.y, position.z);
}

/* Kinds first: rows contain their numbers. */
bool crafty_save_read_data(CraftySave *save, CnVoxels *voxels, CnError *error)
{
    bool found = false;
    CnU8Array kinds;
    cn_array_init(&kinds, cn_system_allocator());
    bool done = cn_store_get(save->store, CRAFTY_SAVE_INFO,
                             cn_store_text(CRAFTY_SAVE_KEY_DATA_KINDS), &kinds, &found, error) &&
                (!found || cn_block_data_read_kinds(
                               voxels, (CnText){(const char *)kinds.items, kinds.count}, error));
    cn_array_fini(&kinds);
    save->data_kinds = cn_block_data_kind_count(voxels);
    return done &&
           cn_store_each(save->store, CRAFTY_SAVE_DATA, NULL, NULL, visit_data, voxels, error);
}

/* ---- Writing ---- */

static bool add_data_kinds(CraftySave *save, const CnVoxels *voxels, CnStoreBatch *batch,
                           CnError *error)
{
    if (cn_block_data_kind_count(voxels) == save->data_kinds)
        return true;
    CnTextBuilder kinds;
    cn_array_init(&kinds, cn_system_allocator());
    bool done =
        (cn_block_data_write_kinds(voxels, &kinds) ||
         cn_error_memory(error, "the kinds of block data")) &&
        crafty_save_put_twice(batch, CRAFTY_SAVE_KEY_DATA_KINDS, kinds.items, kinds.count, error);
    cn_array_fini(&kinds);
    return done;
}

static bool add_row(const CnVoxels *voxels, uint64_t chunk, CnU8Array *row, CnStoreBatch *batch,
                    CnError *error)
{
    CnStoreKey key = cn_store_number((int64_t)chunk);
    row->count = 0;
    return cn_block_data_write(voxels, cn_chunk_from_key(chunk), row, error) &&
           (row->count > 0
                ? cn_store_batch_put(batch, CRAFTY_SAVE_DATA, key, row->items, row->count, error)
                : cn_store_batch_remove(batch, CRAFTY_SAVE_DATA, key, error));
}

/* Data that changes from now on belongs to the next save. If this one is dropped, its chunks are
 * still listed and written with the next one. */
bool crafty_save_add_data(CraftySave *save, CnVoxels *voxels, CnStoreBatch *batch, CnError *error)
{
    CnU64Array *chunks = &save->data_chunks;
    uint32_t changed = cn_block_data_stats(voxels).changed_chunks;
    if (!add_data_kinds(save, voxels, batch, error))
        return false;
    if (!cn_array_reserve(chunks, chunks->count + (uint64_t)changed))
        return cn_error_memory(error, "the block data");
    for (uint32_t i = 0; i < changed; i++)
        chunks->items[chunks->count++] = cn_chunk_key(cn_block_data_changed(voxels, i));
    cn_block_data_saved(voxels);
    CnU8Array row;
    cn_array_init(&row, cn_system_allocator());
    bool done = true;
    for (uint32_t i = 0; i < chunks->count && done; i++)
        done = add_row(voxels, chunks->items[i], &row, batch, error);
    cn_array_fini(&row);
    save->data_kinds_added = cn_block_data_kind_count(voxels);
    return done;
}

void crafty_save_data_submitted(CraftySave *save)
{
    cn_array_clear(&save->data_chunks);
    save->data_kinds = save->data_kinds_added;
}

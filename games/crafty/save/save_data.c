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
                        "its checksum; repair it or restore a backup",
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

static bool add_kinds(const CnVoxels *voxels, CnStoreBatch *batch, CnError *error)
{
    CnTextBuilder kinds;
    cn_array_init(&kinds, cn_system_allocator());
    bool done =
        (cn_block_data_write_kinds(voxels, &kinds) ||
         cn_error_memory(error, "the kinds of block data")) &&
        crafty_save_put_twice(batch, CRAFTY_SAVE_KEY_DATA_KINDS, kinds.items, kinds.count, error);
    cn_array_fini(&kinds);
    return done;
}

bool crafty_save_begin_data(CraftySave *save, CnVoxels *voxels, CnError *error)
{
    CraftySaveProgress *progress = &save->progress;
    progress->data_kinds = cn_block_data_kind_count(voxels);
    cn_block_data_save_begin(voxels);
    return progress->data_kinds == save->data_kinds || add_kinds(voxels, progress->batch, error);
}

static bool add_row(CnStoreBatch *batch, CnChunkPos position, const CnU8Array *row, CnError *error)
{
    CnStoreKey key = cn_store_number((int64_t)cn_chunk_key(position));
    if (row->count == 0)
        return cn_store_batch_remove(batch, CRAFTY_SAVE_DATA, key, error);
    return cn_store_batch_put(batch, CRAFTY_SAVE_DATA, key, row->items, row->count, error);
}

bool crafty_save_add_data(CraftySave *save, CnVoxels *voxels, uint32_t bytes, CnError *error)
{
    CnChunkPos position;
    uint64_t added = 0;
    bool done = true;
    CnU8Array row;
    cn_array_init(&row, cn_system_allocator());
    while (done && added < bytes && cn_block_data_save_left(voxels) > 0) {
        done = cn_block_data_save_next(voxels, &position, &row, error) &&
               add_row(save->progress.batch, position, &row, error);
        added += row.count + sizeof position;
    }
    cn_array_fini(&row);
    return done;
}

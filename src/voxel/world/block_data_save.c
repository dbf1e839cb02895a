/*
 * Saves of block data in parts. The keys of the chunks of a save come first in the list of changed
 * chunks; chunks that change during the save are listed after them. The row of a chunk that changes
 * before the save has taken it is kept as it was.
 */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* ---- Changes ---- */

static bool keep_row(CnVoxels *world, uint64_t key, CniVoxelDataChunk *chunk)
{
    CnU8Array bytes;
    cn_array_init(&bytes, world->allocator);
    bool kept = cn_block_data_write(world, cn_chunk_from_key(key), &bytes, NULL);
    CniVoxelDataRow row = {bytes.items, bytes.count, bytes.capacity};
    kept = kept && cn_hash_map_set(&world->data.rows, key, &row);
    if (kept)
        chunk->pending = false;
    else
        cn_array_fini(&bytes);
    return kept;
}

bool cni_voxel_data_prepare_change(CnVoxels *world, uint64_t key, CniVoxelDataChunk *chunk)
{
    CnU64Array *changed = &world->data.changed;
    if (chunk && chunk->pending && !keep_row(world, key, chunk))
        return false;
    return (chunk && chunk->changed) || cn_array_reserve(changed, changed->count + 1ull);
}

void cni_voxel_data_list_change(CnVoxels *world, uint64_t key, CniVoxelDataChunk *chunk)
{
    if (chunk->changed)
        return;
    chunk->changed = true;
    world->data.changed.items[world->data.changed.count++] = key;
}

void cni_voxel_data_free_rows(CnVoxels *world)
{
    CnHashMap *rows = &world->data.rows;
    for (uint32_t i = 0; i < rows->count; i++) {
        CniVoxelDataRow *row = cn_hash_map_value(rows, i);
        cn_free(world->allocator, row->bytes, row->capacity);
    }
    cn_hash_map_clear(rows);
}

/* ---- A save ---- */

static CniVoxelDataChunk *changed_chunk(const CnVoxels *world, uint32_t index)
{
    return cn_hash_map_get(&world->data.chunks, world->data.changed.items[index]);
}

void cn_block_data_save_begin(CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(world->data.saving == 0, "%s: a save is in progress", __func__);
    CniVoxelData *data = &world->data;
    data->saving = data->changed.count;
    data->taken = 0;
    for (uint32_t i = 0; i < data->saving; i++) {
        CniVoxelDataChunk *chunk = changed_chunk(world, i);
        chunk->changed = false;
        chunk->pending = true;
    }
}

uint32_t cn_block_data_save_left(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->data.saving - world->data.taken;
}

static bool take_kept_row(CnVoxels *world, uint64_t key, CnU8Array *bytes)
{
    CniVoxelDataRow *row = cn_hash_map_get(&world->data.rows, key);
    CN_ASSERT(row, "the row of a changed chunk is missing");
    if (!row || !cn_bytes_append(bytes, row->bytes, row->size))
        return false;
    cn_free(world->allocator, row->bytes, row->capacity);
    cn_hash_map_remove(&world->data.rows, key);
    return true;
}

bool cn_block_data_save_next(CnVoxels *world, CnChunkPos *position, CnU8Array *bytes,
                             CnError *error)
{
    CN_ASSERT(world && position && bytes, "%s: an argument is NULL", __func__);
    CniVoxelData *data = &world->data;
    CN_ASSERT(data->taken < data->saving, "%s: all chunks have been taken", __func__);
    uint64_t key = data->changed.items[data->taken];
    CniVoxelDataChunk *chunk = changed_chunk(world, data->taken);
    *position = cn_chunk_from_key(key);
    cn_array_clear(bytes);
    if (!(chunk->pending ? cn_block_data_write(world, *position, bytes, NULL)
                         : take_kept_row(world, key, bytes)))
        return cn_error_memory(error, "block data as bytes");
    chunk->pending = false;
    data->taken++;
    return true;
}

/* The data of a chunk without entries is not needed any more, unless it changed meanwhile. */
static void drop_if_empty(CnVoxels *world, uint64_t key, CniVoxelDataChunk *chunk)
{
    if (chunk->count > 0 || chunk->changed)
        return;
    cni_voxel_data_free_entries(world, chunk);
    cn_hash_map_remove(&world->data.chunks, key);
}

void cn_block_data_save_end(CnVoxels *world, bool done)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniVoxelData *data = &world->data;
    uint64_t *keys = data->changed.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < data->saving; i++) {
        CniVoxelDataChunk *chunk = changed_chunk(world, i);
        chunk->pending = false;
        if (done) {
            drop_if_empty(world, keys[i], chunk);
        } else if (!chunk->changed) { /* else it is listed again */
            chunk->changed = true;
            keys[kept++] = keys[i];
        }
    }
    uint32_t later = data->changed.count - data->saving;
    if (later > 0)
        memmove(keys + kept, keys + data->saving, later * sizeof *keys);
    data->changed.count = kept + later;
    data->saving = data->taken = 0;
    cni_voxel_data_free_rows(world);
}

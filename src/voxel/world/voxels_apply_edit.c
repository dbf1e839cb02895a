#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

/* Makes the blocks of the entry writable: copies them if a task reads them or another reference
 * exists. */
static bool own_blocks(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    if (entry->read_by >= cni_voxel_oldest_task(world)) {
        CnChunk *old = cn_chunk_acquire(entry->blocks);
        CnChunk *copy = cn_chunk_make_unique(entry->blocks);
        if (!copy) {
            cn_chunk_release(old);
            return false;
        }
        entry->blocks = copy;
        if (!cni_voxel_retire(world, entry->read_by, old, NULL)) {
            /* The task still needs the old blocks: restore them. */
            entry->blocks = old;
            cn_chunk_release(copy);
            return false;
        }
        entry->read_by = 0;
        return true;
    }
    CnChunk *own = cn_chunk_make_unique(entry->blocks);
    if (own)
        entry->blocks = own;
    return own;
}

bool cni_voxel_prepare_noting(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    if (!world->stored_blocks)
        return true;
    if (!entry->edited)
        entry->edited = cn_alloc_zeroed(world->allocator, sizeof *entry->edited);
    return entry->edited && cni_voxel_unstored_prepare(world, entry);
}

static void note_cell(CnVoxels *world, CniVoxelChunkEntry *entry, const CnEdit *edit)
{
    uint32_t index = cn_chunk_index(edit->cell);
    uint64_t change = cni_voxel_cell_hash(entry->position, index, edit->new_block) -
                      cni_voxel_cell_hash(entry->position, index, edit->old_block);
    world->edit_sum += change;
    entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_HASHED;
    cni_voxel_new_version(world, entry->position);
    if (!entry->edited)
        return;
    entry->edited->bits[index / 64] |= 1ull << index % 64;
    entry->edited->sum += change;
    cni_voxel_unstored_add(world, entry);
}

void cni_voxel_note_edited(CniVoxelChunkColumn *column, CniVoxelChunkEntry *entry)
{
    if (entry->flags & CNI_VOXEL_CHUNK_EDITED)
        return;
    entry->flags |= CNI_VOXEL_CHUNK_EDITED;
    column->edited++;
    if (entry->position.y > column->edited_high)
        column->edited_high = entry->position.y;
}

/* Performs everything that can fail; on success the block is set and the log written. */
static bool set_block(CnVoxels *world, CniVoxelChunkEntry *entry, CniVoxelChunkColumn *column,
                      const CnEdit *edit, CniVoxelSkyHeightChange *sky)
{
    uint32_t x = edit->cell.x & 15, y = edit->cell.y & 15, z = edit->cell.z & 15;
    if (!cni_voxel_sky_heights_prepare(world, column, edit->cell, edit->new_block, sky) ||
        !cni_voxel_data_prepare_detach(world, edit->cell) ||
        !cni_voxel_prepare_noting(world, entry) ||
        !cni_voxel_prepare_version(world, entry->position) || !own_blocks(world, entry) ||
        !cn_chunk_set(entry->blocks, x, y, z, edit->new_block))
        return false;
    if (cn_edit_log_append(world->log, edit))
        return true;
    /* The palette still contains the old block, so this needs no memory. */
    cn_chunk_set(entry->blocks, x, y, z, edit->old_block);
    return false;
}

/* The hook sees the world without the data; then the listener gets it. */
static void notify(CnVoxels *world, const CnEdit *edit, bool keeps_data)
{
    CniVoxelDataEntry entry;
    bool had_data = !keeps_data && cni_voxel_data_detach(world, edit->cell, &entry);
    if (world->hooks.block_changed)
        world->hooks.block_changed(world->hooks.user, edit);
    if (!had_data)
        return;
    CnBlockData data = {
        .kind = entry.kind, .active = entry.active, .size = entry.size, .bytes = entry.bytes};
    if (world->data.listener)
        world->data.listener(world->data.user, edit, &data);
    cn_free(world->allocator, entry.bytes, entry.size);
}

static bool storage_error(const CnEdit *edit, CnError *error)
{
    return cn_error_set(error, CN_ERROR_IO,
                        "the stored edits at or below the cell %d, %d, %d cannot be loaded",
                        edit->cell.x, edit->cell.y, edit->cell.z);
}

static bool apply(CnVoxels *world, CnEdit *edit, bool keeps_data, CnError *error)
{
    CnChunkPos position = cn_chunk_of(edit->cell);
    if (!cni_voxel_chunk_in_limits(position))
        return cn_error_set(error, CN_ERROR_LIMIT, "cell %d, %d, %d lies outside the world",
                            edit->cell.x, edit->cell.y, edit->cell.z);
    if (!cn_block_exists(world->table, edit->new_block))
        return cn_error_set(error, CN_ERROR_LIMIT, "unknown block %u", edit->new_block);
    uint64_t storage_failures = world->stats.storage_failures;
    edit->old_block = cn_voxels_get(world, edit->cell);
    if (world->stats.storage_failures != storage_failures)
        return storage_error(edit, error); /* The old block is unknown. */
    if (edit->old_block == edit->new_block)
        return true;
    CniVoxelChunkColumn *column = cni_voxel_column_load(world, position.x, position.z);
    CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_load(world, position);
    uint32_t reach = cni_voxel_light_reach(world, edit->cell, edit->old_block, edit->new_block);
    CniVoxelSkyHeightChange sky;
    if (!column || !entry || !set_block(world, entry, column, edit, &sky)) {
        if (world->stats.storage_failures != storage_failures)
            return storage_error(edit, error);
        world->stats.out_of_memory++;
        return cn_error_memory(error, "an edit");
    }
    cni_voxel_note_edited(column, entry);
    note_cell(world, entry, edit);
    cni_voxel_sky_heights_apply(column, edit->cell, &sky);
    cni_voxel_mark_edit_dirty(world, edit->cell, reach, &sky);
    if (!cn_water_wake(world->water, edit->cell))
        world->stats.out_of_memory++;
    notify(world, edit, keeps_data);
    return true;
}

bool cn_voxels_edit(CnVoxels *world, CnEdit *edit, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(edit, "%s: edit is NULL", __func__);
    return apply(world, edit, false, error);
}

bool cn_voxels_edit_keeping_data(CnVoxels *world, CnEdit *edit, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(edit, "%s: edit is NULL", __func__);
    return apply(world, edit, true, error);
}

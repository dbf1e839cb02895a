#include "voxel/world/voxels_internal.h"

/* Hash of a block in a cell. Sums of differences of these hashes are independent of the order of
 * edits, and 0 if everything is as generated. */
static uint64_t cell_hash(CnCell cell, CnBlock block)
{
    uint64_t place = cn_chunk_key(cn_chunk_of(cell));
    return cn_hash_mix(cn_hash_mix(place) + ((uint64_t)cn_chunk_index(cell) << 16 | block));
}

/* Makes the blocks of the entry writable: copies them if a task reads them or another reference
 * exists. */
static bool own_blocks(CnVoxels *world, CniPlace *place)
{
    if (place->read_by >= cni_oldest_task(world)) {
        CnChunk *old = cn_chunk_acquire(place->blocks);
        CnChunk *copy = cn_chunk_own(place->blocks);
        if (!copy) {
            cn_chunk_release(old);
            return false;
        }
        place->blocks = copy;
        if (!cni_retire(world, place->read_by, old, NULL)) {
            /* The task still needs the old blocks: restore them. */
            place->blocks = old;
            cn_chunk_release(copy);
            return false;
        }
        place->read_by = 0;
        return true;
    }
    CnChunk *own = cn_chunk_own(place->blocks);
    if (own)
        place->blocks = own;
    return own;
}

static void note_edited(CniColumn *column, CniPlace *place)
{
    if (place->flags & CNI_PLACE_EDITED)
        return;
    place->flags |= CNI_PLACE_EDITED;
    column->edited++;
    if (place->position.y > column->edited_high)
        column->edited_high = place->position.y;
}

/* Performs everything that can fail; on success the block is set and the log written. */
static bool set_block(CnVoxels *world, CniPlace *place, CniColumn *column, const CnEdit *edit,
                      CniSkyChange *sky)
{
    uint32_t x = edit->cell.x & 15, y = edit->cell.y & 15, z = edit->cell.z & 15;
    if (!cni_sky_prepare(world, column, edit->cell, edit->new_block, sky) ||
        !own_blocks(world, place) || !cn_chunk_set(place->blocks, x, y, z, edit->new_block))
        return false;
    if (cn_edit_log_append(world->log, edit))
        return true;
    /* The palette still contains the old block, so this needs no memory. */
    cn_chunk_set(place->blocks, x, y, z, edit->old_block);
    return false;
}

bool cn_voxels_edit(CnVoxels *world, CnEdit *edit, CnError *error)
{
    CnChunkPos position = cn_chunk_of(edit->cell);
    if (!cni_chunk_in_limits(position))
        return cn_error_set(error, CN_ERROR_LIMIT, "cell %d, %d, %d lies outside the world",
                            edit->cell.x, edit->cell.y, edit->cell.z);
    if (edit->new_block >= CN_BLOCK_COUNT)
        return cn_error_set(error, CN_ERROR_LIMIT, "unknown block %u", edit->new_block);
    edit->old_block = cn_voxels_get(world, edit->cell);
    if (edit->old_block == edit->new_block)
        return true;
    CniColumn *column = cni_column_load(world, position.x, position.z);
    CniPlace *place = cni_place_load(world, position);
    uint32_t reach = cni_light_reach(world, edit->cell, edit->old_block, edit->new_block);
    CniSkyChange sky;
    if (!column || !place || !set_block(world, place, column, edit, &sky)) {
        world->stats.out_of_memory++;
        return cn_error_set(error, CN_ERROR_MEMORY, "out of memory for an edit");
    }
    note_edited(column, place);
    cni_sky_apply(column, edit->cell, &sky);
    cni_mark_edit(world, edit->cell, reach, &sky);
    world->edit_sum +=
        cell_hash(edit->cell, edit->new_block) - cell_hash(edit->cell, edit->old_block);
    if (!cn_water_wake(world->water, edit->cell))
        world->stats.out_of_memory++;
    if (world->hooks.block_changed)
        world->hooks.block_changed(world->hooks.user, edit);
    return true;
}

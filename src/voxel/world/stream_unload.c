#include "voxel/world/voxels_internal.h"

bool cni_voxel_stream_view_contains(const CniVoxelStreamView *view, CnChunkPos position,
                                    int32_t margin)
{
    int32_t side = view->radius + margin, height = view->height + margin;
    return view->set && position.x >= view->x - side && position.x <= view->x + side &&
           position.y >= view->y - height && position.y <= view->y + height &&
           position.z >= view->z - side && position.z <= view->z + side;
}

/* Returns false if the entry has to stay: because its edits cannot be stored, or because there is
 * no memory to record its readers. Removing the mesh calls a hook that may edit the chunk, so it
 * comes first. */
static bool unload_entry(CnVoxels *world, CniVoxelChunkEntry *entry, CniVoxelChunkColumn *column)
{
    CnChunkPos position = entry->position;
    cni_voxel_chunk_entry_drop_mesh(world, entry);
    if (!cni_voxel_store_entry(world, entry) ||
        !cni_voxel_retire(world, entry->read_by, entry->blocks, NULL))
        return false;
    cn_free(world->allocator, entry->edited, sizeof *entry->edited);
    if (column && column->rows[position.y & (CNI_VOXEL_COLUMN_ROWS - 1)] == entry) {
        column->rows[position.y & (CNI_VOXEL_COLUMN_ROWS - 1)] = NULL;
        if (position.y >= column->low && position.y < column->high)
            column->low = column->high = position.y;
    }
    if (column && position.y >= column->prepared_low && position.y < column->prepared_high)
        column->prepared_low = column->prepared_high = position.y;
    world->last = NULL;
    cn_hash_map_remove(&world->entries, cn_chunk_key(position));
    cn_pool_release(&world->entry_pool, entry);
    return true;
}

/* Returns whether the entry is still loaded. */
static bool drop_entry(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    CniVoxelChunkColumn *column =
        cni_voxel_column_find(world, entry->position.x, entry->position.z);
    if (((entry->flags & CNI_VOXEL_CHUNK_EDITED) && !entry->edited) ||
        (column && (column->meshing || column->generating)) ||
        cni_voxel_stream_view_contains(&world->view, entry->position, 2)) {
        if (entry->light || (entry->flags & CNI_VOXEL_CHUNK_HAS_MESH))
            cni_voxel_chunk_entry_drop_mesh(world, entry);
        return true;
    }
    return !unload_entry(world, entry, column);
}

static bool is_needed(const CnVoxels *world, const CniVoxelChunkEntry *entry)
{
    return cni_voxel_stream_view_contains(&world->view, entry->position, 1) ||
           (entry->flags & CNI_VOXEL_CHUNK_IN_TASK);
}

/* Returns whether the entry is still loaded. Entries accessed since the last visit get a second
 * chance. */
static bool sweep_entry(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    if (is_needed(world, entry))
        return true;
    bool is_shown = entry->flags & CNI_VOXEL_CHUNK_HAS_MESH;
    if (cni_voxel_prepare_contains(&world->prepare, entry->position)) {
        if (is_shown)
            cni_voxel_chunk_entry_drop_mesh(world, entry);
        return true;
    }
    if (entry->flags & CNI_VOXEL_CHUNK_TOUCHED) {
        entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_TOUCHED;
        if (!is_shown)
            return true;
    }
    return drop_entry(world, entry);
}

/* Returns whether the column is still loaded. */
static bool drop_column(CnVoxels *world, CniVoxelChunkColumn *column)
{
    if (cni_voxel_stream_view_contains(&world->view,
                                       (CnChunkPos){column->x, world->view.y, column->z}, 2) ||
        column->generating || column->meshing || column->listed || column->edited ||
        cni_voxel_prepare_contains_column(&world->prepare, column->x, column->z) ||
        (column->sky && !cni_voxel_retire(world, column->read_by, NULL, column->sky)))
        return true;
    cn_hash_map_remove(&world->columns, cn_chunk_key((CnChunkPos){column->x, 0, column->z}));
    cn_pool_release(&world->column_pool, column);
    return false;
}

static bool sweep_column(CnVoxels *world, CniVoxelChunkColumn *column)
{
    if (!column->touched)
        return drop_column(world, column);
    column->touched = false;
    return true;
}

void cni_voxel_unload_some(CnVoxels *world, uint32_t entries, uint32_t columns)
{
    for (; entries > 0 && world->entries.count > 0; entries--) {
        if (world->sweep_entry >= world->entries.count)
            world->sweep_entry = 0;
        CniVoxelChunkEntry **entry = cn_hash_map_value(&world->entries, world->sweep_entry);
        if (sweep_entry(world, *entry))
            world->sweep_entry++;
    }
    for (; columns > 0 && world->columns.count > 0; columns--) {
        if (world->sweep_column >= world->columns.count)
            world->sweep_column = 0;
        CniVoxelChunkColumn **column = cn_hash_map_value(&world->columns, world->sweep_column);
        if (sweep_column(world, *column))
            world->sweep_column++;
    }
}

void cni_voxel_unload_all(CnVoxels *world)
{
    world->sweep_entry = world->sweep_column = 0;
    cni_voxel_unload_some(world, world->entries.count, world->columns.count);
}

void cni_voxel_unload_column(CnVoxels *world, int32_t x, int32_t z, int32_t low, int32_t high)
{
    for (int32_t y = low; y < high; y++) {
        CnChunkPos position = {x, y, z};
        CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, position);
        if (entry && !is_needed(world, entry) &&
            !cni_voxel_prepare_contains(&world->prepare, position))
            drop_entry(world, entry);
    }
    CniVoxelChunkColumn *column = cni_voxel_column_find(world, x, z);
    if (column)
        drop_column(world, column);
}

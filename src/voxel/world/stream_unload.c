#include "voxel/world/voxels_internal.h"

bool cni_view_has(const CniView *view, CnChunkPos position, int32_t margin)
{
    int32_t side = view->radius + margin, height = view->height + margin;
    return view->set && position.x >= view->x - side && position.x <= view->x + side &&
           position.y >= view->y - height && position.y <= view->y + height &&
           position.z >= view->z - side && position.z <= view->z + side;
}

/* Returns false if the entry has to stay: because a hook edited it while its mesh was removed, or
 * because there is no memory to record its readers. */
static bool unload_place(CnVoxels *world, CniPlace *place, CniColumn *column)
{
    CnChunkPos position = place->position;
    cni_place_hide(world, place);
    if ((place->flags & CNI_PLACE_EDITED) ||
        !cni_retire(world, place->read_by, place->blocks, NULL))
        return false;
    if (column && column->rows[position.y & (CNI_ROWS - 1)] == place) {
        column->rows[position.y & (CNI_ROWS - 1)] = NULL;
        if (position.y >= column->low && position.y < column->high)
            column->low = column->high = position.y;
    }
    world->last = NULL;
    cn_hash_map_remove(&world->places, cn_chunk_key(position));
    cn_pool_release(&world->place_pool, place);
    return true;
}

/* Returns whether the entry is still loaded. Entries accessed since the last visit get a second
 * chance. */
static bool sweep_place(CnVoxels *world, CniPlace *place)
{
    if (cni_view_has(&world->view, place->position, 1) || (place->flags & CNI_PLACE_BUSY))
        return true;
    if (place->flags & CNI_PLACE_TOUCHED) {
        place->flags &= ~(uint32_t)CNI_PLACE_TOUCHED;
        if (!(place->flags & CNI_PLACE_SHOWN))
            return true;
    }
    CniColumn *column = cni_column_find(world, place->position.x, place->position.z);
    if ((place->flags & CNI_PLACE_EDITED) || (column && (column->meshing || column->generating)) ||
        cni_view_has(&world->view, place->position, 2)) {
        if (place->light || (place->flags & CNI_PLACE_SHOWN))
            cni_place_hide(world, place);
        return true;
    }
    return !unload_place(world, place, column);
}

static bool sweep_column(CnVoxels *world, CniColumn *column)
{
    if (cni_view_has(&world->view, (CnChunkPos){column->x, world->view.y, column->z}, 2) ||
        column->generating || column->meshing || column->listed || column->edited)
        return true;
    if (column->touched) {
        column->touched = false;
        return true;
    }
    if (column->sky && !cni_retire(world, column->read_by, NULL, column->sky))
        return true;
    cn_hash_map_remove(&world->columns, cn_chunk_key((CnChunkPos){column->x, 0, column->z}));
    cn_pool_release(&world->column_pool, column);
    return false;
}

void cni_sweep(CnVoxels *world, uint32_t places, uint32_t columns)
{
    for (; places > 0 && world->places.count > 0; places--) {
        if (world->sweep_place >= world->places.count)
            world->sweep_place = 0;
        CniPlace **place = cn_hash_map_value(&world->places, world->sweep_place);
        if (sweep_place(world, *place))
            world->sweep_place++;
    }
    for (; columns > 0 && world->columns.count > 0; columns--) {
        if (world->sweep_column >= world->columns.count)
            world->sweep_column = 0;
        CniColumn **column = cn_hash_map_value(&world->columns, world->sweep_column);
        if (sweep_column(world, *column))
            world->sweep_column++;
    }
}

void cni_sweep_all(CnVoxels *world)
{
    world->sweep_place = world->sweep_column = 0;
    cni_sweep(world, world->places.count, world->columns.count);
}

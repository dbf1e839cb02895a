#include "voxel/world/voxels_internal.h"

/* An edit affects the blocks of its own chunk, faces one cell around it, and light within its
 * reach. Valid stored light bounds that reach: nothing is brighter than the levels around the cell
 * or the level it emits, and light decreases by 1 per cell of distance. Where the light is unknown,
 * because an earlier edit has not been lit yet, the maximum reach is assumed. */

static uint32_t level_at(CnVoxels *world, CnCell cell)
{
    CnChunkPos position = cn_chunk_of(cell);
    CniVoxelChunkEntry *entry =
        cni_voxel_chunk_in_limits(position) ? cni_voxel_chunk_entry_find(world, position) : NULL;
    if (!entry || !entry->light || (entry->flags & CNI_VOXEL_CHUNK_LIGHT_DIRTY))
        return 15;
    uint8_t both = cn_light_get(entry->light, cell.x & 15, cell.y & 15, cell.z & 15);
    return both >> 4 > (both & 15) ? both >> 4 : both & 15;
}

uint32_t cni_voxel_light_reach(CnVoxels *world, CnCell cell, CnBlock old_block, CnBlock new_block)
{
    static const CnCell sides[6] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    const CnBlockInfo *old_info = cn_block_info(world->table, old_block);
    const CnBlockInfo *new_info = cn_block_info(world->table, new_block);
    uint32_t reach = old_info->light_level;
    if (reach < new_info->light_level)
        reach = new_info->light_level;
    /* A shape that blocks light is lit, a full block is not. */
    if (old_info->light_loss == new_info->light_loss && !old_info->shape == !new_info->shape)
        return old_info->light_level == new_info->light_level ? 0 : reach;
    uint32_t level = level_at(world, cell);
    reach = level > reach ? level : reach;
    for (uint32_t i = 0; i < 6; i++) {
        CnCell side = {cell.x + sides[i].x, cell.y + sides[i].y, cell.z + sides[i].z};
        level = level_at(world, side);
        reach = level > reach + 1 ? level - 1 : reach;
    }
    return reach;
}

/* A vertical run of changed cells, and the distance at which something may differ. */
typedef struct Reach {
    CnCell low;   /* the lowest */
    int32_t high; /* one above the highest */
    int32_t distance;
} Reach;

static int32_t outside(int32_t at, int32_t low, int32_t high)
{
    return at < low ? low - at : at > high ? at - high : 0;
}

/* Returns the distance between the cells and the chunk, including the border of one cell that its
 * mesh depends on. */
static int32_t distance_to(const Reach *reach, CnChunkPos chunk)
{
    const int32_t last = CN_CHUNK_PADDED_SIZE - 1;
    int32_t x = 16 * chunk.x - 1, y = 16 * chunk.y - 1, z = 16 * chunk.z - 1;
    int32_t dy = reach->high - 1 < y       ? y - (reach->high - 1)
                 : reach->low.y > y + last ? reach->low.y - (y + last)
                                           : 0;
    return outside(reach->low.x, x, x + last) + dy + outside(reach->low.z, z, z + last);
}

static void mark_entry(CnVoxels *world, CniVoxelChunkColumn *column, CnChunkPos position,
                       uint32_t flag)
{
    CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, position);
    if (!entry)
        return;
    entry->flags |= CNI_VOXEL_CHUNK_LIGHT_DIRTY;
    if (!(entry->flags & (CNI_VOXEL_CHUNK_HAS_MESH | CNI_VOXEL_CHUNK_IN_TASK)))
        return; /* Its mesh is dirty anyway. */
    entry->flags |= flag;
    if (!column)
        return;
    column->stale = true;
    world->view.first = 0;
    if (!column->listed && cn_array_push(&world->changed, column))
        column->listed = true; /* If this fails, it is processed along with all others. */
}

static void mark(CnVoxels *world, const Reach *reach, uint32_t flag)
{
    int32_t d = reach->distance + 1;
    CnChunkPos low = cn_chunk_of((CnCell){reach->low.x - d, reach->low.y - d, reach->low.z - d});
    CnChunkPos high =
        cn_chunk_of((CnCell){reach->low.x + d, reach->high - 1 + d, reach->low.z + d});
    for (int32_t z = low.z; z <= high.z; z++) {
        for (int32_t x = low.x; x <= high.x; x++) {
            CniVoxelChunkColumn *column = cni_voxel_column_find(world, x, z);
            for (int32_t y = low.y; y <= high.y; y++) {
                CnChunkPos chunk = {x, y, z};
                if (distance_to(reach, chunk) <= reach->distance)
                    mark_entry(world, column, chunk, flag);
            }
        }
    }
}

void cni_voxel_mark_edit_dirty(CnVoxels *world, CnCell cell, uint32_t reach,
                               const CniVoxelSkyHeightChange *sky)
{
    mark(world, &(Reach){cell, cell.y + 1, 0}, CNI_VOXEL_CHUNK_MESH_DIRTY);
    if (reach > 1)
        mark(world, &(Reach){cell, cell.y + 1, (int32_t)reach - 1}, CNI_VOXEL_CHUNK_CHECK_LIGHT);
    if (sky->low < sky->high)
        mark(world, &(Reach){{cell.x, sky->low, cell.z}, sky->high, 14},
             CNI_VOXEL_CHUNK_CHECK_LIGHT);
}

/* Light from the sky reaches down to the bottom of the world. */
void cni_voxel_mark_chunk_dirty(CnVoxels *world, CnChunkPos position, bool sky_changed)
{
    int32_t bottom = (CN_WORLD_BOTTOM >> 4) - 1;
    int32_t low = sky_changed && position.y > bottom ? bottom : position.y - 1;
    world->view.first = 0;
    for (int32_t i = 0; i < 9; i++) {
        int32_t x = position.x + i % 3 - 1, z = position.z + i / 3 - 1;
        CniVoxelChunkColumn *column = cni_voxel_column_find(world, x, z);
        for (int32_t y = low; y <= position.y + 1; y++)
            mark_entry(world, column, (CnChunkPos){x, y, z},
                       y < position.y - 1 ? CNI_VOXEL_CHUNK_CHECK_LIGHT
                                          : CNI_VOXEL_CHUNK_MESH_WORK);
    }
}

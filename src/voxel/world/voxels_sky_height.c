#include "voxel/world/voxels_internal.h"

#include "voxel/chunk/chunk_internal.h"

#include <string.h>

/* Sky heights are found from the top downwards, chunk by chunk, until light is dimmed in each of
 * the 256 columns of blocks. Loaded and unloaded chunks give the same result: unloaded ones are
 * generated temporarily. */
typedef struct SkyWalk {
    CniVoxelSkyHeights *sky;
    uint16_t seen[16]; /* per z: columns along x still open */
    bool done;
} SkyWalk;

static void walk_chunk(SkyWalk *walk, int32_t y, const CnChunk *chunk)
{
    if (chunk->bits == 0 && !(chunk->table->flags[chunk->few[0]] & CN_BLOCK_DIMS_LIGHT))
        return;
    CniVoxelPlane rows;
    cni_voxel_chunk_rows(chunk, CN_BLOCK_DIMS_LIGHT, rows);
    uint32_t left = 0;
    for (uint32_t z = 0; z < 16; z++) {
        for (int32_t row = 15; row >= 0 && walk->seen[z]; row--) {
            uint32_t hit = rows[16 * z + (uint32_t)row] & walk->seen[z];
            walk->seen[z] = (uint16_t)(walk->seen[z] & ~hit);
            for (; hit; hit &= hit - 1)
                walk->sky->open[(uint32_t)__builtin_ctz(hit) + 16 * z] = 16 * y + row + 1;
        }
        left |= walk->seen[z];
    }
    walk->done = left == 0;
}

/* Walks through the blocks in the lane. */
static bool walk_lane(CnVoxels *world, CniVoxelLane *lane, SkyWalk *walk, CnChunkPos position)
{
    CnChunk *chunk = cn_chunk_create(world->allocator, world->table, lane->blocks);
    if (!chunk)
        return false;
    walk_chunk(walk, position.y, chunk);
    cn_chunk_release(chunk);
    return true;
}

/* On the owner's thread. Chunks that are not loaded may have stored edits. */
static bool walk_unloaded(CnVoxels *world, SkyWalk *walk, CnChunkPos position)
{
    CniVoxelLane *lane = cni_voxel_owner_lane(world);
    cn_generate(world->generator, lane->generate, position, lane->blocks);
    if (!cni_voxel_apply_stored(world, position, lane->blocks, NULL))
        return false;
    if (walk_lane(world, lane, walk, position))
        return true;
    world->stats.out_of_memory++;
    return false;
}

static CniVoxelSkyHeights *begin_walk(CnVoxels *world, SkyWalk *walk)
{
    *walk = (SkyWalk){.sky = cn_alloc(world->allocator, sizeof *walk->sky)};
    memset(walk->seen, 0xff, sizeof walk->seen);
    return walk->sky;
}

bool cni_voxel_sky_heights_load(CnVoxels *world, CniVoxelChunkColumn *column)
{
    SkyWalk walk;
    if (column->sky)
        return true;
    if (!begin_walk(world, &walk)) {
        world->stats.out_of_memory++;
        return false;
    }
    CniVoxelLane *lane = cni_voxel_owner_lane(world);
    int32_t top = cn_generate_max_height(world->generator, lane->generate, column->x, column->z);
    int32_t top_row = (top - 1) >> 4;
    for (int32_t y = column->edited_high > top_row ? column->edited_high : top_row; !walk.done;
         y--) {
        CnChunkPos position = {column->x, y, column->z};
        CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, position);
        if (entry) {
            walk_chunk(&walk, y, entry->blocks);
        } else if ((y <= top_row || cni_voxel_is_stored(world, position)) &&
                   !walk_unloaded(world, &walk, position)) {
            cn_free(world->allocator, walk.sky, sizeof *walk.sky);
            return false;
        }
    }
    column->sky = walk.sky;
    return true;
}

CniVoxelSkyHeights *cni_voxel_sky_heights_generate(CnVoxels *world, CniVoxelLane *lane,
                                                   const CniVoxelTask *task)
{
    SkyWalk walk;
    if (!begin_walk(world, &walk))
        return NULL;
    const CniVoxelChunkColumn *column = task->column;
    int32_t top = cn_generate_max_height(world->generator, lane->generate, column->x, column->z);
    for (int32_t y = (top - 1) >> 4; !walk.done; y--) {
        int64_t row = (int64_t)y - task->low;
        CnChunkPos position = {column->x, y, column->z};
        if (row >= 0 && row < task->count && task->generate.chunks[row]) {
            walk_chunk(&walk, y, task->generate.chunks[row]);
            continue;
        }
        cn_generate(world->generator, lane->generate, position, lane->blocks);
        if (!walk_lane(world, lane, &walk, position)) {
            cn_free(world->allocator, walk.sky, sizeof *walk.sky);
            return NULL;
        }
    }
    return walk.sky;
}

/* ---- Edits ---- */

/* Returns one more than the y of the highest dimming cell below `y`. */
static int32_t open_below(CnVoxels *world, CnCell cell)
{
    for (;;) {
        cell.y--;
        CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, cn_chunk_of(cell));
        if (entry && entry->blocks->bits == 0 &&
            !(world->table->flags[entry->blocks->few[0]] & CN_BLOCK_DIMS_LIGHT))
            cell.y &= ~15;
        else if (world->table->flags[cn_voxels_get(world, cell)] & CN_BLOCK_DIMS_LIGHT)
            return cell.y + 1;
    }
}

bool cni_voxel_sky_heights_prepare(CnVoxels *world, CniVoxelChunkColumn *column, CnCell cell,
                                   CnBlock block, CniVoxelSkyHeightChange *change)
{
    *change = (CniVoxelSkyHeightChange){0};
    if (!column->sky)
        return true;
    int32_t open = column->sky->open[(cell.x & 15) + 16 * (cell.z & 15)];
    if (world->table->flags[block] & CN_BLOCK_DIMS_LIGHT) {
        if (cell.y < open)
            return true;
        *change = (CniVoxelSkyHeightChange){.low = open, .high = cell.y + 1, .open = cell.y + 1};
    } else {
        if (cell.y != open - 1)
            return true;
        uint64_t storage_failures = world->stats.storage_failures;
        int32_t below = open_below(world, cell);
        if (world->stats.storage_failures != storage_failures)
            return false; /* Stored edits below the cell are unknown. */
        *change = (CniVoxelSkyHeightChange){.low = below, .high = open, .open = below};
    }
    if (column->read_by < cni_voxel_oldest_task(world))
        return true;
    CniVoxelSkyHeights *copy = cn_alloc(world->allocator, sizeof *copy);
    if (!copy)
        return false;
    *copy = *column->sky;
    if (!cni_voxel_retire(world, column->read_by, NULL, column->sky)) {
        cn_free(world->allocator, copy, sizeof *copy);
        return false;
    }
    column->sky = copy;
    column->read_by = 0;
    return true;
}

void cni_voxel_sky_heights_apply(CniVoxelChunkColumn *column, CnCell cell,
                                 const CniVoxelSkyHeightChange *change)
{
    if (change->low < change->high)
        column->sky->open[(cell.x & 15) + 16 * (cell.z & 15)] = change->open;
}

bool cni_voxel_sky_heights_forget(CnVoxels *world, CniVoxelChunkColumn *column)
{
    if (column->sky && !cni_voxel_retire(world, column->read_by, NULL, column->sky))
        return false;
    column->sky = NULL;
    column->read_by = 0;
    column->stale = true;
    return true;
}

#include "voxel/world/voxels_internal.h"

#include "voxel/generate/generator.h"

#include <cairn/base/assert.h>

#define RANDOM_SALT 0x7469636bu

/* ---- Scheduled ticks: a heap; those of one tick run in the order of scheduling ---- */

static bool is_before(const CniVoxelScheduledTick *a, const CniVoxelScheduledTick *b)
{
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

bool cn_voxels_schedule(CnVoxels *world, CnCell cell, uint32_t delay)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniVoxelScheduledTick item = {.due = world->tick + (delay ? delay : 1), .cell = cell};
    if (!cni_voxel_chunk_in_limits(cn_chunk_of(cell)) || !cn_array_push(&world->scheduled, item))
        return false;
    item.order = world->schedule_count++;
    CniVoxelScheduledTick *heap = world->scheduled.items;
    uint32_t at = world->scheduled.count - 1;
    for (; at > 0 && is_before(&item, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = item;
    return true;
}

CniVoxelScheduledTick cni_voxel_schedule_take(CniVoxelScheduledTicks *scheduled)
{
    CniVoxelScheduledTick *heap = scheduled->items;
    CniVoxelScheduledTick first = heap[0], moved = cn_array_pop(scheduled);
    uint32_t count = scheduled->count, at = 0;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && is_before(&heap[child + 1], &heap[child]);
        if (!is_before(&heap[child], &moved))
            break;
        heap[at] = heap[child];
    }
    if (count > 0)
        heap[at] = moved;
    return first;
}

uint64_t cni_voxel_schedule_hash(const CnVoxels *world)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->scheduled.count; i++) {
        const CniVoxelScheduledTick *item = &world->scheduled.items[i];
        uint64_t cell = cn_chunk_key(cn_chunk_of(item->cell));
        sum += cn_hash_mix(cn_hash_mix(cell) + cn_chunk_index(item->cell) + (item->due << 12));
    }
    return sum;
}

/* Ticks scheduled while these run belong to later ticks. */
static void run_scheduled(CnVoxels *world)
{
    while (world->scheduled.count > 0 && world->scheduled.items[0].due <= world->tick) {
        CniVoxelScheduledTick item = cni_voxel_schedule_take(&world->scheduled);
        if (world->hooks.block_tick)
            world->hooks.block_tick(world->hooks.user, item.cell, cn_voxels_get(world, item.cell),
                                    false);
    }
}

/* ---- Random ticks ---- */

static CnCell cell_of(CnVec3 position)
{
    const float limit = 16.0f * (CN_CHUNK_LIMIT - 256);
    float from[3] = {position.x, position.y, position.z};
    int32_t to[3];
    for (int i = 0; i < 3; i++) {
        float value = from[i] > -limit ? from[i] < limit ? from[i] : limit : -limit;
        to[i] = (int32_t)value - (value < (float)(int32_t)value);
    }
    return (CnCell){to[0], to[1], to[2]};
}

static int32_t radius_of(const CnVoxelsTick *tick)
{
    if (tick->radius == 0)
        return 4;
    return tick->radius < CN_TICK_MAX_RADIUS ? (int32_t)tick->radius : CN_TICK_MAX_RADIUS;
}

static bool is_near(CnChunkPos center, CnChunkPos position, int32_t radius)
{
    return position.x >= center.x - radius && position.x <= center.x + radius &&
           position.y >= center.y - radius && position.y <= center.y + radius &&
           position.z >= center.z - radius && position.z <= center.z + radius;
}

static void tick_chunk(CnVoxels *world, CnChunkPos position, uint32_t count)
{
    const CnChunk *chunk = cn_voxels_chunk(world, position);
    CnBlock all;
    if (!chunk || (cn_chunk_uniform(chunk, &all) && all == CN_BLOCK_AIR))
        return;
    uint64_t seed = cni_voxel_position_hash(cn_generator_seed(world->generator), RANDOM_SALT,
                                            position.x, position.y, position.z);
    seed = cn_hash_mix(seed + world->tick);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)cn_hash_mix(seed + i) & (CN_CHUNK_BLOCKS - 1);
        CnCell cell = {16 * position.x + (int32_t)(at & 15),
                       16 * position.y + (int32_t)(at >> 4 & 15),
                       16 * position.z + (int32_t)(at >> 8)};
        CnBlock block = cn_voxels_get(world, cell);
        if (block != CN_BLOCK_AIR)
            world->hooks.block_tick(world->hooks.user, cell, block, true);
    }
}

/* Visits each chunk once, however many players are near it. */
static void run_random(CnVoxels *world, const CnVoxelsTick *tick)
{
    int32_t radius = radius_of(tick);
    uint32_t count = tick->random_ticks ? tick->random_ticks : 3;
    for (uint32_t p = 0; p < tick->player_count; p++) {
        CnChunkPos center = cn_chunk_of(cell_of(tick->players[p]));
        int32_t side = 2 * radius + 1;
        for (int32_t i = 0; i < side * side * side; i++) {
            CnChunkPos position = {center.x + i % side - radius,
                                   center.y + i / side % side - radius,
                                   center.z + i / side / side - radius};
            bool done = !cni_voxel_chunk_in_limits(position);
            for (uint32_t q = 0; q < p && !done; q++)
                done = is_near(cn_chunk_of(cell_of(tick->players[q])), position, radius);
            if (!done)
                tick_chunk(world, position, count);
        }
    }
}

/* ---- Water ---- */

static void run_water(CnVoxels *world, const CnVoxelsTick *tick)
{
    cn_array_clear(&world->centers);
    if (!cn_array_reserve(&world->centers, tick->player_count)) {
        world->stats.out_of_memory++;
        return;
    }
    for (uint32_t i = 0; i < tick->player_count; i++)
        world->centers.items[world->centers.count++] = cell_of(tick->players[i]);
    cn_water_step(world->water, world->centers.items, world->centers.count,
                  16 * (uint32_t)radius_of(tick), tick->water_budget ? tick->water_budget : 4096);
}

void cn_voxels_tick(CnVoxels *world, const CnVoxelsTick *tick)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(tick, "%s: tick is NULL", __func__);
    world->tick = tick->tick;
    run_scheduled(world);
    if (world->hooks.block_tick)
        run_random(world, tick);
    if (tick->tick % (tick->water_ticks ? tick->water_ticks : 15) == 0)
        run_water(world, tick);
    /* In a world that is not streamed, chunks loaded by ticks are unloaded here. */
    if (!world->view.set)
        cni_voxel_unload_some(world, world->entries.count / 64 + 1, world->columns.count / 64 + 1);
}

#include "voxel/world/voxels_internal.h"

#include "voxel/chunk/chunk_internal.h"
#include "voxel/generate/generator.h"

#include <cairn/base/assert.h>
#include <cairn/base/hash_map.h>

#include <string.h>

#define RANDOM_SALT 0x7469636bu
#define FIRST_VISITED 64u

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

/* The callback of a tick: its own, or the hook. */
typedef struct Listener {
    void (*block_tick)(void *user, CnCell cell, CnBlock block, bool random);
    void *user;
} Listener;

static Listener listener_of(const CnVoxels *world, const CnVoxelsTick *tick)
{
    if (tick->block_tick)
        return (Listener){tick->block_tick, tick->user};
    return (Listener){world->hooks.block_tick, world->hooks.user};
}

/* Ticks scheduled while these run belong to later ticks. */
static void run_scheduled(CnVoxels *world, const Listener *listener)
{
    while (world->scheduled.count > 0 && world->scheduled.items[0].due <= world->tick) {
        CniVoxelScheduledTick item = cni_voxel_schedule_take(&world->scheduled);
        if (listener->block_tick)
            listener->block_tick(listener->user, item.cell, cn_voxels_get(world, item.cell), false);
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

/* Returns whether a chunk may contain a block that gets random ticks. */
static bool has_ticking(const CnChunk *chunk, const bool *ticking)
{
    if (cni_voxel_chunk_is_plain(chunk))
        return true;
    const CnBlock *palette = cni_voxel_chunk_palette(chunk);
    for (uint32_t i = 0; i < chunk->kinds; i++)
        if (ticking ? ticking[palette[i]] : palette[i] != CN_BLOCK_AIR)
            return true;
    return false;
}

static void tick_chunk(CnVoxels *world, const CnVoxelsTick *tick, const Listener *listener,
                       CnChunkPos position, uint32_t count)
{
    const CnChunk *chunk = cn_voxels_chunk(world, position);
    if (!chunk || !has_ticking(chunk, tick->ticking))
        return;
    uint64_t seed = cni_voxel_position_hash(cn_generator_seed(world->generator), RANDOM_SALT,
                                            position.x, position.y, position.z);
    seed = cn_hash_mix(seed + world->tick);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)cn_hash_mix(seed + i) & (CN_CHUNK_BLOCKS - 1);
        CnCell cell = {16 * position.x + (int32_t)(at & 15),
                       16 * position.y + (int32_t)(at >> 4 & 15),
                       16 * position.z + (int32_t)(at >> 8)};
        CnBlock block = cn_voxels_get(world, cell); /* the callback may have changed the chunk */
        if (tick->ticking ? tick->ticking[block] : block != CN_BLOCK_AIR)
            listener->block_tick(listener->user, cell, block, true);
    }
}

/* Columns of chunks take turns, so that every tick costs about the same. */
static bool is_turn(const CnVoxels *world, CnChunkPos position, uint32_t period)
{
    uint64_t turn = cni_voxel_position_hash(0, RANDOM_SALT, position.x, 0, position.z);
    return (world->tick + turn) % period == 0;
}

static void add_visited(uint64_t *visited, uint32_t capacity, uint64_t key)
{
    uint32_t slot = (uint32_t)cn_hash_mix(key) & (capacity - 1);
    while (visited[slot])
        slot = (slot + 1) & (capacity - 1);
    visited[slot] = key;
}

static bool grow_visited(CnVoxels *world)
{
    uint32_t old = world->visited_capacity, capacity = old ? 2 * old : FIRST_VISITED;
    uint64_t *visited = cn_alloc_zeroed(world->allocator, capacity * sizeof *visited);
    if (!visited)
        return false;
    for (uint32_t i = 0; i < old; i++)
        if (world->visited[i])
            add_visited(visited, capacity, world->visited[i]);
    cn_free(world->allocator, world->visited, old * sizeof *visited);
    world->visited = visited;
    world->visited_capacity = capacity;
    return true;
}

/* Returns whether the chunk is visited for the first time in this tick; also false when out of
 * memory: then it waits for its next turn. */
static bool visit(CnVoxels *world, CnChunkPos position)
{
    uint64_t key = cn_chunk_key(position) + 1;
    if (2 * (world->visited_count + 1) > world->visited_capacity && !grow_visited(world) &&
        world->visited_count + 1 >= world->visited_capacity) {
        world->stats.out_of_memory++;
        return false;
    }
    uint32_t mask = world->visited_capacity - 1, slot = (uint32_t)cn_hash_mix(key) & mask;
    for (; world->visited[slot]; slot = (slot + 1) & mask)
        if (world->visited[slot] == key)
            return false;
    world->visited[slot] = key;
    world->visited_count++;
    return true;
}

static void tick_column(CnVoxels *world, const CnVoxelsTick *tick, const Listener *listener,
                        CnChunkPos column)
{
    int32_t radius = radius_of(tick);
    int32_t height = tick->random_height ? (int32_t)tick->random_height : radius;
    uint32_t period = tick->random_period ? tick->random_period : 1;
    uint32_t count = period * (tick->random_ticks ? tick->random_ticks : 3);
    for (int32_t dy = -height; dy <= height; dy++) {
        CnChunkPos position = {column.x, column.y + dy, column.z};
        if (cni_voxel_chunk_in_limits(position) && visit(world, position))
            tick_chunk(world, tick, listener, position, count);
    }
}

/* Visits each chunk once, however many players are near it. */
static void run_random(CnVoxels *world, const CnVoxelsTick *tick, const Listener *listener)
{
    int32_t radius = radius_of(tick);
    world->visited_count = 0;
    if (world->visited)
        memset(world->visited, 0, world->visited_capacity * sizeof *world->visited);
    for (uint32_t p = 0; p < tick->player_count; p++) {
        CnChunkPos center = cn_chunk_of(cell_of(tick->players[p]));
        int32_t side = 2 * radius + 1;
        for (int32_t i = 0; i < side * side; i++) {
            CnChunkPos column = {center.x + i % side - radius, center.y,
                                 center.z + i / side - radius};
            if (is_turn(world, column, tick->random_period ? tick->random_period : 1))
                tick_column(world, tick, listener, column);
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
    CN_ASSERT(tick->random_height <= CN_TICK_MAX_RADIUS, "random ticks %u chunks up and down",
              tick->random_height);
    world->tick = tick->tick;
    Listener listener = listener_of(world, tick);
    run_scheduled(world, &listener);
    if (listener.block_tick)
        run_random(world, tick, &listener);
    if (tick->tick % (tick->water_ticks ? tick->water_ticks : 15) == 0)
        run_water(world, tick);
    /* In a world that is neither streamed nor prepared, chunks loaded by ticks are unloaded here.
     */
    if (!world->view.set && !cni_voxel_prepare_is_used(&world->prepare))
        cni_voxel_unload_some(world, world->entries.count / 64 + 1, world->columns.count / 64 + 1);
}

#include "voxel/world/voxels_internal.h"

#include "voxel/chunk/chunk_internal.h"
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

/* ---- Chunks without blocks that get random ticks: most of them ---- */

#define QUIET_ROWS 32

static bool is_quiet(const CniVoxelChunkColumn *column, int32_t y)
{
    int64_t row = (int64_t)y - column->quiet_low;
    return row >= 0 && row < QUIET_ROWS && (column->quiet >> row & 1);
}

static void set_quiet(CniVoxelChunkColumn *column, int32_t y)
{
    int64_t row = (int64_t)y - column->quiet_low;
    if (row < 0 || row >= QUIET_ROWS) {
        column->quiet = 0;
        column->quiet_low = y - QUIET_ROWS / 2;
        row = QUIET_ROWS / 2;
    }
    column->quiet |= 1u << row;
}

void cni_voxel_wake_random_ticks(CnVoxels *world, CnChunkPos position)
{
    CniVoxelChunkColumn *column = cni_voxel_column_find(world, position.x, position.z);
    if (column && is_quiet(column, position.y))
        column->quiet &= ~(1u << (position.y - column->quiet_low));
}

/* What is known to be quiet depends on which blocks get ticks. */
static void set_ticking(CnVoxels *world, const bool *ticking)
{
    uint64_t hash = ticking ? cn_hash_bytes(ticking, world->table->count * sizeof *ticking, 1) : 0;
    world->ticking_version += hash != world->ticking_hash || world->ticking_version == 0;
    world->ticking_hash = hash;
}

/* ---- Random ticks of a chunk ---- */

/* The cells of a tick are all over the chunk, whose blocks are rarely in the cache. */
static void prefetch_blocks(const CnChunk *chunk, uint32_t count)
{
    enum { LINE_BYTES = 64, FEW = 16 };
    if (count < FEW)
        return;
    const uint8_t *bytes = (const uint8_t *)chunk->planes;
    for (size_t i = 0; i < chunk->bits * sizeof(CniVoxelPlane); i += LINE_BYTES)
        __builtin_prefetch(bytes + i);
}

static void tick_cells(CnVoxels *world, const CnVoxelsTick *tick, const Listener *listener,
                       const CniVoxelChunkEntry *entry, uint32_t count)
{
    CnChunkPos position = entry->position;
    uint64_t seed = cni_voxel_position_hash(cn_generator_seed(world->generator), RANDOM_SALT,
                                            position.x, position.y, position.z);
    seed = cn_hash_mix(seed + world->tick);
    prefetch_blocks(entry->blocks, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)cn_hash_mix(seed + i) & (CN_CHUNK_BLOCKS - 1);
        uint32_t x = at & 15, y = at >> 4 & 15, z = at >> 8;
        CnBlock block = cn_chunk_get(entry->blocks, x, y, z); /* changed by callbacks */
        if (!(tick->ticking ? tick->ticking[block] : block != CN_BLOCK_AIR))
            continue;
        CnCell cell = {16 * position.x + (int32_t)x, 16 * position.y + (int32_t)y,
                       16 * position.z + (int32_t)z};
        listener->block_tick(listener->user, cell, block, true);
    }
}

/* Each chunk gets its ticks once, however many players are near it. */
static void tick_chunk(CnVoxels *world, const CnVoxelsTick *tick, const Listener *listener,
                       CniVoxelChunkColumn *column, int32_t y, uint32_t count)
{
    CniVoxelChunkEntry *entry =
        cni_voxel_chunk_entry_load(world, (CnChunkPos){column->x, y, column->z});
    if (!entry || entry->ticked_by == world->tick_calls)
        return;
    entry->ticked_by = world->tick_calls;
    if (has_ticking(entry->blocks, tick->ticking))
        tick_cells(world, tick, listener, entry, count);
    else
        set_quiet(column, y);
}

/* Columns of chunks take turns, so that every tick costs about the same. */
static bool is_turn(const CnVoxels *world, CnChunkPos position, uint32_t period)
{
    uint64_t turn = cni_voxel_position_hash(0, RANDOM_SALT, position.x, 0, position.z);
    return (world->tick + turn) % period == 0;
}

static void tick_column(CnVoxels *world, const CnVoxelsTick *tick, const Listener *listener,
                        CnChunkPos middle)
{
    int32_t height = tick->random_height ? (int32_t)tick->random_height : radius_of(tick);
    uint32_t period = tick->random_period ? tick->random_period : 1;
    uint32_t count = period * (tick->random_ticks ? tick->random_ticks : 3);
    CniVoxelChunkColumn *column =
        cni_voxel_chunk_in_limits(middle) ? cni_voxel_column_load(world, middle.x, middle.z) : NULL;
    if (!column)
        return;
    if (column->quiet_for != world->ticking_version)
        column->quiet = 0;
    column->quiet_for = world->ticking_version;
    for (int32_t y = middle.y - height; y <= middle.y + height; y++) {
        if (y >= -CN_CHUNK_LIMIT && y < CN_CHUNK_LIMIT && !is_quiet(column, y))
            tick_chunk(world, tick, listener, column, y, count);
    }
}

static void tick_around(CnVoxels *world, const CnVoxelsTick *tick, const Listener *listener,
                        CnChunkPos center)
{
    int32_t radius = radius_of(tick), side = 2 * radius + 1;
    for (int32_t i = 0; i < side * side; i++) {
        CnChunkPos column = {center.x + i % side - radius, center.y, center.z + i / side - radius};
        if (is_turn(world, column, tick->random_period ? tick->random_period : 1))
            tick_column(world, tick, listener, column);
    }
}

/* Of players in the same chunk, only the first one counts. */
static void run_random(CnVoxels *world, const CnVoxelsTick *tick, const Listener *listener)
{
    cn_hash_map_clear(&world->players);
    set_ticking(world, tick->ticking);
    world->tick_calls++;
    for (uint32_t p = 0; p < tick->player_count; p++) {
        CnChunkPos center = cn_chunk_of(cell_of(tick->players[p]));
        uint64_t key = cn_chunk_key(center);
        if (cn_hash_map_get(&world->players, key))
            continue;
        /* Without memory, chunks are visited again, but not ticked again. */
        if (tick->player_count > 1 && !cn_hash_map_set(&world->players, key, NULL))
            world->stats.out_of_memory++;
        tick_around(world, tick, listener, center);
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

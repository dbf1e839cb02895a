#include "ecs/world/world_internal.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Number of entities created at a time: their ids stay in the L1 cache until they are stored
 * everywhere. */
#define RUN_ROWS 512u

/* Larger spawns bypass the caches, which could not hold the data anyway; a cache line that is
 * written completely need not be read first. */
#define STREAM_BYTES ((size_t)8 << 20)

static void stream(void *to, const void *from, size_t bytes)
{
    uint8_t *target = to;
    const uint8_t *source = from;
    size_t at = 0;
#ifdef __SSE2__
    const size_t line = 64;
    at = (0 - (uintptr_t)to) % line;
    at = at < bytes ? at : bytes;
    memcpy(target, source, at);
    for (; bytes - at >= line; at += line)
        for (size_t i = at; i < at + line; i += 16)
            _mm_stream_si128((__m128i *)(void *)(target + i),
                             _mm_loadu_si128((const __m128i *)(const void *)(source + i)));
#endif
    memcpy(target + at, source + at, bytes - at);
}

/* Makes streamed stores visible before later stores. */
static void stream_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

/* Activates `count` slots for rows from `first` on. Returns how many were activated before memory
 * ran out. */
static uint32_t acquire_slots(CnWorld *world, uint32_t count, CniEcsRowRef first,
                              CnEntity *restrict ids)
{
    CniEcsSlots *slots = &world->slots;
    uint32_t done = 0, location = cni_ecs_row_ref_pack(first);
    uint32_t taken = count < slots->free.count ? count : slots->free.count;
    const uint32_t *top = slots->free.items + slots->free.count;
    for (; done < taken; done++) {
        uint32_t index = *--top;
        CniEcsSlot *slot = cni_ecs_world_slot(world, index);
        *slot = (CniEcsSlot){slot->generation + 1, location + done};
        ids[done] = cn_entity_make(index, slot->generation);
    }
    slots->free.count -= taken;
    slots->alive += taken;
    for (uint32_t index; done < count && cni_ecs_slot_acquire(slots, &index); done++) {
        CniEcsSlot *slot = cni_ecs_world_slot(world, index);
        slot->location = location + done;
        ids[done] = cn_entity_make(index, slot->generation);
    }
    return done;
}

typedef struct Spawn {
    CnWorld *world;
    CniEcsArchetype *archetype;
    CnEntity *entities; /* output for the caller, or NULL */
    const CnValue *values;
    uint32_t value_count;
    uint32_t ids[CN_MAX_VALUES]; /* components of the values */
    bool streams;
} Spawn;

static void put(const Spawn *spawn, void *to, const void *from, size_t bytes)
{
    if (spawn->streams)
        stream(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

/* Writes the values of `count` rows, which `done` entities precede. */
static void write_values(const Spawn *spawn, uint32_t done, uint32_t count, CniEcsRowRef place)
{
    const CniEcsChunk *chunk = &spawn->world->chunks.items[place.chunk];
    for (uint32_t i = 0; i < spawn->value_count; i++) {
        const CniEcsColumn *column = cni_ecs_archetype_column(spawn->archetype, spawn->ids[i]);
        const uint8_t *data = spawn->values[i].data;
        size_t stride = spawn->values[i].stride;
        if (!column)
            continue;
        if (data)
            data += done * stride;
        if (data && stride == column->size && !column->field_count)
            put(spawn, cni_ecs_column_values(chunk, column) + place.row * stride, data,
                count * stride);
        else
            cni_ecs_values_write(spawn->world, chunk, column, place.row, count, data,
                                 (uint32_t)stride);
    }
}

/* Spawns up to `count` more entities after `done`, in one chunk; 0 when out of memory. */
static uint32_t spawn_run(const Spawn *spawn, uint32_t done, uint32_t count)
{
    CnWorld *world = spawn->world;
    CniEcsArchetype *archetype = spawn->archetype;
    if (!cni_ecs_rows_reserve_one(world, archetype))
        return 0;
    CniEcsChunk *chunk = &world->chunks.items[archetype->head.tail];
    CniEcsRowRef place = {archetype->head.tail, chunk->count};
    uint32_t room = (uint32_t)chunk->capacity - chunk->count;
    count = count < room ? count : room;
    count = count < RUN_ROWS ? count : RUN_ROWS;
    CnEntity ids[RUN_ROWS];
    count = acquire_slots(world, count, place, ids);
    if (!count) {
        if (!chunk->count)
            cni_ecs_rows_drop_last_chunk(world, archetype);
        return 0;
    }
    chunk->count = (uint16_t)(chunk->count + count);
    chunk->changed = world->head.tick;
    put(spawn, cni_ecs_chunk_entities(chunk) + place.row, ids, count * sizeof *ids);
    if (spawn->entities)
        put(spawn, spawn->entities + done, ids, count * sizeof *ids);
    write_values(spawn, done, count, place);
    return count;
}

/* Removes the last `count` rows of the archetype. Memory for their indices is requested once;
 * otherwise it would be refused for each of them. */
static void undo_spawn(CnWorld *world, CniEcsArchetype *archetype, uint32_t count)
{
    CniEcsSlots *slots = &world->slots;
    (void)cn_array_reserve(&slots->free, (uint64_t)slots->free.count + count);
    while (count--) {
        uint32_t id = archetype->head.tail, row = world->chunks.items[id].count - 1u;
        CnEntity entity = cni_ecs_chunk_entities(&world->chunks.items[id])[row];
        cni_ecs_row_remove(world, (CniEcsRowRef){id, row});
        cni_ecs_slot_release_without_growing(slots, cn_entity_index(entity));
    }
}

/* Whether the limits of a world allow that many more entities, regardless of memory. */
static bool is_within_limits(const CnWorld *world, const CniEcsArchetype *archetype, uint32_t count)
{
    uint64_t chunks = count / archetype->full_capacity;
    return (uint64_t)world->slots.alive + world->slots.retired + count <= CN_MAX_ENTITIES &&
           chunks <= CN_MAX_CHUNKS - (world->chunks.count - world->free_chunks.count);
}

/* Hooks defer structural changes, so rows do not move. */
static void call_hooks(const Spawn *spawn, uint32_t first_row, uint32_t count)
{
    CnWorld *world = spawn->world;
    const CniEcsArchetype *archetype = spawn->archetype;
    for (uint32_t row = first_row; row < first_row + count; row++) {
        uint32_t position = row / archetype->full_capacity;
        const CniEcsChunk *chunk = &world->chunks.items[archetype->head.chunk_ids[position]];
        CnEntity entity = cni_ecs_chunk_entities(chunk)[row % archetype->full_capacity];
        cni_ecs_hooks_spawned(world, entity, archetype, spawn->values, spawn->ids,
                              spawn->value_count);
    }
    cni_ecs_hooks_flush(world);
}

bool cn_spawn_many_values(CnWorld *world, uint32_t count, CnEntity *entities, const CnValue *values,
                          uint32_t value_count)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(!world->hook_depth, "a hook cannot spawn in bulk");
    Spawn spawn = {
        .world = world, .entities = entities, .values = values, .value_count = value_count};
    CniEcsArchetype *archetype = cni_ecs_archetype_of_values(world, values, value_count, spawn.ids);
    if (!archetype || world->hook_depth ||
        (world->slots.reserved && !cni_ecs_commands_resolve_ids(world)))
        return false;
    if (!is_within_limits(world, archetype, count))
        return false;
    spawn.archetype = archetype;
    spawn.streams = (size_t)count * archetype->row_bytes > STREAM_BYTES;
    cni_ecs_structure_changed(world);
    uint32_t first_row = cni_ecs_archetype_rows(world, archetype);
    for (uint32_t done = 0, run; done < count; done += run) {
        run = spawn_run(&spawn, done, count - done);
        if (!run) {
            undo_spawn(world, archetype, done);
            return false;
        }
    }
    if (spawn.streams)
        stream_end();
    if (archetype->hook_flags)
        call_hooks(&spawn, first_row, count);
    return true;
}

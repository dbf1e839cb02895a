/* Chunks and the extents of memory that contain them.
 *
 * The first extent of an archetype starts with CN_CHUNK_MIN_ROWS rows and doubles until it holds a
 * full chunk, then several. While it is smaller than the largest extent, it is the archetype's only
 * one, and chunk n of the list is its n-th part. After that, memory is added in extents of the
 * largest size. These may be shared by archetypes, because full chunks can be transferred. */
#include "ecs/world/world_internal.h"

static uint32_t extent_class(const CniEcsArchetype *archetype, uint32_t rows)
{
    uint32_t fitting = cni_ecs_block_class((size_t)rows * archetype->row_bytes);
    return fitting < CNI_ECS_CHUNK_MIN_CLASS ? CNI_ECS_CHUNK_MIN_CLASS : fitting;
}

static uint32_t first_stride(const CniEcsArchetype *archetype)
{
    uint32_t full = archetype->full_capacity;
    return CN_CHUNK_MIN_ROWS < full ? CN_CHUNK_MIN_ROWS : full;
}

/* Returns the stride of the extent to use if one with `stride` rows is too small. */
static uint32_t grown_stride(const CniEcsArchetype *archetype, uint32_t stride)
{
    uint32_t full = archetype->full_capacity;
    uint32_t limit = stride < full ? full : archetype->extent_capacity;
    return stride * 2 < limit ? stride * 2 : limit;
}

static uint32_t part_of(const CniEcsArchetype *archetype, const CniEcsChunk *chunk)
{
    return chunk->first / archetype->full_capacity;
}

/* ---- Lists ---- */

void cni_ecs_chunk_list_free(CnWorld *world, CniEcsArchetype *archetype)
{
    if (archetype->chunk_list_class)
        cni_ecs_block_release(&world->core_blocks, archetype->head.ticks,
                              archetype->chunk_list_class);
}

bool cni_ecs_chunk_list_reserve(CnWorld *world, CniEcsArchetype *archetype, uint32_t needed)
{
    if (needed <= archetype->chunk_capacity)
        return true;
    CniEcsArchetypeHead *head = &archetype->head;
    size_t tick_bytes = head->tick_stride * sizeof *head->ticks;
    size_t bytes = tick_bytes + sizeof *head->chunk_ids; /* of one chunk */
    uint32_t old = archetype->chunk_capacity, block_class = cni_ecs_block_class(needed * bytes);
    /* The ticks come first, then the ids. */
    uint64_t *ticks = cni_ecs_block_acquire(&world->core_blocks, block_class);
    if (!ticks)
        return false;
    uint32_t capacity = (uint32_t)(((size_t)1 << block_class) / bytes);
    uint32_t *ids = (uint32_t *)(void *)((uint8_t *)ticks + capacity * tick_bytes);
    if (old) {
        memcpy(ticks, head->ticks, old * tick_bytes);
        memcpy(ids, head->chunk_ids, old * sizeof *ids);
    }
    cni_ecs_chunk_list_free(world, archetype);
    head->ticks = ticks;
    head->chunk_ids = ids;
    archetype->chunk_capacity = capacity;
    archetype->chunk_list_class = block_class;
    return true;
}

/* Makes room for `count` new chunks in the world's table, and for freeing all chunks. */
static bool reserve_chunk_ids(CnWorld *world, uint32_t count)
{
    uint64_t needed = (uint64_t)world->chunks.count + count;
    bool has_room = needed <= CN_MAX_CHUNKS && cn_array_reserve(&world->chunks, needed);
    world->head.chunks = world->chunks.items; /* also if a later step fails */
    return has_room && cn_array_reserve(&world->chunk_extents, world->chunks.capacity) &&
           cn_array_reserve(&world->free_chunks, world->chunks.capacity);
}

static bool reserve_chunk(CnWorld *world, CniEcsArchetype *archetype)
{
    return cni_ecs_chunk_list_reserve(world, archetype, archetype->head.chunk_count + 1) &&
           (world->free_chunks.count || reserve_chunk_ids(world, 1));
}

/* ---- Extents ---- */

static bool reserve_extent(CnWorld *world)
{
    return world->free_extent ||
           cn_array_reserve(&world->extents, (uint64_t)world->extents.count + 1);
}

/* Returns a number for an extent whose first part is in use. Room has been reserved. */
static uint32_t extent_acquire(CnWorld *world)
{
    uint32_t extent = world->free_extent;
    if (extent)
        world->free_extent = world->extents.items[--extent];
    else
        extent = world->extents.count++;
    world->extents.items[extent] = 1;
    return extent;
}

/* Returns the extent that a chunk shares; CNI_ECS_ABSENT if it has its own. */
static uint32_t *extent_of(const CnWorld *world, const CniEcsChunk *chunk)
{
    return &world->chunk_extents.items[chunk - world->chunks.items];
}

static void extent_release(CnWorld *world, uint32_t extent)
{
    world->extents.items[extent] = world->free_extent;
    world->free_extent = extent + 1;
}

void cni_ecs_archetype_set_stride(CniEcsArchetype *archetype, uint32_t stride)
{
    if (archetype->head.stride == stride)
        return;
    archetype->head.stride = stride;
    for (uint32_t i = 0; i < archetype->column_count; i++)
        archetype->columns[i].offset = archetype->columns[i].prefix * stride;
    for (uint32_t i = 0; i <= archetype->head.lookup_mask; i++) {
        CniEcsColumnSlot *slot = &archetype->head.lookup[i];
        if (slot->component != CNI_ECS_ABSENT)
            slot->offset = archetype->columns[slot->column].offset;
    }
    cni_ecs_archetype_refresh_edges(archetype);
}

/* If two columns map to the same entry, the first one gets it. */
static void set_cached_columns(CniEcsChunk *chunk, const CniEcsArchetype *archetype)
{
    for (uint32_t i = 0; i < CNI_ECS_CACHED_COLUMNS; i++)
        chunk->near_components[i] = (uint16_t)(i + 1);
    for (uint32_t c = archetype->column_count; c-- > 0;) {
        const CniEcsColumn *column = &archetype->columns[c];
        uint32_t place = column->component % CNI_ECS_CACHED_COLUMNS;
        size_t offset = (size_t)(cni_ecs_column_values(chunk, column) - chunk->data);
        if (column->field_count || offset > UINT32_MAX || column->size > UINT8_MAX)
            continue;
        chunk->near_offsets[place] = (uint32_t)offset;
        chunk->near_components[place] = (uint16_t)column->component;
        chunk->near_sizes[place] = (uint8_t)column->size;
    }
}

/* Adds a chunk to the end of the list, in a part of an extent that is marked as in use. Room has
 * been reserved. */
static void chunk_enter(CnWorld *world, CniEcsArchetype *archetype, uint8_t *data, uint32_t first,
                        uint32_t extent)
{
    CniEcsArchetypeHead *head = &archetype->head;
    uint32_t id =
        world->free_chunks.count ? cn_array_pop(&world->free_chunks) : world->chunks.count++;
    uint32_t position = head->chunk_count++, full = archetype->full_capacity;
    head->chunk_ids[position] = head->tail = id;
    CniEcsChunk *chunk = &world->chunks.items[id];
    *chunk = (CniEcsChunk){.data = data,
                           .archetype = head,
                           .capacity = (uint16_t)(head->stride < full ? head->stride : full),
                           .first = first,
                           .position = position};
    *extent_of(world, chunk) = extent;
    set_cached_columns(chunk, archetype);
    if (head->tick_stride)
        memset(head->ticks + (size_t)position * head->tick_stride, 0,
               head->tick_stride * sizeof *head->ticks);
}

/* Adds a chunk in a new extent. */
static bool chunk_in_extent(CnWorld *world, CniEcsArchetype *archetype, uint32_t stride)
{
    bool holds_several = stride > archetype->full_capacity;
    if (!reserve_chunk(world, archetype) || (holds_several && !reserve_extent(world)))
        return false;
    uint8_t *data = cni_ecs_block_acquire(&world->blocks, extent_class(archetype, stride));
    if (!data)
        return false;
    cni_ecs_archetype_set_stride(archetype, stride);
    chunk_enter(world, archetype, data, 0, holds_several ? extent_acquire(world) : CNI_ECS_ABSENT);
    return true;
}

/* Whether the part of the extent after the last chunk is free. */
static bool has_next_part(const CnWorld *world, const CniEcsArchetype *archetype,
                          const CniEcsChunk *last)
{
    uint32_t extent = *extent_of(world, last);
    if (extent == CNI_ECS_ABSENT)
        return false;
    uint32_t next = part_of(archetype, last) + 1;
    return next * archetype->full_capacity < archetype->head.stride &&
           !(world->extents.items[extent] >> next & 1u);
}

static bool chunk_in_next_part(CnWorld *world, CniEcsArchetype *archetype)
{
    if (!reserve_chunk(world, archetype))
        return false;
    const CniEcsChunk *last = &world->chunks.items[archetype->head.tail];
    uint32_t first = last->first + archetype->full_capacity, extent = *extent_of(world, last);
    world->extents.items[extent] |= 1u << (part_of(archetype, last) + 1);
    chunk_enter(world, archetype, last->data, first, extent);
    return true;
}

static void chunk_destroy(CnWorld *world, CniEcsArchetype *archetype, uint32_t id)
{
    CniEcsChunk *chunk = &world->chunks.items[id];
    uint32_t others = 0, extent = *extent_of(world, chunk);
    if (extent != CNI_ECS_ABSENT) {
        others = world->extents.items[extent] & ~(1u << part_of(archetype, chunk));
        world->extents.items[extent] = others;
        if (!others)
            extent_release(world, extent);
    }
    if (!others)
        cni_ecs_block_release(&world->blocks, chunk->data,
                              extent_class(archetype, archetype->head.stride));
    *chunk = (CniEcsChunk){0};
    world->free_chunks.items[world->free_chunks.count++] = id; /* has room; see reserve_chunk_ids */
}

/* ---- Growing and shrinking ---- */

static void copy_extent(const CniEcsArchetype *archetype, uint8_t *to, size_t to_stride,
                        const uint8_t *from, size_t from_stride, size_t rows)
{
    memcpy(to, from, rows * sizeof(CnEntity));
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        const CniEcsColumn *column = &archetype->columns[c];
        if (!column->field_count)
            memcpy(to + column->prefix * to_stride, from + column->prefix * from_stride,
                   column->size * rows);
        for (uint32_t f = 0; f < column->field_count; f++) {
            const CnField *field = &column->fields[f];
            memcpy(to + (column->prefix + field->offset) * to_stride,
                   from + (column->prefix + field->offset) * from_stride, field->size * rows);
        }
    }
}

/* Moves all chunks of an archetype into a new extent, where they are the first parts. */
static bool move_to_extent(CnWorld *world, CniEcsArchetype *archetype, uint32_t stride)
{
    CniEcsArchetypeHead *head = &archetype->head;
    const CniEcsChunk *first = &world->chunks.items[head->chunk_ids[0]];
    uint8_t *old = first->data;
    uint32_t old_stride = head->stride, full = archetype->full_capacity;
    uint32_t extent = *extent_of(world, first);
    bool holds_several = stride > full;
    if (holds_several && extent == CNI_ECS_ABSENT && !reserve_extent(world))
        return false;
    uint8_t *data = cni_ecs_block_acquire(&world->blocks, extent_class(archetype, stride));
    if (!data)
        return false;
    copy_extent(archetype, data, stride, old, old_stride, cni_ecs_archetype_rows(world, archetype));
    cni_ecs_block_release_outgrown(&world->blocks, old, extent_class(archetype, old_stride));
    if (holds_several && extent == CNI_ECS_ABSENT) {
        extent = extent_acquire(world);
    } else if (!holds_several && extent != CNI_ECS_ABSENT) {
        extent_release(world, extent);
        extent = CNI_ECS_ABSENT;
    }
    cni_ecs_archetype_set_stride(archetype, stride);
    for (uint32_t i = 0; i < head->chunk_count; i++) {
        CniEcsChunk *chunk = &world->chunks.items[head->chunk_ids[i]];
        chunk->data = data;
        chunk->capacity = (uint16_t)(stride < full ? stride : full);
        *extent_of(world, chunk) = extent;
        set_cached_columns(chunk, archetype);
    }
    return true;
}

/* An archetype that was large reuses the memory that it released if it is still available: rows
 * that cycle through several archetypes then neither allocate nor copy. */
static uint32_t starting_stride(const CnWorld *world, const CniEcsArchetype *archetype)
{
    uint32_t before = archetype->head.stride;
    return before > archetype->full_capacity && world->blocks.free[extent_class(archetype, before)]
               ? before
               : first_stride(archetype);
}

bool cni_ecs_rows_extend(CnWorld *world, CniEcsArchetype *archetype)
{
    CniEcsArchetypeHead *head = &archetype->head;
    if (archetype->has_spare) {
        archetype->has_spare = false;
        if (world->large_spare == archetype)
            world->large_spare = NULL;
        head->chunk_count = 1;
        head->tail = head->chunk_ids[0];
        return true;
    }
    if (!head->chunk_count)
        return chunk_in_extent(world, archetype, starting_stride(world, archetype));
    uint32_t stride = head->stride, grown = grown_stride(archetype, stride);
    if (stride < archetype->full_capacity)
        return move_to_extent(world, archetype, grown);
    if (has_next_part(world, archetype, &world->chunks.items[head->tail]))
        return chunk_in_next_part(world, archetype);
    if (stride == grown)
        return chunk_in_extent(world, archetype, stride);
    return reserve_chunk(world, archetype) && move_to_extent(world, archetype, grown) &&
           chunk_in_next_part(world, archetype);
}

bool cni_ecs_rows_enlarge(CnWorld *world, CniEcsArchetype *archetype)
{
    return archetype->head.stride == archetype->extent_capacity ||
           move_to_extent(world, archetype, archetype->extent_capacity);
}

/* Whether the chunks are the first parts of an extent that no other archetype uses. */
static bool has_one_extent(const CnWorld *world, const CniEcsArchetype *archetype)
{
    const CniEcsArchetypeHead *head = &archetype->head;
    uint32_t extent = *extent_of(world, &world->chunks.items[head->chunk_ids[0]]);
    if (extent == CNI_ECS_ABSENT)
        return head->chunk_count == 1;
    for (uint32_t i = 0; i < head->chunk_count; i++) {
        const CniEcsChunk *chunk = &world->chunks.items[head->chunk_ids[i]];
        if (*extent_of(world, chunk) != extent || part_of(archetype, chunk) != i)
            return false;
    }
    return world->extents.items[extent] == UINT32_MAX >> (32 - head->chunk_count);
}

bool cni_ecs_rows_shrink(CnWorld *world, CniEcsArchetype *archetype)
{
    if (!archetype->head.chunk_count || !has_one_extent(world, archetype))
        return false;
    uint32_t rows = cni_ecs_archetype_rows(world, archetype), stride = first_stride(archetype);
    while (stride < rows)
        stride = grown_stride(archetype, stride);
    return stride < archetype->head.stride && move_to_extent(world, archetype, stride);
}

/* The spare chunk of a small archetype is always kept, but only one spare with an extent for
 * several chunks: enough for rows that move back and forth, without keeping the memory of every
 * archetype that was once large. */
static void keep_spare(CnWorld *world, CniEcsArchetype *archetype)
{
    archetype->has_spare = true;
    if (archetype->head.stride <= archetype->full_capacity)
        return;
    if (world->large_spare)
        cni_ecs_rows_drop_spare(world, world->large_spare);
    world->large_spare = archetype;
}

void cni_ecs_rows_drop_last_chunk(CnWorld *world, CniEcsArchetype *archetype)
{
    CniEcsArchetypeHead *head = &archetype->head;
    uint32_t position = --head->chunk_count;
    uint32_t id = head->chunk_ids[position];
    head->tail = position ? head->chunk_ids[position - 1] : CNI_ECS_NO_CHUNK;
    world->chunks.items[id].count = 0;
    if (position == 0)
        keep_spare(world, archetype);
    else
        chunk_destroy(world, archetype, id);
}

void cni_ecs_rows_drop_spare(CnWorld *world, CniEcsArchetype *archetype)
{
    if (!archetype->has_spare)
        return;
    archetype->has_spare = false;
    if (world->large_spare == archetype)
        world->large_spare = NULL;
    chunk_destroy(world, archetype, archetype->head.chunk_ids[0]);
}

/* ---- Reserving ---- */

/* Returns the end of the rows that can be used after the last chunk without a new extent. */
static uint32_t usable_end(const CnWorld *world, const CniEcsArchetype *archetype,
                           const CniEcsChunk *last)
{
    uint32_t full = archetype->full_capacity, end = last->first + last->capacity;
    uint32_t extent = *extent_of(world, last);
    if (extent != CNI_ECS_ABSENT)
        while (end < archetype->head.stride && !(world->extents.items[extent] >> end / full & 1u))
            end += full;
    return end;
}

uint32_t cni_ecs_rows_count_requirements(const CnWorld *world, const CniEcsArchetype *archetype,
                                         uint32_t rows, CniEcsRowRequirements *need)
{
    const CniEcsArchetypeHead *head = &archetype->head;
    uint32_t full = archetype->full_capacity, listed = head->chunk_count + archetype->has_spare;
    uint64_t total = (uint64_t)cni_ecs_archetype_rows(world, archetype) + rows;
    uint32_t chunks = (uint32_t)((total + full - 1) / full);
    uint32_t created = chunks > listed ? chunks - listed : 0;
    const CniEcsChunk *last = listed ? &world->chunks.items[head->chunk_ids[listed - 1]] : NULL;
    uint32_t stride = last ? head->stride : 0, used = last ? last->first + last->count : 0;
    uint32_t end = last ? usable_end(world, archetype, last) : 0;
    if (!last && rows && head->stride > full) { /* see starting_stride */
        need->extents++;
        need->blocks[extent_class(archetype, head->stride)]++;
    }
    while (rows > end - used) {
        if (stride && stride < archetype->extent_capacity) {
            stride = grown_stride(archetype, stride);
        } else {
            rows -= end - used;
            used = 0;
            stride = stride ? stride : first_stride(archetype);
        }
        end = stride;
        need->extents++;
        need->blocks[extent_class(archetype, stride)]++;
    }
    need->chunks += created;
    return created;
}

bool cni_ecs_rows_reserve_requirements(CnWorld *world, const CniEcsRowRequirements *need)
{
    for (uint32_t c = 0; c < CNI_ECS_BLOCK_CLASSES; c++)
        if (need->blocks[c] && !cni_ecs_blocks_reserve(&world->blocks, c, need->blocks[c]))
            return false;
    uint32_t free = world->free_chunks.count;
    return cn_array_reserve(&world->extents, (uint64_t)world->extents.count + need->extents) &&
           reserve_chunk_ids(world, need->chunks > free ? need->chunks - free : 0);
}

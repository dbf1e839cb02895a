#include "ecs/world/world_internal.h"

/* ---- Values ---- */

void cni_ecs_value_write_fields(const CniEcsChunk *chunk, const CniEcsColumn *column, uint32_t row,
                                const void *value)
{
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        cni_ecs_copy_value(cni_ecs_field_values(chunk, column, field) + (size_t)row * field->size,
                           (const uint8_t *)value + field->offset, field->size);
    }
}

void cni_ecs_value_read(const CniEcsChunk *chunk, const CniEcsColumn *column, uint32_t row,
                        void *value)
{
    if (CN_LIKELY(!column->field_count)) {
        cni_ecs_copy_value(value, cni_ecs_column_values(chunk, column) + (size_t)row * column->size,
                           column->size);
        return;
    }
    memset(value, 0, column->size); /* padding */
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        cni_ecs_copy_value((uint8_t *)value + field->offset,
                           cni_ecs_field_values(chunk, column, field) + (size_t)row * field->size,
                           field->size);
    }
}

static void fill_rows(uint8_t *to, size_t size, size_t count, const uint8_t *from, uint32_t stride)
{
    if (stride == size) {
        memcpy(to, from, size * count);
    } else if (stride) {
        for (size_t i = 0; i < count; i++)
            cni_ecs_copy_value(to + i * size, from + i * stride, size);
    } else if (count) {
        /* The filled part is copied repeatedly, doubling each time, until it fills the rows. */
        cni_ecs_copy_value(to, from, size);
        for (size_t done = 1; done < count; done *= 2)
            memcpy(to + done * size, to, (done < count - done ? done : count - done) * size);
    }
}

void cni_ecs_values_write(const CnWorld *world, const CniEcsChunk *chunk,
                          const CniEcsColumn *column, uint32_t row, uint32_t count,
                          const void *values, uint32_t stride)
{
    if (!values) {
        values = world->components.items[column->component].info.default_value;
        stride = 0;
    }
    if (!column->field_count) {
        uint8_t *to = cni_ecs_column_values(chunk, column) + (size_t)row * column->size;
        if (values)
            fill_rows(to, column->size, count, values, stride);
        else
            memset(to, 0, (size_t)column->size * count);
        return;
    }
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        uint8_t *to = cni_ecs_field_values(chunk, column, field) + (size_t)row * field->size;
        if (values)
            fill_rows(to, field->size, count, (const uint8_t *)values + field->offset, stride);
        else
            memset(to, 0, (size_t)field->size * count);
    }
}

/* Copies a value stored by fields. */
static void copy_fields(const CniEcsChunk *to, const CniEcsColumn *to_column, uint32_t to_row,
                        const CniEcsChunk *from, const CniEcsColumn *from_column, uint32_t from_row)
{
    for (uint32_t f = 0; f < to_column->field_count; f++) {
        const CnField *field = &to_column->fields[f];
        cni_ecs_copy_value(
            cni_ecs_field_values(to, to_column, field) + (size_t)to_row * field->size,
            cni_ecs_field_values(from, from_column, field) + (size_t)from_row * field->size,
            field->size);
    }
}

/* Copies one value between columns of the same component in two chunks. */
static inline __attribute__((always_inline)) void
copy_row(const CniEcsChunk *to, const CniEcsColumn *to_column, uint32_t to_row,
         const CniEcsChunk *from, const CniEcsColumn *from_column, uint32_t from_row)
{
    size_t size = to_column->size;
    if (CN_LIKELY(!to_column->field_count))
        cni_ecs_copy_value(cni_ecs_column_values(to, to_column) + to_row * size,
                           cni_ecs_column_values(from, from_column) + from_row * size, size);
    else
        copy_fields(to, to_column, to_row, from, from_column, from_row);
}

/* ---- Rows ---- */

/* Inlined into its callers below. */
static inline __attribute__((always_inline)) void
remove_row(CnWorld *world, CniEcsChunk *chunk, CniEcsArchetype *archetype, CniEcsRowRef place)
{
    CniEcsChunk *last = &world->chunks.items[archetype->head.tail];
    const size_t last_row = --last->count;
    chunk->changed = last->changed = world->head.tick;
    if (CN_LIKELY(chunk != last || place.row != last_row)) {
        uint8_t *const data = chunk->data;
        const uint8_t *const last_data = last->data;
        const size_t hole = chunk->first + place.row, end_row = last->first + last_row;
        CnEntity moved = ((const CnEntity *)(const void *)last_data)[end_row];
        ((CnEntity *)(void *)data)[hole] = moved;
        cni_ecs_world_slot(world, cn_entity_index(moved))->location = cni_ecs_row_ref_pack(place);
        const CniEcsColumn *column = archetype->columns, *end = column + archetype->column_count;
        if (CN_LIKELY(!archetype->has_field_columns))
            for (; column < end; column++) {
                size_t size = column->size;
                cni_ecs_copy_value(data + column->offset + hole * size,
                                   last_data + column->offset + end_row * size, size);
            }
        else
            for (; column < end; column++)
                copy_row(chunk, column, place.row, last, column, (uint32_t)last_row);
    }
    if (CN_UNLIKELY(last_row == 0))
        cni_ecs_rows_drop_last_chunk(world, archetype);
}

void cni_ecs_row_remove(CnWorld *world, CniEcsRowRef place)
{
    CniEcsChunk *chunk = &world->chunks.items[place.chunk];
    CN_ASSERT(place.row < chunk->count, "row %u of a chunk with %u", place.row, chunk->count);
    remove_row(world, chunk, cni_ecs_chunk_archetype(chunk), place);
}

bool cni_ecs_row_move(CnWorld *world, CniEcsSlot *slot, CnEntity entity, CniEcsArchetype *to)
{
    CniEcsRowRef hole = cni_ecs_row_ref(slot->location), place;
    if (!cni_ecs_row_append(world, to, entity, slot, &place))
        return false;
    const CniEcsChunk *source = &world->chunks.items[hole.chunk];
    const CniEcsChunk *target = &world->chunks.items[place.chunk];
    const CniEcsArchetype *from = cni_ecs_chunk_archetype(source);
    const CniEcsColumn *f = from->columns, *f_end = f + from->column_count;
    for (uint32_t i = 0; i < to->column_count; i++) {
        const CniEcsColumn *column = &to->columns[i];
        while (f < f_end && f->component < column->component)
            f++;
        if (f < f_end && f->component == column->component)
            copy_row(target, column, place.row, source, f, hole.row);
        else
            cni_ecs_values_write(world, target, column, place.row, 1, NULL, 0);
    }
    cni_ecs_row_remove(world, hole);
    cni_ecs_structure_changed(world);
    return true;
}

/* ---- Whole archetypes ---- */

static bool same_columns(const CniEcsArchetype *a, const CniEcsArchetype *b)
{
    if (a->column_count != b->column_count)
        return false;
    for (uint32_t i = 0; i < a->column_count; i++)
        if (a->columns[i].component != b->columns[i].component)
            return false;
    return true;
}

static void copy_rows(const CniEcsChunk *to, const CniEcsColumn *to_column, uint32_t to_row,
                      const CniEcsChunk *from, const CniEcsColumn *from_column, uint32_t from_row,
                      uint32_t count)
{
    size_t size = to_column->size;
    if (!to_column->field_count)
        memcpy(cni_ecs_column_values(to, to_column) + to_row * size,
               cni_ecs_column_values(from, from_column) + from_row * size, count * size);
    for (uint32_t f = 0; f < to_column->field_count; f++) {
        const CnField *field = &to_column->fields[f];
        memcpy(cni_ecs_field_values(to, to_column, field) + (size_t)to_row * field->size,
               cni_ecs_field_values(from, from_column, field) + (size_t)from_row * field->size,
               (size_t)field->size * count);
    }
}

/* Updates the slots of entities in consecutive rows. */
static void point_slots(const CnWorld *world, const CnEntity *entities, uint32_t count,
                        CniEcsRowRef first)
{
    const uint32_t location = cni_ecs_row_ref_pack(first);
#pragma GCC unroll 4
    for (uint32_t i = 0; i < count; i++)
        cni_ecs_world_slot(world, cn_entity_index(entities[i]))->location = location + i;
}

void cni_ecs_rows_copy(const CnWorld *world, CniEcsRowRef place, const CniEcsChunk *from,
                       uint32_t row, uint32_t count)
{
    const CniEcsChunk *to = &world->chunks.items[place.chunk];
    const CniEcsArchetype *archetype = cni_ecs_chunk_archetype(to),
                          *source = cni_ecs_chunk_archetype(from);
    const CnEntity *entities = cni_ecs_chunk_entities(from) + row;
    memcpy(cni_ecs_chunk_entities(to) + place.row, entities, count * sizeof *entities);
    point_slots(world, entities, count, place);
    for (uint32_t c = 0; c < archetype->column_count; c++)
        copy_rows(to, &archetype->columns[c], place.row, from, &source->columns[c], row, count);
}

/* Appends rows [row, row + count) of a chunk to `to`, whose last chunk has room for them. */
static void append_rows(CnWorld *world, const CniEcsChunk *from,
                        const CniEcsArchetype *from_archetype, uint32_t row, uint32_t count,
                        CniEcsArchetype *to)
{
    uint32_t id = to->head.tail;
    CniEcsChunk *chunk = &world->chunks.items[id];
    uint32_t at = chunk->count;
    const CnEntity *entities = cni_ecs_chunk_entities(from) + row;
    memcpy(cni_ecs_chunk_entities(chunk) + at, entities, count * sizeof *entities);
    point_slots(world, entities, count, (CniEcsRowRef){id, at});
    const CniEcsColumn *f = from_archetype->columns, *f_end = f + from_archetype->column_count;
    for (uint32_t c = 0; c < to->column_count; c++) {
        const CniEcsColumn *column = &to->columns[c];
        while (f < f_end && f->component < column->component)
            f++;
        if (f < f_end && f->component == column->component)
            copy_rows(chunk, column, at, from, f, row, count);
        else
            cni_ecs_values_write(world, chunk, column, at, count, NULL, 0);
    }
    chunk->count = (uint16_t)(chunk->count + count);
    chunk->changed = world->head.tick;
}

/* Moves `count` rows of a chunk onto others of the same archetype and updates their slots. */
static void shift_rows(CnWorld *world, const CniEcsArchetype *archetype, CniEcsRowRef to,
                       CniEcsRowRef from, uint32_t count)
{
    const CniEcsChunk *target = &world->chunks.items[to.chunk];
    const CniEcsChunk *source = &world->chunks.items[from.chunk];
    const CnEntity *entities = cni_ecs_chunk_entities(source) + from.row;
    memcpy(cni_ecs_chunk_entities(target) + to.row, entities, count * sizeof *entities);
    point_slots(world, entities, count, to);
    for (uint32_t c = 0; c < archetype->column_count; c++)
        copy_rows(target, &archetype->columns[c], to.row, source, &archetype->columns[c], from.row,
                  count);
}

/* Fills `count` vacated rows with the archetype's last rows. */
static void close_gap(CnWorld *world, CniEcsArchetype *archetype, CniEcsRowRef gap, uint32_t count)
{
    while (count) {
        uint32_t tail = archetype->head.tail, taken;
        CniEcsChunk *last = &world->chunks.items[tail];
        if (tail == gap.chunk) {
            uint32_t behind = last->count - (gap.row + count);
            uint32_t shifted = behind < count ? behind : count;
            shift_rows(world, archetype, gap, (CniEcsRowRef){tail, last->count - shifted}, shifted);
            taken = count;
        } else {
            taken = last->count < count ? last->count : count;
            shift_rows(world, archetype, gap, (CniEcsRowRef){tail, last->count - taken}, taken);
            world->chunks.items[gap.chunk].changed = world->head.tick;
            gap.row += taken;
        }
        count -= taken;
        last->count = (uint16_t)(last->count - taken);
        last->changed = world->head.tick;
        if (!last->count)
            cni_ecs_rows_drop_last_chunk(world, archetype);
    }
}

uint32_t cni_ecs_rows_move_range(CnWorld *world, CniEcsRowRef first, uint32_t count,
                                 CniEcsArchetype *to)
{
    CniEcsArchetype *from = cni_ecs_chunk_archetype(&world->chunks.items[first.chunk]);
    uint32_t moved = 0;
    while (moved < count && cni_ecs_rows_reserve_one(world, to)) {
        const CniEcsChunk *target = &world->chunks.items[to->head.tail];
        uint32_t room = (uint32_t)target->capacity - target->count, left = count - moved;
        uint32_t piece = left < room ? left : room;
        append_rows(world, &world->chunks.items[first.chunk], from, first.row + moved, piece, to);
        moved += piece;
    }
    close_gap(world, from, first, moved);
    cni_ecs_structure_changed(world);
    return moved;
}

/* Makes room for some rows, and for all of them if the last chunk can grow that far: the order of
 * rows must not depend on its current size. */
static bool make_room_for(CnWorld *world, CniEcsArchetype *archetype, uint32_t rows)
{
    if (!cni_ecs_rows_reserve_one(world, archetype))
        return false;
    for (;;) {
        const CniEcsChunk *last = &world->chunks.items[archetype->head.tail];
        if ((uint32_t)last->capacity - last->count >= rows ||
            last->capacity == archetype->full_capacity)
            return true;
        if (!cni_ecs_rows_extend(world, archetype))
            return false;
    }
}

bool cni_ecs_rows_reserve(CnWorld *world, const CniEcsArchetype *from, CniEcsArchetype *to)
{
    uint32_t rows = cni_ecs_archetype_rows(world, from), handed_over = 0;
    if (same_columns(from, to) && rows > to->extent_capacity) {
        handed_over = from->head.chunk_count;
        rows = to->extent_capacity; /* fewer rows remain to be copied */
    }
    CniEcsRowRequirements need = {0};
    uint32_t created = cni_ecs_rows_count_requirements(world, to, rows, &need);
    uint32_t listed = to->head.chunk_count + to->has_spare;
    return cni_ecs_chunk_list_reserve(world, to, listed + handed_over + created) &&
           cni_ecs_rows_reserve_requirements(world, &need);
}

bool cni_ecs_rows_reserve_wanted(CnWorld *world, CniEcsArchetype *const *archetypes, uint32_t count)
{
    CniEcsRowRequirements need = {0};
    bool has_room = true;
    for (uint32_t i = 0; i < count; i++) {
        CniEcsArchetype *archetype = archetypes[i];
        if (!archetype->wanted_rows)
            continue;
        uint32_t created =
            cni_ecs_rows_count_requirements(world, archetype, archetype->wanted_rows, &need);
        archetype->wanted_rows = 0;
        uint32_t listed = archetype->head.chunk_count + archetype->has_spare;
        has_room = has_room && cni_ecs_chunk_list_reserve(world, archetype, listed + created);
    }
    return has_room && cni_ecs_rows_reserve_requirements(world, &need);
}

/* ---- Archetypes with the same columns: chunks are transferred unchanged ---- */

/* Moves the ticks of `count` chunks. Archetypes without columns have none. */
static void move_ticks(CniEcsArchetypeHead *to, uint32_t at, const CniEcsArchetypeHead *from,
                       uint32_t first, uint32_t count)
{
    size_t stride = to->tick_stride;
    if (stride && count)
        memmove(to->ticks + at * stride, from->ticks + first * stride,
                count * stride * sizeof(uint64_t));
}

static uint32_t count_full_chunks(const CnWorld *world, const CniEcsArchetype *archetype)
{
    uint32_t chunks = archetype->head.chunk_count;
    return chunks && world->chunks.items[archetype->head.tail].count < archetype->full_capacity
               ? chunks - 1
               : chunks;
}

/* Inserts the first `count` chunks of one archetype into the list of another with extents of the
 * same size. */
static bool transfer_chunks(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to, uint32_t at,
                            uint32_t count)
{
    CniEcsArchetypeHead *source = &from->head, *target = &to->head;
    if (!cni_ecs_chunk_list_reserve(world, to, target->chunk_count + count))
        return false;
    uint32_t behind = target->chunk_count - at;
    memmove(target->chunk_ids + at + count, target->chunk_ids + at, behind * sizeof(uint32_t));
    move_ticks(target, at + count, target, at, behind);
    memcpy(target->chunk_ids + at, source->chunk_ids, count * sizeof(uint32_t));
    move_ticks(target, at, source, 0, count);
    target->chunk_count += count;
    for (uint32_t i = at; i < target->chunk_count; i++) {
        CniEcsChunk *chunk = &world->chunks.items[target->chunk_ids[i]];
        chunk->archetype = target;
        chunk->position = i;
        if (i < at + count)
            chunk->changed = world->head.tick;
    }
    source->chunk_count -= count;
    memmove(source->chunk_ids, source->chunk_ids + count, source->chunk_count * sizeof(uint32_t));
    move_ticks(source, 0, source, count, source->chunk_count);
    for (uint32_t i = 0; i < source->chunk_count; i++)
        world->chunks.items[source->chunk_ids[i]].position = i;
    target->tail = target->chunk_ids[target->chunk_count - 1];
    if (!source->chunk_count)
        source->tail = CNI_ECS_NO_CHUNK;
    return true;
}

/* Moves all rows of a chunk and its ticks to an empty one with the same columns. */
static void move_chunk(CnWorld *world, const CniEcsArchetype *from, uint32_t from_position,
                       const CniEcsArchetype *to, uint32_t to_position)
{
    uint32_t source_id = from->head.chunk_ids[from_position];
    uint32_t target_id = to->head.chunk_ids[to_position];
    CniEcsChunk *source = &world->chunks.items[source_id],
                *target = &world->chunks.items[target_id];
    const CnEntity *entities = cni_ecs_chunk_entities(source);
    memcpy(cni_ecs_chunk_entities(target), entities, source->count * sizeof *entities);
    point_slots(world, entities, source->count, (CniEcsRowRef){target_id, 0});
    for (uint32_t c = 0; c < to->column_count; c++)
        copy_rows(target, &to->columns[c], 0, source, &from->columns[c], 0, source->count);
    move_ticks((CniEcsArchetypeHead *)(uintptr_t)&to->head, to_position, &from->head, from_position,
               1);
    target->count = source->count;
    target->changed = source->changed;
    source->count = 0;
}

/* The same as transfer_chunks with copies. When out of memory, returns false and changes
 * nothing. */
static bool copy_chunks(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to, uint32_t at,
                        uint32_t count)
{
    uint32_t before = to->head.chunk_count, wanted = before + count;
    while (to->head.chunk_count < wanted)
        if (!cni_ecs_rows_extend(world, to)) {
            while (to->head.chunk_count > before)
                cni_ecs_rows_drop_last_chunk(world, to);
            return false;
        }
    if (at < before)
        move_chunk(world, to, at, to, wanted - 1);
    for (uint32_t i = 0; i < count; i++) {
        move_chunk(world, from, i, to, at + i);
        world->chunks.items[to->head.chunk_ids[at + i]].changed = world->head.tick;
    }
    /* The remaining rows become the archetype's first rows. */
    if (from->head.chunk_count > count)
        move_chunk(world, from, count, from, 0);
    uint32_t retained = from->head.chunk_count - count;
    while (from->head.chunk_count > (retained ? 1 : 0))
        cni_ecs_rows_drop_last_chunk(world, from);
    return true;
}

/* Moves full chunks to the end of the full ones of another archetype, where a partially filled
 * chunk stays last. If the other archetype has no chunks, all are moved. Extents of the largest
 * size are transferred, and so are all extents if the other archetype is empty; otherwise the
 * amount is small and is copied. */
static bool move_chunks(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to)
{
    if (!to->head.chunk_count) {
        cni_ecs_rows_drop_spare(world, to);
        if (!cni_ecs_chunk_list_reserve(world, to, from->head.chunk_count))
            return false;
        cni_ecs_archetype_set_stride(to, from->head.stride);
        return transfer_chunks(world, from, to, 0, from->head.chunk_count);
    }
    uint32_t full = count_full_chunks(world, from), at = count_full_chunks(world, to);
    if (!full)
        return true;
    bool are_many = full * from->full_capacity >= from->extent_capacity / 2;
    bool hands_over = from->head.stride == from->extent_capacity &&
                      (to->head.stride == to->extent_capacity || are_many);
    if (hands_over)
        return cni_ecs_rows_enlarge(world, to) && transfer_chunks(world, from, to, at, full);
    return copy_chunks(world, from, to, at, full);
}

bool cni_ecs_rows_move_all(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to)
{
    if (!from->head.chunk_count)
        return true;
    cni_ecs_structure_changed(world);
    if (same_columns(from, to) && !move_chunks(world, from, to))
        return false;
    /* From the last chunk backwards, starting with its last rows: the remaining rows stay dense. */
    while (from->head.chunk_count) {
        uint32_t id = from->head.tail;
        while (world->chunks.items[id].count) {
            if (!make_room_for(world, to, world->chunks.items[id].count))
                return false;
            const CniEcsChunk *target = &world->chunks.items[to->head.tail];
            CniEcsChunk *source = &world->chunks.items[id];
            uint32_t room = (uint32_t)target->capacity - target->count;
            uint32_t count = source->count < room ? source->count : room;
            append_rows(world, source, from, source->count - count, count, to);
            source->count = (uint16_t)(source->count - count);
        }
        cni_ecs_rows_drop_last_chunk(world, from);
    }
    return true;
}

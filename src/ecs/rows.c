#include "store.h"

/* ---- Chunks ---- */

static uint32_t chunk_class(const Archetype *archetype, uint32_t capacity)
{
    return cni_block_class((size_t)capacity * archetype->row_bytes);
}

/* Room for one more chunk in the archetype's lists. */
static bool reserve_chunk_list(CnWorld *world, Archetype *archetype, uint32_t needed)
{
    if (needed <= archetype->chunk_capacity)
        return true;
    CniArchetype *head = &archetype->head;
    uint32_t old = archetype->chunk_capacity, capacity = old ? old * 2 : 1;
    while (capacity < needed)
        capacity *= 2;
    size_t stride = head->tick_stride * sizeof *head->ticks;
    uint32_t *ids = cn_realloc(world->allocator, head->chunk_ids, old * sizeof *ids,
                               capacity * sizeof *ids);
    if (!ids)
        return false;
    head->chunk_ids = ids;
    uint64_t *ticks = cn_realloc(world->allocator, head->ticks, old * stride, capacity * stride);
    if (!ticks) {
        /* Shrinking never fails; the list is as before. */
        head->chunk_ids = cn_realloc(world->allocator, ids, capacity * sizeof *ids,
                                     old * sizeof *ids);
        return false;
    }
    head->ticks = ticks;
    archetype->chunk_capacity = capacity;
    return true;
}

static bool chunk_create(CnWorld *world, Archetype *archetype, uint32_t capacity)
{
    CniArchetype *head = &archetype->head;
    if (!reserve_chunk_list(world, archetype, head->chunk_count + 1))
        return false;
    if (!world->free_chunks.count) {
        if (world->chunks.count == CN_MAX_CHUNKS ||
            !cn_array_reserve(&world->chunks, (uint64_t)world->chunks.count + 1) ||
            !cn_array_reserve(&world->free_chunks, world->chunks.capacity))
            return false;
    }
    uint8_t *data = cni_block_acquire(&world->blocks, chunk_class(archetype, capacity));
    if (!data)
        return false;
    uint32_t id = world->free_chunks.count ? cn_array_pop(&world->free_chunks)
                                           : world->chunks.count++;
    uint32_t position = head->chunk_count++;
    head->chunk_ids[position] = id;
    world->chunks.items[id] = (CniChunk){data, head, 0, (uint16_t)capacity, position};
    memset(head->ticks + (size_t)position * head->tick_stride, 0,
           head->tick_stride * sizeof *head->ticks);
    return true;
}

static void chunk_destroy(CnWorld *world, Archetype *archetype, uint32_t id)
{
    CniChunk *chunk = &world->chunks.items[id];
    cni_block_release(&world->blocks, chunk->data, chunk_class(archetype, chunk->capacity));
    *chunk = (CniChunk){0};
    world->free_chunks.items[world->free_chunks.count++] = id; /* room: see chunk_create */
}

/* Doubles the first chunk, so that small archetypes stay small. */
static bool chunk_grow(CnWorld *world, Archetype *archetype, CniChunk *chunk)
{
    uint32_t old = chunk->capacity;
    uint32_t capacity = old * 2 < archetype->full_capacity ? old * 2 : archetype->full_capacity;
    uint8_t *data = cni_block_acquire(&world->blocks, chunk_class(archetype, capacity));
    if (!data)
        return false;
    memcpy(data, chunk->data, chunk->count * sizeof(CnEntity));
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        const Column *column = &archetype->columns[c];
        const uint8_t *from = chunk->data + (size_t)column->prefix * old;
        uint8_t *to = data + (size_t)column->prefix * capacity;
        if (!column->field_count)
            memcpy(to, from, (size_t)column->size * chunk->count);
        for (uint32_t f = 0; f < column->field_count; f++) {
            const CnField *field = &column->fields[f];
            memcpy(to + (size_t)field->offset * capacity, from + (size_t)field->offset * old,
                   (size_t)field->size * chunk->count);
        }
    }
    cni_block_release(&world->blocks, chunk->data, chunk_class(archetype, old));
    chunk->data = data;
    chunk->capacity = (uint16_t)capacity;
    return true;
}

bool cni_rows_extend(CnWorld *world, Archetype *archetype)
{
    CniArchetype *head = &archetype->head;
    if (archetype->has_spare) {
        archetype->has_spare = false;
        head->chunk_count = 1;
        return true;
    }
    if (!head->chunk_count) {
        uint32_t rows = CN_CHUNK_MIN_ROWS;
        return chunk_create(world, archetype,
                            rows < archetype->full_capacity ? rows : archetype->full_capacity);
    }
    CniChunk *last = &world->chunks.items[head->chunk_ids[head->chunk_count - 1]];
    if (last->capacity < archetype->full_capacity)
        return chunk_grow(world, archetype, last);
    return chunk_create(world, archetype, archetype->full_capacity);
}

void cni_rows_drop_last_chunk(CnWorld *world, Archetype *archetype)
{
    CniArchetype *head = &archetype->head;
    uint32_t position = --head->chunk_count;
    uint32_t id = head->chunk_ids[position];
    archetype->row_count -= world->chunks.items[id].count;
    world->chunks.items[id].count = 0;
    if (position == 0)
        archetype->has_spare = true;
    else
        chunk_destroy(world, archetype, id);
}

void cni_rows_drop_spare(CnWorld *world, Archetype *archetype)
{
    if (!archetype->has_spare)
        return;
    archetype->has_spare = false;
    chunk_destroy(world, archetype, archetype->head.chunk_ids[0]);
}

/* ---- Values ---- */

static inline void copy_bytes(uint8_t *to, const uint8_t *from, uint32_t size)
{
    switch (size) {
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    case 12:
        memcpy(to, from, 12);
        break;
    case 16:
        memcpy(to, from, 16);
        break;
    default:
        memcpy(to, from, size);
    }
}

void cni_value_write(const CniChunk *chunk, const Column *column, uint32_t row, const void *value)
{
    uint8_t *base = cni_column_base(chunk, column);
    if (CN_LIKELY(!column->field_count)) {
        copy_bytes(base + (size_t)row * column->size, value, column->size);
        return;
    }
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        copy_bytes(base + (size_t)field->offset * chunk->capacity + (size_t)row * field->size,
                   (const uint8_t *)value + field->offset, field->size);
    }
}

void cni_value_read(const CniChunk *chunk, const Column *column, uint32_t row, void *value)
{
    const uint8_t *base = cni_column_base(chunk, column);
    if (CN_LIKELY(!column->field_count)) {
        copy_bytes(value, base + (size_t)row * column->size, column->size);
        return;
    }
    memset(value, 0, column->size); /* padding */
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        copy_bytes((uint8_t *)value + field->offset,
                   base + (size_t)field->offset * chunk->capacity + (size_t)row * field->size,
                   field->size);
    }
}

static void fill_rows(uint8_t *to, uint32_t size, uint32_t count, const uint8_t *from,
                      uint32_t stride)
{
    if (stride == size) {
        memcpy(to, from, (size_t)size * count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        copy_bytes(to + (size_t)i * size, from + (size_t)i * stride, size);
}

void cni_values_write(const CnWorld *world, const CniChunk *chunk, const Column *column,
                      uint32_t row, uint32_t count, const void *values, uint32_t stride)
{
    uint8_t *base = cni_column_base(chunk, column);
    if (!values) {
        values = world->components.items[column->component].info.default_value;
        stride = 0;
    }
    if (!column->field_count) {
        uint8_t *to = base + (size_t)row * column->size;
        if (values)
            fill_rows(to, column->size, count, values, stride);
        else
            memset(to, 0, (size_t)column->size * count);
        return;
    }
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        uint8_t *to = base + (size_t)field->offset * chunk->capacity + (size_t)row * field->size;
        if (values)
            fill_rows(to, field->size, count, (const uint8_t *)values + field->offset, stride);
        else
            memset(to, 0, (size_t)field->size * count);
    }
}

static inline void copy_row(const CniChunk *to, const Column *to_column, uint32_t to_row,
                            const CniChunk *from, const Column *from_column, uint32_t from_row)
{
    uint8_t *target = cni_column_base(to, to_column);
    const uint8_t *source = cni_column_base(from, from_column);
    uint32_t size = to_column->size;
    if (CN_LIKELY(!to_column->field_count)) {
        copy_bytes(target + (size_t)to_row * size, source + (size_t)from_row * size, size);
        return;
    }
    for (uint32_t f = 0; f < to_column->field_count; f++) {
        const CnField *field = &to_column->fields[f];
        copy_bytes(target + (size_t)field->offset * to->capacity + (size_t)to_row * field->size,
                   source + (size_t)field->offset * from->capacity +
                       (size_t)from_row * field->size,
                   field->size);
    }
}

/* ---- Rows ---- */

void cni_row_remove(CnWorld *world, Place place)
{
    CniChunk *chunk = &world->chunks.items[place.chunk];
    Archetype *archetype = cni_chunk_archetype(chunk);
    CniArchetype *head = &archetype->head;
    CniChunk *last = &world->chunks.items[head->chunk_ids[head->chunk_count - 1]];
    uint32_t last_row = last->count - 1u;
    if (chunk != last || place.row != last_row) {
        CnEntity moved = cni_chunk_entities(last)[last_row];
        cni_chunk_entities(chunk)[place.row] = moved;
        cni_slot(&world->slots, cn_entity_index(moved))->location = cni_location(place);
        for (uint32_t c = 0; c < archetype->column_count; c++)
            copy_row(chunk, &archetype->columns[c], place.row, last, &archetype->columns[c],
                     last_row);
    }
    cni_chunk_ticks(chunk)[0] = world->tick;
    cni_chunk_ticks(last)[0] = world->tick;
    last->count--;
    archetype->row_count--;
    if (CN_UNLIKELY(last->count == 0))
        cni_rows_drop_last_chunk(world, archetype);
}

/* Copies what two archetypes share that differ by one component; `small` is the one without. */
static void copy_shared_toggled(const CniChunk *to, Archetype *to_archetype, uint32_t to_row,
                                const CniChunk *from, const Archetype *from_archetype,
                                uint32_t from_row, uint32_t toggled)
{
    bool adds = to_archetype->column_count > from_archetype->column_count;
    const Archetype *small = adds ? from_archetype : to_archetype;
    const Column *to_column = to_archetype->columns, *from_column = from_archetype->columns;
    uint32_t same_size = to_archetype->column_count == from_archetype->column_count;
    for (uint32_t i = 0; i < small->column_count; i++) {
        if (!same_size && small->columns[i].component > toggled) {
            to_column = to_archetype->columns + adds;
            from_column = from_archetype->columns + !adds;
        }
        copy_row(to, &to_column[i], to_row, from, &from_column[i], from_row);
    }
}

static void copy_shared(const CnWorld *world, const CniChunk *to, const Archetype *to_archetype,
                        uint32_t to_row, const CniChunk *from, const Archetype *from_archetype,
                        uint32_t from_row)
{
    const Column *f = from_archetype->columns, *f_end = f + from_archetype->column_count;
    for (uint32_t i = 0; i < to_archetype->column_count; i++) {
        const Column *column = &to_archetype->columns[i];
        while (f < f_end && f->component < column->component)
            f++;
        if (f < f_end && f->component == column->component)
            copy_row(to, column, to_row, from, f, from_row);
        else
            cni_values_write(world, to, column, to_row, 1, NULL, 0);
    }
}

bool cni_row_move(CnWorld *world, Slot *slot, CnEntity entity, Archetype *to, uint32_t toggled)
{
    Place from_place = cni_place(slot->location), to_place;
    if (!cni_row_append(world, to, entity, slot, &to_place))
        return false;
    CniChunk *to_chunk = &world->chunks.items[to_place.chunk];
    CniChunk *from_chunk = &world->chunks.items[from_place.chunk];
    Archetype *from = cni_chunk_archetype(from_chunk);
    if (CN_LIKELY(toggled)) {
        copy_shared_toggled(to_chunk, to, to_place.row, from_chunk, from, from_place.row, toggled);
        if (to->column_count > from->column_count)
            cni_values_write(world, to_chunk, cni_archetype_column(to, toggled), to_place.row, 1,
                             NULL, 0);
    } else {
        copy_shared(world, to_chunk, to, to_place.row, from_chunk, from, from_place.row);
    }
    cni_row_remove(world, from_place);
    cni_structure_changed(world);
    return true;
}

/* ---- Whole archetypes ---- */

static bool same_columns(const Archetype *a, const Archetype *b)
{
    if (a->column_count != b->column_count)
        return false;
    for (uint32_t i = 0; i < a->column_count; i++)
        if (a->columns[i].component != b->columns[i].component)
            return false;
    return true;
}

/* Hands full chunks over as they are: rows keep their place, only the chunk's owner changes. */
static bool transfer_full_chunks(CnWorld *world, Archetype *from, Archetype *to)
{
    CniArchetype *source = &from->head, *target = &to->head;
    uint32_t full = 0;
    while (full < source->chunk_count &&
           world->chunks.items[source->chunk_ids[full]].count == to->full_capacity)
        full++;
    if (!full || !reserve_chunk_list(world, to, target->chunk_count + full))
        return !full;
    cni_rows_drop_spare(world, to);
    /* A partly filled chunk of the target stays the last one. */
    uint32_t kept = target->chunk_count;
    bool partial = kept && world->chunks.items[target->chunk_ids[kept - 1]].count <
                               to->full_capacity;
    uint32_t at = kept - partial, stride = target->tick_stride;
    memmove(target->chunk_ids + at + full, target->chunk_ids + at, partial * sizeof(uint32_t));
    memmove(target->ticks + (size_t)(at + full) * stride, target->ticks + (size_t)at * stride,
            partial * stride * sizeof(uint64_t));
    memcpy(target->chunk_ids + at, source->chunk_ids, full * sizeof(uint32_t));
    target->chunk_count += full;
    for (uint32_t i = at; i < target->chunk_count; i++) {
        CniChunk *chunk = &world->chunks.items[target->chunk_ids[i]];
        chunk->archetype = target;
        chunk->position = i;
        if (i < at + full)
            for (uint32_t t = 0; t < stride; t++)
                target->ticks[(size_t)i * stride + t] = world->tick;
    }
    source->chunk_count -= full;
    memmove(source->chunk_ids, source->chunk_ids + full, source->chunk_count * sizeof(uint32_t));
    memmove(source->ticks, source->ticks + (size_t)full * stride,
            (size_t)source->chunk_count * stride * sizeof(uint64_t));
    for (uint32_t i = 0; i < source->chunk_count; i++)
        world->chunks.items[source->chunk_ids[i]].position = i;
    uint32_t rows = full * to->full_capacity;
    from->row_count -= rows;
    to->row_count += rows;
    return true;
}

static void copy_rows(const CniChunk *to, const Column *to_column, uint32_t to_row,
                      const CniChunk *from, const Column *from_column, uint32_t from_row,
                      uint32_t count)
{
    uint8_t *target = cni_column_base(to, to_column);
    const uint8_t *source = cni_column_base(from, from_column);
    size_t size = to_column->size;
    if (!to_column->field_count)
        memcpy(target + to_row * size, source + from_row * size, count * size);
    for (uint32_t f = 0; f < to_column->field_count; f++) {
        const CnField *field = &to_column->fields[f];
        memcpy(target + (size_t)field->offset * to->capacity + (size_t)to_row * field->size,
               source + (size_t)field->offset * from->capacity + (size_t)from_row * field->size,
               (size_t)field->size * count);
    }
}

/* Appends rows [row, row + count) of a chunk to `to`; they fit its last chunk. */
static void append_rows(CnWorld *world, const CniChunk *from, const Archetype *from_archetype,
                        uint32_t row, uint32_t count, Archetype *to)
{
    uint32_t position = to->head.chunk_count - 1, id = to->head.chunk_ids[position];
    CniChunk *chunk = &world->chunks.items[id];
    uint32_t at = chunk->count;
    const CnEntity *entities = cni_chunk_entities(from) + row;
    memcpy(cni_chunk_entities(chunk) + at, entities, count * sizeof *entities);
    for (uint32_t i = 0; i < count; i++)
        cni_slot(&world->slots, cn_entity_index(entities[i]))->location =
            cni_location((Place){id, at + i});
    const Column *f = from_archetype->columns, *f_end = f + from_archetype->column_count;
    for (uint32_t c = 0; c < to->column_count; c++) {
        const Column *column = &to->columns[c];
        while (f < f_end && f->component < column->component)
            f++;
        if (f < f_end && f->component == column->component)
            copy_rows(chunk, column, at, from, f, row, count);
        else
            cni_values_write(world, chunk, column, at, count, NULL, 0);
    }
    chunk->count = (uint16_t)(chunk->count + count);
    to->row_count += count;
    to->head.ticks[(size_t)position * to->head.tick_stride] = world->tick;
}

bool cni_rows_move_all(CnWorld *world, Archetype *from, Archetype *to)
{
    if (!from->row_count)
        return true;
    cni_structure_changed(world);
    if (same_columns(from, to) && !transfer_full_chunks(world, from, to))
        return false;
    /* From the last chunk backwards, from its last rows: what is left stays dense. */
    while (from->head.chunk_count) {
        uint32_t id = from->head.chunk_ids[from->head.chunk_count - 1];
        while (world->chunks.items[id].count) {
            CniArchetype *head = &to->head;
            CniChunk *target =
                head->chunk_count ? &world->chunks.items[head->chunk_ids[head->chunk_count - 1]]
                                  : NULL;
            if (!target || target->count == target->capacity) {
                if (!cni_rows_extend(world, to))
                    return false;
                target = &world->chunks.items[head->chunk_ids[head->chunk_count - 1]];
            }
            CniChunk *source = &world->chunks.items[id];
            uint32_t room = (uint32_t)target->capacity - target->count;
            uint32_t count = source->count < room ? source->count : room;
            append_rows(world, source, from, source->count - count, count, to);
            source->count = (uint16_t)(source->count - count);
            from->row_count -= count;
        }
        cni_rows_drop_last_chunk(world, from);
    }
    return true;
}

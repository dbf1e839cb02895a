#include "store.h"

/* ---- Chunks ---- */

static uint32_t chunk_class(const Archetype *archetype, uint32_t capacity)
{
    uint32_t fitting = cni_block_class((size_t)capacity * archetype->row_bytes);
    return fitting < CNI_CHUNK_MIN_CLASS ? CNI_CHUNK_MIN_CLASS : fitting;
}

void cni_chunk_list_free(CnWorld *world, Archetype *archetype)
{
    if (archetype->chunk_list_class)
        cni_block_release(&world->core_blocks, archetype->head.ticks, archetype->chunk_list_class);
}

/* Room for this many chunks in the archetype's lists. */
static bool reserve_chunk_list(CnWorld *world, Archetype *archetype, uint32_t needed)
{
    if (needed <= archetype->chunk_capacity)
        return true;
    CniArchetype *head = &archetype->head;
    size_t tick_bytes = head->tick_stride * sizeof *head->ticks;
    size_t bytes = tick_bytes + sizeof *head->chunk_ids; /* of one chunk */
    uint32_t old = archetype->chunk_capacity, block_class = cni_block_class(needed * bytes);
    /* First the ticks, then the ids. */
    uint64_t *ticks = cni_block_acquire(&world->core_blocks, block_class);
    if (!ticks)
        return false;
    uint32_t capacity = (uint32_t)(((size_t)1 << block_class) / bytes);
    uint32_t *ids = (uint32_t *)(void *)((uint8_t *)ticks + capacity * tick_bytes);
    if (old) {
        memcpy(ticks, head->ticks, old * tick_bytes);
        memcpy(ids, head->chunk_ids, old * sizeof *ids);
    }
    cni_chunk_list_free(world, archetype);
    head->ticks = ticks;
    head->chunk_ids = ids;
    archetype->chunk_capacity = capacity;
    archetype->chunk_list_class = block_class;
    return true;
}

/* All chunks of an archetype have the same capacity, so that columns have one place in all. */
static void set_capacity(Archetype *archetype, uint32_t capacity)
{
    const Column *first = archetype->columns;
    if (!archetype->column_count || first->offset == first->prefix * capacity)
        return;
    for (uint32_t i = 0; i < archetype->column_count; i++)
        archetype->columns[i].offset = archetype->columns[i].prefix * capacity;
    for (uint32_t i = 0; i <= archetype->head.lookup_mask; i++) {
        CniColumnSlot *slot = &archetype->head.lookup[i];
        if (slot->component != CNI_ABSENT)
            slot->offset = archetype->columns[slot->column].offset;
    }
    cni_archetype_refresh_edges(archetype);
}

/* Where two columns have the same place, the first gets it. */
static void set_near_columns(CniChunk *chunk, const Archetype *archetype)
{
    for (uint32_t i = 0; i < CNI_NEAR_COLUMNS; i++)
        chunk->near_columns[i] = (CniNearColumn){.component = CNI_ABSENT};
    for (uint32_t c = archetype->column_count; c-- > 0;) {
        const Column *column = &archetype->columns[c];
        if (!column->field_count && column->offset <= UINT16_MAX && column->size <= UINT16_MAX)
            chunk->near_columns[column->component % CNI_NEAR_COLUMNS] = (CniNearColumn){
                column->component, (uint16_t)column->offset, (uint16_t)column->size};
    }
}

/* Room for `count` new chunks in the world's table, and for freeing all there are. */
static bool reserve_chunk_ids(CnWorld *world, uint32_t count)
{
    uint64_t needed = (uint64_t)world->chunks.count + count;
    bool has_room = needed <= CN_MAX_CHUNKS && cn_array_reserve(&world->chunks, needed);
    world->head.chunks = world->chunks.items; /* also when what follows fails */
    return has_room && cn_array_reserve(&world->free_chunks, world->chunks.capacity);
}

static bool chunk_create(CnWorld *world, Archetype *archetype, uint32_t capacity)
{
    CniArchetype *head = &archetype->head;
    if (!reserve_chunk_list(world, archetype, head->chunk_count + 1))
        return false;
    if (!world->free_chunks.count && !reserve_chunk_ids(world, 1))
        return false;
    uint8_t *data = cni_block_acquire(&world->blocks, chunk_class(archetype, capacity));
    if (!data)
        return false;
    uint32_t id =
        world->free_chunks.count ? cn_array_pop(&world->free_chunks) : world->chunks.count++;
    if (!head->chunk_count)
        set_capacity(archetype, capacity);
    uint32_t position = head->chunk_count++;
    head->chunk_ids[position] = archetype->head.tail = id;
    CniChunk *chunk = &world->chunks.items[id];
    *chunk = (CniChunk){
        .data = data, .archetype = head, .capacity = (uint16_t)capacity, .position = position};
    set_near_columns(chunk, archetype);
    if (head->tick_stride)
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
static bool chunk_grow(CnWorld *world, Archetype *archetype, CniChunk *chunk, uint32_t capacity)
{
    uint32_t old = chunk->capacity;
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
    set_capacity(archetype, capacity);
    set_near_columns(chunk, archetype);
    return true;
}

bool cni_rows_extend(CnWorld *world, Archetype *archetype)
{
    CniArchetype *head = &archetype->head;
    if (archetype->has_spare) {
        archetype->has_spare = false;
        head->chunk_count = 1;
        archetype->head.tail = head->chunk_ids[0];
        return true;
    }
    if (!head->chunk_count) {
        uint32_t rows = CN_CHUNK_MIN_ROWS;
        return chunk_create(world, archetype,
                            rows < archetype->full_capacity ? rows : archetype->full_capacity);
    }
    CniChunk *last = &world->chunks.items[head->chunk_ids[head->chunk_count - 1]];
    if (last->capacity < archetype->full_capacity) {
        uint32_t doubled = last->capacity * 2u;
        return chunk_grow(world, archetype, last,
                          doubled < archetype->full_capacity ? doubled : archetype->full_capacity);
    }
    return chunk_create(world, archetype, archetype->full_capacity);
}

void cni_rows_drop_last_chunk(CnWorld *world, Archetype *archetype)
{
    CniArchetype *head = &archetype->head;
    uint32_t position = --head->chunk_count;
    uint32_t id = head->chunk_ids[position];
    archetype->head.tail = position ? head->chunk_ids[position - 1] : CNI_NO_CHUNK;
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

void cni_value_write_fields(const CniChunk *chunk, const Column *column, uint32_t row,
                            const void *value)
{
    uint8_t *base = cni_column_base(chunk, column);
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        cni_copy(base + (size_t)field->offset * chunk->capacity + (size_t)row * field->size,
                 (const uint8_t *)value + field->offset, field->size);
    }
}

void cni_value_read(const CniChunk *chunk, const Column *column, uint32_t row, void *value)
{
    const uint8_t *base = cni_column_base(chunk, column);
    if (CN_LIKELY(!column->field_count)) {
        cni_copy(value, base + (size_t)row * column->size, column->size);
        return;
    }
    memset(value, 0, column->size); /* padding */
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        cni_copy((uint8_t *)value + field->offset,
                 base + (size_t)field->offset * chunk->capacity + (size_t)row * field->size,
                 field->size);
    }
}

static void fill_rows(uint8_t *to, size_t size, size_t count, const uint8_t *from, uint32_t stride)
{
    if (stride == size) {
        memcpy(to, from, size * count);
    } else if (stride) {
        for (size_t i = 0; i < count; i++)
            cni_copy(to + i * size, from + i * stride, size);
    } else if (count) {
        /* What is there is copied behind itself until it fills the rows. */
        cni_copy(to, from, size);
        for (size_t done = 1; done < count; done *= 2)
            memcpy(to + done * size, to, (done < count - done ? done : count - done) * size);
    }
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

/* Copies a value laid out by fields. */
static void copy_fields(uint8_t *target, uint32_t to_capacity, uint32_t to_row,
                        const uint8_t *source, uint32_t from_capacity, uint32_t from_row,
                        const Column *column)
{
    for (uint32_t f = 0; f < column->field_count; f++) {
        const CnField *field = &column->fields[f];
        cni_copy(target + (size_t)field->offset * to_capacity + (size_t)to_row * field->size,
                 source + (size_t)field->offset * from_capacity + (size_t)from_row * field->size,
                 field->size);
    }
}

/* Copies one value between two chunks; the columns are the same component's. */
static inline __attribute__((always_inline)) void
copy_row(const CniChunk *to, const Column *to_column, uint32_t to_row, const CniChunk *from,
         const Column *from_column, uint32_t from_row)
{
    uint8_t *target = cni_column_base(to, to_column);
    const uint8_t *source = cni_column_base(from, from_column);
    uint32_t size = to_column->size;
    if (CN_LIKELY(!to_column->field_count))
        cni_copy(target + (size_t)to_row * size, source + (size_t)from_row * size, size);
    else
        copy_fields(target, to->capacity, to_row, source, from->capacity, from_row, to_column);
}

/* ---- Rows ---- */

/* Inlined into its callers below. */
static inline __attribute__((always_inline)) void remove_row(CnWorld *world, CniChunk *chunk,
                                                             Archetype *archetype, Place place)
{
    CniChunk *last = &world->chunks.items[archetype->head.tail];
    const size_t last_row = --last->count;
    chunk->changed = last->changed = world->head.tick;
    if (CN_LIKELY(chunk != last || place.row != last_row)) {
        uint8_t *const data = chunk->data;
        const uint8_t *const last_data = last->data;
        CnEntity moved = ((const CnEntity *)(const void *)last_data)[last_row];
        ((CnEntity *)(void *)data)[place.row] = moved;
        cni_world_slot(world, cn_entity_index(moved))->location = cni_location(place);
        const Column *column = archetype->columns, *end = column + archetype->column_count;
        if (CN_LIKELY(!archetype->has_field_columns))
            for (; column < end; column++) {
                size_t size = column->size;
                cni_copy(data + column->offset + place.row * size,
                         last_data + column->offset + last_row * size, size);
            }
        else
            for (; column < end; column++)
                copy_row(chunk, column, place.row, last, column, (uint32_t)last_row);
    }
    if (CN_UNLIKELY(last_row == 0))
        cni_rows_drop_last_chunk(world, archetype);
}

void cni_row_remove(CnWorld *world, Place place)
{
    CniChunk *chunk = &world->chunks.items[place.chunk];
    CN_ASSERT(place.row < chunk->count, "row %u of a chunk with %u", place.row, chunk->count);
    remove_row(world, chunk, cni_chunk_archetype(chunk), place);
}

bool cni_row_move(CnWorld *world, Slot *slot, CnEntity entity, Archetype *to)
{
    Place hole = cni_place(slot->location), place;
    if (!cni_row_append(world, to, entity, slot, &place))
        return false;
    const CniChunk *source = &world->chunks.items[hole.chunk];
    const CniChunk *target = &world->chunks.items[place.chunk];
    const Archetype *from = cni_chunk_archetype(source);
    const Column *f = from->columns, *f_end = f + from->column_count;
    for (uint32_t i = 0; i < to->column_count; i++) {
        const Column *column = &to->columns[i];
        while (f < f_end && f->component < column->component)
            f++;
        if (f < f_end && f->component == column->component)
            copy_row(target, column, place.row, source, f, hole.row);
        else
            cni_values_write(world, target, column, place.row, 1, NULL, 0);
    }
    cni_row_remove(world, hole);
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

/* Moves the ticks of `count` chunks. Archetypes without columns have none. */
static void move_ticks(CniArchetype *to, uint32_t at, const CniArchetype *from, uint32_t first,
                       uint32_t count)
{
    size_t stride = to->tick_stride;
    if (stride && count)
        memmove(to->ticks + at * stride, from->ticks + first * stride,
                count * stride * sizeof(uint64_t));
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
    uint32_t kept = target->chunk_count;
    CniChunk *only = kept == 1 ? &world->chunks.items[to->head.tail] : NULL;
    if (only && only->capacity < to->full_capacity &&
        !chunk_grow(world, to, only, to->full_capacity))
        return false;
    cni_rows_drop_spare(world, to);
    set_capacity(to, to->full_capacity);
    /* A partly filled chunk of the target stays the last one. */
    bool partial =
        kept && world->chunks.items[target->chunk_ids[kept - 1]].count < to->full_capacity;
    uint32_t at = kept - partial;
    memmove(target->chunk_ids + at + full, target->chunk_ids + at, partial * sizeof(uint32_t));
    move_ticks(target, at + full, target, at, partial);
    memcpy(target->chunk_ids + at, source->chunk_ids, full * sizeof(uint32_t));
    move_ticks(target, at, source, 0, full);
    target->chunk_count += full;
    for (uint32_t i = at; i < target->chunk_count; i++) {
        CniChunk *chunk = &world->chunks.items[target->chunk_ids[i]];
        chunk->archetype = target;
        chunk->position = i;
        if (i < at + full)
            chunk->changed = world->head.tick;
    }
    source->chunk_count -= full;
    memmove(source->chunk_ids, source->chunk_ids + full, source->chunk_count * sizeof(uint32_t));
    move_ticks(source, 0, source, full, source->chunk_count);
    for (uint32_t i = 0; i < source->chunk_count; i++)
        world->chunks.items[source->chunk_ids[i]].position = i;
    to->head.tail = target->chunk_ids[target->chunk_count - 1];
    if (!source->chunk_count)
        from->head.tail = CNI_NO_CHUNK;
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

/* Lets the slots of entities know that they lie behind one another from a place on. */
static void point_slots(const CnWorld *world, const CnEntity *entities, uint32_t count, Place first)
{
    const uint32_t location = cni_location(first);
#pragma GCC unroll 4
    for (uint32_t i = 0; i < count; i++)
        cni_world_slot(world, cn_entity_index(entities[i]))->location = location + i;
}

void cni_rows_copy(const CnWorld *world, Place place, const CniChunk *from, uint32_t row,
                   uint32_t count)
{
    const CniChunk *to = &world->chunks.items[place.chunk];
    const Archetype *archetype = cni_chunk_archetype(to), *source = cni_chunk_archetype(from);
    const CnEntity *entities = cni_chunk_entities(from) + row;
    memcpy(cni_chunk_entities(to) + place.row, entities, count * sizeof *entities);
    point_slots(world, entities, count, place);
    for (uint32_t c = 0; c < archetype->column_count; c++)
        copy_rows(to, &archetype->columns[c], place.row, from, &source->columns[c], row, count);
}

/* Appends rows [row, row + count) of a chunk to `to`; they fit its last chunk. */
static void append_rows(CnWorld *world, const CniChunk *from, const Archetype *from_archetype,
                        uint32_t row, uint32_t count, Archetype *to)
{
    uint32_t id = to->head.tail;
    CniChunk *chunk = &world->chunks.items[id];
    uint32_t at = chunk->count;
    const CnEntity *entities = cni_chunk_entities(from) + row;
    memcpy(cni_chunk_entities(chunk) + at, entities, count * sizeof *entities);
    point_slots(world, entities, count, (Place){id, at});
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
    chunk->changed = world->head.tick;
}

/* Moves `count` rows of a chunk onto others of the same archetype; the slots follow. */
static void shift_rows(CnWorld *world, const Archetype *archetype, Place to, Place from,
                       uint32_t count)
{
    const CniChunk *target = &world->chunks.items[to.chunk];
    const CniChunk *source = &world->chunks.items[from.chunk];
    const CnEntity *entities = cni_chunk_entities(source) + from.row;
    memcpy(cni_chunk_entities(target) + to.row, entities, count * sizeof *entities);
    point_slots(world, entities, count, to);
    for (uint32_t c = 0; c < archetype->column_count; c++)
        copy_rows(target, &archetype->columns[c], to.row, source, &archetype->columns[c], from.row,
                  count);
}

/* Fills `count` rows that have left with the archetype's last rows. */
static void close_gap(CnWorld *world, Archetype *archetype, Place gap, uint32_t count)
{
    while (count) {
        uint32_t tail = archetype->head.tail, taken;
        CniChunk *last = &world->chunks.items[tail];
        if (tail == gap.chunk) {
            uint32_t behind = last->count - (gap.row + count);
            uint32_t shifted = behind < count ? behind : count;
            shift_rows(world, archetype, gap, (Place){tail, last->count - shifted}, shifted);
            taken = count;
        } else {
            taken = last->count < count ? last->count : count;
            shift_rows(world, archetype, gap, (Place){tail, last->count - taken}, taken);
            world->chunks.items[gap.chunk].changed = world->head.tick;
            gap.row += taken;
        }
        count -= taken;
        last->count = (uint16_t)(last->count - taken);
        last->changed = world->head.tick;
        if (!last->count)
            cni_rows_drop_last_chunk(world, archetype);
    }
}

uint32_t cni_rows_move_range(CnWorld *world, Place first, uint32_t count, Archetype *to)
{
    Archetype *from = cni_chunk_archetype(&world->chunks.items[first.chunk]);
    uint32_t moved = 0;
    while (moved < count && cni_rows_make_room(world, to)) {
        const CniChunk *target = &world->chunks.items[to->head.tail];
        uint32_t room = (uint32_t)target->capacity - target->count, left = count - moved;
        uint32_t piece = left < room ? left : room;
        append_rows(world, &world->chunks.items[first.chunk], from, first.row + moved, piece, to);
        moved += piece;
    }
    close_gap(world, from, first, moved);
    cni_structure_changed(world);
    return moved;
}

/* Room for some rows, and for all of them if the last chunk can grow so far: the order of rows must
 * not depend on how large it happens to be. */
static bool make_room_for(CnWorld *world, Archetype *archetype, uint32_t rows)
{
    if (!cni_rows_make_room(world, archetype))
        return false;
    for (;;) {
        const CniChunk *last = &world->chunks.items[archetype->head.tail];
        if ((uint32_t)last->capacity - last->count >= rows ||
            last->capacity == archetype->full_capacity)
            return true;
        if (!cni_rows_extend(world, archetype))
            return false;
    }
}

bool cni_rows_reserve(CnWorld *world, const Archetype *from, Archetype *to)
{
    uint32_t rows = cni_archetype_rows(world, from), full = to->full_capacity, handed_over = 0;
    if (same_columns(from, to) && rows > full) {
        handed_over = from->head.chunk_count;
        rows = full; /* at most this many are left for copying */
    }
    /* Each step of a first chunk that grows, and then full ones. */
    uint32_t blocks[CNI_BLOCK_CLASSES] = {0}, chunks = rows / full + 1;
    for (uint32_t capacity = CN_CHUNK_MIN_ROWS; capacity < full; capacity *= 2)
        blocks[chunk_class(to, capacity)]++;
    blocks[chunk_class(to, full)] += chunks + 1;
    for (uint32_t c = 0; c < CNI_BLOCK_CLASSES; c++)
        if (blocks[c] && !cni_blocks_reserve(&world->blocks, c, blocks[c]))
            return false;
    uint32_t ids = chunks > world->free_chunks.count ? chunks - world->free_chunks.count : 0;
    return reserve_chunk_list(world, to, to->head.chunk_count + handed_over + chunks) &&
           reserve_chunk_ids(world, ids);
}

/* Counts the chunks and blocks that appending so many rows takes, as cni_rows_extend goes about it. */
static uint32_t count_blocks(const CnWorld *world, const Archetype *archetype, uint32_t rows,
                             uint32_t blocks[CNI_BLOCK_CLASSES])
{
    const CniArchetype *head = &archetype->head;
    uint32_t full = archetype->full_capacity, chunks = head->chunk_count, created = 0;
    const CniChunk *last = chunks || archetype->has_spare
                               ? &world->chunks.items[head->chunk_ids[chunks ? chunks - 1 : 0]]
                               : NULL;
    uint32_t capacity = last ? last->capacity : 0, used = last && chunks ? last->count : 0;
    while (rows > capacity - used) {
        if (capacity && capacity < full) {
            capacity = capacity * 2 < full ? capacity * 2 : full;
        } else {
            rows -= capacity - used;
            used = 0;
            capacity = capacity || CN_CHUNK_MIN_ROWS > full ? full : CN_CHUNK_MIN_ROWS;
            created++;
        }
        blocks[chunk_class(archetype, capacity)]++;
    }
    return created;
}

bool cni_rows_reserve_wanted(CnWorld *world, Archetype *const *archetypes, uint32_t count)
{
    uint32_t blocks[CNI_BLOCK_CLASSES] = {0}, chunks = 0;
    bool has_room = true;
    for (uint32_t i = 0; i < count; i++) {
        Archetype *archetype = archetypes[i];
        if (!archetype->wanted_rows)
            continue;
        uint32_t created = count_blocks(world, archetype, archetype->wanted_rows, blocks);
        archetype->wanted_rows = 0;
        chunks += created;
        has_room =
            has_room && reserve_chunk_list(world, archetype, archetype->head.chunk_count + created);
    }
    if (!has_room)
        return false;
    for (uint32_t c = 0; c < CNI_BLOCK_CLASSES; c++)
        if (blocks[c] && !cni_blocks_reserve(&world->blocks, c, blocks[c]))
            return false;
    uint32_t ids = chunks > world->free_chunks.count ? chunks - world->free_chunks.count : 0;
    return reserve_chunk_ids(world, ids);
}

bool cni_rows_move_all(CnWorld *world, Archetype *from, Archetype *to)
{
    if (!from->head.chunk_count)
        return true;
    cni_structure_changed(world);
    if (same_columns(from, to) && !transfer_full_chunks(world, from, to))
        return false;
    /* From the last chunk backwards, from its last rows: what is left stays dense. */
    while (from->head.chunk_count) {
        uint32_t id = from->head.tail;
        while (world->chunks.items[id].count) {
            if (!make_room_for(world, to, world->chunks.items[id].count))
                return false;
            const CniChunk *target = &world->chunks.items[to->head.tail];
            CniChunk *source = &world->chunks.items[id];
            uint32_t room = (uint32_t)target->capacity - target->count;
            uint32_t count = source->count < room ? source->count : room;
            append_rows(world, source, from, source->count - count, count, to);
            source->count = (uint16_t)(source->count - count);
        }
        cni_rows_drop_last_chunk(world, from);
    }
    return true;
}

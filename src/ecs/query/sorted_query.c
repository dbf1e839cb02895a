/* Sorted queries: entities are kept in order. */
#include "ecs/snapshot/snapshot_format.h"

typedef struct SortedItem {
    uint64_t key; /* of the field; keys compare like the values */
    CnEntity entity;
    uint32_t chunk, row;
} SortedItem;

typedef CN_ARRAY(SortedItem) SortedItems;

/* The state of a chunk since the last update. */
enum { CHUNK_UNKNOWN, CHUNK_CLEAN, CHUNK_WRITTEN, CHUNK_REBUILT };

typedef struct ChunkState {
    uint32_t update; /* the update that last visited it; 0: none */
    uint32_t state;
    CniEcsFieldColumn field; /* of a written chunk, if the query sorts by a field */
} ChunkState;

struct CnSortedQuery {
    CnWorld *world;
    CnQuery *query;
    uint32_t by;
    uint32_t term; /* of `by` in the query */
    const CnField *field;
    CnCompareFn compare;
    void *user;
    bool descending;
    SortedItems items;           /* in order */
    SortedItems fresh;           /* temporary: items that are not in order yet */
    SortedItems merged;          /* temporary */
    CN_ARRAY(ChunkState) chunks; /* indexed by chunk number */
    uint64_t tick;               /* of the last update */
    uint32_t update, loads, structure;
    uint32_t chunk_count; /* visited in the last update */
};

/* ---- Values ---- */

/* Returns a number whose order as an unsigned integer is that of the values. */
static uint64_t key_of(CnFieldType type, const void *value)
{
    const uint64_t top = (uint64_t)1 << 63;
    uint64_t bits = 0;
    memcpy(&bits, value, cn_field_type_size(type));
    switch (type) {
    case CN_FIELD_F32:
        bits <<= 32;
        return bits & top ? ~bits : bits | top;
    case CN_FIELD_F64:
        return bits & top ? ~bits : bits | top;
    case CN_FIELD_I8:
        return (bits << 56) ^ top;
    case CN_FIELD_I16:
        return (bits << 48) ^ top;
    case CN_FIELD_I32:
        return (bits << 32) ^ top;
    case CN_FIELD_I64:
        return bits ^ top;
    case CN_FIELD_ENTITY:
        return bits << 32 | bits >> 32; /* index, then generation */
    default:
        return bits;
    }
}

static const void *value_of(const CnSortedQuery *sorted, uint32_t chunk_id, uint32_t row)
{
    const CniEcsChunk *chunk = &sorted->world->chunks.items[chunk_id];
    const CniEcsColumn *column =
        cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), sorted->by);
    return cni_ecs_column_values(chunk, column) + (size_t)row * column->size;
}

static bool precedes(const CnSortedQuery *sorted, const SortedItem *a, const SortedItem *b)
{
    int order = sorted->field ? (a->key > b->key) - (a->key < b->key)
                              : sorted->compare(value_of(sorted, a->chunk, a->row),
                                                value_of(sorted, b->chunk, b->row), sorted->user);
    if (order)
        return sorted->descending ? order > 0 : order < 0;
    return cn_entity_index(a->entity) < cn_entity_index(b->entity);
}

/* ---- Sorting ---- */

static void merge(const CnSortedQuery *sorted, const SortedItem *a, uint32_t a_count,
                  const SortedItem *b, uint32_t b_count, SortedItem *to)
{
    const SortedItem *a_end = a + a_count, *b_end = b + b_count;
    while (a < a_end && b < b_end)
        *to++ = precedes(sorted, b, a) ? *b++ : *a++;
    if (a < a_end)
        memcpy(to, a, (size_t)(a_end - a) * sizeof *to);
    if (b < b_end)
        memcpy(to, b, (size_t)(b_end - b) * sizeof *to);
}

#define RUN 16u /* items sorted by insertion sort */

static void insertion_sort(const CnSortedQuery *sorted, SortedItem *items, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        SortedItem item = items[i];
        uint32_t at = i;
        for (; at && precedes(sorted, &item, &items[at - 1]); at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* `scratch` has room for `count` items. */
static void sort(const CnSortedQuery *sorted, SortedItem *items, uint32_t count,
                 SortedItem *scratch)
{
    for (uint32_t i = 0; i < count; i += RUN)
        insertion_sort(sorted, items + i, count - i < RUN ? count - i : RUN);
    SortedItem *from = items, *to = scratch;
    for (uint32_t width = RUN; width < count; width *= 2) {
        for (uint32_t i = 0; i < count; i += 2 * width) {
            uint32_t left = count - i < width ? count - i : width;
            uint32_t right = count - i - left < width ? count - i - left : width;
            merge(sorted, from + i, left, from + i + left, right, to + i);
        }
        SortedItem *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

/* ---- Finding what changed ---- */

static uint32_t state_of(const CnSortedQuery *sorted, const CniEcsQueryMatch *match,
                         const CniEcsChunk *chunk, const ChunkState *known)
{
    const uint64_t *ticks = cni_ecs_chunk_ticks(chunk);
    /* Writes in the tick of the last update may have happened after it. */
    if (known->update != sorted->update || chunk->changed >= sorted->tick)
        return CHUNK_REBUILT;
    return ticks[cni_ecs_column_tick_index(&cni_ecs_match_columns(match)[sorted->term])] >=
                   sorted->tick
               ? CHUNK_WRITTEN
               : CHUNK_CLEAN;
}

static bool reserve_chunks(CnSortedQuery *sorted)
{
    uint32_t count = sorted->world->chunks.count;
    if (!cn_array_reserve(&sorted->chunks, count))
        return false;
    while (sorted->chunks.count < count)
        sorted->chunks.items[sorted->chunks.count++] = (ChunkState){0};
    return true;
}

typedef struct ChunkScan {
    uint32_t chunks, rows; /* matching now */
    uint32_t fresh;        /* rows of chunks that are read again */
    bool has_changed;
} ChunkScan;

/* Examines each matching chunk. */
static ChunkScan scan_chunks(CnSortedQuery *sorted)
{
    const CnWorld *world = sorted->world;
    const CniEcsQueryHead *query = &sorted->query->head;
    ChunkScan found = {0};
    for (uint32_t m = 0; m < query->match_count; m++) {
        const CniEcsQueryMatch *match = cni_ecs_match(query, m);
        for (uint32_t c = 0; c < match->archetype->chunk_count; c++) {
            uint32_t id = match->archetype->chunk_ids[c];
            const CniEcsChunk *chunk = &world->chunks.items[id];
            ChunkState *known = &sorted->chunks.items[id];
            known->state = state_of(sorted, match, chunk, known);
            known->update = sorted->update + 1;
            if (known->state == CHUNK_WRITTEN && sorted->field)
                known->field = cni_ecs_field_column(
                    chunk, cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), sorted->by),
                    sorted->field);
            found.chunks++;
            found.rows += chunk->count;
            found.fresh += known->state == CHUNK_REBUILT ? chunk->count : 0;
            found.has_changed |= known->state != CHUNK_CLEAN;
        }
    }
    found.has_changed |= found.chunks != sorted->chunk_count; /* some chunks no longer match */
    return found;
}

/* ---- Updating ---- */

static void read_chunk(CnSortedQuery *sorted, uint32_t id)
{
    const CniEcsChunk *chunk = &sorted->world->chunks.items[id];
    CniEcsFieldColumn from = {NULL, 0};
    if (sorted->field)
        from = cni_ecs_field_column(
            chunk, cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), sorted->by),
            sorted->field);
    for (uint32_t row = 0; row < chunk->count; row++) {
        SortedItem *item = &sorted->fresh.items[sorted->fresh.count++];
        *item = (SortedItem){.entity = cni_ecs_chunk_entities(chunk)[row], .chunk = id, .row = row};
        if (sorted->field)
            item->key = key_of(sorted->field->type, from.first + row * from.step);
    }
}

static void read_rebuilt(CnSortedQuery *sorted)
{
    const CniEcsQueryHead *query = &sorted->query->head;
    for (uint32_t m = 0; m < query->match_count; m++) {
        const CniEcsArchetypeHead *archetype = cni_ecs_match(query, m)->archetype;
        for (uint32_t c = 0; c < archetype->chunk_count; c++)
            if (sorted->chunks.items[archetype->chunk_ids[c]].state == CHUNK_REBUILT)
                read_chunk(sorted, archetype->chunk_ids[c]);
    }
}

/* Keeps the items that are still in order and moves the others to `fresh`. If one value has
 * increased, only that item is moved rather than all items after it. */
static uint32_t keep_ordered(CnSortedQuery *sorted)
{
    uint32_t retained = 0;
    SortedItem *items = sorted->items.items, *fresh = sorted->fresh.items;
    for (uint32_t i = 0; i < sorted->items.count; i++) {
        const ChunkState *chunk = &sorted->chunks.items[items[i].chunk];
        if (chunk->update != sorted->update + 1 || chunk->state == CHUNK_REBUILT)
            continue;
        SortedItem item = items[i];
        if (chunk->state == CHUNK_WRITTEN && sorted->field)
            item.key =
                key_of(sorted->field->type, chunk->field.first + item.row * chunk->field.step);
        if (!retained || precedes(sorted, &items[retained - 1], &item)) {
            items[retained++] = item;
        } else if (retained == 1 || precedes(sorted, &items[retained - 2], &item)) {
            fresh[sorted->fresh.count++] = items[retained - 1];
            items[retained - 1] = item;
        } else {
            fresh[sorted->fresh.count++] = item;
        }
    }
    return retained;
}

static void finish(CnSortedQuery *sorted, uint32_t chunk_count)
{
    sorted->update++;
    sorted->tick = sorted->world->head.tick;
    sorted->loads = sorted->world->loads;
    sorted->structure = sorted->world->head.structure;
    sorted->chunk_count = chunk_count;
}

bool cn_sorted_query_update(CnSortedQuery *sorted)
{
    CN_ASSERT(sorted, "%s: sorted is NULL", __func__);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave updates a sorted query");
    if (!reserve_chunks(sorted))
        return false;
    if (sorted->loads != sorted->world->loads)
        sorted->update++; /* chunk numbers were reassigned: read all chunks */
    ChunkScan found = scan_chunks(sorted);
    if (!found.has_changed) {
        finish(sorted, found.chunks);
        return true;
    }
    /* At most all matching rows are out of order. */
    if (!cn_array_reserve(&sorted->fresh, found.rows) ||
        !cn_array_reserve(&sorted->merged, found.rows)) {
        sorted->update += 2; /* forget the state of all chunks and read them again */
        return false;
    }
    sorted->fresh.count = 0;
    read_rebuilt(sorted);
    uint32_t retained = keep_ordered(sorted);
    sort(sorted, sorted->fresh.items, sorted->fresh.count, sorted->merged.items);
    merge(sorted, sorted->items.items, retained, sorted->fresh.items, sorted->fresh.count,
          sorted->merged.items);
    sorted->merged.count = retained + sorted->fresh.count;
    SortedItems swap = sorted->items;
    sorted->items = sorted->merged;
    sorted->merged = swap;
    finish(sorted, found.chunks);
    return true;
}

/* ---- Reading ---- */

uint32_t cn_sorted_query_count(const CnSortedQuery *sorted)
{
    CN_ASSERT(sorted, "%s: sorted is NULL", __func__);
    return sorted->items.count;
}

uint32_t cn_sorted_query_entities(const CnSortedQuery *sorted, CnEntity *entities,
                                  uint32_t capacity)
{
    CN_ASSERT(sorted, "%s: sorted is NULL", __func__);
    for (uint32_t i = 0; i < sorted->items.count && i < capacity; i++)
        entities[i] = sorted->items.items[i].entity;
    return sorted->items.count;
}

CnSortedIter cn_sorted_iter(const CnSortedQuery *sorted)
{
    CN_ASSERT(sorted, "%s: sorted is NULL", __func__);
    CN_ASSERT(sorted->structure == sorted->world->head.structure,
              "the world's structure changed since the sorted query was updated");
    return (CnSortedIter){.sorted = sorted, .structure = sorted->structure};
}

static const CniEcsQueryColumn *columns_of(const CnQuery *query,
                                           const CniEcsArchetypeHead *archetype)
{
    uint32_t begin = 0, end = query->head.match_count;
    uint64_t serial = ((const CniEcsArchetype *)(const void *)archetype)->serial;
    while (end - begin > 1) {
        uint32_t middle = begin + (end - begin) / 2;
        if (cni_ecs_match_archetype(query, middle)->serial <= serial)
            begin = middle;
        else
            end = middle;
    }
    return cni_ecs_match_columns(cni_ecs_match(&query->head, begin));
}

bool cn_sorted_next(CnSortedIter *it, CnSortedRun *run)
{
    CN_ASSERT(it, "%s: it is NULL", __func__);
    CN_ASSERT(run, "%s: run is NULL", __func__);
    const CnSortedQuery *sorted = it->sorted;
    const CnWorld *world = sorted->world;
    CN_ASSERT(it->structure == world->head.structure,
              "the world's structure changed while a sorted query was iterated; use commands");
    if (it->structure != world->head.structure || it->next >= sorted->items.count)
        return false;
    const SortedItem *item = &sorted->items.items[it->next];
    uint32_t left = sorted->items.count - it->next, count = 1;
    while (count < left && item[count].chunk == item->chunk && item[count].row == item->row + count)
        count++;
    it->next += count;
    const CniEcsChunk *chunk = &world->chunks.items[item->chunk];
    run->first = item->row;
    run->count = count;
    run->view = cni_ecs_chunk_view(&sorted->query->head,
                                   columns_of(sorted->query, chunk->archetype), chunk);
    return true;
}

/* ---- Coming and going ---- */

static bool is_number(const CnField *field)
{
    switch (field->type) {
    case CN_FIELD_VEC2:
    case CN_FIELD_VEC3:
    case CN_FIELD_VEC4:
    case CN_FIELD_QUAT:
    case CN_FIELD_MAT4:
    case CN_FIELD_TEXT:
        return false;
    default:
        return field->count == 1;
    }
}

/* Determines the sort key of the query. Returns false and sets the error if it is invalid. */
static bool find_order(CnSortedQuery *sorted, const CnSortedQueryDesc *desc, CnError *error)
{
    const CnWorld *world = sorted->world;
    const CnComponentInfo *info = &world->components.items[sorted->by].info;
    const CnQuery *query = sorted->query;
    while (sorted->term < query->head.term_count && query->term_ids[sorted->term] != sorted->by)
        sorted->term++;
    if (sorted->term == query->head.term_count || !cn_bitset_has(&query->all, sorted->by))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a query sorted by %s must name it in `all`, with access", info->name);
    if (!desc->field) {
        if (desc->compare && info->layout == CN_LAYOUT_PACKED)
            return true;
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a query sorted by %s needs a field, or a comparison of packed values",
                            info->name);
    }
    sorted->field = cn_component_field(world, (CnComponent){sorted->by}, desc->field);
    if (!sorted->field || !is_number(sorted->field))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a query cannot be sorted by %s.%s, which is %s", info->name,
                            desc->field, sorted->field ? "not a number" : "unknown");
    return true;
}

CnSortedQuery *cn_sorted_query_create(CnWorld *world, const CnSortedQueryDesc *desc, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    CnSortedQuery *sorted = cn_alloc_zeroed(world->allocator, sizeof *sorted);
    if (!sorted) {
        cn_error_memory(error, "a sorted query");
        return NULL;
    }
    sorted->world = world;
    cn_array_init(&sorted->items, world->allocator);
    cn_array_init(&sorted->fresh, world->allocator);
    cn_array_init(&sorted->merged, world->allocator);
    cn_array_init(&sorted->chunks, world->allocator);
    sorted->by =
        cni_ecs_term_component(world, &(CnTerm){.type = desc->by, .component = desc->by_id}, error);
    sorted->query = sorted->by ? cn_query_acquire(world, &desc->query, error) : NULL;
    if (!sorted->query) {
        cn_sorted_query_destroy(sorted);
        return NULL;
    }
    sorted->compare = desc->compare;
    sorted->user = desc->user;
    sorted->descending = desc->descending;
    sorted->update = 1;
    sorted->structure = world->head.structure - 1; /* an update must come first */
    if (!find_order(sorted, desc, error)) {
        cn_sorted_query_destroy(sorted);
        return NULL;
    }
    return sorted;
}

void cn_sorted_query_destroy(CnSortedQuery *sorted)
{
    if (!sorted)
        return;
    CnAllocator *allocator = sorted->world->allocator;
    cn_query_release(sorted->query);
    cn_array_fini(&sorted->items);
    cn_array_fini(&sorted->fresh);
    cn_array_fini(&sorted->merged);
    cn_array_fini(&sorted->chunks);
    cn_free(allocator, sorted, sizeof *sorted);
}

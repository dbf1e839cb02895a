/* Archetypes, chunks and rows. */
#ifndef CAIRN_SRC_ECS_STORAGE_ROWS_H
#define CAIRN_SRC_ECS_STORAGE_ROWS_H

#include "ecs/storage/copy_value.h"
#include "ecs/world/world_data.h"

/* archetype.c */
CniEcsArchetype *cni_ecs_archetype_find_or_create(CnWorld *world, const uint32_t *ids,
                                                  uint32_t count);
void cni_ecs_archetype_destroy(CnWorld *world, CniEcsArchetype *archetype);
/* Removes an empty archetype from all queries. It keeps its position in the order of archetypes,
 * because trimming must not change the order in which entities are visited later. */
void cni_ecs_archetype_trim(CnWorld *world, CniEcsArchetype *archetype);
CniEcsArchetype *cni_ecs_archetype_toggle_slow(CnWorld *world, CniEcsArchetype *archetype,
                                               uint32_t component);
void cni_ecs_archetypes_fini(CnWorld *world);
/* Resets world->last_edges; called whenever edges move or are removed. */
void cni_ecs_edges_forget(CnWorld *world);
/* Updates edges after a change of column offsets or hooks. */
void cni_ecs_archetype_refresh_edges(const CniEcsArchetype *archetype);

static inline bool cni_ecs_archetype_has(const CniEcsArchetype *archetype, uint32_t component)
{
    uint32_t word = component >> 6;
    return word < archetype->word_count && (archetype->words[word] >> (component & 63u) & 1u);
}

/* Returns the column of a component; NULL if it is absent or a tag. */
static inline const CniEcsColumn *cni_ecs_archetype_column(const CniEcsArchetype *archetype,
                                                           uint32_t component)
{
    const CniEcsColumnSlot *slot = cni_ecs_column_slot(&archetype->head, component);
    return slot ? &archetype->columns[slot->column] : NULL;
}

/* Returns the data that queries store about a column. */
static inline CniEcsQueryColumn cni_ecs_archetype_query_column(const CnWorld *world,
                                                               const CniEcsArchetype *archetype,
                                                               uint32_t column)
{
    const CniEcsColumn *of = &archetype->columns[column];
    bool tracked = world->components.items[of->component].info.flags & CN_COMPONENT_TRACKED;
    return (CniEcsQueryColumn){of->prefix, column | (tracked ? CNI_ECS_TRACKED_COLUMN : 0)};
}

/* Returns an existing edge, or NULL. */
static inline const CniEcsArchetypeEdge *cni_ecs_archetype_edge(const CniEcsArchetype *archetype,
                                                                uint32_t component)
{
    const CniEcsArchetypeEdge *edge = &archetype->edges[component & archetype->edge_mask];
    if (CN_LIKELY(edge->component == component))
        return edge;
    while (edge->component && edge->component != component)
        edge = &archetype->edges[((uint32_t)(edge - archetype->edges) + 1) & archetype->edge_mask];
    return edge->component ? edge : NULL;
}

/* Returns the archetype with this component added or removed, whichever applies; NULL when out of
 * memory. */
static inline CniEcsArchetype *cni_ecs_archetype_toggle(CnWorld *world, CniEcsArchetype *archetype,
                                                        uint32_t component)
{
    const CniEcsArchetypeEdge *edge = cni_ecs_archetype_edge(archetype, component);
    return CN_LIKELY(edge != NULL) ? edge->to
                                   : cni_ecs_archetype_toggle_slow(world, archetype, component);
}

/* archetype_move.c: the step for an edge with a plan */
CniEcsMoveRowFn *cni_ecs_edge_step(const CniEcsArchetypeEdge *edge);

/* rows.c: chunks and rows */
typedef struct CniEcsRowRef {
    uint32_t chunk, row;
} CniEcsRowRef;

static inline CniEcsRowRef cni_ecs_row_ref(uint32_t location)
{
    CniEcsRowRef place = {location >> CNI_ECS_ROW_BITS, location & (CN_CHUNK_MAX_ROWS - 1u)};
    return place;
}

static inline uint32_t cni_ecs_row_ref_pack(CniEcsRowRef place)
{
    return place.chunk << CNI_ECS_ROW_BITS | place.row;
}

static inline CniEcsArchetype *cni_ecs_chunk_archetype(const CniEcsChunk *chunk)
{
    return (CniEcsArchetype *)(void *)chunk->archetype;
}

static inline CnEntity *cni_ecs_chunk_entities(const CniEcsChunk *chunk)
{
    return (CnEntity *)(void *)chunk->data + chunk->first;
}

static inline uint64_t *cni_ecs_chunk_ticks(const CniEcsChunk *chunk)
{
    const CniEcsArchetypeHead *head = chunk->archetype;
    return head->ticks + (size_t)chunk->position * head->tick_stride;
}

/* All chunks but the last are full. */
static inline uint32_t cni_ecs_archetype_rows(const CnWorld *world,
                                              const CniEcsArchetype *archetype)
{
    uint32_t chunks = archetype->head.chunk_count;
    return chunks ? (chunks - 1) * archetype->full_capacity +
                        world->chunks.items[archetype->head.tail].count
                  : 0;
}

/* Marks a column of a chunk as written now. */
static inline void cni_ecs_column_changed(const CnWorld *world, const CniEcsChunk *chunk,
                                          const CniEcsColumn *column)
{
    cni_ecs_chunk_ticks(chunk)[column - cni_ecs_chunk_archetype(chunk)->columns] = world->head.tick;
}

/* Returns the chunk's values of a packed column. */
static inline uint8_t *cni_ecs_column_values(const CniEcsChunk *chunk, const CniEcsColumn *column)
{
    return chunk->data + column->offset + (size_t)chunk->first * column->size;
}

/* Returns the chunk's values of one field of a column stored by fields. */
static inline uint8_t *cni_ecs_field_values(const CniEcsChunk *chunk, const CniEcsColumn *column,
                                            const CnField *field)
{
    return chunk->data + column->offset + (size_t)field->offset * chunk->archetype->stride +
           (size_t)chunk->first * field->size;
}

/* chunks.c: chunks and extents */
/* Adds a chunk to the archetype (or enlarges the first one), with room for at least one row.
 * Returns false when out of memory or chunks. */
bool cni_ecs_rows_extend(CnWorld *world, CniEcsArchetype *archetype);
/* Frees the last chunk, or keeps it as the spare. It has no rows. */
void cni_ecs_rows_drop_last_chunk(CnWorld *world, CniEcsArchetype *archetype);
void cni_ecs_rows_drop_spare(CnWorld *world, CniEcsArchetype *archetype);
/* Moves the rows of an archetype that has become smaller to a smaller extent. Returns false if they
 * stay in place. */
bool cni_ecs_rows_shrink(CnWorld *world, CniEcsArchetype *archetype);
void cni_ecs_chunk_list_free(CnWorld *world, CniEcsArchetype *archetype);
/* Makes room for this many chunks in the archetype's lists. */
bool cni_ecs_chunk_list_reserve(CnWorld *world, CniEcsArchetype *archetype, uint32_t needed);
/* Moves the rows of a non-empty archetype to an extent of the largest size, so that it can take
 * over chunks of such extents. */
bool cni_ecs_rows_enlarge(CnWorld *world, CniEcsArchetype *archetype);
/* Sets the column offsets of an archetype without chunks for extents of `stride` rows. */
void cni_ecs_archetype_set_stride(CniEcsArchetype *archetype, uint32_t stride);
/* The memory needed for appending rows without failure. */
typedef struct CniEcsRowRequirements {
    uint32_t blocks[CNI_ECS_BLOCK_CLASSES], chunks, extents;
} CniEcsRowRequirements;
/* Adds the memory needed for appending rows in the way of cni_ecs_rows_extend. Returns the number
 * of chunks to be created. */
uint32_t cni_ecs_rows_count_requirements(const CnWorld *world, const CniEcsArchetype *archetype,
                                         uint32_t rows, CniEcsRowRequirements *need);
bool cni_ecs_rows_reserve_requirements(CnWorld *world, const CniEcsRowRequirements *need);

/* rows.c */
/* Fills the hole with the archetype's last row. */
void cni_ecs_row_remove(CnWorld *world, CniEcsRowRef place);
/* Moves a live entity's row into another archetype: common columns are copied, and new ones hold
 * their default. When out of memory, returns false and changes nothing. */
bool cni_ecs_row_move(CnWorld *world, CniEcsSlot *slot, CnEntity entity, CniEcsArchetype *to);
void cni_ecs_value_write_fields(const CniEcsChunk *chunk, const CniEcsColumn *column, uint32_t row,
                                const void *value);
void cni_ecs_value_read(const CniEcsChunk *chunk, const CniEcsColumn *column, uint32_t row,
                        void *value);
/* Writes the same value (stride 0) or an array of values into `count` rows; NULL selects the
 * default. */
void cni_ecs_values_write(const CnWorld *world, const CniEcsChunk *chunk,
                          const CniEcsColumn *column, uint32_t row, uint32_t count,
                          const void *values, uint32_t stride);
/* Copies rows of another world's chunk, of an archetype with the same components, to rows of this
 * world and updates the slots of the entities. */
void cni_ecs_rows_copy(const CnWorld *world, CniEcsRowRef place, const CniEcsChunk *from,
                       uint32_t row, uint32_t count);
/* snapshot_apply.c: adds the archetype's next chunk, with room for `rows` if a chunk can hold as
 * many; NULL when out of memory. */
CniEcsChunk *cni_ecs_rows_next_chunk(CnWorld *world, CniEcsArchetype *archetype, uint32_t rows);
/* Moves consecutive rows of a chunk. Returns how many were moved before memory ran out. */
uint32_t cni_ecs_rows_move_range(CnWorld *world, CniEcsRowRef first, uint32_t count,
                                 CniEcsArchetype *to);
/* Ensures that all rows of one archetype can be moved to another. */
bool cni_ecs_rows_reserve(CnWorld *world, const CniEcsArchetype *from, CniEcsArchetype *to);
/* Ensures that the wanted rows of these archetypes can be appended and resets wanted_rows. An
 * archetype may be listed more than once. */
bool cni_ecs_rows_reserve_wanted(CnWorld *world, CniEcsArchetype *const *archetypes,
                                 uint32_t count);
/* Moves all rows of one archetype to another. When out of memory, returns false; rows that were
 * moved stay moved. */
bool cni_ecs_rows_move_all(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to);

static inline void cni_ecs_value_write(const CniEcsChunk *chunk, const CniEcsColumn *column,
                                       uint32_t row, const void *value)
{
    if (CN_LIKELY(!column->field_count)) {
        uint8_t *to = cni_ecs_column_values(chunk, column) + (size_t)row * column->size;
        cni_ecs_copy_recent_value(to, value, column->size);
    } else
        cni_ecs_value_write_fields(chunk, column, row, value);
}

/* Makes room for one more row. */
static inline bool cni_ecs_rows_reserve_one(CnWorld *world, CniEcsArchetype *archetype)
{
    if (CN_LIKELY(archetype->head.tail != CNI_ECS_NO_CHUNK)) {
        const CniEcsChunk *last = &world->chunks.items[archetype->head.tail];
        if (CN_LIKELY(last->count < last->capacity))
            return true;
    }
    return cni_ecs_rows_extend(world, archetype);
}

/* Appends a row for the entity and updates its slot; the columns are uninitialized. */
static inline bool cni_ecs_row_append(CnWorld *world, CniEcsArchetype *archetype, CnEntity entity,
                                      CniEcsSlot *slot, CniEcsRowRef *place)
{
    if (CN_UNLIKELY(!cni_ecs_rows_reserve_one(world, archetype)))
        return false;
    CniEcsChunk *chunk = &world->chunks.items[archetype->head.tail];
    *place = (CniEcsRowRef){archetype->head.tail, chunk->count++};
    cni_ecs_chunk_entities(chunk)[place->row] = entity;
    chunk->changed = world->head.tick;
    slot->location = cni_ecs_row_ref_pack(*place);
    return true;
}

#endif

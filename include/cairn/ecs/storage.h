/*
 * How a world stores entities, as far as inline functions read it. Not for direct use: everything
 * here may change, and writing to it breaks the world.
 *
 * A slot per entity index says where the entity lies: chunk and row. A chunk is a run of at most
 * CN_CHUNK_MAX_ROWS rows of one archetype: the unit of iteration, of change ticks and of jobs.
 *
 * Memory comes in extents of `stride` rows, which hold one or more chunks: first the ids of all
 * rows, then one column per component, `stride` values long. A column starts at prefix * stride,
 * where prefix is the number of bytes that the columns before it have per row, and chunks that
 * follow each other in an extent have adjacent runs of every column. All extents of an archetype
 * have the same stride, so that a column has the same offset in all of them. See
 * docs/architecture.md.
 */
#ifndef CAIRN_ECS_STORAGE_H
#define CAIRN_ECS_STORAGE_H

#include <cairn/ecs/component.h>

CN_EXTERN_C_BEGIN

#define CNI_ECS_PAGE_SLOTS 4096u
#define CNI_ECS_ROW_BITS 12u
#define CNI_ECS_ABSENT UINT32_MAX

typedef struct CniEcsSlot {
    uint32_t generation; /* odd: alive */
    uint32_t location;   /* chunk << CNI_ECS_ROW_BITS | row while alive */
} CniEcsSlot;

typedef struct CniEcsColumnSlot {
    uint32_t component; /* CNI_ECS_ABSENT: a free place of the table */
    uint32_t offset;    /* of the column in each extent of the archetype */
    uint32_t size;
    uint16_t column; /* among the archetype's columns */
    uint8_t by_fields;
    uint8_t is_tracked; /* see row_changes.h */
} CniEcsColumnSlot;

#define CNI_ECS_INLINE_TICKS 2u

typedef struct CniEcsArchetypeHead {
    uint32_t chunk_count; /* that have rows; all but the last are full */
    uint32_t tick_stride;
    uint32_t *chunk_ids;
    uint64_t *ticks; /* tick_stride per chunk: when each column was written */
    CniEcsColumnSlot *lookup;
    uint32_t lookup_mask;
    uint32_t tail; /* the last chunk with rows; CNI_ECS_ABSENT: none */
    /* The lists of an archetype with few columns and one chunk: one cache line with the rest. */
    uint64_t inline_ticks[CNI_ECS_INLINE_TICKS];
    uint32_t inline_id;
    uint32_t stride; /* rows of an extent */
} CniEcsArchetypeHead;
CN_STATIC_ASSERT(sizeof(CniEcsArchetypeHead) == 64, "one cache line");

#define CNI_ECS_CACHED_COLUMNS 4u

typedef struct CniEcsChunk {
    uint8_t *data; /* of the extent */
    CniEcsArchetypeHead *archetype;
    uint16_t count, capacity;
    uint32_t first;    /* row of the extent that is the chunk's row 0 */
    uint32_t position; /* in the archetype's list */
    /* Some packed columns again, at component % CNI_ECS_CACHED_COLUMNS: reading a component of an
     * entity then touches its slot, this record and the value, and nothing else. */
    uint32_t near_offsets[CNI_ECS_CACHED_COLUMNS];    /* of the chunk's first value from `data` */
    uint16_t near_components[CNI_ECS_CACHED_COLUMNS]; /* that of another place: there is none */
    uint8_t near_sizes[CNI_ECS_CACHED_COLUMNS];
    uint64_t changed; /* tick in which rows last came or went */
} CniEcsChunk;
CN_STATIC_ASSERT(sizeof(CniEcsChunk) == 64, "one cache line");
CN_STATIC_ASSERT(CN_MAX_COMPONENTS <= UINT16_MAX + 1, "near_components hold every id");

/* Where the data of a component is in an archetype; NULL: not there, or a tag. */
static inline const CniEcsColumnSlot *cni_ecs_column_slot(const CniEcsArchetypeHead *archetype,
                                                          uint32_t component)
{
    uint32_t i = component & archetype->lookup_mask;
    while (CN_UNLIKELY(archetype->lookup[i].component != component)) {
        if (archetype->lookup[i].component == CNI_ECS_ABSENT)
            return NULL;
        i = (i + 1) & archetype->lookup_mask;
    }
    return &archetype->lookup[i];
}

/* The slot of a live entity, or NULL. */
static inline CniEcsSlot *cni_ecs_live_slot(const CnWorld *world, CnEntity entity)
{
    const CniEcsWorldHead *head = (const CniEcsWorldHead *)(const void *)world;
    CniEcsSlot *const *pages = head->pages; /* unconditional, so that loops load it once */
    uint32_t index = cn_entity_index(entity), generation = cn_entity_generation(entity);
    if (CN_UNLIKELY(index / CNI_ECS_PAGE_SLOTS >= head->page_count))
        return NULL;
    CniEcsSlot *slot = &pages[index / CNI_ECS_PAGE_SLOTS][index % CNI_ECS_PAGE_SLOTS];
    return CN_LIKELY(slot->generation == generation && (generation & 1u)) ? slot : NULL;
}

/* Guards only: may the running system touch this component so? */
CN_API bool cni_ecs_may_read(const CnWorld *world, uint32_t component);
CN_API bool cni_ecs_may_write(const CnWorld *world, uint32_t component);
CN_API bool cni_ecs_may_send(const CnWorld *world, uint32_t component);
/* Which system, stage, query and component; `verb` is "read" or "write". */
CN_API const char *cni_ecs_access_text(const CnWorld *world, uint32_t component, const char *verb);

/* Where the packed column of a component is in a chunk; NULL: not there. */
static inline const CniEcsColumnSlot *cni_ecs_packed_column(const CniEcsChunk *chunk,
                                                            CnComponent component)
{
    const CniEcsColumnSlot *found = cni_ecs_column_slot(chunk->archetype, component.id);
    CN_ASSERT(!found || !found->by_fields,
              "component %u is laid out by fields: use cn_read or cn_get_field", component.id);
    return CN_LIKELY(found && !found->by_fields) ? found : NULL;
}

/* Notes a write to a tracked component of an entity. */
CN_API void cni_ecs_row_mark_written(const CnWorld *world, CnEntity entity, CnComponent component);

/* The row in the chunk. */
static inline size_t cni_ecs_row_of(const CniEcsSlot *slot)
{
    return slot->location & (CN_CHUNK_MAX_ROWS - 1u);
}

CN_EXTERN_C_END

#endif

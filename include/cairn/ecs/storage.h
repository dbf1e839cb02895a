/*
 * The storage of a world, as far as inline functions read it. Not for direct use: everything here
 * may change, and writing to it corrupts the world.
 *
 * A slot per entity index contains the location of the entity: chunk and row. A chunk is a run of
 * at most CN_CHUNK_MAX_ROWS rows of one archetype, and the unit of iteration, change ticks and
 * jobs.
 *
 * Memory is allocated in extents of `stride` rows, which hold one or more chunks. An extent
 * contains first the ids of all rows, then one column of `stride` values per component. A column
 * starts at prefix * stride, where prefix is the number of bytes per row of the preceding columns.
 * Chunks that are adjacent in an extent have adjacent runs of every column. All extents of an
 * archetype have the same stride, so a column has the same offset in all of them. See
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
    uint32_t component; /* CNI_ECS_ABSENT for an unused table entry */
    uint32_t offset;    /* of the column in each extent of the archetype */
    uint32_t size;
    uint16_t column; /* index among the archetype's columns */
    uint8_t by_fields;
    uint8_t is_tracked; /* see row_changes.h */
} CniEcsColumnSlot;

#define CNI_ECS_INLINE_TICKS 2u

typedef struct CniEcsArchetypeHead {
    uint32_t chunk_count; /* chunks with rows; all but the last are full */
    uint32_t tick_stride;
    uint32_t *chunk_ids;
    uint64_t *ticks; /* tick_stride per chunk: the last write to each column */
    CniEcsColumnSlot *lookup;
    uint32_t lookup_mask;
    uint32_t tail; /* the last chunk with rows, or CNI_ECS_ABSENT */
    /* Storage for chunk_ids and ticks of an archetype with few columns and one chunk, in the same
     * cache line. */
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
    uint32_t first;    /* first row in the extent */
    uint32_t position; /* in the archetype's list */
    /* A cache of packed columns, at index component % CNI_ECS_CACHED_COLUMNS. With it, reading a
     * component of an entity touches only its slot, this record and the value. */
    uint32_t near_offsets[CNI_ECS_CACHED_COLUMNS]; /* of the chunk's first value from `data` */
    uint16_t
        near_components[CNI_ECS_CACHED_COLUMNS]; /* an id that does not map to this index: unused */
    uint8_t near_sizes[CNI_ECS_CACHED_COLUMNS];
    uint64_t changed; /* tick in which rows were last added or removed */
} CniEcsChunk;
CN_STATIC_ASSERT(sizeof(CniEcsChunk) == 64, "one cache line");
CN_STATIC_ASSERT(CN_MAX_COMPONENTS <= UINT16_MAX + 1, "near_components hold every id");

/* Returns the column of a component in an archetype; NULL if it is absent or a tag. */
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

/* Returns the slot of a live entity, or NULL. */
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

/* For guards only: whether the running system may access this component. */
CN_API bool cni_ecs_may_read(const CnWorld *world, uint32_t component);
CN_API bool cni_ecs_may_write(const CnWorld *world, uint32_t component);
CN_API bool cni_ecs_may_send(const CnWorld *world, uint32_t component);
/* Returns a message with system, stage, query and component; `verb` is "read", "write" or
 * similar. */
CN_API const char *cni_ecs_access_text(const CnWorld *world, uint32_t component, const char *verb);

/* Returns the packed column of a component in a chunk; NULL if it is absent. */
static inline const CniEcsColumnSlot *cni_ecs_packed_column(const CniEcsChunk *chunk,
                                                            CnComponent component)
{
    const CniEcsColumnSlot *found = cni_ecs_column_slot(chunk->archetype, component.id);
    CN_ASSERT(!found || !found->by_fields,
              "component %u is laid out by fields: use cn_read or cn_get_field", component.id);
    return CN_LIKELY(found && !found->by_fields) ? found : NULL;
}

/* Records a write to a tracked component of an entity. */
CN_API void cni_ecs_row_mark_written(const CnWorld *world, CnEntity entity, CnComponent component);

/* Returns the row in the chunk. */
static inline size_t cni_ecs_row_of(const CniEcsSlot *slot)
{
    return slot->location & (CN_CHUNK_MAX_ROWS - 1u);
}

CN_EXTERN_C_END

#endif

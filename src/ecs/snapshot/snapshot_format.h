/*
 * Saved state. snapshot_content.c defines the content for all other files; snapshot_write.c writes
 * it; snapshot_read.c and snapshot_check_tree.c read and check it independently of any world;
 * snapshot_load.c compares it with a world, and snapshot_apply.c replaces the state of the world;
 * state_hash.c and state_fingerprint.c hash the state in place.
 *
 * The format of a snapshot: all numbers are little-endian and unaligned; a name is a u8 length and
 * UTF-8.
 *
 *     magic            8 bytes
 *     version          u32; changes with the format, and when components of the engine or their
 *                      fields get other names, because an unknown field is ignored
 *     slots            u32 first generation, u32 pages, u32 n, n * u32 absent pages as a stack,
 *                      u32 first and u32 end of the fresh range (0, 0: none),
 *                      u32 generation of every slot that is in a present page and not fresh,
 *                      u32 n, n * u32 free slots, the next one to be used first
 *     buffers          u32 ranks, u32 n, n * u32 rank of a command buffer (0: never spawned)
 *     components       u32 n, u32 number of pairs,
 *                      n * (name, u8 fields, fields * (name, u8 type, u32 count)), by name,
 *                      pairs * (u32 kind, u64 target), by kind and target
 *     archetypes       u32 n, in order of creation, the empty one first,
 *                      n * (u32 components, components * u32 position in the table above, rising,
 *                           u32 rows, rows * u64 entity,
 *                           for each component, for each field: a column of `rows` values)
 *     resources        u32 n, in order of creation, n * (u32 component, a value of each field)
 *     checksum         u64 XXH3 of everything before it
 *
 * Component ids are not saved. They follow the order of first uses, possibly by code that only
 * reads, and nothing visible to a program depends on them.
 *
 * A slot that is dead, not fresh and not free is retired; its generation is 0.
 */
#ifndef CAIRN_SRC_ECS_SNAPSHOT_SNAPSHOT_FORMAT_H
#define CAIRN_SRC_ECS_SNAPSHOT_SNAPSHOT_FORMAT_H

#include "ecs/command/command_buffer.h"

CN_STATIC_ASSERT(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "columns are copied as they are");

#define CNI_ECS_SNAPSHOT_MAGIC "CNWORLD\n"
#define CNI_ECS_SNAPSHOT_MAGIC_BYTES 8u
#define CNI_ECS_SNAPSHOT_VERSION 3u
#define CNI_ECS_SNAPSHOT_CHECKSUM_BYTES 8u
#define CNI_ECS_SNAPSHOT_MAX_RANK 4096u /* of a command buffer; higher ranks are not saved */

/* ---- snapshot_content.c: the saved content and its order ---- */

/* False for transient and opaque components, tags that follow pairs, and pairs that outlived their
 * target. */
bool cni_ecs_component_is_saved(const CnWorld *world, uint32_t component);

/* A text counts up to its terminator and as far as it is valid UTF-8, the rest as zeros; a bool is
 * 0 or 1; everything else is copied unchanged. */
void cni_ecs_field_copy(CnFieldType type, uint32_t size, uint8_t *to, size_t to_step,
                        const uint8_t *from, size_t from_step, uint32_t count);

uint32_t cni_ecs_field_alignment(CnFieldType type);

/* Whether structs can be hashed without gathering their fields. */
bool cni_ecs_component_has_no_padding(const CniEcsComponent *component);

/* The values of one field in a chunk. */
typedef struct CniEcsFieldColumn {
    uint8_t *first;
    size_t step;
} CniEcsFieldColumn;

static inline CniEcsFieldColumn
cni_ecs_field_column(const CniEcsChunk *chunk, const CniEcsColumn *column, const CnField *field)
{
    return column->field_count
               ? (CniEcsFieldColumn){cni_ecs_field_values(chunk, column, field), field->size}
               : (CniEcsFieldColumn){cni_ecs_column_values(chunk, column) + field->offset,
                                     column->size};
}

/* Archetypes that differ only in components that are not saved count as one group. A group takes
 * the position of its first archetype with rows (of its first one, if none has rows); the archetype
 * without components comes before all others. Its rows are those of its archetypes in sequence. */
typedef struct CniEcsArchetypeGroup {
    const CnWorld *world;
    const CniEcsArchetype *leader;
    bool merges;     /* there may be other archetypes */
    uint32_t anchor; /* its saved component with the fewest archetypes, or 0 */
    uint32_t row_count, component_count;
} CniEcsArchetypeGroup;

typedef struct CniEcsArchetypeGroupIter {
    const CnWorld *world;
    uint32_t next;
    bool merges;
} CniEcsArchetypeGroupIter;

CniEcsArchetypeGroupIter cni_ecs_archetype_groups(const CnWorld *world);
bool cni_ecs_archetype_group_next(CniEcsArchetypeGroupIter *iter, CniEcsArchetypeGroup *group);
/* Whether groups of several archetypes may exist; the group of an archetype. */
bool cni_ecs_archetype_groups_merge(const CnWorld *world);
CniEcsArchetypeGroup cni_ecs_archetype_group_of(const CnWorld *world,
                                                const CniEcsArchetype *archetype, bool merges);

/* Iterates over the chunks of a group that have rows. */
typedef struct CniEcsArchetypeGroupChunks {
    const CniEcsArchetypeGroup *group;
    const CniEcsArchetype *archetype;
    uint32_t member, chunk;
} CniEcsArchetypeGroupChunks;

CniEcsArchetypeGroupChunks cni_ecs_archetype_group_chunks(const CniEcsArchetypeGroup *group);
const CniEcsChunk *
cni_ecs_archetype_group_chunk_next(CniEcsArchetypeGroupChunks *chunks); /* NULL: no more */

/* Returns the generations of the slots of a page that are not fresh, and their number; 0 if the
 * page does not exist. */
uint32_t cni_ecs_slots_generations(const CniEcsSlots *slots, uint32_t page, uint32_t *generations);

/* Visits the free slots in pieces, the next one to be used first. Indices that command buffers own
 * or have assigned to entities that do not exist yet count as free, and come first, as after a
 * flush that returns them. */
typedef void (*CniEcsSlotNumbersFn)(const uint32_t *numbers, uint32_t count, void *user);
void cni_ecs_slots_each_free(const CnWorld *world, CniEcsSlotNumbersFn visit, void *user);

/* ---- snapshot_read.c: the checked content of a snapshot, independent of any world ---- */

typedef struct CniEcsSavedField {
    CnText name;
    CnFieldType type;
    uint32_t count, size;
    const CnField *field; /* destination, set when loading; NULL: ignored */
} CniEcsSavedField;

typedef struct CniEcsSavedComponent {
    CnText name;
    size_t at; /* byte in the data */
    uint32_t first_field, field_count;
    uint32_t bytes; /* of one value */
    uint32_t size;  /* of a struct with these fields, if the program does not define it */
    bool is_kind;   /* of some pair */
    bool is_new;    /* not registered in the world */
    bool is_whole;  /* its fields cover all bytes of the world's component */
    uint32_t id;    /* in the world */
} CniEcsSavedComponent;

typedef struct CniEcsSavedPair {
    uint32_t kind;
    CnEntity target;
    size_t at;
    uint32_t id; /* in the world; 0: not created yet */
} CniEcsSavedPair;

typedef struct CniEcsSavedArchetype {
    const uint8_t *components; /* u32 each */
    const uint8_t *rows;       /* entities, then columns */
    size_t at;
    uint32_t component_count, row_count;
} CniEcsSavedArchetype;

typedef struct CniEcsSavedResource {
    uint32_t component;
    const uint8_t *values;
    void *memory; /* for a resource that does not exist yet */
} CniEcsSavedResource;

typedef struct CniEcsSavedWorld {
    CnAllocator *allocator;

    uint32_t first_generation, page_count, hole_count, present_count;
    uint32_t fresh_next, fresh_end, free_count;
    uint32_t alive, retired;
    const uint8_t *holes, *generations, *free;
    uint32_t *page_order; /* position of a page among those present; UINT32_MAX: absent */

    uint32_t buffer_count, spawning_buffers;
    const uint8_t *ranks;

    CN_ARRAY(CniEcsSavedField) fields;
    CN_ARRAY(CniEcsSavedComponent) components;
    CN_ARRAY(CniEcsSavedPair) pairs;
    CN_ARRAY(CniEcsSavedArchetype) archetypes;
    CN_ARRAY(CniEcsSavedResource) resources;
} CniEcsSavedWorld;

/* Reads a snapshot. Returns false and sets the error if the data is invalid or when out of memory;
 * free it in either case. `bytes` must stay valid while it is used. */
bool cni_ecs_saved_read(CniEcsSavedWorld *saved, CnAllocator *allocator, const uint8_t *bytes,
                        size_t size, CnError *error);
void cni_ecs_saved_free(CniEcsSavedWorld *saved);
bool cni_ecs_saved_is_alive(const CniEcsSavedWorld *saved, CnEntity entity);
/* Returns the number of a slot among those of present pages, or UINT32_MAX. */
uint32_t cni_ecs_saved_slot(const CniEcsSavedWorld *saved, uint32_t index);
/* Returns the generation of a slot with this number. */
uint32_t cni_ecs_saved_generation(const CniEcsSavedWorld *saved, uint32_t slot);

/* snapshot_check_tree.c: checks that links between parents and children are consistent. */
bool cni_ecs_saved_check_tree(const CniEcsSavedWorld *saved, CnError *error);

/* ---- snapshot_apply.c: replaces the state of a world ---- */

/* Pairs in `kept` keep their ids; all others that the world had are removed. When out of memory,
 * returns false, and the world has no entities and no pairs. */
bool cni_ecs_saved_apply(const CniEcsSavedWorld *saved, CnWorld *world, const CnBitSet *retained);
/* Cannot fail, because memory for new resources has been reserved. */
void cni_ecs_saved_apply_resources(CniEcsSavedWorld *saved, CnWorld *world);

/* ---- snapshot_pairs.c ---- */

/* Finds the world's pairs in the data and sets those that remain in `kept`. `released` counts the
 * ids that become free. Returns false when out of memory or if two pairs cannot be
 * distinguished. */
bool cni_ecs_saved_match_pairs(CniEcsSavedWorld *saved, const CnWorld *world, CnBitSet *retained,
                               uint32_t *released, CnError *error);
/* Removes the pairs that are not in `retained` (NULL: all) from the world and registers the others
 * again. Returns false when that runs out of memory. */
bool cni_ecs_pairs_drop(CnWorld *world, const CnBitSet *retained);
bool cni_ecs_saved_apply_pairs(const CniEcsSavedWorld *saved, CnWorld *world,
                               const CnBitSet *retained);

/* Returns the plain component of a table entry. */
static inline CniEcsSavedComponent *cni_ecs_saved_component(const CniEcsSavedWorld *saved,
                                                            uint32_t entry)
{
    uint32_t plain = saved->components.count;
    return &saved->components.items[entry < plain ? entry : saved->pairs.items[entry - plain].kind];
}

/* Returns the world's component of a table entry. */
static inline uint32_t cni_ecs_saved_id(const CniEcsSavedWorld *saved, uint32_t entry)
{
    uint32_t plain = saved->components.count;
    return entry < plain ? saved->components.items[entry].id : saved->pairs.items[entry - plain].id;
}

#endif

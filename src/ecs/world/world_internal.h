/* The internal structure of a world, shared by the files of this module. README.md contains the
 * source map. */
#ifndef CAIRN_SRC_ECS_WORLD_WORLD_INTERNAL_H
#define CAIRN_SRC_ECS_WORLD_WORLD_INTERNAL_H

#include "ecs/storage/entity_slots.h"

#include "ecs/storage/copy_value.h"

#include <cairn/ecs.h>

#include <pthread.h>
#include <string.h>

/* ---- Components ---- */

typedef struct CniEcsArchetype CniEcsArchetype;

/* An archetype that has the component, with the data that queries need. */
typedef struct CniEcsArchetypeRef {
    CniEcsArchetype *archetype;
    CniEcsQueryColumn column;
    uint64_t first_word; /* of its mask */
} CniEcsArchetypeRef;

enum {
    CNI_ECS_HOOK_ADD = 1,
    CNI_ECS_HOOK_SET = 2,
    CNI_ECS_HOOK_REMOVE = 4,
    CNI_ECS_HOOK_OBSERVED = 8, /* of an archetype: an observer's query matches it */
    CNI_ECS_HOOK_ANY_ENTER = CNI_ECS_HOOK_ADD | CNI_ECS_HOOK_OBSERVED,
    CNI_ECS_HOOK_ANY_EXIT = CNI_ECS_HOOK_REMOVE | CNI_ECS_HOOK_OBSERVED,
};

/* Hooks added with cn_component_add_hooks. */
typedef struct CniEcsAddedHooks {
    CnHooks hooks;
    uint32_t owner;
} CniEcsAddedHooks;

typedef struct CniEcsComponent {
    uint32_t hook_flags; /* of all its hooks */
    uint32_t hook_owner; /* of `hooks` */
    bool has_padding;
    bool is_any_tag;
    bool is_described;    /* registered with a description, not just by its first use */
    bool has_own_hooks;   /* of a pair: does not use those of its kind */
    CnComponentInfo info; /* name NULL: the id is free */
    const char *place;    /* location of its description, for messages */
    CnHooks hooks;
    CN_ARRAY(CniEcsAddedHooks) added_hooks; /* a pair uses those of its kind */
    uint32_t any_tag;                       /* of a pair kind: the tag all its pairs share */
    uint32_t next_pair; /* of a pair: the next one with the same target, in order */
    uint64_t name_hash;
    CN_ARRAY(CniEcsArchetypeRef) archetypes; /* component index, in order of creation */
    CN_ARRAY(CnQuery *) queries;  /* queries to check when such an archetype is created */
    CN_ARRAY(CnQuery *) named_by; /* of a pair: queries with a term for it */
    CnBitSet pairs;               /* of a pair kind: ids of its pairs */
    void *resource;
    CnChannel *channel;
    uint32_t removals; /* component of the removal events; 0: not listed */
} CniEcsComponent;

/* ---- Archetypes ---- */

typedef struct CniEcsColumn {
    uint32_t component;
    uint32_t prefix; /* bytes per row of the columns before it */
    uint32_t offset; /* in each extent: prefix * stride */
    uint32_t size;
    uint32_t field_count; /* of a component stored by fields; 0 if packed */
    const CnField *fields;
} CniEcsColumn;

/* How one column is copied between extents along an edge. */
typedef struct CniEcsCopyStep {
    uint32_t component;
    uint32_t from, to; /* offsets of the column in the extents of both ends */
    uint32_t size;
} CniEcsCopyStep;

/* Frequent component sizes are compiled in; see archetype_move.c. */
enum {
    CNI_ECS_STEPS_12,
    CNI_ECS_STEPS_4,
    CNI_ECS_STEPS_8,
    CNI_ECS_STEPS_16,
    CNI_ECS_STEPS_ANY,
    CNI_ECS_STEP_SIZES
};

/* The columns that a move along an edge copies. */
typedef struct CniEcsCopyPlan {
    uint32_t offset, size; /* column of the toggled component, at the end that has it */
    uint16_t counts[CNI_ECS_STEP_SIZES];
    uint16_t count;
    CniEcsCopyStep steps[]; /* the columns of both ends, grouped by size */
} CniEcsCopyPlan;

struct CniEcsArchetypeEdge;
/* Moves a live entity's row from chunk `source` along an edge that is not slow. `value` is the
 * value of the added component (NULL: its default). When out of memory, returns false and changes
 * nothing. */
typedef bool CniEcsMoveRowFn(CnWorld *world, CniEcsSlot *slot, CnEntity entity,
                             const struct CniEcsArchetypeEdge *edge, const void *value,
                             CniEcsChunk *source);

/* How a change along an edge is done. */
typedef enum CniEcsEdgeKind {
    CNI_ECS_EDGE_SLOW,    /* hooks, columns by fields, or components managed by the library */
    CNI_ECS_EDGE_ADDS,    /* the plan describes everything */
    CNI_ECS_EDGE_REMOVES, /* the same in reverse */
    CNI_ECS_EDGE_KIND_COUNT,
} CniEcsEdgeKind;

/* Adding and removing a component is one edge with two ends; it leads to the archetype with the
 * component toggled. */
typedef struct CniEcsArchetypeEdge {
    uint32_t component; /* 0: free */
    CniEcsEdgeKind edge_kind;
    CniEcsArchetype *from, *to;
    CniEcsCopyPlan *plan; /* NULL if none is possible */
    CniEcsMoveRowFn *step;
} CniEcsArchetypeEdge;

struct CniEcsArchetype {
    CniEcsArchetypeHead head;
    CniEcsArchetypeEdge *edges;
    uint32_t edge_mask; /* table size - 1; 0: a shared empty table */
    uint8_t hook_flags;
    bool has_node;
    bool has_field_columns;
    bool has_spare;  /* chunk_ids[0] is kept although the archetype is empty */
    bool is_trimmed; /* empty, and in no query until needed again */
    uint32_t column_count;
    uint32_t word_count;
    CniEcsColumn *columns; /* sorted by component */
    uint64_t *words;       /* the mask */
    uint32_t *ids;         /* sorted components, tags included */
    /* The same in the order visible to programs: see cni_ecs_component_precedes. */
    uint32_t *ordered;
    uint32_t id_count;
    uint32_t edge_count;
    uint32_t row_bytes;
    uint32_t full_capacity;    /* rows of a full chunk */
    uint32_t extent_capacity;  /* rows of the largest extent: a multiple of full_capacity */
    uint32_t chunk_capacity;   /* of head.chunk_ids and head.ticks */
    uint32_t chunk_list_class; /* of the block that holds both; 0: none */
    uint32_t hash;
    uint64_t serial; /* increases with creation: every list of archetypes is sorted by it */
    uint32_t block_class;
    uint32_t wanted_rows;             /* of a tree being spawned; 0 otherwise */
    CN_ARRAY(CnObserver *) observers; /* whose queries match it, in order of creation */
};

#define CNI_ECS_NO_CHUNK CNI_ECS_ABSENT
#define CNI_ECS_EXTENT_CHUNKS 32u /* maximum: one bit for each */

/* ---- Queries ---- */

#define CNI_ECS_MASK_WORDS 4u /* 256 components */

#define CNI_ECS_INLINE_TERMS 4u

struct CnQuery {
    CniEcsQueryHead head;
    const CnType *
        inline_types[CNI_ECS_INLINE_TERMS]; /* for small queries: in one cache line with the head */
    uint32_t inline_ids[CNI_ECS_INLINE_TERMS];
    uint32_t *term_ids;
    uint32_t match_capacity, match_class;
    uint8_t mask_words; /* words in use; if more than CNI_ECS_MASK_WORDS, use the bit sets */
    bool has_any;
    /* Increases when the list of matches changes or moves. Stored here because a new archetype is
     * added to many queries. */
    uint32_t matches_version;
    /* A copy of the masks if they fit, because a new archetype is compared with many queries: of
     * the components in `all` and `none`, it must have exactly the wanted ones. */
    struct {
        uint64_t named[CNI_ECS_MASK_WORDS], wanted[CNI_ECS_MASK_WORDS], any[CNI_ECS_MASK_WORDS];
    } mask;
    CnWorld *world;
    CnBitSet all, any, none, optional;
    CnBitSet access, write; /* components with columns, and those it may write */
    uint32_t references;    /* 0: released */
    uint32_t place;         /* in world->queries */
    uint32_t anchor;        /* the component whose `queries` contain it; 0: world->free_queries */
    bool is_listed;         /* in that list, so that new archetypes find it */
    bool is_hashed;         /* in query_by_hash, so that equal descriptions find it */
    bool is_dead;           /* it requires a pair whose target died: never matches */
    uint64_t hash;
    CnQuery *next_same_hash; /* with the same hash */
};

#define CNI_ECS_RELEASED_QUERIES 16u

/* The components of the last spawn, because the next one usually has the same. */
typedef struct CniEcsSpawnCache {
    CniEcsArchetype *archetype; /* NULL if unknown */
    uint32_t count;
    bool all_vectors; /* all components are packed and have 12 bytes */
    const CnType *types[CN_MAX_VALUES];
    uint32_t ids[CN_MAX_VALUES];
    const CniEcsColumn *columns[CN_MAX_VALUES];
} CniEcsSpawnCache;

/* ---- Commands: see command_buffer.c ---- */

typedef struct CniEcsCommandBlock CniEcsCommandBlock;
struct CniEcsCommandRecord;

/* ---- World ---- */

typedef struct CniEcsSystem CniEcsSystem;
typedef struct CniEcsSplit CniEcsSplit;
typedef struct CniEcsRunnable CniEcsRunnable;

/* A system in the schedule: the data for running systems in sequence. */
typedef struct CniEcsDispatchEntry {
    CniEcsRunnable *runnable;
    CniEcsSystem *system;
    uint32_t wave;
    bool conditional; /* it has a run_if */
} CniEcsDispatchEntry;

typedef struct CniEcsTreeOrder CniEcsTreeOrder;

struct CnWorld {
    CniEcsWorldHead head;
    CnAllocator *allocator;
    uint32_t hook_depth;
    bool hook_removed; /* a pending command of a hook removes something; sets wait, too */
    bool flushing;
    const CniEcsArchetypeEdge
        *last_edges[CNI_ECS_EDGE_KIND_COUNT]; /* of the last changes; never NULL */
    CniEcsBlockAllocator blocks;              /* of chunks */
    CniEcsBlockAllocator slot_blocks;         /* of slot pages, which outlive chunks */
    /* Of archetypes, queries and systems: data that a tick reads is close together on few pages. */
    CniEcsBlockAllocator core_blocks;
    CniEcsSlots slots;

    CN_ARRAY(CniEcsComponent) components; /* by id; [0] is unused */
    CnU32Array free_components;
    CnU32Array quarantined_components; /* freed, but pending commands may refer to them */
    CnU32Array component_by_slot;
    CnU32Array component_by_name;
    CnNames names;
    uint32_t node;         /* id of CnNode; 0 until the first use */
    CnBitSet pair_targets; /* indices of entities that are targets of pairs */
    CnHashMap pairs;       /* kind and target -> pair component */
    CnHashMap first_pairs; /* target -> its first pair component */
    bool has_stale_pairs;  /* with a dead target, left when out of memory: to be removed */

    CN_ARRAY(CniEcsChunk) chunks;
    CnU32Array free_chunks;
    /* For each extent with several chunks: a bit for each chunk in use. Free numbers are linked:
     * each entry holds the next one + 1. */
    CnU32Array extents;
    CnU32Array chunk_extents;               /* by chunk: the shared extent, or CNI_ECS_ABSENT */
    uint32_t free_extent;                   /* + 1; 0: none */
    CniEcsArchetype *large_spare;           /* whose spare chunk keeps such an extent, or NULL */
    CN_ARRAY(CniEcsArchetype *) archetypes; /* [0] is the empty one */
    uint64_t last_archetype;                /* serial */
    CniEcsArchetype **archetype_table;
    uint32_t archetype_table_size;
    CnU32Array scratch_ids;
    CniEcsSpawnCache spawn_cache;
    CniEcsArchetype
        *likely_archetype; /* expected archetype of the next destroyed entity, or NULL */

    CN_ARRAY(CnQuery *) queries;
    CnHashMap query_by_hash;          /* first query of each hash */
    CN_ARRAY(CnQuery *) free_queries; /* without `all`: checked for every new archetype */
    CN_ARRAY(CnQuery *) matching;     /* used by archetype creation */
    CN_ARRAY(CniEcsQueryColumn)
    new_columns; /* by component: those of the archetype being entered */
#ifdef CN_GUARDS
    /* Kept for a while, so that their use can be reported. */
    CnQuery *released_queries[CNI_ECS_RELEASED_QUERIES];
    uint32_t next_released;
    CniEcsWorldHead released_head; /* replaces the world in released queries */
#endif

    CN_ARRAY(CnObserver *) observers; /* in order of creation */
    bool has_ended_observers;         /* destroyed by callbacks */

    CN_ARRAY(CnCommands *) commands; /* [0] is hook_commands */
    CnCommands *hook_commands;
    uint32_t spawning_buffers;
    uint32_t destroy_pending_buffers; /* to be destroyed by cni_ecs_commands_reap */
    CnBitSet taken_stripes;           /* used by cni_ecs_commands_resolve_ids */
    CN_ARRAY(struct CniEcsCommandRecord *)
    pending;           /* by entity index: its last record, during linking in a flush */
    bool has_commands; /* since the last flush */
    uint64_t skipped_commands, failed_commands, oversize_commands;

    CN_ARRAY(CnChannel *) channels;
    CnBitSet frame_reads;          /* components that frame systems declare reading */
    bool frames_read_all;          /* a frame system declares nothing */
    pthread_mutex_t channel_mutex; /* held while a channel is created */
    CnU32Array resources;          /* components that have one, in order of creation */
    CN_ARRAY(CnRowChanges *) row_changes;

    CN_ARRAY(CnProducer *) producers; /* in rising order of number */
    uint32_t next_producer;
    CN_ARRAY(CniEcsSystem *) systems; /* in order of registration */
    const CniEcsSystem
        *turn; /* the running system if systems run in order; see cni_ecs_system_here */
    uint32_t loose_buffers;               /* command buffers that belong to no system */
    CN_ARRAY(const char *) disabled_sets; /* names, interned */
    CN_ARRAY(CniEcsSystem *) sorted[CN_STAGE_COUNT];
    CN_ARRAY(CniEcsSystem *) by_wave[CN_STAGE_COUNT]; /* the same, ordered by wave */
    CN_ARRAY(CniEcsDispatchEntry)
    dispatch_list[CN_STAGE_COUNT]; /* the same, for running on one thread */
    uint32_t wave_count[CN_STAGE_COUNT];
    bool sorted_valid[CN_STAGE_COUNT];
    uint32_t last_system;
    bool measures_systems;
    CnJobPool *jobs;
    uint64_t stage_cost_ns[CN_STAGE_COUNT]; /* recent cost, measured if the world has jobs */
    bool has_begun_spinning;                /* workers of the job pool, for this update */
    bool updating;                          /* stages run; systems cannot be added or removed */
    bool in_stage;                          /* systems run, or their commands are applied */
    bool systems_changed;                   /* changes wait for cni_ecs_systems_apply_pending */
    bool applying_changes;
    uint32_t owner; /* owner of added systems and hooks */

    CnUnhandledErrors unhandled;
    CniEcsTreeOrder *tree;
    uint32_t tree_version;
    uint32_t loads;
};

static inline CniEcsSlot *cni_ecs_world_slot(const CnWorld *world, uint32_t index)
{
    return &world->head.pages[index / CNI_ECS_PAGE_SLOTS][index % CNI_ECS_PAGE_SLOTS];
}

/* type_conflicts.c */
/* Returns the number of a C type in this process, an index into each world's table. Returns 0 and
 * sets the error if source files disagree about the type. */
uint32_t cni_ecs_type_number(const CnType *type, CnError *error);
/* File and line of a description, for messages. */
#define CNI_ECS_SOURCE_LOCATION_BYTES 160u
void cni_ecs_type_source_location(const CnType *type, char *text, size_t text_bytes);

/* world.c */
#define CNI_ECS_REPORT_UNHANDLED(world, error)                                                     \
    CN_REPORT_UNHANDLED(error, "ecs", cn_world_unhandled_errors(world))
/* Reports a failure of a function without an error parameter. Returns false. Any thread. */
bool cni_ecs_report(const CnWorld *world, CnErrorCode code, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);

/* nested_fields.c */
/* A type without nested structs. Its fields are those of the original if that had none, otherwise
 * the ones here. */
typedef struct CniEcsFlatType {
    CnType type;
    CnField fields[CN_MAX_FIELDS];
    char names[CN_MAX_FIELDS][CN_MAX_NAME_BYTES];
} CniEcsFlatType;
bool cni_ecs_type_flatten(const CnType *type, CniEcsFlatType *flat, CnError *error);

/* component.c */
void cni_ecs_component_release(CnWorld *world, uint32_t id); /* a pair whose target died */
static inline CniEcsComponent *cni_ecs_component_get(const CnWorld *world, uint32_t id)
{
    return id < world->components.count && world->components.items[id].info.name
               ? &world->components.items[id]
               : NULL;
}
/* The order in which the components of an entity are listed, saved and passed to hooks: by name,
 * and pairs of one kind by index and generation of their targets. Ids are not suitable, because
 * they depend on the order of first uses, possibly by code that only reads. */
bool cni_ecs_component_precedes(const CnWorld *world, uint32_t a, uint32_t b);
/* Guards a structural call: the component must exist and not be managed by the library itself. */
static inline bool cni_ecs_may_change(const CnWorld *world, uint32_t component)
{
    const CniEcsComponent *found = cni_ecs_component_get(world, component);
    /* The null component results from a failed registration, which was already reported. */
    CN_ASSERT(found || !component, "component %u is not registered", component);
    CN_ASSERT(!found || !found->is_any_tag, "%s follows its pairs and cannot be changed",
              found ? found->info.name : "");
    CN_ASSERT(component != world->node || !component,
              "CnNode can only be changed by cn_set_parent");
    return CN_LIKELY(found && !found->is_any_tag && component != world->node);
}
/* Returns the component of a value or term; 0 if unknown. Registers C types if `world` may be
 * changed. */
uint64_t cni_ecs_pair_key(uint32_t kind, CnEntity target);
/* Adds the pair to the list of its target's pairs. */
void cni_ecs_pair_link(CnWorld *world, uint32_t id);
uint32_t cni_ecs_value_component(CnWorld *world, const CnType *type, CnComponent component);
/* Returns the component of a term, which is registered if its type is not known yet. Returns 0 and
 * sets the error if that fails or if the term refers to an unknown id. */
uint32_t cni_ecs_term_component(CnWorld *world, const CnTerm *term, CnError *error);

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

/* hooks.c */
/* Calls on_exit, and on_remove for the components that `from` has and `to` (NULL: none) lacks. */
void cni_ecs_hooks_removed(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                           const CniEcsArchetype *to);
/* The same for every row of an archetype; hooks cannot move the rows. */
void cni_ecs_hooks_removed_all(CnWorld *world, const CniEcsArchetype *from,
                               const CniEcsArchetype *to);
/* Calls on_add for the components that `to` has and `from` (NULL: none) lacked, and on_enter. */
void cni_ecs_hooks_added(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                         const CniEcsArchetype *to);
void cni_ecs_hook_set(CnWorld *world, CnEntity entity, uint32_t component);
/* Moves all rows to an archetype that lacks components, and makes all calls. When out of memory,
 * returns false: nothing was called, but rows may have moved if there is nothing to call. */
bool cni_ecs_hooks_move_all(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to);
uint32_t cni_ecs_hook_flags(const CnHooks *hooks);
/* Removes all hooks of an owner. */
void cni_ecs_hooks_forget_owner(CnWorld *world, uint32_t owner);
/* Applies the commands recorded by hooks once the operation that called them is complete. */
void cni_ecs_hooks_flush(CnWorld *world);
void cni_ecs_archetype_update_hook_flags(CnWorld *world, CniEcsArchetype *archetype);

/* observer.c */
void cni_ecs_observers_left(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                            const CniEcsArchetype *to);
void cni_ecs_observers_entered(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                               const CniEcsArchetype *to);
bool cni_ecs_same_observers(const CniEcsArchetype *a, const CniEcsArchetype *b);
/* Finds the observers of a new archetype. Returns false when out of memory. */
bool cni_ecs_observers_find(CnWorld *world, CniEcsArchetype *archetype);
void cni_ecs_observers_forget_owner(CnWorld *world, uint32_t owner);
void cni_ecs_observers_fini(CnWorld *world);
/* Copies the observers to a clone that already has the components and archetypes. */
bool cni_ecs_observers_copy(CnWorld *to, const CnWorld *from);
/* Whether a move between two archetypes requires calls. */
static inline bool cni_ecs_move_calls(const CniEcsArchetype *from, const CniEcsArchetype *to)
{
    uint32_t flags = (uint32_t)from->hook_flags | to->hook_flags;
    return flags &&
           ((flags & ~(uint32_t)CNI_ECS_HOOK_OBSERVED) || !cni_ecs_same_observers(from, to));
}

/* stage_run.c: for guards only, except the first two */
const CniEcsSystem *cni_ecs_running_system(bool *lane);
void cni_ecs_set_running_system(const CniEcsSystem *system,
                                bool lane); /* lane: whether it is one of a parallel query */
bool cni_ecs_running_system_is_exclusive(void);
bool cni_ecs_may_change_structure(void);
/* Writes the names of the query's terms. */
void cni_ecs_query_text(const CnQuery *query, char *text, size_t text_bytes);
bool cni_ecs_may_defer(const CnWorld *world,
                       uint32_t component); /* 0: creation and destruction of entities */

static inline void cni_ecs_structure_changed(CnWorld *world)
{
    CN_ASSERT(cni_ecs_may_change_structure(),
              "a system changes the structure of the world directly; use its commands");
    world->head.structure++;
}

/* entity.c */
bool cni_ecs_entity_destroy_now(CnWorld *world, CnEntity entity);
/* Returns the archetype of entities with these values; NULL if a component is unknown or when out
 * of memory. `ids` receives their components. */
CniEcsArchetype *cni_ecs_archetype_of_values(CnWorld *world, const CnValue *values, uint32_t count,
                                             uint32_t *ids);
/* Calls the hooks of a new entity. */
void cni_ecs_hooks_spawned(CnWorld *world, CnEntity entity, const CniEcsArchetype *archetype,
                           const CnValue *values, const uint32_t *ids, uint32_t count);

/* query_match.c */
static inline const CniEcsArchetype *cni_ecs_match_archetype(const CnQuery *query, uint32_t match)
{
    return (const CniEcsArchetype *)(const void *)cni_ecs_match(&query->head, match)->archetype;
}
bool cni_ecs_query_matches_archetype(const CnQuery *query, const CniEcsArchetype *archetype);
/* Called after a change of `all`, `any` or `none`. */
void cni_ecs_query_cache_masks(CnQuery *query);
void cni_ecs_query_match_nothing(CnQuery *query);
void cni_ecs_query_release_matches(CnQuery *query);
/* Adds all existing archetypes that match to a new query. Returns false when out of memory. */
bool cni_ecs_query_match_existing(CnWorld *world, CnQuery *query, uint32_t anchor);
/* Makes room for a new archetype in those of the queries that match it, and adds them to
 * world->matching. */
bool cni_ecs_queries_reserve_match(CnWorld *world, CnQuery *const *queries, uint32_t count,
                                   const CniEcsArchetype *archetype);
/* Adds the archetype to the queries in world->matching. */
void cni_ecs_queries_add_archetype(CnWorld *world, CniEcsArchetype *archetype);
/* The same for an archetype that is not the newest. */
void cni_ecs_queries_readd_archetype(CnWorld *world, CniEcsArchetype *archetype);
/* Removes an archetype from all queries. */
void cni_ecs_queries_remove_archetype(CnWorld *world, const CniEcsArchetype *archetype);

/* Returns the view of a chunk, as in iterations. */
static inline CnChunkView cni_ecs_chunk_view(const CniEcsQueryHead *query,
                                             const CniEcsQueryColumn *columns,
                                             const CniEcsChunk *chunk)
{
    return (CnChunkView){
        .count = chunk->count,
        .capacity = chunk->capacity,
        .entities = cni_ecs_chunk_entities(chunk),
        .query = query,
        .columns = columns,
        .chunk = chunk,
        .ticks = cni_ecs_chunk_ticks(chunk),
        .tick = query->world->tick,
    };
}

/* query_iteration.c: the index of a type among the terms */
uint32_t cni_ecs_query_term(const CniEcsQueryHead *query, const CnType *type);

/* query.c */
bool cni_ecs_access_exists(CnAccess access); /* guards report an invalid value */
/* Rewrites the queries that refer to a pair whose id is about to become free. No archetype has
 * it. */
void cni_ecs_queries_pair_died(CnWorld *world, uint32_t pair);
/* Restores the C types of the terms from the description. */
void cni_ecs_query_resolve_types(CnQuery *query, const CnQueryDesc *desc);
/* Removes the types from queries: addresses of types serve as keys, and those of removed code must
 * not be used. */
void cni_ecs_queries_forget_types(CnWorld *world);
void cni_ecs_queries_fini(CnWorld *world);

/* command_buffer.c, command_flush.c */
void cni_ecs_commands_free(CnCommands *commands);
void cni_ecs_commands_forget_types(CnWorld *world);
/* Discards the recorded commands and returns reserved ids. When out of memory, returns false and
 * changes nothing. */
bool cni_ecs_commands_discard(CnCommands *commands);
/* Ensures that commands can be applied. When out of memory, returns false; they stay pending until
 * the next flush. */
bool cni_ecs_commands_prepare(CnWorld *world);
/* Applies the first `count` buffers. Returns false if a command failed. */
bool cni_ecs_commands_apply(CnWorld *world, uint32_t count);
/* Frees buffers whose destruction was postponed. */
void cni_ecs_commands_reap(CnWorld *world);
/* Turns indices reserved by buffers into indices that they own, so that further indices can be
 * assigned. */
bool cni_ecs_commands_resolve_ids(CnWorld *world);
/* Arranges these buffers, within the positions that they have among the world's buffers, in the
 * given order. */
bool cni_ecs_commands_reorder(CnWorld *world, CnCommands *const *wanted, uint32_t count);
/* Returns the unused indices of a buffer to the free stack. */
void cni_ecs_commands_return_owned(CnCommands *commands);

/* relation.c, tree_order.c */
void cni_ecs_node_unlink(CnWorld *world, CnEntity entity);
/* Makes an entity that has neither parent nor children the last child of another. Both have a
 * CnNode. */
void cni_ecs_node_link_new(CnWorld *world, CnEntity child, CnEntity parent);
/* Adds CnNode to a live entity. *left is its previous archetype, NULL if it already had the
 * component. */
bool cni_ecs_node_ensure(CnWorld *world, CnEntity entity, CniEcsArchetype **left);
/* Removes all pairs with the target from all entities. Pairs that remain when out of memory are
 * removed later. */
void cni_ecs_pairs_target_died(CnWorld *world, CnEntity target);
void cni_ecs_pairs_sweep(CnWorld *world);
/* Makes freed component ids available again once no pending command can refer to them. */
void cni_ecs_components_reclaim(CnWorld *world);
void cni_ecs_tree_fini(CnWorld *world);

/* row_changes.c */
void cni_ecs_row_changes_fini(CnWorld *world);
bool cni_ecs_is_row_changes_hook(const CnHooks *hooks);

/* event.c, event_producer.c, system.c */
void cni_ecs_channels_fini(CnWorld *world);
void cni_ecs_producers_fini(CnWorld *world);
void cni_ecs_systems_fini(CnWorld *world);

#endif

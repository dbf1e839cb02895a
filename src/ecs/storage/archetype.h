/* Components of a world, and archetypes with their columns and edges. */
#ifndef CAIRN_SRC_ECS_STORAGE_ARCHETYPE_H
#define CAIRN_SRC_ECS_STORAGE_ARCHETYPE_H

#include "ecs/storage/entity_slots.h"

#include <cairn/ecs.h>

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

#endif

/* The struct CnWorld, from which all state of a world is reachable. */
#ifndef CAIRN_SRC_ECS_WORLD_WORLD_DATA_H
#define CAIRN_SRC_ECS_WORLD_WORLD_DATA_H

#include "ecs/query/query_data.h"

#include <pthread.h>

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

#endif

/* The recordings of the lanes of a split system, and retained events; shared by the files that
 * record, send and run. */
#ifndef CAIRN_SRC_ECS_SCHEDULE_SPLIT_SYSTEM_H
#define CAIRN_SRC_ECS_SCHEDULE_SPLIT_SYSTEM_H

#include "ecs/world/world_internal.h"

/* A lock for rare, short critical sections. */
void cni_ecs_spin_lock(uint32_t *lock);
void cni_ecs_spin_unlock(uint32_t *lock);

/* split_system.c: recording by the lanes of a split system */
/* The share of rows that a thread works on. */
typedef struct CniEcsLane {
    CniEcsSplit *split; /* NULL if it must not record */
    uint32_t number;
    struct CniEcsSplitShare *share; /* found when it first records */
    /* For a loop outside of systems: the buffer that it last recorded into, and its share of it. */
    const CnCommands *last_own;
    CnCommands *last;
} CniEcsLane;
/* Sets the lane of this thread. Returns the previous one. */
CniEcsLane *cni_ecs_lane_set(CniEcsLane *lane);
/* Whether this thread works on a share that may record. */
bool cni_ecs_lane_records(void);
/* Whether this thread works on a share. */
bool cni_ecs_in_lane(void);
/* Returns the data that lanes need to record into a buffer and creates it if necessary; NULL when
 * out of memory. `system` is NULL for a loop outside of systems, whose lanes may record into all
 * buffers. */
CniEcsSplit *cni_ecs_split_of(CnCommands *own, const CniEcsSystem *system);
void cni_ecs_split_destroy(CniEcsSplit *split);
/* Between these calls, commands recorded into the buffer and events sent to the system's channels
 * go to shares, and recording into other buffers that belong to no system is refused. Without a
 * system, this applies to all buffers and channels. */
void cni_ecs_split_begin(CniEcsSplit *split, uint32_t share_count);
void cni_ecs_split_end(CniEcsSplit *split);
/* Returns the buffer of this thread's share; NULL when out of memory or not in a share. */
CnCommands *cni_ecs_share_commands(CnCommands *own);
CnChannel *cni_ecs_share_channel(const CnChannel *channel);
/* stage_run.c: the system that this thread runs, in every build, or NULL. */
const CniEcsSystem *cni_ecs_system_here(const CnWorld *world);
CnCommands *cni_system_commands(const CniEcsSystem *system);
/* Like cn_query_parallel, with lanes that record; if `split` is NULL, they must not. */
void cni_ecs_query_parallel(CnQuery *query, CnJobPool *pool, CniEcsSplit *split, CnChunkFn run,
                            void *user);

/* The rows of a parallel loop are divided into shares: groups of consecutive chunks, whose number
 * depends on the state of the world, never on the number of threads. A share records into its own
 * buffers, which are created when it first records, and kept. cni_ecs_split_end appends them to
 * those of the loop in the order of the shares. The order of commands and events and the ids of
 * spawned entities are therefore the same for any number of threads. */
typedef struct CniEcsSplitShare {
    CnCommands *commands;           /* NULL if it never recorded a command */
    CN_ARRAY(CnChannel *) channels; /* packed; not channels of the world */
} CniEcsSplitShare;

struct CniEcsSplit {
    CnWorld *world;
    CnCommands *own;                     /* the buffer that the shares are appended to */
    const CniEcsSystem *system;          /* NULL for a loop outside of systems */
    bool is_open;                        /* a loop is running; the values below are valid */
    CN_ARRAY(CniEcsSplitShare *) shares; /* NULL for those that never recorded */
    uint32_t share_count;                /* in this run */
    /* Indices for spawned entities, in units of CNI_ECS_STRIPE: unit n belongs to share n %
     * share_count. */
    uint32_t units;                    /* the highest unit taken + 1 */
    uint32_t first_stripe, first_page; /* that the system's buffer takes next */
    uint32_t lock;                     /* protects everything that shares have in common */
};

/* The location of unit `unit` of a split: on the free stack below position `top`, or from index
 * `first` on in a page that does not exist yet. */
typedef struct CniEcsUnitLocation {
    bool on_stack;
    uint32_t top;
    uint32_t page, first;
} CniEcsUnitLocation;

/* Returns the number of units on the free stack. Reservations must have begun. */
uint32_t cni_ecs_split_stack_units(const CniEcsSplit *split);
/* Returns false if the world has no such index. Reservations must have begun. */
bool cni_ecs_split_unit_location(const CniEcsSplit *split, uint32_t unit,
                                 CniEcsUnitLocation *place);

/* event.c */
void cni_ecs_channel_free(CnWorld *world, CnChannel *channel);
void cni_ecs_channel_set_limit(CnChannel *channel, uint32_t max_events);
/* Appends the events of a share to the channel they were sent to. */
void cni_ecs_channel_append_share(CnChannel *side);

/* event_reader.c */
/* Called at the end of an update, before old_count is set. */
void cni_ecs_channel_archive(CnChannel *channel);
void cni_ecs_channel_free_retained(CnChannel *channel);
void cni_ecs_events_begin_frame(CnWorld *world);
void cni_ecs_events_end_frame(CnWorld *world);
/* Retains the events that frame systems read. */
bool cni_ecs_events_add_frame_reader(CnWorld *world, const CnBitSet *reads, bool reads_all);

/* Replaces the events and limits of a channel of another world, which has the same layout. When out
 * of memory, returns false and changes nothing. */
bool cni_ecs_channel_copy(CnChannel *to, const CnChannel *from);

#endif

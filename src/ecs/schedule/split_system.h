/* What the lanes of a split system record, and what is kept of events: shared by the files that
 * record, send and run. */
#ifndef CAIRN_SRC_ECS_SCHEDULE_SPLIT_SYSTEM_H
#define CAIRN_SRC_ECS_SCHEDULE_SPLIT_SYSTEM_H

#include "ecs/world/world_internal.h"

/* A lock for what is rare and short. */
void cni_ecs_spin_lock(uint32_t *lock);
void cni_ecs_spin_unlock(uint32_t *lock);

/* split_system.c: what the lanes of a split system record */
/* The share of rows that a thread works on. */
typedef struct CniEcsLane {
    CniEcsSplit *split; /* NULL: it may not record */
    uint32_t number;
    struct CniEcsSplitShare *share; /* found by its first record */
    /* Of a loop outside of systems: the buffer that it recorded into last, and what its share of it
     * is. */
    const CnCommands *last_own;
    CnCommands *last;
} CniEcsLane;
/* Returns the lane that the thread had before. */
CniEcsLane *cni_ecs_lane_set(CniEcsLane *lane);
/* Whether this thread works on a share that may record. */
bool cni_ecs_lane_records(void);
/* Whether this thread works on a share at all. */
bool cni_in_lane(void);
/* What the lanes need to record into a buffer, made if need be; NULL when out of memory. Without a
 * system, for a loop outside of systems: its lanes may record into all buffers. */
CniEcsSplit *cni_split_of(CnCommands *own, const CniEcsSystem *system);
void cni_ecs_split_destroy(CniEcsSplit *split);
/* Between these, what is recorded into the buffer and sent to the channels of the system goes to
 * shares, and what lanes record into other buffers of no system is refused. Without a system: all
 * buffers and channels. */
void cni_ecs_split_begin(CniEcsSplit *split, uint32_t share_count);
void cni_ecs_split_end(CniEcsSplit *split);
/* The buffer of this thread's share; NULL when out of memory or not in a share. */
CnCommands *cni_ecs_share_commands(CnCommands *own);
CnChannel *cni_ecs_share_channel(const CnChannel *channel);
/* stage_run.c: the system that this thread runs, in every build; NULL: none. */
const CniEcsSystem *cni_system_here(const CnWorld *world);
CnCommands *cni_system_commands(const CniEcsSystem *system);
/* cn_query_parallel with lanes that record; `split` NULL: they may not. */
void cni_ecs_query_parallel(CnQuery *query, CnJobPool *pool, CniEcsSplit *split, CnChunkFn run,
                            void *user);

/* The rows of a parallel loop are cut into shares: groups of consecutive chunks, as many as the
 * state of the world says, never the number of threads. A share records into buffers of its own,
 * which are made when it records for the first time and kept; cni_ecs_split_end appends them to
 * those of the loop in order of the shares. So the order of commands and events, and the ids of
 * spawned entities, are the same for any number of threads. */
typedef struct CniEcsSplitShare {
    CnCommands *commands;           /* NULL: it never recorded a command */
    CN_ARRAY(CnChannel *) channels; /* packed; not channels of the world */
} CniEcsSplitShare;

struct CniEcsSplit {
    CnWorld *world;
    CnCommands *own;                     /* the buffer that the shares are appended to */
    const CniEcsSystem *system;          /* NULL: a loop outside of systems */
    bool is_open;                        /* the numbers below are those of a loop that runs */
    CN_ARRAY(CniEcsSplitShare *) shares; /* NULL: it never recorded */
    uint32_t share_count;                /* in this run */
    /* Of the numbers for spawned entities, in units of CNI_ECS_STRIPE: unit n belongs to share
     * n % share_count. */
    uint32_t units;                    /* the highest that was taken + 1 */
    uint32_t first_stripe, first_page; /* those that the system's buffer takes next */
    uint32_t lock;                     /* of everything but what a share has to itself */
};

/* Where unit number `unit` of a split's numbers lies: on the free stack below place `top`, or from
 * number `first` on in a page that does not exist yet. */
typedef struct CniEcsUnitLocation {
    bool on_stack;
    uint32_t top;
    uint32_t page, first;
} CniEcsUnitLocation;

/* How many units lie on the free stack. Numbers are reserved. */
uint32_t cni_ecs_split_stack_units(const CniEcsSplit *split);
/* False when the world has no such number. Numbers are reserved. */
bool cni_ecs_split_unit_location(const CniEcsSplit *split, uint32_t unit,
                                 CniEcsUnitLocation *place);

/* event.c */
void cni_ecs_channel_free(CnWorld *world, CnChannel *channel);
void cni_ecs_channel_set_limit(CnChannel *channel, uint32_t max_events);
/* Appends the events of a share to the channel they were sent to. */
void cni_ecs_channel_append_share(CnChannel *side);

/* event_reader.c */
/* At the end of an update, before old_count is set. */
void cni_ecs_channel_archive(CnChannel *channel);
void cni_ecs_channel_free_retained(CnChannel *channel);
void cni_ecs_events_begin_frame(CnWorld *world);
void cni_ecs_events_end_frame(CnWorld *world);
/* Events that systems of frames read are kept for them. */
bool cni_ecs_events_add_frame_reader(CnWorld *world, const CnBitSet *reads, bool reads_all);

/* Gives a channel of another world, with rows of the same layout, the events and limits of this one
 * in place of its own. False when out of memory: then it is as it was. */
bool cni_ecs_channel_copy(CnChannel *to, const CnChannel *from);

#endif

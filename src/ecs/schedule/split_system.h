/* What the lanes of a split system record, and what is kept of events: shared by the files that record,
 * send and run. */
#ifndef CAIRN_SRC_ECS_SCHEDULE_SPLIT_SYSTEM_H
#define CAIRN_SRC_ECS_SCHEDULE_SPLIT_SYSTEM_H

#include "ecs/world/world_internal.h"

/* A lock for what is rare and short. */
void cni_lock(uint32_t *lock);
void cni_unlock(uint32_t *lock);

/* split_system.c: what the lanes of a split system record */
/* The share of rows that a thread works on. */
typedef struct Lane {
    Split *split; /* NULL: it may not record */
    uint32_t number;
    struct Share *share; /* found by its first record */
    /* Of a loop outside of systems: the buffer that it recorded into last, and what its share of it is. */
    const CnCommands *last_own;
    CnCommands *last;
} Lane;
/* Returns the lane that the thread had before. */
Lane *cni_lane_set(Lane *lane);
/* Whether this thread works on a share that may record. */
bool cni_lane_records(void);
/* Whether this thread works on a share at all. */
bool cni_in_lane(void);
/* What the lanes need to record into a buffer, made if need be; NULL when out of memory. Without a system,
 * for a loop outside of systems: its lanes may record into all buffers. */
Split *cni_split_of(CnCommands *own, const System *system);
void cni_split_destroy(Split *split);
/* Between these, what is recorded into the buffer and sent to the channels of the system goes to shares,
 * and what lanes record into other buffers of no system is refused. Without a system: all buffers and
 * channels. */
void cni_split_begin(Split *split, uint32_t share_count);
void cni_split_end(Split *split);
/* The buffer of this thread's share; NULL when out of memory or not in a share. */
CnCommands *cni_share_commands(CnCommands *own);
CnChannel *cni_share_channel(const CnChannel *channel);
/* stage_run.c: the system that this thread runs, in every build; NULL: none. */
const System *cni_system_here(const CnWorld *world);
CnCommands *cni_system_commands(const System *system);
/* cn_query_parallel with lanes that record; `split` NULL: they may not. */
void cni_query_parallel(CnQuery *query, CnJobPool *pool, Split *split, CnChunkFn run, void *user);

/* The rows of a parallel loop are cut into shares: groups of consecutive chunks, as many as the state
 * of the world says, never the number of threads. A share records into buffers of its own, which are
 * made when it records for the first time and kept; cni_split_end appends them to those of the loop
 * in order of the shares. So the order of commands and events, and the ids of spawned entities, are
 * the same for any number of threads. */
typedef struct Share {
    CnCommands *commands;           /* NULL: it never recorded a command */
    CN_ARRAY(CnChannel *) channels; /* packed; not channels of the world */
} Share;

struct Split {
    CnWorld *world;
    CnCommands *own;          /* the buffer that the shares are appended to */
    const System *system;     /* NULL: a loop outside of systems */
    bool is_open;             /* the numbers below are those of a loop that runs */
    CN_ARRAY(Share *) shares; /* NULL: it never recorded */
    uint32_t share_count;     /* in this run */
    /* Of the numbers for spawned entities, in units of CNI_STRIPE: unit n belongs to share
     * n % share_count. */
    uint32_t units;                    /* the highest that was taken + 1 */
    uint32_t first_stripe, first_page; /* those that the system's buffer takes next */
    uint32_t lock;                     /* of everything but what a share has to itself */
};

/* Where unit number `unit` of a split's numbers lies: on the free stack below place `top`, or from
 * number `first` on in a page that does not exist yet. */
typedef struct UnitPlace {
    bool on_stack;
    uint32_t top;
    uint32_t page, first;
} UnitPlace;

/* How many units lie on the free stack. Numbers are reserved. */
uint32_t cni_split_stack_units(const Split *split);
/* False when the world has no such number. Numbers are reserved. */
bool cni_split_unit_place(const Split *split, uint32_t unit, UnitPlace *place);

/* event.c */
void cni_channel_free(CnWorld *world, CnChannel *channel);
void cni_channel_set_limit(CnChannel *channel, uint32_t max_events);
/* Appends the events of a share to the channel they were sent to. */
void cni_channel_take(CnChannel *side);

/* event_reader.c */
/* At the end of an update, before old_count is set. */
void cni_channel_archive(CnChannel *channel);
void cni_channel_free_kept(CnChannel *channel);
void cni_events_begin_frame(CnWorld *world);
void cni_events_end_frame(CnWorld *world);
/* Events that systems of frames read are kept for them. */
bool cni_events_note_frame_system(CnWorld *world, const CnBitSet *reads, bool reads_all);

/* Gives a channel of another world, with rows of the same layout, the events and limits of this one in
 * place of its own. False when out of memory: then it is as it was. */
bool cni_channel_copy(CnChannel *to, const CnChannel *from);

#endif

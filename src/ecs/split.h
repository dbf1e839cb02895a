/* What the lanes of a split system record, shared by split.c and commands.c. */
#ifndef CAIRN_SRC_ECS_SPLIT_H
#define CAIRN_SRC_ECS_SPLIT_H

#include "store.h"

/* The rows of a split system are cut into shares: groups of consecutive chunks, as many as the state
 * of the world says, never the number of threads. A share records into buffers of its own, which are
 * made when it records for the first time and kept; cni_split_end appends them to those of the system
 * in order of the shares. So the order of commands and events, and the ids of spawned entities, are
 * the same for any number of threads. */
typedef struct Share {
    CnCommands *commands;           /* NULL: it never recorded a command */
    CN_ARRAY(CnChannel *) channels; /* packed; not channels of the world */
} Share;

struct Split {
    CnWorld *world;
    CnCommands *own; /* the buffer of the system */
    const System *system;
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

#endif

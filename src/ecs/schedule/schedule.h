/* The internal structure of systems, shared by system.c (adding and removing), schedule.c (order)
 * and stage_run.c (running). */
#ifndef CAIRN_SRC_ECS_SCHEDULE_SCHEDULE_H
#define CAIRN_SRC_ECS_SCHEDULE_SCHEDULE_H

#include "ecs/world/world_internal.h"

/* Everything that running a system reads: one cache line, in the world's core memory. */
struct CniEcsRunnable {
    CnSystemContext context;               /* copied for each run */
    void (*run)(CnSystemContext *context); /* NULL if the system is disabled */
};
CN_STATIC_ASSERT(sizeof(CniEcsRunnable) <= (size_t)1 << CNI_ECS_BLOCK_MIN_CLASS, "not one line");

struct CniEcsSystem {
    CniEcsRunnable *runnable;
    bool disabled;
    bool free;  /* may access anything: it declares nothing or runs alone */
    bool alone; /* no other system runs at the same time; set by sorting */
    /* Changes requested during an update, applied at its end. */
    bool coming, leaving, enable_wanted;
    bool stale; /* its code was removed: see cn_owner_begin_replace */
    uint32_t wave;
    uint32_t waits_for; /* used by sorting */
    uint32_t waited_by; /* used for reporting a cycle */
    uint32_t owner;
    uint64_t cost_ns; /* recent cost, measured if the world has jobs */
    CnSystemStats stats;
    CnSystem id;
    CnBitSet reads, writes; /* declared access */
    CnSystemDesc desc;      /* names are interned */
};

/* Whether the system takes part in the schedule. */
static inline bool cni_ecs_system_is_active(const CniEcsSystem *system)
{
    return !system->coming && !system->stale;
}

CniEcsSystem *cni_ecs_system_get(const CnWorld *world, uint32_t id);
/* Searches existing and pending systems. */
CniEcsSystem *cni_ecs_system_by_name(const CnWorld *world, const char *name);
/* Returns a system of the set, in the stage if it has one there; NULL if the set has no systems. */
const CniEcsSystem *cni_ecs_system_of_set(const CnWorld *world, const char *set, CnStage stage);
/* Applies the changes requested since the last boundary. */
void cni_ecs_systems_apply_pending(CnWorld *world);

/* Guards report an invalid stage. */
bool cni_ecs_stage_exists(CnStage stage, CnError *error);
bool cni_ecs_stage_sort(CnWorld *world, CnStage stage, CnError *error);
bool cni_ecs_systems_conflict(const CniEcsSystem *a, const CniEcsSystem *b);
/* Whether `before` or `after` order the two systems directly. */
bool cni_ecs_system_runs_before(const CniEcsSystem *a, const CniEcsSystem *b);
/* For two systems in schedule order: whether the later one waits for the earlier one. */
bool cni_ecs_system_must_precede(const CniEcsSystem *earlier, const CniEcsSystem *later);

#endif

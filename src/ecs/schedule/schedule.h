/* Systems as system.c (coming and going), schedule.c (order) and stage_run.c (running) share them.
 */
#ifndef CAIRN_SRC_ECS_SCHEDULE_SCHEDULE_H
#define CAIRN_SRC_ECS_SCHEDULE_SCHEDULE_H

#include "ecs/world/world_internal.h"

/* All that running a system reads: one cache line, in memory of the world's core. */
struct CniEcsRunnable {
    CnSystemContext context;               /* what a run gets a copy of */
    void (*run)(CnSystemContext *context); /* NULL: the system is disabled */
};
CN_STATIC_ASSERT(sizeof(CniEcsRunnable) <= (size_t)1 << CNI_ECS_BLOCK_MIN_CLASS, "not one line");

struct CniEcsSystem {
    CniEcsRunnable *runnable;
    bool disabled;
    bool free;  /* may touch anything: it declares nothing, or says that it runs alone */
    bool alone; /* nothing runs beside it; known after the sort */
    /* What is asked for during an update waits for its end. */
    bool coming, leaving, enable_wanted;
    bool stale; /* its code was taken away: see cn_owner_begin_replace */
    uint32_t wave;
    uint32_t waits_for; /* scratch of the sort */
    uint32_t waited_by; /* scratch of the report of a cycle */
    uint32_t owner;
    uint64_t cost_ns; /* of late, measured where there are jobs */
    CnSystemStats stats;
    CnSystem id;
    CnBitSet reads, writes; /* declared access */
    CnSystemDesc desc;      /* names are interned */
};

/* Whether it takes part in the schedule. */
static inline bool cni_ecs_system_is_active(const CniEcsSystem *system)
{
    return !system->coming && !system->stale;
}

CniEcsSystem *cni_ecs_system_get(const CnWorld *world, uint32_t id);
/* Among those that are there or coming. */
CniEcsSystem *cni_ecs_system_by_name(const CnWorld *world, const char *name);
/* A system of the set, in the stage if there is one; NULL: the set has no systems. */
const CniEcsSystem *cni_ecs_system_of_set(const CnWorld *world, const char *set, CnStage stage);
/* Applies what was asked for since the last boundary. */
void cni_ecs_systems_apply_pending(CnWorld *world);

/* Guards report a number that is no stage. */
bool cni_ecs_stage_exists(CnStage stage, CnError *error);
bool cni_ecs_stage_sort(CnWorld *world, CnStage stage, CnError *error);
bool cni_ecs_systems_conflict(const CniEcsSystem *a, const CniEcsSystem *b);
/* By before and after, directly. */
bool cni_ecs_system_runs_before(const CniEcsSystem *a, const CniEcsSystem *b);
/* Of two systems in the order of the schedule: the later one waits for the earlier. */
bool cni_ecs_system_must_precede(const CniEcsSystem *earlier, const CniEcsSystem *later);

#endif

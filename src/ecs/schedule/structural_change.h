/* What the running system may change; mostly for guards. */
#ifndef CAIRN_SRC_ECS_SCHEDULE_STRUCTURAL_CHANGE_H
#define CAIRN_SRC_ECS_SCHEDULE_STRUCTURAL_CHANGE_H

#include "ecs/world/world_data.h"

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

#endif

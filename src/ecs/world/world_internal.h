/* The internal structure of a world, for all files of this module. README.md contains the source
 * map. */
#ifndef CAIRN_SRC_ECS_WORLD_WORLD_INTERNAL_H
#define CAIRN_SRC_ECS_WORLD_WORLD_INTERNAL_H

#include "ecs/command/command_internal.h"
#include "ecs/component/component_internal.h"
#include "ecs/entity/entity_internal.h"
#include "ecs/event/hooks.h"
#include "ecs/query/query_internal.h"
#include "ecs/schedule/structural_change.h"
#include "ecs/storage/rows.h"

#include <string.h>

/* world.c */
#define CNI_ECS_REPORT_UNHANDLED(world, error)                                                     \
    CN_REPORT_UNHANDLED(error, "ecs", cn_world_unhandled_errors(world))
/* Reports a failure of a function without an error parameter. Returns false. Any thread. */
bool cni_ecs_report(const CnWorld *world, CnErrorCode code, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);

/* event.c, event_producer.c, system.c */
void cni_ecs_channels_fini(CnWorld *world);
void cni_ecs_producers_fini(CnWorld *world);
void cni_ecs_systems_fini(CnWorld *world);

#endif

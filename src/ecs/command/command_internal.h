/* Command buffers as the rest of the module uses them. */
#ifndef CAIRN_SRC_ECS_COMMAND_COMMAND_INTERNAL_H
#define CAIRN_SRC_ECS_COMMAND_COMMAND_INTERNAL_H

#include "ecs/world/world_data.h"

/* command_buffer.c, command_flush.c */
void cni_ecs_commands_free(CnCommands *commands);
void cni_ecs_commands_forget_types(CnWorld *world);
/* Discards the recorded commands and returns reserved ids. When out of memory, returns false and
 * changes nothing. */
bool cni_ecs_commands_discard(CnCommands *commands);
/* Ensures that commands can be applied. When out of memory, returns false; they stay pending until
 * the next flush. */
bool cni_ecs_commands_prepare(CnWorld *world);
/* Applies the first `count` buffers. Returns false if a command failed. */
bool cni_ecs_commands_apply(CnWorld *world, uint32_t count);
/* Frees buffers whose destruction was postponed. */
void cni_ecs_commands_reap(CnWorld *world);
/* Turns indices reserved by buffers into indices that they own, so that further indices can be
 * assigned. */
bool cni_ecs_commands_resolve_ids(CnWorld *world);
/* Arranges these buffers, within the positions that they have among the world's buffers, in the
 * given order. */
bool cni_ecs_commands_reorder(CnWorld *world, CnCommands *const *wanted, uint32_t count);
/* Returns the unused indices of a buffer to the free stack. */
void cni_ecs_commands_return_owned(CnCommands *commands);

#endif

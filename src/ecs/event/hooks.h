/* Calls of hooks and observers. */
#ifndef CAIRN_SRC_ECS_EVENT_HOOKS_H
#define CAIRN_SRC_ECS_EVENT_HOOKS_H

#include "ecs/world/world_data.h"

/* hooks.c */
/* Calls on_exit, and on_remove for the components that `from` has and `to` (NULL: none) lacks. */
void cni_ecs_hooks_removed(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                           const CniEcsArchetype *to);
/* The same for every row of an archetype; hooks cannot move the rows. */
void cni_ecs_hooks_removed_all(CnWorld *world, const CniEcsArchetype *from,
                               const CniEcsArchetype *to);
/* Calls on_add for the components that `to` has and `from` (NULL: none) lacked, and on_enter. */
void cni_ecs_hooks_added(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                         const CniEcsArchetype *to);
void cni_ecs_hook_set(CnWorld *world, CnEntity entity, uint32_t component);
/* Moves all rows to an archetype that lacks components, and makes all calls. When out of memory,
 * returns false: nothing was called, but rows may have moved if there is nothing to call. */
bool cni_ecs_hooks_move_all(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to);
uint32_t cni_ecs_hook_flags(const CnHooks *hooks);
/* Removes all hooks of an owner. */
void cni_ecs_hooks_forget_owner(CnWorld *world, uint32_t owner);
/* Applies the commands recorded by hooks once the operation that called them is complete. */
void cni_ecs_hooks_flush(CnWorld *world);
void cni_ecs_archetype_update_hook_flags(CnWorld *world, CniEcsArchetype *archetype);

/* observer.c */
void cni_ecs_observers_left(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                            const CniEcsArchetype *to);
void cni_ecs_observers_entered(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                               const CniEcsArchetype *to);
bool cni_ecs_same_observers(const CniEcsArchetype *a, const CniEcsArchetype *b);
/* Finds the observers of a new archetype. Returns false when out of memory. */
bool cni_ecs_observers_find(CnWorld *world, CniEcsArchetype *archetype);
void cni_ecs_observers_forget_owner(CnWorld *world, uint32_t owner);
void cni_ecs_observers_fini(CnWorld *world);
/* Copies the observers to a clone that already has the components and archetypes. */
bool cni_ecs_observers_copy(CnWorld *to, const CnWorld *from);
/* Whether a move between two archetypes requires calls. */
static inline bool cni_ecs_move_calls(const CniEcsArchetype *from, const CniEcsArchetype *to)
{
    uint32_t flags = (uint32_t)from->hook_flags | to->hook_flags;
    return flags &&
           ((flags & ~(uint32_t)CNI_ECS_HOOK_OBSERVED) || !cni_ecs_same_observers(from, to));
}

#endif

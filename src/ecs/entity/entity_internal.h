/* Entities, their tree and their pairs. */
#ifndef CAIRN_SRC_ECS_ENTITY_ENTITY_INTERNAL_H
#define CAIRN_SRC_ECS_ENTITY_ENTITY_INTERNAL_H

#include "ecs/world/world_data.h"

/* entity.c */
bool cni_ecs_entity_destroy_now(CnWorld *world, CnEntity entity);
/* Returns the archetype of entities with these values; NULL if a component is unknown or when out
 * of memory. `ids` receives their components. */
CniEcsArchetype *cni_ecs_archetype_of_values(CnWorld *world, const CnValue *values, uint32_t count,
                                             uint32_t *ids);
/* Calls the hooks of a new entity. */
void cni_ecs_hooks_spawned(CnWorld *world, CnEntity entity, const CniEcsArchetype *archetype,
                           const CnValue *values, const uint32_t *ids, uint32_t count);

/* relation.c, tree_order.c */
void cni_ecs_node_unlink(CnWorld *world, CnEntity entity);
/* Makes an entity that has neither parent nor children the last child of another. Both have a
 * CnNode. */
void cni_ecs_node_link_new(CnWorld *world, CnEntity child, CnEntity parent);
/* Adds CnNode to a live entity. *left is its previous archetype, NULL if it already had the
 * component. */
bool cni_ecs_node_ensure(CnWorld *world, CnEntity entity, CniEcsArchetype **left);
/* Removes all pairs with the target from all entities. Pairs that remain when out of memory are
 * removed later. */
void cni_ecs_pairs_target_died(CnWorld *world, CnEntity target);
void cni_ecs_pairs_sweep(CnWorld *world);
/* Makes freed component ids available again once no pending command can refer to them. */
void cni_ecs_components_reclaim(CnWorld *world);
void cni_ecs_tree_fini(CnWorld *world);

#endif

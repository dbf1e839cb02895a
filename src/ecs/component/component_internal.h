/* Registration of components, pairs and C types. */
#ifndef CAIRN_SRC_ECS_COMPONENT_COMPONENT_INTERNAL_H
#define CAIRN_SRC_ECS_COMPONENT_COMPONENT_INTERNAL_H

#include "ecs/world/world_data.h"

/* type_conflicts.c */
/* Returns the number of a C type in this process, an index into each world's table. Returns 0 and
 * sets the error if source files disagree about the type. */
uint32_t cni_ecs_type_number(const CnType *type, CnError *error);
/* File and line of a description, for messages. */
#define CNI_ECS_SOURCE_LOCATION_BYTES 160u
void cni_ecs_type_source_location(const CnType *type, char *text, size_t text_bytes);

/* nested_fields.c */
/* A type without nested structs. Its fields are those of the original if that had none, otherwise
 * the ones here. */
typedef struct CniEcsFlatType {
    CnType type;
    CnField fields[CN_MAX_FIELDS];
    char names[CN_MAX_FIELDS][CN_MAX_NAME_BYTES];
} CniEcsFlatType;
bool cni_ecs_type_flatten(const CnType *type, CniEcsFlatType *flat, CnError *error);

/* component.c */
void cni_ecs_component_release(CnWorld *world, uint32_t id); /* a pair whose target died */
static inline CniEcsComponent *cni_ecs_component_get(const CnWorld *world, uint32_t id)
{
    return id < world->components.count && world->components.items[id].info.name
               ? &world->components.items[id]
               : NULL;
}
/* The order in which the components of an entity are listed, saved and passed to hooks: by name,
 * and pairs of one kind by index and generation of their targets. Ids are not suitable, because
 * they depend on the order of first uses, possibly by code that only reads. */
bool cni_ecs_component_precedes(const CnWorld *world, uint32_t a, uint32_t b);
/* Guards a structural call: the component must exist and not be managed by the library itself. */
static inline bool cni_ecs_may_change(const CnWorld *world, uint32_t component)
{
    const CniEcsComponent *found = cni_ecs_component_get(world, component);
    /* The null component results from a failed registration, which was already reported. */
    CN_ASSERT(found || !component, "component %u is not registered", component);
    CN_ASSERT(!found || !found->is_any_tag, "%s follows its pairs and cannot be changed",
              found ? found->info.name : "");
    CN_ASSERT(component != world->node || !component,
              "CnNode can only be changed by cn_set_parent");
    return CN_LIKELY(found && !found->is_any_tag && component != world->node);
}
uint64_t cni_ecs_pair_key(uint32_t kind, CnEntity target);
/* Adds the pair to the list of its target's pairs. */
void cni_ecs_pair_link(CnWorld *world, uint32_t id);
/* Returns the component of a value or term; 0 if unknown. Registers C types if `world` may be
 * changed. */
uint32_t cni_ecs_value_component(CnWorld *world, const CnType *type, CnComponent component);
/* Returns the component of a term, which is registered if its type is not known yet. Returns 0 and
 * sets the error if that fails or if the term refers to an unknown id. */
uint32_t cni_ecs_term_component(CnWorld *world, const CnTerm *term, CnError *error);

#endif

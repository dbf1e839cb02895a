/* Reflection tables of types that have no source file of their own, and lookup of tables. */
#ifndef CAIRN_SRC_SCENE_REFLECTION_REFLECTION_INTERNAL_H
#define CAIRN_SRC_SCENE_REFLECTION_REFLECTION_INTERNAL_H

#include <cairn/scene/reflection.h>

/* Adds the table of "TransformComponent". Calling it again has no effect. */
bool cni_scene_reflect_transform(CnWorld *world, CnError *error);
/* Adds the table of the resource CnTime. Calling it again has no effect. */
bool cni_scene_reflect_time(CnWorld *world, CnError *error);
/* Returns the table of a component or resource, or NULL. */
const CnReflectedType *cni_scene_reflection_table(const CnWorld *world, CnComponent component);

#endif

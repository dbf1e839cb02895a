/* Reflection tables of components that have no source file of their own. */
#ifndef CAIRN_SRC_SCENE_REFLECTION_REFLECTION_INTERNAL_H
#define CAIRN_SRC_SCENE_REFLECTION_REFLECTION_INTERNAL_H

#include <cairn/scene/reflection.h>

/* Adds the table of "TransformComponent". Calling it again has no effect. */
bool cni_scene_reflect_transform(CnWorld *world, CnError *error);

#endif

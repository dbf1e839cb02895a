/* Advances the animation clips of objects. */
#ifndef CAIRN_SRC_SCENE_COMPONENT_ANIMATOR_H
#define CAIRN_SRC_SCENE_COMPONENT_ANIMATOR_H

#include <cairn/ecs/world.h>

/* Adds the component, its reflection and the system AdvanceAnimators. Calling it again has no
 * effect. */
bool cni_scene_animators_add(CnWorld *world, CnError *error);

#endif

/* Time that passes in the clips of objects. */
#ifndef CAIRN_SCENE_ANIMATOR_H
#define CAIRN_SCENE_ANIMATOR_H

#include <cairn/ecs/world.h>

/* The component, how it is shown, and the system AdvanceAnimators; calling it again is harmless. */
bool cni_animators_add(CnWorld *world, CnError *error);

#endif

/* What is seen of objects, copied out at the end of each tick. */
#ifndef CAIRN_SCENE_EXTRACT_OBJECTS_H
#define CAIRN_SCENE_EXTRACT_OBJECTS_H

#include <cairn/ecs/world.h>

/* The system ExtractObjects; calling it again is harmless. */
bool cni_extract_objects_add(CnWorld *world, CnError *error);

#endif

/* Copies the visible data of objects into the snapshot at the end of each tick. */
#ifndef CAIRN_SRC_SCENE_COMPONENT_EXTRACT_OBJECTS_H
#define CAIRN_SRC_SCENE_COMPONENT_EXTRACT_OBJECTS_H

#include <cairn/ecs/world.h>

/* Adds the system ExtractObjects. Calling it again has no effect. */
bool cni_scene_extract_objects_add(CnWorld *world, CnError *error);

#endif

#ifndef CAIRN_SRC_SCENE_COMPONENT_EXTRACT_SOUNDS_H
#define CAIRN_SRC_SCENE_COMPONENT_EXTRACT_SOUNDS_H

#include <cairn/ecs/world.h>

/* Adds the system ExtractSounds, once. */
bool cni_scene_extract_sounds_add(CnWorld *world, CnError *error);

#endif

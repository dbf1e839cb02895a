/* Cameras that follow and shake: components and systems. */
#ifndef CAIRN_SRC_SCENE_COMPONENT_CAMERA_MOTION_H
#define CAIRN_SRC_SCENE_COMPONENT_CAMERA_MOTION_H

#include <cairn/ecs/world.h>

/* Adds the components, their reflection and the systems. Calling it again has no effect. */
bool cni_scene_camera_motion_add(CnWorld *world, CnError *error);

#endif

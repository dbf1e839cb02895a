/*
 * cairn/physics: rigid bodies (ODE).
 *
 *     CnPlugin parts[] = {cn_physics_plugin(NULL)};
 *     CnScenes *scenes = cn_scenes_create(&(CnScenesDesc){.plugins = parts, .plugin_count = 1}, &error);
 */
#ifndef CAIRN_PHYSICS_H
#define CAIRN_PHYSICS_H

#include <cairn/physics/body.h>
#include <cairn/physics/physics.h>

#endif

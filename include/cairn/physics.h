/*
 * cairn/physics: rigid bodies, simulated by ODE.
 *
 *     CnError error = {0};
 *     CnPlugin plugins[] = {cn_physics_plugin(NULL)};
 *     CnScenes *scenes =
 *         cn_scenes_create(&(CnScenesDesc){.plugins = plugins, .plugin_count = 1}, &error);
 */
#ifndef CAIRN_PHYSICS_H
#define CAIRN_PHYSICS_H

#include <cairn/physics/body.h>
#include <cairn/physics/joint.h>
#include <cairn/physics/physics.h>

#endif

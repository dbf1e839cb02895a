/*
 * cairn/scene: object hierarchies, transforms, cameras, controllers, scenes, and their files.
 *
 *     CnError error = {0};
 *     CnScenes *scenes = cn_scenes_create(NULL, &error);
 *     CnScene *scene = cn_scene_load(scenes, cn_native_files(), "main.json", &error);
 *     CnEntity box = cn_object_find(cn_scene_world(scene), "Room/Box");
 *     cn_scenes_frame(scenes, 1.0 / 60, &error);      // real seconds since the last frame
 *     cn_scenes_destroy(scenes);
 */
#ifndef CAIRN_SCENE_H
#define CAIRN_SCENE_H

#include <cairn/scene/behavior.h>
#include <cairn/scene/animation_clips.h>
#include <cairn/scene/camera.h>
#include <cairn/scene/camera_motion.h>
#include <cairn/scene/collision.h>
#include <cairn/scene/controller.h>
#include <cairn/scene/file.h>
#include <cairn/scene/object.h>
#include <cairn/scene/presentation.h>
#include <cairn/scene/scene.h>
#include <cairn/scene/reflection.h>
#include <cairn/scene/transform.h>
#include <cairn/scene/world_json.h>

#endif

/*
 * Reloading scene and prefab files: the plan of the old file and the plan of the new one are
 * compared node by node, and what differs is applied to the objects that came from the file.
 */
#ifndef CAIRN_SRC_SCENE_FILE_FILE_RELOAD_H
#define CAIRN_SRC_SCENE_FILE_FILE_RELOAD_H

#include "scene/file/file_reader.h"

#include <cairn/scene/scene.h>

/* Applies the differences of two plans to objects: objects[i] is that of the node i of the old
 * plan, or null if it is gone. `made` receives those of the new plan. With `is_instance`, the plans
 * are those of a prefab: the name and the origin of the first node belong to the instance. Returns
 * false and an error when out of memory; a part of the differences is then applied. */
typedef struct CniScenePlanChange {
    CnWorld *world;
    const CniScenePlan *old, *now;
    const CnEntity *objects;
    CnEntity *made;
    bool is_instance;
    CnSceneReload *report;
} CniScenePlanChange;
bool cni_scene_plan_apply_changes(const CniScenePlanChange *change, CnError *error);

/* ---- prefab.c: the cache ---- */

typedef struct CniScenePrefabs CniScenePrefabs;

/* Returns whether the cache contains the prefab, also if it could not be read. */
bool cni_scene_prefabs_contain(CnWorld *world, const char *path);
/* Replaces the cache of a world by another one, and returns the old one; NULL: an empty cache. */
CniScenePrefabs *cni_scene_prefabs_exchange(CnWorld *world, CniScenePrefabs *prefabs);
/* Reads all prefabs again that are in `old` without an error. */
bool cni_scene_prefabs_read_again(CnWorld *world, CnFileSystem *files, const CniScenePrefabs *old,
                                  CnError *error);
/* Returns the plan of a prefab in the cache, or NULL. */
const CniScenePlan *cni_scene_prefabs_find(const CniScenePrefabs *prefabs, const char *path);

#endif

/* Finds the first object that has a component and satisfies a condition. */
#ifndef CAIRN_SRC_SCENE_OBJECT_FIRST_ACTIVE_OBJECT_H
#define CAIRN_SRC_SCENE_OBJECT_FIRST_ACTIVE_OBJECT_H

#include <cairn/scene/object.h>

/* Returns a query for all active objects with a component. Keep it: creating a query allocates. */
CnQuery *cni_scene_active_with(CnWorld *world, const CnType *type, CnError *error);
/* Returns the first of them in the order of cn_objects_with. `accept` may be NULL (all). */
CnEntity cni_scene_first_object(const CnQuery *active, const CnType *type,
                                bool (*accept)(const void *value));

#endif

/* The first of all objects that are alike. */
#ifndef CAIRN_SCENE_FIRST_OBJECT_H
#define CAIRN_SCENE_FIRST_OBJECT_H

#include <cairn/scene/object.h>

/* All active objects with a component. To be kept: finding a query takes memory for a moment. */
CnQuery *cni_active_with(CnWorld *world, const CnType *type);
/* The first of them in the order of cn_objects_with. `accept` may be NULL: all. */
CnEntity cni_first_object(const CnQuery *active, const CnType *type,
                          bool (*accept)(const void *value));

#endif

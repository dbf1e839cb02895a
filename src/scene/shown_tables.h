/* Reflection tables of components that have no source file of their own. */
#ifndef CAIRN_SCENE_SHOWN_TABLES_H
#define CAIRN_SCENE_SHOWN_TABLES_H

#include <cairn/scene/shown.h>

/* Adds the table of "TransformComponent". Calling it again has no effect. */
bool cni_show_transform(CnWorld *world, CnError *error);

#endif

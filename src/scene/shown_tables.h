/* How the components of this module appear that have no file of their own for it. */
#ifndef CAIRN_SCENE_SHOWN_TABLES_H
#define CAIRN_SCENE_SHOWN_TABLES_H

#include <cairn/scene/shown.h>

/* "TransformComponent". Calling it again is harmless. */
bool cni_show_transform(CnWorld *world, CnError *error);

#endif

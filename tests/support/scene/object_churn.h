/*
 * A plugin that creates, destroys, moves, reparents, enables and disables objects in its ticks, by
 * behaviors, by commands and directly. Everything follows from the state and the seed.
 */
#ifndef CAIRN_TESTS_SUPPORT_SCENE_OBJECT_CHURN_H
#define CAIRN_TESTS_SUPPORT_SCENE_OBJECT_CHURN_H

#include <cairn/scene/scene.h>

CN_COMPONENT(ChurnLife, (u32, age), (u32, born_at), (entity, friend_), (u64, seen));

/* Needs "Scene". */
CnPlugin object_churn_plugin(void);
/* Creates the first objects. Returns false when out of memory. */
bool object_churn_begin(CnWorld *world, uint32_t count);

#endif

/* Types that type_conflict.c and the test that includes this header describe under the same names:
 * one identically, the others differently. */
#ifndef CAIRN_TESTS_SUPPORT_ECS_TYPE_CONFLICT_H
#define CAIRN_TESTS_SUPPORT_ECS_TYPE_CONFLICT_H

#include <cairn/ecs.h>

/* The types as type_conflict.c sees them. */
CnEntity clash_spawn(CnWorld *world);
const void *clash_get(const CnWorld *world, CnEntity entity);
CnEntity clash_spawn_same(CnWorld *world, float x);
float clash_get_same(const CnWorld *world, CnEntity entity);

#endif

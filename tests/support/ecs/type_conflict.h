/* Types that ecs_clash.c and the test that includes this header describe under the same names: one
 * in the same way, the others differently. */
#ifndef CAIRN_TESTS_SUPPORT_ECS_TYPE_CONFLICT_H
#define CAIRN_TESTS_SUPPORT_ECS_TYPE_CONFLICT_H

#include <cairn/ecs.h>

/* What ecs_clash.c sees of its own types. */
CnEntity clash_spawn(CnWorld *world);
const void *clash_get(const CnWorld *world, CnEntity entity);
CnEntity clash_spawn_same(CnWorld *world, float x);
float clash_get_same(const CnWorld *world, CnEntity entity);

#endif

/* A world with transforms per test. */
#ifndef CAIRN_TESTS_UNIT_SCENE_TRANSFORM_FIXTURE_H
#define CAIRN_TESTS_UNIT_SCENE_TRANSFORM_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/scene/transform.h>

static CnWorld *world;

static int make_world(void **state)
{
    (void)state;
    world = cn_world_create(NULL, NULL);
    return world && cn_transform_add(world, NULL) ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    return 0;
}

#define in_world(test) cmocka_unit_test_setup_teardown(test, make_world, drop_world)

static inline CnEntity place(float x, float y, float z)
{
    return cn_spawn(world, cn_with(CnTransform, {{x, y, z}, {0, 0, 0, 1}, {1, 1, 1}}),
                    cn_with_default(CnWorldTransform), cn_with_default(CnTransformCache));
}

static inline CnEntity place_below(CnEntity parent, float x, float y, float z)
{
    CnEntity child = place(x, y, z);
    assert_true(cn_set_parent(world, child, parent));
    return child;
}

/* In another chunk than its parent: what makes the pass look at one does not make it look at the
 * other. */
CN_TAG(Apart);

static inline CnEntity place_apart(CnEntity parent, float x, float y, float z)
{
    CnEntity child = place_below(parent, x, y, z);
    assert_true(cn_add(world, child, Apart));
    return child;
}

static inline void assert_vec3(CnVec3 a, CnVec3 b, double tolerance)
{
    assert_true(cn_fabs((double)a.x - (double)b.x) <= tolerance);
    assert_true(cn_fabs((double)a.y - (double)b.y) <= tolerance);
    assert_true(cn_fabs((double)a.z - (double)b.z) <= tolerance);
}

#endif

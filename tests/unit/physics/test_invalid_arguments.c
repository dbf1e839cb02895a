/* Numbers that name nothing: guards catch them, and without guards the result is harmless. */
#include "guards.h"

#include <cairn/physics.h>

#include <string.h>

static const int bad[] = {4, 5, 255, 256, 1 << 20, -1};

static void a_kind_of_bodies_that_is_none_is_dynamic(void **state)
{
    (void)state;
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_rigidbody((CnBodyKind)bad[i], CN_SHAPE_BOX));
        assert_non_null(strstr(guard_message(), "body kind"));
#else
        assert_int_equal(cn_rigidbody((CnBodyKind)bad[i], CN_SHAPE_BOX).kind, CN_BODY_DYNAMIC);
#endif
    }
}

static void a_kind_of_shapes_that_is_none_is_a_box(void **state)
{
    (void)state;
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_rigidbody(CN_BODY_STATIC, (CnShapeKind)bad[i]));
        assert_non_null(strstr(guard_message(), "shape kind"));
#else
        assert_int_equal(cn_rigidbody(CN_BODY_STATIC, (CnShapeKind)bad[i]).shape, CN_SHAPE_BOX);
#endif
    }
}

static void a_kind_of_joints_that_is_none_is_a_ball(void **state)
{
    (void)state;
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        int kind = bad[i] == 4 ? 7 : bad[i]; /* 4 is a spring */
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_joint((CnJointKind)kind));
        assert_non_null(strstr(guard_message(), "joint kind"));
#else
        assert_int_equal(cn_joint((CnJointKind)kind).kind, CN_JOINT_BALL);
#endif
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_of_joints_that_is_none_is_a_ball),
        cmocka_unit_test(a_kind_of_bodies_that_is_none_is_dynamic),
        cmocka_unit_test(a_kind_of_shapes_that_is_none_is_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

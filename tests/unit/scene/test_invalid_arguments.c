/* Numbers that name nothing: guards catch them, and without guards the result is harmless. */
#include "guards.h"

#include <cairn/scene/object.h>
#include <cairn/scene/transform.h>

#include <string.h>

static const int bad[] = {CN_REPARENT_KEEP_WORLD + 1, 255, 1 << 20, -1};

static void a_way_to_keep_a_place_that_is_none_keeps_the_numbers(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL);
    assert_true(cn_object_add(world, NULL));
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnEntity parent = cn_object_create(world, "Parent", CN_NO_PARENT);
        CnEntity child = cn_object_create(world, "Child", CN_NO_PARENT);
        assert_true(parent.id && child.id);
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_object_set_parent(world, child, parent, (CnReparentMode)bad[i], NULL));
        assert_non_null(strstr(guard_message(), "there is no CnReparentMode"));
#else
        assert_true(cn_object_set_parent(world, child, parent, (CnReparentMode)bad[i], NULL));
        assert_true(cn_parent(world, child).id == parent.id);
#endif
    }
    cn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way_to_keep_a_place_that_is_none_keeps_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

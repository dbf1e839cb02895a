/* test-labels: guards */
/* A handle or description that is NULL: guards name the function and the parameter. */
#include "guards.h"

#include <cairn/scene.h>

#include <string.h>

static void a_missing_argument_is_named(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_object_add(NULL, NULL));
    assert_non_null(strstr(guard_message(), "cn_object_add: world is NULL"));
    EXPECT_GUARD(cn_object_find(NULL, "A"));
    assert_non_null(strstr(guard_message(), "world is NULL"));
    EXPECT_GUARD(cn_scenes_count(NULL));
    assert_non_null(strstr(guard_message(), "scenes is NULL"));
    EXPECT_GUARD(cn_scene_world(NULL));
    assert_non_null(strstr(guard_message(), "scene is NULL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_argument_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

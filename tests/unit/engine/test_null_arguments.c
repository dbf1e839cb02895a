/* test-labels: guards */
/* A handle or description that is NULL: guards name the function and the parameter. */
#include "guards.h"

#include <cairn/engine.h>

#include <string.h>

static void a_missing_argument_is_named(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_engine_world(NULL));
    assert_non_null(strstr(guard_message(), "cn_engine_world: engine is NULL"));
    EXPECT_GUARD(cn_engine_vfs(NULL));
    assert_non_null(strstr(guard_message(), "engine is NULL"));
    EXPECT_GUARD(cn_engine_frame(NULL));
    assert_non_null(strstr(guard_message(), "engine is NULL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_argument_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Wrong calls of the script module: guards catch them, and without guards they are harmless. */
#include "guards.h"
#include "script_world.h"

#include <string.h>

static void a_check_without_a_path_is_refused(void **state)
{
    (void)state;
    ScriptWorld w;
    assert_true(script_world_init(&w, &(ScriptWorldDesc){0}));
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_script_check(w.world, NULL, NULL));
    assert_non_null(strstr(guard_message(), "the path is NULL"));
#else
    assert_false(cn_script_check(w.world, NULL, NULL));
#endif
    script_world_fini(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_check_without_a_path_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: guards */
/* A handle or description that is NULL: guards name the function and the parameter. */
#include "guards.h"

#include <cairn/ui.h>

#include <string.h>

static void a_missing_argument_is_named(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_ui_separator(NULL));
    assert_non_null(strstr(guard_message(), "cn_ui_separator: ui is NULL"));
    EXPECT_GUARD(cn_ui_heading(NULL, "A"));
    assert_non_null(strstr(guard_message(), "ui is NULL"));
    EXPECT_GUARD(cn_ui_input_event(NULL, &(CnInputEvent){0}));
    assert_non_null(strstr(guard_message(), "input is NULL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_argument_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

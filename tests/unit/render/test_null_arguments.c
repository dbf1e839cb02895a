/* test-labels: guards */
/* A handle or description that is NULL: guards name the function and the parameter. */
#include "guards.h"

#include <cairn/render.h>

#include <string.h>

static void a_missing_argument_is_named(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_renderer_stats(NULL));
    assert_non_null(strstr(guard_message(), "cn_renderer_stats: renderer is NULL"));
    EXPECT_GUARD(cn_mesh_create(NULL, &(CnMeshDesc){0}, NULL));
    assert_non_null(strstr(guard_message(), "renderer is NULL"));
    EXPECT_GUARD(cn_graph_begin(NULL));
    assert_non_null(strstr(guard_message(), "graph is NULL"));
    EXPECT_GUARD(cn_material_find(NULL, "A"));
    assert_non_null(strstr(guard_message(), "renderer is NULL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_argument_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

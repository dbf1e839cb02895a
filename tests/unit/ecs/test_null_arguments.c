/* test-labels: guards */
/* A handle or description that is NULL: guards name the function and the parameter. */
#include "guards.h"

#include <cairn/ecs.h>

#include <string.h>

static void a_missing_argument_is_named(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_world_clear(NULL));
    assert_non_null(strstr(guard_message(), "cn_world_clear: world is NULL"));
    EXPECT_GUARD(cn_entity_create(NULL));
    assert_non_null(strstr(guard_message(), "world is NULL"));
    EXPECT_GUARD(cn_flush(NULL));
    assert_non_null(strstr(guard_message(), "world is NULL"));
    EXPECT_GUARD(cn_query_count(NULL));
    assert_non_null(strstr(guard_message(), "query is NULL"));
    EXPECT_GUARD(cn_event_reader_missed(NULL));
    assert_non_null(strstr(guard_message(), "reader is NULL"));
    EXPECT_GUARD(cn_producer_id(NULL));
    assert_non_null(strstr(guard_message(), "producer is NULL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_argument_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

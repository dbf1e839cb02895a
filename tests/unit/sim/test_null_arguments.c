/* test-labels: guards */
/* A handle or description that is NULL: guards name the function and the parameter. */
#include "guards.h"

#include <cairn/sim.h>

#include <string.h>

static void a_missing_argument_is_named(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_sim_hash(NULL));
    assert_non_null(strstr(guard_message(), "cn_sim_hash: sim is NULL"));
    EXPECT_GUARD(cn_sim_world(NULL));
    assert_non_null(strstr(guard_message(), "sim is NULL"));
    EXPECT_GUARD(cn_outbox_publish(NULL));
    assert_non_null(strstr(guard_message(), "outbox is NULL"));
    EXPECT_GUARD(cn_recorder_ticks(NULL));
    assert_non_null(strstr(guard_message(), "recorder is NULL"));
    EXPECT_GUARD(cn_replay_info(NULL));
    assert_non_null(strstr(guard_message(), "replay is NULL"));
    EXPECT_GUARD(cn_tick_clock_dt(NULL));
    assert_non_null(strstr(guard_message(), "clock is NULL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_argument_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

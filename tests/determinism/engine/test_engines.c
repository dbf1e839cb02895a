/* Several engines in one process, and render threads: each does what it does alone. On the null
 * backend. */
/* test-labels: threads */
#include "engine_runs.h"

#define NULL_RUN(...)                                                                              \
    {                                                                                              \
        .backend = CN_GPU_NULL, __VA_ARGS__                                                        \
    }

static void a_capture_is_the_same_twice(void **state)
{
    (void)state;
    EngineRun a = NULL_RUN(.shape = 0), b = NULL_RUN(.shape = 0);
    run_alone(&a);
    run_alone(&b);
    assert_same_run(&a, &b);
    forget_run(&a);
    forget_run(&b);
}

static void a_render_thread_changes_nothing(void **state)
{
    (void)state;
    EngineRun a = NULL_RUN(.render_thread = CN_SWITCH_OFF),
              b = NULL_RUN(.render_thread = CN_SWITCH_ON);
    run_alone(&a);
    run_alone(&b);
    assert_same_run(&a, &b);
    forget_run(&a);
    forget_run(&b);
}

static void two_in_turn_do_as_alone(void **state)
{
    (void)state;
    EngineRun alone[2] = {NULL_RUN(.shape = 0), NULL_RUN(.shape = 1)},
              pair[2] = {NULL_RUN(.shape = 0), NULL_RUN(.shape = 1)};
    run_alone(&alone[0]);
    run_alone(&alone[1]);
    run_in_turn(&pair[0], &pair[1]);
    assert_same_run(&pair[0], &alone[0]);
    assert_same_run(&pair[1], &alone[1]);
    for (size_t i = 0; i < 2; i++) {
        forget_run(&alone[i]);
        forget_run(&pair[i]);
    }
}

static void two_on_two_threads_do_as_alone(void **state)
{
    (void)state;
    EngineRun alone[2] = {NULL_RUN(.shape = 0), NULL_RUN(.shape = 1)},
              pair[2] = {NULL_RUN(.shape = 0, .render_thread = CN_SWITCH_ON),
                         NULL_RUN(.shape = 1, .render_thread = CN_SWITCH_ON)};
    run_alone(&alone[0]);
    run_alone(&alone[1]);
    run_on_two_threads(&pair[0], &pair[1]);
    assert_same_run(&pair[0], &alone[0]);
    assert_same_run(&pair[1], &alone[1]);
    for (size_t i = 0; i < 2; i++) {
        forget_run(&alone[i]);
        forget_run(&pair[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capture_is_the_same_twice),
        cmocka_unit_test(a_render_thread_changes_nothing),
        cmocka_unit_test(two_in_turn_do_as_alone),
        cmocka_unit_test(two_on_two_threads_do_as_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

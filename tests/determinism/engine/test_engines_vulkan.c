/* test-labels: rendering */
/* Several engines in one process, and render threads: each draws what it draws alone. On a Vulkan
 * device. */
#include "engine_runs.h"
#include "gpu_device.h"

#define VULKAN_RUN(...)                                                                            \
    {                                                                                              \
        .backend = CN_GPU_VULKAN, __VA_ARGS__                                                      \
    }

static EngineRun alone[2] = {VULKAN_RUN(.shape = 0), VULKAN_RUN(.shape = 1)};

static int draw_alone(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        return -1;
    end_gpu(gpu);
    run_alone(&alone[0]);
    run_alone(&alone[1]);
    return 0;
}

static int forget_alone(void **state)
{
    (void)state;
    forget_run(&alone[0]);
    forget_run(&alone[1]);
    return 0;
}

static void what_is_drawn_differs(void **state)
{
    (void)state;
    CnFileBytes a = image_of(&alone[0], 0), b = image_of(&alone[1], 0),
                later = image_of(&alone[0], RUN_FRAMES - 1);
    assert_true(a.size != b.size || memcmp(a.data, b.data, a.size));
    assert_true(a.size != later.size || memcmp(a.data, later.data, a.size));
    cn_file_bytes_free(&a);
    cn_file_bytes_free(&b);
    cn_file_bytes_free(&later);
}

static void a_capture_is_the_same_twice(void **state)
{
    (void)state;
    EngineRun again = VULKAN_RUN(.shape = 0);
    run_alone(&again);
    assert_same_run(&again, &alone[0]);
    forget_run(&again);
}

static void a_render_thread_changes_nothing(void **state)
{
    (void)state;
    EngineRun threaded = VULKAN_RUN(.shape = 0, .render_thread = CN_SWITCH_ON);
    run_alone(&threaded);
    assert_same_run(&threaded, &alone[0]);
    forget_run(&threaded);
}

static void two_in_turn_do_as_alone(void **state)
{
    (void)state;
    EngineRun pair[2] = {VULKAN_RUN(.shape = 0), VULKAN_RUN(.shape = 1)};
    run_in_turn(&pair[0], &pair[1]);
    assert_same_run(&pair[0], &alone[0]);
    assert_same_run(&pair[1], &alone[1]);
    forget_run(&pair[0]);
    forget_run(&pair[1]);
}

static void two_on_two_threads_do_as_alone(void **state)
{
    (void)state;
    EngineRun pair[2] = {VULKAN_RUN(.shape = 0), VULKAN_RUN(.shape = 1)};
    run_on_two_threads(&pair[0], &pair[1]);
    assert_same_run(&pair[0], &alone[0]);
    assert_same_run(&pair[1], &alone[1]);
    forget_run(&pair[0]);
    forget_run(&pair[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_drawn_differs),
        cmocka_unit_test(a_capture_is_the_same_twice),
        cmocka_unit_test(a_render_thread_changes_nothing),
        cmocka_unit_test(two_in_turn_do_as_alone),
        cmocka_unit_test(two_on_two_threads_do_as_alone),
    };
    return cmocka_run_group_tests(tests, draw_alone, forget_alone);
}

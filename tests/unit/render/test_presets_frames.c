/* test-labels: rendering */
/* Frames of each preset, with other sizes and features all the time: nothing is said, and nothing
 * grows. */
#include "preset_soak.h"

static void forward_leaves_nothing_behind_in_10000_frames(void **state)
{
    (void)state;
    preset_soak(cn_preset_forward, RENDER_NULL, 10000);
}

static void forward_plus_leaves_nothing_behind_in_10000_frames(void **state)
{
    (void)state;
    preset_soak(cn_preset_forward_plus, RENDER_NULL, 10000);
}

static void deferred_leaves_nothing_behind_in_10000_frames(void **state)
{
    (void)state;
    preset_soak(cn_preset_deferred, RENDER_NULL, 10000);
}

static void forward_leaves_nothing_behind_on_a_device(void **state)
{
    (void)state;
    preset_soak(cn_preset_forward, RENDER_VULKAN, 100);
}

static void forward_plus_leaves_nothing_behind_on_a_device(void **state)
{
    (void)state;
    preset_soak(cn_preset_forward_plus, RENDER_VULKAN, 100);
}

static void deferred_leaves_nothing_behind_on_a_device(void **state)
{
    (void)state;
    preset_soak(cn_preset_deferred, RENDER_VULKAN, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_leaves_nothing_behind_in_10000_frames),
        cmocka_unit_test(forward_plus_leaves_nothing_behind_in_10000_frames),
        cmocka_unit_test(deferred_leaves_nothing_behind_in_10000_frames),
        cmocka_unit_test(forward_leaves_nothing_behind_on_a_device),
        cmocka_unit_test(forward_plus_leaves_nothing_behind_on_a_device),
        cmocka_unit_test(deferred_leaves_nothing_behind_on_a_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

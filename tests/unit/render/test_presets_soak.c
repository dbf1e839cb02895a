/* test-labels: soak */
/* Ten thousand frames of each preset, with other sizes and features all the time: nothing is said,
 * and nothing grows. */
#include "preset_soak.h"

static void forward_leaves_nothing_behind(void **state)
{
    (void)state;
    preset_soak(cn_preset_forward, RENDER_VULKAN, 10000);
}

static void forward_plus_leaves_nothing_behind(void **state)
{
    (void)state;
    preset_soak(cn_preset_forward_plus, RENDER_VULKAN, 10000);
}

static void deferred_leaves_nothing_behind(void **state)
{
    (void)state;
    preset_soak(cn_preset_deferred, RENDER_VULKAN, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_leaves_nothing_behind),
        cmocka_unit_test(forward_plus_leaves_nothing_behind),
        cmocka_unit_test(deferred_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: guards */
/* A handle or description that is NULL: guards name the function and the parameter. */
#include "guards.h"

#include <cairn/gpu.h>

#include <string.h>

static void a_missing_argument_is_named(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_gpu_stats(NULL));
    assert_non_null(strstr(guard_message(), "cn_gpu_stats: gpu is NULL"));
    EXPECT_GUARD(cn_gpu_buffer_create(NULL, &(CnGpuBufferDesc){.size = 4}, NULL));
    assert_non_null(strstr(guard_message(), "gpu is NULL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_argument_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

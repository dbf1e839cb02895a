/* Kernels over arrays give the bits of the function for one, on every SIMD path. */
#include "math_checks.h"

#include <cairn/base/cpu.h>

#define COUNT 4096u

static float angles[COUNT], sines[COUNT], cosines[COUNT];

static void compare_with_single_calls(uint32_t count)
{
    cn_sincosf_array(count, angles, sines, cosines);
    for (uint32_t i = 0; i < count; i++) {
        float sine, cosine;
        cn_sincosf(angles[i], &sine, &cosine);
        assert_float_is(sines[i], sine);
        assert_float_is(cosines[i], cosine);
    }
}

static void on_every_path(void (*check)(void))
{
    CnSimdPath before = cn_simd_path();
    for (int path = 0; path < CN_SIMD_PATH_COUNT; path++) {
        if (cn_simd_force((CnSimdPath)path))
            check();
    }
    cn_simd_force(before);
}

static void check_all_arguments(void)
{
    TestRandom random = {11};
    for (uint32_t block = 0; block < 64; block++) {
        for (uint32_t i = 0; i < COUNT; i++)
            angles[i] = math_float_argument(&random, i);
        compare_with_single_calls(COUNT);
    }
}

static void sincosf_many_gives_the_bits_of_sincosf(void **state)
{
    (void)state;
    on_every_path(check_all_arguments);
}

static void check_all_counts(void)
{
    for (uint32_t i = 0; i < COUNT; i++)
        angles[i] = (float)i * 0.37f;
    for (uint32_t count = 0; count < 70; count++) {
        sines[count] = cosines[count] = 7.0f;
        compare_with_single_calls(count);
        assert_float_is(sines[count], 7.0f);
        assert_float_is(cosines[count], 7.0f);
    }
}

static void sincosf_many_writes_as_many_as_requested(void **state)
{
    (void)state;
    on_every_path(check_all_counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sincosf_many_gives_the_bits_of_sincosf),
        cmocka_unit_test(sincosf_many_writes_as_many_as_requested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* exp, log, pow, sqrt and hypot: what is special. */
#include "math_checks.h"

static void exp_of_infinity_is_infinite_or_zero(void **state)
{
    (void)state;
    assert_both1(exp, INFINITE, INFINITE);
    assert_both1(exp, -INFINITE, 0.0);
    assert_both1(exp2, INFINITE, INFINITE);
    assert_both1(exp2, -INFINITE, 0.0);
}

static void exp_of_zero_is_one(void **state)
{
    (void)state;
    assert_both1(exp, 0.0, 1.0);
    assert_both1(exp, -0.0, 1.0);
    assert_both1(exp2, 0.0, 1.0);
    assert_both1(exp2, -0.0, 1.0);
}

static void exp_overflows_where_it_must(void **state)
{
    (void)state;
    assert_true(cn_exp(0x1.62e42fefa39efp9) <= 0x1.fffffffffffffp1023);
    assert_double_is(cn_exp(0x1.62e42fefa39f0p9), INFINITE);
    assert_true(cn_expf(0x1.62e42ep6f) <= 0x1.fffffep127f);
    assert_float_is(cn_expf(0x1.62e430p6f), INFINITEF);
}

static void exp_passes_through_the_subnormals_to_zero(void **state)
{
    (void)state;
    assert_double_is(cn_exp(-745.0), 0x1p-1074);
    assert_double_is(cn_exp(-746.0), 0.0);
    assert_float_is(cn_expf(-103.5f), 0x1p-149f);
    assert_float_is(cn_expf(-104.5f), 0.0f);
}

static void whole_powers_of_two_are_exact(void **state)
{
    (void)state;
    for (int n = -1074; n <= 1023; n++)
        assert_double_is(cn_exp2((double)n), __builtin_ldexp(1.0, n));
    assert_double_is(cn_exp2(1024.0), INFINITE);
    for (int n = -149; n <= 127; n++)
        assert_float_is(cn_exp2f((float)n), __builtin_ldexpf(1.0f, n));
    assert_float_is(cn_exp2f(128.0f), INFINITEF);
}

static void logarithms_of_powers_of_two_are_exact(void **state)
{
    (void)state;
    for (int n = -1074; n <= 1023; n++)
        assert_double_is(cn_log2(__builtin_ldexp(1.0, n)), (double)n);
    for (int n = -149; n <= 127; n++)
        assert_float_is(cn_log2f(__builtin_ldexpf(1.0f, n)), (float)n);
}

static void log_of_zero_is_minus_infinity(void **state)
{
    (void)state;
    assert_both1(log, 0.0, -INFINITE);
    assert_both1(log, -0.0, -INFINITE);
    assert_both1(log2, 0.0, -INFINITE);
    assert_both1(log2, -0.0, -INFINITE);
}

static void log_of_negative_numbers_is_not_a_number(void **state)
{
    (void)state;
    assert_both1(log, -1.0, CN_NAN);
    assert_both1(log, -INFINITE, CN_NAN);
    assert_double_is(cn_log2(-0x1p-1074), CN_NAN);
    assert_float_is(cn_log2f(-0x1p-149f), CN_NANF);
}

static void log_of_one_is_plus_zero(void **state)
{
    (void)state;
    assert_both1(log, 1.0, 0.0);
    assert_both1(log2, 1.0, 0.0);
}

static void log_of_infinity_is_infinite(void **state)
{
    (void)state;
    assert_both1(log, INFINITE, INFINITE);
    assert_both1(log2, INFINITE, INFINITE);
}

static void anything_to_the_zeroth_is_one(void **state)
{
    (void)state;
    assert_both2(pow, 0.0, 0.0, 1.0);
    assert_both2(pow, -2.5, -0.0, 1.0);
    assert_both2(pow, INFINITE, 0.0, 1.0);
    assert_both2(pow, STRANGE_NAN, 0.0, 1.0);
}

static void one_to_anything_is_one(void **state)
{
    (void)state;
    assert_both2(pow, 1.0, 3.5, 1.0);
    assert_both2(pow, 1.0, -INFINITE, 1.0);
    assert_both2(pow, 1.0, STRANGE_NAN, 1.0);
}

static void minus_one_to_infinity_is_one(void **state)
{
    (void)state;
    assert_both2(pow, -1.0, INFINITE, 1.0);
    assert_both2(pow, -1.0, -INFINITE, 1.0);
}

static void powers_of_zero_keep_the_sign_for_odd_exponents(void **state)
{
    (void)state;
    assert_both2(pow, 0.0, 3.0, 0.0);
    assert_both2(pow, -0.0, 3.0, -0.0);
    assert_both2(pow, -0.0, 2.0, 0.0);
    assert_both2(pow, -0.0, 0.5, 0.0);
    assert_both2(pow, 0.0, -3.0, INFINITE);
    assert_both2(pow, -0.0, -3.0, -INFINITE);
    assert_both2(pow, -0.0, -2.0, INFINITE);
    assert_both2(pow, -0.0, -INFINITE, INFINITE);
    assert_both2(pow, -0.0, INFINITE, 0.0);
}

static void powers_of_infinity_keep_the_sign_for_odd_exponents(void **state)
{
    (void)state;
    assert_both2(pow, INFINITE, 0.5, INFINITE);
    assert_both2(pow, INFINITE, -0.5, 0.0);
    assert_both2(pow, -INFINITE, 3.0, -INFINITE);
    assert_both2(pow, -INFINITE, 2.0, INFINITE);
    assert_both2(pow, -INFINITE, 2.5, INFINITE);
    assert_both2(pow, -INFINITE, -3.0, -0.0);
    assert_both2(pow, -INFINITE, -2.0, 0.0);
}

static void powers_to_infinity_depend_on_the_size(void **state)
{
    (void)state;
    assert_both2(pow, 0.5, INFINITE, 0.0);
    assert_both2(pow, -0.5, -INFINITE, INFINITE);
    assert_both2(pow, -2.0, INFINITE, INFINITE);
    assert_both2(pow, 2.0, -INFINITE, 0.0);
}

static void negative_numbers_have_only_whole_powers(void **state)
{
    (void)state;
    assert_both2(pow, -2.0, 0.5, CN_NAN);
    assert_both2(pow, -2.0, 3.0, -8.0);
    assert_both2(pow, -2.0, 4.0, 16.0);
    assert_both2(pow, -3.0, -1.0, -1.0 / 3.0);
    assert_double_is(cn_pow(-1.0, 0x1.fffffffffffffp52), -1.0);
    assert_double_is(cn_pow(-1.0, 0x1p53), 1.0);
}

static void powers_overflow_and_underflow(void **state)
{
    (void)state;
    assert_both2(pow, 2.0, 1024.0, INFINITE);
    assert_both2(pow, -2.0, 1025.0, -INFINITE);
    assert_both2(pow, 2.0, -1080.0, 0.0);
    assert_both2(pow, -2.0, -1081.0, -0.0);
    assert_double_is(cn_pow(2.0, -1074.0), 0x1p-1074);
    assert_float_is(cn_powf(2.0f, -149.0f), 0x1p-149f);
    assert_double_is(cn_pow(0x1.0000000000001p0, 0x1.fffffffffffffp1023), INFINITE);
    assert_double_is(cn_pow(0x1.fffffffffffffp-1, 0x1.fffffffffffffp1023), 0.0);
    assert_double_is(cn_pow(0x1.fffffffffffffp1023, 0x1p-1074), 1.0);
}

static void exact_powers_are_exact(void **state)
{
    (void)state;
    for (int base = 2; base <= 15; base++) {
        double power = 1;
        for (int n = 0; power <= 0x1p52; n++, power *= base) {
            assert_double_is(cn_pow((double)base, (double)n), power);
            if (power <= 0x1p24)
                assert_float_is(cn_powf((float)base, (float)n), (float)power);
        }
    }
}

static void sqrt_of_negative_numbers_is_not_a_number(void **state)
{
    (void)state;
    assert_both1(sqrt, -1.0, CN_NAN);
    assert_both1(sqrt, -INFINITE, CN_NAN);
    assert_both1(sqrt, -0.0, -0.0);
    assert_both1(sqrt, INFINITE, INFINITE);
    assert_both1(sqrt, 9.0, 3.0);
}

static void hypot_is_infinite_if_a_side_is(void **state)
{
    (void)state;
    assert_both2(hypot, INFINITE, 1.0, INFINITE);
    assert_both2(hypot, 1.0, -INFINITE, INFINITE);
    assert_both2(hypot, -INFINITE, STRANGE_NAN, INFINITE);
    assert_both2(hypot, STRANGE_NAN, INFINITE, INFINITE);
}

static void hypot_with_zero_is_the_other_side(void **state)
{
    (void)state;
    assert_both2(hypot, -0.0, -0.0, 0.0);
    assert_both2(hypot, -3.0, 0.0, 3.0);
    assert_double_is(cn_hypot(0.0, -0x1p-1074), 0x1p-1074);
    assert_float_is(cn_hypotf(-0x1p-149f, 0.0f), 0x1p-149f);
}

static void hypot_of_pythagorean_sides_is_exact_at_every_size(void **state)
{
    (void)state;
    for (int n = -1074; n <= 1020; n++)
        assert_double_is(cn_hypot(__builtin_ldexp(3.0, n), __builtin_ldexp(-4.0, n)),
                         __builtin_ldexp(5.0, n));
    for (int n = -149; n <= 124; n++)
        assert_float_is(cn_hypotf(__builtin_ldexpf(12.0f, n), __builtin_ldexpf(5.0f, n)),
                        __builtin_ldexpf(13.0f, n));
}

static void hypot_overflows_only_when_the_result_does(void **state)
{
    (void)state;
    assert_true(cn_hypot(0x1p1023, 0x1p1023) < INFINITE);
    assert_double_is(cn_hypot(0x1.fp1023, 0x1.fp1023), INFINITE);
    assert_float_is(cn_hypotf(0x1.fp127f, 0x1.fp127f), INFINITEF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_of_infinity_is_infinite_or_zero),
        cmocka_unit_test(exp_of_zero_is_one),
        cmocka_unit_test(exp_overflows_where_it_must),
        cmocka_unit_test(exp_passes_through_the_subnormals_to_zero),
        cmocka_unit_test(whole_powers_of_two_are_exact),
        cmocka_unit_test(logarithms_of_powers_of_two_are_exact),
        cmocka_unit_test(log_of_zero_is_minus_infinity),
        cmocka_unit_test(log_of_negative_numbers_is_not_a_number),
        cmocka_unit_test(log_of_one_is_plus_zero),
        cmocka_unit_test(log_of_infinity_is_infinite),
        cmocka_unit_test(anything_to_the_zeroth_is_one),
        cmocka_unit_test(one_to_anything_is_one),
        cmocka_unit_test(minus_one_to_infinity_is_one),
        cmocka_unit_test(powers_of_zero_keep_the_sign_for_odd_exponents),
        cmocka_unit_test(powers_of_infinity_keep_the_sign_for_odd_exponents),
        cmocka_unit_test(powers_to_infinity_depend_on_the_size),
        cmocka_unit_test(negative_numbers_have_only_whole_powers),
        cmocka_unit_test(powers_overflow_and_underflow),
        cmocka_unit_test(exact_powers_are_exact),
        cmocka_unit_test(sqrt_of_negative_numbers_is_not_a_number),
        cmocka_unit_test(hypot_is_infinite_if_a_side_is),
        cmocka_unit_test(hypot_with_zero_is_the_other_side),
        cmocka_unit_test(hypot_of_pythagorean_sides_is_exact_at_every_size),
        cmocka_unit_test(hypot_overflows_only_when_the_result_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

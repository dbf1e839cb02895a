/* sin, cos, tan and their inverses: what is special. */
#include "math_checks.h"

#define PI_DOUBLE 0x1.921fb54442d18p1

static void sin_cos_tan_of_infinity_are_not_numbers(void **state)
{
    (void)state;
    assert_both1(sin, INFINITE, CN_NAN);
    assert_both1(sin, -INFINITE, CN_NAN);
    assert_both1(cos, INFINITE, CN_NAN);
    assert_both1(cos, -INFINITE, CN_NAN);
    assert_both1(tan, INFINITE, CN_NAN);
    assert_both1(tan, -INFINITE, CN_NAN);
}

static void every_nan_becomes_the_one_nan(void **state)
{
    (void)state;
    for (int i = 0; i < MATH_ONE_ARGUMENT; i++) {
        assert_float_is(math_float1[i].call(STRANGE_NANF), CN_NANF);
        assert_double_is(math_double1[i].call(STRANGE_NAN), CN_NAN);
    }
    assert_both2(atan2, STRANGE_NAN, 1.0, CN_NAN);
    assert_both2(atan2, 1.0, STRANGE_NAN, CN_NAN);
    assert_both2(fmod, STRANGE_NAN, 1.0, CN_NAN);
    assert_both2(fmod, 1.0, STRANGE_NAN, CN_NAN);
    assert_both2(hypot, 1.0, STRANGE_NAN, CN_NAN);
    assert_both2(pow, STRANGE_NAN, 1.0, CN_NAN);
    assert_both2(pow, 2.0, STRANGE_NAN, CN_NAN);
}

static void the_nan_has_its_bits(void **state)
{
    (void)state;
    assert_int_equal(math_float_bits(CN_NANF), 0x7fc00000);
    assert_true(math_double_bits(CN_NAN) == 0x7ff8000000000000u);
}

static void zero_keeps_its_sign(void **state)
{
    (void)state;
    assert_both1(sin, 0.0, 0.0);
    assert_both1(sin, -0.0, -0.0);
    assert_both1(tan, -0.0, -0.0);
    assert_both1(asin, -0.0, -0.0);
    assert_both1(atan, -0.0, -0.0);
    assert_both1(cos, -0.0, 1.0);
}

static void the_smallest_numbers_are_their_own_sines(void **state)
{
    (void)state;
    assert_double_is(cn_sin(-0x1p-1074), -0x1p-1074);
    assert_double_is(cn_tan(0x1p-1074), 0x1p-1074);
    assert_double_is(cn_asin(0x1p-1074), 0x1p-1074);
    assert_double_is(cn_atan(-0x1.8p-1060), -0x1.8p-1060);
    assert_float_is(cn_sinf(-0x1p-149f), -0x1p-149f);
    assert_float_is(cn_tanf(0x1p-149f), 0x1p-149f);
    assert_float_is(cn_asinf(0x1p-149f), 0x1p-149f);
    assert_float_is(cn_atanf(-0x1.8p-140f), -0x1.8p-140f);
}

/* The true values are from a computation with 450 digits. */
static void huge_angles_are_reduced_exactly(void **state)
{
    (void)state;
    assert_double_is(cn_sin(0x1.fffffffffffffp1023), 0x1.452fc98b34e97p-8);
    assert_double_is(cn_cos(0x1.fffffffffffffp1023), -0x1.fffe62ecfab75p-1);
    assert_double_is(cn_tan(0x1.fffffffffffffp1023), -0x1.4530cfe729484p-8);
    assert_double_is(cn_sin(1e22), -0x1.b453ab76bf397p-1);
    assert_float_is(cn_sinf(0x1.fffffep127f), -0x1.0b3366p-1f);
    assert_float_is(cn_cosf(0x1.fffffep127f), 0x1.b4bf2cp-1f);
}

/* The double that comes closest of all to a multiple of pi/2. */
static void the_worst_angle_keeps_its_precision(void **state)
{
    (void)state;
    double worst = 0x1.6ac5b262ca1ffp849;
    assert_double_is(cn_cos(worst), -0x1.14ae72e6ba22fp-61);
    assert_double_is(cn_sin(worst), 1.0);
}

static void angles_near_pi_keep_their_precision(void **state)
{
    (void)state;
    assert_double_is(cn_sin(PI_DOUBLE), 0x1.1a62633145c07p-53);
    assert_double_is(cn_cos(PI_DOUBLE / 2), 0x1.1a62633145c07p-54);
    assert_float_is(cn_sinf(CN_PIF), -0x1.777a5cp-24f);
}

static void sincos_gives_the_bits_of_sin_and_cos(void **state)
{
    (void)state;
    TestRandom random = {3};
    for (uint32_t i = 0; i < 200000; i++) {
        double x = math_double_argument(&random, i), s, c;
        cn_sincos(x, &s, &c);
        assert_double_is(s, cn_sin(x));
        assert_double_is(c, cn_cos(x));
        float xf = math_float_argument(&random, i), sf, cf;
        cn_sincosf(xf, &sf, &cf);
        assert_float_is(sf, cn_sinf(xf));
        assert_float_is(cf, cn_cosf(xf));
    }
}

static void asin_and_acos_beyond_one_are_not_numbers(void **state)
{
    (void)state;
    assert_both1(asin, 0x1.000002p0, CN_NAN);
    assert_both1(asin, -INFINITE, CN_NAN);
    assert_both1(acos, 0x1.000002p0, CN_NAN);
    assert_both1(acos, -2.0, CN_NAN);
}

static void asin_and_acos_reach_their_ends(void **state)
{
    (void)state;
    assert_both1(asin, 1.0, PI_DOUBLE / 2);
    assert_both1(asin, -1.0, -PI_DOUBLE / 2);
    assert_both1(acos, 1.0, 0.0);
    assert_both1(acos, -1.0, PI_DOUBLE);
    assert_both1(acos, 0.0, PI_DOUBLE / 2);
}

static void atan_of_infinity_is_a_quarter_turn(void **state)
{
    (void)state;
    assert_both1(atan, INFINITE, PI_DOUBLE / 2);
    assert_both1(atan, -INFINITE, -PI_DOUBLE / 2);
}

static void atan2_knows_its_quadrant(void **state)
{
    (void)state;
    assert_both2(atan2, 1.0, 1.0, PI_DOUBLE / 4);
    assert_both2(atan2, 1.0, -1.0, 3 * PI_DOUBLE / 4);
    assert_both2(atan2, -1.0, -1.0, -3 * PI_DOUBLE / 4);
    assert_both2(atan2, -1.0, 1.0, -PI_DOUBLE / 4);
}

static void atan2_on_the_axes_depends_on_signs_of_zeros(void **state)
{
    (void)state;
    assert_both2(atan2, 0.0, 1.0, 0.0);
    assert_both2(atan2, -0.0, 1.0, -0.0);
    assert_both2(atan2, 0.0, -1.0, PI_DOUBLE);
    assert_both2(atan2, -0.0, -1.0, -PI_DOUBLE);
    assert_both2(atan2, 1.0, 0.0, PI_DOUBLE / 2);
    assert_both2(atan2, 1.0, -0.0, PI_DOUBLE / 2);
    assert_both2(atan2, -1.0, 0.0, -PI_DOUBLE / 2);
}

static void atan2_of_zeros_depends_on_their_signs(void **state)
{
    (void)state;
    assert_both2(atan2, 0.0, 0.0, 0.0);
    assert_both2(atan2, -0.0, 0.0, -0.0);
    assert_both2(atan2, 0.0, -0.0, PI_DOUBLE);
    assert_both2(atan2, -0.0, -0.0, -PI_DOUBLE);
}

static void atan2_of_infinities_lies_on_axes_and_diagonals(void **state)
{
    (void)state;
    assert_both2(atan2, INFINITE, 1.0, PI_DOUBLE / 2);
    assert_both2(atan2, -INFINITE, -1.0, -PI_DOUBLE / 2);
    assert_both2(atan2, 1.0, INFINITE, 0.0);
    assert_both2(atan2, -1.0, INFINITE, -0.0);
    assert_both2(atan2, 1.0, -INFINITE, PI_DOUBLE);
    assert_both2(atan2, -1.0, -INFINITE, -PI_DOUBLE);
    assert_both2(atan2, INFINITE, INFINITE, PI_DOUBLE / 4);
    assert_both2(atan2, INFINITE, -INFINITE, 3 * PI_DOUBLE / 4);
    assert_both2(atan2, -INFINITE, -INFINITE, -3 * PI_DOUBLE / 4);
}

static void atan2_neither_overflows_nor_loses_small_ratios(void **state)
{
    (void)state;
    assert_double_is(cn_atan2(0x1p1023, 0x1p1023), PI_DOUBLE / 4);
    assert_double_is(cn_atan2(0x1p-1074, 0x1p-1074), PI_DOUBLE / 4);
    assert_double_is(cn_atan2(0x1p-1074, 1.0), 0x1p-1074);
    assert_double_is(cn_atan2(0x1p-1000, 0x1p60), 0x1p-1060);
    assert_double_is(cn_atan2(0x1p1000, 0x1p-1000), PI_DOUBLE / 2);
    assert_double_is(cn_atan2(0x1p-1000, -0x1p1000), PI_DOUBLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sin_cos_tan_of_infinity_are_not_numbers),
        cmocka_unit_test(every_nan_becomes_the_one_nan),
        cmocka_unit_test(the_nan_has_its_bits),
        cmocka_unit_test(zero_keeps_its_sign),
        cmocka_unit_test(the_smallest_numbers_are_their_own_sines),
        cmocka_unit_test(huge_angles_are_reduced_exactly),
        cmocka_unit_test(the_worst_angle_keeps_its_precision),
        cmocka_unit_test(angles_near_pi_keep_their_precision),
        cmocka_unit_test(sincos_gives_the_bits_of_sin_and_cos),
        cmocka_unit_test(asin_and_acos_beyond_one_are_not_numbers),
        cmocka_unit_test(asin_and_acos_reach_their_ends),
        cmocka_unit_test(atan_of_infinity_is_a_quarter_turn),
        cmocka_unit_test(atan2_knows_its_quadrant),
        cmocka_unit_test(atan2_on_the_axes_depends_on_signs_of_zeros),
        cmocka_unit_test(atan2_of_zeros_depends_on_their_signs),
        cmocka_unit_test(atan2_of_infinities_lies_on_axes_and_diagonals),
        cmocka_unit_test(atan2_neither_overflows_nor_loses_small_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

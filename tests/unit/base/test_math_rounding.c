/* floor, ceil, trunc, round, fabs and fmod: signs, halves, and numbers that are whole already. */
#include "math_checks.h"

static void floor_goes_down(void **state)
{
    (void)state;
    assert_both1(floor, 2.75, 2.0);
    assert_both1(floor, -2.25, -3.0);
    assert_both1(floor, 0.75, 0.0);
    assert_both1(floor, -0.25, -1.0);
}

static void ceil_goes_up(void **state)
{
    (void)state;
    assert_both1(ceil, 2.25, 3.0);
    assert_both1(ceil, -2.75, -2.0);
    assert_both1(ceil, -0.75, -0.0);
}

static void trunc_goes_towards_zero(void **state)
{
    (void)state;
    assert_both1(trunc, 2.75, 2.0);
    assert_both1(trunc, -2.75, -2.0);
    assert_both1(trunc, -0.75, -0.0);
}

static void round_takes_halves_away_from_zero(void **state)
{
    (void)state;
    assert_both1(round, 0.5, 1.0);
    assert_both1(round, 1.5, 2.0);
    assert_both1(round, 2.5, 3.0);
    assert_both1(round, -2.5, -3.0);
    assert_both1(round, -0.25, -0.0);
}

static void round_does_not_lift_what_lies_just_below_a_half(void **state)
{
    (void)state;
    assert_double_is(cn_round(0x1.fffffffffffffp-2), 0.0);
    assert_float_is(cn_roundf(0x1.fffffep-2f), 0.0f);
    assert_double_is(cn_round(0x1.fffffffffffffp51), 0x1p52);
    assert_float_is(cn_roundf(0x1.fffffep22f), 0x1p23f);
}

static void zeros_and_infinities_stay_as_they_are(void **state)
{
    (void)state;
    const double same[] = {0.0, -0.0, INFINITE, -INFINITE};
    for (int i = 0; i < 4; i++) {
        assert_both1(floor, same[i], same[i]);
        assert_both1(ceil, same[i], same[i]);
        assert_both1(trunc, same[i], same[i]);
        assert_both1(round, same[i], same[i]);
    }
}

static void large_numbers_are_whole_already(void **state)
{
    (void)state;
    const double large[] = {0x1.fffffffffffffp52, 0x1.fffffffffffffp1023, -0x1.0000000000001p52};
    for (int i = 0; i < 3; i++) {
        assert_double_is(cn_floor(large[i]), large[i]);
        assert_double_is(cn_ceil(large[i]), large[i]);
        assert_double_is(cn_round(large[i]), large[i]);
    }
    assert_float_is(cn_floorf(-0x1.000002p23f), -0x1.000002p23f);
    assert_float_is(cn_roundf(0x1.fffffep127f), 0x1.fffffep127f);
}

static void fabs_drops_the_sign_of_everything(void **state)
{
    (void)state;
    assert_both1(fabs, -2.5, 2.5);
    assert_both1(fabs, -0.0, 0.0);
    assert_both1(fabs, -INFINITE, INFINITE);
    assert_both1(fabs, STRANGE_NAN, CN_NAN);
}

static void fmod_has_the_sign_of_the_first(void **state)
{
    (void)state;
    assert_both2(fmod, 5.5, 2.0, 1.5);
    assert_both2(fmod, -5.5, 2.0, -1.5);
    assert_both2(fmod, 5.5, -2.0, 1.5);
    assert_both2(fmod, -6.0, 2.0, -0.0);
    assert_both2(fmod, -0.0, 2.0, -0.0);
}

static void fmod_by_infinity_changes_nothing(void **state)
{
    (void)state;
    assert_both2(fmod, -5.5, INFINITE, -5.5);
    assert_both2(fmod, 0.0, -INFINITE, 0.0);
}

static void fmod_by_zero_or_of_infinity_is_not_a_number(void **state)
{
    (void)state;
    assert_both2(fmod, 1.0, 0.0, CN_NAN);
    assert_both2(fmod, 0.0, -0.0, CN_NAN);
    assert_both2(fmod, INFINITE, 1.0, CN_NAN);
    assert_both2(fmod, -INFINITE, INFINITE, CN_NAN);
}

static void fmod_works_across_all_sizes(void **state)
{
    (void)state;
    assert_double_is(cn_fmod(0x1.fffffffffffffp1023, 0x1.8p-1073), 0x1p-1073);
    assert_double_is(cn_fmod(0x1.8p-1070, 0x1p-1070), 0x1p-1071);
    assert_float_is(cn_fmodf(0x1.fffffep127f, 0x1.8p-148f), 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floor_goes_down),
        cmocka_unit_test(ceil_goes_up),
        cmocka_unit_test(trunc_goes_towards_zero),
        cmocka_unit_test(round_takes_halves_away_from_zero),
        cmocka_unit_test(round_does_not_lift_what_lies_just_below_a_half),
        cmocka_unit_test(zeros_and_infinities_stay_as_they_are),
        cmocka_unit_test(large_numbers_are_whole_already),
        cmocka_unit_test(fabs_drops_the_sign_of_everything),
        cmocka_unit_test(fmod_has_the_sign_of_the_first),
        cmocka_unit_test(fmod_by_infinity_changes_nothing),
        cmocka_unit_test(fmod_by_zero_or_of_infinity_is_not_a_number),
        cmocka_unit_test(fmod_works_across_all_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

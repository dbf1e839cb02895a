/* Assertions for results of cairn/base/math.h: bits are compared, so that signs of zeros and the
 * bits of NaNs count. */
#ifndef CAIRN_TESTS_SUPPORT_BASE_MATH_CHECKS_H
#define CAIRN_TESTS_SUPPORT_BASE_MATH_CHECKS_H

#include "cmocka_tests.h"
#include "math_functions.h"

#define INFINITE __builtin_inf()
#define INFINITEF __builtin_inff()

/* NaNs of other signs and with a payload, as arguments. */
#define STRANGE_NAN math_double_from_bits(0xfff8000000000123u)
#define STRANGE_NANF math_float_from_bits(0xffc00123u)

#define assert_float_is(actual, expected)                                                          \
    do {                                                                                           \
        float actual_ = (actual), expected_ = (expected);                                          \
        if (math_float_bits(actual_) != math_float_bits(expected_))                                \
            fail_msg("%s is %a, not %a", #actual, (double)actual_, (double)expected_);             \
    } while (0)

#define assert_double_is(actual, expected)                                                         \
    do {                                                                                           \
        double actual_ = (actual), expected_ = (expected);                                         \
        if (math_double_bits(actual_) != math_double_bits(expected_))                              \
            fail_msg("%s is %a, not %a", #actual, actual_, expected_);                             \
    } while (0)

/* Of both widths at once; arguments must be exact as floats. */
#define assert_both1(name, x, expected)                                                            \
    do {                                                                                           \
        assert_double_is(cn_##name(x), expected);                                                  \
        assert_float_is(cn_##name##f((float)(x)), (float)(expected));                              \
    } while (0)

#define assert_both2(name, x, y, expected)                                                         \
    do {                                                                                           \
        assert_double_is(cn_##name(x, y), expected);                                               \
        assert_float_is(cn_##name##f((float)(x), (float)(y)), (float)(expected));                  \
    } while (0)

#endif

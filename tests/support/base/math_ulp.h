/* The distance of a result from the true value, in units of the last place of the true value. */
#ifndef CAIRN_TESTS_SUPPORT_BASE_MATH_ULP_H
#define CAIRN_TESTS_SUPPORT_BASE_MATH_ULP_H

#include <math.h>

/* For a type with `digits` bits whose least number is 2^`least` and which ends before 2^`end`. */
static inline double math_ulp_error(long double result, long double exact, int digits, int least,
                                    int end)
{
    if (isnan(exact))
        return isnan(result) ? 0 : INFINITY;
    if (isnan(result))
        return INFINITY;
    /* A value that rounds to infinity counts as the number after the largest one. */
    long double after_largest = ldexpl(1, end);
    if (isinf(result))
        result = copysignl(after_largest, result);
    if (fabsl(exact) > after_largest)
        exact = copysignl(after_largest, exact);
    if (result == exact)
        return signbit(result) == signbit(exact) ? 0 : INFINITY;
    int exponent = ilogbl(exact) + 1 - digits;
    if (exact == 0 || exponent < least)
        exponent = least;
    if (fabsl(exact) == after_largest)
        exponent = end - digits;
    return (double)ldexpl(fabsl(result - exact), -exponent);
}

static inline double math_float_error(float result, long double exact)
{
    return math_ulp_error(result, exact, 24, -149, 128);
}

static inline double math_double_error(double result, long double exact)
{
    return math_ulp_error(result, exact, 53, -1074, 1024);
}

#endif

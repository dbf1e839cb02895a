/* hypot and fmod. */
#include "base/math/math_kernel.h"

/* If the sides differ by more, the small one does not show beside the large one. */
#define MOST_EXPONENT_GAP 60

float cn_hypotf(float x, float y)
{
    double a = (double)x, b = (double)y;
    if (__builtin_fabs(a) > FLT_MAX || __builtin_fabs(b) > FLT_MAX)
        return __builtin_inff();
    if (cni_base_is_nan(a) || cni_base_is_nan(b))
        return CN_NANF;
    return (float)__builtin_sqrt(a * a + b * b); /* the squares are exact */
}

double cn_hypot(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (a > DBL_MAX || b > DBL_MAX)
        return __builtin_inf();
    if (cni_base_is_nan(a) || cni_base_is_nan(b))
        return CN_NAN;
    double large = a > b ? a : b, small = a > b ? b : a;
    if (small == 0)
        return large;
    int exponent = cni_base_exponent(large);
    if (exponent - cni_base_exponent(small) > MOST_EXPONENT_GAP)
        return large;
    large = cni_base_scale(large, -exponent);
    small = cni_base_scale(small, -exponent);
    CniBaseDoubleDouble large_square = cni_base_two_product(large, large),
                        small_square = cni_base_two_product(small, small);
    CniBaseDoubleDouble sum = cni_base_fast_two_sum(large_square.hi, small_square.hi);
    sum.lo += large_square.lo + small_square.lo;
    double root = __builtin_sqrt(sum.hi);
    CniBaseDoubleDouble back = cni_base_two_product(root, root);
    root += (((sum.hi - back.hi) - back.lo) + sum.lo) / (2 * root);
    return cni_base_scale(root, exponent);
}

/* ---- fmod ---- */

/* mantissa * 2^exponent, exactly: the exponent is at least -1074. */
CN_FORCE_INLINE uint64_t split(double x, int *exponent)
{
    uint64_t bits = cni_base_size_bits(x), mantissa = bits & 0x000fffffffffffffu;
    int biased = (int)(bits >> 52);
    *exponent = (biased ? biased : 1) - 1075;
    return biased ? mantissa | 0x0010000000000000u : mantissa;
}

/* Long division in whole numbers, 11 bits of the quotient at a time. */
double cn_fmod(double x, double y)
{
    double size = __builtin_fabs(x), step = __builtin_fabs(y);
    if (cni_base_is_nan(x) || cni_base_is_nan(y) || size > DBL_MAX || step == 0)
        return CN_NAN;
    if (size < step)
        return x;
    int exponent, step_exponent;
    uint64_t divisor = split(step, &step_exponent);
    uint64_t rest = split(size, &exponent);
    for (int bits = exponent - step_exponent; bits > 0;) {
        int now = bits < 11 ? bits : 11;
        rest = (rest % divisor) << now;
        bits -= now;
    }
    rest %= divisor;
    double result = (double)rest;
    if (rest != 0)
        result = cni_base_scale(result, step_exponent);
    return __builtin_copysign(result, x);
}

/* The rest of two floats is a float. */
float cn_fmodf(float x, float y)
{
    return (float)cn_fmod((double)x, (double)y);
}

/*
 * exp, exp2 and pow of doubles. An exponent is split into whole 128ths of an octave and a small
 * rest: the power of two from a table of pairs, times a polynomial of the rest. pow is the
 * exponential of a product of pairs, since the error of a logarithm grows with the exponent.
 */
#include "base/math/math_kernel.h"

/* Beyond, results are infinite or 0, with room to spare. */
#define MOST_EXPONENT 800.0

/* 2^(steps / 128) * exp(rest), |rest| <= ln 2 / 256. */
CN_FORCE_INLINE double power(int32_t steps, double rest)
{
    double tail = cni_base_polynomial(rest, cni_base_exp_terms, CN_COUNT_OF(cni_base_exp_terms));
    double grown = rest + rest * rest * tail;
    uint32_t part = (uint32_t)steps % CNI_BASE_EXP_STEPS;
    CniBaseDoubleDouble base = cni_base_exp_table[part];
    double result = base.hi + (base.lo + base.hi * grown);
    return cni_base_scale(result, steps >> CNI_BASE_EXP_STEPS_SHIFT);
}

CN_FORCE_INLINE double exp_of_pair(CniBaseDoubleDouble x)
{
    double shifted = x.hi * CNI_BASE_EXP_STEPS_PER_UNIT + CNI_BASE_ROUND_SHIFT;
    double steps = shifted - CNI_BASE_ROUND_SHIFT;
    double rest = ((x.hi - steps * CNI_BASE_EXP_STEP_1) - steps * CNI_BASE_EXP_STEP_2) + x.lo;
    return power(cni_base_low_bits(shifted), rest);
}

double cn_exp(double x)
{
    if (CN_UNLIKELY(!(__builtin_fabs(x) <= MOST_EXPONENT))) {
        if (cni_base_is_nan(x))
            return CN_NAN;
        return x > 0 ? __builtin_inf() : 0;
    }
    return exp_of_pair((CniBaseDoubleDouble){x, 0});
}

double cn_exp2(double x)
{
    if (CN_UNLIKELY(!(__builtin_fabs(x) <= 1.5 * MOST_EXPONENT))) {
        if (cni_base_is_nan(x))
            return CN_NAN;
        return x > 0 ? __builtin_inf() : 0;
    }
    double shifted = x * CNI_BASE_EXP_STEPS + CNI_BASE_ROUND_SHIFT;
    double rest = x - (shifted - CNI_BASE_ROUND_SHIFT) * (1.0 / CNI_BASE_EXP_STEPS);
    return power(cni_base_low_bits(shifted), rest * CNI_BASE_LN2);
}

/* ---- pow ---- */

typedef enum Parity { NOT_WHOLE, EVEN, ODD } Parity;

static Parity parity_of(double y)
{
    double size = __builtin_fabs(y);
    if (size >= 0x1p53)
        return EVEN;
    if (size != cn_floor(size))
        return NOT_WHOLE;
    return (uint64_t)size & 1 ? ODD : EVEN;
}

/* x is positive and finite, y finite and not 0. */
static double power_of_positive(double x, double y)
{
    double size = __builtin_fabs(y);
    if (x == 1 || size < 0x1p-70) /* no log(x) exceeds 745 */
        return 1;
    if (size > 0x1p70) /* and none but that of 1 is below 2^-53 */
        return (x > 1) == (y > 0) ? __builtin_inf() : 0;
    CniBaseDoubleDouble log = cni_base_log_pair(x);
    CniBaseDoubleDouble exponent = cni_base_two_product(y, log.hi);
    exponent.lo += y * log.lo;
    if (!(__builtin_fabs(exponent.hi) <= MOST_EXPONENT))
        return exponent.hi > 0 ? __builtin_inf() : 0;
    return exp_of_pair(exponent);
}

/* x is 0 or infinite, without its sign; y is finite or infinite and not 0. */
static double power_of_extreme(double x, double y)
{
    return (x == 0) == (y < 0) ? __builtin_inf() : 0;
}

/* y is infinite, x neither 0, 1, -1 nor infinite. */
static double power_to_infinity(double size, double y)
{
    return (size > 1) == (y > 0) ? __builtin_inf() : 0;
}

double cn_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (cni_base_is_nan(x) || cni_base_is_nan(y))
        return CN_NAN;
    double size = __builtin_fabs(x), result;
    bool y_is_infinite = cni_base_size_bits(y) == CNI_BASE_INF_BITS;
    bool is_negative = cni_base_double_bits(x) & CNI_BASE_SIGN_BIT;
    Parity parity = is_negative ? parity_of(y) : EVEN;
    if (CN_UNLIKELY(size == 0 || cni_base_size_bits(x) == CNI_BASE_INF_BITS))
        result = power_of_extreme(size, y);
    else if (CN_UNLIKELY(y_is_infinite))
        result = size == 1 ? 1 : power_to_infinity(size, y);
    else if (parity == NOT_WHOLE)
        return CN_NAN;
    else
        result = power_of_positive(size, y);
    return parity == ODD ? -result : result;
}

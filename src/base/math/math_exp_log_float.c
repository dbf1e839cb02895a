/* exp, exp2, log, log2 and pow of floats, through powers of two, in doubles, rounded to float
 * once. */
#include "base/math/math_kernel.h"

/* Beyond, results are infinite or 0 as floats, with room to spare. */
#define MOST_OCTAVES 200.0

/* 2^(x / 128), |x| <= 128 * MOST_OCTAVES. */
CN_FORCE_INLINE double power_of_two(double x)
{
    double shifted = x + CNI_BASE_ROUND_SHIFT;
    int32_t steps = cni_base_low_bits(shifted);
    double rest = x - (shifted - CNI_BASE_ROUND_SHIFT);
    double terms =
        cni_base_polynomial(rest, cni_base_exp_terms_float, CN_COUNT_OF(cni_base_exp_terms_float));
    uint32_t part = (uint32_t)steps % CNI_BASE_EXP_STEPS;
    double base = cni_base_exp_table[part].hi;
    return (base + base * (rest * terms)) *
           cni_base_power_of_two(steps >> CNI_BASE_EXP_STEPS_SHIFT);
}

/* 2^x for any x that is a number. */
CN_FORCE_INLINE float rounded_power_of_two(double x)
{
    x = x < -MOST_OCTAVES ? -MOST_OCTAVES : x;
    x = x > MOST_OCTAVES ? MOST_OCTAVES : x;
    return (float)power_of_two(x * CNI_BASE_EXP_STEPS);
}

float cn_exp2f(float x)
{
    return x == x ? rounded_power_of_two((double)x) : CN_NANF;
}

float cn_expf(float x)
{
    return x == x ? rounded_power_of_two((double)x * CNI_BASE_LOG2E_HI) : CN_NANF;
}

/* Of a positive, finite float: as a double it is never subnormal. */
CN_FORCE_INLINE double log2_of(float x)
{
    uint64_t bits = cni_base_double_bits((double)x);
    uint64_t offset = bits - CNI_BASE_LOG_FIRST;
    double exponent = (double)((int64_t)offset >> 52);
    double mantissa = cni_base_double_from_bits(bits - (offset & 0xfff0000000000000u));
    const CniBaseLogRow *row = &cni_base_log_table[offset >> 45 & 127];
    double r = mantissa * row->inverse - 1; /* exact: 24 bits times 12 */
    double tail = r * cni_base_polynomial_split(r, cni_base_log_terms_float,
                                                CN_COUNT_OF(cni_base_log_terms_float));
    return (exponent + row->log2) + tail;
}

/* Of what is not positive and finite. */
static float log_of_unusual(float x)
{
    if (x == 0)
        return -__builtin_inff();
    return x > 0 ? x : CN_NANF;
}

CN_FORCE_INLINE bool is_usual(float x)
{
    return x > 0 && x <= FLT_MAX;
}

float cn_log2f(float x)
{
    return CN_LIKELY(is_usual(x)) ? (float)log2_of(x) : log_of_unusual(x);
}

float cn_logf(float x)
{
    return CN_LIKELY(is_usual(x)) ? (float)(log2_of(x) * CNI_BASE_LN2) : log_of_unusual(x);
}

/* Negative bases, infinities and NaNs: rare, and the rules are those of double. */
static __attribute__((noinline)) float power_of_unusual(float x, float y)
{
    return (float)cn_pow((double)x, (double)y);
}

float cn_powf(float x, float y)
{
    if (CN_UNLIKELY(!is_usual(x) || !(__builtin_fabsf(y) <= FLT_MAX)))
        return power_of_unusual(x, y);
    return rounded_power_of_two(log2_of(x) * (double)y);
}

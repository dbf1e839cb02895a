/* sin, cos and tan of doubles: the angle less a multiple of pi/2 as a pair of doubles, then a
 * polynomial on -pi/4 to pi/4 whose leading terms are added last. */
#include "base/math/math_kernel.h"

#define QUARTER_PI 0x1.921fb54442d18p-1
/* Below, multiples of pi/2 have at most 20 bits and the pieces of pi/2 can be subtracted
 * exactly. */
#define MOST_FOR_PIECES 1.6e6
/* Angles that come closer than this to a multiple of pi/2 have lost too much in the pieces. */
#define LEAST_FOR_PIECES 0x1p-20
/* Below, x is what sin(x) and tan(x) round to. */
#define TINY 0x1p-27

/* For finite x. */
CN_FORCE_INLINE CniBaseReducedAngle reduce(double x)
{
    double size = __builtin_fabs(x);
    if (size <= QUARTER_PI)
        return (CniBaseReducedAngle){{x, 0}, 0};
    if (CN_LIKELY(size < MOST_FOR_PIECES)) {
        double shifted = x * CNI_BASE_TWO_OVER_PI + CNI_BASE_ROUND_SHIFT;
        double multiple = shifted - CNI_BASE_ROUND_SHIFT;
        CniBaseDoubleDouble rest =
            cni_base_two_sum(x - multiple * CNI_BASE_HALF_PI_1, -(multiple * CNI_BASE_HALF_PI_2));
        rest = cni_base_fast_two_sum(rest.hi, rest.lo - multiple * CNI_BASE_HALF_PI_3);
        if (CN_LIKELY(__builtin_fabs(rest.hi) >= LEAST_FOR_PIECES))
            return (CniBaseReducedAngle){rest, (uint32_t)cni_base_low_bits(shifted)};
    }
    return cni_base_reduce_angle(x);
}

CN_FORCE_INLINE CniBaseDoubleDouble sine(CniBaseDoubleDouble x)
{
    double square = x.hi * x.hi;
    double terms =
        cni_base_polynomial_split(square, cni_base_sin_terms, CN_COUNT_OF(cni_base_sin_terms));
    return (CniBaseDoubleDouble){x.hi, x.hi * square * terms + x.lo * (1 - 0.5 * square)};
}

CN_FORCE_INLINE CniBaseDoubleDouble cosine(CniBaseDoubleDouble x)
{
    CniBaseDoubleDouble square = cni_base_two_product(x.hi, x.hi);
    double half = 0.5 * square.hi, leading = 1 - half;
    double terms =
        cni_base_polynomial_split(square.hi, cni_base_cos_terms, CN_COUNT_OF(cni_base_cos_terms));
    double small = square.hi * square.hi * terms - (0.5 * square.lo + x.hi * x.lo);
    return (CniBaseDoubleDouble){leading, ((1 - leading) - half) + small};
}

CN_FORCE_INLINE double rounded(CniBaseDoubleDouble x)
{
    return x.hi + x.lo;
}

CN_FORCE_INLINE bool is_finite(double x)
{
    return cni_base_size_bits(x) < CNI_BASE_INF_BITS;
}

double cn_sin(double x)
{
    if (CN_UNLIKELY(!is_finite(x)))
        return CN_NAN;
    if (__builtin_fabs(x) < TINY)
        return x;
    CniBaseReducedAngle angle = reduce(x);
    double result = rounded(angle.quadrant & 1 ? cosine(angle.rest) : sine(angle.rest));
    return angle.quadrant & 2 ? -result : result;
}

double cn_cos(double x)
{
    if (CN_UNLIKELY(!is_finite(x)))
        return CN_NAN;
    CniBaseReducedAngle angle = reduce(x);
    double result = rounded(angle.quadrant & 1 ? sine(angle.rest) : cosine(angle.rest));
    return (angle.quadrant + 1) & 2 ? -result : result;
}

void cn_sincos(double x, double *sine_out, double *cosine_out)
{
    if (CN_UNLIKELY(!is_finite(x))) {
        *sine_out = *cosine_out = CN_NAN;
        return;
    }
    if (__builtin_fabs(x) < TINY) {
        *sine_out = x;
        *cosine_out = 1;
        return;
    }
    CniBaseReducedAngle angle = reduce(x);
    double s = rounded(sine(angle.rest)), c = rounded(cosine(angle.rest));
    bool is_swapped = angle.quadrant & 1;
    double sine_size = is_swapped ? c : s, cosine_size = is_swapped ? s : c;
    *sine_out = angle.quadrant & 2 ? -sine_size : sine_size;
    *cosine_out = (angle.quadrant + 1) & 2 ? -cosine_size : cosine_size;
}

double cn_tan(double x)
{
    if (CN_UNLIKELY(!is_finite(x)))
        return CN_NAN;
    if (__builtin_fabs(x) < TINY)
        return x;
    CniBaseReducedAngle angle = reduce(x);
    CniBaseDoubleDouble s = sine(angle.rest), c = cosine(angle.rest);
    s = cni_base_fast_two_sum(s.hi, s.lo);
    c = cni_base_fast_two_sum(c.hi, c.lo);
    if (angle.quadrant & 1)
        return -rounded(cni_base_pair_quotient(c, s));
    return rounded(cni_base_pair_quotient(s, c));
}

/*
 * atan, atan2, asin and acos of doubles: all are the direction of a point (x, y). Its angle in the
 * first octant is that of the nearest slope i/64, from a table, and of the small rest
 *
 *     t = (y - x i/64) / (x + y i/64),   atan(y/x) = atan(i/64) + atan(t)
 *
 * where t is so much smaller than the sum that its rounding hardly shows; the lowest slopes are
 * rests themselves. The other octants follow by symmetry.
 */
#include "base/math/math_kernel.h"

/* If the sides differ by more, the small one is their ratio, or drowns beside pi/2 or pi. */
#define MOST_EXPONENT_GAP 60
/* Below, x is what atan(x) and asin(x) round to. */
#define TINY 0x1p-27

/* atan(t) without its first term t. */
CN_FORCE_INLINE double atan_tail(double t)
{
    double square = t * t;
    return t * square *
           cni_base_polynomial_split(square, cni_base_atan_terms, CN_COUNT_OF(cni_base_atan_terms));
}

/* The angle of a point with 0 <= y <= x, where x is neither huge nor tiny. */
CN_FORCE_INLINE CniBaseDoubleDouble octant_angle(CniBaseDoubleDouble y, CniBaseDoubleDouble x)
{
    double shifted = y.hi / x.hi * CNI_BASE_ATAN_STEPS + CNI_BASE_ROUND_SHIFT;
    int i = cni_base_low_bits(shifted);
    if (i < CNI_BASE_ATAN_FIRST) {
        CniBaseDoubleDouble t = cni_base_pair_quotient(y, x);
        return cni_base_fast_two_sum(t.hi, t.lo + atan_tail(t.hi));
    }
    double slope = (shifted - CNI_BASE_ROUND_SHIFT) * (1.0 / CNI_BASE_ATAN_STEPS);
    CniBaseDoubleDouble across = cni_base_two_product(slope, x.hi);
    double above = ((y.hi - across.hi) - across.lo) + (y.lo - slope * x.lo);
    double t = above / (x.hi + slope * y.hi);
    CniBaseDoubleDouble nearest = cni_base_atan_table[i];
    CniBaseDoubleDouble sum = cni_base_fast_two_sum(nearest.hi, t);
    return cni_base_fast_two_sum(sum.hi, sum.lo + (nearest.lo + atan_tail(t)));
}

CN_FORCE_INLINE CniBaseDoubleDouble less(CniBaseDoubleDouble a, CniBaseDoubleDouble b)
{
    CniBaseDoubleDouble sum = cni_base_two_sum(a.hi, -b.hi);
    return cni_base_fast_two_sum(sum.hi, sum.lo + (a.lo - b.lo));
}

/* From the octant to the upper half: beyond the diagonal, and to the left. */
CN_FORCE_INLINE double unfold(CniBaseDoubleDouble angle, bool is_steep, bool is_left)
{
    const CniBaseDoubleDouble half_pi = {CNI_BASE_HALF_PI_HI, CNI_BASE_HALF_PI_LO},
                              whole_pi = {CNI_BASE_PI_HI, CNI_BASE_PI_LO};
    if (is_steep)
        angle = less(half_pi, angle);
    if (is_left)
        angle = less(whole_pi, angle);
    return angle.hi + angle.lo;
}

/* The direction of (x, y) with y >= 0, both finite and not both 0. */
static double direction(double y, double x)
{
    bool is_left = x < 0;
    double across = __builtin_fabs(x);
    bool is_steep = y > across;
    double small = is_steep ? across : y, large = is_steep ? y : across;
    if (small == 0)
        return unfold((CniBaseDoubleDouble){small, 0}, is_steep, is_left);
    int exponent = cni_base_exponent(large);
    if (exponent - cni_base_exponent(small) > MOST_EXPONENT_GAP)
        return unfold((CniBaseDoubleDouble){small / large, 0}, is_steep, is_left);
    CniBaseDoubleDouble a = {cni_base_scale(small, -exponent), 0},
                        b = {cni_base_scale(large, -exponent), 0};
    return unfold(octant_angle(a, b), is_steep, is_left);
}

static double direction_of_infinite(double y, double x)
{
    bool x_is_infinite = cni_base_size_bits(x) == CNI_BASE_INF_BITS;
    bool y_is_infinite = cni_base_size_bits(y) == CNI_BASE_INF_BITS;
    if (x_is_infinite && y_is_infinite)
        return direction(1, x < 0 ? -1 : 1);
    if (y_is_infinite)
        return CNI_BASE_HALF_PI_HI;
    return x < 0 ? CNI_BASE_PI_HI : 0;
}

double cn_atan2(double y, double x)
{
    if (cni_base_is_nan(x) || cni_base_is_nan(y))
        return CN_NAN;
    double height = __builtin_fabs(y), angle;
    if (CN_UNLIKELY(height == 0 && x == 0))
        angle = cni_base_double_bits(x) & CNI_BASE_SIGN_BIT ? CNI_BASE_PI_HI : 0;
    else if (CN_UNLIKELY(cni_base_size_bits(x) >= CNI_BASE_INF_BITS ||
                         cni_base_size_bits(y) >= CNI_BASE_INF_BITS))
        angle = direction_of_infinite(height, x);
    else
        angle = direction(height, x);
    return __builtin_copysign(angle, y);
}

double cn_atan(double x)
{
    const CniBaseDoubleDouble one = {1, 0};
    double size = __builtin_fabs(x), angle;
    if (cni_base_is_nan(x))
        return CN_NAN;
    if (size < TINY)
        return x;
    if (size <= 1)
        angle = unfold(octant_angle((CniBaseDoubleDouble){size, 0}, one), false, false);
    else if (size < 0x1p60)
        angle = unfold(octant_angle(one, (CniBaseDoubleDouble){size, 0}), true, false);
    else
        angle = CNI_BASE_HALF_PI_HI;
    return __builtin_copysign(angle, x);
}

/* The other side of a right triangle with hypotenuse 1; 0 <= x <= 1. */
CN_FORCE_INLINE CniBaseDoubleDouble other_side(double x)
{
    CniBaseDoubleDouble square = cni_base_two_product(x, x);
    CniBaseDoubleDouble rest = cni_base_fast_two_sum(1, -square.hi);
    rest = cni_base_fast_two_sum(rest.hi, rest.lo - square.lo);
    if (rest.hi <= 0)
        return (CniBaseDoubleDouble){0, 0};
    double root = __builtin_sqrt(rest.hi);
    CniBaseDoubleDouble back = cni_base_two_product(root, root);
    return cni_base_fast_two_sum(root, (((rest.hi - back.hi) - back.lo) + rest.lo) / (2 * root));
}

double cn_asin(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1))
        return CN_NAN;
    if (size < TINY)
        return x;
    CniBaseDoubleDouble side = other_side(size), self = {size, 0};
    double angle = size > side.hi ? unfold(octant_angle(side, self), true, false)
                                  : unfold(octant_angle(self, side), false, false);
    return __builtin_copysign(angle, x);
}

double cn_acos(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1))
        return CN_NAN;
    if (size < 0x1p-60)
        return CNI_BASE_HALF_PI_HI;
    CniBaseDoubleDouble side = other_side(size), self = {size, 0};
    return side.hi > size ? unfold(octant_angle(self, side), true, x < 0)
                          : unfold(octant_angle(side, self), false, x < 0);
}
